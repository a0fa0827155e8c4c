"""Studies, and what was thought of positions and games; the puzzles of days by their names."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    op.create_table(
        "studies",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("player", sa.String(64), nullable=False),
        sa.Column("game", sa.String(40), nullable=False),
        sa.Column("variant", sa.String(40), nullable=False),
        sa.Column("source", sa.String(48), nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("touched", sa.BigInteger, nullable=False),
    )
    op.create_index("studies_player", "studies", ["player", "touched"])
    op.create_index("studies_touched", "studies", ["touched"])
    op.create_table(
        "study_rows",
        sa.Column("study", sa.String(32), primary_key=True),
        sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "analyses",
        sa.Column("key", sa.String(64), primary_key=True),
        sa.Column("simulations", sa.BigInteger, nullable=False),
        sa.Column("exact", sa.Boolean, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
    )
    op.create_index("analyses_at", "analyses", ["at"])
    op.create_table(
        "game_reports",
        sa.Column("key", sa.String(64), primary_key=True),
        sa.Column("record", sa.Text, nullable=False),
        sa.Column("done", sa.Boolean, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("lease", sa.String(32), nullable=False),
        sa.Column("leased", sa.BigInteger, nullable=False),
        sa.Column("tries", sa.Integer, nullable=False),
    )
    op.create_index("game_reports_due", "game_reports", ["done", "leased"])
    op.create_index("game_reports_at", "game_reports", ["at"])
    daily = sa.text("game = 'puzzle'")
    op.create_index("rooms_daily", "rooms", ["variant"], sqlite_where=daily, postgresql_where=daily)


def downgrade() -> None:
    op.drop_index("rooms_daily", "rooms")
    for table in ("game_reports", "analyses", "study_rows", "studies"):
        op.drop_table(table)
