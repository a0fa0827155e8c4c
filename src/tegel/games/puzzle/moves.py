"""Moves at a puzzle's table: place a tile, or lift one; and all the legal ones as a sequence."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from tegel.cells import Grid, Placements
from tegel.lattice import POLYOMINOES, Cell, Shape, bounds, forms, name, turned
from tegel.solver.puzzle import Placement

LIFT = "lift"
LONGEST = 40  # characters of a tile's id


class Move(NamedTuple):
    tile: str  # the id of a tile, or LIFT
    turn: int
    cell: Cell  # the lower left of the bounding box; for LIFT, a square that the tile covers

    def __str__(self) -> str:
        if self.tile == LIFT:
            return f"{LIFT}@{name(self.cell)}"
        return f"{self.tile}.{self.turn}@{name(self.cell)}"


def covering(tile: str, shape: Shape, cells: Sequence[Cell]) -> Move:
    """The move that lays a tile of a shape on squares; raises ValueError if they have another."""
    form = turned(cells, 0)
    for turn, other in forms(shape).items():
        if other == form:
            return Move(tile, turn, bounds(cells)[:2])
    raise ValueError("these squares have not the shape of that tile")


def known(tile: str) -> Shape | None:
    """The shape of a tile by its id, if it is a polyomino of 1 to 5 squares; the shape of a tile
    that somebody drew is known to its puzzle alone."""
    return POLYOMINOES.get(tile.rpartition("-")[2])


class Moves(Placements[tuple[str, int], Move]):
    """For each form, by tile and turn, the set of its places; then what may be lifted, each
    tile listed by one of its squares, though any of them will do."""

    def __init__(
        self, grid: Grid, places: Mapping[tuple[str, int], int], free: Iterable[Shape]
    ) -> None:
        self.free = tuple(free)
        super().__init__(grid, places, [Move(LIFT, 0, cells[0]) for cells in self.free])

    def move(self, form: tuple[str, int], cell: Cell) -> Move:
        return Move(*form, cell)

    def place(self, move: object) -> tuple[tuple[str, int], Cell] | None:
        if not isinstance(move, Move) or move.tile == LIFT:
            return None
        return (move.tile, move.turn), move.cell

    def __contains__(self, move: object) -> bool:
        if isinstance(move, Move) and move.tile == LIFT:
            return any(move.cell in cells for cells in self.free)
        return super().__contains__(move)


def laid(placement: Placement, shape: Shape | None = None) -> Move:
    """The move that lays a tile there; the shape is needed if it is no common one."""
    shape = shape or known(placement.id)
    assert shape
    return covering(placement.id, shape, placement.cells)
