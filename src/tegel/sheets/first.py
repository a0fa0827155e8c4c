"""The first page: paper, scale with a ruler, what is on which page, how to cut and join."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from html import escape
from xml.etree.ElementTree import Element

from reportlab.platypus import Flowable, Paragraph, Spacer

from tegel.sheets.ink import MM, Ink, Place, box
from tegel.sheets.paper import MARGIN, Page, Paper
from tegel.sheets.said import figure, say
from tegel.sheets.text import BODY, HEADINGS, SMALL, Column, poured, table

BAR = 100.0  # millimetres
PICTURE = 62.0  # the side of the picture at the top


@dataclass(frozen=True)
class Entry:
    """A line of the contents: what it is, how many of it, from page to page; what to do."""

    title: str
    count: int
    first: int
    last: int
    how: str = ""


@dataclass(frozen=True)
class Facts:
    """What the first page tells."""

    name: str
    variant: str
    about: str
    cell: float
    parts: int  # of the largest board
    sides: int
    pages: int
    entries: tuple[Entry, ...]
    language: str
    paper: Paper


class Ruler(Flowable):
    """A bar of 100 mm with a line at every centimetre."""

    def __init__(self) -> None:
        super().__init__()
        self.width, self.height, self.spaceBefore = BAR * MM, 9 * MM, 8.0

    def wrap(self, *_: float) -> tuple[float, float]:
        return self.width, self.height

    def draw(self) -> None:
        ruler(Ink(self.canv), 2 * MM, 0)


def ruler(ink: Ink, x: float, y: float) -> None:
    """The bar, from a point at its lower left, with its length."""
    base = y + 3 * MM
    ink.line((x, base), (x + BAR * MM, base), 1)
    for centimetre in range(11):
        at = x + centimetre * 10 * MM
        ink.line((at, base), (at, base + (4 if centimetre % 5 == 0 else 2) * MM), 0.6)
        ink.text(at, y, str(10 * centimetre), 6, anchor="middle")
    ink.text(x + BAR * MM + 6, base, "mm", 7)


def first(facts: Facts, picture: Element | None) -> list[Page]:
    """One page, or two where there is much to say."""
    story = _story(facts)
    columns = poured(story, facts.paper.wide * MM, facts.paper.high * MM)
    return [
        Page(partial(_draw, facts, column, None if number else picture))
        for number, column in enumerate(columns)
    ]


def _draw(facts: Facts, column: Column, picture: Element | None, ink: Ink) -> None:
    paper = facts.paper
    column.draw(ink, *paper.point(MARGIN, MARGIN + paper.high))
    if picture is not None:
        left, top, wide, high = box(picture)
        unit = PICTURE / max(wide, high)
        x, y = paper.point(paper.width - MARGIN - wide * unit, MARGIN)
        place = Place(x - left * unit * MM, y + top * unit * MM, unit * MM)
        ink.picture(picture, place)


def _story(facts: Facts) -> list[Flowable]:
    tell, number = partial(say, facts.language), partial(figure, facts.language)
    paper = facts.paper
    size = {"paper": paper.name, "width": number(paper.width), "height": number(paper.height)}
    sheets = -(-facts.pages // facts.sides)
    many = {"pages": facts.pages, "sheets": sheets}
    found: list[Flowable] = [
        _narrow(facts.name, "h1", PICTURE),
        _narrow(facts.variant, "h3", PICTURE),
        _narrow(facts.about, "", PICTURE),
        Spacer(1, 10),
        _narrow(tell("scale"), "h2", PICTURE),
        _narrow(tell("scale.text", cell=number(facts.cell)), "", PICTURE),
        Ruler(),
        Paragraph(tell("paper"), HEADINGS["h2"]),
        Paragraph(tell("paper.text", **size), BODY),
        Paragraph(tell("sheets.two" if facts.sides == 2 else "sheets.one", **many), BODY),
        table(_contents(facts), paper.wide * MM),
        Paragraph(tell("cut"), HEADINGS["h2"]),
        Paragraph(tell("cut.text"), BODY),
    ]
    if facts.parts > 1:
        found += [
            Paragraph(tell("join"), HEADINGS["h2"]),
            Paragraph(tell("join.text", count=facts.parts), BODY),
        ]
    for how in dict.fromkeys(entry.how for entry in facts.entries if entry.how):
        titles = [entry.title for entry in facts.entries if entry.how == how]
        found += [
            Paragraph(escape(" \N{MIDDLE DOT} ".join(titles), quote=False), HEADINGS["h2"]),
            Paragraph(escape(how, quote=False), BODY),
        ]
    return [*found, Spacer(1, 8), Paragraph(tell("made"), SMALL)]


def _narrow(text: str, kind: str, aside: float) -> Paragraph:
    """A paragraph that leaves room for the picture beside it."""
    style = HEADINGS.get(kind, BODY)
    name = f"narrow {style.name}"
    narrow = style.clone(name, rightIndent=(aside + 8) * MM)
    return Paragraph(escape(text, quote=False), narrow)


def _contents(facts: Facts) -> Sequence[Sequence[str]]:
    tell = partial(say, facts.language)
    rows = [[tell("what"), tell("count"), tell("pages")]]
    for entry in facts.entries:
        pages = str(entry.first)
        if entry.last > entry.first:
            pages += f"\N{EN DASH}{entry.last}"
        rows.append([escape(entry.title, quote=False), str(entry.count or ""), pages])
    return [[f"<b>{text}</b>" for text in rows[0]], *rows[1:]]
