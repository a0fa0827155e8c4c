"""A room is the fold of its log. Nothing here has a socket, a database or a clock.

- **ply** counts the rows: the wire's moves say for which ply they are meant;
- the **line** is the moves that stand, those taken back left out;
- a **chair** says who plays a seat now;
- a draw that was taken back is **remembered**, and comes again."""

from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations
from typing import NamedTuple

from tegel import games
from tegel.game import CHANCE, AnyGame, Lean, Move, Seat, State, with_entry
from tegel.room import log
from tegel.room.clock import DAY
from tegel.room.log import Row
from tegel.room.setup import Setup
from tegel.room.stopwatch import UNUSED, Outages, Stopwatch

NO_SHOW = "noshow"  # why a game is closed that was called off because somebody did not come
SUBSTITUTE = 4  # the level of a bot that plays on for someone who left
STEP, RECENT = 16, 8  # the states of a line that are kept: of every so many moves, the last


class Played(NamedTuple):
    """A move of the line."""

    move: Move
    text: str
    seat: Seat
    ply: int
    misfit: bool = False  # tried though it did not fit: never taken back


@dataclass(frozen=True)
class Chair:
    player: str = ""
    level: int = 0  # of our bot that plays it; 0: its player does
    left: str = ""  # why its player is out of the game: resign, flag, absent
    since: int = -1  # the ply at which its player sat down

    @property
    def taken(self) -> bool:
        return bool(self.player or self.level)

    @property
    def played_by(self) -> str:
        """The player who moves it, if none of our bots does."""
        return "" if self.level else self.player


class Origin(NamedTuple):
    """From where a player came to a rated table: see `log.From`."""

    network: str
    named: bool = False

    def meets(self, other: "Origin") -> bool:
        """Whether a game of two such players would be one within a network, which does not count:
        where many share it, those who keep a name are known to be two."""
        return self.network == other.network and not (self.named and other.named)


class Kept(NamedTuple):
    """A state that the line came through, for when moves are taken back."""

    moves: int  # how many of them stand then
    state: State[Move]


class Wish(NamedTuple):
    """A wish to take back: by which seat, how many moves would stand, who agreed."""

    seat: Seat
    keep: int
    agreed: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Room(Lean):
    setup: Setup
    state: State[Move]
    sides: tuple[int, ...]
    chairs: tuple[Chair, ...]
    banks: tuple[int, ...]  # milliseconds left by seat, when its turn began
    ply: int = 0
    at: int = 0  # when the last row was stored
    turn_at: int = 0  # since when the clock of the turn runs
    position: int = 0  # the ply at which the position last changed
    line: tuple[Played, ...] = ()
    remembered: Mapping[int, str] = field(default_factory=dict)  # by number of the draw
    ask: Wish | None = None
    closed: str = ""  # why the game ended before its end: resign, flag, absent, reveal, noshow
    rematch: str = ""
    watch: Stopwatch = UNUSED  # where the clock counts up
    hints: int = 0  # that led on
    origins: Mapping[Seat, Origin] = field(default_factory=dict)  # at a rated table
    names: Mapping[str, str] = field(
        default_factory=dict
    )  # what players are called: not in the log
    outages: Outages = ()
    kept: tuple[Kept, ...] = field(default=(), compare=False)  # by number of moves, the first 0

    @property
    def game(self) -> AnyGame:
        return games.load(self.setup.game)

    @cached_property
    def begun(self) -> bool:
        return all(chair.taken for chair in self.chairs)

    @cached_property
    def over(self) -> bool:
        return bool(self.closed) or not self.state.moves()

    @cached_property
    def turn(self) -> Seat | None:
        """The seat that decides now, if the game is on."""
        on = self.begun and not self.over and self.state.turn != CHANCE
        return self.state.turn if on else None

    @cached_property
    def waits_for(self) -> str:
        """The player whose move the room waits for."""
        return "" if self.turn is None else self.chairs[self.turn].played_by

    def unrated(self, newcomer: Origin | None = None) -> str:
        """Why a game does not count though its table is rated, also if somebody sat down; empty
        if it does."""
        come = [*self.origins.values(), *([newcomer] if newcomer else [])]
        return "network" if any(one.meets(other) for one, other in combinations(come, 2)) else ""

    @property
    def waits_for_bot(self) -> bool:
        return self.turn is not None and self.chairs[self.turn].level > 0

    def seats_of(self, player: str) -> tuple[Seat, ...]:
        """The seats a player has, even if a bot plays one meanwhile."""
        return tuple(
            seat for seat, chair in enumerate(self.chairs) if player and chair.player == player
        )

    def held_for(self, player: str) -> tuple[Seat, ...]:
        """The seats that are kept for a player who has not sat down."""
        return tuple(
            seat
            for seat, (place, chair) in enumerate(zip(self.setup.places, self.chairs, strict=True))
            if player and place.player == player and not chair.taken
        )

    def expected(self, seat: Seat) -> str:
        """Who plays a seat, or for whom it is kept."""
        return self.chairs[seat].player or self.setup.places[seat].player

    def is_host(self, player: str) -> bool:
        """Whether a player says who else may play: a person for whom the table was set out or,
        if it was for none, who sat down first."""
        hosts = {
            self.expected(seat)
            for seat, place in enumerate(self.setup.places)
            if place.kind == "person"
        }
        if hosts:
            return player in hosts
        came = [chair for chair in self.chairs if chair.since >= 0]
        return bool(came) and min(came, key=lambda chair: chair.since).player == player

    def draws(self) -> int:
        return sum(played.seat == CHANCE for played in self.line)


