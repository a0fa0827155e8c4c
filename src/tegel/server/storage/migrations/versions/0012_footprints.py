"""Fair play: who plays now, what lies on the boards, and an index of players' networks."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    op.add_column("rooms", sa.Column("eye", sa.Boolean, nullable=False, server_default=sa.false()))
    op.add_column("rooms", sa.Column("footprint", sa.Text))
    rooms = sa.table("rooms", sa.column("position"), sa.column("eye"), sa.column("over"),
                     sa.column("footprint"))  # fmt: skip
    op.execute(sa.update(rooms).where(rooms.c.position != "").values(eye=sa.true()))
    op.execute(sa.update(rooms).where(rooms.c.over).values(footprint=""))
    op.drop_index("rooms_position", "rooms")
    op.drop_column("rooms", "position")
    op.create_index(
        "rooms_eye", "rooms", ["game"],
        sqlite_where=sa.text("eye = 1"), postgresql_where=sa.text("eye"),
    )  # fmt: skip
    op.create_index("networks_player", "networks", ["player"])
    op.create_table(
        "playing",
        sa.Column("player", sa.String(64), primary_key=True),
        sa.Column("room", sa.String(32), primary_key=True),
        sqlite_with_rowid=False,
    )
    op.create_index("playing_room", "playing", ["room"])
    op.execute(
        "INSERT INTO playing (player, room) SELECT player, room FROM seats "
        "JOIN rooms ON rooms.id = seats.room WHERE NOT rooms.over"
    )


def downgrade() -> None:
    op.drop_table("playing")
    op.drop_index("networks_player", "networks")
    op.drop_index("rooms_eye", "rooms")
    op.drop_column("rooms", "footprint")
    op.drop_column("rooms", "eye")
    op.add_column("rooms", sa.Column("position", sa.String(32), nullable=False, server_default=""))
    op.create_index("rooms_position", "rooms", ["position"])
