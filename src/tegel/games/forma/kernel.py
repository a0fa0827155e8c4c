"""Forma in numbers, as rules.hpp has it: codes of moves, packed positions. The engine with rollouts
plays from the end of the set-up on; nets see that, too."""

from collections.abc import Sequence

from tegel.cells import Grid, bits
from tegel.game import CHANCE
from tegel.games.forma.layout import DONE, DRAWN, OBSTACLES, PLACED
from tegel.games.forma.rules import VARIANTS, State
from tegel.games.forma.tiles import FORMS, Move
from tegel.lattice import Cell

STRIDE = 21  # squares are numbered 21 x row + column
PLACE_BITS = 9
NUMBERS = {form: number for number, form in enumerate(FORMS)}
NAMES = tuple(FORMS)
PIECES = ("obstacle", "tower", "remove", "done", "+obstacle", "+tower")
WHATS = dict(enumerate(("decline", *PIECES, "many", "begins"), len(FORMS)))
OTHERS = {what: number for number, what in WHATS.items()}
COLOURS = max((rules.colours for rules in VARIANTS.values()), key=len)
STAGES = {PLACED: 1, **dict.fromkeys(DRAWN, 2)}  # 0: the set-up is done


def number(cell: Cell) -> int:
    return cell[1] * STRIDE + cell[0]


def code(move: Move) -> int:
    """The number of the form, then that of the square; what else may be done, and draws, come
    after all forms."""
    what, cell = move.what, move.cell
    if (what, move.turn) in NUMBERS and cell:
        return NUMBERS[what, move.turn] << PLACE_BITS | number(cell)
    if cell:
        return OTHERS[what] << PLACE_BITS | number(cell)
    if what in OTHERS:
        return OTHERS[what] << PLACE_BITS
    drawn = what.removeprefix("+")
    if drawn in COLOURS:
        return OTHERS["begins"] << PLACE_BITS | COLOURS.index(drawn)
    return OTHERS["many"] << PLACE_BITS | int(drawn)


def decode(code: int) -> Move:
    """The move of a code; the inverse of `code`."""
    form, place = code >> PLACE_BITS, code & (1 << PLACE_BITS) - 1
    row, column = divmod(place, STRIDE)
    if form < len(FORMS):
        tile, turn = NAMES[form]
        return Move(tile, (column, row), turn)
    match WHATS[form]:
        case "decline" | "done" as word:
            return Move(word)
        case "begins":
            return Move(f"+{COLOURS[place]}")
        case "many":
            return Move(f"+{place}")
        case piece:
            return Move(piece, (column, row))


def covers(state: State) -> bool:
    """Whether the set-up is done, and it is known who begins: rollouts say nothing before."""
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
    stage = 0 if state.ready else STAGES[rules.layout]
    packed = [rules.size, rules.seats, rules.markers, state.seat, stage, state.count]
    packed += [int(state.misfit), closer, tower]
    packed += _listed(grid, layout.obstacles)
    for seat in range(rules.seats):
        packed += [*state.hands[seat], *state.aside[seat]]
        packed += _listed(grid, state.tiles[seat]) + _listed(grid, state.markers[seat])
    return packed


def _numbers(grid: Grid, squares: int) -> list[int]:
    return [number(grid.cell(offset)) for offset in bits(squares)]


def _listed(grid: Grid, squares: int) -> list[int]:
    return [squares.bit_count(), *_numbers(grid, squares)]
