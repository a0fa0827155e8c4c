"""No help in running games: positions of games by eye, agreed hints, networks of players."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.add_column("rooms", sa.Column("position", sa.String(32), nullable=False, server_default=""))
    op.add_column(
        "rooms", sa.Column("hinting", sa.Boolean, nullable=False, server_default=sa.false())
    )
    op.create_index("rooms_position", "rooms", ["position"])
    op.create_table(
        "networks",
        sa.Column("network", sa.String(64), primary_key=True),
        sa.Column("player", sa.String(64), primary_key=True),
        sa.Column("at", sa.BigInteger, nullable=False),
        sqlite_with_rowid=False,
    )


def downgrade() -> None:
    op.drop_table("networks")
    op.drop_index("rooms_position", "rooms")
    op.drop_column("rooms", "hinting")
    op.drop_column("rooms", "position")
