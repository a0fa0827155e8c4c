"""Games that are over, by player; ratings; what players show. Rooms that were over before are noted
down, and their endings written while the server runs: that takes the rules."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    op.add_column(
        "rooms", sa.Column("rated", sa.Boolean, nullable=False, server_default=sa.false())
    )
    op.create_table(
        "endings",
        sa.Column("room", sa.String(32), primary_key=True),
        sa.Column("game", sa.String(40), nullable=False),
        sa.Column("variant", sa.String(40), nullable=False),
        sa.Column("family", sa.String(40), nullable=False),
        sa.Column("clock", sa.String(40), nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("moves", sa.Integer, nullable=False),
        sa.Column("reason", sa.String(40), nullable=False),
        sa.Column("rated", sa.Boolean, nullable=False),
        sa.Column("sides", sa.Integer, nullable=False),
        sa.Column("seats", sa.Text, nullable=False),
    )
    op.create_table(
        "played",
        sa.Column("player", sa.String(64), primary_key=True),
        sa.Column("room", sa.String(32), primary_key=True),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("game", sa.String(40), nullable=False),
        sa.Column("variant", sa.String(40), nullable=False),
        sa.Column("how", sa.String(8), nullable=False),
        sa.Column("rank", sa.Integer, nullable=False),
        sa.Column("by", sa.Integer, nullable=False),
        sa.Column("points", sa.Integer, nullable=False),
        sa.Column("against", sa.String(8), nullable=False),
        sa.Column("level", sa.Integer, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_index("played_at", "played", ["player", "at", "room"])
    op.create_index("played_room", "played", ["room"])
    op.create_table(
        "profiles",
        sa.Column("player", sa.String(64), primary_key=True),
        *(
            sa.Column(key, sa.Boolean, nullable=False, server_default=sa.false())
            for key in ("games", "statistics", "ratings", "best")
        ),
        sa.Column("at", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "ratings",
        sa.Column("player", sa.String(64), primary_key=True),
        sa.Column("game", sa.String(40), primary_key=True),
        sa.Column("family", sa.String(40), primary_key=True),
        sa.Column("at", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("room", sa.String(32), primary_key=True),
        sa.Column("mu", sa.Double, nullable=False),
        sa.Column("sigma", sa.Double, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_index("ratings_at", "ratings", ["game", "family", "at", "room"])
    op.create_index("ratings_room", "ratings", ["room"])
    unkept = op.create_table(
        "unkept", sa.Column("room", sa.String(32), primary_key=True), sqlite_with_rowid=False
    )
    rooms = sa.table("rooms", sa.column("id"), sa.column("over", sa.Boolean))
    over = sa.select(rooms.c.id).where(rooms.c.over.is_(True))
    op.execute(sa.insert(unkept).from_select(["room"], over))


def downgrade() -> None:
    for table in ("unkept", "ratings", "profiles", "played", "endings"):
        op.drop_table(table)
    op.drop_column("rooms", "rated")
