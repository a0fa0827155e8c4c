"""Deleting what nobody has touched for long."""

from collections.abc import Sequence

import sqlalchemy as sa

from tegel.server.storage import tables
from tegel.server.storage.moments import forget_tries
from tegel.server.storage.ratings import forget_ratings
from tegel.server.storage.storage import Storage
from tegel.server.storage.studies import forget_studies
from tegel.server.storage.thoughts import forget_thoughts

TOGETHER = 500  # rooms that are forgotten in one transaction
OF_ROOMS = (
    tables.log, tables.seats, tables.playing, tables.names, tables.presence, tables.outbox,
    tables.endings, tables.played, tables.unkept,
)  # fmt: skip
"""What is forgotten with a room."""


class SqlRetention:
    def __init__(self, database: Storage) -> None:
        self.database = database

    async def forget_thoughts(self) -> None:
        await self.database.write(forget_thoughts)

    async def forget_before(self, limit: int) -> tuple[int, bool]:
        return await self.database.write(lambda connection: _forget_before(connection, limit))


def _forget_before(connection: sa.Connection, limit: int) -> tuple[int, bool]:
    rooms, players, records = tables.rooms.c, tables.players.c, tables.records.c
    seated = sa.select(tables.seats.c.player)
    nobody = sa.and_(players.token.is_(None), players.handle.is_(None))
    unseated = (players.at < limit, nobody, players.id.not_in(seated))
    named = sa.select(players.id).where(players.handle.is_not(None))
    rated = sa.select(tables.ratings.c.player).join(
        tables.rooms, rooms.id == tables.ratings.c.room
    )  # seats of a guest go to who signs in, and ratings stay with the games
    old = _some(connection, rooms.id, rooms.touched < limit)
    for table in OF_ROOMS:
        connection.execute(sa.delete(table).where(table.c.room.in_(old)))
    connection.execute(sa.delete(tables.rooms).where(rooms.id.in_(old)))
    forget_ratings(connection)
    brought = _some(connection, records.id, records.at < limit)
    connection.execute(sa.delete(tables.records).where(records.id.in_(brought)))
    studies = _some(connection, tables.studies.c.id, tables.studies.c.touched < limit)
    forget_studies(connection, studies)
    people = _some(connection, players.id, *unseated)
    connection.execute(sa.delete(tables.players).where(players.id.in_(people)))
    tried = forget_tries(connection, limit, named, TOGETHER)
    lists = [old, brought, studies, people, tried]
    for table in (tables.ratings, tables.profiles):  # of who has no games any more
        c = table.c
        known = c.player.in_(seated) | c.player.in_(named) | c.player.in_(rated)
        gone = _some(connection, c.player, c.at < limit, ~known)
        connection.execute(sa.delete(table).where(c.player.in_(gone)))
        lists.append(gone)
    return len(old), any(len(found) == TOGETHER for found in lists)


def _some(
    connection: sa.Connection, id: sa.Column[str], *where: sa.ColumnElement[bool]
) -> Sequence[str]:
    return connection.scalars(sa.select(id).where(*where).limit(TOGETHER)).all()
