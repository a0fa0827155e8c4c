"""Whose cookies have ended, and who is banned.

A cookie is of a **generation**; signing out everywhere begins the next one, and those before it
are nobody's. A worker looks a player up when it first hears of them, and remembers the last `MOST`:
so nothing is looked up for a move. Every `OFTEN` seconds it reads what changed of late. So a ban
on the command line, another worker's news and a new name all arrive by the same way, whether or
not there is a bus."""

from collections import OrderedDict
from collections.abc import Callable
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from tegel.place.accounts.identity import Session
from tegel.server.storage import tables
from tegel.server.storage.database import Database

OFTEN = 2.0  # seconds
SLACK = 60_000  # milliseconds by which clocks, and the ends of transactions, may differ
MOST = 20_000  # players that a worker remembers
OVER = 2**31 - 1  # the generation of a player who is deleted: no cookie is of it
BANNED = "Whoever runs this server does not let you play here any more."


class Known(NamedTuple):
    generation: int = 0
    banned: bool = False
    at: int = 0


NOTHING = Known()


class Standing:
    def __init__(self, store: Database) -> None:
        self.store = store
        self.known: OrderedDict[str, Known] = OrderedDict()  # those not asked for longest go first
        self.recent: dict[str, Known] = {}  # of whom something changed of late
        self.last = 0  # when the latest change was
        self.listeners: list[Callable[[str], None]] = []  # told of whom something changed

    async def open(self) -> None:
        latest = await self.store.rows(sa.select(sa.func.max(tables.standing.c.at)))
        self.last = latest[0][0] or 0
        self.recent = await self._rows(tables.standing.c.at > self.last - SLACK)

    async def look(self) -> None:
        """Learn what changed of late, and tell the listeners."""
        before = self.recent
        self.recent = await self._rows(tables.standing.c.at > self.last - SLACK)
        self._learn(before, self.recent)

    async def look_at(self, player: str) -> None:
        """Learn what changed of one player, and tell the listeners."""
        found = await self._rows(tables.standing.c.player == player)
        before, self.recent = self.recent, {**self.recent, **found}
        self._learn(before, found)

    async def of(self, player: str) -> Known:
        """What there is to know of a player."""
        found = self.known.get(player)
        if found is None:
            found = (await self._rows(tables.standing.c.player == player)).get(player, NOTHING)
            # Whatever changed in the meantime was read by `look`, or will be.
            found = max(found, self.recent.get(player, NOTHING), key=lambda known: known.at)
            self.known[player] = found
            if len(self.known) > MOST:
                self.known.popitem(last=False)
        self.known.move_to_end(player)
        return found

    def is_over(self, player: str) -> bool:
        """Whether a player was deleted of late."""
        return self.recent.get(player, NOTHING).generation == OVER

    async def holds(self, session: Session) -> bool:
        """Whether a cookie has not ended."""
        if not session.player:
            return True
        return session.generation >= (await self.of(session.player)).generation

    async def is_banned(self, player: str) -> bool:
        return bool(player) and (await self.of(player)).banned

    async def _rows(self, which: Any) -> dict[str, Known]:
        c = tables.standing.c
        query = sa.select(c.player, c.generation, c.banned, c.at).where(which)
        return {row[0]: Known(*row[1:]) for row in await self.store.rows(query)}

    def _learn(self, before: dict[str, Known], found: dict[str, Known]) -> None:
        for player, known in found.items():
            self.last = max(self.last, known.at)
            if player in self.known and known.at >= self.known[player].at:
                self.known[player] = known
            if before.get(player) != known:
                for listener in self.listeners:
                    listener(player)


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
