"""Tantrix positions that are the same: moved, turned, flipped, or with other colours."""

from collections.abc import Iterator
from functools import cache
from itertools import permutations

from tegel.cells import bits
from tegel.games.tantrix.rules import State
from tegel.games.tantrix.tiles import EDGES, FORMS, LETTERS, TURNS, rotated
from tegel.lattice import HEXAGON, Cell


def alike(state: State) -> Iterator[str]:
    """The position wherever it lies on the table, turned and flipped: the flip of a tile is a
    tile. Seats count from the one whose turn it is; so do their colours, and those that nobody
    has may change places. The bag is what is left."""
    rules = state.rules
    sides = [state.colours[(state.seat + step) % rules.sides] for step in range(rules.sides)]
    taken = "".join(colour[:1].upper() for colour in sides)
    hands = [state.hands[(state.seat + step) % rules.seats] for step in range(rules.seats)]
    facts = (state.step, state.bag.bit_count(), tuple(map(bool, sides)))
    for others in permutations(set(LETTERS) - set(taken)):
        letters = taken + "".join(others)
        for flips in range(2):
            held = [sorted(_held(tile, flips, letters) for tile in bits(hand)) for hand in hands]
            for turns in range(TURNS):
                yield repr((facts, held, _laid(state, flips, turns, letters)))


def _laid(state: State, flips: int, turns: int, letters: str) -> list[tuple[Cell, str]]:
    cells = {cell: _moved(cell, flips, turns) for cell in state.field.laid}
    left = min((q for q, _ in cells.values()), default=0)
    top = min((r for _, r in cells.values()), default=0)
    return sorted(
        ((cells[cell][0] - left, cells[cell][1] - top), _seen(FORMS[form], flips, turns, letters))
        for cell, form in state.field.laid.items()
    )


@cache
def _moved(cell: Cell, flips: int, turns: int) -> Cell:
    for a, b, c, d in [HEXAGON.mirror] * flips + [HEXAGON.quarter] * turns:
        q, r = cell
        cell = a * q + b * r, c * q + d * r
    return cell


@cache
def _seen(edges: str, flips: int, turns: int, letters: str) -> str:
    """The edges of a tile that is flipped and turned, each colour as its number."""
    if flips:
        edges = "".join(edges[(3 - side) % TURNS] for side in range(TURNS))
    return rotated(edges, turns).translate({ord(x): str(n) for n, x in enumerate(letters)})


@cache
def _held(tile: int, flips: int, letters: str) -> str:
    """A tile in a hand, which is turned as one likes."""
    return min(_seen(EDGES[tile - 1], flips, turns, letters) for turns in range(TURNS))
