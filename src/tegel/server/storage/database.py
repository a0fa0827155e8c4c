"""SQLite and PostgreSQL: one connection that writes, some that read.

A transaction is a plain function of a connection: on SQLite it runs in a thread of its own, on
PostgreSQL over the asynchronous driver."""

import asyncio
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import OperationalError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from tegel.place.rooms.append import Append
from tegel.server.storage.storage import Storage
from tegel.server.storage.transaction import Job, transaction
from tegel.server.world import RealClock

OURS = ("0A", "22", "23", "42")
"""How the states of PostgreSQL begin that say that we asked for something wrong. All others say
that it can't just now: no connection, a full disk or no memory, a copy that only reads, two who
wait for each other, stopping or starting, an error of the system."""
PATIENCE = 5.0  # seconds that PostgreSQL has for one statement, and for a connection


class Database(Storage):
    def __init__(self, url: str) -> None:
        file = url.startswith("sqlite")
        super().__init__(RealClock(), is_sqlite=file, exclusive=file)
        self.reader = _reader(url)
        self.writer: sa.Engine | AsyncEngine = _file_writer(url) if file else _writer(url)
        self.thread = ThreadPoolExecutor(1, "writer")

    async def close(self) -> None:
        await super().close()
        if isinstance(self.writer, AsyncEngine):
            await self.writer.dispose()
        else:
            await asyncio.get_running_loop().run_in_executor(self.thread, self.writer.dispose)
        self.thread.shutdown()
        await self.reader.dispose()

    async def _commit(self, appends: Sequence[Append], jobs: Sequence[Job]) -> list[Any]:
        writer = self.writer
        if isinstance(writer, AsyncEngine):
            async with writer.begin() as connection:
                return await connection.run_sync(transaction, appends, jobs)

        def commit() -> list[Any]:
            with writer.begin() as connection:
                return transaction(connection, appends, jobs)

        return await asyncio.get_running_loop().run_in_executor(self.thread, commit)

    async def _read(self, query: sa.Executable) -> Sequence[Any]:
        async with self.reader.connect() as connection:
            found: Sequence[Any] = (await connection.execute(query)).all()
            return found


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
