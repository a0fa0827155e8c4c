"""Forma: the most bridges that a set of squares makes, exactly (F10).

A **bridge** is a path of squares, side by side, from north to south or from west to east.
Bridges of one direction share no square, two of different directions one at most.

How we count: k bridges southward give every corner of every square a number, how many of
them lie to the west of it; l bridges eastward give it another, how many lie to the north.
The pair is the corner's **label**. Labels that come from bridges are known by their squares:

- the corners of a foreign square have the same label;
- those of an own square too, or they lie on both banks of one bridge and differ by 1 in one
  number; or the square is a **crossing**, with the four labels of two banks each. (Two
  bridges of different directions always share a square, by planarity. If it is one only,
  they cross there, both straight. And if all their common squares are such crossings, all
  from west to east, there is one only. So this rule about single squares says it all.)
- at the west edge the first number is 0, at the east edge k; the second is 0 and l at the
  north and south edges.

And all such labels come from bridges: they run between the banks. So we look for labels,
by elimination: each corner has a set of labels that are still possible, each square strikes
out what does not go together with its other corners, and where nothing more can be struck
out we choose one and go on. In positions from play elimination nearly always says no at
once, or finds bridges with hardly a wrong choice (tests/test_forma_bridges.py has figures);
in general the problem is hard.
"""

from collections import deque
from collections.abc import Collection
from dataclasses import dataclass
from itertools import chain, product

from tegel.cells import Grid, bits
from tegel.lattice import SQUARE, Cell

Path = tuple[Cell, ...]
Four = tuple[int, int, int, int]


@dataclass(frozen=True)
class Bridges:
    """Bridges chosen together, each as its squares from north to south or west to east."""

    southward: tuple[Path, ...] = ()
    eastward: tuple[Path, ...] = ()

    def __len__(self) -> int:
        return len(self.southward) + len(self.eastward)


def most(grid: Grid, own: int) -> Bridges:
    """As many bridges on these squares as can be chosen together."""
    souths, easts = alone(grid, own)
    if not souths + easts:
        return Bridges()
    corners = Corners(grid, own)
    counts = product(range(souths + 1), range(easts + 1))
    for southward, eastward in sorted(counts, key=sum, reverse=True):
        if labels := corners.labels(southward, eastward):
            return shortened(grid, own, corners.bridges(labels))
    raise AssertionError("the bridges of one direction can always be chosen")


def alone(grid: Grid, own: int) -> tuple[int, int]:
    """The most bridges southward if there were none eastward, and the other way round."""
    west, east, south, north = _edges(grid)
    return _least(grid, own, west, east), _least(grid, own, north, south)


def _edges(grid: Grid) -> Four:
    """The squares at the west, east, south and north edges."""
    west, east = (grid.mask((x, y) for y in range(grid.height)) for x in (0, grid.width - 1))
    south, north = (grid.mask((x, y) for x in range(grid.width)) for y in (0, grid.height - 1))
    return west, east, south, north


def _least(grid: Grid, own: int, here: int, there: int) -> int:
    """The least number of own squares on a way from edge to edge by sides and corners. Such
    a way cuts all bridges between the other edges, and there are as many (Menger)."""
    count, reached, foreign = 0, here & ~own, grid.full & ~own
    while True:
        while reached != (grown := reached | _around(grid, reached) & foreign):
            reached = grown
        if reached & there:
            return count
        count += 1
        reached |= (here | _around(grid, reached)) & own
        if reached & there:
            return count


def _around(grid: Grid, squares: int) -> int:
    return grid.sides(squares) | grid.diagonal(squares)


# Labels. A set of them is a set of squares on a little grid: (west, north) is the square in
# that column and row.

BANKS = [
    four
    for four in product((0, 1), repeat=4)
    if 0 in four and four not in ((0, 1, 0, 1), (1, 0, 1, 0))
]
"""The corners of a square on the two banks of a bridge, or all on one of them; no square
carries two bridges of one direction."""
RING = ((0, 0), (1, 0), (1, 1), (0, 1))
PATTERNS: tuple[tuple[Cell, ...], ...] = tuple(
    {
        *(tuple((bank, 0) for bank in four) for four in BANKS),
        *(tuple((0, bank) for bank in four) for four in BANKS),
        *((*RING[turn:], *RING[:turn]) for turn in range(4)),
    }
)
"""How the labels of an own square's corners may differ from the least of them."""


