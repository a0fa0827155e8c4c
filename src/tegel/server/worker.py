"""One worker: all its parts put together."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial
from math import inf
from typing import Any

import sqlalchemy as sa

from tegel.place.accounts.accounts import Accounts
from tegel.place.accounts.identity import Seals, token_hash
from tegel.place.accounts.once import Once
from tegel.place.accounts.passkeys import Passkeys
from tegel.place.accounts.reservations import Reservations, forget_reservations
from tegel.place.accounts.sealed_network import sealed_network
from tegel.place.accounts.standing import OFTEN, Standing
from tegel.place.bus import Bus, News
from tegel.place.heartbeat import Heartbeat
from tegel.place.history.history import History
from tegel.place.history.profiles import Profiles
from tegel.place.history.ratings import Ratings
from tegel.place.limits.buckets import NetworkBuckets
from tegel.place.limits.limits import Budget
from tegel.place.limits.networks import widest
from tegel.place.lobby import Lobby
from tegel.place.moments import Moments
from tegel.place.pairing.pairing import Pairing
from tegel.place.ports import AWAY, Chance, Clock, Meter, Work
from tegel.place.programs import Programs
from tegel.place.push.push import Push
from tegel.place.rooms.backlog import Backlog
from tegel.place.rooms.house import House
from tegel.place.rooms.scheduler import Scheduler
from tegel.place.safety.blocks import Blocks
from tegel.place.safety.fairness import Fairness
from tegel.place.studies.analyses import Analyses
from tegel.place.studies.reports import Reports
from tegel.place.studies.studies import CHANNEL, Studies, forget_studies
from tegel.room.clock import DAY, SECOND
from tegel.room.setup import KEPT, guest_name, name
from tegel.server.compute.cache import Cache
from tegel.server.compute.pools import Pools
from tegel.server.compute.turns import Turns
from tegel.server.health import Health
from tegel.server.metrics import PrometheusMeter
from tegel.server.settings import Settings
from tegel.server.storage import tables
from tegel.server.storage.database import Database
from tegel.server.storage.heartbeat import SqlHeartbeat
from tegel.server.storage.moments import forget_tries
from tegel.server.storage.ratings import forget_ratings
from tegel.server.storage.rooms import SqlRooms
from tegel.server.storage.safety import SqlSafety
from tegel.server.storage.thoughts import forget_thoughts, release_reports
from tegel.server.world import CHANCE, RealClock

logger = logging.getLogger("tegel.worker")
SWEEP = 1.0  # seconds
MINUTE, HOUR = 60.0, 3600.0
PUSH = 1.0
MOST_UPLOADS, UPLOADS = 1_000, 2  # records that come at once, in all and of a network
MOST_GRADES = 100_000  # buckets of networks and moments
FILMS = 32_000_000  # bytes of films that are kept
TOGETHER = 500  # rooms that are forgotten in one transaction
OF_ROOMS = (
    tables.log, tables.seats, tables.playing, tables.names, tables.presence, tables.outbox,
    tables.endings, tables.played, tables.unkept,
)  # fmt: skip
"""What is forgotten with a room."""


@dataclass(frozen=True)
class Ports:
    """What a host gives to a worker."""

    id: str
    storage: Any  # a Storage, once the SQL of all services is behind ports
    bus: Bus
    work: Work
    clock: Clock
    chance: Chance
    meter: Meter


def real_ports(settings: Settings, clock: Clock | None = None) -> Ports:
    """What this machine gives."""
    id = name(CHANCE, 10)
    return Ports(
        id,
        Database(settings.database),
        bus(settings.bus, id),
        Pools(settings.bots, settings.analyses, widest),
        clock or RealClock(),
        CHANCE,
        PrometheusMeter(),
    )


class Worker:
    def __init__(self, settings: Settings, ports: Ports | None = None) -> None:
        ports = ports or real_ports(settings)
        self.settings, self.id = settings, ports.id
        self.store = ports.storage
        self.bus, self.pools = ports.bus, ports.work
        self.meter, self.clock = ports.meter, ports.clock
        self.seals = Seals(settings.secret)
        self.rooms = SqlRooms(self.store)
        self.beats = SqlHeartbeat(self.store)
        self.heartbeat = Heartbeat(self.beats, self.id, self.clock, self.meter)
        self.health = Health(self.store, self.heartbeat, self.bus)
        self.house = House(
            self.rooms,
            self.bus,
            self.pools,
            self.heartbeat,
            self.id,
            int(settings.grace * SECOND),
            partial(sealed_network, self.seals, settings.limits.shared),
            ports.chance,
            self.meter,
        )
        self.house.database = self.store
        self.scheduler = Scheduler(self.house)
        self.backlog = Backlog(self.house)
        self.budget = Budget(settings.limits)
        self.safety = SqlSafety(self.store)
        self.fairness = Fairness(self.safety, self.house, self.seals, self.budget)
        self.house.guard = self.fairness.rest
        around = (self.pools, self.heartbeat, self.fairness)
        self.studies = Studies(self.store, self.bus, *around, self.id)
        self.analyses = Analyses(self.store, *around, settings.analysis)
        self.reports_on_games = Reports(self.store, self.bus, *around, self.id, settings.report)
        grades = NetworkBuckets(settings.limits.grades, settings.limits.shared, MOST_GRADES)
        self.moments = Moments(self.store, self.heartbeat, grades.take)
        self.ratings = Ratings(self.store)
        self.history = History(self.store, self.ratings)
        self.profiles = Profiles(self.store)
        self.programs = Programs(self.house, self.bus, self.id)
        self.push = Push(self.house, settings)
        self.standing = Standing(self.store)
        self.standing.listeners.append(self._changed)
        self.once = Once(self.store, self.heartbeat, self.seals)
        self.reservations = Reservations(self.seals)
        self.accounts = Accounts(self.store, self.heartbeat, self.reservations)
        self.passkeys = Passkeys(self.store, self.heartbeat, self.once)
        self.blocks = Blocks(self.safety, self.seals)
        most = settings.limits.wishes
        self.pairing = Pairing(self.house, self.blocks, self.ratings, self.bus, self.id, most)
        self.names: dict[str, str] = {}  # of players, as far as asked for
        self.tokens: dict[str, str] = {}  # hash -> program
        limits = settings.limits
        self.reads, self.writes = limits.buckets("reads"), limits.buckets("writes")
        self.watched, self.refusals = limits.buckets("reads"), limits.buckets("refusals")
        self.new_tokens, self.new_names = limits.buckets("tokens"), limits.buckets("names")
        self.sign_ins, self.reports = limits.buckets("sign_ins"), limits.buckets("reports")
        self.said = limits.buckets("said")
        self.lines = limits.buckets("lines")
        self.deletions = limits.buckets("deletions")
        self.lobby = Lobby(
            self.house, self, self.fairness, self.blocks, self.ratings, self.budget, limits,
            self.seals, self.pools, ports.chance,
        )  # fmt: skip
        self.find = self.lobby.find
        self.uploads = Turns(MOST_UPLOADS, UPLOADS, inf, widest)  # records that are being brought
        self.connections, self.sockets = limits.counts("connections"), limits.counts("sockets")
        self.films = Cache(FILMS)
        self.closing = asyncio.Event()
        self.tasks: list[asyncio.Task[None]] = []

    async def open(self) -> None:
        await self.store.open()
        await self.heartbeat.begin()
        await self.standing.open()
        await self.bus.open(self._heard, self._missed)
        self.tasks = [
            asyncio.create_task(self.heartbeat.beat_forever()),
            asyncio.create_task(self._sweep_forever()),
            asyncio.create_task(self._push_forever()),
            asyncio.create_task(self.backlog.work_off()),
        ]
        logger.info("worker %s is ready", self.id)

    async def close(self) -> None:
        self.closing.set()
        for task in self.tasks:
            task.cancel()
        thinking = [live.thinking for live in self.house.rooms.values() if live.thinking]
        for task in thinking:
            task.cancel()
        self.analyses.close()
        self.reports_on_games.close()
        try:
            await self.store.write(self._stop_searching)
            await self.rooms.release(self.id)
            await self.beats.last_beat(self.id, self.heartbeat.now())
            await release_reports(self.store, self.id)
        except AWAY as away:
            logger.error("storage is away: %s", away)
        await self.push.close()
        await self.store.close()
        await self.bus.close()
        self.pools.close()
        logger.info("worker %s is closed", self.id)

    def _stop_searching(self, connection: sa.Connection) -> None:
        """End the searches of people whose connections end now."""
        wishes = tables.wishes.c
        mine = (wishes.worker == self.id, wishes.room == "")
        connection.execute(sa.delete(tables.wishes).where(*mine))

    async def _heard(self, channel: str, news: News) -> None:
        if channel.startswith("player."):
            self.programs.heard(channel, news)
        elif channel.startswith(CHANNEL):
            await self.studies.heard(channel, news)
        elif news.kind == "report":
            await self.reports_on_games.heard(news)
        elif news.kind in ("wish", "paired"):
            await self.pairing.heard(news)
        else:
            await self.house.heard(channel, news)

    async def _missed(self) -> None:
        """Read what the bus may not have told."""
        await self.house.catch_up()
        await self.studies.catch_up()

    async def _sweep_forever(self) -> None:
        """Do what is due, each part for itself: one that fails holds up no other."""
        parts: tuple[tuple[float, Callable[[], Awaitable[object]]], ...] = (
            (OFTEN, self.standing.look),
            (0, self.scheduler.sweep),
            (0, self.pairing.sweep),
            (0, self.studies.sweep),
            (0, self.reports_on_games.sweep),
            (0, self.reports_on_games.look_around),
            (HOUR, self.forget),
        )
        loop, begun = asyncio.get_running_loop(), dict.fromkeys(range(len(parts)), -inf)
        while True:
            for place, (every, part) in enumerate(parts):
                if loop.time() - begun[place] < every:
                    continue
                begun[place] = loop.time()
                try:
                    await part()
                except Exception:
                    logger.exception("the sweep failed")
            await self.clock.sleep(SWEEP)

    async def _push_forever(self) -> None:
        while self.settings.push_contact:
            try:
                await self.push.send_due()
            except AWAY as away:
                logger.error("storage is away: %s", away)
            except Exception:
                logger.exception("nobody could be told")
            await self.clock.sleep(PUSH)

    async def forget(self) -> int:
        """Delete rooms and records that nobody touched for long; how many rooms. Some at a time:
        meanwhile nothing else is written."""
        await self.fairness.forget()
        await self.once.forget()
        await self.store.write(forget_thoughts)
        now = self.heartbeat.now()
        await self.store.write(lambda connection: forget_reservations(connection, now))
        if not self.settings.keep_days:
            return 0
        limit = self.heartbeat.now() - self.settings.keep_days * DAY
        rooms, players, records = tables.rooms.c, tables.players.c, tables.records.c
        seated = sa.select(tables.seats.c.player)
        nobody = sa.and_(players.token.is_(None), players.handle.is_(None))
        unseated = (players.at < limit, nobody, players.id.not_in(seated))
        named = sa.select(players.id).where(players.handle.is_not(None))
        rated = sa.select(tables.ratings.c.player).join(
            tables.rooms, rooms.id == tables.ratings.c.room
        )  # seats of a guest go to who signs in, and ratings stay with the games

        def some(connection: sa.Connection, id: sa.Column[str], *where: Any) -> Sequence[str]:
            return connection.scalars(sa.select(id).where(*where).limit(TOGETHER)).all()

        def job(connection: sa.Connection) -> tuple[int, bool]:
            old = some(connection, rooms.id, rooms.touched < limit)
            for table in OF_ROOMS:
                connection.execute(sa.delete(table).where(table.c.room.in_(old)))
            connection.execute(sa.delete(tables.rooms).where(rooms.id.in_(old)))
            forget_ratings(connection)
            brought = some(connection, records.id, records.at < limit)
            connection.execute(sa.delete(tables.records).where(records.id.in_(brought)))
            studies = some(connection, tables.studies.c.id, tables.studies.c.touched < limit)
            forget_studies(connection, studies)
            people = some(connection, players.id, *unseated)
            connection.execute(sa.delete(tables.players).where(players.id.in_(people)))
            tried = forget_tries(connection, limit, named, TOGETHER)
            lists = [old, brought, studies, people, tried]
            for table in (tables.ratings, tables.profiles):  # of who has no games any more
                c = table.c
                known = c.player.in_(seated) | c.player.in_(named) | c.player.in_(rated)
                gone = some(connection, c.player, c.at < limit, ~known)
                connection.execute(sa.delete(table).where(c.player.in_(gone)))
                lists.append(gone)
            return len(old), any(len(found) == TOGETHER for found in lists)

        count, more = 0, True
        while more:
            gone, more = await self.store.write(job)
            count += gone
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

    async def called(self, player: str, wish: str = "") -> str:
        """What a player is called at a table: by the name they keep, or as a guest wishes."""
        known = await self.name(player)
        return known if known.startswith(KEPT) else guest_name(wish) or guest_name(known)

    def _changed(self, player: str) -> None:
        """Something about a player changed, here or elsewhere."""
        self.names.pop(player, None)
        if self.standing.is_over(player):
            self.studies.closed_of(player)
        self.house.background.start(self._renamed(player))

    async def _renamed(self, player: str) -> None:
        await self.house.renamed(player, await self.name(player))

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


def bus(url: str, worker: str) -> Bus:
    """The bus of a URL; without one, of a worker that is alone."""
    if not url:
        return Bus()
    from tegel.server.redis_bus import RedisBus  # what it needs takes long to import

    return RedisBus(url, worker)
