"""The lobby: what people do with rooms, and what that costs them.

It finds rooms, makes them, lists them, and lets people act in them through the one door, the
house. Here it is decided what somebody pays, who may not meet, and what a rated table must know
about where its players come from."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple

from tegel import games
from tegel.game import AnyGame
from tegel.game.chance import new_seed
from tegel.place.accounts.identity import Seals
from tegel.place.accounts.names import Names
from tegel.place.history.ratings import Ratings
from tegel.place.limits.buckets import Buckets
from tegel.place.limits.limits import SITE, Budget, Limits
from tegel.place.limits.networks import household, is_shared, widest
from tegel.place.ports import Chance, Work
from tegel.place.rooms.broadcast import said
from tegel.place.rooms.house import House, OriginAt
from tegel.place.rooms.live_room import LiveRoom, Watcher
from tegel.place.rooms.room_row import options
from tegel.place.rooms.store import Listing
from tegel.place.safety.blocks import Blocks
from tegel.place.safety.fairness import Asker, Fairness
from tegel.place.tasks import tasks
from tegel.place.tasks.tasks import Seating
from tegel.place.wire import messages, responses, views
from tegel.record import Record, folded
from tegel.room import actions
from tegel.room.clock import DAY, Clock, clock
from tegel.room.fairness import by_eye, opponents
from tegel.room.judge import check_rated, is_bot
from tegel.room.refused import Refused
from tegel.room.result import result
from tegel.room.room import Origin, Room
from tegel.room.setup import KEPT, Place, Setup, guest_name, name, seats

WEEK = 7 * DAY  # for which a table that nobody touches is listed
LEVEL = 4  # of bots that go on with a game in which there were none
MARK = 4  # letters, of 64: 256 addresses of IPv4 have the same
MANY_LISTED = (
    "{most} tables from your network are in the list already: join one of them, or invite somebody "
    "to this one by its link."
)
UNAGREED = "At a table with others there are hints only if that was agreed when it was made."
USED = "This link has been used, or is no longer valid."


class Seat(NamedTuple):
    """Who shall have a seat of a new room: you, anybody, one of our bots, or a program."""

    kind: Literal["person", "open", "bot"]
    level: int = LEVEL
    program: str = ""


@dataclass(frozen=True)
class NewRoom:
    """What somebody wishes for. No seats: the first is theirs, the others are open."""

    game: str
    variant: str = ""
    options: Mapping[str, str] = field(default_factory=dict)
    seats: Sequence[Seat] = ()
    shuffled: bool = False
    listed: bool = False
    hints: bool = False
    rated: bool = False
    clock: str = "none"
    name: str = ""


class Lobby:
    def __init__(
        self, house: House, names: Names, fairness: Fairness, blocks: Blocks, ratings: Ratings,
        budget: Budget, limits: Limits, seals: Seals, work: Work, chance: Chance,
    ) -> None:  # fmt: skip
        self.house, self.heartbeat, self.names = house, house.heartbeat, names
        self.fairness, self.blocks, self.ratings = fairness, blocks, ratings
        self.budget, self.limits, self.seals = budget, limits, seals
        self.work, self.chance = work, chance
        self.phrases = Buckets(limits.phrases, house.clock.monotonic)

    # Finding and making rooms

    async def find(self, id: str, payer: str, player: str = "") -> LiveRoom:
        """The room of a name; whoever asks pays if many rows have to be read for it. Raises
        Refused."""
        if not self.house.is_open(id):
            rows = (await self.house.store.lengths([id])).get(id, 0)
            self.budget.charge(payer, player, *["rows"] * (rows // 1000))
        return await self.house.find(id, payer)

    async def create(self, wish: NewRoom, player: str, payer: str) -> LiveRoom:
        """A new room as somebody wishes it, who has paid for the room; raises Refused."""
        game = games.load(wish.game)
        variant = wish.variant or next(iter(game.variants))
        chosen = {key: _word(game, key, value) for key, value in wish.options.items()}
        await self.work.prepare(variant, payer)
        count = seats(wish.game, variant, chosen)
        if clock(wish.clock).up and not game.solo:
            raise Refused("invalid", "A clock counts up where there is one seat.")
        called = await self.names.called(player, wish.name)
        places, names = await self._places(wish, count, player, called)
        if game.solo and any(place.kind == "bot" for place in places):
            raise Refused("invalid", "A puzzle is solved by a person; `reveal` shows a solution.")
        now = await self.heartbeat.fresh()
        setup = Setup(
            name(self.chance), wish.game, variant, places, chosen, clock(wish.clock), wish.listed,
            now, wish.hints, wish.rated,
        )  # fmt: skip
        check_rated(setup)
        bots = any(place.level for place in places)
        if wish.listed:
            await self._check_listed(payer, player)
        if bots:
            self.charge(payer, player, "bots")
        self.fairness.met(player, payer)
        mine = [seat for seat, place in enumerate(places) if place.player == player]
        come = (await self.origin(player, payer))(setup.id)
        seating = Seating(player, mine, names, come)
        return await self.house.create(setup, seating, payer=payer if bots else "", network=payer)

    async def _places(
        self, wish: NewRoom, count: int, player: str, called: str
    ) -> tuple[tuple[Place, ...], dict[str, str]]:
        """The places that are wished for, and what those who have one are called."""
        wishes = wish.seats or [Seat("person"), *[Seat("open")] * (count - 1)]
        if len(wishes) != count:
            raise Refused("invalid", f"This game has {count} seats, not {len(wishes)}.")
        places, names = [], {player: called} if called else {}
        for seat in wishes:
            if seat.kind == "person":
                places.append(Place("person", 0, player))
            elif seat.kind == "open":
                places.append(Place("open"))
            elif seat.program:
                found = await self.names.name(seat.program) if is_bot(seat.program) else ""
                if not found:
                    raise Refused("missing", "There is no such program.")
                places.append(Place("bot", 0, seat.program))
                names[seat.program] = found
            else:
                places.append(Place("bot", seat.level))
        if wish.shuffled:
            self.chance.shuffle(places)
        return tuple(places), names

    async def _check_listed(self, payer: str, player: str) -> None:
        """Raise Refused if so many tables of a network are in the list that one more can't be."""
        sealed, recent = self.house.sealed(payer, player), self.heartbeat.now() - DAY
        own, around = await self.house.store.listed_by(sealed, recent)
        for count, most in ((own, self.limits.listed), (around, SITE * self.limits.listed)):
            if count >= most:
                raise Refused("listed", MANY_LISTED.format(most=most), most=most)

    async def play_on(
        self, record: Record, levels: Sequence[int], wish: int | None, player: str, called: str,
        payer: str,
    ) -> LiveRoom:  # fmt: skip
        """A new room that goes on after a record: the player for the seat to move, our bots for
        the others, with the level that is wished for, or their own, by seat."""
        self.fairness.met(player, payer)
        await self.fairness.permit(Asker((player,), payer), record)
        at = await self.work.facts.run(views.position, record, len(record.moves), payer=payer)
        if at.turn < 0 and at.reason:
            raise Refused("over", "The game is over there.")
        called = await self.names.called(player, called)
        mine = max(at.turn, 0)
        places = tuple(
            Place("person", 0, player)
            if seat == mine
            else Place("bot", wish or _level(levels, seat))
            for seat in range(len(at.scores))
        )
        if len(places) > 1:
            self.charge(payer, player, "bots")
        self.budget.keep(payer, *record.moves)
        variant = record.variant or next(iter(games.load(record.game).variants))
        setup = Setup(
            name(self.chance), record.game, variant, places, dict(record.options),
            Clock(up=len(at.scores) == 1), at=await self.heartbeat.fresh(),
        )  # fmt: skip
        await self.work.prepare(variant, payer)
        seating = Seating(player, [mine], {player: called} if called else {})
        return await self.house.create(
            setup, seating, record.moves, payer if len(places) > 1 else ""
        )

    # Lists

    async def listed(self, game: str, reader: str) -> list[responses.Listed]:
        """The tables that strangers may find, with the ratings that their players show."""
        since = self.heartbeat.now() - WEEK
        found = await self.house.store.listed(game, since, self.limits.listed)
        people = {called.player for one in found if one.rated for called in one.names}
        figures = await self.ratings.figures(await self.ratings.shown(people))
        return self._readable(found, reader, figures)

    async def mine(self, reader: str, *, over: bool) -> list[responses.Listed]:
        """The games of somebody, those that wait for them first; no puzzles."""
        return self._readable(await self.house.store.rooms_of(reader, over=over), reader)

    def _readable(
        self,
        found: Sequence[Listing],
        reader: str,
        figures: Mapping[tuple[str, str, str], int] | None = None,
    ) -> list[responses.Listed]:
        """Rooms as lists show them; one that can't be read is reported and left out."""
        shown = []
        for one in found:
            try:
                shown.append(_listed(one, reader, figures))
            except ValueError as error:
                self.house.report(one.id, error)
        return shown

    # At a table

    async def shown(
        self, live: LiveRoom, player: str, newcomer: Origin | None = None
    ) -> messages.Room:
        """A room as a player sees it, who is here by asking for it."""
        self.house.presence.seen(live, player)
        seen = await self.house.broadcast.seen(live)
        return views.snapshot(live.room, seen, self.heartbeat.now(), player, newcomer)

    async def offer(self, live: LiveRoom, reader: str) -> messages.Offer | None:
        """What somebody may play now; raises Refused if it is not their turn."""
        self.house.presence.seen(live, reader)
        if not reader or live.room.waits_for != reader:
            raise Refused("turn", "It is not your turn.")
        await self.house.look_after(live)
        if live.resting:
            raise live.resting
        return views.offer(live.room)

    async def hear(
        self, live: LiveRoom, watcher: Watcher, message: messages.Incoming, payer: str
    ) -> None:
        """Do what somebody who watches a room says; raises Refused."""
        match message:
            case messages.Ping():
                watcher.send(said(messages.Pong(self.heartbeat.now())))
            case messages.Join():
                newcomer = await self.newcomer(live, watcher.player, payer)
                await self.house.join(live, watcher, message.since, newcomer)
            case messages.React():
                await self.react(live, watcher.player, message.key)
            case _:
                if not watcher.player:
                    raise Refused("seat", "Only players at this table can do that.")
                await self.act(live, watcher.player, message, payer)

    async def act(self, live: LiveRoom, player: str, action: actions.Action, payer: str) -> Room:
        """Do something in a room; new rooms and bots are charged. Raises Refused."""
        self.fairness.met(player, payer)
        if isinstance(action, actions.Sit):
            action = actions.Sit(action.seat, await self.names.called(player, action.name))
        match action:
            case actions.Rematch() if not live.room.rematch:
                await self._meet(live, player)
                bots = any(chair.level for chair in live.room.chairs)
                costs = ["room", "bots"] if bots else ["room"]
            case actions.Replace():
                costs = ["bots"]
            case actions.Sit() if not live.room.seats_of(player):
                await self._meet(live, player)
                come = await self.origin(player, payer)
                return await self.house.act(live, player, action, origin=come)
            case _:
                return await self.house.act(live, player, action)
        self.charge(payer, player, *costs)
        try:
            come = await self.origin(player, payer)
            return await self.house.act(live, player, action, payer, come)
        except Refused:
            self.budget.refund(payer, player, *costs)
            raise

    async def react(self, live: LiveRoom, player: str, key: str) -> None:
        """Let a player say something; raises Refused, also if they talk too much."""
        if not self.phrases.take(player):
            raise Refused("rate", "That was much talk at once: please wait a little.")
        others = {chair.player for chair in live.room.chairs if chair.player}
        self.house.react(live, player, key, await self.blocks.deaf(player, others))

    def link(self, live: LiveRoom, seat: int, player: str) -> str:
        """A link by which a player takes a seat along to another device; raises Refused."""
        if seat not in live.room.seats_of(player):
            raise Refused("seat", f"Seat {seat + 1} is not yours.")
        until, since = self.heartbeat.now() + DAY, live.room.chairs[seat].since
        words = f"{live.room.setup.id} {seat} {player} {until} {since}"
        return self.seals.sealed("seat", words)

    async def take(self, room: str, token: str, player: str, wish: str, payer: str) -> LiveRoom:
        """Give a player the seat of a link; raises Refused."""
        words = (self.seals.opened("seat", token) or "").split()
        if len(words) != 5 or words[0] != room or int(words[3]) < self.heartbeat.now():
            raise Refused("link", USED)
        live = await self.find(room, payer, player)
        called = await self.names.called(player, wish)
        called = called or guest_name(live.room.names.get(words[2], ""))
        await self.house.take_over(live, int(words[1]), int(words[4]), player, called)
        return live

    async def hint(self, live: LiveRoom, reader: str, payer: str) -> responses.Hint:
        """What to play, for whoever's turn it is; raises Refused where nobody may say."""
        if by_eye(live.room):
            raise Refused("eye", "This table is played by eye: nobody says what fits.")
        others, position = opponents(live.room, reader), live.room.position
        if others and not live.room.setup.hinting:
            raise Refused("hints", UNAGREED)
        record = played(live.room)
        asker = Asker((reader,), payer)
        await self.fairness.permit(asker, record, besides=live.room.setup.id)
        seed = new_seed(self.chance)
        found = await self.work.solvers.advise(tasks.hint, live.room.state, seed, payer=payer)
        if others and live.room.position == position:
            await self.house.hinted(live, reader)
        return found

    async def hint_at(self, record: Record, ply: int, reader: str, payer: str) -> responses.Hint:
        """What could have been played after some moves of a record; raises Refused."""
        if ply > len(record.moves):
            raise Refused("missing", f"The game has 0 to {len(record.moves)} moves.")
        at = replace(record, moves=record.moves[:ply])
        await self.fairness.permit(Asker((reader,), payer), at)
        seed = new_seed(self.chance)
        try:
            return await self.work.solvers.advise(tasks.position_hint, at, seed, payer=payer)
        except ValueError as error:  # nobody decides there
            raise Refused("nothing", f"There is nothing to advise: {error}.") from None

    async def record(self, live: LiveRoom, payer: str) -> Record:
        """The game of a room as a record, with who played it and how it ended."""
        room = live.room
        headers = {f"seat-{i + 1}": _called(chair) for i, chair in enumerate(views.chairs(room))}
        if room.over:
            ended = (await self.house.broadcast.seen(live)).result
            ended = ended or await self.work.facts.run(result, room, payer=payer)
            assert ended is not None
            winners = " ".join(str(seat + 1) for seat in ended.winners)
            headers["result"] = f"{ended.reason} {winners}".strip()
        return replace(played(room), headers=headers)

    # Where people come from, and what they pay

    async def origin(self, player: str, payer: str) -> OriginAt:
        """From where a player comes to rated tables: a mark that all of one network have, another
        in each room, and too short to say which network it is."""
        known = await self.names.name(player)
        named = known.startswith(KEPT) and is_shared(payer, self.limits.shared)

        def at(room: str) -> Origin:
            seal = self.seals.sealed(f"origin {room}", household(payer))
            return Origin(seal.rpartition(".")[2][:MARK], named)

        return at

    async def newcomer(self, live: LiveRoom, player: str, payer: str) -> Origin | None:
        """From where somebody comes who looks at a rated table and may yet sit down there."""
        room = live.room
        if not room.setup.rated or room.begun or room.seats_of(player):
            return None
        return (await self.origin(player, payer))(room.setup.id)

    async def _meet(self, live: LiveRoom, player: str) -> None:
        """Raise Refused if somebody at a table does not play with a player."""
        expected = {live.room.expected(seat) for seat in range(len(live.room.chairs))}
        await self.blocks.forbid(player, expected - {"", player})

    def charge(self, payer: str, player: str, *costs: str) -> None:
        """Charge for a room or its bots; raises Refused, also if too many bots play from there."""
        if "bots" in costs:
            running, around = self.limits.counts("bots"), widest(payer)
            for live in self.house.rooms.values():
                if live.payer and widest(live.payer) == around and not live.room.over:
                    running.add(live.payer)
            if running.over(payer, more=1):
                raise Refused("rate", "Too many games against bots are on from here.")
        self.budget.charge(payer, player, *costs)


