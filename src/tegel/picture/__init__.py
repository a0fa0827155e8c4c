"""Positions as pictures: planes, sprites and marks; `svg` and `text` write them.

- a **plane** is a piece of lattice to draw on: the board, a hand, a stock;
- a **sprite** is a drawing around the origin in units of a cell, made once for each form
  of a tile; its first layer is the tile's outline;
- a **mark** puts a sprite on a cell of a plane, in a colour;
- a **paint** is a colour for light and for dark pages, with a pattern and a letter for
  people who can't tell colours apart.

Nothing here knows a game: whatever sends planes, sprites and marks is drawn.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from types import MappingProxyType
from typing import NamedTuple

from tegel.lattice import SQUARE, Cell, Lattice, Point, bounds, outline, seams
from tegel.picture.styled import StyledText

# The palette: neutrals by theme, then the four colours that the games share. Red and
# green differ in lightness, so that they stay apart without colour vision
# (tests/test_picture.py measures it).


@dataclass(frozen=True)
class Paint:
    """Fill and edge, each on light and on dark pages; what tells it apart without colour."""

    fill: tuple[str, str]
    edge: tuple[str, str]
    pattern: str = "plain"  # plain, dots, diagonal, cross
    letter: str = ""


PAINTS: Mapping[str, Paint] = MappingProxyType(
    {
        "blue": Paint(("#2f6fde", "#5b8ff0"), ("#1b4796", "#9cbcfa"), "dots", "B"),
        "yellow": Paint(("#f4ba34", "#f6cb5a"), ("#8a5f00", "#fde6ab"), "diagonal", "Y"),
        "red": Paint(("#c7342f", "#e5554b"), ("#7f1714", "#f9aea7"), "cross", "R"),
        "green": Paint(("#27ab80", "#46c79a"), ("#0f6248", "#a9ead1"), "plain", "G"),
        "stone": Paint(("#8d8f94", "#7d8592"), ("#55585f", "#b4bcc9"), "plain", "#"),
        "white": Paint(("#fbfaf6", "#f1eee6"), ("#5b6270", "#ffffff"), "plain", "*"),
    }
)

NEUTRALS: Mapping[str, tuple[str, str]] = {
    "paper": ("#f6f3ea", "#14181f"),
    "card": ("#fffdf7", "#1c222c"),
    "line": ("#e2dccb", "#2c3442"),
    "ink": ("#1d2433", "#ece7da"),
    "muted": ("#5b6270", "#98a1b0"),
    "accent": ("#1f4e9e", "#8db4ff"),
    "frame": ("#e4dcc8", "#1a212b"),
    "well": ("#ece6d6", "#232b37"),
    "glow": ("#ffffff", "#ffffff"),
    "shade": ("#000000", "#000000"),
}
THEMES = ("light", "dark")


@dataclass(frozen=True)
class Layer:
    """A path or, if `text` is given, words centred at a point. Fill and stroke are names
    of paints or neutrals, `none`, or empty: the mark's own fill and edge. A `sign` is drawn
    only where patterns are asked for: what tells a stroke's colour apart without colour."""

    d: str = ""
    fill: str = ""
    stroke: str = ""
    width: float = 0.0
    opacity: float = 1.0
    text: str = ""
    at: Point = (0.0, 0.0)
    size: float = 0.4
    dash: str = ""  # lengths of dashes and gaps along a stroke
    sign: bool = False


@dataclass(frozen=True)
class Sprite:
    """How something looks: its layers, from the lowest up."""

    layers: tuple[Layer, ...]
    cells: tuple[Cell, ...] = ((0, 0),)  # those it covers, for text and for pointing
    name: str = ""  # a tile's own name, or a key among the marks of the game's words
    letters: str = ""  # for terminals, where its cells would not do


@dataclass(frozen=True)
class Plane:
    """Where marks lie. `wells` are the cells that exist; x, y and scale say where the
    plane stands on a page of its own, in units of the board's cells. `title` is a key among
    the planes of the game's words, which may speak of its `colour` and of the `number` of its
    first seat; in a picture it is said."""

    name: str
    lattice: Lattice = SQUARE
    wells: tuple[Cell, ...] = ()
    box: tuple[float, float, float, float] = (0, 0, 0, 0)  # left, top, right, bottom, drawn
    x: float = 0.0
    y: float = 0.0
    scale: float = 1.0
    coordinates: bool = False
    framed: bool = False
    title: str = ""
    note: str = ""  # beside the title: a score, a count
    colour: str = ""  # of whose plane it is
    seats: tuple[int, ...] = ()  # whose plane it is; empty: everybody's
    main: bool = False  # the board: cells of choices, events and refusals are its own
    tray: bool = False  # a hand: tiles to choose from, not a place to put them
    active: bool = False  # whose turn it is
    out: bool = False  # whoever has it plays no more
    account: bool = False  # a small table of where the points of its seats came from
    lines: tuple[tuple[str, str], ...] = ()  # that table: words, and a figure each


