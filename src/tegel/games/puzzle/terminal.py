"""Puzzles for terminals: each square with the letter of its tile, in its colour."""

from collections.abc import Iterable
from itertools import groupby

from tegel.games.puzzle.picture import PLAIN
from tegel.games.puzzle.rules import State
from tegel.picture import PAINTS
from tegel.picture.styled import DIM, Style, StyledText, joined, styled
from tegel.solver.check import unused
from tegel.solver.puzzle import Placement, Puzzle


def text(state: State, _: str = "en") -> StyledText:
    return board(state.puzzle, state.lying, hands=True)


def board(puzzle: Puzzle, position: Iterable[Placement], *, hands: bool = False) -> StyledText:
    """A position of any puzzle, with or without the tiles in hand."""
    position = tuple(position)
    laid_on = {cell: placement for placement in position for cell in placement.cells}
    squares, grid, lines = set(puzzle.board), puzzle.grid, list[StyledText]()
    for y in range(grid.height - 1, -1, -1):
        line = [styled(f"{y + 1:>3} ", DIM)]
        for x in range(grid.width):
            here, beyond = laid_on.get((x, y)), laid_on.get((x + 1, y))
            if here is None:
                line.append(styled(". " if (x, y) in squares else "  ", DIM))
                continue
            paint = PAINTS[here.colour or PLAIN]
            style = Style("#000000", paint.fill[1], dim=True)
            line += styled(here.tile[0], style), styled(" ", style if here is beyond else DIM)
        lines.append(joined("", line))
    if grid.width <= 26:
        lines.append(styled("    " + " ".join(chr(97 + x) for x in range(grid.width)), DIM))
    if hands:
        left = unused(puzzle, position)
        for colour, kinds in groupby(puzzle.tiles, lambda kind: kind.colour):
            ids = [f"{kind.id}*{left[kind.id]}" if left[kind.id] > 1 else kind.id
                   for kind in kinds if left[kind.id]]  # fmt: skip
            if ids:
                style = Style(PAINTS[colour].fill[1] if colour else "")
                lines.append(styled("    " + " ".join(ids), style))
    return joined("\n", lines)
