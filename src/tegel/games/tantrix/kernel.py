"""Tantrix in numbers, as rules.hpp has it: codes of moves, packed positions."""

from tegel.games.tantrix.moves import Choose, Draw, Move, Place
from tegel.games.tantrix.rules import State
from tegel.games.tantrix.tiles import COLOURS, tile_of

DRAW, PLACE, CHOOSE = 0, 1, 2
MIDDLE = 64  # coordinates are counted from the centre, both ways


def code(move: Move) -> int:
    """The kind of move; then the tile, the colour, or the form and the cell."""
    match move:
        case Draw(tile):
            return DRAW << 24 | tile
        case Choose(colour):
            return CHOOSE << 24 | COLOURS.index(colour)
        case Place(_, _, (q, r)):
            return PLACE << 24 | move.form << 14 | q + MIDDLE << 7 | r + MIDDLE


def decode(code: int) -> Move:
    """The move of a code; the inverse of `code`."""
    kind, rest = code >> 24, code & (1 << 24) - 1
    if kind == DRAW:
        return Draw(rest)
    if kind == CHOOSE:
        return Choose(COLOURS[rest])
    tile, turn = tile_of(rest >> 14)
    return Place(tile, turn, ((rest >> 7 & 127) - MIDDLE, (rest & 127) - MIDDLE))


def pack(state: State) -> list[int]:
    rules = state.rules
    packed = [rules.seats, rules.sides, int(rules.colours == "chosen"), state.bag, *state.hands]
    packed += [COLOURS.index(colour) if colour else -1 for colour in state.colours]
    packed += [state.seat, state.step]
    for (q, r), form in sorted(state.field.laid.items()):
        packed += [q, r, form]
    return packed
