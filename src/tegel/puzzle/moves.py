"""Moves at a puzzle's table: place a tile, or lift one; and all the legal ones as a sequence."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import NamedTuple, overload

from tegel.cells import Grid, bits, nth_bit
from tegel.game import BadNotation
from tegel.lattice import POLYOMINOES, Cell, Shape, forms, name, square, turned
from tegel.puzzle.puzzle import Placement
from tegel.record import shortened

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


def parse(text: str) -> Move:
    """A move from `blue-F.3@k10`, from tile and squares `blue-V3 a20,b20,b19`, or `lift@k10`."""
    try:
        return _placed(text.strip()) if "@" in text else _covering(text)
    except ValueError as error:
        raise BadNotation(text, str(error)) from None


def _placed(text: str) -> Move:
    form, _, place = text.partition("@")
    tile, dot, turn = form.partition(".")
    if form == LIFT:
        return Move(LIFT, 0, square(place))
    if not dot or turn not in tuple("01234567"):
        raise ValueError("a turn is 0 to 7, as in blue-F.3@k10")
    if not tile.replace("-", "").isalnum() or len(tile) > LONGEST:
        raise ValueError(f"there is no tile {shortened(tile)}")
    shape = known(tile)
    return Move(tile, _least_turn(shape, int(turn)) if shape else int(turn), square(place))


def _covering(text: str) -> Move:
    tile, _, rest = text.strip().partition(" ")
    cells = [square(word.strip()) for word in rest.split(",")]
    shape = known(tile)
    if shape is None:
        raise ValueError(f"there is no tile {shortened(tile)} that all puzzles know")
    return _on(tile, shape, cells)


def _on(tile: str, shape: Shape, cells: Sequence[Cell]) -> Move:
    """The move that lays a tile of a shape on squares; raises ValueError if they have another."""
    form = turned(cells, 0)
    for turn, other in forms(shape).items():
        if other == form:
            return Move(tile, turn, (min(x for x, _ in cells), min(y for _, y in cells)))
    raise ValueError(f"these squares are not {shortened(tile)}")


def known(tile: str) -> Shape | None:
    """The shape of a tile by its id, if it is a polyomino of 1 to 5 squares; the shape of a tile
    that somebody drew is known to its puzzle alone."""
    return POLYOMINOES.get(tile.rpartition("-")[2])


def _least_turn(shape: Shape, turn: int) -> int:
    form = turned(shape, turn)
    return next(least for least, other in forms(shape).items() if other == form)


class Moves(Sequence[Move]):
    """For each form of each tile the set of its places; then what may be lifted, each tile
    listed by one of its squares, though any of them will do."""

    def __init__(
        self, grid: Grid, places: list[tuple[str, int, int]], free: Iterable[Shape]
    ) -> None:
        self.grid, self.places, self.free = grid, places, tuple(free)

    @cached_property
    def lifts(self) -> list[Move]:
        return [Move(LIFT, 0, cells[0]) for cells in self.free]

    @cached_property
    def placing(self) -> int:
        return sum(squares.bit_count() for _, _, squares in self.places)

    def __len__(self) -> int:
        return self.placing + len(self.lifts)

    @overload
    def __getitem__(self, index: int) -> Move: ...
    @overload
    def __getitem__(self, index: slice) -> list[Move]: ...
    def __getitem__(self, index: int | slice) -> Move | list[Move]:
        if isinstance(index, slice):
            return list(self)[index]
        rest = index if index >= 0 else index + len(self)
        if rest < 0:
            raise IndexError(index)
        if rest >= self.placing:
            return self.lifts[rest - self.placing]
        for tile, turn, squares in self.places:
            count = squares.bit_count()
            if rest < count:
                return Move(tile, turn, self.grid.cell(nth_bit(squares, rest)))
            rest -= count
        raise AssertionError("placing counts the places")

    def __iter__(self) -> Iterator[Move]:
        for tile, turn, squares in self.places:
            for offset in bits(squares):
                yield Move(tile, turn, self.grid.cell(offset))
        yield from self.lifts

    def __contains__(self, move: object) -> bool:
        if not isinstance(move, Move) or move.cell not in self.grid:
            return False
        if move.tile == LIFT:
            return any(move.cell in cells for cells in self.free)
        offset = self.grid.offset(move.cell)
        return any(
            squares >> offset & 1
            for tile, turn, squares in self.places
            if (tile, turn) == (move.tile, move.turn)
        )

    def __repr__(self) -> str:
        return f"<{len(self)} moves>"


def laid(placement: Placement, shape: Shape | None = None) -> Move:
    """The move that lays a tile there; the shape is needed if it is no common one."""
    shape = shape or known(placement.id)
    assert shape
    return _on(placement.id, shape, placement.cells)
