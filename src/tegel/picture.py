"""Positions as pictures: planes, sprites and marks; written as SVG or as text.

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
from html import escape
from types import MappingProxyType

from rich.style import Style
from rich.text import Text

from tegel.lattice import HEXAGON, SQUARE, Cell, Lattice, Point, outline, seams

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

_NEUTRALS: Mapping[str, tuple[str, str]] = {
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
    layers: tuple[Layer, ...]
    cells: tuple[Cell, ...] = ((0, 0),)  # those it covers, for text and for pointing
    name: str = ""  # what people call it
    drawing: str = ""  # for terminals, where its cells would not do


@dataclass(frozen=True)
class Plane:
    """Where marks lie. `wells` are the cells that exist; x, y and scale say where the
    plane stands on a page of its own, in units of the board's cells."""

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
    tray: bool = False  # a hand: tiles to choose from, not a place to put them
    active: bool = False  # whose turn it is
    out: bool = False  # whoever has it plays no more
    lines: tuple[tuple[str, str], ...] = ()  # a small table: words, and a figure each


@dataclass(frozen=True)
class Mark:
    """A sprite, or a path of its own, at a cell. `role`: last (glows), dim, ghost, quiet (a
    help that a page may show on request), due (must be dealt with now) or nothing; for a path
    also line or dashes, drawn in its colour without a fill. `label` is for screen readers and
    terminals. `tile`: which tile of the offer a hand takes up here."""

    plane: str
    sprite: str
    cell: Point
    colour: str = ""
    role: str = ""
    label: str = ""
    path: str = ""
    tile: str = ""


@dataclass(frozen=True)
class Picture:
    name: str
    planes: tuple[Plane, ...]
    marks: tuple[Mark, ...]
    sprites: Mapping[str, Sprite]
    paints: Mapping[str, Paint] = field(default_factory=dict)

    def svg(self, *, theme: str = "light", patterns: bool = False) -> str:
        return svg(self, theme=theme, patterns=patterns)

    def text(self) -> Text:
        return text(self)

    def _repr_svg_(self) -> str:
        return svg(self)

    def only(self, *planes: str) -> "Picture":
        """The picture with no other planes than these."""
        return replace(self, planes=tuple(plane for plane in self.planes if plane.name in planes))

    def paint(self, colour: str) -> Paint:
        found = self.paints.get(colour) or PAINTS.get(colour)
        if found is None:
            raise ValueError(f"{colour!r} is not a paint of {self.name}")
        return found


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
        wide, high = max(c for c, _ in cells) + 1, max(r for _, r in cells) + 1
        if line and x + wide > width:
            placed += [(k, (at, -(y + tallest - 1))) for k, at in line]
            line, x, y, tallest = [], 0.0, y + tallest + gap, 0.0
        line.append((key, x))
        x, tallest = x + wide + gap, max(tallest, high)
    placed += [(k, (at, -(y + tallest - 1))) for k, at in line]
    return placed, y + tallest


# SVG


def svg(picture: Picture, *, theme: str = "light", patterns: bool = False) -> str:
    """A picture as one SVG document without references to anything outside.

    Colours are plain attributes, no style sheet, so that several pictures live on one
    page and every program that draws SVG shows them."""
    if theme not in THEMES:
        raise ValueError(f"{theme!r} is not a theme: light or dark")
    ink = _Ink(picture, THEMES.index(theme), patterns)
    left, top, right, bottom = _bounds(picture.planes)
    drawn = {plane.name for plane in picture.planes}
    used = sorted({mark.sprite for mark in picture.marks if mark.sprite and mark.plane in drawn})
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{_n(left)} {_n(top)} '
        f'{_n(right - left)} {_n(bottom - top)}" width="{_n(32 * (right - left))}" '
        f'height="{_n(32 * (bottom - top))}" role="img" font-family="system-ui, sans-serif">',
        f"<title>{escape(picture.name)}</title>",
        "<defs>",
        *(ink.sprite(name, picture.sprites[name]) for name in used),
        *(ink.pattern(name) for name in ("dots", "diagonal", "cross") if patterns),
        "</defs>",
        f'<rect x="{_n(left)}" y="{_n(top)}" width="{_n(right - left)}" '
        f'height="{_n(bottom - top)}" fill="{ink("paper")}"/>',
    ]
    for plane in picture.planes:
        parts.append(
            f'<g transform="translate({_n(plane.x)} {_n(plane.y)}) scale({_n(plane.scale)})">'
        )
        parts += ink.ground(plane)
        parts += [ink.mark(mark, plane) for mark in picture.marks if mark.plane == plane.name]
        parts.append("</g>")
    return "\n".join([*parts, "</svg>", ""])


