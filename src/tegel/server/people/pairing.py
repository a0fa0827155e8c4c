"""Play someone: people who look for the same game are paired, whoever is nearest first.

A **wish** says what somebody looks for: a game with its variant and options, and a clock. It is a
row that lives as long as the connection of its **seeker**: the worker that has the connection
deletes it when that closes, and of workers that died nobody counts the wishes.

A pairing is one transaction: the wishes are locked, all of them are still open, the room is made,
and each wish says which. So of any that try at once one wins, and a worker that dies leaves either
a whole pairing behind or none. Pairings are told over the bus, and read from the table by who did
not hear. The worker of whoever waits longest tries; the others leave it to that one."""

import asyncio
import json
import re
import secrets
from collections.abc import Collection, Iterable, Sequence
from itertools import groupby
from math import inf
from typing import Any, NamedTuple, Protocol

import sqlalchemy as sa

from tegel import games
from tegel.room.clock import SECOND, clock
from tegel.room.refused import Refused
from tegel.room.setup import Place, Setup, name, seats
from tegel.server.people.blocks import Blocks
from tegel.server.people.ratings import Ratings, figure
from tegel.server.rooms.house import House
from tegel.server.storage import room_row, tables
from tegel.server.wire import messages
from tegel.server.wire.pairing import Found, Looking, Paired, Seek, Stopped
from tegel.server.workers.bus import ALL, Bus, News

FIRST, STEP = 100.0, 50.0  # of ratings: within reach at once, and how much more
EVERY = 5 * SECOND  # so often
ANYBODY = 60 * SECOND  # after which everybody is near enough
MOST = 200  # wishes for the same that are looked at, the oldest
MINUTE = 60 * SECOND  # for which a pairing is kept for who has not sat down there
OTHERS = 12  # whose ratings are told


Sought = tuple[str, str, str, str]  # a game, its variant and options, a clock


class Seeker(Protocol):
    """Somebody at the other end of a connection, who waits."""

    player: str

    def send(self, *messages: bytes) -> None: ...


class Wish(NamedTuple):
    """A row of the wishes that are open."""

    player: str
    ticket: str
    worker: str
    game: str
    variant: str
    options: str
    clock: str
    name: str
    rating: float
    at: int

    @property
    def sought(self) -> Sought:
        """What it is for: who wishes the same can play together."""
        return self.game, self.variant, self.options, self.clock


class Search(NamedTuple):
    """A wish of this worker, and who waits for it."""

    seeker: Seeker
    ticket: str


