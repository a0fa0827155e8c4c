"""Forma positions that are the same: turned, flipped, or with the seats moved on."""

from collections.abc import Iterator

from tegel.games.forma.rules import State
from tegel.lattice import turned_rows

TILES, MARKERS, MARKED = "ABCD", "abcd", "0123"  # by seat: tiles, markers, marked obstacles


def alike(state: State) -> Iterator[str]:
    """The position with its board turned and flipped; seats are numbered from the one to move.
    Which tiles make up the squares of a colour is no matter, nor, once the board is set up, how
    that was done."""
    rules, grid, layout = state.rules, state.rules.grid, state.layout
    first, count = max(state.seat, 0), rules.seats
    order = [(first + step) % count for step in range(count)]
    setting_up = None if state.ready else (state.count, state.turn == state.seat)
    closer = None if state.closer is None else (state.closer - first) % count
    hands = [(state.hands[seat], state.aside[seat]) for seat in order]
    facts = repr((state.seat < 0, setting_up, state.misfit, closer, hands))
    letters = dict.fromkeys(grid.cells(layout.obstacles), "#")
    letters |= dict.fromkeys(grid.cells(layout.tower), "*")
    for number, seat in enumerate(order):
        letters |= dict.fromkeys(grid.cells(state.tiles[seat]), TILES[number])
        for cell in grid.cells(state.markers[seat]):
            letters[cell] = MARKED[number] if cell in letters else MARKERS[number]
    line = range(rules.size)
    rows = ["".join(letters.get((x, y), ".") for x in line) for y in line]
    for turned in turned_rows(rows):
        yield "\n".join((facts, *turned))
