"""Lists to tick off: every sprite small, with a box beside it."""

from functools import partial

from tegel.game.material import Side, Tally
from tegel.sheets.ink import MM, Ink
from tegel.sheets.paper import HEAD, MARGIN, Page, Paper
from tegel.sheets.path import extent
from tegel.sheets.pieces import Press

SMALL = 17.0  # millimetres of a cell
ACROSS, DOWN = 23.5, 26.0  # from one entry to the next, at least
BOX = 4.0


def tally(list: Tally, title: str, press: Press, paper: Paper) -> Page:
    """A list on one page."""
    return Page(partial(_draw, list, title, press, paper), title)


def _draw(list: Tally, title: str, press: Press, paper: Paper, ink: Ink) -> None:
    ink.text(*paper.point(MARGIN, MARGIN + 5), title, 10)
    columns = int(paper.wide // ACROSS)
    across, rows = paper.wide / columns, -(-len(list.sprites) // columns)
    room = paper.high - HEAD
    down, small = DOWN, SMALL
    if rows * DOWN > room:  # more than a page holds at their size: all are smaller
        columns = int((columns * rows * DOWN * 1.15 / room) + 1)
        across, rows = paper.wide / columns, -(-len(list.sprites) // columns)
        down = room / rows
        small = SMALL * min(across / ACROSS, down / DOWN)
    for number, sprite in enumerate(list.sprites):
        row, column = divmod(number, columns)
        x, y = MARGIN + across * column, MARGIN + HEAD + down * row
        left, top, _, _ = extent(press.picture.sprites[sprite].layers[0].d)
        place = paper.place(x + 1 - left * small, y - top * small, small)
        ink.picture(press.tree(Side(sprite)), place)
        ink.rectangle(*paper.point(x + across - BOX - 1.5, y + BOX), BOX * MM, BOX * MM, 0.6)
