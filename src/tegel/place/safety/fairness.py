"""Fair play: who gets no help from us, because a game is still running.

Everything that thinks, or tells what fits, asks here first: hints, bots, studies with their lines,
reports and tries, moments, rooms that are continued from a position, records that are uploaded.

- Somebody who plays a rated game or one by eye, with a clock of minutes, gets **no help** in that
  game, whatever the position: the engine rests.
- Players of other running games, and everybody on their **networks**, get no help in positions
  that are **near** such a game (see `room.fairness`).
- Near a running game that is played by eye, nobody gets help or is shown what fits.

The networks of players are stored as keyed hashes, as long as their games run."""

import json
from collections import OrderedDict
from collections.abc import Callable, Collection, Sequence
from typing import Any, NamedTuple

import sqlalchemy as sa

from tegel import games
from tegel.game import words
from tegel.place.accounts.identity import Seals
from tegel.place.limits.networks import household, prefixes
from tegel.place.rooms.house import House
from tegel.place.tasks.nearness import near_end, near_line, near_text, near_tree
from tegel.record import Record
from tegel.room.clock import DAY
from tegel.room.fairness import Running, Tie, is_shared, running_footprint
from tegel.room.fairness import by_eye as is_by_eye
from tegel.room.judge import is_bot
from tegel.room.refused import Refused
from tegel.room.room import Room
from tegel.server.storage import tables

HOUR = DAY // 24
KNOWN = 20_000  # players and networks whose rows need not be written again
MOST = 2_000  # running games of a network that a position is compared with
MOST_BY_EYE = 1_000  # and of those by eye the latest
BY_EYE = "This position is near one in a game that is played by eye: no help until it is over."
NEAR: dict[Tie, str] = {
    "own": "This position is near one in a game that you are playing: no help until it is over.",
    "network": "This position is near one in a game that is played from your network: no help "
    "until it is over.",
}
MANY = "Too many games are running on your network: no help until some are over."


class Asker(NamedTuple):
    """Who asks for help: players, and the network they are on, if it is known."""

    players: tuple[str, ...]
    network: str = ""


