"""Which workers are alive, and when none was.

Every worker writes a beat every two seconds. Whoever beats first after a silence writes
down the **outage**: bank clocks do not run in it. A laptop that slept is silent too. Beats also
keep the time of all workers the same: see `SteadyClock`."""

import asyncio
import logging
import time

import sqlalchemy as sa

from tegel.place.ports import AWAY
from tegel.place.steady_clock import SILENCE, SteadyClock
from tegel.room.clock import DAY
from tegel.room.stopwatch import Outages
from tegel.server import metrics
from tegel.server.storage import tables
from tegel.server.storage.database import Database

logger = logging.getLogger("tegel.heartbeat")
BEAT = 2.0  # seconds
TRIES = 4


class Heartbeat:
    def __init__(self, store: Database, worker: str, clock: SteadyClock | None = None) -> None:
        self.store, self.worker, self.now = store, worker, clock or SteadyClock()
        self.beaten = 0
        self.alive: list[str] = [worker]
        self.beats: dict[str, int] = {}
        self.outages: Outages = ()

    async def begin(self) -> None:
        """The first beat. A file has one server at a time, so any silence counts there; and
        time goes on after the last thing that was written, whatever the wall clock says."""
        touched = await self.store.rows(sa.select(sa.func.max(tables.rooms.c.touched)))
        self.now.forward(touched[0][0] or 0)
        await self.beat(0 if self.store.sqlite else SILENCE)

    async def beat(self, silence: int = SILENCE) -> None:
        await self.look()
        now, c = self.now(), tables.workers.c

        def job(connection: sa.Connection) -> int | None:
            last: int | None = connection.execute(sa.select(sa.func.max(c.beat))).scalar()
            if last is not None and now - last > silence:
                values = {"start": last, "end": now}
                connection.execute(self.store.upsert(tables.outages, **values))
            if silence == 0:  # the others are gone
                connection.execute(sa.delete(tables.workers))
            connection.execute(self.store.upsert(tables.workers, id=self.worker, beat=now))
            connection.execute(sa.delete(tables.workers).where(c.beat < now - DAY))
            return last

        last = await self.store.write(job)
        if last is not None and now - last > silence:
            logger.info("nobody served for %.1f s", (now - last) / 1000)
        await self.look()
        self.outages = await self.store.outages()
        self.beaten = max(self.beaten, now)  # only now: `fresh` goes by it

    async def look(self) -> None:
        """Learn which workers there are, and what time it is for them."""
        self.beats = {row.id: row.beat for row in await self.store.rows(sa.select(tables.workers))}
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
            start = time.monotonic()
            await asyncio.sleep(BEAT)
            metrics.LAG.set(max(0.0, time.monotonic() - start - BEAT))
            try:
                await self.beat()
            except AWAY as away:
                logger.error("no beat: storage is away: %s", away)
            except Exception:
                logger.exception("no beat")
