"""Blokus positions that are the same: turned, flipped, or with the colours moved on."""

from collections.abc import Iterator

from tegel.games.blokus.rules import State
from tegel.lattice import turned_rows


def alike(state: State) -> Iterator[str]:
    """The position with its board turned and flipped; colours are numbered in playing order from
    the one to move. Where each has a starting square of its own some of these never come about,
    which is no matter."""
    rules, count = state.rules, len(state.rules.colours)
    order = [(state.colour + step) % count for step in range(count)]
    single = "".join(str(state.single >> colour & 1) for colour in order)
    letters = {
        cell: str(number)
        for number, colour in enumerate(order)
        for cell in rules.grid.cells(state.squares[colour])
    }
    line = range(rules.size)
    rows = ["".join(letters.get((x, y), ".") for x in line) for y in line]
    for turned in turned_rows(rows):
        yield "\n".join((single, *turned))
