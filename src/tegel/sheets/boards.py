"""Boards at true scale, over as many sheets as they need.

Sheets meet where cells meet. Each but the last goes on a little beyond that line, as a **lap** on
which the next is glued; the next is cut there. Both edges of a join have the same letter."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from string import ascii_uppercase
from xml.etree.ElementTree import Element

from tegel.game import BadNotation
from tegel.picture import Plane
from tegel.sheets.ink import DARK, LIGHT, MM, Ink, box
from tegel.sheets.paper import HEAD, MARGIN, Page, Paper

LAP = 8.0
EDGE = 6.0  # around a part of a board, for marks
MOST = 6  # sheets, in width and in height
FINE = 0.4  # points
GREY = "#666666"
AROUND = 0.4  # of what a picture has around it, in cells, that no line reaches


@dataclass(frozen=True)
class Parts:
    """A board and where it is cut, in cells."""

    root: Element
    cell: float
    columns: tuple[float, ...]
    rows: tuple[float, ...]

    @property
    def count(self) -> int:
        return (len(self.columns) - 1) * (len(self.rows) - 1)


def parts(root: Element, plane: Plane, cell: float, paper: Paper) -> Parts:
    """A board in parts that fit on a paper."""
    left, top, wide, high = box(root)
    room = (paper.wide - 2 * EDGE) / cell, (paper.high - HEAD - 2 * EDGE) / cell
    centres = [plane.lattice.centre(well) for well in plane.wells]
    cuts = []
    for axis, (low, size, most) in enumerate(((left, wide, room[0]), (top, high, room[1]))):
        borders = sorted({centre[axis] - 0.5 for centre in centres})
        cuts.append(_cuts(low + AROUND, low + size - AROUND, borders, most, cell))
    return Parts(root, cell, *cuts)


def _cuts(
    low: float, high: float, borders: Sequence[float], room: float, cell: float
) -> tuple[float, ...]:
    """Where to cut a length: at borders of cells, so that every part fits, as evenly as can be."""
    lap = LAP / cell
    for count in range(1, MOST + 1):
        step = (high - low + (count - 1) * lap) / count - lap  # the last part has no lap
        even = [low + number * step for number in range(1, count)]
        inner = sorted({min(borders, key=lambda border: abs(border - at)) for at in even})
        edges = (low, *inner, high)
        sizes = [b - a + (lap if b < high else 0.0) for a, b in pairwise(edges)]
        if max(sizes) <= room + 1e-9:
            return edges
    raise BadNotation(
        f"{cell:g}", f"cells of so many millimetres make a board of over {MOST} sheets a side"
    )


def pages(board: Parts, paper: Paper, titled: Callable[[int, int], str]) -> Iterator[Page]:
    """The sheets of a board, row by row; `titled` says what a column and a row are called."""
    for row in range(len(board.rows) - 1):
        for column in range(len(board.columns) - 1):
            title = titled(column, row)

            def draw(ink: Ink, column: int = column, row: int = row, title: str = title) -> None:
                _sheet(ink, board, paper, column, row)
                ink.text(*paper.point(MARGIN, MARGIN + 5), title, 10)

            yield Page(draw, title)


def _sheet(ink: Ink, board: Parts, paper: Paper, column: int, row: int) -> None:
    cell = board.cell
    (left, right), (top, bottom) = (
        board.columns[column : column + 2], board.rows[row : row + 2]
    )  # fmt: skip
    x, y = MARGIN + EDGE, MARGIN + HEAD + EDGE  # of the part's upper left
    wide, high = (right - left) * cell, (bottom - top) * cell
    aside = LAP if column < len(board.columns) - 2 else 0.0
    below = LAP if row < len(board.rows) - 2 else 0.0
    corner = paper.point(x, y + high + below)
    with ink.window(*corner, (wide + aside) * MM, (high + below) * MM):
        ink.picture(board.root, paper.place(x - left * cell, y - top * cell, cell))

    def line(x1: float, y1: float, x2: float, y2: float, dash: tuple[float, ...] = ()) -> None:
        ink.line(paper.point(x1, y1), paper.point(x2, y2), FINE, DARK, dash)

    ends = y - EDGE + 1, y + high + below + EDGE - 1
    sides = x - EDGE + 1, x + wide + aside + EDGE - 1
    if aside:
        line(x + wide, y, x + wide, y + high + below, (3, 2))
        _letter(ink, paper, x + wide + LAP / 2, y + high / 2, _join(board, column, row, False))
    if below:
        line(x, y + high, x + wide + aside, y + high, (3, 2))
        _letter(ink, paper, x + wide / 2, y + high + LAP / 2, _join(board, column, row, True))
    if column:
        line(x, ends[0], x, ends[1])
        _letter(ink, paper, x - EDGE / 2, y + high / 2, _join(board, column - 1, row, False))
    if row:
        line(sides[0], y, sides[1], y)
        _letter(ink, paper, x + wide / 2, y - EDGE / 2, _join(board, column, row - 1, True))


def _join(board: Parts, column: int, row: int, below: bool) -> str:
    """The letter of the join at the right or the lower edge of a part."""
    across, along = len(board.columns) - 1, len(board.rows) - 1
    number = (across - 1) * along + across * row + column if below else (across - 1) * row + column
    turns, place = divmod(number, len(ascii_uppercase))
    return ascii_uppercase[place] + (str(turns + 1) if turns else "")


def _letter(ink: Ink, paper: Paper, x: float, y: float, letter: str) -> None:
    r = 2.2
    disc = f"M{-r} 0a{r} {r} 0 1 1 {2 * r} 0a{r} {r} 0 1 1 {-2 * r} 0Z"
    ink.path(disc, paper.place(x, y, 1), fill=LIGHT, stroke=GREY, width=FINE)
    ink.text(*paper.point(x, y + 1.1), letter, 9, anchor="middle")
