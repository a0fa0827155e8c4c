"""Trees of moves for eyes, and what is asked about their steps; but for `shown` it runs in the
pool. A step is known by the moves that lead to it: by a digest of them, which goes on from move
to move."""

import hashlib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any, NamedTuple

from tegel import games, tree
from tegel.game import CHANCE, BadNotation, Game, IllegalMove, State, game_of
from tegel.game.chance import Chance, seeded
from tegel.games import BadRecord
from tegel.picture import svg
from tegel.place.wire import messages, studies, views
from tegel.record import Record, folded
from tegel.room.keys import POSITION, beginning
from tegel.room.replays import reached
from tegel.room.setup import guest_name
from tegel.search.chance import draw
from tegel.study import MOST_MOVES, begun
from tegel.tree import Line, Path, Tree

MOST_FRAMES = 120  # of a film
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
        mover = movers[digest]
        found.append(
            studies.StudyStep(step.move, *mover, mark=step.mark, note=step.note, others=others)
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


# In the pool


def read(text: str) -> Tree:
    """The tree that a text is: a tree or a record, another program's, or a position, in which it
    begins then; raises BadNotation."""
    word = text.split(maxsplit=1)[0] if text.strip() else ""
    if word in games.every():
        state = games.load(word).read(text)
        variant = str(state).split(maxsplit=2)[1]
        return Tree(word, variant, headers={POSITION: folded(str(state))})
    return games.read_tree(text)


def brought(text: str, seed: int) -> tuple[str, dict[bytes, Mover]]:
    """A tree as somebody brings it, written our way, and who makes each move; raises BadNotation
    or BadRecord. Where chance decides at its very beginning, it has done so."""
    one = read(text)
    game = games.load(one.game)
    if game.solo:
        raise BadNotation(one.game, "is for one person: puzzles are not analysed")
    one = replace(one, variant=one.variant or next(iter(game.variants)))
    if not one.line:
        moves = _drawn(games.start(one.record()), seeded(seed))
        one = replace(one, line=tuple(tree.Step(move) for move in moves))
    written = str(one)
    begun(written)  # within the bounds of a study
    return written, movers(written)


def movers(text: str) -> dict[bytes, Mover]:
    """Who makes each move of a tree; raises BadRecord at the first that can't be played."""
    return {digest: mover for digest, mover, _ in _walked(tree.parse(text))}


def ends(one: Tree) -> Iterator[State[Any]]:
    """The position at the end of each line of a tree, as far as it can be played."""
    with suppress(BadRecord):
        yield from _ends(games.load(one.game), one.line, games.start(one.record()))


def _ends(game: Game[Any, Any], line: Line, state: State[Any]) -> Iterator[State[Any]]:
    before = state
    for number, step in enumerate(line, 1):
        for other in step.others:
            yield from _ends(game, other, state)
        try:
            state = state.play(game.parse(step.move))
        except (BadNotation, IllegalMove) as error:
            yield state  # what can be played ends here
            raise BadRecord(number, step.move, error) from error
    if state is not before:
        yield state


def _walked(one: Tree) -> Iterator[tuple[bytes, Mover, State[Any]]]:
    """Every step of a tree: its digest, who makes it, and the state after it."""
    game = games.load(one.game)
    games.bounded(one.record())
    yield from _line(game, one.line, games.start(one.record()), b"", 0)


def _line(
    game: Game[Any, Any], line: Line, state: State[Any], digest: bytes, ply: int
) -> Iterator[tuple[bytes, Mover, State[Any]]]:
    for number, step in enumerate(line, ply + 1):
        for other in step.others:
            yield from _line(game, other, state, digest, number - 1)
        try:
            next = state.play(game.parse(step.move))
        except (BadNotation, IllegalMove) as error:
            raise BadRecord(number, step.move, error) from error
        digest = after(digest, step.move)
        yield digest, _mover(game, state), next
        state = next


def _mover(game: Game[Any, Any], state: State[Any]) -> Mover:
    """Who decides, and the colour of the tiles that they lay now."""
    own = [p for p in game.drawing.planes(state) if p.colour and p.seats == (state.turn,)]
    active = [plane for plane in own if plane.active]
    return Mover(state.turn, next((plane.colour for plane in (*active, *own)), ""))


def played(record: Record, move: str, seed: int) -> tuple[tuple[str, ...], list[Mover]]:
    """A move after a record, with what chance draws then, and who makes each; without a move,
    what chance draws at once. Raises IllegalMove or BadNotation."""
    state = reached(record, len(record.moves))
    game, moves, found = game_of(state), list[str](), list[Mover]()
    if move:
        found.append(_mover(game, state))
        state = state.play(game.parse(move))
        moves.append(move)
    drawn = _drawn(state, seeded(seed))
    return (*moves, *drawn), [*found, *(Mover(CHANCE, "") for _ in drawn)]


def _drawn(state: State[Any], chance: Chance) -> list[str]:
    moves: list[str] = []
    while state.turn == CHANCE and not state.outcome and len(moves) < MOST_MOVES:
        chosen = draw(state, chance)
        moves.append(str(chosen))
        state = state.play(chosen)
    return moves


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
        mover, before = _mover(game, state), state
        state = state.play(game.parse(text))
        marks = _ghost(game, state) + _taken(game, before, state)
        found.append(studies.LineStep(text, *mover, marks=marks))
    return found


def among(record: Record, move: str, right: tuple[str, ...]) -> bool:
    """Whether a move after a record is one of some; raises IllegalMove or BadNotation."""
    state = reached(record, len(record.moves))
    chosen = game_of(state).parse(move)
    state.play(chosen)
    return str(chosen) in right


def film(record: Record, language: str, theme: str, patterns: bool) -> str:
    """A game as an animated SVG, without what chance draws; of a long one the last moves."""
    plies = list(games.replay(games.bounded(record)))
    game = games.load(record.game)
    states = [games.start(record), *(ply.after for ply in plies)]
    seen = [state for state in states[-MOST_FRAMES:] if state.turn != CHANCE or state.outcome]
    pictures = [game.picture(state, language).only("board") for state in seen or states[-1:]]
    return svg.film(pictures, theme=theme, patterns=patterns)


def _ghost(game: Game[Any, Any], state: State[Any]) -> list[messages.Mark]:
    """What the latest move put on the table."""
    trays = {plane.name for plane in game.drawing.planes(state) if plane.tray}
    return [
        messages.Mark(mark.plane, mark.sprite, mark.cell, mark.colour, "ghost")
        for mark in game.drawing.marks(state)
        if mark.role == "last" and mark.plane not in trays and mark.sprite
    ][:MOST_MARKS]


def _taken(game: Game[Any, Any], before: State[Any], after: State[Any]) -> list[messages.Mark]:
    """What the latest move took from the board."""
    there = {(mark.plane, mark.cell) for mark in game.drawing.marks(after) if mark.tile}
    main = {plane.name for plane in game.drawing.planes(before) if plane.main}
    return [
        messages.Mark(mark.plane, mark.sprite, mark.cell, mark.colour, "taken")
        for mark in game.drawing.marks(before)
        if mark.tile and mark.plane in main and (mark.plane, mark.cell) not in there
    ][:1]
