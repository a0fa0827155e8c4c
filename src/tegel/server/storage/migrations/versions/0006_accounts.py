"""Names that last: handles with a recovery code, passkeys, what may be used once, whose cookies
have ended and who is banned, blocks and reports. Guests are no longer called `@...`: that is how
handles are told apart."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    op.add_column("players", sa.Column("handle", sa.String(80)))
    op.add_column("players", sa.Column("folded", sa.String(80)))
    op.add_column("players", sa.Column("recovery", sa.String(64)))
    op.create_index("players_folded", "players", ["folded"], unique=True)
    op.create_index("players_recovery", "players", ["recovery"], unique=True)
    op.create_index("names_player", "names", ["player"])
    op.execute("UPDATE names SET name = ltrim(name, '@') WHERE name LIKE '@%'")
    op.execute("UPDATE players SET name = ltrim(name, '@') WHERE name LIKE '@%'")
    op.create_table(
        "passkeys",
        sa.Column("id", sa.String(1400), primary_key=True),
        sa.Column("player", sa.String(64), nullable=False),
        sa.Column("key", sa.Text, nullable=False),
        sa.Column("counter", sa.BigInteger, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("used", sa.BigInteger, nullable=False),
    )
    op.create_index("passkeys_player", "passkeys", ["player"])
    op.create_table(
        "guests",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("player", sa.String(64), nullable=False),
    )
    op.create_index("guests_player", "guests", ["player"])
    op.create_table(
        "spent",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("until", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "standing",
        sa.Column("player", sa.String(64), primary_key=True),
        sa.Column("generation", sa.Integer, nullable=False, server_default="0"),
        sa.Column("banned", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("at", sa.BigInteger, nullable=False),
    )
    op.create_index("standing_at", "standing", ["at"])
    op.create_table(
        "blocks",
        sa.Column("player", sa.String(64), primary_key=True),
        sa.Column("blocked", sa.String(64), primary_key=True),
        sa.Column("at", sa.BigInteger, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_index("blocks_blocked", "blocks", ["blocked"])
    op.create_table(
        "reports",
        sa.Column("room", sa.String(32), primary_key=True),
        sa.Column("player", sa.String(64), primary_key=True),
        sa.Column("reported", sa.String(64), nullable=False),
        sa.Column("reason", sa.String(16), nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("settled", sa.Boolean, nullable=False, server_default=sa.false()),
        sqlite_with_rowid=False,
    )
    op.create_index("reports_player", "reports", ["player"])


def downgrade() -> None:
    for table in ("reports", "blocks", "standing", "spent", "guests", "passkeys"):
        op.drop_table(table)
    op.drop_index("names_player", "names")
    for index in ("players_recovery", "players_folded"):
        op.drop_index(index, "players")
    for column in ("recovery", "folded", "handle"):
        op.drop_column("players", column)