class Fairness:
    def __init__(self, house: House, seals: Seals) -> None:
        self.house, self.store, self.seals = house, house.database, seals
        self.written: OrderedDict[tuple[str, str], int] = OrderedDict()

    # Networks

    def met(self, player: str, network: str) -> None:
        """Remember that a player acts at a table, from a network."""
        now, key = self.house.heartbeat.now(), (player, network)
        if now - self.written.get(key, 0) < HOUR:
            return
        self.written[key] = now
        self.written.move_to_end(key)
        if len(self.written) > KNOWN:
            self.written.popitem(last=False)
        change = self.store.upsert(
            tables.networks, network=self._sealed(household(network)), player=player, at=now
        )
        self.house.background.start(self.store.change(change))

    async def forget(self) -> None:
        """Forget the networks of players who did nothing for a day and have no running game."""
        c, recent = tables.networks.c, self.house.heartbeat.now() - DAY
        p, r = tables.playing.c, tables.rooms.c
        shared = sa.select(p.player).join(tables.rooms, r.id == p.room)
        playing = shared.where(r.over.is_(False), _compared())
        await self.store.change(
            sa.delete(tables.networks).where(c.at < recent, c.player.not_in(playing))
        )

    def _sealed(self, network: str) -> str:
        return self.seals.keyed_hash("network", network)

    # Who gets no help

    async def permit(self, asker: Asker, record: Record, besides: str = "") -> None:
        """Raise Refused if somebody must not get help in the position at the end of a record;
        `besides` is the room in which they ask."""
        await self._permit(asker, record, near_end, besides)

    async def permit_line(self, asker: Asker, record: Record) -> None:
        """Raise Refused if somebody must not get help in any position of a record."""
        await self._permit(asker, record, near_line, "")

    async def permit_game(self, player: str, game: str, *, by_eye: bool = False) -> None:
        """Raise Refused if the engine rests for a player in a game, whatever the position;
        `by_eye`: only if they play it by eye."""
        for room in await self._resting((player,), game):
            if is_by_eye(room) or not by_eye:
                raise resting(room)

    async def permit_fitting(self, asker: Asker, record: Record) -> None:
        """Raise Refused if nobody may be shown what fits in the position at the end of a record,
        or this player may not, who plays by eye."""
        if games.load(record.game).by_eye:
            for player in asker.players:
                await self.permit_game(player, record.game, by_eye=True)
            await self._compare(asker, near_end, record, await self._by_eye(record.game))

    async def permit_text(self, text: str, payer: str) -> None:
        """Raise Refused if a record comes near a running game by eye: whether its moves can be
        played would say what fits."""
        await self._compare(Asker((), payer), near_text, text, await self._all_by_eye())

    async def permit_tree(self, text: str, payer: str) -> None:
        """The same for a tree of moves."""
        await self._compare(Asker((), payer), near_tree, text, await self._all_by_eye())

    async def rest(self, room: Room, payer: str) -> Refused | None:
        """Why a room must rest, if it must: our bot would be of help to somebody there, or what
        fits is shown near a game by eye. A table of people from different networks never rests:
        anybody could stop their game by copying it. The comparison is the payer's."""
        people = sorted({chair.player for chair in room.chairs if chair.player and not chair.left})
        if room.over or room.game.footprint is None or not await self._is_one(people):
            return None
        record = room.setup.record([played.text for played in room.line])
        asker, game, id = Asker((*people,), payer), room.setup.game, room.setup.id
        try:
            if len(people) == 1:
                for other in await self._resting(people, game, id):
                    if room.waits_for_bot or is_by_eye(other):
                        raise resting(other)
            eyes = await self._by_eye(game, id, room.setup.at)
            running = await self._running(asker, game, id, by_eye=not room.waits_for_bot)
            await self._compare(asker, near_end, record, [*eyes, *running])
        except Refused as refused:
            return refused
        return None

    async def _is_one(self, people: Sequence[str]) -> bool:
        """Whether all of some people act from one network, so that they may be one person."""
        if len(people) < 2:
            return True
        c = tables.networks.c
        query = sa.select(c.network).where(c.player.in_(people)).group_by(c.network)
        return bool(await self.store.rows(query.having(sa.func.count() == len(people)).limit(1)))

    async def _permit(
        self,
        asker: Asker,
        record: Record,
        near: Callable[[Record, Sequence[Running]], Tie | None],
        besides: str,
    ) -> None:
        for room in await self._resting(asker.players, record.game, besides):
            raise resting(room)
        eyes = await self._by_eye(record.game, besides)
        await self._compare(
            asker, near, record, [*eyes, *await self._running(asker, record.game, besides)]
        )

    async def _compare(
        self,
        asker: Asker,
        near: Callable[[Any, Sequence[Running]], Tie | None],
        asked: Record | str,
        running: Sequence[Running],
    ) -> None:
        if not running:
            return
        payer = asker.network or next(iter(asker.players), "")
        tie = await self.house.pools.facts.run(near, asked, running, payer=payer)
        if tie == "eye":
            raise Refused("eye", BY_EYE)
        if tie:
            raise Refused("running", NEAR[tie])

    # Running games

    async def _resting(self, players: Collection[str], game: str, besides: str = "") -> list[Room]:
        """The games for the sake of which the engine rests for some people: rated ones, and those
        by eye, with a clock of minutes. It rests in all variants: a position of one can be built
        on the board of another. Programs never asked to be seated, so for them it does not."""
        p, r = tables.playing.c, tables.rooms.c
        query = sa.select(r.id, p.player).join(tables.rooms, r.id == p.room).where(
            p.player.in_([player for player in players if player and not is_bot(player)]),
            r.over.is_(False), r.open == 0, sa.or_(r.rated, r.eye), r.clock.like("bank %"),
            r.game == game, r.id != besides,
        )  # fmt: skip
        found = []
        for row in await self.store.rows(query.limit(MOST)):
            room = await self._room(row.id)
            seats = room.seats_of(row.player) if room else ()
            if room and is_shared(room) and any(not room.chairs[seat].left for seat in seats):
                found.append(room)
        return found

    async def _by_eye(self, game: str, besides: str = "", until: int = 0) -> list[Running]:
        """The running games that are played by eye; `until`: those that began before."""
        if not games.load(game).by_eye:
            return []
        r = tables.rooms.c
        query = sa.select(r.id, r.footprint).where(
            r.eye, r.over.is_(False), r.game == game, r.id != besides, _compared(),
            *([r.at < until] if until else []),
        )  # fmt: skip
        rows = await self.store.rows(query.order_by(r.touched.desc()).limit(MOST_BY_EYE))
        return await self._footprints(game, [(row.id, row.footprint, "eye") for row in rows])

    async def _all_by_eye(self) -> list[Running]:
        found = []
        for game in games.names():
            found += await self._by_eye(game)
        return found

    async def _running(
        self, asker: Asker, game: str, besides: str, *, by_eye: bool = False
    ) -> list[Running]:
        """The running games of some players, and of all who act from the same networks; `by_eye`:
        only those that are played by eye."""
        n, p, r = tables.networks.c, tables.playing.c, tables.rooms.c
        players = [player for player in asker.players if player]
        theirs = sa.select(n.network).where(n.player.in_(players))
        here = [self._sealed(each) for each in prefixes(asker.network)[:2] if each]
        beside = sa.select(n.player).where(sa.or_(n.network.in_(theirs), n.network.in_(here)))
        found: dict[str, tuple[str, str | None, Tie]] = {}
        whose: tuple[tuple[Tie, Any], ...] = (
            ("network", p.player.in_(beside)), ("own", p.player.in_(players)),
        )  # fmt: skip
        for tie, those in whose:
            query = sa.select(r.id, r.footprint, r.places).join(tables.rooms, r.id == p.room)
            on = [r.over.is_(False), r.game == game, r.id != besides, _compared()]
            on += [r.eye] if by_eye else []
            for row in await self.store.rows(query.where(those, *on).limit(4 * MOST)):
                if row.footprint is not None or _is_shared(row.places):
                    found[row.id] = (row.id, row.footprint, tie)
        if len(found) > MOST:  # or a game could be hidden among others
            raise Refused("running", MANY)
        return await self._footprints(game, list(found.values()))

    async def _footprints(
        self, game: str, rows: Sequence[tuple[str, str | None, Tie]]
    ) -> list[Running]:
        """Running games with their footprints; a room that was last stored by an earlier edition
        has none yet and is opened."""
        found = []
        for id, text, tie in rows:
            if text is None:
                room = await self._room(id)
                text = running_footprint(room) if room else ""
            if text:
                found.append(Running(tie, game, text))
        return found

    async def _room(self, id: str) -> Room | None:
        try:
            return (await self.house.find(id)).room
        except Refused:
            return None  # it can't be opened, so nobody plays it


def resting(room: Room) -> Refused:
    """The friendly sentence for somebody who plays in a room."""
    game, variant = room.setup.game, room.setup.variant
    said = words(game)
    called = f"{said['game']['name']} ({said['variants'][variant].partition(':')[0]})"
    eye = is_by_eye(room)
    kind = "a rated game of " if room.setup.rated else ""
    text = f"The engine rests while you play {kind}{called}{'' if kind else ' by eye'}."
    return Refused("rests", text, game=game, variant=variant, eye=eye, rated=room.setup.rated)


def _compared() -> Any:
    """Whether a running game has a footprint, or may have one that was not stored yet."""
    r = tables.rooms.c
    return sa.or_(r.footprint != "", r.footprint.is_(None))


def _is_shared(places: str) -> bool:
    """Whether more than one can sit at a table, as it was set out, who is no bot of ours."""
    told: list[dict[str, str]] = json.loads(places)
    players = {place["player"] for place in told if place.get("player")}
    return len(players) + sum(place["kind"] == "open" for place in told) > 1