class Pairing:
    def __init__(
        self, house: House, blocks: Blocks, ratings: Ratings, bus: Bus, worker: str
    ) -> None:
        self.house, self.store, self.bus, self.worker = house, house.store, bus, worker
        self.blocks, self.ratings = blocks, ratings
        self.searches: dict[str, Search] = {}  # by player, of this worker
        self.told: dict[str, Looking] = {}  # what each was told last
        self.lock = asyncio.Lock()
        self.swept = 0

    # Who looks

    async def begin(self, seeker: Seeker, wish: Seek) -> None:
        """Look for somebody from now on; raises Refused or BadNotation for what can't be played."""
        player, c = seeker.player, tables.wishes.c
        sought = checked(wish)
        family = games.load(sought[0]).family(sought[1])
        rating = float(figure(await self.ratings.rating(player, sought[0], family)))
        now = self.house.heartbeat.now()
        row = Wish(player, wish.ticket, self.worker, *sought, wish.name, rating, now)
        log, sitting = tables.log.c, f"!sit % {player}"
        before = sa.select(c.room, c.at).where(c.player == player).with_for_update()

        def job(connection: sa.Connection) -> str:
            last = connection.execute(before).first()
            if last and last.room and now - last.at < MINUTE:
                sat = sa.select(log.seq).where(log.room == last.room, log.text.like(sitting))
                if not connection.execute(sat).first():
                    return str(last.room)  # where somebody waits for them
            connection.execute(self.store.upsert(tables.wishes, **row._asdict(), room=""))
            return ""

        if (last := self.searches.get(player)) and last.seeker is not seeker:
            self.stopped(player, wish.ticket)
        self.told.pop(player, None)
        self.searches[player] = Search(seeker, wish.ticket)
        if paired := await self.store.write(job):
            self.found({player: paired})
            return
        self.bus.tell(ALL, News(self.worker, "wish", data=f"{player} {wish.ticket}"))
        await self.pair()

    async def end(self, seeker: Seeker) -> None:
        """Somebody looks no more, or is gone."""
        search = self.searches.get(seeker.player)
        if search is None or search.seeker is not seeker:
            return
        del self.searches[seeker.player]
        self.told.pop(seeker.player, None)
        c = tables.wishes.c
        mine = (c.player == seeker.player, c.ticket == search.ticket, c.room == "")
        await self.store.change(sa.delete(tables.wishes).where(*mine))
        self.bus.tell(ALL, News(self.worker, "wish", data=""))

    def stopped(self, player: str, ticket: str) -> None:
        """A player looks with another ticket now: what was looked for before is over."""
        search = self.searches.get(player)
        if search and search.ticket != ticket:
            del self.searches[player]
            search.seeker.send(said(Stopped()))

    def found(self, rooms: dict[str, str]) -> None:
        """Tell those who wait here where they play."""
        for player, room in rooms.items():
            if search := self.searches.pop(player, None):
                self.told.pop(player, None)
                search.seeker.send(said(Paired(room)))

    async def heard(self, news: News) -> None:
        """What another worker tells: somebody looks, or was found."""
        if news.kind == "paired":
            self.found(json.loads(news.data))
        elif self.searches:
            if news.data:
                self.stopped(*news.data.split(" ", 1))
            self.house.background.start(self.pair())

    # Pairing

    async def sweep(self) -> None:
        """What is seen to every second: pairings that were not heard of, reaches that grew."""
        c, now = tables.wishes.c, self.house.heartbeat.now()
        if self.searches:
            mine = sa.select(c.player, c.ticket, c.room).where(
                c.player.in_(list(self.searches)), c.room != ""
            )
            rows = await self.store.rows(mine)
            known = {(player, search.ticket) for player, search in self.searches.items()}
            self.found({row.player: row.room for row in rows if (row.player, row.ticket) in known})
            await self.pair()
        if now - self.swept > MINUTE:
            self.swept = now
            old = c.at < now - MINUTE
            dead = c.worker.not_in(self.house.heartbeat.alive)
            await self.store.change(sa.delete(tables.wishes).where(old, sa.or_(c.room != "", dead)))

    async def pair(self) -> None:
        """Pair whom this worker can, and tell the others how it stands."""
        if not self.searches or self.lock.locked():
            return
        async with self.lock:
            open = await self.open_wishes()
            now = self.house.heartbeat.now()
            for sought, wishes in groupby(sorted(open, key=_sought), key=_sought):
                same = list(wishes)[:MOST]
                apart = await self.blocks.among([wish.player for wish in same])
                for group in groups(same, _seats(sought), now, apart):
                    if group[0].worker == self.worker:
                        await self._paired(group)
            self._tell(open, now)

    async def open_wishes(self) -> list[Wish]:
        """The wishes of those who wait, on any worker that is alive, the oldest first."""
        c = tables.wishes.c
        fields = [c[key] for key in Wish._fields]
        alive = c.worker.in_(self.house.heartbeat.alive)
        query = sa.select(*fields).where(c.room == "", alive).order_by(c.at, c.player)
        return [Wish(*row) for row in await self.store.rows(query.limit(10 * MOST))]

    async def _paired(self, group: Sequence[Wish]) -> None:
        """Make a room for some people, if all of them still look."""
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
        if await self.house.create_if(claim, setup, names):
            rooms = dict.fromkeys(dealt, setup.id)
            self.found(rooms)
            self.bus.tell(ALL, News(self.worker, "paired", data=json.dumps(rooms)))

    def _tell(self, open: Sequence[Wish], now: int) -> None:
        """Tell those who wait here how it stands, if that has changed."""
        wishes = {wish.player: wish for wish in open}
        for player, search in self.searches.items():
            if (wish := wishes.get(player)) is None:
                continue
            same = [w.rating for w in open if w.sought == wish.sought and w.player != player]
            waited = max(0, now - wish.at)
            message = Looking(
                waited=waited,
                rating=wish.rating,
                reach=_finite(reach(waited)),
                soon=_finite(reach(waited + EVERY)),
                others=tuple(same[:OTHERS]),
                all=len(open),
            )
            last = self.told.get(player)
            if last is None or _standing(last) != _standing(message):
                self.told[player] = message
                search.seeker.send(said(message))


