"""Wishes say who has come of those who were paired: the log was asked before."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    came = sa.Column("came", sa.Boolean, nullable=False, server_default=sa.false())
    op.add_column("wishes", came)
    sat = "SELECT 1 FROM log WHERE room = wishes.room AND text LIKE '!sit % ' || wishes.player"
    op.execute(f"UPDATE wishes SET came = TRUE WHERE room <> '' AND EXISTS ({sat})")


def downgrade() -> None:
    op.drop_column("wishes", "came")
