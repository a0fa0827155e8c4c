"""Storage: the log of every room, and what is looked up besides.

An **append** writes the next rows of a room; the key (room, seq) lets one writer win. One
task commits all appends that wait in one transaction, and then tells them: what was told
is on disk."""

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, TypeVar

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from tegel.record import options
from tegel.server import metrics, tables
from tegel.server.room import Outages, Room, Row, deadline
from tegel.server.setup import Place, Setup, clock

logger = logging.getLogger("tegel.store")
T = TypeVar("T")
Job = Callable[[AsyncConnection], Awaitable[Any]]
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
        self.writer, self.reader = _engines(url)
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
        await self.writer.dispose()
        await self.reader.dispose()

    # Writing

    async def append(self, append: Append) -> bool:
        """Whether the rows are on disk now; False if other rows have their places."""
        self.waiting.append(append)
        self.wake.set()
        return await append.done

    async def write(self, job: Callable[[AsyncConnection], Awaitable[T]]) -> T:
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
                async with self.writer.begin() as connection:
                    await _insert(connection, appends)
                    values = [await job(connection) for job, _ in jobs]
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

        async def job(connection: AsyncConnection) -> bool:
            return (await connection.execute(change)).rowcount == 1

        return await self.write(job)

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


def _engines(url: str) -> tuple[AsyncEngine, AsyncEngine]:
    """One connection that writes, and some that read without transactions."""
    if not url.startswith("sqlite"):
        writer = create_async_engine(url, pool_size=1, max_overflow=0, pool_pre_ping=True)
        reader = create_async_engine(
            url, pool_size=4, max_overflow=4, isolation_level="AUTOCOMMIT", pool_pre_ping=True
        )
        return writer, reader
    writer = create_async_engine(url, pool_size=1, max_overflow=0)
    reader = create_async_engine(url, pool_size=3, max_overflow=0, isolation_level="AUTOCOMMIT")
    for engine in (writer, reader):
        sa.event.listen(engine.sync_engine, "connect", _pragmas)
    sa.event.listen(writer.sync_engine, "connect", _own_transactions)
    sa.event.listen(writer.sync_engine, "begin", _begin)
    return writer, reader


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


# Rows of tables

_LOG = sa.insert(tables.log)
_ROOMS = sa.insert(tables.rooms)
_SUMMARY = sa.update(tables.rooms).where(tables.rooms.c.id == sa.bindparam("room"))


async def _insert(connection: AsyncConnection, appends: Sequence[Append]) -> None:
    """Everything sorted by room, so that two workers never wait for each other in a ring."""
    appends = [*appends, *(append.along for append in appends if append.along)]
    appends.sort(key=lambda append: append.after.setup.id)
    new = [_room(append.after, append.worker) for append in appends if append.new]
    if new:
        await connection.execute(_ROOMS, new)
    log = [
        {"room": append.after.setup.id, "seq": row.seq, "at": row.at, "text": row.text}
        for append in appends
        for row in append.rows
    ]
    if log:
        await connection.execute(_LOG, log)
        summaries = [
            {"room": append.after.setup.id, **summary(append.after, append.worker)}
            for append in appends
            if not append.new
        ]
        if summaries:
            await connection.execute(_SUMMARY, summaries)
    sat = sorted((p, append.after.setup.id) for append in appends for p in append.sat)
    if sat:
        dialect = sqlite if connection.dialect.name == "sqlite" else postgresql
        insert = dialect.insert(tables.seats).on_conflict_do_nothing()
        await connection.execute(insert, [{"player": p, "room": room} for p, room in sat])


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
