"""The rules of a game as pages: the same text and pictures that the page shows."""

import re
from collections.abc import Iterator
from functools import partial
from html import escape
from importlib import resources

from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode
from reportlab.platypus import Flowable, Paragraph

from tegel import games
from tegel.sheets.ink import MM, Ink, drawn
from tegel.sheets.paper import MARGIN, Page, Paper
from tegel.sheets.text import BODY, HEADINGS, ITEM, Column, Figure, poured, table
from tegel.words import package

BETWEEN = 8.0  # millimetres from column to column
HIGHEST = 78.0  # of a picture


def rules(game: str, language: str, paper: Paper, mono: bool, title: str) -> list[Page]:
    """The rule page of a game, in two columns."""
    width = (paper.wide - BETWEEN) / 2
    tokens = MarkdownIt("commonmark").enable("table").parse(games.page(game, language))
    story = [
        part
        for node in SyntaxTreeNode(tokens).children
        for part in _flowables(node, game, language, width * MM, mono)
    ]
    columns = poured(story, width * MM, paper.high * MM)
    pairs = [columns[at : at + 2] for at in range(0, len(columns), 2)]
    return [Page(partial(_draw, pair, paper, width), title) for pair in pairs]


def _draw(columns: list[Column], paper: Paper, width: float, ink: Ink) -> None:
    for number, column in enumerate(columns):
        x = MARGIN + number * (width + BETWEEN)
        column.draw(ink, *paper.point(x, MARGIN + paper.high))


def _flowables(
    node: SyntaxTreeNode, game: str, language: str, width: float, mono: bool
) -> Iterator[Flowable]:
    match node.type:
        case "heading":
            yield Paragraph(_marked(node.children[0]), HEADINGS.get(node.tag, HEADINGS["h3"]))
        case "paragraph":
            inline = node.children[0]
            if len(inline.children) == 1 and inline.children[0].type == "image":
                yield _figure(inline.children[0], game, language, mono)
            else:
                yield Paragraph(_marked(inline), BODY)
        case "bullet_list" | "ordered_list":
            first = int(node.attrs.get("start", 1))
            for number, item in enumerate(node.children, first):
                sign = f"{number}." if node.type == "ordered_list" else "\N{BULLET}"
                for place, child in enumerate(item.children):
                    text = _marked(child.children[0])
                    yield Paragraph(text, ITEM, bulletText="" if place else sign)
        case "table":
            rows = [row for part in node.children for row in part.children]
            texts = [[_marked(cell.children[0]) for cell in row.children] for row in rows]
            yield table(texts, width, head=any(texts[0]))
        case _:
            raise AssertionError(f"rule pages have no {node.type} so far")


def _figure(image: SyntaxTreeNode, game: str, language: str, mono: bool) -> Figure:
    """A picture of the rule page: from its position, as everywhere."""
    file = re.sub(r"\.svg$", ".txt", str(image.attrs["src"]))
    text = (resources.files(package(game)) / file).read_text("utf-8")
    caption = "".join(_marked(child) for child in image.children)
    return Figure(drawn(games.shown(text, language), mono), caption, mono, HIGHEST * MM)


def _marked(node: SyntaxTreeNode) -> str:
    """A line of text in the few marks that paragraphs know."""
    inner = "".join(map(_marked, node.children))
    match node.type:
        case "text":
            return escape(node.content, quote=False)
        case "code_inline":
            return f"<b>{escape(node.content, quote=False)}</b>"
        case "softbreak" | "hardbreak":
            return " "
        case "strong":
            return f"<b>{inner}</b>"
        case "em":
            return f"<i>{inner}</i>"
        case _:
            return inner
