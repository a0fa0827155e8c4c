"""Names that look alike are compared by Unicode's table. Handles are folded again: of those that
are alike now, the oldest has the text, and the others are stored apart, so that all keep their
names. Guests' names lose what could be taken for the at-sign of a handle. Names that somebody gave
up or lost are reserved. Passkeys say whether they can verify their user."""

import sqlalchemy as sa
from alembic import op

from tegel.room.lookalikes import apart, folded
from tegel.room.setup import guest_name

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    op.create_table(
        "reserved",
        sa.Column("name", sa.String(64), primary_key=True),
        sa.Column("player", sa.String(64), nullable=False),
        sa.Column("until", sa.BigInteger),
        sqlite_with_rowid=False,
    )
    op.create_index("reserved_player", "reserved", ["player"])
    op.create_index("reserved_until", "reserved", ["until"])
    verified = sa.Column("verified", sa.Boolean, nullable=False, server_default=sa.false())
    op.add_column("passkeys", verified)
    connection = op.get_bind()
    _fold(connection)
    _clean(connection)


def _fold(connection: sa.Connection) -> None:
    kept = sa.text("SELECT id, handle FROM players WHERE handle IS NOT NULL ORDER BY at, id")
    taken, rows = set[str](), list[dict[str, str]]()
    for id, handle in connection.execute(kept).all():
        key = folded(handle) if folded(handle) not in taken else apart(handle)
        taken.add(key)
        rows.append({"id": id, "key": key})
    # Nobody has a text that somebody else is about to have.
    connection.execute(sa.text("UPDATE players SET folded = NULL WHERE folded IS NOT NULL"))
    if rows:
        connection.execute(sa.text("UPDATE players SET folded = :key WHERE id = :id"), rows)


def _clean(connection: sa.Connection) -> None:
    """Only names that are not plain ASCII can be wrong: 0006 has seen to the others."""
    plain = "GLOB '*[^ -~]*'" if connection.dialect.name == "sqlite" else "~ '[^ -~]'"
    guest = "NOT IN (SELECT id FROM players WHERE handle IS NOT NULL)"
    for table, column, keys in (("players", "id", "id"), ("names", "player", "room, player")):
        found = f"SELECT {keys}, name FROM {table} WHERE name {plain} AND {column} {guest}"
        where = " AND ".join(f"{key} = :{key}" for key in keys.split(", "))
        change = sa.text(f"UPDATE {table} SET name = :name WHERE {where}")
        for row in connection.execute(sa.text(found)).all():
            if (name := guest_name(row.name)) != row.name:
                connection.execute(change, {**row._mapping, "name": name})


def downgrade() -> None:
    op.drop_column("passkeys", "verified")
    op.drop_table("reserved")
