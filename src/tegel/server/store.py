"""Storage: the log of every room, and what is looked up besides.

An **append** writes the next rows of a room; the key (room, seq) lets one writer win. One
task commits all appends that wait in one transaction, and then tells them: what was told
is on disk. A transaction is a plain function of a connection: on SQLite it runs in a
thread of its own, on PostgreSQL over the asynchronous driver."""

import asyncio
import json
import logging
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from typing import Any, TypeVar

import msgspec
import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from tegel.record import options
from tegel.server import metrics, tables
from tegel.server.room import Outages, Room, Row, deadline
from tegel.server.setup import Place, Setup, clock

logger = logging.getLogger("tegel.store")
T = TypeVar("T")
Job = Callable[[sa.Connection], Any]
MOST_TOGETHER = 256  # appends in one transaction
LEASE = 20_000  # milliseconds that a worker has for a bot's move
SILENCE = 6000  # milliseconds without a beat, after which a worker is held for dead


@dataclass
class Append:
    """The next rows of a room, and the room after them."""

    rows: Sequence[Row]
    after: Room
    worker: str
    sat: Sequence[str] = ()  # players who have a seat now
    new: bool = False  # the room is made with it
    along: "Append | None" = None  # written in the same transaction, or not at all
    done: asyncio.Future[bool] = field(
        default_factory=lambda: asyncio.get_running_loop().create_future()
    )


class Store:
    def __init__(self, url: str) -> None:
        self.url = url
        self.sqlite = url.startswith("sqlite")
        self.reader = _reader(url)
        self.writer: sa.Engine | AsyncEngine = _file_writer(url) if self.sqlite else _writer(url)
        self.thread = ThreadPoolExecutor(1, "writer")
        self.waiting: list[Append | tuple[Job, asyncio.Future[Any]]] = []
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

    async def append(self, append: Append) -> bool:
        """Whether the rows are on disk now; False if other rows have their places."""
        self.waiting.append(append)
        self.wake.set()
        return await append.done

    async def write(self, job: Callable[[sa.Connection], T]) -> T:
        """Run a job in the next transaction; what it gives, once that is on disk."""
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self.waiting.append((job, done))
        self.wake.set()
        return await done

    async def _write_forever(self) -> None:
        while not (self.closing and not self.waiting):
            await self.wake.wait()
            self.wake.clear()
            while self.waiting:
                batch, self.waiting = self.waiting[:MOST_TOGETHER], self.waiting[MOST_TOGETHER:]
                await self._write(batch)

    async def _write(self, batch: list[Append | tuple[Job, asyncio.Future[Any]]]) -> None:
        """One transaction for all; if it fails, one for each, to learn which fails."""
        appends = [item for item in batch if isinstance(item, Append)]
        jobs = [item for item in batch if not isinstance(item, Append)]
        with metrics.COMMIT.time():
            try:
                values = await self._commit(appends, [job for job, _ in jobs])
            except Exception as error:
                if len(batch) > 1:
                    for item in batch:
                        await self._write([item])
                elif appends:
                    await self._failed(appends[0], error)
                else:
                    _settle(jobs[0][1], error=error)
                return
        metrics.BATCH.observe(len(batch))
        for append in appends:
            _settle(append.done, True)
        for (_, done), value in zip(jobs, values, strict=True):
            _settle(done, value)

    async def _commit(self, appends: Sequence[Append], jobs: Sequence[Job]) -> list[Any]:
        writer = self.writer
        if isinstance(writer, AsyncEngine):
            async with writer.begin() as connection:
                return await connection.run_sync(_transaction, appends, jobs)

        def commit() -> list[Any]:
            with writer.begin() as connection:
                return _transaction(connection, appends, jobs)

        return await asyncio.get_running_loop().run_in_executor(self.thread, commit)

    async def _failed(self, append: Append, error: Exception) -> None:
        if isinstance(error, IntegrityError):
            _settle(append.done, False)
        else:
            logger.error("append failed", exc_info=error)
            _settle(append.done, error=error)

    # Reading

    async def rows(self, query: Any) -> Sequence[Any]:
        async with self.reader.connect() as connection:
            found: Sequence[Any] = (await connection.execute(query)).all()
            return found

    async def setup(self, room: str) -> Setup | None:
        found = await self.rows(sa.select(tables.rooms).where(tables.rooms.c.id == room))
        return _setup(found[0]) if found else None

    async def tail(self, room: str, since: int = 0) -> list[Row]:
        """The rows of a room from `since` on."""
        c = tables.log.c
        query = sa.select(c.seq, c.at, c.text).where(c.room == room, c.seq >= since)
        return [Row(*row) for row in await self.rows(query.order_by(c.seq))]

    async def lengths(self, names: Sequence[str]) -> dict[str, int]:
        """How many rows each room has."""
        c = tables.log.c
        query = sa.select(c.room, sa.func.max(c.seq) + 1).where(c.room.in_(names))
        return {row[0]: row[1] for row in await self.rows(query.group_by(c.room))}

    async def outages(self) -> Outages:
        c = tables.outages.c
        found = await self.rows(sa.select(c.start, c.end).order_by(c.start))
        return tuple((start, end) for start, end in found)

    async def due(self, now: int, most: int = 200) -> list[str]:
        """Rooms where a bot should think or a flag has fallen, and nobody sees to it."""
        c = tables.rooms.c
        free = sa.or_(c.leased < now, c.lease.not_in(_alive(now)))
        query = sa.select(c.id).where(
            c.over.is_(False), sa.or_(sa.and_(c.bot.is_(True), free), c.deadline < now)
        )
        return [row.id for row in await self.rows(query.limit(most))]

    async def lease(self, room: str, worker: str, now: int) -> bool:
        """Whether a worker may think for the bot of a room from now on."""
        c = tables.rooms.c
        free = sa.or_(c.lease == worker, c.leased < now, c.lease.not_in(_alive(now)))
        change = (
            sa.update(tables.rooms)
            .where(c.id == room, free)
            .values(lease=worker, leased=now + LEASE)
        )

        return await self.write(lambda connection: connection.execute(change).rowcount == 1)

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


