"""The workers of a run. One that crashes drops all it was doing; it comes back empty, with what is
stored. Who asks a worker that is gone gets no answer, and asks another."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from contextvars import copy_context
from dataclasses import dataclass, field
from itertools import count
from random import Random
from typing import Any, TypeVar

import sqlalchemy as sa

from tegel.place.limits.limits import Limits
from tegel.place.ports import AWAY
from tegel.place.rooms import room_row
from tegel.room.refused import Refused
from tegel.room.setup import Setup
from tegel.server.ports import Ports
from tegel.server.settings import Settings
from tegel.server.storage import tables
from tegel.server.worker import Worker

from .faults import Faults
from .loop import HOST, VirtualLoop, on
from .ports import Posts, SimBus, SimClock, SimMeter, SimPush, SimWork, Wire
from .store import Disk, SimStorage

T = TypeVar("T")
PATIENCE = 6.0  # seconds that somebody waits for an answer
PUSH_AFTER = 4.0  # seconds after which somebody who is away is told that it is their turn
GRACE = 15.0  # seconds before an absent player may be replaced


class Away(Exception):
    """No worker answered."""


@dataclass
class Host:
    """A worker's place: who runs there now, if anybody does."""

    number: int
    off: float  # seconds that its wall clock is wrong
    lives: int = 0
    id: str = ""
    worker: Worker | None = None
    clock: SimClock | None = None
    changing: asyncio.Lock = field(default_factory=asyncio.Lock)  # while one starts or stops


