"""Forma in numbers, as rules.hpp has it: codes of moves, packed positions. The kernel plays
from the end of the set-up on."""

from collections.abc import Sequence

from tegel.cells import Grid, bits
from tegel.game import CHANCE
from tegel.games.forma.layout import DONE, OBSTACLES
from tegel.games.forma.rules import DECLINE, State
from tegel.games.forma.tiles import FORMS, Move
from tegel.lattice import Cell

STRIDE = 21  # squares are numbered 21 x row + column
PLACE_BITS = 9
NUMBERS = {form: number for number, form in enumerate(FORMS)}
NAMES = tuple(FORMS)


def number(cell: Cell) -> int:
    return cell[1] * STRIDE + cell[0]


def code(move: Move) -> int:
    """The number of the form, then that of the square; declining comes after all forms."""
    if move.cell is None:
        assert move == DECLINE
        return len(FORMS) << PLACE_BITS
    return NUMBERS[move.what, move.turn] << PLACE_BITS | number(move.cell)


def decode(code: int) -> Move:
    """The move of a code; the inverse of `code`."""
    form = code >> PLACE_BITS
    if form == len(FORMS):
        return DECLINE
    tile, turn = NAMES[form]
    row, column = divmod(code & (1 << PLACE_BITS) - 1, STRIDE)
    return Move(tile, (column, row), turn)


def covers(state: State) -> bool:
    """Whether the set-up is done, and it is known who begins."""
    return state.ready and state.seat != CHANCE


def setup(state: State) -> Sequence[Move]:
    """What a bot chooses among when it sets the board up: the tower, then obstacles until half
    of them stand, then no more. All it may do would be to put pieces up and take them away."""
    layout, moves = state.layout, state.moves()
    if layout.tower and layout.count >= OBSTACLES // 2:
        return [DONE]
    piece = "obstacle" if layout.tower else "tower"
    return [move for move in moves if move.what == piece] or moves


def pack(state: State) -> list[int]:
    rules, grid, layout = state.rules, state.rules.grid, state.layout
    closer = -1 if state.closer is None else state.closer
    (tower,) = _numbers(grid, layout.tower) or [-1]
    packed = [rules.size, rules.seats, rules.markers, state.seat, int(state.misfit), closer, tower]
    packed += _listed(grid, layout.obstacles)
    for seat in range(rules.seats):
        packed += [*state.hands[seat], *state.aside[seat]]
        packed += _listed(grid, state.tiles[seat]) + _listed(grid, state.markers[seat])
    return packed


def _numbers(grid: Grid, squares: int) -> list[int]:
    return [number(grid.cell(offset)) for offset in bits(squares)]


def _listed(grid: Grid, squares: int) -> list[int]:
    return [squares.bit_count(), *_numbers(grid, squares)]
