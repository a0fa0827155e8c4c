"""Whose cookies have ended, and who is banned, as rows."""

import sqlalchemy as sa

from tegel.place.accounts.store import Known
from tegel.server.storage import tables
from tegel.server.storage.dialect import insert
from tegel.server.storage.storage import Storage


class SqlStanding:
    def __init__(self, database: Storage) -> None:
        self.database = database

    async def latest(self) -> int:
        found = await self.database.rows(sa.select(sa.func.max(tables.standing.c.at)))
        return found[0][0] or 0

    async def changed_since(self, at: int) -> dict[str, Known]:
        return await self._rows(tables.standing.c.at > at)

    async def known(self, player: str) -> Known | None:
        return (await self._rows(tables.standing.c.player == player)).get(player)

    async def end_cookies(self, player: str, now: int) -> int:
        return await self.database.write(lambda connection: end_cookies(connection, player, now))

    async def _rows(self, which: sa.ColumnElement[bool]) -> dict[str, Known]:
        c = tables.standing.c
        query = sa.select(c.player, c.generation, c.banned, c.at).where(which)
        return {row[0]: Known(*row[1:]) for row in await self.database.rows(query)}


def note(connection: sa.Connection, player: str, now: int, **changes: object) -> None:
    """Something about a player changed, of which every worker should know."""
    values = {"player": player, "at": now, **changes}
    noted = insert(connection, tables.standing).values(**values)
    connection.execute(
        noted.on_conflict_do_update(index_elements=["player"], set_={"at": now, **changes})
    )


def end_cookies(connection: sa.Connection, player: str, now: int) -> int:
    """Let all cookies of a player end, and tell their devices no more; the generation of the
    next."""
    note(connection, player, now)
    for table in (tables.devices, tables.outbox):
        connection.execute(sa.delete(table).where(table.c.player == player))
    c = tables.standing.c
    next = sa.update(tables.standing).where(c.player == player)
    connection.execute(next.values(generation=c.generation + 1))
    return int(connection.scalars(sa.select(c.generation).where(c.player == player)).one())
