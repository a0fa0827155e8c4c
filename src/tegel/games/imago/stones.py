"""The material of Imago: hollows, stones and stocks, and where a stock matches the board.

- a **hollow** is a cell of the board, as everywhere (column, row) with rows upward;
- a **stock** is what a player has taken and not yet set aside: stones on cells of the
  player's own plane, the first of them at (0, 0);
- a **shift** says which hollow answers to which stock cell. It is named by the hollow that
  answers to the first stone; as text it is `row,column` with rows downward from the top
  left of the board, and so is a stock cell, counted from the first stone;
- an **image** is a shift at which the stock matches: every stock cell answers to a stone,
  equal kinds to equal kinds and different to different. A **kind** is what counts as one
  colour: the colour itself, or all colours together where only shapes matter.

An empty stock has an empty image at every stone: it asks for nothing and protects nothing.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from tegel.cells import Grid, bits
from tegel.game import Lean
from tegel.lattice import SQUARE, Cell

SIZE = 6
TOP = SIZE - 1
HOLLOWS: tuple[Cell, ...] = tuple(
    (column, row)
    for row in range(TOP, -1, -1)
    for column in range(SIZE)
    if not (column in (0, TOP) and row in (0, TOP))
)
"""A square of six by six without its corners, in reading order."""

# The spare column is enough for shifts of any length: a stock hangs together, so one that
# reaches beyond the edge has a stone in that column, where the board has none.
GRID = Grid(SIZE, SIZE)
BOARD = GRID.mask(HOLLOWS)

COLOURS = "ABCDEFGHIJK"
COUNTS = (8, 7, 3, 3, 2, 2, 2, 2, 1, 1, 1)


def down(cell: Cell, top: int = 0) -> str:
    """A cell as `row,column` with rows downward: of a stock from its first stone, of the
    board, with `TOP`, from its top left.

    >>> down((0, 1)), down((2, 3), TOP)
    ('-1,0', '2,2')
    """
    return f"{top - cell[1]},{cell[0]}"


def up(text: str, top: int = 0) -> Cell:
    """The cell that such a text means; the inverse of `down`."""
    row, comma, column = text.partition(",")
    numbers = [part.removeprefix("-") for part in (row, column)]
    if not comma or not all(n.isascii() and n.isdecimal() and len(n) <= 2 for n in numbers):
        raise ValueError("a place is row,column with rows downward, such as -1,0")
    return int(column), top - int(row)


@dataclass(frozen=True)
class Stock(Lean):
    stones: tuple[tuple[Cell, int], ...] = ()  # cell and colour, in ascending order
    claim: Cell | None = None  # the shift it is tied to
    out: bool = False  # its claimed image was captured away

    def with_stone(self, cell: Cell, colour: int) -> "Stock":
        return Stock(tuple(sorted([*self.stones, (cell, colour)])), self.claim, self.out)

    @cached_property
    def cells(self) -> frozenset[Cell]:
        return frozenset(cell for cell, _ in self.stones)

    @cached_property
    def edge(self) -> tuple[Cell, ...]:
        """The cells where the next stone may lie: side by side with another, in ascending
        order; of an empty stock, the first cell."""
        if not self.stones:
            return ((0, 0),)
        beside = {beyond for cell in self.cells for beyond in SQUARE.neighbours(cell)}
        return tuple(sorted(beside - self.cells))

    def __str__(self) -> str:
        """Its rows from the top, the first stone in lower case, as in `aB/.C`."""
        if not self.stones:
            return ""
        letters = {cell: COLOURS[colour] for cell, colour in self.stones}
        letters[0, 0] = letters[0, 0].lower()
        columns, rows = zip(*letters, strict=True)
        return "/".join(
            "".join(letters.get((x, y), ".") for x in range(min(columns), max(columns) + 1))
            for y in range(max(rows), min(rows) - 1, -1)
        )


class Image(NamedTuple):
    shift: Cell  # the hollow that answers to the first stone
    hollows: int  # those that answer to the stock, as a set
    kinds: Mapping[int, int]  # the kind in the stock, by the kind that answers to it

    @property
    def cells(self) -> tuple[Cell, ...]:
        return GRID.cells(self.hollows)


def images(
    stock: Sequence[tuple[Cell, int]], stones: int, kind_at: Mapping[int, int]
) -> Iterator[Image]:
    """The images of a stock, given as cells and kinds, on a board, given as the set of its
    stones and the kind in each hollow."""
    offsets = [(GRID.offset(cell), kind) for cell, kind in stock]
    shifts = stones
    for offset, _ in offsets:
        shifts &= stones >> offset if offset >= 0 else stones << -offset
    for shift in bits(shifts):
        there: dict[int, int] = {}  # the kind on the board that answers to one in the stock
        here: dict[int, int] = {}
        hollows = 0
        for offset, kind in offsets:
            answer = kind_at[shift + offset]
            if there.setdefault(kind, answer) != answer or here.setdefault(answer, kind) != kind:
                break
            hollows |= 1 << shift + offset
        else:
            yield Image(GRID.cell(shift), hollows, here)
