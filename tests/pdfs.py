"""A PDF read back by another program than the one that wrote it: paths in millimetres from the
top left of the paper, words, and pages as pictures."""

from collections.abc import Iterator
from ctypes import byref, c_float, c_int
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pypdfium2 as pdfium
import pypdfium2.raw as raw
from numpy.typing import NDArray

MM = 72 / 25.4
Points = tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class Drawn:
    """A path: its corners, its box, how wide its stroke is; 0: it has none."""

    points: Points
    stroke: float
    filled: bool
    dashed: bool

    @property
    def box(self) -> tuple[float, float, float, float]:
        xs, ys = zip(*self.points, strict=True)
        return min(xs), min(ys), max(xs), max(ys)


@dataclass(frozen=True)
class Leaf:
    """One page."""

    width: float
    height: float
    page: Any

    @cached_property
    def words(self) -> str:
        return " ".join(self.page.get_textpage().get_text_range().split())

    @cached_property
    def paths(self) -> tuple[Drawn, ...]:
        things = self.page.get_objects([raw.FPDF_PAGEOBJ_PATH])
        return tuple(_drawn(thing, self.height * MM) for thing in things)

    def image(self, scale: float = 2.0) -> NDArray[np.uint8]:
        """The page as a picture, so many dots a millimetre."""
        shown = self.page.render(scale=scale / MM, rev_byteorder=True)
        found: NDArray[np.uint8] = shown.to_numpy()[:, :, :3]
        return found

    @property
    def lines(self) -> list[Drawn]:
        """The lines to cut along."""
        return [path for path in self.paths if abs(path.stroke - 0.37) < 1e-3 and not path.filled]


class Pdf:
    def __init__(self, data: bytes) -> None:
        self.data, self.document = data, pdfium.PdfDocument(data)
        self.pages = [_leaf(page) for page in self.document]

    @property
    def words(self) -> str:
        return "\n".join(page.words for page in self.pages)


def _leaf(page: Any) -> Leaf:
    width, height = page.get_size()
    return Leaf(width / MM, height / MM, page)


def _drawn(thing: Any, height: float) -> Drawn:
    fill, stroke, wide = c_int(), c_int(), c_float()
    raw.FPDFPath_GetDrawMode(thing.raw, byref(fill), byref(stroke))
    raw.FPDFPageObj_GetStrokeWidth(thing.raw, byref(wide))
    points = tuple((x / MM, (height - y) / MM) for x, y in _corners(thing))
    dashed = raw.FPDFPageObj_GetDashCount(thing.raw) > 0
    return Drawn(points, wide.value if stroke.value else 0.0, bool(fill.value), dashed)


def _corners(thing: Any) -> Iterator[tuple[float, float]]:
    a, b, c, d, e, f = thing.get_matrix().get()
    x, y = c_float(), c_float()
    for number in range(raw.FPDFPath_CountSegments(thing.raw)):
        segment = raw.FPDFPath_GetPathSegment(thing.raw, number)
        raw.FPDFPathSegment_GetPoint(segment, byref(x), byref(y))
        yield a * x.value + c * y.value + e, b * x.value + d * y.value + f
