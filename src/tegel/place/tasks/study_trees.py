"""What the processes do with trees of moves: read one that somebody brings, play along it, and draw
a film of its moves."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace

from tegel import games, tree
from tegel.game import CHANCE, AnyGame, BadNotation, IllegalMove, Move, State, game_of
from tegel.game.chance import Chance, seeded
from tegel.games import BadRecord
from tegel.picture import svg
from tegel.place.wire.trees import Mover, after, mover
from tegel.record import Record, folded
from tegel.room.keys import POSITION
from tegel.room.replays import reached
from tegel.search.chance import draw
from tegel.study import MOST_MOVES, begun
from tegel.tree import Line, Tree

MOST_FRAMES = 120  # of a film


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
    return {digest: who for digest, who, _ in _walked(tree.parse(text))}


def ends(one: Tree) -> Iterator[State[Move]]:
    """The position at the end of each line of a tree, as far as it can be played."""
    with suppress(BadRecord):
        yield from _ends(games.load(one.game), one.line, games.start(one.record()))


def _ends(game: AnyGame, line: Line, state: State[Move]) -> Iterator[State[Move]]:
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


def _walked(one: Tree) -> Iterator[tuple[bytes, Mover, State[Move]]]:
    """Every step of a tree: its digest, who makes it, and the state after it."""
    game = games.load(one.game)
    games.bounded(one.record())
    yield from _line(game, one.line, games.start(one.record()), b"", 0)


def _line(
    game: AnyGame, line: Line, state: State[Move], digest: bytes, ply: int
) -> Iterator[tuple[bytes, Mover, State[Move]]]:
    for number, step in enumerate(line, ply + 1):
        for other in step.others:
            yield from _line(game, other, state, digest, number - 1)
        try:
            next = state.play(game.parse(step.move))
        except (BadNotation, IllegalMove) as error:
            raise BadRecord(number, step.move, error) from error
        digest = after(digest, step.move)
        yield digest, mover(game, state), next
        state = next


def played(record: Record, move: str, seed: int) -> tuple[tuple[str, ...], list[Mover]]:
    """A move after a record, with what chance draws then, and who makes each; without a move,
    what chance draws at once. Raises IllegalMove or BadNotation."""
    state = reached(record, len(record.moves))
    game, moves, found = game_of(state), list[str](), list[Mover]()
    if move:
        found.append(mover(game, state))
        state = state.play(game.parse(move))
        moves.append(move)
    drawn = _drawn(state, seeded(seed))
    return (*moves, *drawn), [*found, *(Mover(CHANCE, "") for _ in drawn)]


def _drawn(state: State[Move], chance: Chance) -> list[str]:
    moves: list[str] = []
    while state.turn == CHANCE and not state.outcome and len(moves) < MOST_MOVES:
        chosen = draw(state, chance)
        moves.append(str(chosen))
        state = state.play(chosen)
    return moves


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