class Corners:
    """The corners of the squares, numbered; all those of a foreign square have one number."""

    def __init__(self, grid: Grid, own: int) -> None:
        self.grid = grid
        self.number: dict[Cell, int] = {}
        count, foreign = 0, grid.full & ~own
        while foreign:
            part, grown = 0, foreign & -foreign
            while grown != part:
                part, grown = grown, grown | _around(grid, grown) & foreign
            foreign &= ~part
            self.number |= dict.fromkeys(chain(*map(_four, grid.cells(part))), count)
            count += 1
        for corner in product(range(grid.width + 1), range(grid.height + 1)):
            if corner not in self.number:
                self.number[corner] = count
                count += 1
        self.squares: dict[Cell, Four] = {}  # the own ones, by the numbers of their corners
        self.touching: list[list[Cell]] = [[] for _ in range(count)]  # own squares by corner
        for cell in grid.cells(own):
            a, b, c, d = (self.number[corner] for corner in _four(cell))
            self.squares[cell] = a, b, c, d
            for number in {a, b, c, d}:
                self.touching[number].append(cell)

    def labels(self, southward: int, eastward: int) -> list[Cell] | None:
        """By corner, labels that come from so many bridges; None if there are none."""
        book = Grid(southward + 1, eastward + 1)
        elimination = Elimination(self, book)
        # By corner, the squares that touch it, as often as a choice there has failed: where
        # it is difficult we choose first. (Without, one position in 300 took 40,000 choices.)
        trouble = [len(squares) for squares in self.touching]
        waiting: list[tuple[list[int], int | None]] = [(self._at_edges(book), None)]
        while waiting:
            possible, chosen = waiting.pop()
            changed = self.squares if chosen is None else self.touching[chosen]
            if not elimination.leaves(possible, changed):
                if chosen is not None:
                    trouble[chosen] += len(self.touching[chosen])
                continue
            undecided = [n for n, labels in enumerate(possible) if labels & labels - 1]
            if not undecided:
                return [book.cell(labels.bit_length() - 1) for labels in possible]
            corner = min(undecided, key=lambda n: possible[n].bit_count() / trouble[n])
            for label in bits(possible[corner]):
                branch = possible.copy()
                branch[corner] = 1 << label
                waiting.append((branch, corner))
        return None

    def _at_edges(self, book: Grid) -> list[int]:
        """By corner, the labels that the edges allow."""
        west, east, north, south = _edges(book)  # rows of labels count southward
        possible = [book.full] * len(self.touching)
        for (x, y), number in self.number.items():
            possible[number] &= (
                (west if x == 0 else book.full)
                & (east if x == self.grid.width else book.full)
                & (south if y == 0 else book.full)
                & (north if y == self.grid.height else book.full)
            )
        return possible

    def bridges(self, labels: list[Cell]) -> Bridges:
        """The bridges that run between the banks."""
        west = {corner: labels[number][0] for corner, number in self.number.items()}
        north = {corner: -labels[number][1] for corner, number in self.number.items()}
        width, height = self.grid.width, self.grid.height
        southward = [self._path((x, height), (0, -1), west) for x in range(width)]
        eastward = [self._path((-1, y), (1, 0), north) for y in range(height)]
        return Bridges(tuple(filter(None, southward)), tuple(filter(None, eastward)))

    def _path(self, outside: Cell, heading: Cell, height: dict[Cell, int]) -> Path:
        """The squares of the bridge that comes from outside under this heading and reaches
        the opposite edge, if one does: its left bank is higher than its right."""

        def leaves(cell: Cell, step: Cell) -> bool:
            left, right = _posts(cell, step)
            return height[left] > height[right]

        if not leaves(outside, heading):
            return ()
        path, step = [outside], heading
        while (cell := (path[-1][0] + step[0], path[-1][1] + step[1])) in self.grid:
            path.append(cell)
            step = next(step for step in SQUARE.steps if leaves(cell, step))
        return tuple(path[1:]) if step == heading else ()


