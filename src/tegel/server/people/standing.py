"""Whose cookies have ended, and who is banned: known by heart, so that nothing is looked up for
a move.

A cookie is of a **generation**; signing out everywhere begins the next one, and those before it
are nobody's. Few players ever do that or are banned: a worker reads them when it begins, and then
every `OFTEN` seconds those of whom something changed. So a ban on the command line, another
worker's news and a new name all arrive by the same way, whether or not there is a bus."""

from collections.abc import Callable
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from tegel.server.people.identity import Session
from tegel.server.storage import tables
from tegel.server.storage.store import Store

OFTEN = 2.0  # seconds
SLACK = 60_000  # milliseconds by which clocks, and the ends of transactions, may differ
OVER = 2**31 - 1  # the generation of a player who is deleted: no cookie is of it
BANNED = "Whoever runs this server does not let you play here any more."


class Known(NamedTuple):
    generation: int = 0
    banned: bool = False
    at: int = 0


NOTHING = Known()


class Standing:
    def __init__(self, store: Store) -> None:
        self.store = store
        self.known: dict[str, Known] = {}
        self.last = 0  # when the latest change was
        self.listeners: list[Callable[[str], None]] = []  # told of whom something changed

    async def open(self) -> None:
        c = tables.standing.c
        self._learn(await self._rows(sa.or_(c.generation > 0, c.banned)))
        latest = await self.store.rows(sa.select(sa.func.max(c.at)))
        self.last = latest[0][0] or 0

    async def look(self) -> None:
        """Learn what changed, and tell the listeners."""
        for player in self._learn(await self._rows(tables.standing.c.at > self.last - SLACK)):
            for listener in self.listeners:
                listener(player)

    async def _rows(self, which: Any) -> list[tuple[str, Known]]:
        c = tables.standing.c
        query = sa.select(c.player, c.generation, c.banned, c.at).where(which)
        return [(row[0], Known(*row[1:])) for row in await self.store.rows(query)]

    def _learn(self, rows: list[tuple[str, Known]]) -> list[str]:
        new = [player for player, known in rows if self.known.get(player) != known]
        self.known |= dict(rows)
        self.last = max([self.last, *(known.at for _, known in rows)])
        for player, known in list(self.known.items()):
            if not known.generation and not known.banned and known.at < self.last - SLACK:
                del self.known[player]  # nothing to know any more
        return new

    def generation(self, player: str) -> int:
        return self.known.get(player, NOTHING).generation

    def holds(self, session: Session) -> bool:
        """Whether a cookie has not ended."""
        return session.generation >= self.generation(session.player)

    def is_banned(self, player: str) -> bool:
        return self.known.get(player, NOTHING).banned


def note(connection: sa.Connection, player: str, now: int, **changes: Any) -> None:
    """Something about a player changed, of which every worker should know."""
    dialect = sqlite if connection.dialect.name == "sqlite" else postgresql
    values = {"player": player, "at": now, **changes}
    insert = dialect.insert(tables.standing).values(**values)
    connection.execute(
        insert.on_conflict_do_update(index_elements=["player"], set_={"at": now, **changes})
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
