"""Puzzles by hand in words: what a move brought about, what the score is made of, and what
the checker says."""

from collections.abc import Iterable

from tegel.game import Event, Item, sentence
from tegel.games.puzzle.moves import LIFT, Move
from tegel.games.puzzle.rules import State, refusal
from tegel.solver.check import fault, missing, solved
from tegel.solver.puzzle import Placement, Puzzle


def events(before: State, move: Move, after: State) -> list[Event]:
    if move.tile == LIFT:
        lifted = before.liftable(move.cell)
        return [Event("lifted", lifted.cells, {"tile": lifted.id})]
    cells = before.placement(move).cells
    placed = Event("placed", cells, {"tile": move.tile})
    return [placed, Event("solved")] if after.outcome else [placed]


def account(state: State) -> list[Item]:
    return [Item(0, "covered", state.scores[0])]


def verdict(puzzle: Puzzle, position: Iterable[Placement]) -> str:
    """What the checker says of a position, in a sentence."""
    position = tuple(position)
    if wrong := fault(puzzle, position):
        return str(refusal(wrong))
    squares, tiles = missing(puzzle, position)
    key = "solved" if solved(puzzle, position) else "good"
    args = {"tiles": tiles.total(), "squares": len(squares)}
    return sentence("puzzle", "verdicts", key, args)
