"""Squares and hexagons as data: cells, turns, flips, outlines, polyforms.

Vocabulary:

- a **cell** is a pair of integers: (column, row) on squares, with rows upward from
  the lower left; axial (q, r) on hexagons, with r downward;
- a **step** leads to the neighbour across a side; steps are listed clockwise from east;
- a **shape** is a tuple of cells; a **form** is a shape turned and flipped, brought
  back to the origin; on squares turn t means t mod 4 quarter turns clockwise, after a
  left-right flip if t >= 4;
- the **plane** is where cells are drawn: x to the right, y down, as on a screen.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from math import atan2, cos, hypot, pi, sin, sqrt, tan
from types import MappingProxyType
from typing import TypeVar

N = TypeVar("N", int, float)
Cell = tuple[int, int]
Point = tuple[float, float]
Shape = tuple[Cell, ...]
Matrix = tuple[int, int, int, int]  # (a, b, c, d) sends (x, y) to (ax + by, cx + dy)


@dataclass(frozen=True)
class Lattice:
    """A regular tiling of the plane by one kind of cell with sides of length `side`."""

    name: str
    steps: tuple[Cell, ...]
    across: Point  # where the first coordinate points, in the plane
    along: Point  # where the second coordinate points
    side: float
    quarter: Matrix  # one turn clockwise
    mirror: Matrix  # left and right exchanged

    def centre(self, cell: Point) -> Point:
        """The centre of a cell in the plane; neighbours' centres lie at distance 1."""
        (ax, ay), (bx, by), (u, v) = self.across, self.along, cell
        return ax * u + bx * v, ay * u + by * v

    def corners(self, cell: Point) -> tuple[Point, ...]:
        """The corners of a cell, clockwise; side k, across which step k leads, runs
        from corner k to corner k + 1."""
        n = len(self.steps)
        x, y = self.centre(cell)
        radius = self.side / (2 * sin(pi / n))
        angles = [(2 * k - 1) * pi / n for k in range(n)]
        return tuple((x + radius * cos(a), y + radius * sin(a)) for a in angles)

    def neighbours(self, cell: Cell) -> tuple[Cell, ...]:
        """The cells beside a cell, in the order of the steps."""
        return tuple((cell[0] + u, cell[1] + v) for u, v in self.steps)


SQUARE = Lattice(
    name="square",
    steps=((1, 0), (0, -1), (-1, 0), (0, 1)),
    across=(1.0, 0.0),
    along=(0.0, -1.0),
    side=1.0,
    quarter=(0, 1, -1, 0),
    mirror=(-1, 0, 0, 1),
)
HEXAGON = Lattice(
    name="hexagon",
    steps=((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)),
    across=(1.0, 0.0),
    along=(0.5, sqrt(3) / 2),
    side=1 / sqrt(3),
    quarter=(0, -1, 1, 1),
    mirror=(-1, -1, 0, 1),
)


# Names of cells


def name(cell: Cell) -> str:
    """The name of a square: `a1` is the lower left; columns beyond a..z, and whatever
    lies off the board to the left or below, are `column,row` counted from 1.

    >>> name((10, 9)), name((-2, 6))
    ('k10', '-1,7')
    """
    column, row = cell
    if 0 <= column < 26 and row >= 0:
        return f"{chr(97 + column)}{row + 1}"
    return f"{column + 1},{row + 1}"


def names(cells: Iterable[Cell]) -> str:
    """The names of squares in reading order of their columns.

    >>> names([(1, 18), (0, 19)])
    'a20 b19'
    """
    return " ".join(map(name, sorted(cells)))


def square(text: str) -> Cell:
    """The square of that name; the inverse of `name`.

    >>> square("k10"), square("-1,7")
    ((10, 9), (-2, 6))
    """
    column, comma, row = text.partition(",")
    if not comma and text[:1].isascii() and text[:1].islower() and len(text) <= 4:
        column, row = str(ord(text[0]) - 96), text[1:]
    if not (_is_count(column) and _is_count(row)):
        raise ValueError(f"{text!r} is not a square (a1, k10, ...)")
    return int(column) - 1, int(row) - 1


def _is_count(text: str) -> bool:
    digits = text.removeprefix("-")
    return digits.isascii() and digits.isdecimal() and len(digits) <= 4


def bounds(points: Iterable[tuple[N, N]]) -> tuple[N, N, N, N]:
    """The least and the greatest coordinates of some cells or points.

    >>> bounds([(2, 5), (4, 1)])
    (2, 1, 4, 5)
    """
    first, second = zip(*points, strict=True)
    return min(first), min(second), max(first), max(second)


# Turning and flipping


