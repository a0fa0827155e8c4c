"""Tantrix Discovery: the solitaire puzzle.

*Discovery n* takes tiles 1 to n and asks for one **loop** through all of them, in the
colour on the back of tile n. Touching edges match, and no empty cell is cut off from the
outside; rules b, c, d and forced spaces are no matter here.

A solution is a field. Shifted or turned it is the same one: `solutions` gives it with tile 1
at the centre in rotation 0. The solver lays out the **course** of the loop first, which
asks only how each tile bends, and then looks for tiles for the cells of that course.
"""

from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from tegel.cells import bits
from tegel.games.tantrix.field import CENTRE, Field, around, laid_out
from tegel.games.tantrix.lines import line_through
from tegel.games.tantrix.tiles import (
    FORMS,
    LINKS,
    SHOWING,
    TURNS,
    bend,
    form,
    forms,
    tile_of,
)
from tegel.lattice import Cell

BACKS = {
    **dict.fromkeys((1, 2, 3, 9, 12, 17, 20, 21, 22, 23), "Y"),
    **dict.fromkeys((4, 5, 10, 11, 15, 16, 18, 19, *range(24, 31)), "R"),
    **dict.fromkeys((6, 7, 8, 13, 14), "B"),
}
"""The letter of the colour on the back of tiles 1 to 30."""
SMALLEST, LARGEST = 3, 30  # numbers of tiles
EXITS = {"short": (1, 5), "long": (2, 4), "straight": (3,)}  # counted on from the entry

Course = dict[Cell, tuple[int, int]]  # by cell, the sides where the loop comes in and goes out


@dataclass(frozen=True)
class Flaw:
    """What keeps a field from being a solution: a key of the game's words' flaws."""

    key: str
    cells: tuple[Cell, ...] = ()


def asked(count: int, letter: str = "") -> str:
    """The letter of the colour that Discovery `count` asks for, or another that is wanted."""
    if not SMALLEST <= count <= LARGEST:
        raise ValueError(f"Discovery has {SMALLEST} to {LARGEST} tiles, not {count}")
    return letter or BACKS[count]


def flaws(field: Field, count: int, letter: str = "") -> list[Flaw]:
    """Everything that keeps a field from being a solution of Discovery `count`, in the back's
    colour or another; nothing for a solution."""
    letter = asked(count, letter)
    found = []
    tiles = sorted(tile_of(number)[0] for number in field.laid.values())
    if tiles != list(range(1, count + 1)):
        found.append(Flaw("tiles", tuple(sorted(field.laid))))
    if clashes := field.clashes():
        found.append(Flaw("edges", clashes))
    elif not _is_loop(field, letter):
        found.append(Flaw("loop"))
    if holes := enclosed(field.laid):
        found.append(Flaw("hole", tuple(sorted(holes))))
    return found


def solutions(count: int, letter: str = "") -> Iterator[Field]:
    """Every solution of Discovery `count`, each once, in the back's colour or another."""
    letter = asked(count, letter)
    links = [LINKS[form(tile, 0)] for tile in range(1, count + 1)]
    if all(letter in link for link in links):
        for course in courses([link[letter] for link in links]):
            yield from fillings(course, count, letter)


def courses(links: list[tuple[int, int]]) -> Iterator[Course]:
    """Every way that a loop can run over as many cells as there are links, the first of them
    at the centre as it is, so that the bends are those of the links and nothing is enclosed."""
    (home, out), left = links[0], Counter(map(bend, links[1:]))
    course: Course = {CENTRE: (home, out)}
    gate = around(CENTRE)[home]  # the loop comes home through this cell

    def hopeful(cell: Cell, ahead: Cell, rest: int) -> bool:
        """Whether the loop can still come home from a cell and leave nothing enclosed."""
        if ahead == CENTRE:
            return rest == 0 and cell == gate and not enclosed(course)
        if ahead in course or cell == gate or _distance(ahead) > rest:
            return False
        if not _divides(cell, course):
            return True
        # Whatever is enclosed must be where the loop goes on, and all be filled by it.
        inside = enclosed(course)
        return not inside or (len(inside) <= rest and {ahead, gate} <= inside)

    def onward(cell: Cell, entry: int, rest: int) -> Iterator[Course]:
        for kind, exits in EXITS.items():
            if left[kind]:
                left[kind] -= 1
                for turn in exits:
                    exit = (entry + turn) % TURNS
                    ahead = around(cell)[exit]
                    course[cell] = (entry, exit)
                    if hopeful(cell, ahead, rest - 1):
                        if ahead == CENTRE:
                            yield dict(course)
                        else:
                            yield from onward(ahead, (exit + 3) % TURNS, rest - 1)
                    del course[cell]
                left[kind] += 1

    yield from onward(around(CENTRE)[out], (out + 3) % TURNS, len(links) - 1)


def fillings(course: Course, count: int, letter: str) -> Iterator[Field]:
    """Every way to put tiles 1 to `count` on the cells of a course, tile 1 in rotation 0 at
    the centre."""
    pool = forms(sum(1 << tile for tile in range(2, count + 1)))
    domains = {
        cell: pool & SHOWING[entry][letter] & SHOWING[exit][letter]
        for cell, (entry, exit) in course.items()
    }
    domains[CENTRE] = 1 << form(1, 0)
    yield from _filled(domains, {})


def _filled(domains: dict[Cell, int], done: dict[Cell, int]) -> Iterator[Field]:
    """Completes a field, always at the cell for which the fewest forms are left."""
    if not domains:
        yield laid_out(done.items())
        return
    cell = min(domains, key=lambda cell: domains[cell].bit_count())
    for number in bits(domains[cell]):
        others = _narrowed(domains, cell, number)
        if all(others.values()):
            yield from _filled(others, {**done, cell: number})


def _narrowed(domains: dict[Cell, int], cell: Cell, number: int) -> dict[Cell, int]:
    """The forms left for the other cells once a form lies on one."""
    used = ~forms(1 << tile_of(number)[0])
    others = {other: domain & used for other, domain in domains.items() if other != cell}
    for side, beyond in enumerate(around(cell)):
        if beyond in others:
            others[beyond] &= SHOWING[(side + 3) % TURNS][FORMS[number][side]]
    return others


def enclosed(cells: Collection[Cell]) -> set[Cell]:
    """The empty cells that are cut off from the outside by some cells."""
    if not cells:
        return set()
    left, right = min(q for q, _ in cells) - 1, max(q for q, _ in cells) + 1
    top, bottom = min(r for _, r in cells) - 1, max(r for _, r in cells) + 1
    inside = {(q, r) for q in range(left, right + 1) for r in range(top, bottom + 1)}
    inside.difference_update(cells, [(left, top)])
    waiting = [(left, top)]
    while waiting:
        for beyond in around(waiting.pop()):
            if beyond in inside:
                inside.discard(beyond)
                waiting.append(beyond)
    return inside


def _divides(cell: Cell, course: Course) -> bool:
    """Whether the empty cells around a cell do not all hang together."""
    filled = [beyond in course for beyond in around(cell)]
    return sum(filled[side] and not filled[side - 1] for side in range(TURNS)) > 1


def _distance(cell: Cell) -> int:
    """How many steps a cell is from the centre."""
    q, r = cell
    return max(abs(q), abs(r), abs(q + r))


def _is_loop(field: Field, letter: str) -> bool:
    """Whether one loop of a colour runs over every tile of a field whose edges match."""
    start = next(iter(field.laid), None)
    if start is None or letter not in LINKS[field.laid[start]]:
        return False
    line = line_through(field, start, letter)
    return line.loop and len(line.cells) == len(field.laid)
