"""What a guest played comes along to who signs in: rows that change their player."""

from collections.abc import Collection

import sqlalchemy as sa

from tegel.server.storage import tables
from tegel.server.storage.dialect import insert
from tegel.server.storage.moments import bring_tries
from tegel.server.storage.storage import Storage


class SqlMoving:
    def __init__(self, database: Storage) -> None:
        self.database = database

    async def hand_over(self, guest: str, player: str, came: Collection[str]) -> None:
        await self.database.write(lambda connection: _hand_over(connection, guest, player, came))


def _hand_over(connection: sa.Connection, guest: str, player: str, came: Collection[str]) -> None:
    s, c = tables.seats.c, tables.rooms.c
    running = sa.select(c.id).where(c.over.is_(False), c.id.not_in(came))
    theirs = sa.and_(s.player == guest, s.room.not_in(running))
    listed = sa.select(sa.literal(player), s.room).where(theirs)
    seated = insert(connection, tables.seats).from_select(["player", "room"], listed)
    connection.execute(seated.on_conflict_do_nothing())
    connection.execute(sa.delete(tables.seats).where(theirs))
    p, both = tables.played.c, tables.played.alias("both").c
    twice = sa.select(both.room).where(both.player == player)
    over = sa.update(tables.played).where(p.player == guest, p.room.not_in(twice))
    connection.execute(over.values(player=player))
    own = sa.update(tables.studies).where(tables.studies.c.player == guest)
    connection.execute(own.values(player=player))
    bring_tries(connection, guest, player)
    was = insert(connection, tables.guests).values(id=guest, player=player)
    connection.execute(was.on_conflict_do_update(index_elements=["id"], set_={"player": player}))