class _Ink:
    """Writes the parts of a picture in the colours of a theme."""

    def __init__(self, picture: Picture, theme: int, patterns: bool) -> None:
        self.picture, self.theme, self.patterns = picture, theme, patterns

    def __call__(self, name: str) -> str:
        if name == "none":
            return name
        if name in _NEUTRALS:
            return _NEUTRALS[name][self.theme]
        return self.picture.paint(name).fill[self.theme]

    def id(self, name: str) -> str:
        return escape(f"{self.picture.name}-{THEMES[self.theme]}-{name}")

    def sprite(self, name: str, sprite: Sprite) -> str:
        layers = [layer for layer in sprite.layers if self.patterns or not layer.sign]
        return f'<g id="{self.id(name)}">{"".join(map(self.layer, layers))}</g>'

    def layer(self, layer: Layer) -> str:
        fill = f' fill="{self(layer.fill)}"' if layer.fill else ""
        opacity = f' opacity="{_n(layer.opacity)}"' if layer.opacity != 1 else ""
        if layer.text:
            x, y = layer.at
            return (
                f'<text x="{_n(x)}" y="{_n(y)}" font-size="{_n(layer.size)}" stroke="none" '
                f'text-anchor="middle" dominant-baseline="central"{fill}{opacity}>'
                f"{escape(layer.text)}</text>"
            )
        stroke = f' stroke="{self(layer.stroke)}"' if layer.stroke else ""
        width = f' stroke-width="{_n(layer.width)}"' if layer.width else ' stroke="none"'
        width += f' stroke-dasharray="{layer.dash}"' if layer.dash else ""
        return f'<path d="{layer.d}"{fill}{stroke if layer.width else ""}{width}{opacity}/>'

    def pattern(self, name: str) -> str:
        ink = f'fill="none" stroke="{self("glow")}" stroke-width=".09" opacity=".75"'
        drawing = {
            "dots": f'<circle cx=".25" cy=".25" r=".08" fill="{self("glow")}" opacity=".8"/>',
            "diagonal": f'<path d="M0 .5L.5 0M-.1 .1L.1-.1M.4 .6L.6 .4" {ink}/>',
            "cross": f'<path d="M.25 .08V.42M.08 .25H.42" {ink}/>',
        }[name]
        return (
            f'<pattern id="{self.id(name)}" width=".5" height=".5" x="-.5" y="-.5" '
            f'patternUnits="userSpaceOnUse">{drawing}</pattern>'
        )

    def ground(self, plane: Plane) -> list[str]:
        """What lies below the marks of a plane: frame, wells, coordinates, title."""
        parts = []
        left, top, right, bottom = plane.box
        if plane.framed:
            parts.append(
                f'<rect x="{_n(left)}" y="{_n(top)}" width="{_n(right - left)}" '
                f'height="{_n(bottom - top)}" rx=".4" fill="{self("frame")}"/>'
            )
        if plane.wells:
            field, lines = _wells(plane.wells, plane.lattice)
            parts.append(f'<path d="{field}" fill="{self("well")}"/>')
            parts.append(
                f'<path d="{lines}" fill="none" stroke="{self("frame")}" stroke-width=".07"/>'
            )
        if plane.coordinates:
            parts += self.coordinates(plane)
        if plane.title or plane.note:
            parts.append(self.title(plane))
        return parts + self.table(plane)

    def coordinates(self, plane: Plane) -> list[str]:
        columns = sorted({c for c, _ in plane.wells})
        rows = sorted({r for _, r in plane.wells})
        left, _, _, bottom = plane.box
        style = f'fill="{self("muted")}" font-size=".52" dominant-baseline="central"'
        return [
            f'<text x="{c}" y="{_n(bottom + 0.45)}" text-anchor="middle" {style}>'
            f"{chr(97 + c)}</text>"
            for c in columns
        ] + [
            f'<text x="{_n(left - 0.2)}" y="{-r}" text-anchor="end" {style}>{r + 1}</text>'
            for r in rows
        ]

    def table(self, plane: Plane) -> list[str]:
        left, top, right, _ = plane.box
        size, parts = 0.5 / plane.scale, []
        for number, (words, figure) in enumerate(plane.lines):
            style = (
                f'y="{_n(top + (1.25 * number + 0.9) * size)}" font-size="{_n(size)}" '
                f'fill="{self("ink")}"'
            )
            parts.append(f'<text x="{_n(left)}" {style}>{escape(words)}</text>')
            parts.append(f'<text x="{_n(right)}" {style} text-anchor="end">{escape(figure)}</text>')
        return parts

    def title(self, plane: Plane) -> str:
        left, top, right, _ = plane.box
        size = 0.62 / plane.scale
        weight = "700" if plane.active else "500"
        y = _n(top - 0.55 / plane.scale)
        dot = ""
        if plane.colour:
            paint = self.picture.paint(plane.colour)
            side = 0.5 / plane.scale
            dot = (
                f'<rect x="{_n(left)}" y="{_n(top - 0.55 / plane.scale - side * 0.8)}" '
                f'width="{_n(side)}" height="{_n(side)}" rx="{_n(side / 4)}" '
                f'fill="{paint.fill[self.theme]}" stroke="{paint.edge[self.theme]}" '
                f'stroke-width="{_n(0.04 / plane.scale)}"/>'
            )
            left += 0.75 / plane.scale
        return (
            f'{dot}<text x="{_n(left)}" y="{y}" font-size="{_n(size)}" font-weight="{weight}" '
            f'fill="{self("ink")}">{escape(plane.title)}</text>'
            f'<text x="{_n(right)}" y="{y}" font-size="{_n(size)}" font-weight="{weight}" '
            f'text-anchor="end" fill="{self("ink")}">{escape(plane.note)}</text>'
        )

    def mark(self, mark: Mark, plane: Plane) -> str:
        x, y = plane.lattice.centre(mark.cell)
        fill, edge = self("muted"), self("ink")
        if mark.colour:
            paint = self.picture.paint(mark.colour)
            fill, edge = paint.fill[self.theme], paint.edge[self.theme]
        style = f'fill="{fill}" stroke="{edge}"'
        if mark.role == "dim":
            style += ' opacity=".28"'
        elif mark.role == "ghost":
            style += ' opacity=".6" stroke-dasharray=".16 .1"'
        place = f'transform="translate({_n(x)} {_n(y)})"'
        label = f"<title>{escape(mark.label)}</title>" if mark.label else ""
        if not mark.sprite:
            width = ".05"
            if mark.role in ("line", "dashes"):
                width, style = ".07", f'fill="none" stroke="{fill}"'
                style += ' stroke-dasharray=".2 .1"' if mark.role == "dashes" else ""
            return f'<path {place} d="{mark.path}" stroke-width="{width}" {style}>{label}</path>'
        body = self.picture.sprites[mark.sprite].layers[0].d
        parts = [f'<use href="#{self.id(mark.sprite)}"/>']
        if self.patterns and mark.colour:
            pattern = self.picture.paint(mark.colour).pattern
            if pattern != "plain":
                parts.append(f'<path d="{body}" fill="url(#{self.id(pattern)})" stroke="none"/>')
        if mark.role == "last":
            glow = (
                f'fill="none" stroke="{self("glow")}" stroke-width=".13"',
                f'fill="none" stroke="{self("ink")}" stroke-width=".03" opacity=".55"',
            )
            parts += [f'<path d="{body}" {stroke}/>' for stroke in glow]
        return f"<g {place} {style}>{label}{''.join(parts)}</g>"


