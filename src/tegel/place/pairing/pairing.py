"""Play someone: people who look for the same game are paired, see `matching`.

A **wish** is a row that lives as long as the connection of its **seeker**: the worker that has the
connection deletes it when that closes, and of workers that died nobody counts the wishes. A worker
reads only wishes for what its own seekers seek, and so many of those at most: however many others
look for something else, it makes no difference.

A pairing is one transaction: the wishes are locked, all of them are still open, the room is made,
and each wish says which. So of any that try at once one wins, and a worker that dies leaves either
a whole pairing behind or none. Pairings are told over the bus, and read from the table by who did
not hear. The worker of whoever waits longest tries; the others leave it to that one.

People confirm a pairing by sitting down. If somebody has not after `ARRIVAL`, any worker calls the
game off: who did not come is noted (see `no_shows`), and the wishes of the others are given back,
with no connection yet: if they look for the same again, the time they waited counts."""

import asyncio
import json
import secrets
from collections import Counter
from collections.abc import Sequence
from math import inf
from typing import Any, NamedTuple, Protocol

import sqlalchemy as sa

from tegel import games
from tegel.place.bus import ALL, Bus, News
from tegel.place.history.ratings import Ratings, figure
from tegel.place.pairing.matching import (
    EVERY,
    Wish,
    checked,
    groups,
    players,
    reach,
    sought_key,
)
from tegel.place.pairing.no_shows import forget_no_shows
from tegel.place.pairing.wishes import (
    claimed,
    confirmed,
    count_wishes,
    forget_wishes,
    give_back,
    open_wish,
    read_wishes,
)
from tegel.place.ports import Broken
from tegel.place.rooms import room_row
from tegel.place.rooms.house import House
from tegel.place.rooms.live_room import LiveRoom
from tegel.place.safety.blocks import Blocks
from tegel.place.wire import messages
from tegel.place.wire.pairing import Found, Looking, Paired, Seek, Stopped
from tegel.room.clock import SECOND, clock
from tegel.room.refused import Refused
from tegel.room.room import NO_SHOW, Room
from tegel.room.setup import Place, Setup, name
from tegel.server.storage import tables

SWEPT = 40  # things sought that are looked at every second, those not seen for longest
ARRIVAL = 20 * SECOND  # in which those who were paired must sit down
MINUTE = 60 * SECOND
OTHERS = 12  # whose ratings are told
LATE = 20  # games that are called off at once
FULL = "Several people look for a player from your network already: please try again soon."
_c = tables.wishes.c


class Seeker(Protocol):
    """Somebody at the other end of a connection, who waits."""

    player: str

    def send(self, *messages: bytes) -> None: ...


class Search(NamedTuple):
    """A wish of this worker, and who waits for it."""

    seeker: Seeker
    ticket: str
    sought: str


