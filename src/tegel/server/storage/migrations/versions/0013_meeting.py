"""Meeting strangers: wishes by what is sought and by network, people who did not come, the network
of a listed table, and at which table somebody was blocked."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    for name, kind, default in (
        ("since", sa.BigInteger(), "0"),
        ("sought", sa.String(32), ""),
        ("network", sa.String(64), ""),
        ("site", sa.String(64), ""),
    ):
        op.add_column("wishes", sa.Column(name, kind, nullable=False, server_default=default))
    op.create_index("wishes_sought", "wishes", ["sought", "room", "since"])
    op.create_index("wishes_network", "wishes", ["network", "room"])
    op.create_index("wishes_site", "wishes", ["site", "room"])
    op.create_table(
        "no_shows",
        sa.Column("who", sa.String(64), primary_key=True),
        sa.Column("times", sa.Integer, nullable=False),
        sa.Column("free", sa.BigInteger, nullable=False),
        sa.Column("until", sa.BigInteger, nullable=False),
        sqlite_with_rowid=False,
    )
    for name in ("network", "site"):
        column = sa.Column(name, sa.String(64), nullable=False, server_default="")
        op.add_column("rooms", column)
        some = sa.text(f"{name} != ''")
        op.create_index(
            f"rooms_{name}", "rooms", [name, "touched"], sqlite_where=some, postgresql_where=some
        )
    op.add_column("blocks", sa.Column("room", sa.String(32), nullable=False, server_default=""))


def downgrade() -> None:
    op.drop_column("blocks", "room")
    op.drop_table("no_shows")
    for name in ("network", "site"):
        op.drop_index(f"rooms_{name}", "rooms")
        op.drop_column("rooms", name)
        op.drop_index(f"wishes_{name}", "wishes")
    op.drop_index("wishes_sought", "wishes")
    for name in ("since", "sought", "network", "site"):
        op.drop_column("wishes", name)
