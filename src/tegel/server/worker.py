"""One worker: all its parts put together."""

import asyncio
import logging
from functools import partial
from math import inf

from tegel.place.accounts.identity import Seals
from tegel.place.accounts.people import People
from tegel.place.accounts.sealed_network import sealed_network
from tegel.place.accounts.standing import OFTEN
from tegel.place.bus import News
from tegel.place.days import Days
from tegel.place.heartbeat import Heartbeat
from tegel.place.history.services import HistoryServices
from tegel.place.limits.limits import Budget
from tegel.place.limits.networks import widest
from tegel.place.limits.rates import Rates
from tegel.place.lobby import Lobby
from tegel.place.moments.moments import Moments
from tegel.place.pairing.pairing import Pairing
from tegel.place.ports import AWAY
from tegel.place.programs import Programs
from tegel.place.push.push import Push
from tegel.place.puzzles import Puzzles
from tegel.place.records import Records
from tegel.place.retention import Retention
from tegel.place.rooms.backlog import Backlog
from tegel.place.rooms.house import House
from tegel.place.rooms.scheduler import Scheduler
from tegel.place.safety.services import SafetyServices
from tegel.place.studies.analyses import Analyses
from tegel.place.studies.reports import Reports
from tegel.place.studies.services import StudyServices
from tegel.place.studies.studies import CHANNEL, Studies
from tegel.place.sweep import Part, sweep_forever
from tegel.room.clock import SECOND
from tegel.server.compute.cache import Cache
from tegel.server.compute.turns import Turns
from tegel.server.health import Health
from tegel.server.ports import Ports, real_ports
from tegel.server.settings import Settings
from tegel.server.storage.stores import Stores

logger = logging.getLogger("tegel.worker")
HOUR = 3600.0  # seconds
MOST_UPLOADS, UPLOADS = 1_000, 2  # records that come at once, in all and of a network
FILMS = 32_000_000  # bytes of films that are kept


class Worker:
    def __init__(self, settings: Settings, ports: Ports | None = None) -> None:
        self.settings, self.ports = settings, ports or real_ports(settings)
        id, bus, work = self.ports.id, self.ports.bus, self.ports.work
        clock, chance, meter = self.ports.clock, self.ports.chance, self.ports.meter
        stores, seals, limits = Stores(self.ports.storage), Seals(settings.secret), settings.limits

        self.heartbeat = beat = Heartbeat(stores.heartbeat, id, clock, meter)
        self.health = Health(self.ports.storage, beat, bus, work)
        self.rates, self.budget = Rates(limits, clock.monotonic), Budget(limits, clock.monotonic)
        sealed = partial(sealed_network, seals, limits.shared)
        grace = int(settings.grace * SECOND)
        self.house = House(stores.rooms, bus, work, beat, id, grace, sealed, chance, meter)
        self.scheduler = Scheduler(self.house)
        self.people = People(stores.people, self.house, seals, chance)
        self.history = HistoryServices(stores.history, stores.ratings, stores.profiles, clock)
        self.safety = SafetyServices(stores.safety, self.house, seals, self.budget)
        blocks, fairness, ratings = self.safety.blocks, self.safety.fairness, self.history.ratings

        around = (work, beat, fairness)
        self.studies = StudyServices(
            Studies(stores.studies, bus, *around, chance, id),
            Analyses(stores.analyses, *around, chance, settings.analysis),
            Reports(stores.reports, bus, *around, id, settings.report),
        )
        self.people.standing.deletion_listeners.append(self.studies.trees.closed_of)
        self.moments = Moments(stores.moments, beat, chance, self.rates.grades.take)
        self.puzzles, self.days = Puzzles(self.house), Days(clock)
        self.programs = Programs(self.house, bus, id)
        self.push = Push(self.house, stores.push, self.ports.push, settings.push_after)
        self.pairing = Pairing(
            self.house, stores.pairing, blocks, ratings, bus, id, limits.wishes, chance
        )
        self.lobby = Lobby(
            self.house, self.people.names, fairness, blocks, ratings, self.budget, limits, seals,
            work, chance,
        )  # fmt: skip
        self.records = Records(stores.records, beat, work, fairness, chance)
        self.uploads = Turns(MOST_UPLOADS, UPLOADS, inf, widest)  # records that are being brought
        self.films = Cache(FILMS)
        forgetting = (fairness.forget, self.people.once.forget, self.people.accounts.forget)
        self.retention = Retention(stores.retention, beat, settings.keep_days, forgetting)
        self.closing = asyncio.Event()
        self.tasks: list[asyncio.Task[None]] = []

    async def open(self) -> None:
        await self.ports.storage.open()
        await self.heartbeat.begin()
        await self.people.standing.open()
        await self.ports.bus.open(self._heard, self._missed)
        clock = self.ports.clock
        self.tasks = [
            asyncio.create_task(self.heartbeat.beat_forever()),
            asyncio.create_task(sweep_forever(clock, self._parts())),
            asyncio.create_task(sweep_forever(clock, self._pushing())),
            asyncio.create_task(Backlog(self.house).work_off()),
        ]

    async def close(self) -> None:
        self.closing.set()
        for task in self.tasks:
            task.cancel()
        self.house.stop_bots()
        self.studies.stop()
        try:
            await self.pairing.close()
            await self.house.release()
            await self.heartbeat.end()
            await self.studies.reports.release()
        except AWAY as away:
            logger.error("storage is away: %s", away)
        await self.push.close()
        await self.ports.storage.close()
        await self.ports.bus.close()
        self.ports.work.close()
        logger.info("worker %s is closed", self.ports.id)

    def _parts(self) -> list[Part]:
        """What is done again and again."""
        return [
            Part(self.people.standing.look, every=OFTEN),
            Part(self.scheduler.sweep),
            Part(self.pairing.sweep),
            Part(self.studies.trees.sweep),
            Part(self.studies.reports.sweep),
            Part(self.studies.reports.look_around),
            Part(self.retention.forget, every=HOUR),
        ]

    def _pushing(self) -> list[Part]:
        """The same, but apart: push services may be slow."""
        return [Part(self.push.send_due)] if self.push.service else []

    async def _heard(self, channel: str, news: News) -> None:
        if channel.startswith("player."):
            self.programs.heard(channel, news)
        elif channel.startswith(CHANNEL):
            await self.studies.trees.heard(channel, news)
        elif news.kind == "report":
            await self.studies.reports.heard(news)
        elif news.kind in ("wish", "paired"):
            await self.pairing.heard(news)
        else:
            await self.house.heard(channel, news)

    async def _missed(self) -> None:
        """Read what the bus may not have told."""
        await self.house.catch_up()
        await self.studies.trees.catch_up()
