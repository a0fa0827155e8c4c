"""Paper: its sizes, the part of it that printers reach, and pages as things to draw.

Lengths are millimetres, counted from the top left of the paper; `Paper.point` gives points from
the lower left, which is how a PDF counts."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from tegel.game import BadNotation
from tegel.lattice import Point
from tegel.sheets.ink import MM, Ink, Place

MARGIN = 10.0  # that nothing is printed on
FOOT = 6.0  # above it: what the page is
HEAD = 10.0  # below the upper one: the title of a sheet


@dataclass(frozen=True)
class Paper:
    name: str
    width: float
    height: float

    @property
    def size(self) -> Point:
        """Width and height in points."""
        return self.width * MM, self.height * MM

    @property
    def wide(self) -> float:
        """What can be printed on, across."""
        return self.width - 2 * MARGIN

    @property
    def high(self) -> float:
        """What can be printed on, from the head of a page to its foot."""
        return self.height - 2 * MARGIN - FOOT

    def point(self, x: float, y: float) -> Point:
        return x * MM, (self.height - y) * MM

    def place(self, x: float, y: float, cell: float) -> Place:
        """Where a picture lies whose cells have a width, in millimetres."""
        return Place(*self.point(x, y), cell * MM)

    def behind(self, x: float, y: float, cell: float, mirrored: bool) -> Place:
        """The same place on the back of the sheet, which was turned on its long edge."""
        return Place(*self.point(self.width - x, y), cell * MM, mirrored)


PAPERS: Mapping[str, Paper] = {
    "a4": Paper("A4", 210.0, 297.0),
    "letter": Paper("Letter", 215.9, 279.4),
}


def paper_of(name: str) -> Paper:
    if name.lower() not in PAPERS:
        raise BadNotation(name, f"no such paper; there are {', '.join(PAPERS)}")
    return PAPERS[name.lower()]


@dataclass(frozen=True)
class Page:
    """What stands on one side of a sheet."""

    draw: Callable[[Ink], None]
    title: str = ""
