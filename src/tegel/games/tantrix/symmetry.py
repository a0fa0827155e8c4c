"""What lies on a Tantrix table: which tile, turned how, on which cell. The flip of a tile is a
tile, and so is one with other colours."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from itertools import permutations, product

from tegel.game.footprint import Footprint, Overlap
from tegel.games.tantrix.field import around
from tegel.games.tantrix.rules import State
from tegel.games.tantrix.tiles import FORMS, LETTERS, TURNS, rotated
from tegel.lattice import HEXAGON, Cell

OPENING = 2  # tiles for each seat
FAR = 64  # added to coordinates, so that they are positive
WIDTH = 128
SPAN = 1024  # more than the coordinates of two tiles differ
LOOKS = (0, 84, 168)  # forms that together look different in every way


def footprint(state: State) -> Footprint:
    laid = state.field.laid
    marks = {str(form): (q + FAR) * WIDTH + r + FAR for (q, r), form in laid.items()}
    return Footprint(0, len(laid), len(laid) <= OPENING * state.rules.seats, marks)


def overlap(one: Footprint, other: Footprint) -> Overlap:
    """How many tiles lie the same way, wherever on the table. Every tile is there once, so each
    of them says how far the other position would have to be shifted. The tiles of a table touch
    each other, and so do some of any four fifths of them: only those ways to see the other table
    are tried in which two neighbours are the same."""
    own, theirs = _table(tuple(one.marks.items())), _table(tuple(other.marks.items()))
    ways = {
        _between(mine, there)
        for pair in own.pairs.keys() & theirs.pairs.keys()
        for mine in own.pairs[pair]
        for there in theirs.pairs[pair]
    }
    best = 0
    for way in ways:
        shifts = Counter(
            [own.tiles[form] - at for form, at in theirs.seen(way) if form in own.tiles]
        )
        best = max(best, *shifts.values(), 0)
    return Overlap(best, min(one.size, other.size))


@dataclass(frozen=True)
class Table:
    """What lies on a table: the cell of each form, also as one number; and of any two neighbours
    the ways in which they become the pair that stands for all that look like them."""

    laid: Mapping[int, Cell]
    tiles: Mapping[int, int]
    pairs: Mapping[str, Sequence[int]]
    views: dict[int, list[tuple[int, int]]] = field(default_factory=dict, compare=False)

    def seen(self, way: int) -> list[tuple[int, int]]:
        """Its forms and their cells, when it is seen in one of all ways."""
        if way not in self.views:
            forms, flips, turns = _ways()[way]
            across, along = (_number(_moved(step, flips, turns)) for step in ((1, 0), (0, 1)))
            self.views[way] = [
                (forms[form], q * across + r * along) for form, (q, r) in self.laid.items()
            ]
        return self.views[way]


@lru_cache(512)
def _table(marks: tuple[tuple[str, int], ...]) -> Table:
    laid = {_cell(at): int(form) for form, at in marks}
    pairs: defaultdict[str, list[int]] = defaultdict(list)
    for cell, form in laid.items():
        for side, beyond in enumerate(around(cell)[: TURNS // 2]):
            if beyond in laid:
                pair, ways = _pair(form, laid[beyond], side)
                pairs[pair] += ways
    cells = {form: cell for cell, form in laid.items()}
    return Table(cells, {form: _number(cell) for form, cell in cells.items()}, dict(pairs))


def _number(cell: Cell) -> int:
    """A cell as a number, so that the difference of two numbers is a shift."""
    return cell[0] * SPAN + cell[1]


@lru_cache(100_000)
def _pair(form: int, other: int, side: int) -> tuple[str, list[int]]:
    """The pair that stands for two neighbours, the second at a side of the first: the second is
    brought to the east, and the colours are named in the order in which they come. And the ways
    in which they become it."""
    found = []
    for one, two, at in ((form, other, side), (other, form, side + TURNS // 2)):
        for flips, turns in ((0, -at % TURNS), (1, (at - TURNS // 2) % TURNS)):
            edges = _seen(FORMS[one], flips, turns) + _seen(FORMS[two], flips, turns)
            letters = "".join(dict.fromkeys(edges + LETTERS))
            names = str.maketrans(letters, LETTERS)
            found.append((edges.translate(names), LETTERS.translate(names), flips, turns))
    pair = min(found)[0]
    return pair, [_named()[each[1:]] for each in found if each[0] == pair]


@lru_cache(100_000)
def _between(one: int, other: int) -> int:
    """The way to see another table that makes it look like this one, if one way shows of this
    table what another way shows of that."""
    back = _backs()[one]
    return _by_looks()[tuple(back[_ways()[other][0][form]] for form in LOOKS)]


def _cell(at: int) -> Cell:
    q, r = divmod(at, WIDTH)
    return q - FAR, r - FAR


Way = tuple[list[int], int, int]
"""What each form becomes in another way to see a table; how often that is flipped and turned."""


@cache
def _ways() -> list[Way]:
    """Every way to recolour, flip and turn a table."""
    numbers = {edges: form for form, edges in enumerate(FORMS)}
    found = []
    for letters, flips, turns in _named():
        names = str.maketrans(LETTERS, letters)
        forms = [numbers[_seen(edges, flips, turns).translate(names)] for edges in FORMS]
        found.append((forms, flips, turns))
    return found


@cache
def _named() -> Mapping[tuple[str, int, int], int]:
    """The numbers of the ways, by what the four colours become and how the table is turned."""
    letters = map("".join, permutations(LETTERS))
    return {way: n for n, way in enumerate(product(letters, range(2), range(TURNS)))}


@cache
def _backs() -> list[list[int]]:
    """For each way, which form became each."""
    return [sorted(range(len(forms)), key=forms.__getitem__) for forms, _, _ in _ways()]


@cache
def _by_looks() -> Mapping[tuple[int, ...], int]:
    """The numbers of the ways, by what some forms become: it differs in every way."""
    found = {tuple(forms[form] for form in LOOKS): n for n, (forms, _, _) in enumerate(_ways())}
    assert len(found) == len(_ways())
    return found


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
