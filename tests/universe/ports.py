"""What a simulated host gives its services: clocks, chance, the bus, long work, counters."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AbstractContextManager, asynccontextmanager, nullcontext
from dataclasses import dataclass, field
from datetime import date
from random import Random
from typing import Any, TypeVar

from tegel.place.bus import Bus, Heard, News
from tegel.place.ports import LIMIT, Broken
from tegel.place.push.device import Device
from tegel.room.refused import Refused

from .faults import Faults
from .loop import VirtualLoop, outside

T = TypeVar("T")
EPOCH = 1_800_000_000_000.0  # milliseconds since 1970 at which a run begins


class SimClock:
    """The clocks of one worker: the one on its wall may be wrong, and is set now and then."""

    def __init__(self, loop: VirtualLoop, off: float = 0.0) -> None:
        self.loop, self.off = loop, off

    def wall(self) -> float:
        return EPOCH + 1000 * (self.loop.now + self.off)

    def monotonic(self) -> float:
        return 100.0 + self.loop.now

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


class Wire:
    """What connects the buses of all workers."""

    def __init__(self, rng: Random, faults: Faults) -> None:
        self.rng, self.faults, self.up = rng, faults, True
        self.buses: dict[str, SimBus] = {}

    def carry(self, channel: str, news: News) -> None:
        """Send news to all who listen, each at its own time."""
        rng, faults = self.rng, self.faults
        for bus in list(self.buses.values()):
            if bus.worker == news.worker or channel not in bus.wanted:
                continue
            if rng.random() < faults.news_lost:
                continue
            late = rng.uniform(0, 3) if rng.random() < faults.news_late else 0.0
            self.deliver(bus, channel, news, 0.0005 + rng.expovariate(1000) + late)
            if rng.random() < faults.news_late / 10:
                self.deliver(bus, channel, news, late + rng.uniform(0, 1))

    def deliver(self, bus: "SimBus", channel: str, news: News, after: float) -> None:
        outside.run(bus.loop.call_later, after, bus.take, channel, news)

    def fall(self) -> None:
        self.up = False
        for bus in self.buses.values():
            bus.healthy = False

    def rise(self) -> None:
        self.up = True
        for bus in self.buses.values():
            bus.back()


class SimBus(Bus):
    """The end of the wire that one worker has. News are heard one after the other."""

    alone = False

    def __init__(self, wire: Wire, worker: str, loop: VirtualLoop) -> None:
        self.wire, self.worker, self.loop = wire, worker, loop
        self.wanted: set[str] = {"all"}
        self.healthy = self.answered = wire.up
        self.inbox: asyncio.Queue[tuple[str, News] | None] = asyncio.Queue()
        self.task: asyncio.Task[None] | None = None

    async def open(self, heard: Heard, missed: Callable[[], Awaitable[None]]) -> None:
        self.heard, self.missed = heard, missed
        self.wire.buses[self.worker] = self
        self.task = asyncio.create_task(self._hear())

    async def close(self) -> None:
        self.wire.buses.pop(self.worker, None)
        if self.task:
            self.task.cancel()

    async def listen(self, channel: str) -> None:
        await asyncio.sleep(self.wire.rng.expovariate(2000))
        self.wanted.add(channel)

    async def leave(self, channel: str) -> None:
        self.wanted.discard(channel)

    def tell(self, channel: str, news: News) -> None:
        if self.healthy:
            self.wire.carry(channel, news)

    def take(self, channel: str, news: News) -> None:
        if self.healthy:
            self.inbox.put_nowait((channel, news))

    def back(self) -> None:
        """The bus is there again: what was missed is read from the store."""
        self.healthy = self.answered = True
        self.inbox.put_nowait(None)

    async def _hear(self) -> None:
        while True:
            told = await self.inbox.get()
            try:
                if told is None:
                    await self.missed()
                else:
                    await self.heard(*told)
            except OSError:
                pass  # storage is away: the sweep reads what was missed


@dataclass
class SimMeter:
    counts: Counter[str] = field(default_factory=Counter)

    def count(self, what: str, label: str = "") -> None:
        self.counts[f"{what} {label}"] += 1

    def gauge(self, _: str, __: float) -> None: ...

    def timed(self, _: str) -> AbstractContextManager[object]:
        return nullcontext()

    def busy(self, _: str) -> AbstractContextManager[None]:
        return nullcontext()


class SimQueue:
    """Long work of one kind: it takes simulated time, and is done for real at its end."""

    size, breaks = 2, True

    def __init__(self, rng: Random, faults: Faults, mean: float) -> None:
        self.rng, self.faults, self.mean = rng, faults, mean
        self.places = asyncio.Semaphore(self.size)
        self.busy = 0

    @property
    def crowded(self) -> bool:
        return self.busy > self.size

    async def run(self, task: Callable[..., T], *args: Any, payer: str, limit: float = LIMIT) -> T:
        del payer, limit
        async with self._place():
            return task(*args)

    async def timed(
        self, task: Callable[..., T], *args: Any, payer: str, limit: float = LIMIT
    ) -> tuple[T, float]:
        return await self.run(task, *args, payer=payer, limit=limit), 0.001

    async def in_turn(self, task: Callable[..., T], *args: Any, payer: str) -> T:
        return await self.run(task, *args, 0.0, payer=payer)

    @asynccontextmanager
    async def _place(self) -> AsyncIterator[None]:
        self.busy += 1
        try:
            async with self.places:
                await asyncio.sleep(self.rng.expovariate(1 / self.mean))
                if self.rng.random() < self.faults.slow_work:
                    await asyncio.sleep(self.rng.uniform(0, 8))
                    if self.breaks and self.rng.random() < 0.5:
                        raise Broken
                yield
        finally:
            self.busy -= 1

    @asynccontextmanager
    async def held(self, payer: str) -> AsyncIterator["SimQueue"]:
        del payer
        yield self


class SimBots(SimQueue):
    """Bots that think for a while and then play one of the legal moves. They always answer: where
    a process dies, a weaker bot does."""

    breaks = False

    def __init__(self, rng: Random, faults: Faults, mean: float, thoughts: Counter[str]) -> None:
        super().__init__(rng, faults, mean)
        self.thoughts = thoughts

    async def thought(self, state: Any, level: int, seed: int, payer: str) -> str:
        del level, seed
        async with self._place():
            self.thoughts[payer] += 1
            return str(self.rng.choice(state.moves()))


@dataclass
class Posts:
    """What push services were asked to show, by device, room and ply."""

    shown: Counter[tuple[str, str, int]] = field(default_factory=Counter)


class SimPush:
    """The push services of all browsers, as one worker reaches them."""

    public_key = "key"

    def __init__(self, rng: Random, faults: Faults, posts: Posts) -> None:
        self.rng, self.faults, self.posts = rng, faults, posts

    def check(self, device: Device) -> None: ...

    async def post(self, device: Device, said: Mapping[str, object], topic: str) -> int:
        await asyncio.sleep(self.rng.expovariate(1))
        if self.rng.random() < self.faults.slow_work:
            return 0
        ply = said["ply"]
        assert isinstance(ply, int)
        self.posts.shown[device.endpoint, topic, ply] += 1
        await asyncio.sleep(self.rng.expovariate(10))
        return 201

    async def close(self) -> None: ...


class NoSolvers:
    async def find(self, *_: Any) -> Any:
        raise Refused("busy", "Nobody searches here.")

    async def advise(self, *_: Any, payer: str) -> Any:
        del payer
        raise Refused("busy", "Nobody searches here.")


class SimWork:
    def __init__(self, rng: Random, faults: Faults, thoughts: Counter[str]) -> None:
        self.bots = SimBots(rng, faults, 0.4, thoughts)
        self.facts = SimQueue(rng, faults, 0.01)
        self.lines = SimQueue(rng, faults, 0.2)
        self.reports = SimQueue(rng, faults, 0.2)
        self.solvers = NoSolvers()

    async def aside(self, task: Callable[..., T], *args: Any) -> T:
        await asyncio.sleep(0.01)
        return task(*args)

    async def day(self, day: date, payer: str) -> int:
        del day, payer
        raise Refused("busy", "There are no puzzles here.")

    async def prepare(self, variant: str, payer: str) -> None:
        del variant, payer

    def close(self) -> None: ...
