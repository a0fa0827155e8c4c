"""Who is here: which players watch their room, on any worker, and how many others do.

Each worker writes what it sees of a room into one row, soon after it changes, and tells
the others to read. A player who is gone keeps the time since when."""

import asyncio
import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from weakref import WeakKeyDictionary

import sqlalchemy as sa

from tegel.server.rooms.live_room import LiveRoom, Watcher
from tegel.server.storage import tables
from tegel.server.storage.store import Store
from tegel.server.wire import messages
from tegel.server.workers.bus import Bus, News
from tegel.server.workers.heartbeat import Heartbeat

SOON = 0.25  # seconds between a change and its row: many come and go together


@dataclass
class Sight:
    """What is known about who watches a room."""

    gone: dict[str, int] = field(default_factory=dict)  # players who left from here: when
    others: dict[str, tuple[dict[str, int], int]] = field(default_factory=dict)  # by worker
    due: bool = False


class Presence:
    def __init__(
        self, store: Store, bus: Bus, heartbeat: Heartbeat, worker: str, grace: int
    ) -> None:
        self.store, self.bus, self.heartbeat, self.worker = store, bus, heartbeat, worker
        self.grace = grace
        self.since = heartbeat.now()
        self.sights: WeakKeyDictionary[LiveRoom, Sight] = WeakKeyDictionary()

    def sight(self, live: LiveRoom) -> Sight:
        return self.sights.setdefault(live, Sight())

    def came(self, live: LiveRoom, watcher: Watcher) -> None:
        self.sight(live).gone.pop(watcher.player, None)
        self._soon(live)

    def left(self, live: LiveRoom, watcher: Watcher) -> None:
        here = {other.player for other in live.watchers}
        if watcher.seats and watcher.player not in here:
            self.sight(live).gone[watcher.player] = self.heartbeat.now()
        self._soon(live)

    def _soon(self, live: LiveRoom) -> None:
        sight = self.sight(live)
        if not sight.due:
            sight.due = True
            asyncio.get_running_loop().call_later(
                SOON, lambda: asyncio.ensure_future(self._tell(live))
            )

    async def _tell(self, live: LiveRoom) -> None:
        sight = self.sight(live)
        sight.due = False
        self.show(live)
        if type(self.bus) is Bus:
            return  # nobody else to tell, and nobody to remember it for
        players, watchers = self.mine(live)
        change = self.store.upsert(
            tables.presence,
            room=live.room.setup.id,
            worker=self.worker,
            players=json.dumps(players),
            watchers=watchers,
        )
        await self.store.change(change)
        await self.bus.tell(live.room.setup.id, News(self.worker, "presence"))

    def mine(self, live: LiveRoom) -> tuple[dict[str, int], int]:
        """What this worker sees: its players with 0, or since when they are gone; and how
        many watch."""
        seated = {chair.player for chair in live.room.chairs if chair.player}
        here = {watcher.player for watcher in live.watchers} & seated
        gone = {p: at for p, at in self.sight(live).gone.items() if p in seated - here}
        watchers = sum(watcher.player not in seated for watcher in live.watchers)
        return {**gone, **dict.fromkeys(here, 0)}, watchers

    async def read(self, live: LiveRoom) -> None:
        """Learn what other workers see."""
        if type(self.bus) is Bus:
            return
        c = tables.presence.c
        found = await self.store.rows(
            sa.select(c.worker, c.players, c.watchers).where(c.room == live.room.setup.id)
        )
        self.sight(live).others = {
            row.worker: (json.loads(row.players), row.watchers)
            for row in found
            if row.worker != self.worker
        }
        if not self.sight(live).others.keys() <= self.heartbeat.beats.keys():
            await self.heartbeat.look()  # a worker has just come

    def absent(self, live: LiveRoom, player: str, now: int) -> int:
        """For how many milliseconds a player is gone; 0: here."""
        since = max(live.room.setup.at, self.since, *self._outage_ends())
        for worker, (players, _) in self._all(live):
            if player not in players:
                continue
            alive = worker == self.worker or worker in self.heartbeat.alive
            if alive and players[player] == 0:
                return 0
            since = max(since, players[player] or self.heartbeat.beats.get(worker, 0))
        return max(1, now - since)

    def _outage_ends(self) -> list[int]:
        return [end for _, end in self.heartbeat.outages[-1:]]

    def _all(self, live: LiveRoom) -> Iterable[tuple[str, tuple[dict[str, int], int]]]:
        yield self.worker, self.mine(live)
        yield from self.sight(live).others.items()

    def show(self, live: LiveRoom) -> None:
        """Tell all who watch here."""
        if not live.watchers:
            return
        now = self.heartbeat.now()
        seats = {seat: chair.player for seat, chair in enumerate(live.room.chairs) if chair.player}
        away = {seat: self.absent(live, player, now) for seat, player in seats.items()}
        watchers = sum(
            count for worker, (_, count) in self._all(live)
            if worker == self.worker or worker in self.heartbeat.alive
        )  # fmt: skip
        message = messages.Presence(
            tuple(seat for seat, time in away.items() if not time),
            watchers,
            {seat: time for seat, time in away.items() if time},
            self.grace,
        )
        text = messages.encode(message).decode()
        for watcher in tuple(live.watchers):
            watcher.send(text)
