"""The puzzles we have: the six tasks of Blokus, the pentomino rectangles, one for each day."""

from collections.abc import Mapping
from datetime import date

from tegel.game import BadNotation
from tegel.lattice import POLYOMINOES, Shape
from tegel.solver.daily import daily, dated
from tegel.solver.daily import name as daily_name
from tegel.solver.puzzle import COLOURS, Puzzle, Tile


def rectangle(width: int, height: int) -> Shape:
    return tuple((x, y) for x in range(width) for y in range(height))


def sets(*sizes: int, colours: tuple[str, ...] = COLOURS) -> tuple[Tile, ...]:
    """The polyominoes of some sizes, once in each colour."""
    return tuple(
        Tile(name, shape, colour)
        for colour in colours
        for name, shape in POLYOMINOES.items()
        if len(shape) in sizes
    )


TWELVE = tuple(
    Tile(tile.name, tile.shape, COLOURS[number % 4])
    for number, tile in enumerate(sets(5, colours=("",)))
)
GROUPS: Mapping[str, tuple[Puzzle, ...]] = {
    "tasks": (
        Puzzle("tetra-8x10", rectangle(10, 8), sets(4)),
        Puzzle("tetra-8x10-apart", rectangle(10, 8), sets(4), "apart"),
        Puzzle("penta-15x16", rectangle(16, 15), sets(5)),
        Puzzle("penta-15x16-apart", rectangle(16, 15), sets(5), "apart"),
        Puzzle("all84", rectangle(20, 20), sets(1, 2, 3, 4, 5), "blokus"),
        Puzzle("all84-descending", rectangle(20, 20), sets(1, 2, 3, 4, 5), "descending"),
    ),
    "pentominoes": (
        Puzzle("pentominoes-6x10", rectangle(10, 6), TWELVE),
        Puzzle("pentominoes-5x12", rectangle(12, 5), TWELVE),
        Puzzle("pentominoes-4x15", rectangle(15, 4), TWELVE),
        Puzzle("pentominoes-3x20", rectangle(20, 3), TWELVE),
    ),
}
TASKS: Mapping[str, Puzzle] = {puzzle.name: puzzle for group in GROUPS.values() for puzzle in group}


DAILY = "daily"  # what the puzzle of today is called


def named(name: str, today: date) -> str:
    """The full name of a puzzle: `daily` is that of today."""
    return daily_name(today) if name == DAILY else name


def load(name: str) -> Puzzle:
    """A puzzle by its name: a task, or `daily-1-2026-11-15`."""
    if name in TASKS:
        return TASKS[name]
    day = dated(name)
    if day is None:
        known = ", ".join([*TASKS, DAILY])
        raise BadNotation(name, f"no such puzzle; there are {known}")
    return daily(day)