@cache
def _wells(cells: tuple[Cell, ...], lattice: Lattice) -> tuple[str, str]:
    return outline(cells, lattice, radius=0.12), seams(cells, lattice)


def _bounds(planes: Iterable[Plane]) -> tuple[float, float, float, float]:
    """The page: all planes with their titles, coordinates and a margin."""
    boxes = []
    for plane in planes:
        left, top, right, bottom = plane.box
        above = 1.2 / plane.scale if plane.title or plane.note else 0
        aside, below = (1.0, 0.9) if plane.coordinates else (0, 0)
        boxes.append(
            (
                plane.x + plane.scale * (left - aside),
                plane.y + plane.scale * (top - above),
                plane.x + plane.scale * right,
                plane.y + plane.scale * (bottom + below),
            )
        )
    margin = 0.5
    return (
        min(b[0] for b in boxes) - margin,
        min(b[1] for b in boxes) - margin,
        max(b[2] for b in boxes) + margin,
        max(b[3] for b in boxes) + margin,
    )


def _n(value: float) -> str:
    return f"{value:.3f}".rstrip("0").rstrip(".")


# Text


def text(picture: Picture) -> Text:
    """A picture for a terminal: planes of squares that have wells as boards, whatever else
    as lists of their marks. Colours come from rich; without them letters remain."""
    lines: list[Text] = []
    for plane in picture.planes:
        marks = [mark for mark in picture.marks if mark.plane == plane.name]
        if plane.wells and plane.lattice is not HEXAGON:
            lines += _board(picture, plane, marks)
        elif plane.title or plane.note or any(mark.label for mark in marks):
            lines.append(_list(picture, plane, marks))
        lines += [Text(f"    {words} {figure}", style="dim") for words, figure in plane.lines]
    return Text("\n").join(lines)


