"""Lists to tick off: every sprite small, with its name and a box beside it."""

from functools import partial

from tegel.game.material import Side, Tally
from tegel.sheets.ink import MM, Ink
from tegel.sheets.paper import HEAD, MARGIN, Page, Paper
from tegel.sheets.path import extent
from tegel.sheets.pieces import Press

BOX = 4.5  # millimetres
BESIDE = 7.5  # for the box and the name
GAP = 3.0


def tally(list: Tally, title: str, press: Press, paper: Paper) -> Page:
    """A list on one page, its sprites as large as that allows."""
    return Page(partial(_draw, list, title, press, paper), title)


def _draw(list: Tally, title: str, press: Press, paper: Paper, ink: Ink) -> None:
    ink.text(*paper.point(MARGIN, MARGIN + 5), title, 10)
    sprites = press.picture.sprites
    left, top, right, bottom = extent(sprites[list.sprites[0]].layers[0].d)
    for columns in range(2, len(list.sprites) + 2):
        across, rows = paper.wide / columns, -(-len(list.sprites) // columns)
        small = (across - BESIDE - GAP) / (right - left)
        down = (bottom - top) * small + GAP
        if down * rows <= paper.high - HEAD:
            break
    for number, sprite in enumerate(list.sprites):
        row, column = divmod(number, columns)
        x, y = MARGIN + across * column, MARGIN + HEAD + down * row
        ink.picture(press.tree(Side(sprite)), paper.place(x - left * small, y - top * small, small))
        beside = x + (right - left) * small + 1.5
        ink.rectangle(*paper.point(beside, y + BOX + 2), BOX * MM, BOX * MM, 0.6)
        middle = paper.point(beside + BOX / 2, y + BOX + 6)
        ink.text(*middle, sprites[sprite].name, 7.5, anchor="middle")
