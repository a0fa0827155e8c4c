"""Imago for terminals: stones as letters, board and stocks side by side."""

from tegel.game import Seat, words
from tegel.games.imago.picture import planes, shown
from tegel.games.imago.rules import State
from tegel.games.imago.sprites import GLYPHS, PAINTS
from tegel.games.imago.stones import COLOURS, HOLLOWS, SIZE, TOP, down
from tegel.lattice import bounds
from tegel.picture.styled import DIM, Style, StyledText, joined, styled
from tegel.words import title


def text(state: State, language: str = "en") -> StyledText:
    """Board and stocks side by side: `<` and `>` mark stones in images of left and right, a
    small letter the stone asked about; a stock has the rows and columns that a take names."""
    blocks = [_board_rows(state), *(_stock_rows(state, seat, language) for seat in (0, 1))]
    widths = [max(map(len, block)) + 4 for block in blocks]
    lines = []
    for number in range(max(map(len, blocks))):
        rows = [block[number] if number < len(block) else StyledText() for block in blocks]
        padded = [row.padded(width) for row, width in zip(rows, widths, strict=True)]
        lines.append(joined("", padded).rstrip())
    return joined("\n", lines)


def _board_rows(state: State) -> list[StyledText]:
    rows = [StyledText()]
    left, right = (
        {cell for image in shown(state, seat) for cell in image.cells} for seat in (0, 1)
    )
    for y in range(TOP, -1, -1):
        row = [styled(f"{y + 1:>3} ")]
        for x in range(SIZE):
            cell, colour = (x, y), state.table.colour_at.get((x, y))
            around = "<" if cell in left else " ", ">" if cell in right else " "
            if colour is None:
                row.append(styled(" . " if cell in HOLLOWS else "   ", DIM))
            else:
                asked = state.asked is not None and state.asked.cell == cell
                row.append(_letter(colour, around, small=asked))
        rows.append(joined("", row))
    columns = "".join(f" {chr(97 + x)} " for x in range(SIZE))
    return [*rows, styled("    " + columns, DIM)]


def _letter(
    colour: int, around: tuple[str, str] = (" ", " "), small: bool = False, dim: bool = False
) -> StyledText:
    letter = COLOURS[colour]
    ink = PAINTS[GLYPHS[letter][0]].fill[1]
    said = letter.lower() if small else letter
    return styled(said.join(around), Style(ink, PAINTS[letter].fill[1], dim=dim))


def _stock_rows(state: State, seat: Seat, language: str) -> list[StyledText]:
    stock = state.table.stocks[seat]
    (plane,) = (plane for plane in planes(state) if plane.name == f"stock.{seat}")
    active = state.turn == seat and not state.outcome
    heading = f"{'<>'[seat]} {title(plane, 'imago', language)}: {plane.note}"
    count = len(state.table.images(seat)) if stock.stones else 0
    notes = {"images": {"count": str(count)}} if count else {}
    notes |= {"claims": {"at": down(stock.claim, TOP)}} if stock.claim else {}
    said = words("imago", language)["notes"]
    told = [said[key].format_map(args) for key, args in notes.items()]
    rows = [styled(", ".join([heading, *told]), Style(bold=active))]
    asked = state.asked if seat == state.player else None
    takes = state.table.takes(seat) if active and state.step != "taken" and not state.asked else {}
    colours = dict(stock.stones)
    if asked:
        colours[asked.place] = state.table.colour_at[asked.cell]
    cells = {*colours, *takes} or {(0, 0)}
    left, low, right, top = bounds(cells)
    columns = range(left, right + 1)
    for y in range(top, low - 1, -1):
        row = [styled(f"{-y:>3} ", DIM)]
        for x in columns:
            if (x, y) in colours:
                small = asked is not None and asked.place == (x, y)
                row.append(_letter(colours[x, y], small=small, dim=True))
            else:
                row.append(styled(" + " if (x, y) in takes else "   ", DIM))
        rows.append(joined("", row))
    return [*rows, styled("    " + "".join(f"{x:>2} " for x in columns), DIM)]
