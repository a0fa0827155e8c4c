"""What lies on a Forma board: the tiles and markers of each seat, whichever seat that is, the
obstacles and the tower."""

from tegel.game.footprint import UNSHIFTED, Footprint, Overlap, squares_overlap
from tegel.games.forma.rules import State

FEW = 8  # things on the board: with fewer, many games look the same


def footprint(state: State) -> Footprint:
    tiles = dict(zip("ABCD", state.tiles, strict=False))
    markers = dict(zip("abcd", state.markers, strict=False))
    marks = {**tiles, **markers, "#": state.layout.obstacles, "*": state.layout.tower}
    size = sum(mask.bit_count() for mask in marks.values())
    return Footprint(state.rules.size, size, size < FEW, marks)


def overlap(one: Footprint, other: Footprint) -> Overlap:
    """Not shifted: obstacles lie where they lie, and edges are what bridges join."""
    return squares_overlap(one, other, fixed="#*", shifts=UNSHIFTED)
