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
from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple, TypeVar, TypeVarTuple

from cachetools import TTLCache

from tegel import games
from tegel.game import words
from tegel.place.accounts.identity import Seals
from tegel.place.limits.limits import Budget
from tegel.place.limits.networks import household, prefixes
from tegel.place.ports import Broken
from tegel.place.rooms.house import House
from tegel.place.safety.store import RunningRow, SafetyStore
from tegel.place.tasks import nearness
from tegel.record import Record
from tegel.room.clock import DAY
from tegel.room.fairness import Asked, Running, Tie, has_begun, is_shared, running_footprint
from tegel.room.fairness import by_eye as is_by_eye
from tegel.room.judge import is_bot
from tegel.room.refused import Refused
from tegel.room.room import Room

T = TypeVar("T")
Ts = TypeVarTuple("Ts")
HOUR = DAY // 24
KNOWN = 20_000  # players and networks whose rows need not be written again
MOST = 2_000  # running games of a network that a position is compared with
MOST_BY_EYE = 1_000  # and of those by eye the latest
DEAREST = 10.0  # seconds of a processor that a comparison costs at most, which broke off
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
    def __init__(self, store: SafetyStore, house: House, seals: Seals, budget: Budget) -> None:
        self.store, self.house, self.seals, self.budget = store, house, seals, budget
        self.written = TTLCache[tuple[str, str], bool](
            KNOWN, HOUR, timer=lambda: house.heartbeat.now()
        )

    # Networks

    def met(self, player: str, network: str) -> None:
        """Remember that a player acts at a table, from a network."""
        key = (player, network)
        if key in self.written:
            return
        self.written[key] = True
        note = self.store.note_network(
            self._sealed(household(network)), player, self.house.heartbeat.now()
        )
        self.house.background.start(note)

    async def forget(self) -> None:
        """Forget the networks of players who did nothing for a day and have no running game."""
        await self.store.forget_networks(self.house.heartbeat.now() - DAY)

    def _sealed(self, network: str) -> str:
        return self.seals.keyed_hash("network", network)

    # Who gets no help

    async def permit(self, asker: Asker, record: Record, besides: str = "") -> None:
        """Raise Refused if somebody must not get help in the position at the end of a record;
        `besides` is the room in which they ask."""
        await self._permit(asker, record, nearness.asked_end, besides)

    async def permit_line(self, asker: Asker, record: Record) -> None:
        """Raise Refused if somebody must not get help in any position of a record."""
        await self._permit(asker, record, nearness.asked_record, "")

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
            eyes = await self._by_eye(record.game)
            await self._compare(asker, eyes, nearness.asked_end, record)

    async def permit_text(self, text: str, payer: str) -> None:
        """Raise Refused if a record comes near a running game by eye: whether its moves can be
        played would say what fits."""
        eyes = await self._all_by_eye()
        await self._compare(Asker((), payer), eyes, nearness.asked_text, text)

    async def permit_tree(self, text: str, payer: str) -> None:
        """The same for a tree of moves."""
        eyes = await self._all_by_eye()
        await self._compare(Asker((), payer), eyes, nearness.asked_tree, text)

    async def rest(self, room: Room, payer: str) -> Refused | None:
        """Why a room must rest, if it must: our bot would be of help to somebody there, or what
        fits is shown near a game by eye. A table of people from different networks never rests:
        anybody could stop their game by copying it. Nor does it rest for a game that has not begun,
        or nobody who has one could begin another against a bot. The comparison is charged to the
        payer; to nobody, if that is the room itself."""
        people = sorted({chair.player for chair in room.chairs if chair.player and not chair.left})
        if room.over or room.game.footprint is None or not await self._is_one(people):
            return None
        record = room.setup.record([played.text for played in room.line])
        game, id = room.setup.game, room.setup.id
        asker = Asker((*people,), "" if payer == id else payer)
        try:
            if len(people) == 1:
                for other in await self._resting(people, game, id):
                    if room.waits_for_bot or is_by_eye(other):
                        raise resting(other)
            eyes = await self._by_eye(game, id, room.setup.at or None)
            running = await self._running(asker, game, id, by_eye=not room.waits_for_bot)
            begun = [each for each in running if has_begun(each.footprint)]
            await self._compare(asker, [*eyes, *begun], nearness.asked_end, record)
        except Refused as refused:
            return refused
        return None

    async def _is_one(self, people: Sequence[str]) -> bool:
        """Whether all of some people act from one network, so that they may be one person."""
        return len(people) < 2 or await self.store.is_one_network(people)

    async def _permit(
        self, asker: Asker, record: Record, asked: Callable[[Record], Asked | None], besides: str
    ) -> None:
        for room in await self._resting(asker.players, record.game, besides):
            raise resting(room)
        eyes = await self._by_eye(record.game, besides)
        running = await self._running(asker, record.game, besides)
        await self._compare(asker, [*eyes, *running], asked, record)

    async def _compare(
        self, asker: Asker, running: Sequence[Running], asked: Callable[[T], Asked | None], what: T
    ) -> None:
        """Raise Refused if what somebody asks is near a running game. With many games, others
        get their turn in between."""
        if not running:
            return
        positions = await self._paid(asker, asked, what)
        for part, some in nearness.parts(positions, running) if positions else ():
            tie = await self._paid(asker, nearness.near, part, some)
            if tie == "eye":
                raise Refused("eye", BY_EYE)
            if tie:
                raise Refused("running", NEAR[tie])

    async def _paid(self, asker: Asker, task: Callable[[*Ts], T], *args: *Ts) -> T:
        """What a task returns; whoever asks pays for the time that it took."""
        payer = asker.network or next(iter(asker.players), "")
        try:
            found, seconds = await self.house.pools.facts.timed(task, *args, payer=payer)
        except Broken:
            self._settle(asker, DEAREST)
            raise
        self._settle(asker, min(seconds, DEAREST))
        return found

    def _settle(self, asker: Asker, seconds: float) -> None:
        if asker.network:
            alone = asker.players[0] if len(asker.players) == 1 else ""
            self.budget.settle(asker.network, alone, seconds)

    # Running games

    async def _resting(self, players: Collection[str], game: str, besides: str = "") -> list[Room]:
        """The games for the sake of which the engine rests for some people: rated ones, and those
        by eye, with a clock of minutes. It rests in all variants: a position of one can be built
        on the board of another. Programs never asked to be seated, so for them it does not."""
        those = [player for player in players if player and not is_bot(player)]
        found = []
        for id, player in await self.store.timed_games(those, game, besides, MOST):
            room = await self._room(id)
            seats = room.seats_of(player) if room else ()
            if room and is_shared(room) and any(not room.chairs[seat].left for seat in seats):
                found.append(room)
        return found

    async def _by_eye(
        self, game: str, besides: str = "", before: int | None = None
    ) -> list[Running]:
        """The running games that are played by eye; those that began before a time."""
        if not games.load(game).by_eye:
            return []
        rows = await self.store.games_by_eye(game, besides, before, MOST_BY_EYE)
        return await self._footprints(game, [(row, "eye") for row in rows])

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
        players = [player for player in asker.players if player]
        here = [self._sealed(each) for each in prefixes(asker.network)[:2] if each]
        which = (game, besides, 4 * MOST)
        beside = await self.store.games_beside(players, here, *which, by_eye=by_eye)
        own = await self.store.games_of(players, *which, by_eye=by_eye)
        ties: tuple[tuple[Tie, list[RunningRow]], ...] = ("network", beside), ("own", own)
        found = {
            row.room: (row, tie)
            for tie, rows in ties
            for row in rows
            if row.footprint is not None or _is_shared(row.places)
        }
        if len(found) > MOST:  # or a game could be hidden among others
            raise Refused("running", MANY)
        running = list[tuple[RunningRow, Tie]]()
        for row, tie in found.values():
            unbegun = tie == "own" and row.footprint and not has_begun(row.footprint)
            left = unbegun and await self._left(row.room, players)
            running.append((row, "network" if left else tie))
        return await self._footprints(game, running)

    async def _left(self, id: str, players: Sequence[str]) -> bool:
        """Whether some players play no more in a room."""
        room = await self._room(id)
        seats = [seat for player in players if room for seat in room.seats_of(player)]
        return room is None or all(room.chairs[seat].left for seat in seats)

    async def _footprints(self, game: str, rows: Sequence[tuple[RunningRow, Tie]]) -> list[Running]:
        """Running games with their footprints; a room that was last stored by an earlier edition
        has none yet and is opened."""
        found = []
        for row, tie in rows:
            text = row.footprint
            if text is None:
                room = await self._room(row.room)
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


def _is_shared(places: str) -> bool:
    """Whether more than one can sit at a table, as it was set out, who is no bot of ours."""
    told: list[dict[str, str]] = json.loads(places)
    players = {place["player"] for place in told if place.get("player")}
    return len(players) + sum(place["kind"] == "open" for place in told) > 1
