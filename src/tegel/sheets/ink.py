"""Pictures on paper: what `picture.svg` writes, drawn on a page of a PDF.

There is one writer of pictures, so paper shows what the page shows. Two things differ: the page's
tinted wells are white here and its faint lines stronger; and without colours (`mono`) every colour
is its grey, with patterns that are dark on what is light."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from math import ceil, floor
from pathlib import Path
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import reportlab
from reportlab.lib.fonts import addMapping
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas
from reportlab.pdfgen.pathobject import PDFPathObject

from tegel.lattice import Point
from tegel.picture import NEUTRALS, Picture
from tegel.sheets.path import extent, runs

MM = 72 / 25.4  # points
PLAIN, BOLD, ITALIC = "Vera", "Vera-Bold", "Vera-Italic"
PRINTED = {
    NEUTRALS["paper"][0]: "#ffffff",
    NEUTRALS["card"][0]: "#ffffff",
    NEUTRALS["well"][0]: "#ffffff",
    NEUTRALS["frame"][0]: "#c8bda2",
}
"""The page's tints, on paper."""
DARK, LIGHT = "#000000", "#ffffff"

Style = Mapping[str, str]


@cache
def fonts() -> None:
    """Make the fonts known that come with the library; what is used of them is embedded."""
    folder = Path(reportlab.__file__).parent / "fonts"
    for name, file in ((PLAIN, "Vera"), (BOLD, "VeraBd"), (ITALIC, "VeraIt")):
        pdfmetrics.registerFont(TTFont(name, str(folder / f"{file}.ttf")))
    addMapping(PLAIN, 0, 0, PLAIN)
    addMapping(PLAIN, 1, 0, BOLD)
    addMapping(PLAIN, 0, 1, ITALIC)
    addMapping(PLAIN, 1, 1, BOLD)


@dataclass(frozen=True)
class Place:
    """Where the origin of a picture lies on a page, and how long its unit is, in points from the
    lower left; mirrored, if it is seen from behind."""

    x: float
    y: float
    unit: float
    mirrored: bool = False

    def at(self, point: Point) -> Point:
        across = -self.unit if self.mirrored else self.unit
        return round(self.x + across * point[0], 2), round(self.y - self.unit * point[1], 2)

    def moved(self, x: float, y: float, scale: float = 1.0) -> "Place":
        """The place of a picture within the picture."""
        across = -self.unit if self.mirrored else self.unit
        left, low = self.x + across * x, self.y - self.unit * y
        return Place(left, low, self.unit * scale, self.mirrored)


