"""The processes of a worker, by purpose; and the puzzles of days, which those for facts find."""

import asyncio
from collections.abc import Callable
from datetime import date
from math import inf
from typing import TypeVar, TypeVarTuple

from cachetools import LRUCache

from tegel.game import BadNotation
from tegel.place.tasks import tasks
from tegel.server.compute.pool import Pool
from tegel.server.compute.solvers import Solvers
from tegel.solver.daily import dated, keep, kept

T = TypeVar("T")
Ts = TypeVarTuple("Ts")
FACTS = 2  # processes, of which one payer has one
LATER = 10  # how much analyses give way: bots and facts come first
DAYS = 1000  # of which is kept how hard they are


class Pools:
    def __init__(self, bots: int, analyses: int, party: Callable[[str], str] = str) -> None:
        """`party`: which payers count as one, for they take turns."""
        # One for every room: they are limited themselves.
        self.bots = Pool(bots, waiting=inf, party=party)
        self.facts = Pool(FACTS, each=FACTS - 1, party=party)  # positions, pictures, long logs ...
        self.solvers = Solvers(bots, party)  # hints and solutions
        self.lines = Pool(analyses, each=1, nice=LATER, party=party)  # live lines of studies
        self.reports = Pool(analyses, nice=LATER, party=party)  # on whole games
        self.stars = LRUCache[date, int](DAYS)

    async def day(self, day: date, payer: str) -> int:
        """How hard the puzzle of a day is; from now on it is at hand here."""
        if day not in self.stars or not kept(day):
            puzzle, stars = await self.facts.run(tasks.day, day, payer=payer)
            keep(day, puzzle)
            self.stars[day] = stars
        return self.stars[day]

    async def aside(self, task: Callable[[*Ts], T], *args: *Ts) -> T:
        """What a task returns, computed in a thread: for what must be done even if the processes
        can't."""
        return await asyncio.to_thread(task, *args)

    async def prepare(self, variant: str, payer: str) -> None:
        """See to it that a game can be begun at once, also one that has to be found first."""
        try:
            day = dated(variant)
        except BadNotation:
            return  # whoever begins the game says so
        if day and not kept(day):
            await self.day(day, payer)

    def close(self) -> None:
        for pool in (self.bots, self.facts, self.solvers, self.lines, self.reports):
            pool.close()
