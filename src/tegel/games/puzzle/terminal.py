"""Puzzles for terminals: each square with the letter of its tile, in its colour."""

from collections.abc import Iterable
from itertools import groupby

from rich.style import Style
from rich.text import Text

from tegel.games.puzzle.picture import PLAIN
from tegel.games.puzzle.rules import State
from tegel.picture import PAINTS
from tegel.solver.check import unused
from tegel.solver.puzzle import Placement, Puzzle


def text(state: State, _: str = "en") -> Text:
    return board(state.puzzle, state.lying, hands=True)


def board(puzzle: Puzzle, position: Iterable[Placement], *, hands: bool = False) -> Text:
    """A position of any puzzle, with or without the tiles in hand."""
    position = tuple(position)
    laid_on = {cell: placement for placement in position for cell in placement.cells}
    squares, grid, lines = set(puzzle.board), puzzle.grid, list[Text]()
    for y in range(grid.height - 1, -1, -1):
        line = Text(f"{y + 1:>3} ", style="dim")
        for x in range(grid.width):
            here, beyond = laid_on.get((x, y)), laid_on.get((x + 1, y))
            if here is None:
                line.append(". " if (x, y) in squares else "  ", "dim")
                continue
            paint = PAINTS[here.colour or PLAIN]
            style = Style(color="#000000", bgcolor=paint.fill[1])
            line.append(here.tile[0], style)
            line.append(" ", style if here is beyond else None)
        lines.append(line)
    if grid.width <= 26:
        lines.append(Text("    " + " ".join(chr(97 + x) for x in range(grid.width)), style="dim"))
    if hands:
        left = unused(puzzle, position)
        for colour, kinds in groupby(puzzle.tiles, lambda kind: kind.colour):
            ids = [f"{kind.id}*{left[kind.id]}" if left[kind.id] > 1 else kind.id
                   for kind in kinds if left[kind.id]]  # fmt: skip
            if ids:
                style = Style(color=PAINTS[colour].fill[1]) if colour else Style()
                lines.append(Text("    " + " ".join(ids), style))
    return Text("\n").join(lines)
