"""Sets of squares as Python integers: one bit a square, one spare column.

A `Grid` numbers the squares of a board row by row from the lower left, with one unused
bit at the end of each row, so that a shift by a step never wraps into another row: what
leaves the board lands on an unused bit and is masked away by `full`.

>>> grid = Grid(4, 3)
>>> own = grid.mask([(0, 0), (0, 1)])
>>> print(grid.text(grid.beside(own)))
x...
.x..
.x..
>>> print(grid.text(grid.diagonal(own)))
.x..
....
....
"""

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Generic, TypeVar, overload

from tegel.lattice import Cell


@dataclass(frozen=True)
class Grid:
    """A board of squares, with one spare column, so that no shift wraps."""

    width: int
    height: int

    @cached_property
    def stride(self) -> int:
        """How many bits lie between a square and the one above it."""
        return self.width + 1

    @cached_property
    def full(self) -> int:
        """All squares of the board."""
        row = (1 << self.width) - 1
        return sum(row << (self.stride * y) for y in range(self.height))

    def __contains__(self, cell: Cell) -> bool:
        return 0 <= cell[0] < self.width and 0 <= cell[1] < self.height

    def offset(self, cell: Cell) -> int:
        """The number of a square's bit; for a step, the shift that makes it."""
        return cell[1] * self.stride + cell[0]

    def cell(self, offset: int) -> Cell:
        """The cell of a bit."""
        row, column = divmod(offset, self.stride)
        return column, row

    def mask(self, cells: Iterable[Cell]) -> int:
        """Some cells as a set."""
        found, stride = 0, self.stride
        for column, row in cells:
            found |= 1 << row * stride + column
        return found

    def cells(self, mask: int) -> tuple[Cell, ...]:
        """The squares of a set, row by row from the lower left; the inverse of `mask`."""
        stride = self.stride
        return tuple([(offset % stride, offset // stride) for offset in bits(mask)])

    def sides(self, mask: int) -> int:
        """The set and all squares that share a side with it."""
        up = self.stride
        return (mask | mask << 1 | mask >> 1 | mask << up | mask >> up) & self.full

    def beside(self, mask: int) -> int:
        """The squares outside a set that share a side with it."""
        return self.sides(mask) & ~mask

    def diagonal(self, mask: int) -> int:
        """The squares that touch a set at a corner and not along a side."""
        up, down = mask << self.stride, mask >> self.stride
        return (up << 1 | up >> 1 | down << 1 | down >> 1) & self.full & ~self.sides(mask)

    def component(self, mask: int, seed: int) -> int:
        """All of `mask` that hangs together, side by side, with the squares of `seed`."""
        found, grown = 0, seed & mask
        while grown != found:
            found, grown = grown, self.sides(grown) & mask
        return found

    def components(self, mask: int) -> Iterator[int]:
        """The connected parts of a set, by their lowest squares."""
        while mask:
            part = self.component(mask, mask & -mask)
            yield part
            mask &= ~part

    def fits(self, free: int, shape: Iterable[Cell]) -> int:
        """The squares at which the lower left of the shape's box may lie so that all its
        cells are free: the AND of as many shifts.

        >>> grid = Grid(3, 3)
        >>> names = grid.cells(grid.fits(grid.full, [(0, 0), (1, 0), (1, 1)]))
        >>> names
        ((0, 0), (1, 0), (0, 1), (1, 1))
        """
        fitting = self.full
        for cell in shape:
            fitting &= free >> self.offset(cell)
        return fitting

    def text(self, mask: int) -> str:
        """A set as text, rows from the top."""
        rows = range(self.height - 1, -1, -1)
        return "\n".join(
            "".join(".x"[mask >> self.offset((x, y)) & 1] for x in range(self.width)) for y in rows
        )


def bits(mask: int) -> Iterator[int]:
    """The numbers of the bits set, ascending."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def nth_bit(mask: int, n: int) -> int:
    """The number of the n-th bit set, counted from 0."""
    for _ in range(n):
        mask &= mask - 1
    return (mask & -mask).bit_length() - 1


F = TypeVar("F", bound=Hashable)
M = TypeVar("M")


class Placements(Sequence[M], Generic[F, M]):
    """Moves that put a form on a square, as the set of its squares for each form; then words,
    which are moves too. They are made one by one when asked for, as there may be 30,000."""

    def __init__(self, grid: Grid, places: Mapping[F, int], words: Sequence[M] = ()) -> None:
        self.grid, self.places, self.words = grid, places, words

    def move(self, form: F, cell: Cell) -> M:
        """The move that puts a form on a square."""
        raise NotImplementedError

    def place(self, move: object) -> tuple[F, Cell] | None:
        """The inverse of `move`; nothing if it puts no form on a square."""
        raise NotImplementedError

    @cached_property
    def total(self) -> int:
        """How many there are."""
        return sum([squares.bit_count() for squares in self.places.values()]) + len(self.words)

    def __len__(self) -> int:
        return self.total

    def __bool__(self) -> bool:
        return bool(self.places or self.words)

    @overload
    def __getitem__(self, index: int) -> M: ...
    @overload
    def __getitem__(self, index: slice) -> list[M]: ...
    def __getitem__(self, index: int | slice) -> M | list[M]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        rest = index if index >= 0 else index + len(self)
        if rest >= 0:
            for form, squares in self.places.items():
                count = squares.bit_count()
                if rest < count:
                    return self.move(form, self.grid.cell(nth_bit(squares, rest)))
                rest -= count
            if rest < len(self.words):
                return self.words[rest]
        raise IndexError(index)

    def __iter__(self) -> Iterator[M]:
        for form, squares in self.places.items():
            for offset in bits(squares):
                yield self.move(form, self.grid.cell(offset))
        yield from self.words

    def __contains__(self, move: object) -> bool:
        place = self.place(move)
        if place is None:
            return move in self.words
        form, cell = place
        return cell in self.grid and bool(self.places.get(form, 0) >> self.grid.offset(cell) & 1)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    def __repr__(self) -> str:
        return f"<{len(self)} moves>"