class Mark(NamedTuple):  # and no dataclass: a server makes and compares a hundred for every move
    """A sprite, or a path of its own, at a cell. `role`: last (glows), dim, ghost, quiet (a
    help that a page may show on request), due (must be dealt with now) or nothing; for a path
    also line or dashes, drawn in its colour without a fill. `label`: what it is, where its
    sprite has no name that tells; a key among the marks of the game's words, which may speak
    of its `colour`; in a picture it is said. `tile`: which tile of the offer a hand takes up
    here."""

    plane: str
    sprite: str
    cell: Point
    colour: str = ""
    role: str = ""
    label: str = ""
    path: str = ""
    tile: str = ""


class Changes:
    """A list of marks in terms of an older one: `entries` are new marks, and `(first, count)`
    for some that stay."""

    def __init__(self) -> None:
        self.entries: list[Mark | tuple[int, int]] = []

    def keep(self, first: int, count: int) -> None:
        """Say that so many marks stay as they are, from one on."""
        before = self.entries[-1] if self.entries else None
        if before and len(before) == 2 and sum(before) == first:
            self.entries[-1] = (before[0], before[1] + count)
        elif count:
            self.entries.append((first, count))


@dataclass(frozen=True)
class Picture:
    """A position drawn: which sprite lies where on which plane."""

    name: str
    planes: tuple[Plane, ...]
    marks: tuple[Mark, ...]
    sprites: Mapping[str, Sprite]
    paints: Mapping[str, Paint] = field(default_factory=dict)

    # What writes pictures stands on these words, so it is imported late.

    def svg(self, *, theme: str = "light", patterns: bool = False, small: bool = False) -> str:
        """The picture as an SVG document that refers to nothing outside."""
        from tegel.picture.svg import svg

        return svg(self, theme=theme, patterns=patterns, small=small)

    def text(self) -> StyledText:
        """The picture for terminals."""
        from tegel.picture.text import text

        return text(self)

    def _repr_svg_(self) -> str:
        return self.svg()

    def only(self, *planes: str) -> "Picture":
        """The picture with no other planes than these."""
        return replace(self, planes=tuple(plane for plane in self.planes if plane.name in planes))

    def paint(self, colour: str) -> Paint:
        """The paint of a colour's name."""
        found = self.paints.get(colour) or PAINTS.get(colour)
        if found is None:
            raise ValueError(f"{colour!r} is not a paint of {self.name}")
        return found


def signed(points: int) -> str:
    """A figure for people: with a minus sign, not a hyphen."""
    return str(points).replace("-", "\N{MINUS SIGN}")


@cache
def tile(
    cells: tuple[Cell, ...], lattice: Lattice = SQUARE, *, seamed: bool = True, name: str = ""
) -> Sprite:
    """A glazed tile: one body, faint seams between its cells, a light line inside its edge."""
    body = Layer(outline(cells, lattice, inset=0.035, radius=0.16), width=0.05)
    seam = Layer(
        seams(cells, lattice, inset=0.06), fill="none", stroke="shade", width=0.035, opacity=0.22
    )
    glaze = Layer(
        outline(cells, lattice, inset=0.095, radius=0.11),
        fill="none",
        stroke="glow",
        width=0.035,
        opacity=0.38,
    )
    return Sprite((body, seam, glaze) if seamed else (body, glaze), cells, name)


def rows(
    shapes: Iterable[tuple[str, Sequence[Cell]]], width: float, gap: float = 0.7
) -> tuple[list[tuple[str, Point]], float]:
    """Shapes set like words in lines from the top left, each at the cell of its lower left;
    and the height of it all. For hands of square tiles."""
    placed: list[tuple[str, Point]] = []
    line: list[tuple[str, float]] = []
    x = y = tallest = 0.0
    for key, cells in shapes:
        _, _, right, top = bounds(cells)
        wide, high = right + 1, top + 1
        if line and x + wide > width:
            placed += [(k, (at, -(y + tallest - 1))) for k, at in line]
            line, x, y, tallest = [], 0.0, y + tallest + gap, 0.0
        line.append((key, x))
        x, tallest = x + wide + gap, max(tallest, high)
    placed += [(k, (at, -(y + tallest - 1))) for k, at in line]
    return placed, y + tallest
