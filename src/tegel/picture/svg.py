"""Pictures as SVG."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
from html import escape

from tegel.lattice import Cell, Lattice, outline, seams
from tegel.picture import NEUTRALS, THEMES, Layer, Mark, Picture, Plane, Sprite


def svg(
    picture: Picture, *, theme: str = "light", patterns: bool = False, small: bool = False
) -> str:
    """A picture as one SVG document without references to anything outside; a small one has no
    coordinates, no margin, and no ground of its own.

    Colours are plain attributes, no style sheet, so that several pictures live on one
    page and every program that draws SVG shows them."""
    if theme not in THEMES:
        raise ValueError(f"{theme!r} is not a theme: light or dark")
    ink = _Ink(picture, THEMES.index(theme), patterns)
    if small:
        planes = tuple(replace(plane, coordinates=False) for plane in picture.planes)
        picture = replace(picture, planes=planes)
    left, top, right, bottom = _bounds(picture.planes, 0.05 if small else 0.5)
    shown = {plane.name for plane in picture.planes}
    used = sorted({mark.sprite for mark in picture.marks if mark.sprite and mark.plane in shown})
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{_n(left)} {_n(top)} '
        f'{_n(right - left)} {_n(bottom - top)}" width="{_n(32 * (right - left))}" '
        f'height="{_n(32 * (bottom - top))}" role="img" font-family="system-ui, sans-serif">',
        f"<title>{escape(picture.name)}</title>",
        "<defs>",
        *(ink.sprite(name, picture.sprites[name]) for name in used),
        *(ink.pattern(name) for name in ("dots", "diagonal", "cross") if patterns),
        "</defs>",
    ]
    if not small:
        parts.append(
            f'<rect x="{_n(left)}" y="{_n(top)}" width="{_n(right - left)}" '
            f'height="{_n(bottom - top)}" fill="{ink("paper")}"/>'
        )
    for plane in picture.planes:
        parts.append(
            f'<g transform="translate({_n(plane.x)} {_n(plane.y)}) scale({_n(plane.scale)})">'
        )
        parts += ink.ground(plane)
        parts += [ink.mark(mark, plane) for mark in picture.marks if mark.plane == plane.name]
        parts.append("</g>")
    return "\n".join([*parts, "</svg>", ""])


def film(
    pictures: Sequence[Picture], *, theme: str = "light", patterns: bool = False, pace: float = 0.8
) -> str:
    """Pictures of one table one after another, a few seconds each, as one SVG that moves by
    itself. Planes are as in the last, which is also what stands still where nothing moves."""
    *_, last = pictures
    shown: dict[Mark, set[int]] = {}  # when each mark is seen; they keep their order
    for place, picture in enumerate(pictures):
        for mark in picture.marks:
            shown.setdefault(mark, set()).add(place)
    sprites = {name: sprite for picture in pictures for name, sprite in picture.sprites.items()}
    whole = replace(last, marks=tuple(shown), sprites=sprites)
    ink = _Ink(whole, THEMES.index(theme), patterns)
    count = len(pictures) + REST
    moving = {
        ink.mark(mark, plane): seen
        for plane in last.planes
        for mark, seen in shown.items()
        if mark.plane == plane.name
    }
    drawn = svg(whole, theme=theme, patterns=patterns)
    for text, seen in moving.items():
        seen = seen | (set(range(len(pictures), count)) if len(pictures) - 1 in seen else set())
        if len(seen) < count:
            drawn = drawn.replace(text, _timed(text, seen, count, pace), 1)
    return drawn


REST = 3  # paces for which the last picture of a film stays


def _timed(text: str, seen: set[int], count: int, pace: float) -> str:
    """What is seen at some times only; where nothing moves, as it is at the last."""
    values = ["visible" if place in seen else "hidden" for place in range(count)]
    changes = [place for place in range(count) if not place or values[place] != values[place - 1]]
    times = ";".join(_n(place / count) for place in changes)
    return (
        f'<g visibility="{values[-1]}"><animate attributeName="visibility" calcMode="discrete" '
        f'values="{";".join(values[place] for place in changes)}" keyTimes="{times}" '
        f'dur="{_n(count * pace)}s" repeatCount="indefinite"/>{text}</g>'
    )


class _Ink:
    """Writes the parts of a picture in the colours of a theme."""

    def __init__(self, picture: Picture, theme: int, patterns: bool) -> None:
        self.picture, self.theme, self.patterns = picture, theme, patterns

    def __call__(self, name: str) -> str:
        if name == "none":
            return name
        if name in NEUTRALS:
            return NEUTRALS[name][self.theme]
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
        size = min(
            (_fitting(0.5 / plane.scale, right - left, *line) for line in plane.lines), default=0
        )
        parts = []
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
        size = _fitting(0.62 / plane.scale, right - left, plane.title, plane.note)
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


def _bounds(planes: Iterable[Plane], margin: float) -> tuple[float, float, float, float]:
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
    return (
        min(b[0] for b in boxes) - margin,
        min(b[1] for b in boxes) - margin,
        max(b[2] for b in boxes) + margin,
        max(b[3] for b in boxes) + margin,
    )


def _fitting(size: float, room: float, *words: str) -> float:
    """The size at which texts side by side fit into a room, if they don't at their own: a
    letter is about 0.58 of its size wide, bold too, and there are two between texts."""
    letters = sum(len(text) + 2 for text in words) - 2
    return min(size, room / (0.58 * letters))


def _n(value: float) -> str:
    return f"{value:.3f}".rstrip("0").rstrip(".")
