"""Blokus in numbers, as rules.hpp has it: codes of moves, packed positions."""

from tegel.cells import bits
from tegel.games.blokus.rules import FORMS, NUMBERS, TILES, Move, State
from tegel.lattice import Cell

STRIDE = 21  # squares are numbered 21 x row + column on boards of any size
PLACE_BITS = 9


def number(cell: Cell) -> int:
    return cell[1] * STRIDE + cell[0]


def code(move: Move) -> int:
    """The number of the form, then that of the square."""
    return NUMBERS[move.tile, move.turn] << PLACE_BITS | number(move.cell)


def decode(code: int) -> Move:
    """The move of a code; the inverse of `code`."""
    tile, turn, _ = FORMS[code >> PLACE_BITS]
    row, column = divmod(code & (1 << PLACE_BITS) - 1, STRIDE)
    return Move(TILES[tile], turn, (column, row))


def pack(state: State) -> list[int]:
    """The rules, whose turn it is, and for each colour its hand and its squares."""
    rules, grid = state.rules, state.rules.grid
    shared = rules.colours.index(rules.shared) if rules.shared else -1
    fixed = int(rules.corners == "fixed")
    packed = [rules.size, len(rules.colours), rules.seats, rules.sides, shared, fixed]
    starts = [number(cell) for cell in rules.starts]
    packed += starts + [0] * (4 - len(starts))
    packed += [state.colour, state.single]
    for hand, squares in zip(state.hands, state.squares, strict=True):
        covered = [number(grid.cell(offset)) for offset in bits(squares)]
        packed += [hand, len(covered), *covered]
    return packed