def played(room: Room) -> Record:
    """The game of a room so far."""
    return room.setup.record([one.text for one in room.line])


def _word(game: AnyGame, key: str, value: str) -> str:
    """An option's value; a free text may come with its lines and spaces."""
    option = game.options.get(key)
    return folded(value) if option and option.open and value.split() != [value] else value


def _level(levels: Sequence[int], seat: int) -> int:
    """The level that a bot goes on with: its own, or that of the strongest at the table."""
    return (levels[seat] if seat < len(levels) else 0) or max(levels, default=0) or LEVEL


def _called(chair: messages.Chair) -> str:
    level = f"bot {chair.level}" if chair.level else ""
    return chair.name or level or chair.kind


def _listed(
    one: Listing, reader: str, figures: Mapping[tuple[str, str, str], int] | None
) -> responses.Listed:
    places = json.loads(one.places)
    family = games.load(one.game).family(one.variant) if one.rated and figures else ""
    ratings = [figures.get((n.player, one.game, family), 0) for n in one.names] if figures else ()
    return responses.Listed(
        one.id, one.game, one.variant, options(one.options), one.clock,
        len(places), one.open, one.ply, one.over,
        bool(reader) and one.waiting == reader, one.at, one.touched,
        moves=one.moves, names=tuple(called.name for called in one.names),
        deadline=one.deadline or 0,
        levels=tuple(place["level"] for place in places if place.get("level")),
        rated=one.rated, ratings=tuple(ratings) if family else (),
    )  # fmt: skip
