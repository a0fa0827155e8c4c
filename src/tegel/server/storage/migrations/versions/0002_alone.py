"""What lists tell about tables where someone is alone with a puzzle."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    for column in (
        sa.Column("closed", sa.String(16), nullable=False, server_default=""),
        sa.Column("score", sa.Integer, nullable=False, server_default="0"),
        sa.Column("spent", sa.BigInteger, nullable=False, server_default="0"),
        sa.Column("hints", sa.Integer, nullable=False, server_default="0"),
    ):
        op.add_column("rooms", column)
