"""What a host gives to a worker; and what this machine gives."""

from dataclasses import dataclass

from tegel.place.bus import Bus
from tegel.place.limits.networks import widest
from tegel.place.ports import Chance, Clock, Meter, Work
from tegel.place.push.push import PushService
from tegel.room.setup import name
from tegel.server.compute.pools import Pools
from tegel.server.metrics import PrometheusMeter
from tegel.server.settings import Settings
from tegel.server.storage.database import Database
from tegel.server.storage.storage import Storage
from tegel.server.world import CHANCE, RealClock


@dataclass(frozen=True)
class Ports:
    """What a host gives to a worker; `id`: the worker's name."""

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
