"""A room as data for eyes: planes, marks, scores, result; what changed since; the offer.

Nothing here knows who is asking: one message serves everybody who watches. What takes
long at the end of a game runs in the pool (see `house`)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import compress, count
from operator import is_not

from tegel import games, picture
from tegel.game import AnyGame, Move, State, game_of
from tegel.place.wire import copies, messages, responses
from tegel.record import Record
from tegel.room import log
from tegel.room import room as rooms
from tegel.room.judge import Step
from tegel.room.replays import reached
from tegel.room.result import Result
from tegel.room.result import result as outcome
from tegel.room.room import Origin, Room, running
from tegel.room.setup import KEPT


@dataclass(frozen=True)
class View:
    """What a position looks like, and how it stands."""

    state: State[Move]
    planes: tuple[picture.Plane, ...]
    scores: tuple[int, ...]
    result: Result | None = None
    gained: tuple[int, ...] = ()  # where it is not the scores

    @cached_property
    def marks(self) -> tuple[picture.Mark, ...]:
        return tuple(game_of(self.state).drawing.marks(self.state))


def view(room: Room) -> View:
    """The view of a room. Its marks are drawn when they are asked for; but at once when it is
    over, for that may take long, and then this runs in the pool."""
    game, state = room.game, room.state
    planes, gained = tuple(game.drawing.planes(state)), tuple(game.gained(state))
    differing = gained if gained != tuple(state.scores) else ()
    seen = View(state, planes, state.scores, outcome(room), differing)
    if room.over:
        _ = seen.marks
    return seen


def step_view(step: Step) -> tuple[list[messages.Event], View]:
    """What a move brought about, and the view after it."""
    return events(step), view(step.after)


def events(step: Step) -> list[messages.Event]:
    game, before, after = step.before.game, step.before.state, step.after.state
    return [copies.event(e) for e in game.events(before, step.after.line[-1].move, after)]


# Messages


def snapshot(
    room: Room, seen: View, now: int, player: str = "", newcomer: Origin | None = None
) -> messages.Room:
    """A room as a player sees it, or everybody; `newcomer`: from where somebody comes who has no
    seat yet."""
    setup = room.setup
    return messages.Room(
        ply=room.ply,
        id=setup.id,
        game=setup.game,
        variant=setup.variant,
        options=dict(setup.options),
        clock=str(setup.clock),
        listed=setup.listed,
        hinting=setup.hinting,
        rated=setup.rated,
        unrated=room.unrated(newcomer),
        eye=room.game.by_eye is not None and room.game.by_eye(room.state),
        seats=chairs(room),
        begun=room.begun,
        over=room.over,
        turn=turn(room),
        colour=colour(room),
        scores=seen.scores,
        gained=seen.gained,
        planes=[copies.plane(p) for p in seen.planes],
        marks=[copies.mark(m) for m in seen.marks],
        moves=[messages.Played(played.ply, played.seat, played.text) for played in room.line],
        clocks=clocks(room, now),
        ask=wish(room),
        result=result(seen),
        hints=room.hints,
        rematch=room.rematch,
        task=copies.task(room.game, room.state, setup.variant, setup.options),
        you=room.seats_of(player),
        held=() if room.over else room.held_for(player),
    )


def moved(
    step: Step, happened: list[messages.Event], old: View, new: View, now: int
) -> messages.Moved:
    after = step.after
    return messages.Moved(
        ply=after.ply,
        move=after.line[-1].text,
        seat=after.line[-1].seat,
        events=happened,
        marks=marks_after(after.game, old, new),
        planes=changed_planes(old.planes, new.planes),
        turn=turn(after),
        colour=colour(after),
        scores=new.scores,
        gained=new.gained,
        clocks=clocks(after, now),
        result=result(new),
    )


def happened(event: log.Event, after: Room, seen: View, now: int) -> messages.Happened:
    return messages.Happened(
        ply=after.ply,
        event=event.word,
        seat=getattr(event, "seat", -1),
        seats=chairs(after),
        begun=after.begun,
        over=after.over,
        turn=turn(after),
        clocks=clocks(after, now),
        ask=wish(after),
        result=result(seen),
        hints=after.hints,
        rematch=after.rematch,
        unrated=after.unrated(),
    )


def offer(room: Room) -> messages.Offer | None:
    """What the seat to move may do; nothing when no person is to move."""
    if room.turn is None:
        return None
    return offered(room.game, room.state, room.ply)


def offered(game: AnyGame, state: State[Move], ply: int) -> messages.Offer:
    """What may be done in a position."""
    found = game.offer(state)
    return messages.Offer(
        ply=ply,
        seat=state.turn,
        slots=copies.slots(found.slots),
        choices=[copies.choice(choice) for choice in found.choices],
        any=found.any,
        lifting=found.lifting,
        pieces=[copies.piece(piece) for piece in found.pieces],
        begin=found.begin,
    )


def turn(room: Room) -> int:
    return -1 if room.turn is None else room.turn


def colour(room: Room) -> str:
    return "" if room.over else room.game.colour(room.state)


def chairs(room: Room) -> tuple[messages.Chair, ...]:
    found = []
    for place, chair, side in zip(room.setup.places, room.chairs, room.sides, strict=True):
        kind: messages.ChairKind = place.kind
        name = room.names.get(chair.player, "")
        if chair.player:
            kind = "bot" if chair.player.startswith("bot-") else "person"
        elif chair.level:
            kind = "bot"
        elif kind == "person":
            kind, name = "held", room.names.get(place.player, "")
        handle = name.removeprefix(KEPT) if name.startswith(KEPT) else ""
        found.append(messages.Chair(kind, side, name, chair.level, chair.left, handle=handle))
    return tuple(found)


def clocks(room: Room, now: int) -> messages.Clocks | None:
    if room.setup.clock.up:
        spent = room.watch.at(now, room.outages)
        return messages.Clocks((spent,), 0 if room.watch.since else -1, up=True)
    if not room.setup.clock:
        return None
    rest = [max(0, rooms.left(room, seat, now) or 0) for seat in range(len(room.chairs))]
    return messages.Clocks(tuple(rest), turn(room) if running(room) else -1)


def wish(room: Room) -> messages.Wish | None:
    return messages.Wish(room.ask.seat, room.ask.keep) if room.ask else None


def result(seen: View) -> messages.Result | None:
    found = seen.result
    return messages.Result(found.winners, found.reason, found.ranks) if found else None


# What changed


def marks_after(game: AnyGame, old: View, new: View) -> list[messages.Mark | tuple[int, int]]:
    """The marks after a move in terms of those before it."""
    if changes := game.drawing.changes:
        entries = changes(old.state, new.state)
        return [copies.mark(e) if isinstance(e, picture.Mark) else e for e in entries]
    return changed_marks(old.marks, new.marks)


def changed_marks(
    old: Sequence[picture.Mark], new: Sequence[picture.Mark]
) -> list[messages.Mark | tuple[int, int]]:
    """The new list in terms of the old: runs of it as (first, count), and new marks. Most
    changes are in one place, so what is equal before and after it is not looked up, nor what
    goes on as before."""
    head = _alike(old, new)
    tail = min(_alike(old[::-1], new[::-1]), len(old) - head, len(new) - head)
    places = dict(zip(old[head : len(old) - tail], count(head), strict=False))
    runs: list[messages.Mark | tuple[int, int]] = []
    first, end = 0, head  # of the run of the old list that is being followed
    for m in new[head : len(new) - tail]:
        if end < len(old) and m is old[end]:
            end += 1
            continue
        place = places.get(m)
        if place == end:
            end += 1
            continue
        if first < end:
            runs.append((first, end - first))
        if place is None:
            runs.append(copies.mark(m))
            first = end
        else:
            first, end = place, place + 1
    if first < end:
        runs.append((first, end - first))
    if tail:
        runs.append((len(old) - tail, tail))
    return runs


def _alike(old: Sequence[picture.Mark], new: Sequence[picture.Mark]) -> int:
    """How many marks are the same from the beginning on. Most that stay are the very same, which
    is faster to see than that they are equal."""
    most = min(len(old), len(new))
    found = next(compress(count(), map(is_not, old, new)), most)
    while found < most and old[found] == new[found]:
        found += 1
    return found


def changed_planes(
    old: Sequence[picture.Plane], new: Sequence[picture.Plane]
) -> list[messages.Plane | tuple[int, int]]:
    places = {p.name: i for i, p in enumerate(old)}
    found: list[messages.Plane | tuple[int, int]] = []
    for p in new:
        place = places.get(p.name, -1)
        same = place >= 0 and (old[place] is p or old[place] == p)
        found.append((place, 1) if same else copies.plane(p))
    return found


# A position of a record, for study; runs in the pool


def position(record: Record, ply: int) -> responses.Position:
    """The position of a game after some of its moves, with marks and account."""
    game = games.load(record.game)
    state = reached(record, max(0, ply - 1))
    brought: list[messages.Event] = []
    for step in games.replay(
        games.bounded(replace(record, moves=record.moves[:ply])), ply - 1, state
    ):
        state = step.after
        brought = [copies.event(e) for e in game.events(step.before, step.move, state)]
    outcome = state.outcome
    return responses.Position(
        game=record.game,
        variant=record.variant,
        ply=ply,
        plies=len(record.moves),
        move=record.moves[ply - 1] if ply else "",
        events=brought,
        turn=-1 if outcome else state.turn,
        colour="" if outcome else game.colour(state),
        scores=state.scores,
        winners=outcome.winners if outcome else (),
        reason=outcome.reason if outcome else "",
        account=[copies.item(i) for i in game.account(state)],
        planes=[copies.plane(p) for p in game.drawing.planes(state)],
        marks=[copies.mark(m) for m in game.drawing.marks(state)],
    )


def svg(record: Record, ply: int, language: str, theme: str, patterns: bool) -> str:
    """A position of a game as SVG."""
    state = reached(record, ply)
    return games.load(record.game).picture(state, language).svg(theme=theme, patterns=patterns)


def board(room: Room, theme: str) -> str:
    """The board of a room as SVG."""
    return room.game.picture(room.state).only("board").svg(theme=theme, small=True)


def small(record: Record, theme: str) -> str:
    """The board at the end of a record as SVG."""
    picture = games.load(record.game).picture(reached(record, len(record.moves)))
    return picture.only("board").svg(theme=theme, small=True)


def account(room: Room) -> list[responses.Item]:
    return [copies.item(i) for i in room.game.account(room.state)]


def checked(text: str) -> tuple[str, responses.Checked]:
    """A record from its text in any format, written our way, and how its game stands;
    raises BadNotation or BadRecord."""
    record = games.read(text)
    state = reached(record, len(record.moves))
    outcome = state.outcome
    return str(record), responses.Checked(
        "",
        record.game,
        record.variant or next(iter(games.load(record.game).variants)),
        dict(record.options),
        dict(record.headers),
        len(record.moves),
        state.scores,
        outcome.winners if outcome else (),
        outcome.reason if outcome else "",
    )
