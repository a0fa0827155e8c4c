"""People who look for somebody to play with."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    op.create_table(
        "wishes",
        sa.Column("player", sa.String(64), primary_key=True),
        sa.Column("ticket", sa.String(32), nullable=False),
        sa.Column("worker", sa.String(32), nullable=False),
        sa.Column("game", sa.String(40), nullable=False),
        sa.Column("variant", sa.String(40), nullable=False),
        sa.Column("options", sa.Text, nullable=False),
        sa.Column("clock", sa.String(40), nullable=False),
        sa.Column("name", sa.String(80), nullable=False),
        sa.Column("rating", sa.Double, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("room", sa.String(32), nullable=False, server_default=""),
        sqlite_with_rowid=False,
    )
    op.create_index("wishes_open", "wishes", ["room", "at"])


def downgrade() -> None:
    op.drop_table("wishes")