def _board(picture: Picture, plane: Plane, marks: Sequence[Mark]) -> list[Text]:
    columns = sorted({c for c, _ in plane.wells})
    shown: dict[Cell, tuple[str, str, Style]] = {}  # the cell, what joins it to the next
    for mark in marks:
        if not mark.sprite:
            continue
        x, y = int(mark.cell[0]), int(mark.cell[1])
        covered = {(x + c, y + r) for c, r in picture.sprites[mark.sprite].cells}
        letter, style = _terminal(picture, mark)
        for c, r in covered:
            shown[c, r] = (letter, letter if (c + 1, r) in covered else " ", style)
    lines = []
    for r in sorted({row for _, row in plane.wells}, reverse=True):
        line = Text(f"{r + 1:>3} " if plane.coordinates else " ")
        for c in columns:
            blank = "." if (c, r) in plane.wells else " "
            letter, joint, style = shown.get((c, r), (blank, " ", Style(dim=True)))
            line.append(letter, style)
            line.append(joint, style if joint != " " else None)
        lines.append(line)
    if plane.coordinates:
        lines.append(Text("    " + " ".join(chr(97 + c) for c in columns), style="dim"))
    return lines


def _terminal(picture: Picture, mark: Mark) -> tuple[str, Style]:
    if not mark.colour:
        return mark.label[:1] or "+", Style(dim=True)
    paint = picture.paint(mark.colour)
    if mark.role in ("dim", "ghost") or not picture.sprites[mark.sprite].name:
        return "+", Style(color=paint.fill[1])
    style = Style(color="#000000", bgcolor=paint.fill[1], bold=mark.role == "last")
    return (paint.letter.lower() if mark.role == "last" else paint.letter), style


def drawing(cells: Sequence[Cell]) -> str:
    """A shape of squares as text, rows from the top."""
    high, wide = max(r for _, r in cells) + 1, max(c for c, _ in cells) + 1
    rows = range(high - 1, -1, -1)
    return "\n".join("".join("##" if (c, r) in cells else "  " for c in range(wide)) for r in rows)


def _list(picture: Picture, plane: Plane, marks: Sequence[Mark]) -> Text:
    style = Style(color=picture.paint(plane.colour).fill[1]) if plane.colour else Style()
    line = Text(("> " if plane.active else "  "), style="bold")
    line.append(f"{plane.title} {plane.note}".strip(), style + Style(bold=plane.active))
    labels = [mark.label for mark in marks if mark.label and mark.role != "dim"]
    line.append("  " + " ".join(labels), "dim")
    return line
