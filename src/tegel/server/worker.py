"""One worker: all its parts put together."""

import asyncio
import logging
from dataclasses import dataclass
from functools import partial
from math import inf

from tegel.place.accounts.identity import Seals
from tegel.place.accounts.people import People
from tegel.place.accounts.sealed_network import sealed_network
from tegel.place.accounts.standing import OFTEN
from tegel.place.bus import Bus, News
from tegel.place.heartbeat import Heartbeat
from tegel.place.history.history import History
from tegel.place.history.profiles import Profiles
from tegel.place.history.ratings import Ratings
from tegel.place.limits.buckets import NetworkBuckets
from tegel.place.limits.limits import Budget
from tegel.place.limits.networks import widest
from tegel.place.limits.rates import Rates
from tegel.place.lobby import Lobby
from tegel.place.moments.moments import Moments
from tegel.place.pairing.pairing import Pairing
from tegel.place.ports import AWAY, Chance, Clock, Meter, Work
from tegel.place.programs import Programs
from tegel.place.push.push import Push, PushService
from tegel.place.puzzles import Puzzles
from tegel.place.records import Records
from tegel.place.retention import Retention
from tegel.place.rooms.backlog import Backlog
from tegel.place.rooms.house import House
from tegel.place.rooms.scheduler import Scheduler
from tegel.place.safety.blocks import Blocks
from tegel.place.safety.fairness import Fairness
from tegel.place.studies.analyses import Analyses
from tegel.place.studies.reports import Reports
from tegel.place.studies.studies import CHANNEL, Studies
from tegel.place.sweep import Part, sweep_forever
from tegel.room.clock import SECOND
from tegel.room.setup import name
from tegel.server.compute.cache import Cache
from tegel.server.compute.pools import Pools
from tegel.server.compute.turns import Turns
from tegel.server.health import Health
from tegel.server.metrics import PrometheusMeter
from tegel.server.settings import Settings
from tegel.server.storage.accounts import people_store
from tegel.server.storage.database import Database
from tegel.server.storage.heartbeat import SqlHeartbeat
from tegel.server.storage.history import SqlHistory, SqlProfiles, SqlRatings
from tegel.server.storage.moments import SqlMoments
from tegel.server.storage.pairing import SqlPairing
from tegel.server.storage.push import SqlPush
from tegel.server.storage.records import SqlRecords
from tegel.server.storage.retention import SqlRetention
from tegel.server.storage.rooms import SqlRooms
from tegel.server.storage.safety import SqlSafety
from tegel.server.storage.storage import Storage
from tegel.server.storage.studies import SqlStudies
from tegel.server.storage.thoughts import SqlAnalyses, SqlReports
from tegel.server.world import CHANCE, RealClock

logger = logging.getLogger("tegel.worker")
HOUR = 3600.0  # seconds
MOST_UPLOADS, UPLOADS = 1_000, 2  # records that come at once, in all and of a network
MOST_GRADES = 100_000  # buckets of networks and moments
FILMS = 32_000_000  # bytes of films that are kept