@dataclass(frozen=True)
class Ink:
    canvas: Canvas
    mono: bool = False

    # Plain things, in points

    def line(
        self, a: Point, b: Point, width: float, colour: str = DARK, dash: tuple[float, ...] = ()
    ) -> None:
        self._stroke(colour)
        self.canvas.setLineWidth(width)
        self.canvas.setDash(list(dash))
        self.canvas.line(*a, *b)

    def text(
        self, x: float, y: float, text: str, size: float, colour: str = DARK,
        anchor: str = "start", font: str = PLAIN,
    ) -> None:  # fmt: skip
        self._fill(colour)
        self.canvas.setFont(font, size)
        write = {"middle": self.canvas.drawCentredString, "end": self.canvas.drawRightString}
        write.get(anchor, self.canvas.drawString)(x, y, text)

    def rectangle(self, x: float, y: float, wide: float, high: float, width: float) -> None:
        self._stroke(DARK)
        self.canvas.setLineWidth(width)
        self.canvas.setDash()
        self.canvas.rect(x, y, wide, high)

    @contextmanager
    def window(self, x: float, y: float, wide: float, high: float) -> Iterator[None]:
        """Nothing drawn meanwhile is seen outside."""
        self.canvas.saveState()
        path = self.canvas.beginPath()
        path.rect(x, y, wide, high)
        self.canvas.clipPath(path, stroke=0, fill=0)
        yield
        self.canvas.restoreState()

    # Paths and pictures, in units of their place

    def path(
        self, d: str, place: Place, *, fill: str = "", stroke: str = "", width: float = 0,
        opacity: float = 1, dash: tuple[float, ...] = (), round: bool = False,
    ) -> None:  # fmt: skip
        """A path with a fill, a stroke or both; `width` and `dash` in points."""
        if fill:
            self._fill(fill, opacity)
        if stroke:
            self._stroke(stroke, opacity)
            self.canvas.setLineWidth(width)
            self.canvas.setLineJoin(1 if round else 0)
            self.canvas.setDash(list(dash))
        self.canvas.drawPath(self._traced(d, place), stroke=int(bool(stroke)), fill=int(bool(fill)))

    def picture(self, root: Element, place: Place) -> None:
        """A picture as `drawn` gives it, without the ground it has on a page."""
        known = {element.get("id", ""): element for element in root.iter() if element.get("id")}
        for element in root:
            if element.tag not in ("rect", "defs"):
                self._element(element, place, {}, known)

    def _element(
        self, element: Element, place: Place, style: Style, known: Mapping[str, Element]
    ) -> None:
        own = {**style, **element.attrib}
        own["opacity"] = str(float(style.get("opacity", "1")) * float(element.get("opacity", "1")))
        match element.tag:
            case "g":
                inner = place.moved(*_moved(element.get("transform", "")))
                for child in element:
                    self._element(child, inner, own, known)
            case "use":
                self._element(known[own["href"].removeprefix("#")], place, style, known)
            case "path":
                inner = place.moved(*_moved(element.get("transform", "")))
                fill = own.get("fill", "")
                if fill.startswith("url(#"):
                    pattern = known[fill.removeprefix("url(#").removesuffix(")")]
                    self._pattern(pattern, own["d"], inner, style.get("fill", DARK))
                else:
                    self._shape(own["d"], inner, own)
            case "rect":
                self._shape(_rectangle(element), place, own)
            case "text":
                self._words(element, place, own)

    def _shape(self, d: str, place: Place, style: Style) -> None:
        fill, stroke = (_paint(style.get(key, ""), key) for key in ("fill", "stroke"))
        if fill or stroke:
            self.path(
                d, place, fill=fill, stroke=stroke,
                width=float(style.get("stroke-width", "1")) * place.unit,
                opacity=float(style.get("opacity", "1")),
                dash=tuple(
                    float(part) * place.unit for part in style.get("stroke-dasharray", "").split()
                ),
            )  # fmt: skip

    def _pattern(self, pattern: Element, d: str, place: Place, under: str) -> None:
        """A pattern over a shape, in light ink or, where there is no colour, in what is seen."""
        left, top, right, bottom = extent(d)
        step = float(pattern.get("width", "1"))
        ink = (DARK if brightness(under) > 0.5 else LIGHT) if self.mono else LIGHT
        opacity = 0.75 if self.mono else 0.8
        self.canvas.saveState()
        self.canvas.clipPath(self._traced(d, place), stroke=0, fill=0)
        copies = [
            place.moved(column * step, row * step)
            for row in range(floor(top / step), ceil(bottom / step))
            for column in range(floor(left / step), ceil(right / step))
        ]
        self._stroke(ink, opacity)
        self.canvas.setDash()
        for child in pattern:
            d, width = child.get("d", ""), float(child.get("stroke-width", "1"))
            if child.tag == "circle":  # the shortest dot: a line without length and with round ends
                x, y, r = _numbers(child, "cx", "cy", "r")
                d, width = f"M{x} {y}L{x} {y}", 2 * r
                self.canvas.setLineCap(1)
            self.canvas.setLineWidth(width * place.unit)
            self.canvas.drawPath(self._traced(d, *copies), stroke=1, fill=0)
        self.canvas.restoreState()

    def _words(self, element: Element, place: Place, style: Style) -> None:
        size = float(style["font-size"])
        down = 0.36 * size if style.get("dominant-baseline") == "central" else 0
        x, y = place.at((float(style["x"]), float(style["y"]) + down))
        heavy = int(style.get("font-weight", "400")) >= 600
        self._fill(style.get("fill", DARK), float(style["opacity"]))
        self.canvas.setFont(BOLD if heavy else PLAIN, size * place.unit)
        write = {"middle": self.canvas.drawCentredString, "end": self.canvas.drawRightString}
        anchor = style.get("text-anchor", "start")
        write.get(anchor, self.canvas.drawString)(x, y, element.text or "")

    def _traced(self, d: str, *places: Place) -> PDFPathObject:
        """A path, once for each place."""
        path, parts = self.canvas.beginPath(), runs(d)
        for place in places:
            for first, steps in parts:
                path.moveTo(*place.at(first))
                for step in steps:
                    points = [number for point in step for number in place.at(point)]
                    if not points:
                        path.close()
                    elif len(points) == 2:
                        path.lineTo(*points)
                    else:
                        path.curveTo(*points)
        return path

    def _fill(self, colour: str, opacity: float = 1) -> None:
        red, green, blue = self._mixed(colour)
        if red == green == blue:
            self.canvas.setFillGray(red)
        else:
            self.canvas.setFillColorRGB(red, green, blue)
        self.canvas.setFillAlpha(opacity)

    def _stroke(self, colour: str, opacity: float = 1) -> None:
        red, green, blue = self._mixed(colour)
        if red == green == blue:
            self.canvas.setStrokeGray(red)
        else:
            self.canvas.setStrokeColorRGB(red, green, blue)
        self.canvas.setStrokeAlpha(opacity)

    def _mixed(self, colour: str) -> tuple[float, float, float]:
        colour = PRINTED.get(colour, colour)
        return (brightness(colour),) * 3 if self.mono else _parts(colour)


