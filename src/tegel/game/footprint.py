"""Footprints: what lies on a board, as a few integers, so that positions can be compared fast.

Two positions are **near** each other if they share most of what lies on the board, however one of
them is turned, flipped, shifted a little or recoloured, and whatever was added, removed or moved.
A game says in `symmetry.py` what the footprint of a position is, and how much two of them share."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
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
    """How much two positions share: so many things of so many, at most if that is not `most`.
    `strict`: one position is so much larger that the other must lie in it as a whole. Where things
    stay on the board, a position shares at least as much as those before it."""

    shared: int
    of: int
    strict: bool = False

    @property
    def whole(self) -> bool:
        return self.shared == self.of > 0

    @property
    def most(self) -> bool:
        return self.shared >= (1 if self.strict else MOST) * self.of > 0


Shifts = Callable[[Mapping[str, int]], Iterable[int]]
"""The shifts to try, as bits by which marks move, of marks in one of the ways to turn them."""


class View(NamedTuple):
    """A board in one of the ways to turn it, to be shifted by so many bits; `reach` is all that
    lies there then."""

    marks: Mapping[str, int]
    shift: int
    reach: int


def squares_overlap(
    one: Footprint, other: Footprint, fixed: str = "", shifts: Shifts | None = None
) -> Overlap:
    """How much of the smaller of two positions on boards of squares lies in the larger one.
    Marks named in `fixed` answer to marks of the same name only, all others are colours: each may
    stand for any. `shifts` gives the shifts to try for a way to turn the other position; missing:
    all small ones. The smaller of two boards may lie anywhere on the larger one."""
    low, high = sorted((one.size, other.size))
    strict = high > RATIO * low
    if not low:
        return Overlap(0, low)
    need = low if strict else MOST * low
    marks = _widened(one.marks, one.board, max(one.board, other.board))
    theirs = tuple(other.marks.items())
    views = _views(one.board, other.board, theirs) if shifts is None else [
        View(turned, shift, _shifted(_union(turned), shift))
        for turned in turns(other.board, theirs)
        for shift in shifts(turned)
    ]  # fmt: skip
    all = _union(marks)
    own, twice = _parted(marks, fixed), one.size - all.bit_count()  # marks that lie on others
    bounds = [(all & view.reach).bit_count() for view in views]
    best = 0
    for place in sorted(range(len(views)), key=bounds.__getitem__, reverse=True):
        if bounds[place] + twice <= best or best >= need:
            break
        if shifts is None and bounds[place] + twice < need:  # they are not near: look no closer
            best = bounds[place] + twice
            break
        view = views[place]
        best = max(best, _shared(own, _parted(view.marks, fixed), view.shift))
    return Overlap(best, low, strict)


@lru_cache(64)
def _views(one: int, other: int, marks: tuple[tuple[str, int], ...]) -> list[View]:
    """All views of what lies on one board, to be seen on a board of another size."""
    wide = max(one, other)
    low, high = sorted((0, one - other))
    steps = range(low + min(SHIFTS), high + max(SHIFTS) + 1)
    found = []
    for turned in turns(other, marks):
        seen = _widened(turned, other, wide)
        reach = _union(seen)
        for y, x in product(steps, steps):
            shift = y * (wide + 1) + x
            found.append(View(seen, shift, _shifted(reach, shift)))
    return found


def _widened(marks: Mapping[str, int], size: int, wide: int) -> Mapping[str, int]:
    """Marks of a board in the lower left of one of another size."""
    if size == wide:
        return marks
    here, there = Grid(size, size), Grid(wide, wide)
    return {key: there.mask(here.cells(cells)) for key, cells in marks.items()}


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
        max([(cells & other).bit_count() for other in others], default=0) for cells in colours
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
