"""Forma: tiles, moves, and where tiles fit.

- A **form** is a tile turned or flipped; a **hand** says how many copies there are of each
  tile, in the order of `TILES`.
- A **move** is text: a tile with its turn and its square (`F.3@k10`), a piece of the set-up
  (`obstacle@c4`, `tower@k11`, `remove@c4`), a word (`done`, `decline`), or a draw, which
  begins with a plus sign (`+blue`, `+13`, `+tower@k11`, `+obstacle@c4`).
"""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import NamedTuple

from tegel.cells import Grid, Placements
from tegel.game import with_entry
from tegel.lattice import POLYOMINOES, Cell, Shape, forms, name

TILES = tuple(POLYOMINOES)
SIZES = tuple(map(len, POLYOMINOES.values()))
FORMS: Mapping[tuple[str, int], Shape] = {
    (tile, turn): shape
    for tile, cells in POLYOMINOES.items()
    for turn, shape in forms(cells).items()
}
"""The 91 forms: their squares by tile and turn."""
PIECES = ("obstacle", "tower")

Hand = tuple[int, ...]
FULL_HAND: Hand = tuple(2 if size == 1 else 1 for size in SIZES)
"""The 22 tiles of one colour: the single square twice, every other tile once."""


def value(hand: Hand) -> int:
    """How many squares the tiles of a hand have."""
    return sum([count * size for count, size in zip(hand, SIZES, strict=True)])


def changed(hand: Hand, tile: str, by: int) -> Hand:
    """A hand with so many copies of a tile more."""
    number = TILES.index(tile)
    return with_entry(hand, number, hand[number] + by)


def listed(hand: Hand) -> list[str]:
    """The tiles of a hand by name, copies one by one."""
    return [tile for tile, count in zip(TILES, hand, strict=True) for _ in range(count)]


class Move(NamedTuple):
    what: str  # a tile, a piece, a word, or behind a plus sign what is drawn
    cell: Cell | None = None  # of a tile, the lower left of its bounding box
    turn: int = 0  # of a tile

    def __str__(self) -> str:
        form = f"{self.what}.{self.turn}" if self.what in POLYOMINOES else self.what
        return form if self.cell is None else f"{form}@{name(self.cell)}"

    @property
    def cells(self) -> Shape:
        """The squares concerned: those of a tile, that of a piece, none of a word."""
        if self.cell is None:
            return ()
        x, y = self.cell
        return tuple((x + c, y + r) for c, r in FORMS.get((self.what, self.turn), ((0, 0),)))


class Moves(Placements[tuple[str, int], Move]):
    """Moves by form, or by piece; and words."""

    def move(self, form: tuple[str, int], cell: Cell) -> Move:
        return Move(form[0], cell, form[1])

    def place(self, move: object) -> tuple[tuple[str, int], Cell] | None:
        if not isinstance(move, Move) or move.cell is None:
            return None
        return (move.what, move.turn), move.cell


@cache
def _shifts(grid: Grid) -> tuple[list[int], list[list[tuple[tuple[str, int], list[int]]]]]:
    """The shifts that the forms need; and for each tile its forms, each as its name and
    the indices of its shifts."""
    shifts = sorted({grid.offset(cell) for shape in FORMS.values() for cell in shape})
    tiles: list[list[tuple[tuple[str, int], list[int]]]] = [[] for _ in TILES]
    for (tile, turn), shape in FORMS.items():
        indices = [shifts.index(grid.offset(cell)) for cell in shape]
        tiles[TILES.index(tile)].append(((tile, turn), indices))
    return shifts, tiles


def places(grid: Grid, free: int, hand: Hand) -> Iterator[tuple[tuple[str, int], int]]:
    """For each form of the tiles in hand, the squares at which it lies on free squares
    only; forms that fit nowhere are left out."""
    shifts, tiles = _shifts(grid)
    frees = [free >> shift for shift in shifts]
    for tile, count in enumerate(hand):
        if count:
            for form, indices in tiles[tile]:
                fitting = -1
                for index in indices:
                    fitting &= frees[index]
                if fitting:
                    yield form, fitting