def drawn(picture: Picture, mono: bool = False) -> Element:
    """A picture as a tree of SVG; without colours it has patterns."""
    return ElementTree.fromstring(picture.svg(patterns=mono).replace(" xmlns=", " about="))


def box(root: Element) -> tuple[float, float, float, float]:
    """Left, top, width and height of a drawn picture, in its units."""
    left, top, wide, high = map(float, root.get("viewBox", "").split())
    return left, top, wide, high


def ground(picture: Picture, colour: str) -> str:
    """The colour of a paint of the picture, or of a neutral."""
    return NEUTRALS[colour][0] if colour in NEUTRALS else picture.paint(colour).fill[0]


def brightness(colour: str) -> float:
    """How light a colour looks, from 0 to 1.

    >>> brightness("#ffffff"), brightness("#2f6fde") < brightness("#f4ba34")
    (1.0, True)
    """
    red, green, blue = _parts(colour)
    return round(0.299 * red + 0.587 * green + 0.114 * blue, 3)


def _parts(colour: str) -> tuple[float, float, float]:
    red, green, blue = (round(int(colour[i : i + 2], 16) / 255, 3) for i in (1, 3, 5))
    return red, green, blue


def _paint(colour: str, key: str) -> str:
    """What SVG draws if nothing is said: a black fill and no stroke."""
    if colour == "none":
        return ""
    return colour or (DARK if key == "fill" else "")


def _moved(transform: str) -> tuple[float, float, float]:
    """The shift and the scale that we write: `translate(1 2) scale(3)`."""
    x, y, scale = 0.0, 0.0, 1.0
    for part in transform.split(")"):
        name, _, numbers = part.strip().partition("(")
        if name == "translate":
            x, y = map(float, numbers.split())
        elif name == "scale":
            scale = float(numbers)
    return x, y, scale


def _rectangle(element: Element) -> str:
    x, y, wide, high, r = _numbers(element, "x", "y", "width", "height", "rx")
    if not r:
        return f"M{x} {y}h{wide}v{high}h{-wide}Z"
    across, along, turn = wide - 2 * r, high - 2 * r, f"a{r} {r} 0 0 1"
    return (
        f"M{x + r} {y}h{across}{turn} {r} {r}v{along}{turn} {-r} {r}h{-across}{turn} {-r} {-r}"
        f"v{-along}{turn} {r} {-r}Z"
    )


def _numbers(element: Element, *keys: str) -> list[float]:
    return [float(element.get(key, "0")) for key in keys]
