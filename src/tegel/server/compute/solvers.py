"""Searches for which someone waits, in processes of their own: hints and solutions of puzzles
take seconds, and bots must not wait for them. Whoever goes away, or asks again, ends his."""

import asyncio
import multiprocessing
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from typing import Any, TypeVar

from tegel.room.refused import Refused
from tegel.server.compute import tasks
from tegel.server.compute.pool import killed

T = TypeVar("T")
MOST = 64  # searches that run or wait at once
LOOK = 0.1  # seconds between looks whether someone still waits
SLACK = 20.0  # seconds over its time after which something is wrong with a search


class Solvers:
    def __init__(self, size: int) -> None:
        self.size = size
        self.turns = asyncio.Semaphore(size)
        self.context = multiprocessing.get_context("spawn")
        self.stops = self.context.Array("b", MOST, lock=False)
        self.free = list(range(MOST))
        self.searches: dict[str, int] = {}  # by table
        self.processes: ProcessPoolExecutor | None = None  # none until the first search

    async def find(
        self,
        table: str,
        gone: Callable[[], Awaitable[bool]],
        search: Callable[..., T],
        game: str,
        state: Any,
        seconds: float,
    ) -> T:
        """What a search gives; raises Refused if nobody waits for it any more."""
        loop = asyncio.get_running_loop()
        with self._numbered(table) as number:
            async with self.turns:
                processes, end = self._started(), loop.time() + seconds + SLACK
                future = loop.run_in_executor(processes, search, game, state, seconds, number)
                try:
                    while not future.done():
                        await asyncio.wait({future}, timeout=LOOK)
                        if await gone():
                            self.stops[number] = 1
                        if loop.time() > end:
                            raise BrokenProcessPool
                    found = future.result()
                except BrokenProcessPool:
                    self._end(processes)
                    raise Refused("busy", "The search broke off: please try again.") from None
                if self.stops[number]:
                    raise Refused("stopped", "The search was given up.")
                return found

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

    def _started(self) -> ProcessPoolExecutor:
        if self.processes is None:
            self.processes = ProcessPoolExecutor(
                self.size, self.context, initializer=tasks.settle_down, initargs=(self.stops,)
            )
        return self.processes

    def _end(self, processes: ProcessPoolExecutor) -> None:
        if self.processes is processes:
            self.processes = None
            killed(processes)

    def close(self) -> None:
        if self.processes:
            self._end(self.processes)
