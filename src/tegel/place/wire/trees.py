"""Trees of moves for eyes. A step is known by the moves that lead to it: by a digest of them, which
goes on from move to move."""

import hashlib
from collections.abc import Mapping
from typing import NamedTuple

from tegel.game import CHANCE, AnyGame, Move, State, game_of
from tegel.place.wire import messages, studies, views
from tegel.record import Record
from tegel.room.keys import beginning
from tegel.room.replays import reached
from tegel.room.setup import guest_name
from tegel.tree import Line, Path, Tree

MOST_MARKS = 4  # of a move that are shown as its ghost


class Mover(NamedTuple):
    """Who makes a move."""

    seat: int
    colour: str


Movers = Mapping[bytes, Mover]  # by digest of a step


def after(digest: bytes, move: str) -> bytes:
    """The digest of a step that follows another; `b""` stands for the beginning."""
    return hashlib.blake2b(digest + move.encode(), digest_size=12).digest()


def shown(line: Line, movers: Movers, digest: bytes = b"") -> list[studies.StudyStep]:
    """The steps of a line with who makes them, and their variations."""
    found = []
    for step in line:
        others = [shown(other, movers, digest) for other in step.others]
        digest = after(digest, step.move)
        who = movers[digest]
        found.append(
            studies.StudyStep(step.move, *who, mark=step.mark, note=step.note, others=others)
        )
    return found


def record_at(one: Tree, path: Path) -> Record:
    """The moves up to a step, as a record without what was noted; raises LookupError."""
    moves = one.moves(path) if path else ()
    return Record(one.game, one.variant, one.options, beginning(one), moves)


def headers(one: Tree | Record) -> dict[str, str]:
    """What a text says about its game. Nobody has checked whose names stand there: they are shown
    as those of guests."""
    return {
        key: guest_name(value) if key.startswith("seat-") else value
        for key, value in one.headers.items()
    }


def mover(game: AnyGame, state: State[Move]) -> Mover:
    """Who decides, and the colour of the tiles that they lay now."""
    own = [p for p in game.drawing.planes(state) if p.colour and p.seats == (state.turn,)]
    active = [plane for plane in own if plane.active]
    return Mover(state.turn, next((plane.colour for plane in (*active, *own)), ""))


def node(record: Record, path: str) -> studies.StudyNode:
    """The position at the end of a record, and what may be done there."""
    state = reached(record, len(record.moves))
    game, ply = game_of(state), len(record.moves)
    decided = not state.outcome and state.turn != CHANCE
    offer = views.offered(game, state, ply) if decided else None
    return studies.StudyNode(path, views.position(record, ply), tuple(game.sides(state)), offer)


def line(record: Record, moves: tuple[str, ...]) -> list[studies.LineStep]:
    """Moves that follow a record, with who makes them and what each puts on the table."""
    state = reached(record, len(record.moves))
    game = game_of(state)
    found = []
    for text in moves:
        who, before = mover(game, state), state
        state = state.play(game.parse(text))
        marks = _ghost(game, state) + _taken(game, before, state)
        found.append(studies.LineStep(text, *who, marks=marks))
    return found


def _ghost(game: AnyGame, state: State[Move]) -> list[messages.Mark]:
    """What the latest move put on the table."""
    trays = {plane.name for plane in game.drawing.planes(state) if plane.tray}
    return [
        messages.Mark(mark.plane, mark.sprite, mark.cell, mark.colour, "ghost")
        for mark in game.drawing.marks(state)
        if mark.role == "last" and mark.plane not in trays and mark.sprite
    ][:MOST_MARKS]


def _taken(game: AnyGame, before: State[Move], after: State[Move]) -> list[messages.Mark]:
    """What the latest move took from the board."""
    there = {(mark.plane, mark.cell) for mark in game.drawing.marks(after) if mark.tile}
    main = {plane.name for plane in game.drawing.planes(before) if plane.main}
    return [
        messages.Mark(mark.plane, mark.sprite, mark.cell, mark.colour, "taken")
        for mark in game.drawing.marks(before)
        if mark.tile and mark.plane in main and (mark.plane, mark.cell) not in there
    ][:1]