@dataclass(frozen=True)
class Ports:
    """What a host gives to a worker."""

    id: str
    storage: Storage
    bus: Bus
    work: Work
    clock: Clock
    chance: Chance
    meter: Meter
    push: PushService | None = None  # None: nobody who is away is told


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
        push_service(settings),
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
        self.health = Health(self.store, self.heartbeat, self.bus, self.pools)
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
        self.scheduler = Scheduler(self.house)
        self.backlog = Backlog(self.house)
        limits, now = settings.limits, self.clock.monotonic
        self.rates, self.budget = Rates(limits, now), Budget(limits, now)
        self.safety = SqlSafety(self.store)
        self.fairness = Fairness(self.safety, self.house, self.seals, self.budget)
        self.house.rest.guard = self.fairness.rest
        around = (self.pools, self.heartbeat, self.fairness)
        self.studies = Studies(SqlStudies(self.store), self.bus, *around, ports.chance, self.id)
        self.analyses = Analyses(SqlAnalyses(self.store), *around, ports.chance, settings.analysis)
        self.reports_on_games = Reports(
            SqlReports(self.store), self.bus, *around, self.id, settings.report
        )
        grades = NetworkBuckets(
            settings.limits.grades, self.clock.monotonic, settings.limits.shared, MOST_GRADES
        )
        self.moments = Moments(SqlMoments(self.store), self.heartbeat, ports.chance, grades.take)
        self.ratings = Ratings(SqlRatings(self.store), self.clock)
        self.history = History(SqlHistory(self.store), self.ratings)
        self.profiles = Profiles(SqlProfiles(self.store))
        self.programs = Programs(self.house, self.bus, self.id)
        self.push = Push(self.house, SqlPush(self.store), ports.push, settings.push_after)
        self.people = People(people_store(self.store), self.house, self.seals, ports.chance)
        self.people.standing.deletion_listeners.append(self.studies.closed_of)
        self.blocks = Blocks(self.safety, self.seals)
        self.pairing = Pairing(
            self.house, SqlPairing(self.store), self.blocks, self.ratings, self.bus, self.id,
            limits.wishes, ports.chance,
        )  # fmt: skip
        self.lobby = Lobby(
            self.house, self.people.names, self.fairness, self.blocks, self.ratings, self.budget,
            limits,
            self.seals, self.pools, ports.chance,
        )  # fmt: skip
        self.puzzles = Puzzles(self.house)
        self.records = Records(
            SqlRecords(self.store), self.heartbeat, self.pools, self.fairness, ports.chance
        )
        self.uploads = Turns(MOST_UPLOADS, UPLOADS, inf, widest)  # records that are being brought
        self.films = Cache(FILMS)
        forgetting = (self.fairness.forget, self.people.once.forget, self.people.accounts.forget)
        self.retention = Retention(
            SqlRetention(self.store), self.heartbeat, settings.keep_days, forgetting
        )
        self.closing = asyncio.Event()
        self.tasks: list[asyncio.Task[None]] = []

    async def open(self) -> None:
        await self.store.open()
        await self.heartbeat.begin()
        await self.people.standing.open()
        await self.bus.open(self._heard, self._missed)
        self.tasks = [
            asyncio.create_task(self.heartbeat.beat_forever()),
            asyncio.create_task(sweep_forever(self.clock, self._parts())),
            asyncio.create_task(sweep_forever(self.clock, self._pushing())),
            asyncio.create_task(self.backlog.work_off()),
        ]

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
            await self.pairing.close()
            await self.rooms.release(self.id)
            await self.beats.last_beat(self.id, self.heartbeat.now())
            await SqlReports(self.store).release(self.id)
        except AWAY as away:
            logger.error("storage is away: %s", away)
        await self.push.close()
        await self.store.close()
        await self.bus.close()
        self.pools.close()
        logger.info("worker %s is closed", self.id)

    def _parts(self) -> list[Part]:
        """What is done again and again."""
        return [
            Part(self.people.standing.look, every=OFTEN),
            Part(self.scheduler.sweep),
            Part(self.pairing.sweep),
            Part(self.studies.sweep),
            Part(self.reports_on_games.sweep),
            Part(self.reports_on_games.look_around),
            Part(self.retention.forget, every=HOUR),
        ]

    def _pushing(self) -> list[Part]:
        """The same, but apart: push services may be slow."""
        return [Part(self.push.send_due)] if self.push.service else []

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


def bus(url: str, worker: str) -> Bus:
    """The bus of a URL; without one, of a worker that is alone."""
    if not url:
        return Bus()
    from tegel.server.redis_bus import RedisBus  # what it needs takes long to import

    return RedisBus(url, worker)


def push_service(settings: Settings) -> PushService | None:
    """What sends messages to people who are away, where that is set."""
    if not settings.push_contact:
        return None
    from tegel.server.push_service import WebPush  # what it needs takes long to import

    return WebPush(settings.push_contact, settings.push_key, settings.push_allowed)