def turned(shape: Iterable[Cell], turn: int, lattice: Lattice = SQUARE) -> Shape:
    """The shape after `turn` turns clockwise, flipped before if `turn` says so, with
    its bounding box at the origin, in ascending order."""
    flips, turns = divmod(turn, len(lattice.steps))
    cells = list(shape)
    for a, b, c, d in [lattice.mirror] * flips + [lattice.quarter] * turns:
        cells = [(a * x + b * y, c * x + d * y) for x, y in cells]
    left, low, _, _ = bounds(cells)
    return tuple(sorted((x - left, y - low) for x, y in cells))


def forms(shape: Iterable[Cell], lattice: Lattice = SQUARE) -> Mapping[int, Shape]:
    """The different forms of a shape, each by the smallest turn that gives it.

    >>> {name: len(forms(shape)) for name, shape in POLYOMINOES.items() if len(shape) == 4}
    {'I4': 2, 'L4': 8, 'O': 1, 'T4': 4, 'Z4': 4}
    """
    shape = tuple(shape)
    found: dict[Shape, int] = {}
    for turn in range(2 * len(lattice.steps)):
        found.setdefault(turned(shape, turn, lattice), turn)
    return MappingProxyType({turn: form for form, turn in found.items()})


def turned_rows(rows: Iterable[str]) -> Iterator[tuple[str, ...]]:
    """A square of letters, by its rows, in the eight ways in which it can be turned and flipped.

    >>> [" ".join(turned) for turned in turned_rows(("ab", "cd"))][:5]
    ['ab cd', 'ca db', 'dc ba', 'bd ac', 'ba dc']
    """
    turned = tuple(rows)
    for _ in range(2):
        for _ in range(4):
            yield turned
            turned = tuple(map("".join, zip(*reversed(turned), strict=True)))
        turned = tuple(row[::-1] for row in turned)


def polyforms(size: int, lattice: Lattice = SQUARE) -> list[Shape]:
    """Every connected shape of that many cells once, turned and flipped copies apart.

    >>> [len(polyforms(n)) for n in range(1, 6)], len(polyforms(4, HEXAGON))
    ([1, 1, 2, 5, 12], 7)
    """
    if size == 1:
        return [((0, 0),)]
    grown = {
        min(forms((*shape, new), lattice).values())
        for shape in polyforms(size - 1, lattice)
        for cell in shape
        for new in lattice.neighbours(cell)
        if new not in shape
    }
    return sorted(grown)


def shape_of(*rows: str) -> Shape:
    """The cells marked by something else than a dot or a blank, rows from the top.

    >>> shape_of("X.",
    ...       "XX")
    ((0, 0), (0, 1), (1, 0))
    """
    height = len(rows)
    return tuple(
        sorted(
            (column, height - 1 - row)
            for row, line in enumerate(rows)
            for column, mark in enumerate(line)
            if mark not in ". "
        )
    )


POLYOMINOES: Mapping[str, Shape] = MappingProxyType(
    {
        "1": shape_of("X"),
        "2": shape_of("X", "X"),
        "I3": shape_of("X", "X", "X"),
        "V3": shape_of("X.", "XX"),
        "I4": shape_of("X", "X", "X", "X"),
        "L4": shape_of("X.", "X.", "XX"),
        "O": shape_of("XX", "XX"),
        "T4": shape_of("XXX", ".X."),
        "Z4": shape_of("XX.", ".XX"),
        "F": shape_of(".XX", "XX.", ".X."),
        "I5": shape_of("X", "X", "X", "X", "X"),
        "L5": shape_of("X.", "X.", "X.", "XX"),
        "N": shape_of(".X", ".X", "XX", "X."),
        "P": shape_of("XX", "XX", "X."),
        "T5": shape_of("XXX", ".X.", ".X."),
        "U": shape_of("X.X", "XXX"),
        "V5": shape_of("X..", "X..", "XXX"),
        "W": shape_of("X..", "XX.", ".XX"),
        "X": shape_of(".X.", "XXX", ".X."),
        "Y": shape_of(".X", "XX", ".X", ".X"),
        "Z5": shape_of("XX.", ".X.", ".XX"),
    }
)
"""The free polyominoes of 1 to 5 squares by the names that Blokus programs use, as one
draws the letters. Turn 0 of a tile is the form shown here."""


# Outlines


def outline(
    cells: Iterable[Cell],
    lattice: Lattice = SQUARE,
    *,
    inset: float = 0.0,
    radius: float = 0.0,
) -> str:
    """The border of a set of cells as an SVG path, drawn inset and with round corners;
    holes run the other way round.

    >>> outline([(0, 0), (1, 0)])
    'M-.5 .5V-.5H1.5V.5Z'
    """
    return "".join(_rounded(_shrunk(loop, inset), radius) for loop in _loops(set(cells), lattice))


