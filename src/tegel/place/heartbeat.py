"""Which workers are alive, and when none was.

Every worker writes a beat every two seconds. Whoever beats first after a silence writes
down the **outage**: bank clocks do not run in it. A laptop that slept is silent too. Beats also
keep the time of all workers the same: see `SteadyClock`."""

import logging
from collections.abc import Mapping
from typing import Protocol

from tegel.place.ports import AWAY, Clock, Meter
from tegel.place.steady_clock import SILENCE, SteadyClock
from tegel.room.stopwatch import Outages

logger = logging.getLogger("tegel.heartbeat")
BEAT = 2.0  # seconds
TRIES = 4


class HeartbeatStore(Protocol):
    @property
    def exclusive(self) -> bool:
        """Whether storage has one server at a time, as a file does."""

    async def last_written(self) -> int:
        """When anything was last written in a room; 0: never."""

    async def beat(self, worker: str, now: int, silence: int) -> int | None:
        """Note that a worker is alive, and the outage before it, if nobody beat for longer than
        `silence`; when somebody last did. A silence of 0: all other workers are gone."""

    async def beats(self) -> Mapping[str, int]:
        """When each worker last beat."""

    async def outages(self) -> Outages: ...

    async def last_beat(self, worker: str, now: int) -> None:
        """Note that a worker is alive for the last time."""


class Heartbeat:
    def __init__(self, store: HeartbeatStore, worker: str, clock: Clock, meter: Meter) -> None:
        self.store, self.worker, self.clock, self.meter = store, worker, clock, meter
        self.now = SteadyClock(clock)
        self.beaten = 0
        self.alive: list[str] = [worker]
        self.beats: Mapping[str, int] = {}
        self.outages: Outages = ()

    async def begin(self) -> None:
        """The first beat. A file has one server at a time, so any silence counts there; and
        time goes on after the last thing that was written, whatever the wall clock says."""
        self.now.forward(await self.store.last_written())
        await self.beat(0 if self.store.exclusive else SILENCE)

    async def beat(self, silence: int = SILENCE) -> None:
        await self.look()
        now = self.now()
        last = await self.store.beat(self.worker, now, silence)
        if last is not None and now - last > silence:
            logger.info("nobody served for %.1f s", (now - last) / 1000)
        await self.look()
        self.outages = await self.store.outages()
        self.beaten = max(self.beaten, now)  # only now: `fresh` goes by it

    async def end(self) -> None:
        """The last beat."""
        await self.store.last_beat(self.worker, self.now())

    async def look(self) -> None:
        """Learn which workers there are, and what time it is for them."""
        self.beats = await self.store.beats()
        self.now.forward(max(self.beats.values(), default=0))
        self.alive = [id for id, beat in self.beats.items() if self.now() - beat <= SILENCE]

    async def fresh(self) -> int:
        """The time, once it is known whether there was an outage before it; also if the clock
        is set, or much time passes, while that is asked."""
        for _ in range(TRIES):
            if (now := self.now()) - self.beaten <= SILENCE:
                return now
            await self.beat()
        raise TimeoutError("the database takes too long for a beat")

    async def beat_forever(self) -> None:
        while True:
            start = self.clock.monotonic()
            await self.clock.sleep(BEAT)
            self.meter.gauge("loop_lag_seconds", max(0.0, self.clock.monotonic() - start - BEAT))
            try:
                await self.beat()
            except AWAY as away:
                logger.error("no beat: storage is away: %s", away)
            except Exception:
                logger.exception("no beat")
