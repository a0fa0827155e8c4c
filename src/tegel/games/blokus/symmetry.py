"""What lies on a Blokus board: the squares of each colour, whichever colour that is."""

from tegel.game.footprint import Footprint, squares_overlap
from tegel.games.blokus.rules import State

OPENING = 10  # squares of each colour: two tiles

overlap = squares_overlap


def footprint(state: State) -> Footprint:
    size = sum(mask.bit_count() for mask in state.squares)
    marks = dict(zip("ABCD", state.squares, strict=False))
    return Footprint(state.rules.size, size, size <= OPENING * len(state.squares), marks)