def seams(cells: Iterable[Cell], lattice: Lattice = SQUARE, *, inset: float = 0.0) -> str:
    """The sides between the cells of a set, as an SVG path of short lines, each drawn
    shorter by `inset` at both ends."""
    inside = set(cells)
    half = range(len(lattice.steps) // 2)  # each side belongs to two cells: draw it once
    lines = [
        (lattice.corners(cell)[k], lattice.corners(cell)[(k + 1) % len(lattice.steps)])
        for cell in sorted(inside)
        for k in half
        if lattice.neighbours(cell)[k] in inside
    ]
    return "".join(_line(_toward(a, b, inset), _toward(b, a, inset)) for a, b in lines)


def _loops(cells: set[Cell], lattice: Lattice) -> Iterator[list[Point]]:
    """The border as closed polygons, clockwise around the cells, straight runs merged."""
    n = len(lattice.steps)
    border: dict[Point, list[tuple[int, Point]]] = {}  # from corner: (direction, to corner)
    for cell in sorted(cells):
        corners = [(round(x, 6) + 0.0, round(y, 6) + 0.0) for x, y in lattice.corners(cell)]
        for k, beyond in enumerate(lattice.neighbours(cell)):
            if beyond not in cells:
                border.setdefault(corners[k], []).append((k, corners[(k + 1) % n]))
    while border:
        start = next(iter(border))
        loop: list[tuple[int, Point]] = []
        corner, heading = start, border[start][0][0]
        while corner in border:
            # Where two cells meet at a corner only, the sharpest turn right stays with this one.
            exits = sorted(border[corner], key=lambda e: (heading - e[0] + n // 2) % n)
            side = exits[0]
            border[corner].remove(side)
            if not border[corner]:
                del border[corner]
            loop.append((side[0], corner))
            heading, corner = side
            if corner == start:
                break
        yield [
            point for (before, _), (after, point) in pairwise([loop[-1], *loop]) if before != after
        ]


def _shrunk(loop: list[Point], inset: float) -> list[Point]:
    """A polygon with every side moved inward (to the right of its course) by `inset`."""
    moved = []
    for a, b, c in zip([loop[-1], *loop], loop, [*loop[1:], loop[0]], strict=False):
        (px, py), (qx, qy) = _unit(a, b), _unit(b, c)
        # The corner moves along the bisector of the two inward normals (-py, px), (-qy, qx).
        scale = inset / (1 + px * qx + py * qy)
        moved.append((b[0] - scale * (py + qy), b[1] + scale * (px + qx)))
    return moved


def _rounded(loop: list[Point], radius: float) -> str:
    parts: list[str] = []
    here: Point = (0.0, 0.0)
    for a, b, c in zip([loop[-1], *loop], loop, [*loop[1:], loop[0]], strict=False):
        (px, py), (qx, qy) = _unit(a, b), _unit(b, c)
        bend = atan2(px * qy - py * qx, px * qx + py * qy)  # positive to the right
        room = min(hypot(b[0] - a[0], b[1] - a[1]), hypot(c[0] - b[0], c[1] - b[1])) / 2
        cut = min(radius * tan(abs(bend) / 2), room)
        into, out = _toward(b, a, cut), _toward(b, c, cut)
        parts.append(_to(here, into) if parts else f"M{_pair(into)}")
        if cut:
            r = _short(cut / tan(abs(bend) / 2))
            parts.append(f"A{r} {r} 0 0 {1 if bend > 0 else 0} {_pair(out)}")
        here = out
    return "".join(parts) + "Z"


def _unit(a: Point, b: Point) -> Point:
    length = hypot(b[0] - a[0], b[1] - a[1])
    return (b[0] - a[0]) / length, (b[1] - a[1]) / length


def _toward(a: Point, b: Point, distance: float) -> Point:
    x, y = _unit(a, b)
    return a[0] + distance * x, a[1] + distance * y


def _line(a: Point, b: Point) -> str:
    return f"M{_pair(a)}{_to(a, b)}"


def _to(here: Point, there: Point) -> str:
    """The shortest path command from one point to another."""
    (x, y), (u, v) = here, there
    if abs(y - v) < 1e-6:
        return f"H{_short(u)}"
    if abs(x - u) < 1e-6:
        return f"V{_short(v)}"
    return f"L{_pair(there)}"


def _pair(point: Point) -> str:
    x, y = _short(point[0]), _short(point[1])
    return f"{x}{y}" if y.startswith("-") else f"{x} {y}"


def _short(value: float) -> str:
    """A number with at most three decimals and nothing superfluous.

    >>> _short(0.5), _short(-2.0), _short(-0.125)
    ('.5', '-2', '-.125')
    """
    text = f"{value:.3f}".rstrip("0").rstrip(".")
    text = text.replace("0.", ".", 1) if text.lstrip("-").startswith("0.") else text
    return "0" if text in ("-0", "") else text