def _alive(now: int) -> Any:
    """The workers that are alive, as a query."""
    c = tables.workers.c
    return sa.select(c.id).where(c.beat >= now - SILENCE)


def _reader(url: str) -> AsyncEngine:
    """Connections that read, without transactions."""
    if not url.startswith("sqlite"):
        return create_async_engine(
            url, pool_size=4, max_overflow=4, isolation_level="AUTOCOMMIT", pool_pre_ping=True
        )
    reader = create_async_engine(url, pool_size=3, max_overflow=0, isolation_level="AUTOCOMMIT")
    sa.event.listen(reader.sync_engine, "connect", _pragmas)
    return reader


def _writer(url: str) -> AsyncEngine:
    return create_async_engine(url, pool_size=1, max_overflow=0, pool_pre_ping=True)


def _file_writer(url: str) -> sa.Engine:
    """One connection to the file that writes. The asynchronous driver would go back to the
    event loop for every statement: under load each of them then waits for all rooms."""
    writer = sa.create_engine(url.replace("+aiosqlite", ""), pool_size=1, max_overflow=0)
    sa.event.listen(writer, "connect", _pragmas)
    sa.event.listen(writer, "connect", _own_transactions)
    sa.event.listen(writer, "begin", _begin)
    return writer


def _pragmas(connection: Any, _: Any) -> None:
    cursor = connection.cursor()
    for pragma in ("busy_timeout=10000", "journal_mode=WAL", "synchronous=FULL"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _own_transactions(connection: Any, _: Any) -> None:
    connection.isolation_level = None  # the driver begins none, so that _begin can


def _begin(connection: sa.Connection) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def _settle(future: asyncio.Future[Any], value: Any = None, error: Exception | None = None) -> None:
    if future.done():  # whoever waited is gone
        return
    if error:
        future.set_exception(error)
    else:
        future.set_result(value)


# The transaction

_ROOMS = sa.insert(tables.rooms)
SUMMARY = {
    "touched": "bigint", "ply": "integer", "open": "integer", "over": "boolean",
    "waiting": "varchar", "bot": "boolean", "deadline": "bigint", "lease": "varchar",
    "leased": "bigint",
}  # fmt: skip
"""The columns of `rooms` that change."""


def _bulk(dialect: str) -> tuple[Any, Any]:
    """Statements that insert rows of the log and change summaries, all in one go: the rows
    are one parameter, a JSON text. Row by row, Python's SQLite driver lets go of the
    interpreter for each, and gets it back only when the busy event loop is interrupted:
    300 moves/s came out where now 1,000 do (bench/load.py)."""
    if dialect == "sqlite":
        picked = ", ".join(f"value ->> {i}" for i in range(4))
        log = f"INSERT INTO log (room, seq, at, text) SELECT {picked} FROM json_each(:rows)"
        changes = ", ".join(f"{key} = v.value ->> {i + 1}" for i, key in enumerate(SUMMARY))
        summary = (
            f"UPDATE rooms SET {changes} FROM json_each(:rows) v WHERE rooms.id = v.value ->> 0"
        )
        return sa.text(log), sa.text(summary)
    each = "jsonb_array_elements(CAST(:rows AS jsonb))"
    log = (
        "INSERT INTO log (room, seq, at, text) SELECT v ->> 0, (v ->> 1)::integer, "
        f"(v ->> 2)::bigint, v ->> 3 FROM {each} v"
    )
    changes = ", ".join(
        f'"{key}" = (v ->> {i + 1})::{kind}' for i, (key, kind) in enumerate(SUMMARY.items())
    )
    summary = f"UPDATE rooms SET {changes} FROM {each} v WHERE rooms.id = v ->> 0"
    # A colon before a name is a parameter to SQLAlchemy; a cast has two.
    return tuple(sa.text(t.replace("::", r"\:\:")) for t in (log, summary))  # type: ignore[return-value]


_BULK = {dialect: _bulk(dialect) for dialect in ("sqlite", "postgresql")}
_json = msgspec.json.Encoder().encode


def _transaction(
    connection: sa.Connection, appends: Sequence[Append], jobs: Sequence[Job]
) -> list[Any]:
    """Write appends, sorted by room, so that two workers never wait for each other in a
    ring; then what else waits."""
    appends = [*appends, *(append.along for append in appends if append.along)]
    appends.sort(key=lambda append: append.after.setup.id)
    insert, update = _BULK[connection.dialect.name]
    new = [_room(append.after, append.worker) for append in appends if append.new]
    if new:
        connection.execute(_ROOMS, new)
    log = [(append.after.setup.id, *row) for append in appends for row in append.rows]
    if log:
        connection.execute(insert, {"rows": _json(log).decode()})
    old = [append for append in appends if not append.new]
    if old:
        changes = [
            (append.after.setup.id, *summary(append.after, append.worker).values())
            for append in old
        ]
        connection.execute(update, {"rows": _json(changes).decode()})
    sat = sorted((p, append.after.setup.id) for append in appends for p in append.sat)
    if sat:
        dialect = sqlite if connection.dialect.name == "sqlite" else postgresql
        insert = dialect.insert(tables.seats).on_conflict_do_nothing()
        connection.execute(insert, [{"player": p, "room": room} for p, room in sat])
    return [job(connection) for job in jobs]


def summary(room: Room, worker: str) -> dict[str, Any]:
    """What the columns of `rooms` say about a room; the worker that wrote the last row
    has the lease to think for a bot."""
    bot = room.waits_for_bot
    return {
        "touched": room.at,
        "ply": room.ply,
        "open": sum(not chair.taken for chair in room.chairs),
        "over": room.over,
        "waiting": room.waits_for,
        "bot": bot,
        "deadline": deadline(room),
        "lease": worker if bot else "",
        "leased": room.at + LEASE if bot else 0,
    }


def _room(room: Room, worker: str) -> dict[str, Any]:
    setup = room.setup
    return {
        "id": setup.id,
        "game": setup.game,
        "variant": setup.variant,
        "options": " ".join(f"{key}={value}" for key, value in setup.options.items()),
        "places": json.dumps([asdict(place) for place in setup.places]),
        "clock": str(setup.clock),
        "listed": setup.listed,
        "at": setup.at,
        **summary(room, worker),
    }


def _setup(row: Any) -> Setup:
    return Setup(
        row.id,
        row.game,
        row.variant,
        tuple(Place(**place) for place in json.loads(row.places)),
        options(row.options),
        clock(row.clock),
        row.listed,
        row.at,
    )


__all__ = ["Append", "DBAPIError", "Store", "summary"]
