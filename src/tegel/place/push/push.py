"""Telling people who are away that it is their turn, by web push.

A **device** is a browser that agreed to be told. What has to be told is written into the
**outbox** with the move itself, so that no crash loses it; a worker takes it in hand for a while,
sends it, and takes it out. If the worker dies in between, another sends it again: the push service
and the browser know by its topic that it is the same. A push service that does not answer holds up
nobody else's: it rests, and what it would get comes later."""

import asyncio
import logging
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import msgspec
import sqlalchemy as sa

from tegel import words
from tegel.place.push.device import Device, device_id
from tegel.place.rooms.house import House
from tegel.room.refused import Refused
from tegel.server.settings import Settings
from tegel.server.storage import tables

if TYPE_CHECKING:
    from tegel.server.push_service import Service

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


class Push:
    def __init__(self, house: House, settings: Settings) -> None:
        self.house, self.store = house, house.database
        self.service, self.after = _service(settings), int(settings.push_after * 1000)
        self.sending: set[asyncio.Task[None]] = set()
        self.resting: dict[str, float] = {}  # push services that did not answer, until when

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
        now, c = self.house.heartbeat.now(), tables.devices.c
        row = {**msgspec.structs.asdict(device), "id": device.id, "player": player, "at": now}
        change = self.store.upsert(tables.devices, **row)
        newest = sa.select(c.id).where(c.player == player).order_by(c.at.desc())

        def job(connection: sa.Connection) -> None:
            connection.execute(change)
            old = connection.scalars(newest.offset(MOST_DEVICES)).all()
            _forget(connection, old)

        await self.store.write(job)

    async def refuse(self, player: str, endpoint: str) -> None:
        """Tell a device of a player no more."""
        id, c = device_id(endpoint), tables.devices.c

        def job(connection: sa.Connection) -> None:
            mine = sa.select(c.id).where(c.id == id, c.player == player)
            _forget(connection, connection.scalars(mine).all())

        await self.store.write(job)

    # Sending

    async def send_due(self) -> None:
        """Begin to send what is due, as much as may be sent at once."""
        room = TOGETHER - len(self.sending)
        if not self.service or room <= 0:
            return
        for row in await self._taken(self.house.heartbeat.now() - self.after, room):
            task = asyncio.create_task(self._send(row))
            self.sending.add(task)
            task.add_done_callback(self._sent)

    def _sent(self, task: asyncio.Task[None]) -> None:
        self.sending.discard(task)
        if not task.cancelled() and (error := task.exception()):
            logger.error("nobody could be told: %r", error)

    async def _taken(self, until: int, most: int) -> Sequence[Any]:
        """What was due by then, which this worker sends, and no other for a while; first what was
        not tried before."""
        o, d, r = tables.outbox.c, tables.devices.c, tables.rooms.c
        query = (
            sa.select(tables.outbox, d.endpoint, d.key, d.auth, d.language, r.waiting, r.game)
            .join(tables.devices, d.id == o.device)
            .outerjoin(tables.rooms, r.id == o.room)
            .where(o.due <= until)
            .order_by(o.tries, o.due)
            .limit(most)
        )
        if not await self.store.rows(query):
            return []

        def job(connection: sa.Connection) -> list[Any]:
            found = connection.execute(query).all()
            taking = sa.update(tables.outbox).values(due=until + IN_HAND)
            return [
                row
                for row in found
                if connection.execute(
                    taking.where(o.room == row.room, o.device == row.device, o.due == row.due)
                ).rowcount
            ]

        return await self.store.write(job)

    async def _send(self, row: Any) -> None:
        if row.waiting != row.player or await self._is_here(row.room, row.player):
            await self._done(row)
            return
        status = await self._post(row)
        if status in GONE:
            await self.store.write(lambda connection: _forget(connection, [row.device]))
        elif 200 <= status < 300:
            await self._done(row)
        elif (status in LATER or not 300 <= status < 500) and row.tries < MOST_TRIES:
            await self._again(row)
        else:
            logger.warning("a push service answers %d", status)
            await self._done(row)

    async def _is_here(self, room: str, player: str) -> bool:
        """Whether a player has the room before their eyes, on any worker."""
        live = self.house.rooms.get(room)
        if live and any(watcher.player == player for watcher in live.watchers):
            return True
        c = tables.presence.c
        seen = await self.store.rows(
            sa.select(c.players).where(c.room == room, c.worker.in_(self.house.heartbeat.alive))
        )
        return any(msgspec.json.decode(one.players).get(player) == 0 for one in seen)

    async def _post(self, row: Any) -> int:
        assert self.service
        name = words.words(row.game, row.language)["game"]["name"]
        said = {
            "text": TURN[row.language].format(game=name),
            "room": row.room,
            "ply": row.ply,
            "count": await self._waiting(row.player),
        }
        device, host = Device(row.endpoint, row.key, row.auth, row.language), _host(row.endpoint)
        if time.monotonic() < self.resting.get(host, 0.0):
            return 0
        status = await self.service.post(device, said, topic=row.room)
        if not status:
            if len(self.resting) > MOST_RESTING:
                self.resting.clear()
            self.resting[host] = time.monotonic() + REST
        return status

    async def _waiting(self, player: str) -> int:
        """How many games wait for a player."""
        c, s = tables.rooms.c, tables.seats.c
        mine = sa.select(s.room).where(s.player == player)  # by its key: rooms are many
        query = sa.select(sa.func.count()).where(
            c.id.in_(mine), c.waiting == player, c.over.is_(False)
        )
        return int((await self.store.rows(query))[0][0])

    async def _done(self, row: Any) -> None:
        """It is told, or need not be; unless it is their turn anew."""
        o = tables.outbox.c
        await self.store.change(
            sa.delete(tables.outbox).where(
                o.room == row.room, o.device == row.device, o.ply == row.ply
            )
        )

    async def _again(self, row: Any) -> None:
        o = tables.outbox.c
        wait = min(3600, 30 * 2**row.tries) * 1000
        await self.store.change(
            sa.update(tables.outbox)
            .where(o.room == row.room, o.device == row.device, o.ply == row.ply)
            .values(due=self.house.heartbeat.now() + wait, tries=row.tries + 1)
        )


def _host(endpoint: str) -> str:
    return urlsplit(endpoint).netloc


def _service(settings: Settings) -> "Service | None":
    """What sends, where that is set; it takes half a second to import."""
    if not settings.push_contact:
        return None
    from tegel.server.push_service import Service

    return Service(settings.push_contact, settings.push_key, settings.push_allowed)


def _forget(connection: sa.Connection, ids: Sequence[str]) -> None:
    connection.execute(sa.delete(tables.outbox).where(tables.outbox.c.device.in_(ids)))
    connection.execute(sa.delete(tables.devices).where(tables.devices.c.id.in_(ids)))