# The clock


def running(room: Room) -> bool:
    """Time runs from the first move of a player on, for players, not for our bots."""
    return (
        bool(room.setup.clock)
        and bool(room.waits_for)
        and any(played.seat != CHANCE for played in reversed(room.line))
    )


def left(room: Room, seat: Seat, now: int) -> int | None:
    """The milliseconds a seat has left; None without a clock."""
    clock = room.setup.clock
    if not clock:
        return None
    full = clock.days * DAY or room.banks[seat]
    if seat != room.turn or not running(room):
        return full
    return full - _spent(room, now)


def _spent(room: Room, now: int) -> int:
    spent = now - room.turn_at
    if room.setup.clock.bank:  # days go on while nobody serves, banks do not
        spent -= sum(max(0, min(end, now) - max(start, room.turn_at))
                     for start, end in room.outages)  # fmt: skip
    return max(0, spent)


def deadline(room: Room) -> int | None:
    """When the flag of the turn falls, if nothing happens."""
    if room.turn is None or not running(room):
        return None
    rest = left(room, room.turn, room.turn_at)
    assert rest is not None
    at = room.turn_at + rest
    for start, end in room.outages if room.setup.clock.bank else ():
        if start < at:  # in order, so that each may move it behind the next
            at += max(0, end - max(start, room.turn_at))
    return at


def flagged(room: Room, now: int) -> Seat | None:
    """The seat whose time is up."""
    if room.turn is None or not running(room):
        return None
    rest = left(room, room.turn, now)
    return room.turn if rest is not None and rest <= 0 else None


# The fold


def begin(setup: Setup, outages: Outages = (), names: Mapping[str, str] | None = None) -> Room:
    """A room before the first row."""
    state = games.start(setup.record())
    chairs = tuple(
        Chair(place.player, place.level) if place.kind == "bot" else Chair()
        for place in setup.places
    )
    assert len(chairs) == len(state.scores)
    sides = tuple(games.load(setup.game).sides(state))
    banks = (setup.clock.bank,) * len(chairs)
    called = {place.player: place.name for place in setup.places if place.name}
    called |= names or {}
    return Room(
        setup, state, sides, chairs, banks, at=setup.at, outages=outages, names=called,
        kept=(Kept(0, copy(state)),),
    )  # fmt: skip


def folded(room: Room, rows: Iterable[Row]) -> Room:
    for row in rows:
        room = fold(room, row)
    return room


def opened(
    setup: Setup, rows: Sequence[Row], outages: Outages, names: Mapping[str, str] | None = None
) -> Room:
    """A room from storage."""
    return folded(begin(setup, outages, names), rows)


def fold(room: Room, row: Row) -> Room:
    """The room with one row more. A move raises BadNotation or IllegalMove if it can't be
    played; who may write a row is not judged here."""
    assert row.seq == room.ply, f"row {row.seq} at ply {room.ply}"
    event = row.event
    after = _moved(room, row) if event is None else _happened(room, row, event)
    if not room.setup.clock.up:
        return after
    over = bool(after.closed or after.state.outcome)
    return replace(after, watch=room.watch.after(event, row.at, over, room.outages))


def _happened(room: Room, row: Row, event: log.Event) -> Room:
    match event:
        case log.Sit(seat, player, name):
            after = _sat(room, row, seat, Chair(player, since=row.seq))
            if name:  # what is kept apart counts more
                after = replace(after, names={player: name, **room.names})
        case log.From(seat, network, named):
            after = replace(room, origins={**room.origins, seat: Origin(network, bool(named))})
        case log.Bot(seat, level):
            after = _sat(room, row, seat, replace(room.chairs[seat], level=level))
        case log.Resign(seat) | log.Flag(seat) | log.Absent(seat):
            after = _left(room, row, seat, event.word)
        case log.NoShow():
            after = replace(room, closed=NO_SHOW)
        case log.Ask(seat, keep):
            after = replace(room, ask=Wish(seat, keep))
        case log.Agree(seat):
            assert room.ask
            who = room.chairs[seat].player
            after = replace(room, ask=room.ask._replace(agreed=room.ask.agreed | {who}))
        case log.Refuse():
            after = replace(room, ask=None)
        case log.Takeback(keep):
            after = _taken_back(room, row, keep)
        case log.Rematch(other):
            after = replace(room, rematch=other)
        case log.Look() | log.Away():
            after = room
        case log.Hint():
            after = replace(room, hints=room.hints + 1)
        case log.Reveal(seat, keep, moves):
            after = _left(_shown(room, row, keep, moves), row, seat, event.word)
    return replace(after, ply=room.ply + 1, at=row.at)


