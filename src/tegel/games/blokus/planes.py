"""What a net sees of Blokus, drawn by the law: planes.hpp says the same, faster.

Colours come in the order of turns, from the mover on; the board is turned so that the mover's own
starting square lies where the first colour's does."""

from math import log1p

from tegel.cells import bits
from tegel.games.blokus.rules import BY_SHAPE, FORMS, SQUARES, TILES, Move, State
from tegel.lattice import Cell, turned

KINDS = ("tiles", "closed", "corners", "reach", "moves")
"""The planes, each for all colours: squares covered; squares that a tile may not cover; where the
next tile may begin; squares that some legal move would cover if it were the colour's turn; how
many legal moves would, 255 at most."""
MOST = 255


def channels(state: State) -> list[str]:
    """The names of the planes: each kind for every colour, from the mover's on."""
    return [f"{kind} {step}" for kind in KINDS for step in range(len(state.rules.colours))]


def seen(state: State, cell: Cell) -> Cell:
    """Where a square lies as the mover sees it."""
    x, y = cell
    for _ in range(_quarters(state)):
        x, y = y, state.rules.size - 1 - x
    return x, y


def layers(state: State) -> list[list[list[int]]]:
    """The planes: by channel, row and column."""
    rules, grid = state.rules, state.rules.grid
    found = [[[0] * rules.size for _ in range(rules.size)] for _ in channels(state)]
    colours = _colours(state)
    for step, colour in enumerate(colours):
        free = state.free(colour)
        sets = [state.squares[colour], grid.full & ~free, state.open(colour) & free]
        moves = list(state.legal_for(colour))
        for kind, squares in enumerate(sets):
            for offset in bits(squares):
                x, y = seen(state, grid.cell(offset))
                found[kind * len(colours) + step][y][x] = 1
        for move in moves:
            for cell in move.cells:
                x, y = seen(state, cell)
                found[3 * len(colours) + step][y][x] = 1
                row = found[4 * len(colours) + step][y]
                row[x] = min(MOST, row[x] + 1)
    return found


def scalars(state: State) -> list[float]:
    """For one colour after the other: its hand, a number for each tile; how many legal moves it
    has, as log(1 + n) / 8; its squares by 89; whether the single square came last; the side that
    scores with it, a 1 among 0s (all 0 for a shared colour); the side that moves it next."""
    rules, found = state.rules, list[float]()
    for colour in _colours(state):
        seats = rules.players[colour]
        mover = seats[state.placed(colour) % len(seats)]
        found += [state.hands[colour] >> tile & 1 for tile in range(len(TILES))]
        found.append(log1p(len(state.legal_for(colour))) / 8)
        found.append(state.squares[colour].bit_count() / SQUARES)
        found.append(state.single >> colour & 1)
        shared = rules.colours[colour] == rules.shared
        found += _side(state, None if shared else seats[0])
        found += _side(state, mover)
    return found


def labels(state: State) -> list[str]:
    """The names of the scalars."""
    sides, found = range(state.rules.sides), list[str]()
    for step in range(len(state.rules.colours)):
        found += [f"tile {tile} of {step}" for tile in range(len(TILES))]
        found += [f"{what} of {step}" for what in ("moves", "squares", "single")]
        found += [f"{step} {what} {side}" for what in ("scores for", "moved by") for side in sides]
    return found


def action(state: State, move: Move) -> int:
    """The number of a move: its form and its square, as the mover sees them."""
    size = state.rules.size
    cells = [seen(state, cell) for cell in move.cells]
    left, low = min(x for x, _ in cells), min(y for _, y in cells)
    return (BY_SHAPE[turned(cells, 0)] * size + low) * size + left


def move_of(state: State, action: int) -> Move:
    """The move of a number, legal or not; the inverse of `action`."""
    size = state.rules.size
    form, square = divmod(action, size**2)
    x, y = square % size, square // size
    cells = [(x + column, y + row) for column, row in FORMS[form][2]]
    for _ in range(_quarters(state)):
        cells = [(size - 1 - row, column) for column, row in cells]
    left, low = min(x for x, _ in cells), min(y for _, y in cells)
    tile, turn, _ = FORMS[BY_SHAPE[turned(cells, 0)]]
    return Move(TILES[tile], turn, (left, low))


def actions(state: State) -> int:
    """How many moves there are in a variant, legal or not."""
    return len(FORMS) * state.rules.size**2


def _quarters(state: State) -> int:
    return (4 - state.colour * 4 // len(state.rules.colours)) % 4


def _colours(state: State) -> list[int]:
    count = len(state.rules.colours)
    return [(state.colour + step) % count for step in range(count)]


def _side(state: State, seat: int | None) -> list[float]:
    sides = state.rules.sides
    return [
        float(seat is not None and (seat - state.turn) % sides == side) for side in range(sides)
    ]