class Pairing:
    def __init__(
        self, house: House, blocks: Blocks, ratings: Ratings, bus: Bus, worker: str, most: int
    ) -> None:
        self.house, self.store, self.bus, self.worker = house, house.database, bus, worker
        self.blocks, self.ratings = blocks, ratings
        self.most = most  # open wishes of a network
        self.searches: dict[str, Search] = {}  # by player, of this worker
        self.seekers: dict[str, dict[str, None]] = {}  # the same players, by what they seek
        self.seen: dict[str, int] = {}  # when that was last looked at
        self.due: dict[str, None] = {}  # what is to be looked at now
        self.told: dict[str, Looking] = {}  # what each was told last
        self.counts: Counter[str] | None = None  # how many look, by game, of late
        self.changes = 0  # of that
        self.lock = asyncio.Lock()
        self.swept = 0
        house.listeners.append(self._seated)

    # Who looks

    async def begin(self, seeker: Seeker, wish: Seek, network: str) -> None:
        """Look for somebody from now on; raises Refused or BadNotation for what can't be played,
        and Refused if many look from a network already."""
        player = seeker.player
        sought = checked(wish)
        family = games.load(sought[0]).family(sought[1])
        rating = float(figure(await self.ratings.rating(player, sought[0], family)))
        now = self.house.heartbeat.now()
        row = Wish(
            player, wish.ticket, self.worker, *sought, wish.name, rating, now,
            sought_key(sought), *self.house.sealed(network, player),
        )  # fmt: skip
        if (last := self.searches.get(player)) and last.seeker is not seeker:
            self.stopped(player, wish.ticket)
        self._drop(player)
        self._add(player, Search(seeker, wish.ticket, row.sought))
        alive = self.house.heartbeat.alive
        opened = await self.store.write(
            lambda connection: open_wish(self.store, connection, row, alive, self.most)
        )
        self._changed()
        if opened is None:
            self._drop(player)
            raise Refused("searches", FULL)
        if opened:
            self.found({player: opened})
            return
        data = f"{player} {wish.ticket} {row.sought}"
        self.bus.tell(ALL, News(self.worker, "wish", data=data))
        await self.pair(row.sought)

    async def end(self, seeker: Seeker) -> None:
        """Somebody looks no more, or is gone."""
        search = self.searches.get(seeker.player)
        if search is None or search.seeker is not seeker:
            return
        self._drop(seeker.player)
        mine = (_c.player == seeker.player, _c.ticket == search.ticket, _c.room == "")
        await self.store.change(sa.delete(tables.wishes).where(*mine))
        self._changed()

    def _add(self, player: str, search: Search) -> None:
        self.searches[player] = search
        self.seekers.setdefault(search.sought, {})[player] = None
        self._changed()

    def _drop(self, player: str) -> Search | None:
        self.told.pop(player, None)
        self._changed()
        if search := self.searches.pop(player, None):
            same = self.seekers[search.sought]
            del same[player]
            if not same:
                del self.seekers[search.sought]
                self.seen.pop(search.sought, None)
        return search

    def stopped(self, player: str, ticket: str) -> None:
        """A player looks with another ticket now: what was looked for before is over."""
        search = self.searches.get(player)
        if search and search.ticket != ticket:
            self._drop(player)
            search.seeker.send(said(Stopped()))

    def found(self, rooms: dict[str, str]) -> None:
        """Tell those who wait here where they play."""
        for player, room in rooms.items():
            if search := self._drop(player):
                search.seeker.send(said(Paired(room)))

    async def heard(self, news: News) -> None:
        """What another worker tells: somebody looks, or was found."""
        if news.kind == "paired":
            self.found(json.loads(news.data))
            return
        player, ticket, sought = news.data.split(" ")
        self.stopped(player, ticket)
        if sought in self.seekers:
            self.house.background.start(self.pair(sought))

    async def looking(self) -> Counter[str]:
        """How many look for somebody, by game."""
        if self.counts is not None:
            return self.counts
        changes = self.changes
        found = Counter(await count_wishes(self.store, self.house.heartbeat.alive))
        if changes == self.changes:  # or what was counted is old already
            self.counts = found
        return found

    def _changed(self) -> None:
        """Somebody looks, or looks no more: count them anew."""
        self.counts, self.changes = None, self.changes + 1

    # Pairing

    async def sweep(self) -> None:
        """What is seen to every second: pairings that were not heard of, reaches that grew, people
        who did not come."""
        now = self.house.heartbeat.now()
        self._changed()
        if self.searches:
            paired = sa.select(_c.player, _c.ticket, _c.room)
            rows = await self.store.rows(paired.where(_c.room > "", _c.worker == self.worker))
            known = {(player, search.ticket) for player, search in self.searches.items()}
            self.found({row.player: row.room for row in rows if (row.player, row.ticket) in known})
            unseen = sorted(self.seekers, key=lambda sought: self.seen.get(sought, 0))
            await self.pair(*unseen[:SWEPT])
        served = now - max((end for _, end in self.house.heartbeat.outages[-1:]), default=0)
        if served > ARRIVAL:  # while nobody served, nobody could come
            late = sa.select(_c.room).where(_c.room > "", _c.at < now - ARRIVAL).distinct()
            for row in await self.store.rows(late.limit(LATE)):
                await self._call_off(row.room)
        if now - self.swept > MINUTE:
            self.swept = now
            alive = self.house.heartbeat.alive
            await self.store.write(lambda connection: forget_wishes(connection, alive, now))
            await self.store.write(lambda connection: forget_no_shows(connection, now))

    async def pair(self, *soughts: str) -> None:
        """Pair those whom this worker can of who seek some things, and tell the others how it
        stands."""
        self.due |= dict.fromkeys(soughts)
        if self.lock.locked():
            return  # whoever has it goes on with what is due
        async with self.lock:
            while self.due:
                sought = next(iter(self.due))
                del self.due[sought]
                if sought in self.seekers:
                    await self._pair(sought)

    async def _pair(self, sought: str) -> None:
        now = self.seen[sought] = self.house.heartbeat.now()
        same = await read_wishes(self.store, sought, self.house.heartbeat.alive, now)
        if len(same) > 1 and len(same) >= (size := players(same[0])):
            apart = await self.blocks.among([wish.player for wish in same])
            for group in groups(same, size, now, apart):
                if group[0].worker == self.worker and await self._paired(group):
                    same = [wish for wish in same if wish not in group]
        await self._tell(sought, same, now)

    async def _paired(self, group: Sequence[Wish]) -> bool:
        """Make a room for some people, if all of them still look; whether they do."""
        first, time = group[0], clock(group[0].clock)
        dealt = [wish.player for wish in group]
        secrets.SystemRandom().shuffle(dealt)
        now = await self.house.heartbeat.fresh()
        setup = Setup(
            name(), first.game, first.variant, tuple(Place("person", 0, one) for one in dealt),
            room_row.options(first.options), time, at=now, rated=bool(time),
        )  # fmt: skip

        def claim(connection: sa.Connection) -> bool:
            return claimed(connection, group, setup.id, now)

        names = {wish.player: wish.name for wish in group if wish.name}
        if not await self.house.create_if(claim, setup, names):
            return False
        rooms = dict.fromkeys(dealt, setup.id)
        self.found(rooms)
        self.bus.tell(ALL, News(self.worker, "paired", data=json.dumps(rooms)))
        return True

    async def _tell(self, sought: str, same: Sequence[Wish], now: int) -> None:
        """Tell those who seek something here how it stands, if that has changed."""
        all_ = (await self.looking()).total()
        wishes = {wish.player: wish for wish in same}
        shown = [wish for wish in same if wish.shown][: OTHERS + 1]
        for player in list(self.seekers.get(sought, ())):
            if (wish := wishes.get(player)) is None:
                continue
            waited = max(0, now - wish.since)
            others = tuple(one.rating for one in shown if one.player != player)[:OTHERS]
            message = Looking(
                waited=waited,
                rating=wish.rating,
                reach=_finite(reach(waited)),
                soon=_finite(reach(waited + EVERY)),
                others=others,
                same=len(same) - 1,
                all=all_,
            )
            last = self.told.get(player)
            if last is None or _standing(last) != _standing(message):
                self.told[player] = message
                self.searches[player].seeker.send(said(message))

    # Sitting down

    def _seated(self, live: LiveRoom, before: Room | None, mine: bool) -> None:
        """Somebody has sat down: if the players of this table were paired, that confirms it."""
        room, kept = live.room, all(place.kind == "person" for place in live.room.setup.places)
        if mine and kept and before and not before.begun and before.chairs is not room.chairs:
            came = [chair.player for chair in room.chairs if chair.player]
            note = confirmed(room.setup.id, came, room.begun)
            self.house.background.start(self.store.change(note))

    async def _call_off(self, id: str) -> None:
        """Call off a game if somebody has not come to it."""
        try:
            room = await self.house.call_off(await self.house.find(id))
        except (Refused, Broken):  # it can't be opened, so nobody waits there
            await self.store.change(confirmed(id, (), begun=True))
            return
        if room.closed != NO_SHOW:
            await self.store.change(confirmed(id, (), begun=True))
            return
        came, now = {chair.player for chair in room.chairs}, self.house.heartbeat.now()
        await self.store.write(lambda connection: give_back(self.store, connection, id, came, now))


def _standing(message: Looking) -> tuple[Any, ...]:
    return message.reach, message.others, message.same, message.all


def _finite(value: float) -> float:
    return -1.0 if value == inf else value


def said(message: Found) -> bytes:
    return messages.encode(message)
