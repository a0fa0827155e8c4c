"""A puzzle for every day: a few pentominoes, a board, exactly one solution.

The board is a rectangle with bites out of its corners; the week begins with five tiles and
ends with eight. Everything is drawn by numbers of our own (SHA-256 of a text and a counter)
and nothing depends on how the solver searches, only on how many solutions there are: so the
same date gives the same puzzle to everybody. Whoever changes what is drawn raises VERSION.
"""

from collections.abc import Iterator
from datetime import date
from hashlib import sha256
from itertools import product

from tegel.game import BadNotation
from tegel.lattice import POLYOMINOES, Cell, Shape
from tegel.solver.check import sides
from tegel.solver.cover import Status
from tegel.solver.filling import Filling
from tegel.solver.puzzle import COLOURS, Position, Puzzle, Tile
from tegel.solver.solver import solutions, symmetries

VERSION = 1
PENTOMINOES = tuple(name for name, shape in POLYOMINOES.items() if len(shape) == 5)
TILES = (5, 5, 6, 6, 7, 7, 8)  # by day of the week, from Monday
BITES = ((0, 0), (0, 0), (1, 1), (1, 2), (2, 1), (2, 2), (1, 3), (3, 1))
SETS = 40  # sets of tiles to try on one board
GRADES = (60, 250, 1000, 4000)  # nodes of a search for all solutions, beyond which a star more

KEPT = 400  # puzzles
FOUND: dict[date, Puzzle] = {}


class Numbers:
    """Numbers that a text gives, the same everywhere for ever."""

    def __init__(self, text: str) -> None:
        self.text, self.count = text, 0

    def below(self, n: int) -> int:
        self.count += 1
        digest = sha256(f"{self.text} {self.count}".encode()).digest()
        return int.from_bytes(digest[:8], "big") % n

    def sample(self, things: tuple[str, ...], size: int) -> tuple[str, ...]:
        """Some of the things, in the order they have there."""
        rest = list(range(len(things)))
        chosen = [rest.pop(self.below(len(rest))) for _ in range(size)]
        return tuple(things[index] for index in sorted(chosen))


def name(day: date) -> str:
    return f"daily-{VERSION}-{day.isoformat()}"


def dated(text: str) -> date | None:
    """The date in the name of a daily puzzle; None if it is no such name."""
    prefix = f"daily-{VERSION}-"
    if not text.startswith(prefix):
        return None
    try:
        return date.fromisoformat(text.removeprefix(prefix))
    except ValueError:
        raise BadNotation(text, f"a daily puzzle is named {prefix}YYYY-MM-DD") from None


def daily(day: date) -> Puzzle:
    """The puzzle of a day."""
    if day not in FOUND:
        keep(day, found(day))
    return FOUND[day]


def kept(day: date) -> bool:
    """Whether the puzzle of a day is at hand: to find it takes a moment."""
    return day in FOUND


def keep(day: date, puzzle: Puzzle) -> None:
    """Keep a puzzle that was found, here or by another process."""
    while len(FOUND) >= KEPT:
        FOUND.pop(next(iter(FOUND)))
    FOUND[day] = puzzle


def found(day: date) -> Puzzle:
    numbers, size = Numbers(name(day)), TILES[day.weekday()]
    while True:
        board = _board(numbers, 5 * size)
        for _ in range(SETS):
            names = numbers.sample(PENTOMINOES, size)
            tiles = tuple(Tile(tile, POLYOMINOES[tile]) for tile in names)
            puzzle = Puzzle(name(day), board, tiles)
            if len(symmetries(puzzle)) > 1:
                break  # solutions would come in pairs
            first = only_solution(puzzle)
            if first:
                return Puzzle(puzzle.name, board, tuple(_painted(puzzle, first)))


def only_solution(puzzle: Puzzle) -> Position | None:
    """The solution of a puzzle that has exactly one."""
    found = solutions(puzzle)
    first = next(found, None)
    return first if first and next(found, None) is None else None


def stars(puzzle: Puzzle) -> int:
    """How hard a puzzle is, from 1 to 5, by the search that proves its solution the only one."""
    cover = Filling(puzzle).cover
    cover.restart(0)
    while cover.count(100_000) is not Status.DONE:
        pass
    return 1 + sum(cover.nodes > grade for grade in GRADES)


def _board(numbers: Numbers, area: int) -> Shape:
    """A rectangle with bites out of its corners that has so many squares."""
    while True:
        width, height = 5 + numbers.below(5), 4 + numbers.below(4)
        bites = [BITES[numbers.below(len(BITES))] for _ in range(4)]
        cells = set(product(range(width), range(height)))
        for (wide, high), (right, top) in zip(bites, product((0, 1), (0, 1)), strict=True):
            for x, y in product(range(wide), range(high)):
                cells.discard((width - 1 - x if right else x, height - 1 - y if top else y))
        if len(cells) == area and height <= width and _whole(cells, width, height):
            return tuple(sorted(cells))


def _whole(cells: set[Cell], width: int, height: int) -> bool:
    """No thin tongues: every side of the rectangle keeps at least three squares."""
    rows, columns = [y for _, y in cells], [x for x, _ in cells]
    edges = rows.count(0), rows.count(height - 1), columns.count(0), columns.count(width - 1)
    return min(edges) >= min(3, height - 1)


def _painted(puzzle: Puzzle, solution: Position) -> Iterator[Tile]:
    """The tiles, coloured so that no two neighbours in the solution have the same colour."""
    owner = {cell: place.tile for place in solution for cell in place.cells}
    beside: dict[str, set[str]] = {tile.name: set() for tile in puzzle.tiles}
    for cell, tile in owner.items():
        beside[tile] |= {owner[other] for other in sides(cell) if other in owner} - {tile}
    names = list(beside)
    for colours in product(COLOURS, repeat=len(names)):
        by_name = dict(zip(names, colours, strict=True))
        if all(by_name[tile] != by_name[other] for tile in names for other in beside[tile]):
            break
    for kind in puzzle.tiles:
        yield Tile(kind.name, kind.shape, by_name[kind.name])
