"""What lies on a Forma board: the tiles and markers of each seat, whichever seat that is, the
obstacles and the tower.

What fits somewhere depends on what lies near by. So half of the obstacles in the same order are
enough to know a board again, wherever it was shifted."""

from collections.abc import Mapping
from functools import cache, lru_cache
from heapq import nlargest
from math import ceil

from tegel.cells import Grid, bits
from tegel.game.footprint import Footprint, Overlap, squares_overlap, turns
from tegel.games.forma.rules import State

FEW = 8  # things on the board: with fewer, many games look the same
SAME, HALF = 8, 0.5  # obstacles that must lie alike, at least, and which part of all
LAYOUT = "#*"
TRIED = 3  # shifts, of those at which most obstacles lie alike
DIGIT = 1 << 16  # more than all squares


def footprint(state: State) -> Footprint:
    tiles = dict(zip("ABCD", state.tiles, strict=False))
    markers = dict(zip("abcd", state.markers, strict=False))
    marks = {**tiles, **markers, "#": state.layout.obstacles, "*": state.layout.tower}
    size = sum(mask.bit_count() for mask in marks.values())
    return Footprint(state.rules.size, size, size < FEW, marks)


def overlap(one: Footprint, other: Footprint) -> Overlap:
    size, own, theirs = one.board, _layout(one.marks), _layout(other.marks)
    low = min(own.bit_count(), theirs.bit_count())
    if low >= SAME and _lies_alike(size, own, theirs, max(SAME, ceil(HALF * low))):
        return Overlap(low, low)
    return squares_overlap(
        one, other, LAYOUT, lambda turned: [0, *_shifts(size, own, _layout(turned))]
    )


def _layout(marks: Mapping[str, int]) -> int:
    """The squares of obstacles and tower."""
    return marks.get("#", 0) | marks.get("*", 0)


def _lies_alike(size: int, own: int, theirs: int, count: int) -> bool:
    """Whether so many obstacles of two boards lie alike, however one is turned and shifted."""
    ones, digits = _ones(size), DIGIT.bit_length() - 1
    over = ones * (DIGIT // 2 - count)  # added to numbers, it sets the first bit of those so large
    return any(
        (_votes(size, own, turned["#"]) + over) & (ones << digits - 1)
        for turned in turns(size, (("#", theirs),))
    )


@lru_cache(1024)
def _shifts(size: int, own: int, theirs: int) -> list[int]:
    """The few shifts at which most obstacles lie alike."""
    votes = _votes(size, own, theirs)
    squares = Grid(size, size).full.bit_length()
    counts = [*memoryview(votes.to_bytes(4 * squares, "little")).cast("H")]
    best = nlargest(TRIED, set(counts))
    found = [place for most in best if most for place, n in enumerate(counts) if n == most]
    return [place - squares + 1 for place in found[:TRIED]]


def _votes(size: int, own: int, theirs: int) -> int:
    """By shift, how many obstacles of one board then lie on those of another, as the digits of one
    number: the product of two polynomials counts them all at once."""
    return _polynomial(own) * _mirrored(size, theirs)


@lru_cache(4096)
def _polynomial(layout: int) -> int:
    return sum(DIGIT**place for place in bits(layout))


@lru_cache(4096)
def _mirrored(size: int, layout: int) -> int:
    last = Grid(size, size).full.bit_length() - 1
    return sum(DIGIT ** (last - place) for place in bits(layout))


@cache
def _ones(size: int) -> int:
    """A number whose digits are all 1."""
    return sum(DIGIT**place for place in range(2 * Grid(size, size).full.bit_length() - 1))
