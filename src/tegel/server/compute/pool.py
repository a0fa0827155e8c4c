"""Work that takes long, in processes of its own: bots that think, and facts that a game
takes its time for. Never on the event loop.

Bots share `size` processes, in the order in which their rooms came; facts have one more,
so that they need not wait for bots. When many bots wait, each thinks less: nobody waits
over ten seconds."""

import asyncio
import logging
import multiprocessing
import random
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any, TypeVar

from tegel.game import State
from tegel.server import metrics
from tegel.server.compute import tasks

logger = logging.getLogger("tegel.pool")
T = TypeVar("T")
PATIENCE = 8.0  # seconds that a bot's move may take, waiting and thinking, under any load
LIMIT = 30.0  # seconds after which something is wrong with a process


class Pool:
    def __init__(self, size: int) -> None:
        self.size = size
        self.waiting = 0
        self.turns = asyncio.Semaphore(size)
        self.processes = self._started()

    def _started(self) -> ProcessPoolExecutor:
        # spawn: forking a process that has threads and sockets open is asking for trouble
        context = multiprocessing.get_context("spawn")
        return ProcessPoolExecutor(self.size + 1, context, initializer=tasks.settle_down)

    async def run(self, task: Callable[..., T], *args: Any) -> T:
        """What a function gives, computed elsewhere. If a process dies it is tried again."""
        for _ in range(2):
            processes = self.processes
            try:
                future = processes.submit(task, *args)
                return await asyncio.wait_for(asyncio.wrap_future(future), LIMIT)
            except BrokenProcessPool:
                logger.warning("a process of the pool died")
                self._renew(processes)
            except TimeoutError:
                logger.error("work took over %s s: %s", LIMIT, task)
                self._renew(processes)
                break
        raise RuntimeError("the pool could not do the work")

    def _renew(self, broken: ProcessPoolExecutor) -> None:
        if self.processes is broken:
            self.processes = self._started()
            killed(broken)

    async def thought(self, state: State[Any], level: int) -> str:
        """The move a bot of a level chooses."""
        try:
            return await self.in_turn(tasks.thought, state, level)
        except RuntimeError:
            return str(random.choice(state.moves()))

    async def in_turn(self, task: Callable[..., T], *args: Any) -> T:
        """What a function finds out in a bot's turn; its last argument is for how many
        seconds it may think."""
        start = time.monotonic()
        self.waiting += 1
        metrics.WAITING.set(self.waiting)
        try:
            async with self.turns:
                rest = PATIENCE - (time.monotonic() - start)
                share = rest * self.size / self.waiting  # an equal part for all who wait
                return await self.run(task, *args, max(0.02, min(rest, share)))
        finally:
            self.waiting -= 1
            metrics.WAITING.set(self.waiting)
            metrics.THINK.observe(time.monotonic() - start)

    def close(self) -> None:
        killed(self.processes)


def killed(processes: ProcessPoolExecutor) -> None:
    running = list((processes._processes or {}).values())  # there is no public way to them
    processes.shutdown(wait=False, cancel_futures=True)
    for process in running:
        process.kill()
