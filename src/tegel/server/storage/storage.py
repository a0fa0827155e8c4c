"""Storage: one writer that batches, and readers.

An **append** writes the next rows of a room; the key (room, seq) lets one writer win. One task
commits all appends that wait in one transaction, and acknowledges them after that: what is
acknowledged is on disk. How a transaction is committed, and how a query is read, a subclass says:
`Database` for SQLite and PostgreSQL, and the simulation's."""

import asyncio
import logging
from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from tegel.place.ports import Clock, KeyTaken, StorageAway
from tegel.place.rooms.append import Append
from tegel.server import metrics
from tegel.server.storage.dialect import insert_into, upserted
from tegel.server.storage.transaction import Job

logger = logging.getLogger("tegel.store")
T = TypeVar("T")
MOST_TOGETHER = 256  # appends in one transaction
PAUSE, EACH, LONGEST = 0.004, 0.0005, 0.02
"""Seconds from the beginning of a transaction to that of the next: so many, more for each of its
writes, but not over the last. Whoever comes alone does not wait; many a second share their
transactions, which cost more than what is in them, the more so the busier it is: the writer's
thread then has to take the interpreter from the event loop's for each statement."""
AWAY = (OperationalError, InterfaceError, PoolTimeout, OSError)
"""What the drivers raise while storage is away, or takes too long. Services get a StorageAway."""


class Storage:
    def __init__(self, clock: Clock, *, is_sqlite: bool, exclusive: bool) -> None:
        """`exclusive`: it has one server at a time, as a file does."""
        self.clock, self.sqlite, self.exclusive = clock, is_sqlite, exclusive
        self.waiting: list[tuple[Append | Job, asyncio.Future[Any]]] = []
        self.wake = asyncio.Event()
        self.task: asyncio.Task[None] | None = None
        self.closing = False

    async def open(self) -> None:
        self.task = asyncio.create_task(self._write_forever())

    async def close(self) -> None:
        """Write what waits, then let go."""
        self.closing = True
        self.wake.set()
        if self.task:
            await self.task

    @abstractmethod
    async def _commit(self, appends: Sequence[Append], jobs: Sequence[Job]) -> list[Any]:
        """Write all in one transaction; what the jobs return."""

    @abstractmethod
    async def _read(self, query: sa.Executable) -> Sequence[Any]:
        """What a query finds."""

    # Writing

    def append(self, append: Append) -> asyncio.Future[bool]:
        """Whether the rows are on disk, once that is known; False if other rows have their
        places."""
        return self._begin(append)

    async def write(self, job: Callable[[sa.Connection], T]) -> T:
        """Run a job in the next transaction; what it gives, once that is on disk."""
        done: asyncio.Future[T] = self._begin(job)
        return await done

    def _begin(self, what: Append | Job) -> asyncio.Future[Any]:
        done = asyncio.get_running_loop().create_future()
        self.waiting.append((what, done))
        self.wake.set()
        return done

    async def _write_forever(self) -> None:
        while not (self.closing and not self.waiting):
            await self.wake.wait()
            self.wake.clear()
            while self.waiting:
                batch, self.waiting = self.waiting[:MOST_TOGETHER], self.waiting[MOST_TOGETHER:]
                start = self.clock.monotonic()
                await self._write(batch)
                rest = start + min(PAUSE + EACH * len(batch), LONGEST) - self.clock.monotonic()
                if rest > 0 and not self.closing:
                    await self.clock.sleep(rest)

    async def _write(self, batch: list[tuple[Append | Job, asyncio.Future[Any]]]) -> None:
        """One transaction for all; if it fails, one for each, to learn which fails, unless the
        connection was lost: that would be waited for again and again."""
        appends = [item for item, _ in batch if isinstance(item, Append)]
        jobs = [item for item, _ in batch if not isinstance(item, Append)]
        with metrics.COMMIT.time():
            try:
                values = iter(await self._commit(appends, jobs))
            except Exception as error:
                if len(batch) > 1 and not _lost(error):
                    for item in batch:
                        await self._write([item])
                    return
                for what, done in batch:
                    _fail(what, done, error)
                return
        metrics.BATCH.observe(len(batch))
        for what, done in batch:
            _settle(done, True if isinstance(what, Append) else next(values))

    # Reading

    async def rows(self, query: sa.Executable) -> Sequence[Any]:
        """What a query finds. If whoever asked goes away meanwhile, it is still read to the
        end: a connection that is left in the middle of an answer is lost."""
        try:
            return await asyncio.shield(self._read(query))
        except AWAY as away:
            raise _translated(away) from away

    async def change(self, statement: sa.Executable) -> None:
        """Write one statement."""
        await self.write(lambda connection: connection.execute(statement))

    def insert(self, table: sa.Table) -> Any:
        """An insert that knows `on_conflict_do_nothing` and `on_conflict_do_update`."""
        return insert_into(table, for_sqlite=self.sqlite)

    def upsert(self, table: sa.Table, **values: object) -> Any:
        """Insert a row, or change the one with its key."""
        return upserted(self.insert(table), table, values)


def _translated(error: Exception) -> Exception:
    """What services know an error of a driver by."""
    if isinstance(error, OSError):
        return error
    kind = StorageAway if isinstance(error, AWAY) else KeyTaken
    if not isinstance(error, (*AWAY, IntegrityError)):
        return error
    found = kind(str(error))
    found.__cause__ = error
    return found


def _lost(error: Exception) -> bool:
    return isinstance(error, OSError) or getattr(error, "connection_invalidated", False)


def _fail(what: Append | Job, done: asyncio.Future[Any], error: Exception) -> None:
    if isinstance(what, Append):
        if isinstance(error, IntegrityError):
            _settle(done, False)
            return
        logger.error("append failed", exc_info=not isinstance(error, AWAY) and error)
    _settle(done, error=_translated(error))


def _settle(future: asyncio.Future[Any], value: Any = None, error: Exception | None = None) -> None:
    if future.done():  # whoever waited is gone
        return
    if error:
        future.set_exception(error)
    else:
        future.set_result(value)