@dataclass
class Cluster:
    loop: VirtualLoop
    rng: Random
    faults: Faults
    disk: Disk = field(default_factory=Disk)
    hosts: list[Host] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)  # what may never happen
    log: list[str] = field(default_factory=list)  # what happened, in order
    setups: dict[str, Setup] = field(default_factory=dict)
    numbers: Iterator[int] = field(default_factory=count)

    thoughts: Counter[str] = field(default_factory=Counter)  # moves that bots chose, by payer
    posts: Posts = field(default_factory=Posts)
    dark: list[tuple[float, float]] = field(default_factory=list)  # when no worker ran

    def __post_init__(self) -> None:
        self.wire = Wire(self.rng, self.faults)
        limits = Limits().times(1000)
        self.settings = Settings(
            "sqlite://", "s" * 32, grace=GRACE, limits=limits, push_after=PUSH_AFTER
        )
        self.since = 0.0  # when the last worker went

    def note(self, text: str) -> None:
        self.log.append(f"{self.loop.now:.6f} {text}")

    def setup(self, room: str) -> Setup:
        """How a room begins, which never changes."""
        if room not in self.setups:
            query = sa.select(tables.rooms).where(tables.rooms.c.id == room)
            self.setups[room] = room_row.setup(self.disk.rows(query)[0])
        return self.setups[room]

    # Workers

    async def begin(self, count: int) -> None:
        for number in range(count):
            host = Host(number, self.rng.uniform(-1, 1))
            self.hosts.append(host)
            await self.start(host)

    async def start(self, host: Host) -> None:
        """Start a worker where none runs; if storage is away just then, again."""
        async with host.changing:
            await self._start(host)

    async def _start(self, host: Host) -> None:
        while host.worker is None:
            host.lives += 1
            host.id = f"w{host.number}-{host.lives}"
            try:
                worker = await on(host.id, self._opened(host))
            except AWAY as away:
                self.note(f"{host.id} can't start: {type(away).__name__}")
                self._kill(host.id)
                await asyncio.sleep(1)
            else:
                if not self.serving() and self.loop.now > 1:
                    self.dark.append((self.since, self.loop.now))
                host.worker = worker
                self.note(f"{host.id} serves")

    async def _opened(self, host: Host) -> Worker:
        host.clock = SimClock(self.loop, host.off)
        storage = SimStorage(self.disk, host.clock, self.rng, self.faults)
        bus = SimBus(self.wire, host.id, self.loop)
        work: Any = SimWork(self.rng, self.faults, self.thoughts)
        push = SimPush(self.rng, self.faults, self.posts)
        ports = Ports(host.id, storage, bus, work, host.clock, self.rng, SimMeter(), push)
        worker = Worker(self.settings, ports)
        await worker.open()
        return worker

    def crash(self, host: Host) -> None:
        """The process of a worker is gone, as by kill -9."""
        if host.worker is not None:
            self.note(f"{host.id} crashes")
            host.worker = None
            self.since = self.loop.now
            self._kill(host.id)

    def _kill(self, id: str) -> None:
        self.wire.buses.pop(id, None)
        self.loop.kill(id)

    async def stop(self, host: Host) -> None:
        """A worker stops in an orderly way; nothing of it is left afterwards."""
        async with host.changing:
            await self._stop(host)

    async def _stop(self, host: Host) -> None:
        if (worker := host.worker) is None:
            return
        host.worker, id = None, host.id
        self.note(f"{id} stops")
        with suppress(TimeoutError):
            await on(id, worker.close(), 30)
        self.since = self.loop.now
        self._kill(id)

    def serving(self) -> list[Host]:
        return [host for host in self.hosts if host.worker]

    # Asking

    async def ask(self, host: Host, work: Callable[[Worker], Awaitable[T]]) -> T:
        """What a worker answers; raises Refused as it does, and Away if no answer comes."""
        worker, id = host.worker, host.id
        if worker is None:
            await asyncio.sleep(0.05)
            raise Away(f"{host.number} is down")
        answer: asyncio.Future[T] = self.loop.create_future()
        await asyncio.sleep(self.late())
        if host.worker is not worker:
            raise Away(f"{id} is gone")
        context = copy_context()
        context.run(HOST.set, id)
        asyncio.get_running_loop().create_task(self._serve(worker, work, answer), context=context)
        try:
            found = await asyncio.wait_for(answer, PATIENCE)
        except TimeoutError:
            raise Away(f"{id} does not answer") from None
        await asyncio.sleep(self.late())
        return found

    async def _serve(
        self, worker: Worker, work: Callable[[Worker], Awaitable[T]], answer: asyncio.Future[T]
    ) -> None:
        try:
            found = await work(worker)
        except Refused as refused:
            if not answer.done():
                again = refused.code in ("busy", "rate")
                answer.set_exception(Away(refused.code) if again else refused)
        except AWAY as away:
            if not answer.done():
                answer.set_exception(Away(type(away).__name__))
        except Exception as error:
            self.wrong.append(f"an answer failed: {error!r}")
            if not answer.done():
                answer.set_exception(Away("it failed"))
        else:
            if not answer.done():
                answer.set_result(found)

    def late(self) -> float:
        """Seconds that a message takes to or from a worker."""
        return 0.001 + self.rng.expovariate(50)

    # Trouble

    async def trouble(self, seconds: float) -> None:
        """Let what is drawn for this run go wrong, at some moments within so many seconds."""
        rng, faults = self.rng, self.faults
        often = (
            (self._crash, faults.crashes), (self._restart, faults.restarts),
            (self._blackout, faults.blackouts), (self._bus_down, faults.bus_down),
            (self._jump, faults.clock_jumps),
        )  # fmt: skip
        planned = [(rng.uniform(0, seconds), kind) for kind, times in often for _ in range(times)]
        planned.sort(key=lambda one: one[0])
        begun = self.loop.now
        tasks = []
        for at, kind in planned:
            await asyncio.sleep(max(0.0, begun + at - self.loop.now))
            tasks.append(asyncio.create_task(kind()))
        for task in tasks:
            await task

    async def _crash(self) -> None:
        host = self.rng.choice(self.hosts)
        self.crash(host)
        await asyncio.sleep(self.rng.choice((0.2, 2, 9)))
        await self.start(host)

    async def _restart(self) -> None:
        host = self.rng.choice(self.hosts)
        await self.stop(host)
        await asyncio.sleep(self.rng.uniform(0, 3))
        await self.start(host)

    async def _blackout(self) -> None:
        for host in self.hosts:
            self.crash(host)
        await asyncio.sleep(self.rng.uniform(1, 25))
        for host in self.hosts:
            await self.start(host)

    async def _bus_down(self) -> None:
        self.note("the bus is down")
        self.wire.fall()
        await asyncio.sleep(self.rng.uniform(0.5, 6))
        self.wire.rise()
        self.note("the bus is back")

    async def _jump(self) -> None:
        host = self.rng.choice(self.hosts)
        by = self.rng.choice((-3600.0, -5.0, 2.0, 7.0, 600.0))
        host.off += by
        if host.clock:
            host.clock.off = host.off
        self.note(f"the clock of {host.number} is set by {by:g} s")
