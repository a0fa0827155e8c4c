"""What lies on a Tantrix table: which tile, turned how, on which cell. The flip of a tile is a
tile, and so is one with other colours."""

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from itertools import permutations

from tegel.game.footprint import Footprint, Overlap
from tegel.games.tantrix.field import around
from tegel.games.tantrix.rules import State
from tegel.games.tantrix.tiles import FORMS, LETTERS, TURNS, rotated
from tegel.lattice import HEXAGON, Cell

OPENING = 2  # tiles for each seat
PAIRS = 0.3  # of neighbours that are the same, for each tile, where positions are near
FAR = 64  # added to coordinates, so that they are positive
WIDTH = 128


def footprint(state: State) -> Footprint:
    laid = state.field.laid
    marks = {str(form): (q + FAR) * WIDTH + r + FAR for (q, r), form in laid.items()}
    return Footprint(0, len(laid), len(laid) <= OPENING * state.rules.seats, marks)


def overlap(one: Footprint, other: Footprint) -> Overlap:
    """How many tiles lie the same way, wherever on the table. Every tile is there once, so each
    of them says how far the other position would have to be shifted. Where few neighbours are the
    same, whatever way they are seen, nothing else need be compared."""
    low = min(one.size, other.size)
    if len(_pairs(one) & _pairs(other)) < PAIRS * low:
        return Overlap(0, low)
    own = {int(form): _cell(at) for form, at in one.marks.items()}
    best = 0
    for forms, flips, turns in _ways():
        shifts: Counter[Cell] = Counter()
        for form, at in other.marks.items():
            mine = own.get(forms[int(form)])
            if mine is not None:
                q, r = _moved(_cell(at), flips, turns)
                shifts[mine[0] - q, mine[1] - r] += 1
        best = max(best, *shifts.values(), 0)
    return Overlap(best, low)


def _pairs(there: Footprint) -> frozenset[tuple[int, int, int]]:
    """All tiles that lie side by side, as they look in the first of all ways to see them."""
    return _neighbours(tuple(sorted(there.marks.items())))


@lru_cache(512)
def _neighbours(marks: tuple[tuple[str, int], ...]) -> frozenset[tuple[int, int, int]]:
    laid = {_cell(at): int(form) for form, at in marks}
    return frozenset(
        _first(form, laid[beyond], side)
        for cell, form in laid.items()
        for side, beyond in enumerate(around(cell))
        if beyond in laid
    )


@lru_cache(100_000)
def _first(form: int, other: int, side: int) -> tuple[int, int, int]:
    """Two tiles side by side, in the first of all ways to recolour, flip and turn them."""
    ways = []
    for forms, flips, turns in _ways():
        seen = _side(side, flips, turns)
        ways.append((forms[form], forms[other], seen))
        ways.append((forms[other], forms[form], (seen + TURNS // 2) % TURNS))
    return min(ways)


@cache
def _side(side: int, flips: int, turns: int) -> int:
    """Where a side of a cell lies when the table is flipped and turned."""
    q, r = around((0, 0))[side]
    return list(around((0, 0))).index(_moved((q, r), flips, turns))


def _cell(at: int) -> Cell:
    q, r = divmod(at, WIDTH)
    return q - FAR, r - FAR


@cache
def _ways() -> list[tuple[Mapping[int, int], int, int]]:
    """Every way to recolour, flip and turn a table: what each form becomes by it."""
    return list(_all_ways())


def _all_ways() -> Iterator[tuple[Mapping[int, int], int, int]]:
    numbers = {edges: form for form, edges in enumerate(FORMS)}
    for letters in permutations(LETTERS):
        names = str.maketrans(LETTERS, "".join(letters))
        for flips in range(2):
            for turns in range(TURNS):
                yield (
                    {
                        form: numbers[_seen(edges, flips, turns).translate(names)]
                        for form, edges in enumerate(FORMS)
                    },
                    flips,
                    turns,
                )


def _seen(edges: str, flips: int, turns: int) -> str:
    """The edges of a tile that is flipped and turned."""
    if flips:
        edges = "".join(edges[(3 - side) % TURNS] for side in range(TURNS))
    return rotated(edges, turns)


@cache
def _moved(cell: Cell, flips: int, turns: int) -> Cell:
    for a, b, c, d in [HEXAGON.mirror] * flips + [HEXAGON.quarter] * turns:
        q, r = cell
        cell = a * q + b * r, c * q + d * r
    return cell
