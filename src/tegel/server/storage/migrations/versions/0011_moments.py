"""Moments: who tried which, and how everybody did."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    op.create_table(
        "moment_tries",
        sa.Column("player", sa.String(64), primary_key=True),
        sa.Column("game", sa.String(40), primary_key=True),
        sa.Column("moment", sa.String(16), primary_key=True),
        sa.Column("day", sa.String(10), primary_key=True),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("tries", sa.Integer, nullable=False),
        sa.Column("found", sa.Boolean, nullable=False),
        sa.Column("first", sa.Boolean, nullable=False),
        sa.Column("shown", sa.Boolean, nullable=False),
        sa.Column("level", sa.Double),
        sqlite_with_rowid=False,
    )
    op.create_index("moment_tries_day", "moment_tries", ["game", "day"])
    op.create_index("moment_tries_at", "moment_tries", ["at"])
    op.create_table(
        "moment_counts",
        sa.Column("game", sa.String(40), primary_key=True),
        sa.Column("moment", sa.String(16), primary_key=True),
        sa.Column("solved", sa.Integer, nullable=False),
        sa.Column("failed", sa.Integer, nullable=False),
        sa.Column("felt", sa.Double, nullable=False),
        sqlite_with_rowid=False,
    )


def downgrade() -> None:
    op.drop_table("moment_counts")
    op.drop_table("moment_tries")
