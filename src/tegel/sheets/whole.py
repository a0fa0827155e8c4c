"""A small puzzle on one sheet, its tiles below its board; and pages with a solution."""

from functools import partial
from html import escape
from xml.etree.ElementTree import Element

from reportlab.platypus import Paragraph

from tegel.game import BadNotation
from tegel.game.material import Lot
from tegel.sheets.first import ruler
from tegel.sheets.ink import MM, Ink, box
from tegel.sheets.paper import HEAD, MARGIN, Page, Paper
from tegel.sheets.pieces import SPILL, Press, Sheet, laid
from tegel.sheets.text import BODY, HEADINGS, Column, poured

ABOVE = 42.0  # millimetres: title, task and ruler
SMALLEST = 6.0  # of a cell: smaller tiles can't be handled
STEP = 0.5


def puzzle(
    board: Element, lot: Lot, press: Press, paper: Paper, texts: tuple[str, str, str]
) -> Page:
    """Board and tiles on one page; the texts are title, task and how to print it."""
    _, _, _, high = box(board)
    sheet = laid(lot, press.cell, paper, MARGIN + ABOVE + high * press.cell)
    title, *rest = (escape(text, quote=False) for text in texts)
    story = [Paragraph(title, HEADINGS["h1"]), *(Paragraph(text, BODY) for text in rest)]
    column = poured(story, paper.wide * MM, paper.high * MM)[0]
    return Page(partial(_puzzle, board, sheet, press, paper, column), texts[0])


def _puzzle(
    board: Element, sheet: Sheet, press: Press, paper: Paper, column: Column, ink: Ink
) -> None:
    column.draw(ink, *paper.point(MARGIN, MARGIN + paper.high))
    ruler(ink, *paper.point(MARGIN + 2, MARGIN + ABOVE - 2))
    left, top, wide, _ = box(board)
    x = (paper.width - wide * press.cell) / 2 - left * press.cell
    ink.picture(board, paper.place(x, MARGIN + ABOVE - top * press.cell, press.cell))
    press.fronts(ink, sheet.spots)


def fitting(board: Element, lot: Lot, cell: float, paper: Paper) -> float:
    """The width of a cell with which board and tiles fit on one page: the one given, or the
    next smaller one that does."""
    while not fits(board, lot, cell, paper):
        cell -= STEP
        if cell < SMALLEST:
            raise BadNotation(lot.title, "is too large for one sheet")
    return cell


def fits(board: Element, lot: Lot, cell: float, paper: Paper) -> bool:
    _, _, wide, high = box(board)
    try:
        lowest = laid(lot, cell, paper, MARGIN + ABOVE + high * cell).bottom
    except BadNotation:
        return False
    return wide * cell <= paper.wide and lowest <= MARGIN + paper.high - SPILL


def solution(root: Element, title: str, cell: float, paper: Paper) -> Page:
    """A finished board, at its own size or as large as the page allows."""
    return Page(partial(_solution, root, title, cell, paper), title)


def _solution(root: Element, title: str, cell: float, paper: Paper, ink: Ink) -> None:
    ink.text(*paper.point(MARGIN, MARGIN + 5), title, 10)
    left, top, wide, high = box(root)
    cell = min(cell, paper.wide / wide, (paper.high - HEAD) / high)
    x = (paper.width - wide * cell) / 2 - left * cell
    ink.picture(root, paper.place(x, MARGIN + HEAD - top * cell, cell))
