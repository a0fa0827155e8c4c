"""The loops of Tantrix Discovery: what a solution is, and every one there is.

*Discovery n* takes tiles 1 to n and asks for one **loop** through all of them, in the
colour on the back of tile n. Touching edges match, and no empty cell is cut off from the
outside; rules b, c, d and forced spaces are no matter here.

A solution is a field. Shifted or turned it is the same one: `solutions` gives it with tile 1
at the centre in rotation 0, and `completions` those that keep what lies already. The solver
lays out the **course** of the loop first, which asks only how each tile bends, and then looks
for tiles for the cells of that course.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass

from tegel.cells import bits
from tegel.games.tantrix.field import CENTRE, Field, around, laid_out
from tegel.games.tantrix.lines import line_through
from tegel.games.tantrix.tiles import (
    BACKS,
    FORMS,
    LINKS,
    SHOWING,
    TURNS,
    bend,
    fitting,
    form,
    forms,
    tile_of,
)
from tegel.lattice import Cell, bounds

SMALLEST, LARGEST = 3, 30  # numbers of tiles
EXITS = {"short": (1, 5), "long": (2, 4), "straight": (3,)}  # counted on from the entry

Course = dict[Cell, tuple[int, int]]  # by cell, the sides where the loop comes in and goes out


class Stopped(Exception):
    """Whoever asked has waited long enough."""


def _never() -> bool:
    return False


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
    yield from completions(laid_out([(CENTRE, form(1, 0))]), count, letter)


def completions(
    field: Field, count: int, letter: str = "", stop: Callable[[], bool] = _never
) -> Iterator[Field]:
    """Every solution of Discovery `count` that has some tiles, at least one, where they lie in
    a field. `stop` is asked all the time, and ends it by Stopped."""
    letter = asked(count, letter)
    tiles = range(1, count + 1)
    lying = {tile_of(number)[0] for number in field.laid.values()}
    if lying <= {*tiles} and all(letter in LINKS[form(tile, 0)] for tile in tiles):
        search = Search(field, count, letter, stop)
        for course in search.courses():
            yield from search.fillings(course)


@dataclass(frozen=True)
class Search:
    """A search for the solutions that keep what lies."""

    field: Field
    count: int
    letter: str
    stop: Callable[[], bool]

    @property
    def rest(self) -> list[int]:
        """The tiles that do not lie yet."""
        lying = {tile_of(number)[0] for number in self.field.laid.values()}
        return [tile for tile in range(1, self.count + 1) if tile not in lying]

    def courses(self) -> Iterator[Course]:
        """Every way that a loop can run over as many cells as there are tiles, along the links
        of those that lie, so that the bends are those of the tiles and nothing is enclosed."""
        laid, letter = self.field.laid, self.letter
        given = {cell: LINKS[number][letter] for cell, number in laid.items()}
        free = {cell: fitting(faces) for cell, faces in self.field.faces.items()}
        pool = forms(sum(1 << tile for tile in self.rest))
        start = next(iter(given))
        home, out = given[start]
        left = Counter(bend(LINKS[form(tile, 0)][letter]) for tile in self.rest)
        course: Course = {start: (home, out)}
        gate = around(start)[home]  # the loop comes home through this cell
        waiting = set(given) - {start}  # those that lie and are not on the course yet

        def hopeful(cell: Cell, ahead: Cell, rest: int) -> bool:
            """Whether the loop can still come home from a cell and leave nothing enclosed."""
            if ahead == start:
                return rest == 0 and cell == gate and not enclosed(course)
            if ahead in course or cell == gate or _distance(ahead, start) > rest:
                return False
            if any(_distance(ahead, far) + _distance(far, start) > rest for far in waiting):
                return False
            if not _divides(cell, course):
                return True
            # Whatever is enclosed must be where the loop goes on, and all be filled by it.
            inside = enclosed(course)
            return not inside or (len(inside) <= rest and {ahead, gate, *waiting} <= inside)

        def exits(cell: Cell, entry: int) -> Iterator[tuple[str, int]]:
            """How the loop can leave a cell: by which kind of bend, none if a tile lies there,
            and to which side."""
            if cell in given:
                if entry in given[cell]:
                    yield "", sum(given[cell]) - entry
                return
            fits = pool & free.get(cell, -1) & SHOWING[entry][letter]
            for kind, turns in EXITS.items():
                if left[kind]:
                    for turn in turns:
                        exit = (entry + turn) % TURNS
                        if fits & SHOWING[exit][letter]:
                            yield kind, exit

        def onward(cell: Cell, entry: int, rest: int) -> Iterator[Course]:
            if self.stop():
                raise Stopped
            waiting.discard(cell)
            for kind, exit in exits(cell, entry):
                ahead = around(cell)[exit]
                left[kind] -= 1
                course[cell] = (entry, exit)
                if hopeful(cell, ahead, rest - 1):
                    if ahead == start:
                        yield dict(course)
                    else:
                        yield from onward(ahead, (exit + 3) % TURNS, rest - 1)
                del course[cell]
                left[kind] += 1
            if cell in given:
                waiting.add(cell)

        yield from onward(around(start)[out], (out + 3) % TURNS, self.count - 1)

    def fillings(self, course: Course) -> Iterator[Field]:
        """Every way to put the tiles on the cells of a course, those that lie staying."""
        pool = forms(sum(1 << tile for tile in self.rest))
        domains = {
            cell: pool & SHOWING[entry][self.letter] & SHOWING[exit][self.letter]
            for cell, (entry, exit) in course.items()
        }
        domains |= {cell: 1 << number for cell, number in self.field.laid.items()}
        yield from self._filled(domains, {})

    def _filled(self, domains: Mapping[Cell, int], done: Mapping[Cell, int]) -> Iterator[Field]:
        """Completes a field, always at the cell for which the fewest forms are left."""
        if not domains:
            yield laid_out(done.items())
            return
        if self.stop():
            raise Stopped
        cell = min(domains, key=lambda cell: domains[cell].bit_count())
        for number in bits(domains[cell]):
            others = _narrowed(domains, cell, number)
            if all(others.values()):
                yield from self._filled(others, {**done, cell: number})


def _narrowed(domains: Mapping[Cell, int], cell: Cell, number: int) -> dict[Cell, int]:
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
    left, top, right, bottom = bounds(cells)
    left, top = left - 1, top - 1
    inside = {(q, r) for q in range(left, right + 2) for r in range(top, bottom + 2)}
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


def _distance(cell: Cell, other: Cell) -> int:
    """How many steps a cell is from another."""
    q, r = cell[0] - other[0], cell[1] - other[1]
    return max(abs(q), abs(r), abs(q + r))


def _is_loop(field: Field, letter: str) -> bool:
    """Whether one loop of a colour runs over every tile of a field whose edges match."""
    start = next(iter(field.laid), None)
    if start is None or letter not in LINKS[field.laid[start]]:
        return False
    line = line_through(field, start, letter)
    return line.loop and len(line.cells) == len(field.laid)
