"""Tantrix for a terminal: each tile shows the colours of its six edges as letters around its
number, so that touching edges stand together; open cells show where they are.

      Y   Y
     R 14  B      tile 14 in rotation 0: BBRRYY, clockwise from east
      R   B
"""

from collections.abc import Collection, Iterable

from tegel.cells import bits
from tegel.games.tantrix.field import Field
from tegel.games.tantrix.picture import PAINTS, planes
from tegel.games.tantrix.rules import State
from tegel.games.tantrix.tiles import FORMS, NAMES, form, tile_of
from tegel.lattice import Cell
from tegel.picture.styled import BOLD, DIM, PLAIN, Span, Style, StyledText, joined, styled
from tegel.words import title

WIDTH, HEIGHT = 8, 3  # characters from a cell to the next in a row, lines to the next row
SPOTS = ((3, 0), (2, 1), (-2, 1), (-3, 0), (-2, -1), (2, -1))  # of the edges, around the middle
BODY = "#1a1f29"


class _Canvas:
    """Characters with styles by place; rows and columns as far as they are used."""

    def __init__(self) -> None:
        self.signs: dict[tuple[int, int], Span] = {}

    def write(self, x: int, y: int, text: str, style: Style) -> None:
        """A text with its middle at a place."""
        for i, sign in enumerate(text):
            self.signs[y, x - len(text) // 2 + i] = Span(sign, style)

    def text(self) -> StyledText:
        rows, columns = ([place[axis] for place in self.signs] for axis in (0, 1))
        across = range(min(columns), max(columns) + 1)
        lines = (
            StyledText(tuple(self.signs.get((y, x), Span(" ")) for x in across)).rstrip()
            for y in range(min(rows), max(rows) + 1)
        )
        return joined("\n", lines)


def text(state: State, language: str = "en") -> StyledText:
    """The field, then the hands and what is left in the bag."""
    latest = state.last.cell if state.last else None
    parts = [table(state.field, latest, state.field.forced)] if state.field.laid else []
    *titles, bag = (title(plane, "tantrix", language) for plane in planes(state) if plane.title)
    for seat, hand in enumerate(state.hands):
        parts.append(_hand(state, seat, hand, titles[seat]))
    parts.append(styled(f"  {bag}: {state.bag.bit_count()}", DIM))
    # Lines stay whole: a field broken into pieces is no picture.
    return joined("\n\n", parts, wraps=False)


def table(field: Field, latest: Cell | None = None, forced: Collection[Cell] = ()) -> StyledText:
    """The tiles on the table and the open cells, forced spaces marked."""
    canvas = _Canvas()
    for cell, number in field.laid.items():
        _tile(canvas, _middle(cell), number, last=cell == latest)
    for cell in field.faces:
        name = f"{cell[0]},{cell[1]}"
        style = Style(bold=True, reverse=True) if cell in forced else DIM
        canvas.write(*_middle(cell), f"[{name}]" if cell in forced else name, style)
    return canvas.text()


def row(tiles: Iterable[int]) -> StyledText:
    """Tiles side by side in rotation 0."""
    canvas = _Canvas()
    canvas.write(0, 0, " ", PLAIN)
    for place, tile in enumerate(tiles):
        _tile(canvas, (WIDTH * place + 5, 0), form(tile, 0))
    return canvas.text()


def _middle(cell: Cell) -> tuple[int, int]:
    q, r = cell
    return WIDTH * q + WIDTH // 2 * r, HEIGHT * r


def _tile(canvas: _Canvas, middle: tuple[int, int], number: int, *, last: bool = False) -> None:
    x, y = middle
    for row, reach in ((-1, 2), (0, 3), (1, 2)):
        canvas.write(x, y + row, " " * (2 * reach + 1), Style(background=BODY))
    for letter, (dx, dy) in zip(FORMS[number], SPOTS, strict=True):
        paint = PAINTS[NAMES[letter]].fill[1]
        canvas.write(x + dx, y + dy, letter, Style(paint, BODY, bold=True))
    tile = str(tile_of(number)[0])
    canvas.write(x, y, f"<{tile}>" if last else tile, Style("#ece7da", BODY, bold=last))


def _hand(state: State, seat: int, hand: int, title: str) -> StyledText:
    active = seat == state.turn and not state.outcome
    colour = state.colours[seat % state.rules.sides]
    style = Style(PAINTS[colour].fill[1] if colour else "", bold=active)
    line = styled("> " if active else "  ", BOLD)
    line += styled(f"{title}  {state.scores[seat]}", style)
    return joined("\n", [line, row(bits(hand))]) if hand else line