class Elimination:
    """Strikes out the labels that no pattern allows."""

    def __init__(self, corners: Corners, book: Grid) -> None:
        self.squares, self.touching = corners.squares, corners.touching
        self.patterns = [tuple(map(book.offset, pattern)) for pattern in PATTERNS]
        self.known: dict[Four, Four] = {}

    def leaves(self, possible: list[int], changed: Collection[Cell]) -> bool:
        """Whether every corner keeps a label when all is struck out that squares, those
        changed and then others, make impossible."""
        queue, queued = deque(changed), set(changed)
        while queue:
            cell = queue.popleft()
            queued.remove(cell)
            a, b, c, d = four = self.squares[cell]
            before = possible[a], possible[b], possible[c], possible[d]
            after = self.known.get(before) or self.kept(before)
            if after == before:
                continue
            for number, labels in zip(four, after, strict=True):
                if possible[number] & ~labels:
                    possible[number] &= labels
                    new = [other for other in self.touching[number] if other not in queued]
                    queue.extend(new)
                    queued.update(new)
            if not (possible[a] and possible[b] and possible[c] and possible[d]):
                return False
        return all(possible)

    def kept(self, four: Four) -> Four:
        """Of the labels of a square's corners, those that occur together in a pattern: all
        labels at once, as a set of labels is shifted like a set of squares."""
        a, b, c, d = four
        p = q = r = s = 0
        for i, j, k, m in self.patterns:
            if least := a >> i & b >> j & c >> k & d >> m:
                p |= least << i
                q |= least << j
                r |= least << k
                s |= least << m
        self.known[four] = p, q, r, s
        return p, q, r, s


def _four(cell: Cell) -> tuple[Cell, Cell, Cell, Cell]:
    """The corners of a square, clockwise from the north-west."""
    x, y = cell
    return (x, y + 1), (x + 1, y + 1), (x + 1, y), (x, y)


def _posts(cell: Cell, step: Cell) -> tuple[Cell, Cell]:
    """The corners to the left and to the right of who leaves a square by this step."""
    north_west, north_east, south_east, south_west = _four(cell)
    return {
        (1, 0): (north_east, south_east),
        (0, -1): (south_east, south_west),
        (-1, 0): (south_west, north_west),
        (0, 1): (north_west, north_east),
    }[step]


# Shorter ways, for the eye: labels leave it open how a bridge winds.


def shortened(grid: Grid, own: int, bridges: Bridges) -> Bridges:
    """The same bridges, each in turn as short as the others and its crossings let it be."""
    count = len(bridges.southward)
    paths = [*bridges.southward, *bridges.eastward]
    west, east, south, north = _edges(grid)
    for index, path in enumerate(paths):
        others = grid.mask(chain(*paths[:index], *paths[index + 1 :]))
        first, last = (north, south) if index < count else (west, east)
        stretches: list[list[Cell]] = [[]]  # free ones and crossings by turns
        for cell in path:
            if others >> grid.offset(cell) & 1:
                stretches += [[cell], []]
            else:
                stretches[-1].append(cell)
        for number in range(0, len(stretches), 2):
            if stretch := stretches[number]:
                starts = first if number == 0 else grid.mask(stretch[:1])
                ends = last if number == len(stretches) - 1 else grid.mask(stretch[-1:])
                stretches[number] = _shortest(grid, own & ~others, starts, ends)
        paths[index] = tuple(chain(*stretches))
    return Bridges(tuple(paths[:count]), tuple(paths[count:]))


def _shortest(grid: Grid, free: int, starts: int, ends: int) -> list[Cell]:
    """A shortest path over free squares from some squares to others, straight if possible."""
    waves = [starts & free]
    while not waves[-1] & ends:
        waves.append(grid.sides(waves[-1]) & free)
    here, step = (waves[-1] & ends).bit_length() - 1, 1
    path = [here]
    for wave in waves[-2::-1]:
        ways = [way for way in (step, 1, -1, grid.stride, -grid.stride) if here + way >= 0]
        step = next(way for way in ways if wave >> here + way & 1)
        here += step
        path.append(here)
    return [grid.cell(offset) for offset in reversed(path)]
