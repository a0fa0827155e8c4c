"""The store of a run: the SQL that a server uses, on a SQLite database in memory that all workers
share. Every transaction and every query is done at one moment of virtual time; it may come late,
fail at one of its statements, or succeed and lose its answer."""

import asyncio
import sqlite3
from collections.abc import Sequence
from random import Random
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import OperationalError
from sqlalchemy.pool import StaticPool

from tegel.place.ports import Clock
from tegel.place.rooms.append import Append
from tegel.server.storage import tables
from tegel.server.storage.storage import Storage
from tegel.server.storage.transaction import Job, transaction

from .faults import Faults


class Disk:
    """What is stored, whoever runs."""

    def __init__(self) -> None:
        self.left: int | None = None  # statements until one fails
        self.file = sqlite3.connect(":memory:", check_same_thread=False, isolation_level=None)
        for pragma in ("synchronous=OFF", "journal_mode=MEMORY"):
            self.file.execute(f"PRAGMA {pragma}")
        self.engine = self._engine()
        sa.event.listen(self.engine, "begin", lambda c: c.exec_driver_sql("BEGIN"))
        sa.event.listen(self.engine, "before_cursor_execute", self._statement)
        tables.metadata.create_all(self.engine, checkfirst=False)
        self.reader = self._engine().connect()  # begins no transactions

    def _engine(self) -> sa.Engine:
        return sa.create_engine("sqlite://", poolclass=StaticPool, creator=lambda: self.file)

    def rows(self, query: Any) -> Sequence[Any]:
        found: Sequence[Any] = self.reader.execute(query).all()
        return found

    def _statement(self, *_: Any) -> None:
        if self.left is not None:
            self.left -= 1
            if self.left < 0:
                raise OperationalError(None, None, sqlite3.OperationalError("refused"))

    def close(self) -> None:
        self.reader.close()
        self.file.close()


class SimStorage(Storage):
    """The store as one worker sees it."""

    def __init__(self, disk: Disk, clock: Clock, rng: Random, faults: Faults) -> None:
        super().__init__(clock, is_sqlite=True, exclusive=False)
        self.disk, self.rng, self.faults = disk, rng, faults

    async def _commit(self, appends: Sequence[Append], jobs: Sequence[Job]) -> list[Any]:
        await self._delay()
        rng, faults = self.rng, self.faults
        self.disk.left = rng.randrange(12) if rng.random() < faults.commit_refused else None
        try:
            with self.disk.engine.begin() as connection:
                values = transaction(connection, appends, jobs)
        finally:
            self.disk.left = None
        if rng.random() < faults.commit_lost:
            await self._delay()
            raise _lost("the connection was lost after the commit")
        await asyncio.sleep(rng.expovariate(2000))
        return values

    async def _read(self, query: Any) -> Sequence[Any]:
        await self._delay()
        if self.rng.random() < self.faults.read_fails:
            raise _lost("the connection was lost")
        found = self.disk.rows(query)
        await asyncio.sleep(self.rng.expovariate(4000))
        return found

    async def _delay(self) -> None:
        """What a statement takes until it is done."""
        rng = self.rng
        hangs = rng.random() < self.faults.store_hangs
        await asyncio.sleep(rng.uniform(0.5, 6) if hangs else rng.expovariate(1500))


def _lost(text: str) -> OperationalError:
    return OperationalError(None, None, ConnectionError(text), connection_invalidated=True)
