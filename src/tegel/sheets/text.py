"""Running text on paper: paragraphs, tables and figures, poured into columns."""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from xml.etree.ElementTree import Element

from reportlab.lib.colors import HexColor
from reportlab.lib.styles import ParagraphStyle
from reportlab.platypus import Flowable, Paragraph, Table, TableStyle

from tegel.sheets.ink import BOLD, ITALIC, MM, PLAIN, Ink, Place, box

INK, RULE = "#1a1a1a", "#b0b0b0"


def _style(name: str, size: float, font: str = PLAIN, **more: Any) -> ParagraphStyle:
    return ParagraphStyle(
        name, fontName=font, fontSize=size, leading=1.38 * size, textColor=HexColor(INK),
        bulletFontName=font, bulletFontSize=size, allowWidows=0, allowOrphans=0, **more,
    )  # fmt: skip


BODY = _style("body", 8.6, spaceBefore=4.5)
SMALL = _style("small", 7.4, spaceBefore=2)
CAPTION = _style("caption", 7.4, font=ITALIC, spaceBefore=2)
CELL = _style("cell", 8.0)
ITEM = _style("item", 8.6, spaceBefore=3, leftIndent=15, bulletIndent=1)
HEADINGS = {
    "h1": _style("h1", 18, font=BOLD, keepWithNext=1),
    "h2": _style("h2", 11.5, font=BOLD, spaceBefore=11, keepWithNext=1),
    "h3": _style("h3", 9.4, font=BOLD, spaceBefore=8, keepWithNext=1),
}
FOLLOWS = 42.0  # points that must be left below a heading


class Figure(Flowable):
    """A picture as wide as its column, or as high as it may be, and a caption."""

    def __init__(self, root: Element, caption: str, mono: bool, highest: float) -> None:
        super().__init__()
        self.root, self.mono, self.highest = root, mono, highest
        self.caption = Paragraph(caption, CAPTION) if caption else None
        self.unit = self.below = 0.0
        self.spaceBefore = 7.0

    def wrap(self, aW: float, aH: float) -> tuple[float, float]:  # noqa: N803
        _, _, wide, high = box(self.root)
        self.unit = min(aW / wide, self.highest / high, 9 * MM)
        self.below = self.caption.wrap(aW, aH)[1] + 3 if self.caption else 0.0
        self.width, self.height = aW, high * self.unit + self.below
        return self.width, self.height

    def draw(self) -> None:
        left, top, wide, _ = box(self.root)
        x = (self.width - wide * self.unit) / 2 - left * self.unit
        place = Place(x, self.height + top * self.unit, self.unit)
        Ink(self.canv, self.mono).picture(self.root, place)
        if self.caption:
            self.caption.drawOn(self.canv, 0, 0)


def table(rows: Sequence[Sequence[str]], width: float, head: bool = True) -> Table:
    """A table of texts, its columns as wide as what stands in them asks for."""
    most = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    shares = [min(max(letters, 5), 42) for letters in most]
    widths = [width * share / sum(shares) for share in shares]
    cells = [[Paragraph(text, CELL) for text in row] for row in rows]
    look: list[Any] = [
        ("LINEBELOW", (0, 0), (-1, -1), 0.4, HexColor(RULE)),
        ("FONTNAME", (0, 0), (-1, -1), PLAIN),
        ("VALIGN", (0, 0), (-1, -1), "TOP"),
        ("LEFTPADDING", (0, 0), (-1, -1), 2),
        ("RIGHTPADDING", (0, 0), (-1, -1), 4),
        ("TOPPADDING", (0, 0), (-1, -1), 2),
        ("BOTTOMPADDING", (0, 0), (-1, -1), 3),
    ]
    if head:
        look.append(("LINEBELOW", (0, 0), (-1, 0), 0.8, HexColor(INK)))
    found = Table(cells, colWidths=widths, style=TableStyle(look), spaceBefore=7, spaceAfter=3)
    found.hAlign = "LEFT"
    return found


@dataclass(frozen=True)
class Column:
    """Flowables, each with the height of its lower edge above the foot of the column."""

    things: list[tuple[Flowable, float]]

    def draw(self, ink: Ink, x: float, y: float) -> None:
        for thing, at in self.things:
            thing.drawOn(ink.canvas, x, y + at)


def poured(story: Sequence[Flowable], width: float, height: float) -> list[Column]:
    """A story in columns of a size, in points: what does not fit is split or goes on."""
    waiting, columns, left = deque(story), [Column([])], height
    while waiting:
        thing, things = waiting.popleft(), columns[-1].things
        space = thing.getSpaceBefore() if things else 0.0
        _, needed = thing.wrap(width, left - space)
        heads: Any = thing.getKeepWithNext()  # type: ignore[no-untyped-call]
        follows = FOLLOWS if heads else 0.0
        if space + needed + follows <= left:
            left -= space + needed
            things.append((thing, left))
            continue
        pieces = [] if follows else thing.split(width, left - space)
        if len(pieces) > 1:
            waiting.extendleft(reversed(pieces))
            continue
        assert things, f"higher than a column: {thing}"
        waiting.appendleft(thing)
        columns.append(Column([]))
        left = height
    return columns
