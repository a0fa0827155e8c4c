"""The database: one connection that writes, some that read.

An **append** writes the next rows of a room; the key (room, seq) lets one writer win. One
task commits all appends that wait in one transaction, and then tells them: what was told
is on disk. A transaction is a plain function of a connection: on SQLite it runs in a
thread of its own, on PostgreSQL over the asynchronous driver."""

import asyncio
import logging
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import IntegrityError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from tegel.place.ports import KeyTaken, StorageAway
from tegel.place.rooms.append import Append
from tegel.server import metrics
from tegel.server.storage.transaction import Job, transaction

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
OURS = ("0A", "22", "23", "42")
"""How the states of PostgreSQL begin that say that we asked for something wrong. All others say
that it can't just now: no connection, a full disk or no memory, a copy that only reads, two who
wait for each other, stopping or starting, an error of the system."""
PATIENCE = 5.0  # seconds that PostgreSQL has for one statement, and for a connection


class Database:
    def __init__(self, url: str) -> None:
        self.exclusive = self.sqlite = url.startswith("sqlite")  # a file has one server at a time
        self.reader = _reader(url)
        self.writer: sa.Engine | AsyncEngine = _file_writer(url) if self.sqlite else _writer(url)
        self.thread = ThreadPoolExecutor(1, "writer")
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
        if isinstance(self.writer, AsyncEngine):
            await self.writer.dispose()
        else:
            await asyncio.get_running_loop().run_in_executor(self.thread, self.writer.dispose)
        self.thread.shutdown()
        await self.reader.dispose()

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
                start = time.monotonic()
                await self._write(batch)
                rest = start + min(PAUSE + EACH * len(batch), LONGEST) - time.monotonic()
                if rest > 0 and not self.closing:
                    await asyncio.sleep(rest)

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

    async def _commit(self, appends: Sequence[Append], jobs: Sequence[Job]) -> list[Any]:
        writer = self.writer
        if isinstance(writer, AsyncEngine):
            async with writer.begin() as connection:
                return await connection.run_sync(transaction, appends, jobs)

        def commit() -> list[Any]:
            with writer.begin() as connection:
                return transaction(connection, appends, jobs)

        return await asyncio.get_running_loop().run_in_executor(self.thread, commit)

    # Reading

    async def rows(self, query: Any) -> Sequence[Any]:
        """What a query finds. If whoever asked goes away meanwhile, it is still read to the
        end: a connection that is left in the middle of an answer is lost."""
        try:
            return await asyncio.shield(self._rows(query))
        except AWAY as away:
            raise _translated(away) from away

    async def _rows(self, query: Any) -> Sequence[Any]:
        async with self.reader.connect() as connection:
            found: Sequence[Any] = (await connection.execute(query)).all()
            return found

    async def change(self, statement: Any) -> None:
        """Write one statement."""
        await self.write(lambda connection: connection.execute(statement))

    def upsert(self, table: sa.Table, **values: Any) -> Any:
        """Insert a row, or change the one with its key."""
        dialect = sqlite if self.sqlite else postgresql
        keys = [column.name for column in table.primary_key]
        change = {key: value for key, value in values.items() if key not in keys}
        insert = dialect.insert(table).values(**values)
        if not change:
            return insert.on_conflict_do_nothing(index_elements=keys)
        return insert.on_conflict_do_update(index_elements=keys, set_=change)


_WAITING: dict[str, Any] = {
    "pool_pre_ping": True,
    "pool_timeout": PATIENCE,
    "connect_args": {"timeout": PATIENCE, "command_timeout": PATIENCE},
}


def _reader(url: str) -> AsyncEngine:
    """Connections that read, without transactions."""
    if not url.startswith("sqlite"):
        reader = create_async_engine(
            url, pool_size=4, max_overflow=4, isolation_level="AUTOCOMMIT", **_WAITING
        )
        sa.event.listen(reader.sync_engine, "handle_error", _sort)
        return reader
    reader = create_async_engine(url, pool_size=3, max_overflow=0, isolation_level="AUTOCOMMIT")
    sa.event.listen(reader.sync_engine, "connect", _pragmas)
    return reader


def _writer(url: str) -> AsyncEngine:
    writer = create_async_engine(url, pool_size=1, max_overflow=0, **_WAITING)
    sa.event.listen(writer.sync_engine, "handle_error", _sort)
    return writer


def _sort(context: sa.ExceptionContext) -> Exception | None:
    """Let what says that PostgreSQL is away be one of AWAY; the driver makes no difference. A
    connection on which it did not answer in time is given up."""
    error = context.original_exception
    if isinstance(error, TimeoutError):
        context.is_disconnect = True
    elif not (state := getattr(error, "sqlstate", None)) or state.startswith(OURS):
        return None
    gone = context.is_disconnect
    return OperationalError(context.statement, None, error, connection_invalidated=gone)


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


def _file_writer(url: str) -> sa.Engine:
    """One connection to the file that writes. The asynchronous driver would go back to the
    event loop for every statement: under load each of them then waits for all rooms."""
    writer = sa.create_engine(url.replace("+aiosqlite", ""), pool_size=1, max_overflow=0)
    sa.event.listen(writer, "connect", _pragmas)
    sa.event.listen(writer, "connect", _owntransactions)
    sa.event.listen(writer, "begin", _begin)
    return writer


def _pragmas(connection: Any, _: Any) -> None:
    cursor = connection.cursor()
    for pragma in ("busy_timeout=10000", "journal_mode=WAL", "synchronous=FULL"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _owntransactions(connection: Any, _: Any) -> None:
    connection.isolation_level = None  # the driver begins none, so that _begin can


def _begin(connection: sa.Connection) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE")


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
