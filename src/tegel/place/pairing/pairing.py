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
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from math import inf
from typing import NamedTuple, Protocol

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
from tegel.place.pairing.store import PairingStore
from tegel.place.ports import Broken, Chance
from tegel.place.rooms import room_row
from tegel.place.rooms.house import House
from tegel.place.rooms.live_room import LiveRoom
from tegel.place.safety.blocks import Blocks
from tegel.place.tasks.tasks import Seating
from tegel.place.wire import messages
from tegel.place.wire.pairing import Found, Looking, Paired, Seek, Stopped
from tegel.room.clock import SECOND, clock
from tegel.room.refused import Refused
from tegel.room.room import NO_SHOW, Room
from tegel.room.setup import Place, Setup, name

SWEPT = 40  # things sought that are looked at every second, those not seen for longest
ARRIVAL = 20 * SECOND  # in which those who were paired must sit down
MINUTE = 60 * SECOND
OTHERS = 12  # whose ratings are told
LATE = 20  # games that are called off at once
FULL = "Several people look for a player from your network already: please try again soon."


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
        self, house: House, store: PairingStore, blocks: Blocks, ratings: Ratings, bus: Bus,
        worker: str, most: int, chance: Chance,
    ) -> None:  # fmt: skip
        self.house, self.store, self.bus, self.worker = house, store, bus, worker
        self.blocks, self.ratings, self.chance = blocks, ratings, chance
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
        opened = await self.store.open_wish(row, alive, self.most)
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
        await self.store.close_wish(seeker.player, search.ticket)
        self._changed()

    async def close(self) -> None:
        """End the searches of this worker, whose connections end now."""
        await self.store.close_wishes(self.worker)

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
        found = Counter(await self.store.count(self.house.heartbeat.alive))
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
            paired = await self.store.paired_of(self.worker)
            known = {(player, search.ticket) for player, search in self.searches.items()}
            self.found({one.player: one.room for one in paired if one[:2] in known})
            unseen = sorted(self.seekers, key=lambda sought: self.seen.get(sought, 0))
            await self.pair(*unseen[:SWEPT])
        served = now - max((end for _, end in self.house.heartbeat.outages[-1:]), default=0)
        if served > ARRIVAL:  # while nobody served, nobody could come
            for room in await self.store.late(now - ARRIVAL, LATE):
                await self._call_off(room)
        if now - self.swept > MINUTE:
            self.swept = now
            await self.store.forget(self.house.heartbeat.alive, now)

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
        same = await self.store.open_wishes(sought, self.house.heartbeat.alive, now)
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
        self.chance.shuffle(dealt)
        now = await self.house.heartbeat.fresh()
        places = tuple(Place("person", 0, player) for player in dealt)
        setup = Setup(
            name(self.chance), first.game, first.variant, places,
            room_row.options(first.options), time, at=now, rated=bool(time),
        )  # fmt: skip

        names = {wish.player: wish.name for wish in group if wish.name}
        draft, room = await self.house.draft(setup, Seating("", (), names))
        if not await self.store.make_if_claimed(draft, group, now):
            return False
        await self.house.made(room)
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
        """If the players of this table were paired, all of them have come once it has begun."""
        room, kept = live.room, all(place.kind == "person" for place in live.room.setup.places)
        if mine and kept and before and room.begun and not before.begun:
            self.house.background.start(self.store.settle(room.setup.id))

    async def _call_off(self, id: str) -> None:
        """Call off a game if somebody has not come to it."""
        room = None
        with suppress(Refused, Broken):  # it can't be opened, so nobody waits there
            room = await self.house.call_off(await self.house.find(id))
        if room and room.closed == NO_SHOW:
            came = {chair.player for chair in room.chairs}
            await self.store.give_back(id, came, self.house.heartbeat.now())
        else:
            await self.store.settle(id)


def _standing(message: Looking) -> tuple[object, ...]:
    return message.reach, message.others, message.same, message.all


def _finite(value: float) -> float:
    return -1.0 if value == inf else value


def said(message: Found) -> bytes:
    return messages.encode(message)