def claimed(connection: sa.Connection, group: Sequence[Wish], room: str, now: int) -> bool:
    """Whether all of a group still look: if so, they are paired, once this is committed. Whoever is
    locked is being paired by another, or stops, and is left alone."""
    c = tables.wishes.c
    theirs = sa.tuple_(c.player, c.ticket).in_([(wish.player, wish.ticket) for wish in group])
    lock = sa.select(c.player).where(theirs, c.room == "").with_for_update(skip_locked=True)
    if len(connection.execute(lock).all()) < len(group):
        return False
    connection.execute(sa.update(tables.wishes).where(theirs).values(room=room, at=now))
    return True


def checked(wish: Seek) -> Sought:
    """What is looked for, as it is stored; raises Refused or BadNotation if that can't be."""
    if wish.game not in games.names():
        raise Refused("missing", f"There is no such game; there are {', '.join(games.names())}.")
    if not re.fullmatch(r"[\w-]{1,32}", wish.ticket, re.ASCII):
        raise Refused("invalid", "A ticket is a word of up to 32 letters.")
    time = clock(wish.clock)
    if time.up:
        raise Refused("invalid", "A clock counts up where there is one seat.")
    variant = wish.variant or next(iter(games.load(wish.game).variants))
    seats(wish.game, variant, wish.options)
    return wish.game, variant, json.dumps(dict(sorted(wish.options.items()))), str(time)


def reach(waited: int) -> float:
    """How far from somebody's rating that of another may be, after so many milliseconds.

    >>> reach(0), reach(12_000), reach(60_000)
    (100.0, 200.0, inf)
    """
    return FIRST + STEP * (waited // EVERY) if waited < ANYBODY else inf


def groups(
    wishes: Iterable[Wish], size: int, now: int, apart: Collection[frozenset[str]] = ()
) -> list[list[Wish]]:
    """Who shall play together, of some who wish the same: whoever waits longest chooses first, and
    has those who are nearest, if they are within reach; none who do not play with each other."""
    waiting, found = sorted(wishes, key=lambda wish: wish.at), []
    while len(waiting) >= size:
        first = waiting.pop(0)
        far = {wish.player: abs(wish.rating - first.rating) for wish in waiting}
        near = [wish for wish in waiting if far[wish.player] <= reach(now - first.at)]
        near.sort(key=lambda wish: far[wish.player])  # of those equally near, who waits longest
        group = [first]
        for wish in near:
            alone = all(frozenset((wish.player, one.player)) not in apart for one in group)
            group += [wish] if alone and len(group) < size else []
        if len(group) == size:
            found.append(group)
            waiting = [wish for wish in waiting if wish not in group]
    return found


def _seats(sought: Sought) -> int:
    game, variant, options, _ = sought
    return seats(game, variant, room_row.options(options))


def _sought(wish: Wish) -> Sought:
    return wish.sought


def _standing(message: Looking) -> tuple[Any, ...]:
    return message.reach, message.others, message.all


def _finite(value: float) -> float:
    return -1.0 if value == inf else value


def said(message: Found) -> bytes:
    return messages.encode(message)
