"""Which workers are alive, and when none was, as rows."""

from collections.abc import Mapping

import sqlalchemy as sa

from tegel.room.clock import DAY
from tegel.room.stopwatch import Outages, apart
from tegel.server.storage import tables
from tegel.server.storage.storage import Storage


class SqlHeartbeat:
    def __init__(self, database: Storage) -> None:
        self.database = database

    @property
    def exclusive(self) -> bool:
        return self.database.exclusive

    async def last_written(self) -> int:
        found = await self.database.rows(sa.select(sa.func.max(tables.rooms.c.touched)))
        return found[0][0] or 0

    async def beat(self, worker: str, now: int, silence: int) -> int | None:
        c = tables.workers.c

        def job(connection: sa.Connection) -> int | None:
            last: int | None = connection.execute(sa.select(sa.func.max(c.beat))).scalar()
            if last is not None and now - last > silence:
                written = connection.scalar(sa.select(sa.func.max(tables.rooms.c.touched)))
                last = max(last, written or 0)  # somebody served then, whoever did not beat
            if last is not None and now - last > silence:
                values = {"start": last, "end": now}
                connection.execute(self.database.upsert(tables.outages, **values))
            if silence == 0:
                connection.execute(sa.delete(tables.workers))
            connection.execute(self.database.upsert(tables.workers, id=worker, beat=now))
            connection.execute(sa.delete(tables.workers).where(c.beat < now - DAY))
            return last

        return await self.database.write(job)

    async def beats(self) -> Mapping[str, int]:
        return {row.id: row.beat for row in await self.database.rows(sa.select(tables.workers))}

    async def last_beat(self, worker: str, now: int) -> None:
        """Note until when a worker was here, which stops."""
        await self.database.change(self.database.upsert(tables.workers, id=worker, beat=now))

    async def outages(self) -> Outages:
        c = tables.outages.c
        found = await self.database.rows(sa.select(c.start, c.end))
        return apart((start, end) for start, end in found)
