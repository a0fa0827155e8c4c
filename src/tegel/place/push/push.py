"""Telling people who are away that it is their turn, by web push.

A **device** is a browser that agreed to be told. What has to be told is written into the
**outbox** with the move itself, so that no crash loses it; a worker takes it in hand for a while,
sends it, and takes it out. If the worker dies in between, another sends it again: the push service
and the browser know by its topic that it is the same. A push service that does not answer holds up
nobody else's: it rests, and what it would get comes later."""

import asyncio
import logging
from collections.abc import Mapping
from typing import Protocol
from urllib.parse import urlsplit

from cachetools import TTLCache

from tegel import words
from tegel.place.push.device import Device
from tegel.place.push.store import Notice, PushStore
from tegel.place.rooms.house import House
from tegel.room.refused import Refused

logger = logging.getLogger("tegel.push")
MOST_DEVICES = 8  # of a player; the one not heard of for longest goes
IN_HAND = 60_000  # milliseconds for which a worker sends what it took
TOGETHER = 100  # that are being sent
REST = 60.0  # seconds that a push service has after it did not answer
MOST_RESTING = 10_000
MOST_TRIES = 12  # over some hours
GONE = (404, 410)
LATER = (408, 425, 429)
TURN = {
    "en": "Your move in {game}.",
    "nl": "Jij bent aan zet in {game}.",
    "fr": "À vous de jouer à {game}.",
    "de": "Du bist am Zug in {game}.",
    "it": "Tocca a te a {game}.",
}


class PushService(Protocol):
    """The port through which messages leave: it knows the push services of all browsers."""

    @property
    def public_key(self) -> str:
        """What browsers need to agree."""

    def check(self, device: Device) -> None:
        """Raise Refused for a device to which nothing can be sent."""

    async def post(self, device: Device, said: Mapping[str, object], topic: str) -> int:
        """The status with which a push service answers a message to a device; 0: it does not."""

    async def close(self) -> None: ...


class Push:
    def __init__(
        self, house: House, store: PushStore, service: PushService | None, after: float
    ) -> None:
        """`service`: None where nothing is sent; `after`: for so many seconds people may see for
        themselves that it is their turn."""
        self.house, self.store, self.clock = house, store, house.clock
        self.service, self.after = service, int(after * 1000)
        self.sending: set[asyncio.Task[None]] = set()
        # Push services that did not answer.
        self.resting = TTLCache[str, bool](MOST_RESTING, REST, timer=self.clock.monotonic)

    @property
    def public_key(self) -> str:
        """What browsers need to agree; empty where nothing is sent."""
        return self.service.public_key if self.service else ""

    async def close(self) -> None:
        for task in self.sending:
            task.cancel()
        if self.service:
            await self.service.close()

    # Devices

    async def agree(self, player: str, device: Device) -> None:
        """Tell a device from now on; raises Refused."""
        if not self.service:
            raise Refused("push", "This place sends no messages to people who are away.")
        self.service.check(device)
        await self.store.keep(player, device, self.house.heartbeat.now(), MOST_DEVICES)

    async def refuse(self, player: str, endpoint: str) -> None:
        """Tell a device of a player no more."""
        await self.store.forget(endpoint, player)

    # Sending

    async def send_due(self) -> None:
        """Begin to send what is due, as much as may be sent at once."""
        room = TOGETHER - len(self.sending)
        if not self.service or room <= 0:
            return
        due = self.house.heartbeat.now() - self.after
        for notice in await self.store.take(due, due + IN_HAND, room):
            task = asyncio.create_task(self._send(self.service, notice))
            self.sending.add(task)
            task.add_done_callback(self._sent)

    def _sent(self, task: asyncio.Task[None]) -> None:
        self.sending.discard(task)
        if not task.cancelled() and (error := task.exception()):
            logger.error("nobody could be told: %r", error)

    async def _send(self, service: PushService, notice: Notice) -> None:
        if notice.waiting != notice.player or await self._is_here(notice.room, notice.player):
            await self.store.drop(notice)
            return
        status = await self._post(service, notice)
        if status in GONE:
            await self.store.forget(notice.device.endpoint)
        elif 200 <= status < 300:
            await self.store.drop(notice)
        elif (status in LATER or not 300 <= status < 500) and notice.tries < MOST_TRIES:
            wait = min(3600, 30 * 2**notice.tries) * 1000
            await self.store.put_off(notice, self.house.heartbeat.now() + wait)
        else:
            logger.warning("a push service answers %d", status)
            await self.store.drop(notice)

    async def _is_here(self, room: str, player: str) -> bool:
        """Whether a player has the room before their eyes, on any worker."""
        live = self.house.rooms.get(room)
        if live and any(watcher.player == player for watcher in live.watchers):
            return True
        alive = self.house.heartbeat.alive
        seen = await self.house.store.sightings([room], but="")
        return any(one.players.get(player) == 0 for one in seen if one.worker in alive)

    async def _post(self, service: PushService, notice: Notice) -> int:
        device = notice.device
        game = words.words(notice.game, device.language)["game"]["name"]
        said = {
            "text": TURN[device.language].format(game=game),
            "room": notice.room,
            "ply": notice.ply,
            "count": await self.store.waiting(notice.player),
        }
        host = urlsplit(device.endpoint).netloc
        if host in self.resting:
            return 0
        status = await service.post(device, said, topic=notice.room)
        if not status:
            self.resting[host] = True
        return status
