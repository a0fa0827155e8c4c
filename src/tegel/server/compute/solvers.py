"""Searches for which someone waits: hints and solutions take seconds. An address has one at a
time, and there are always two processes: one address alone keeps nobody waiting. Whoever goes
away, or asks again, ends his."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar, TypeVarTuple

from tegel.game import Move, State
from tegel.room.refused import Refused
from tegel.server.compute.pool import SPAWN, Pool

T = TypeVar("T")
Ts = TypeVarTuple("Ts")
MOST = 256  # searches that run or wait at once
LOOK = 0.1  # seconds between looks whether someone still waits
SLACK = 20.0  # seconds over its time after which something is wrong with a search


class Solvers:
    def __init__(self, size: int, party: Callable[[str], str] = str) -> None:
        self.stops = SPAWN.Array("b", MOST, lock=False)
        self.free = list(range(MOST))
        self.searches: dict[str, int] = {}  # by table
        self.pool = Pool(max(2, size), each=1, shared=self.stops, party=party)

    async def find(
        self,
        table: str,
        payer: str,
        gone: Callable[[], Awaitable[bool]],
        search: Callable[[str, State[Move], float, int], T],
        game: str,
        state: State[Move],
        seconds: float,
    ) -> T:
        """What a search gives; raises Refused if nobody waits for it any more."""
        with self._numbered(table) as number:
            work = asyncio.ensure_future(
                self.pool.run(
                    search, game, state, seconds, number, payer=payer, limit=seconds + SLACK
                )
            )
            try:
                while not work.done():
                    await asyncio.wait({work}, timeout=LOOK)
                    if await gone():
                        self.stops[number] = 1  # if it has not begun, it ends at once then
            finally:
                work.cancel()
            found = work.result()
            if self.stops[number]:
                raise Refused("stopped", "The search was given up.")
            return found

    async def advise(self, search: Callable[[*Ts, float], T], *args: *Ts, payer: str) -> T:
        """What a search gives that may think for some seconds, its last argument."""
        return await self.pool.in_turn(search, *args, payer=payer)

    @contextmanager
    def _numbered(self, table: str) -> Iterator[int]:
        """A number for a search at a table, where it ends the one before."""
        if not self.free:
            raise Refused("busy", "Too many searches are on: please try again.")
        if table in self.searches:
            self.stops[self.searches[table]] = 1
        number = self.searches[table] = self.free.pop()
        self.stops[number] = 0
        try:
            yield number
        finally:
            self.free.append(number)
            if self.searches.get(table) == number:
                del self.searches[table]

    def close(self) -> None:
        self.pool.close()
