"""Who is here: which players watch their room, on any worker, and how many others do.

Each worker writes what it sees of a room into one row, soon after it changes, and tells
the others to read. A player who is gone keeps the time since when. Whoever asks over HTTP is
here for a while after it; a program that listens to its stream is here in all its rooms, which
each worker writes into a row of no room."""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass, field
from weakref import WeakKeyDictionary

from tegel.place.bus import Bus, News
from tegel.place.heartbeat import Heartbeat
from tegel.place.ports import AWAY
from tegel.place.rooms.background import Background
from tegel.place.rooms.live_room import LiveRoom, Watcher
from tegel.place.rooms.store import RoomStore, Sighting
from tegel.place.wire import messages
from tegel.room.clock import SECOND
from tegel.room.room import Room

LATELY = 10_000  # milliseconds for which a request over HTTP shows that someone is here
FORGOTTEN = 3_600_000  # milliseconds after which it is no matter when a program left
ANY = ""  # the room of a row that concerns all rooms
SOON = 0.25  # seconds between a change and its row: many come and go together
AGAIN = 2.0  # seconds until it is tried again when storage was away


@dataclass
class Sight:
    """What is known about who watches a room."""

    gone: dict[str, int] = field(default_factory=dict)  # players who left from here: when
    others: dict[str, tuple[dict[str, int], int]] = field(default_factory=dict)  # by worker
    due: bool = False


class Presence:
    def __init__(
        self, store: RoomStore, bus: Bus, heartbeat: Heartbeat, worker: str, grace: int,
        background: Background,
    ) -> None:  # fmt: skip
        self.store, self.bus, self.heartbeat, self.worker = store, bus, heartbeat, worker
        self.grace, self.background = grace, background
        self.since = heartbeat.now()
        self.sights: WeakKeyDictionary[LiveRoom, Sight] = WeakKeyDictionary()
        self.listening: dict[str, int] = {}  # programs: 0 while here, or when they left

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

    def seated(self, live: LiveRoom, before: Room | None, _: bool) -> None:
        """Whoever watches a room in which somebody else sits now is told who is here."""
        if before and before.chairs is not live.room.chairs:
            self._soon(live)

    def seen(self, live: LiveRoom, player: str) -> None:
        """A player asked over HTTP."""
        if not live.room.seats_of(player) or player in {w.player for w in live.watchers}:
            return
        sight, now = self.sight(live), self.heartbeat.now()
        before, sight.gone[player] = sight.gone.get(player, 0), now + LATELY
        if before < now + LATELY // 2:
            self._soon(live)
            loop = asyncio.get_running_loop()
            loop.call_later(LATELY / SECOND + SOON, lambda: self._soon(live))  # gone again

    async def listens(self, player: str, on: bool) -> None:
        """A program begins to listen to its stream, or stops."""
        now = self.heartbeat.now()
        known = {p: at for p, at in self.listening.items() if not at or now - at < FORGOTTEN}
        self.listening = {**known, player: 0 if on else now}
        if not self.bus.alone:
            await self.store.note_sighting(ANY, Sighting(self.worker, self.listening, 0))

    def _soon(self, live: LiveRoom, seconds: float = SOON) -> None:
        sight = self.sight(live)
        if not sight.due:
            sight.due = True
            loop = asyncio.get_running_loop()
            loop.call_later(seconds, lambda: self.background.start(self._tell(live)))

    async def _tell(self, live: LiveRoom) -> None:
        self.sight(live).due = False
        if self.bus.alone:  # nobody else to tell, and nobody to remember it for
            self.show(live)
            return
        try:
            await self.read(live)
            sighting = Sighting(self.worker, *self.mine(live))
            await self.store.note_sighting(live.room.setup.id, sighting)
        except AWAY:
            self._soon(live, AGAIN)
        else:
            self.bus.tell(live.room.setup.id, News(self.worker, "presence"))
        self.show(live)

    def mine(self, live: LiveRoom) -> tuple[dict[str, int], int]:
        """What this worker sees: its players with 0, or since when they are gone; and how
        many watch."""
        seated = {chair.player for chair in live.room.chairs if chair.player}
        here = {watcher.player for watcher in live.watchers} & seated
        left = _joined(self.sight(live).gone, self.listening)
        gone = {p: at for p, at in left.items() if p in seated - here}
        watchers = sum(watcher.player not in seated for watcher in live.watchers)
        return {**gone, **dict.fromkeys(here, 0)}, watchers

    async def read(self, live: LiveRoom) -> None:
        """Learn what other workers see."""
        if self.bus.alone:
            return
        others: dict[str, tuple[dict[str, int], int]] = {}
        for worker, seen, count in await self.store.sightings(
            [live.room.setup.id, ANY], self.worker
        ):
            players, watchers = others.get(worker, ({}, 0))
            others[worker] = _joined(players, seen), watchers + count
        self.sight(live).others = others
        if not self.sight(live).others.keys() <= self.heartbeat.beats.keys():
            await self.heartbeat.look()  # a worker has just come

    def absent(self, live: LiveRoom, player: str, now: int) -> int:
        """For how many milliseconds a player is gone; 0: here."""
        since = max(live.room.setup.at, self.since, *self._outage_ends())
        for worker, (players, _) in self._all(live):
            if player not in players:
                continue
            alive = worker == self.worker or worker in self.heartbeat.alive
            if alive and (players[player] == 0 or players[player] > now):
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
        text = messages.encode(message)
        for watcher in tuple(live.watchers):
            watcher.send(text)


def _joined(one: dict[str, int], other: dict[str, int]) -> dict[str, int]:
    """When players left, who may have been here in two ways; 0: here."""
    both = one.keys() & other.keys()
    return {**one, **other, **{p: one[p] and other[p] and max(one[p], other[p]) for p in both}}
