"""One worker: its settings, and all its parts put together."""

import asyncio
import gc
import logging
import os
import signal
import sys
import threading
from dataclasses import asdict, dataclass, field
from math import inf
from pathlib import Path

import msgspec
import sqlalchemy as sa

from tegel.server import tables
from tegel.server.bus import News, bus
from tegel.server.house import House
from tegel.server.identity import Seals, token_hash
from tegel.server.limits import Buckets, Limits
from tegel.server.pool import Pool
from tegel.server.programs import Programs
from tegel.server.pulse import Pulse
from tegel.server.setup import DAY, SECOND, name
from tegel.server.solvers import Solvers
from tegel.server.store import Store

logger = logging.getLogger("tegel.service")
SWEEP = 1.0  # seconds


@dataclass(frozen=True)
class Settings:
    database: str
    secret: str
    bus: str = ""
    origins: tuple[str, ...] = ()  # empty: the host that is asked
    scrapers: tuple[str, ...] = ("127.0.0.1", "::1")  # who may read the metrics
    keep_days: int = 0  # 0: for ever
    grace: float = 120.0  # seconds before an absent player may be replaced
    bots: int = 1  # processes that think
    hint: float = 10.0  # seconds that a search for the next tile of a puzzle may take
    limits: Limits = field(default_factory=Limits)

    def __str__(self) -> str:
        return msgspec.json.encode(asdict(self)).decode()


def settings(text: str) -> Settings:
    """The settings that a text is; the inverse of `str`."""
    return msgspec.json.decode(text, type=Settings)


class Service:
    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.worker = name(10)
        self.store = Store(settings.database)
        self.seals = Seals(settings.secret)
        self.pulse = Pulse(self.store, self.worker)
        self.bus = bus(settings.bus, self.worker)
        self.pool = Pool(settings.bots)
        self.solvers = Solvers(settings.bots)
        self.house = House(
            self.store, self.bus, self.pool, self.pulse, self.worker, int(settings.grace * SECOND)
        )
        self.programs = Programs(self.house, self.bus, self.worker)
        self.names: dict[str, str] = {}  # of players, as far as asked for
        self.tokens: dict[str, str] = {}  # hash -> program
        limits = settings.limits
        self.reads, self.writes = Buckets(limits.reads), Buckets(limits.writes)
        self.rooms, self.new_tokens = Buckets(limits.rooms), Buckets(limits.tokens)
        self.records = Buckets(limits.records)
        self.sockets: dict[str, int] = {}  # open, by address
        self.bot_rooms: dict[str, set[str]] = {}  # by address
        self.closing = asyncio.Event()
        self.tasks: list[asyncio.Task[None]] = []

    async def open(self) -> None:
        self._hear_signals()
        # The writer's thread asks for the interpreter while the event loop has it.
        sys.setswitchinterval(0.001)
        # Rooms live long and hold no cycles: look through them seldom.
        gc.freeze()
        gc.set_threshold(20_000, 20, 50)
        await self.store.open()
        await self.pulse.begin()
        await self.bus.open(self._heard, self.house.catch_up)
        self.tasks = [
            asyncio.create_task(self.pulse.beat_forever()),
            asyncio.create_task(self._sweep_forever()),
        ]
        logger.info("worker %s is ready (process %d)", self.worker, os.getpid())

    async def close(self) -> None:
        self.closing.set()
        for task in self.tasks:
            task.cancel()
        thinking = [live.thinking for live in self.house.rooms.values() if live.thinking]
        for task in thinking:
            task.cancel()
        await self.store.write(self._let_go)
        await self.store.close()
        await self.bus.close()
        self.pool.close()
        self.solvers.close()
        logger.info("worker %s is closed", self.worker)

    def _let_go(self, connection: sa.Connection) -> None:
        """Leave bots to other workers, and say until when this one was here."""
        c = tables.rooms.c
        connection.execute(
            sa.update(tables.rooms).where(c.lease == self.worker, c.bot).values(leased=0)
        )
        connection.execute(self.store.upsert(tables.workers, id=self.worker, beat=self.pulse.now()))

    def _hear_signals(self) -> None:
        """Streams must end before the server can close, so hear of it as it does."""
        if threading.current_thread() is not threading.main_thread():
            return
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            before = signal.getsignal(number)

            def heard(number: int, frame: object, before: object = before) -> None:
                loop.call_soon_threadsafe(self.closing.set)
                if callable(before):
                    before(number, frame)

            signal.signal(number, heard)

    async def _heard(self, channel: str, news: News) -> None:
        if channel.startswith("player."):
            self.programs.heard(channel, news)
        else:
            await self.house.heard(channel, news)

    async def _sweep_forever(self) -> None:
        loop = asyncio.get_running_loop()
        forgotten = -inf
        while True:
            try:
                await self.house.keeper.sweep()
                if loop.time() - forgotten > 3600:
                    forgotten = loop.time()
                    await self.forget()
            except Exception:
                logger.exception("the sweep failed")
            await asyncio.sleep(SWEEP)

    async def forget(self) -> int:
        """Delete rooms and records that nobody touched for long; how many rooms."""
        if not self.settings.keep_days:
            return 0
        limit = self.pulse.now() - self.settings.keep_days * DAY
        old = sa.select(tables.rooms.c.id).where(tables.rooms.c.touched < limit)

        def job(connection: sa.Connection) -> int:
            for table in (tables.log, tables.seats, tables.presence):
                connection.execute(sa.delete(table).where(table.c.room.in_(old)))
            connection.execute(sa.delete(tables.records).where(tables.records.c.at < limit))
            seated = sa.select(tables.seats.c.player)
            c = tables.players.c
            connection.execute(
                sa.delete(tables.players).where(
                    c.at < limit, c.token.is_(None), c.id.not_in(seated)
                )
            )
            gone = connection.execute(sa.delete(tables.rooms).where(tables.rooms.c.touched < limit))
            return gone.rowcount

        count = await self.store.write(job)
        if count:
            logger.info("forgot %d rooms that were older than %d days", count,
                        self.settings.keep_days)  # fmt: skip
        return count

    # Players

    async def name(self, player: str) -> str:
        if player and player not in self.names:
            c = tables.players.c
            found = await self.store.rows(sa.select(c.name).where(c.id == player))
            if len(self.names) > 50_000:
                self.names.clear()
            self.names[player] = found[0].name if found else ""
        return self.names.get(player, "")

    async def program(self, token: str) -> str | None:
        """The program that has a token."""
        digest = token_hash(token)
        if digest not in self.tokens:
            c = tables.players.c
            found = await self.store.rows(sa.select(c.id).where(c.token == digest))
            if not found:
                return None
            self.tokens[digest] = found[0].id
        return self.tokens[digest]

    def bot_room_allowed(self, address: str) -> bool:
        """Whether an address may open one more room with bots of ours."""
        rooms = self.house.rooms
        mine = {
            id for id in self.bot_rooms.get(address, ()) if id in rooms and not rooms[id].room.over
        }
        self.bot_rooms[address] = mine
        return len(mine) < self.settings.limits.bots


def default_data() -> Path:
    base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(os.environ.get("TEGEL_DATA") or Path(base) / "tegel")
