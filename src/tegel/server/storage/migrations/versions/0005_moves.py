"""How many moves were made at a table: its log has other rows too, and draws."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.add_column("rooms", sa.Column("moves", sa.Integer, nullable=False, server_default="-1"))


def downgrade() -> None:
    op.drop_column("rooms", "moves")
