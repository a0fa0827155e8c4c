"""Forma: what a tile closes in.

A free **square** is closed in when nothing free is beside it, an **obstacle** when all
beside it is of one colour, the **tower** when nothing free is beside it. A square or an
obstacle closed in takes a **marker**.
"""

from typing import NamedTuple

from tegel.cells import Grid, bits
from tegel.games.forma.layout import Layout


class Closings(NamedTuple):
    """What a tile closes in, as sets of squares."""

    squares: int
    obstacles: int
    tower: int  # whether or not it was closed in before
    unmarked: int  # squares and obstacles for which no marker was left (F8)


def closings(layout: Layout, tile: int, free: int, own: int, markers: int) -> Closings:
    """What a tile that has come to lie closes in (F6): free squares, then obstacles, as far
    as the markers left go (F8), then the tower. `own` are all squares of its colour, the
    tile's too, and `free` those that it leaves free."""
    grid, up = layout.grid, layout.grid.stride
    beside_free = free << 1 | free >> 1 | free << up | free >> up
    # Only squares beside the tile: what was closed in before stays unscored (F7).
    single = free & grid.beside(tile) & ~beside_free
    squares = _first(grid, single, markers)
    around = 0
    for offset in bits(grid.beside(tile | squares) & layout.obstacles):
        if not grid.beside(1 << offset) & ~(own | squares):
            around |= 1 << offset
    obstacles = _first(grid, around, markers - squares.bit_count())
    tower = 0 if grid.beside(layout.tower) & free & ~squares else layout.tower
    return Closings(squares, obstacles, tower, (single | around) & ~(squares | obstacles))


def _first(grid: Grid, squares: int, count: int) -> int:
    """So many squares of a set, in reading order."""
    if squares.bit_count() <= count:
        return squares
    reading = sorted(grid.cells(squares), key=lambda cell: (-cell[1], cell[0]))
    return grid.mask(reading[:count])
