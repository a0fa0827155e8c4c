"""Lines and loops: what counts in Tantrix.

A **line** is a connected set of links of one colour. A tile has at most one link of a
colour, so a line is as long as the tiles it runs over; it is **open**, with two ends that
face empty cells, or a **loop**.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from tegel.games.tantrix.field import Field, around
from tegel.games.tantrix.tiles import LINKS, TURNS
from tegel.lattice import Cell


@dataclass(frozen=True)
class Line:
    letter: str  # of its colour
    cells: tuple[Cell, ...]  # in the order of the line
    ends: tuple[Cell, ...]  # the empty cells before the first and after the last; a loop: none

    @property
    def loop(self) -> bool:
        return not self.ends

    @property
    def points(self) -> int:
        return len(self.cells) * (2 if self.loop else 1)


def lines(field: Field, letter: str) -> Iterator[Line]:
    """Every line of a colour, each once."""
    seen: set[Cell] = set()
    for cell, form in field.laid.items():
        if cell not in seen and letter in LINKS[form]:
            line = line_through(field, cell, letter)
            seen.update(line.cells)
            yield line


def line_through(field: Field, cell: Cell, letter: str) -> Line:
    """The line of a colour over a tile that has this colour."""
    first, second = LINKS[field.laid[cell]][letter]
    forward, end = _walk(field, cell, second, letter)
    if end == cell:
        return Line(letter, (cell, *forward), ())
    backward, start = _walk(field, cell, first, letter)
    return Line(letter, (*reversed(backward), cell, *forward), (start, end))


def best(field: Field, letter: str) -> Line | None:
    """The line of a colour that scores most; the longest among several."""
    return max(lines(field, letter), key=lambda line: (line.points, len(line.cells)), default=None)


def _walk(field: Field, start: Cell, side: int, letter: str) -> tuple[list[Cell], Cell]:
    """The cells of a line from a tile on, out by one of its sides, and where it arrives: at
    an empty cell, or where it began."""
    passed: list[Cell] = []
    cell = around(start)[side]
    while cell != start and cell in field.laid:
        passed.append(cell)
        entry = (side + 3) % TURNS
        one, other = LINKS[field.laid[cell]][letter]
        side = other if entry == one else one
        cell = around(cell)[side]
    return passed, cell
