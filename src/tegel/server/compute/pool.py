"""Work that takes long, in processes of its own: never on the event loop.

There is a pool for each purpose (bots, facts, searches, lines, reports), so that none waits for
another. A
process has one task at a time: one that dies over its task, or is stuck, costs that process and
that answer, and nobody else's. Processes begin with the first task, and one to spare; whoever
used one last leaves it to the next, so that a quiet server has few."""

import asyncio
import logging
import multiprocessing
import time
from collections.abc import AsyncIterator, Callable
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import asynccontextmanager
from typing import Any, TypeVar, TypeVarTuple

from tegel.game import Move, State
from tegel.place.ports import LIMIT, Broken
from tegel.place.tasks import tasks
from tegel.room.refused import Refused
from tegel.server import metrics
from tegel.server.compute import process
from tegel.server.compute.turns import Turns

logger = logging.getLogger("tegel.pool")
T = TypeVar("T")
Ts = TypeVarTuple("Ts")
PATIENCE = 8.0  # seconds that a bot's move may take, waiting and thinking, under any load
HASTE = 0.5  # seconds that a bot thinks outside of a process of its own
WAITING = 64  # tasks of one payer that may wait
# A process that has no memory left fails in many ways: modules can't be loaded, for one.
FATAL = (BrokenProcessPool, MemoryError, ImportError)
# spawn: forking a process that has threads and sockets open is asking for trouble
SPAWN = multiprocessing.get_context("spawn")


class Slot:
    """One process, begun with its first task, and anew after one that went wrong."""

    def __init__(self, shared: Any, nice: int) -> None:
        self.shared, self.nice = shared, nice
        self.process: ProcessPoolExecutor | None = None

    async def run(self, limit: float, task: Callable[[*Ts], T], *args: *Ts) -> T:
        future, broken = asyncio.wrap_future(self.begin(task, *args)), True
        try:
            if not (await asyncio.wait({future}, timeout=limit))[0]:
                logger.error("work took over %s s: %s", limit, task)
                raise Broken
            broken = isinstance(future.exception(), FATAL)
            return future.result()
        except FATAL:
            logger.warning("a process died over %s", task)
            raise Broken from None
        finally:
            if broken:
                future.cancel()
                self.end()

    def begin(self, task: Callable[[*Ts], T], *args: *Ts) -> Future[T]:
        """What a task will give; a process that died while it was idle is no matter."""
        if self.process:
            try:
                return self.process.submit(task, *args)
            except BrokenProcessPool:
                self.end()
        self.process = ProcessPoolExecutor(
            1, SPAWN, initializer=process.settle_down, initargs=(self.shared, self.nice)
        )
        return self.process.submit(task, *args)

    def end(self) -> None:
        """Kill the process, whatever it does."""
        if self.process:
            running = list((self.process._processes or {}).values())  # no public way to them
            self.process.shutdown(wait=False, cancel_futures=True)
            for process in running:
                process.kill()
            self.process = None


class Pool:
    """`size` processes, of which one **payer** has at most `each`; payers take turns, and of
    one at most so many tasks wait. `nice`: how much they give way to everything else; `party`:
    which payers count as one."""

    def __init__(
        self,
        size: int,
        each: int = 0,
        waiting: float = WAITING,
        shared: Any = None,
        nice: int = process.NICE,
        party: Callable[[str], str] = str,
    ) -> None:
        self.size = size
        self.turns = Turns(size, each or size, waiting, party)
        self.slots = [Slot(shared, nice) for _ in range(size)]
        self.idle = self.slots.copy()  # the last used is the next

    @property
    def busy(self) -> int:
        """How many tasks run or wait."""
        return self.turns.count

    @property
    def crowded(self) -> bool:
        """Whether a task waits that could run if another gave way."""
        return self.turns.waits

    async def run(
        self, task: Callable[[*Ts], T], *args: *Ts, payer: str, limit: float = LIMIT
    ) -> T:
        """What a function gives, computed elsewhere; raises Broken if it did not end well."""
        async with self.turns.turn(payer):
            return await self._do(limit, task, *args)

    async def timed(
        self, task: Callable[[*Ts], T], *args: *Ts, payer: str, limit: float = LIMIT
    ) -> tuple[T, float]:
        """What a function gives, and the seconds of a processor that it took."""
        return await self.run(process.timed, task, *args, payer=payer, limit=limit)

    async def in_turn(self, task: Callable[[*Ts, float], T], *args: *Ts, payer: str) -> T:
        """What a function finds out that may think for some seconds, its last argument. When
        many wait, each thinks less, so that nobody waits over ten seconds."""
        start = time.monotonic()
        async with self.turns.turn(payer):
            rest = PATIENCE - (time.monotonic() - start)
            share = rest * self.size / self.turns.count  # an equal part for all who wait
            return await self._do(LIMIT, task, *args, max(0.02, min(rest, share)))

    async def thought(self, state: State[Move], level: int, seed: int, payer: str) -> str:
        """The move a bot of a level chooses. If its process dies, of hunger for memory say, or it
        fails, a weaker bot chooses, which needs less; at last the weakest, here."""
        start = time.monotonic()
        metrics.WAITING.set(self.turns.count + 1)
        try:
            while level:
                try:
                    return await self.in_turn(tasks.thought, state, level, seed, payer=payer)
                except Broken:
                    logger.warning("a bot of level %d broke off: %d is next", level, level // 2)
                except Refused:
                    raise  # too much was asked for, which a weaker one would not mend
                except Exception:
                    logger.exception("a bot of level %d failed: %d is next", level, level // 2)
                level //= 2
            return await asyncio.to_thread(tasks.thought, state, 1, seed, HASTE)
        finally:
            metrics.WAITING.set(self.turns.count)
            metrics.THINK.observe(time.monotonic() - start)

    @asynccontextmanager
    async def held(self, payer: str) -> AsyncIterator[Slot]:
        """A process for several tasks, one after another, which may leave something there for
        the next."""
        async with self.turns.turn(payer):
            slot = self._taken()
            try:
                yield slot
            finally:
                self.idle.append(slot)

    async def _do(self, limit: float, task: Callable[[*Ts], T], *args: *Ts) -> T:
        slot = self._taken()
        try:
            return await slot.run(limit, task, *args)
        finally:
            self.idle.append(slot)

    def _taken(self) -> Slot:
        slot = self.idle.pop()
        if self.idle and not any(spare.process for spare in self.idle):
            self.idle[-1].begin(int)  # so that the next need not wait for its process
        return slot

    def close(self) -> None:
        for slot in self.slots:
            slot.end()
