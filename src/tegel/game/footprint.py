"""Footprints: what lies on a board, as a few integers, so that positions can be compared fast.

Two positions are **near** each other if they share most of what lies on the board, however one of
them is turned, flipped, shifted a little or recoloured, and whatever was added, removed or moved.
A game says in `symmetry.py` what the footprint of a position is, and how much two of them share."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, lru_cache
from itertools import product
from typing import NamedTuple

from tegel.cells import Grid
from tegel.lattice import Cell

MOST = 0.8  # of what lies there: positions that share as much are near each other
RATIO = 2.5  # how many times larger one position may be than another that is near it
SHIFTS = range(-2, 3)  # squares by which a whole position may be shifted, each way


class Footprint(NamedTuple):
    """What lies on a board. `board` names the board, `size` counts what lies there, `common` says
    that many games have such a position, and `marks` has the cells of each kind of thing."""

    board: int
    size: int
    common: bool
    marks: Mapping[str, int]

    def __str__(self) -> str:
        marks = [f" {key}={cells:x}" for key, cells in self.marks.items() if cells]
        return f"{self.board} {self.size} {self.common:d}{''.join(marks)}"


def footprint(text: str) -> Footprint:
    """The footprint that a text is; the inverse of `str`."""
    board, size, common, *marks = text.split()
    pairs = (mark.split("=") for mark in marks)
    found = {key: int(cells, 16) for key, cells in pairs}
    return Footprint(int(board), int(size), common == "1", found)


class Overlap(NamedTuple):
    """How much two positions share: so many things of so many."""

    shared: int
    of: int

    @property
    def whole(self) -> bool:
        return self.shared == self.of > 0

    @property
    def most(self) -> bool:
        return self.shared >= MOST * self.of > 0


Shifts = Callable[[Mapping[str, int]], Iterable[int]]
"""The shifts to try, as bits by which marks move, of marks in one of the ways to turn them."""


def squares_overlap(
    one: Footprint, other: Footprint, fixed: str = "", shifts: Shifts | None = None
) -> Overlap:
    """How much of the smaller of two positions on a board of squares lies in the larger one.
    Marks named in `fixed` answer to marks of the same name only, all others are colours: each may
    stand for any. If one position is much larger, only the whole of the other counts. `shifts`
    gives the shifts to try for a way to turn the other position; missing: all small ones."""
    low, high = sorted((one.size, other.size))
    if one.board != other.board or not low:
        return Overlap(0, low)
    need = MOST * low if high <= RATIO * low else low
    own, all = _parted(one.marks, fixed), _union(one.marks)
    best = 0
    for turned in turns(one.board, tuple(other.marks.items())):
        theirs, reach = _parted(turned, fixed), _union(turned)
        twice = other.size - reach.bit_count()  # marks that lie on others
        for shift in shifts(turned) if shifts else _small(one.board):
            if (all & _shifted(reach, shift)).bit_count() + twice >= max(need, best + 1):
                best = max(best, _shared(own, theirs, shift))
    return Overlap(best if best >= need else 0, low)


@cache
def _small(board: int) -> tuple[int, ...]:
    return tuple(y * (board + 1) + x for y, x in product(SHIFTS, SHIFTS))


Parted = tuple[Mapping[str, int], list[int]]  # fixed marks by name, and colours


def _parted(marks: Mapping[str, int], fixed: str) -> Parted:
    named = {key: cells for key, cells in marks.items() if key in fixed}
    return named, [cells for key, cells in marks.items() if key not in fixed]


def _shared(own: Parted, theirs: Parted, shift: int) -> int:
    named, colours = own
    found = sum(
        (cells & _shifted(theirs[0].get(key, 0), shift)).bit_count() for key, cells in named.items()
    )
    others = [_shifted(cells, shift) for cells in theirs[1]]
    return found + sum(
        max(((cells & other).bit_count() for other in others), default=0) for cells in colours
    )


def _shifted(cells: int, shift: int) -> int:
    return cells << shift if shift >= 0 else cells >> -shift


def _union(marks: Mapping[str, int]) -> int:
    found = 0
    for cells in marks.values():
        found |= cells
    return found


@lru_cache(256)
def turns(size: int, marks: tuple[tuple[str, int], ...]) -> list[dict[str, int]]:
    """Marks on a square board in the eight ways in which it can be turned and flipped."""
    grid = Grid(size, size)
    cells = {key: grid.cells(mask) for key, mask in marks}
    return [
        {key: grid.mask(_turned(each, size - 1, *ways)) for key, each in cells.items()}
        for ways in product((False, True), repeat=3)
    ]


def _turned(
    cells: Iterable[Cell], top: int, flip: bool, across: bool, down: bool
) -> Iterator[Cell]:
    for cell in cells:
        x, y = cell[::-1] if flip else cell
        yield top - x if across else x, top - y if down else y
