"""What lies on a Forma board: the tiles and markers of each seat, whichever seat that is, the
obstacles and the tower.

What fits somewhere depends on what lies near by. So half of the obstacles in the same order are
enough to know a board again, wherever it was shifted."""

from collections import Counter
from collections.abc import Mapping

from tegel.cells import bits
from tegel.game.footprint import Footprint, Overlap, squares_overlap, turns
from tegel.games.forma.rules import State

FEW = 8  # things on the board: with fewer, many games look the same
SAME, HALF = 8, 0.5  # obstacles that must lie alike, at least, and which part of all
LAYOUT = "#*"


def footprint(state: State) -> Footprint:
    tiles = dict(zip("ABCD", state.tiles, strict=False))
    markers = dict(zip("abcd", state.markers, strict=False))
    marks = {**tiles, **markers, "#": state.layout.obstacles, "*": state.layout.tower}
    size = sum(mask.bit_count() for mask in marks.values())
    return Footprint(state.rules.size, size, size < FEW, marks)


def overlap(one: Footprint, other: Footprint) -> Overlap:
    own = _layout(one.marks)
    low = min(len(own), len(_layout(other.marks)))
    if low >= SAME and one.board == other.board:
        for turned in turns(other.board, tuple(other.marks.items())):
            ((_, most),) = _votes(own, turned).most_common(1)
            if most >= max(SAME, HALF * low):
                return Overlap(low, low)
    return squares_overlap(one, other, LAYOUT, lambda turned: [0, *_shifts(own, turned)])


def _layout(marks: Mapping[str, int]) -> list[int]:
    """The squares of obstacles and tower, by their numbers."""
    return [*bits(marks.get("#", 0)), *bits(marks.get("*", 0))]


def _votes(own: list[int], turned: Mapping[str, int]) -> Counter[int]:
    """By shift, how many obstacles of one board then lie on those of another."""
    return Counter([here - there for there in _layout(turned) for here in own])


def _shifts(own: list[int], turned: Mapping[str, int]) -> list[int]:
    """The few shifts at which most obstacles lie alike."""
    return [shift for shift, _ in _votes(own, turned).most_common(3)]