def _moved(room: Room, row: Row) -> Room:
    game, before, seat = room.game, room.state, room.state.turn
    move = game.parse(row.text)
    state = before.play(move)
    misfit = game.attempts(before, move) and move not in before.moves()
    return room.having(
        state=state,
        banks=_charged(room, row.at, state.turn),
        ply=room.ply + 1,
        at=row.at,
        turn_at=row.at,
        position=room.ply + 1,
        line=(*room.line, Played(move, str(move), seat, room.ply, misfit)),
        ask=None,
        kept=_with(room.kept, len(room.line) + 1, state),
    )


def _with(kept: tuple[Kept, ...], moves: int, state: State[Move]) -> tuple[Kept, ...]:
    """The states kept with one more. As the last ones are there, a move and its takeback, again
    and again, cost no replay; as some others are, going back further costs STEP moves at most."""
    old = [k for k in kept if k.moves % STEP == 0 or k.moves > moves - RECENT]
    return (*old, Kept(moves, copy(state)))  # a copy has no derived facts, see `Lean`


def _charged(room: Room, at: int, following: Seat) -> tuple[int, ...]:
    """The banks when the turn passes: less what was spent, plus the increment unless the
    same seat goes on."""
    clock = room.setup.clock
    if not clock.bank:  # so nobody asks whether the game is over, which may take its time
        return room.banks
    seat = room.turn
    if seat is None or not running(room):
        return room.banks
    rest = max(0, room.banks[seat] - _spent(room, at))
    rest += clock.increment if following != seat else 0
    return with_entry(room.banks, seat, rest)


def _seated(room: Room, seat: Seat, chair: Chair) -> Room:
    return replace(room, chairs=with_entry(room.chairs, seat, chair))


def _sat(room: Room, row: Row, seat: Seat, chair: Chair) -> Room:
    """Someone else plays a seat; if it was its turn, its clock has run until now."""
    old = room.chairs[seat]
    chair = replace(chair, left=old.left)
    if seat != room.turn:
        return _seated(room, seat, chair)
    banks = _charged(room, row.at, seat)
    return replace(_seated(room, seat, chair), banks=banks, turn_at=row.at)


def _left(room: Room, row: Row, seat: Seat, reason: str) -> Room:
    """A player is out: the game ends if that leaves one side, or no people; otherwise a
    bot plays on."""
    chair = replace(room.chairs[seat], left=reason)
    if not chair.level:
        chair = replace(chair, level=SUBSTITUTE)
    banks = _charged(room, row.at, seat) if seat == room.turn else room.banks
    turn_at = row.at if seat == room.turn else room.turn_at
    after = replace(_seated(room, seat, chair), banks=banks, turn_at=turn_at, ask=None)
    people = any(chair.player and not chair.left for chair in after.chairs)
    if len(sides_in(after)) < 2 or not people:
        return replace(after, closed=reason, position=room.ply + 1)
    return after


def sides_in(room: Room) -> set[int]:
    """The sides that have not given up: a side has when a player of it left and no
    partner who is a person stays."""
    stay = {
        side
        for side, chair in zip(room.sides, room.chairs, strict=True)
        if chair.player and not chair.left
    }
    gone = {side for side, chair in zip(room.sides, room.chairs, strict=True) if chair.left}
    return set(room.sides) - (gone - stay)


def _taken_back(room: Room, row: Row, keep: int) -> Room:
    drawn = [played.text for played in room.line[keep:] if played.seat == CHANCE]
    first = room.draws() - len(drawn) if drawn else 0
    kept = tuple(k for k in room.kept if k.moves <= keep)
    moves, state = kept[-1]
    for played in room.line[moves:keep]:
        moves, state = moves + 1, state.play(played.move)
        kept = _with(kept, moves, state)
    return replace(
        room,
        state=state,
        banks=_charged(room, row.at, room.state.turn),
        turn_at=row.at,
        position=room.ply + 1,
        line=room.line[:keep],
        remembered={**room.remembered, **dict(enumerate(drawn, first))},
        ask=None,
        kept=kept,
    )


def _shown(room: Room, row: Row, keep: int, moves: Sequence[str]) -> Room:
    """The room after moves that nobody made, in place of those beyond `keep`."""
    after = _taken_back(room, row, keep)
    state, line = after.state, list(after.line)
    for text in moves:
        move = room.game.parse(text)
        line.append(Played(move, text, state.turn, room.ply))
        state = state.play(move)
    return replace(after, state=state, line=tuple(line))
