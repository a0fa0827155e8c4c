"""Filling a board as exact cover: the tiling, colours aside, and then the colouring.

In a **tiling** equal shapes are the same; each square is an item, and each shape is one
that wants as many options as it has copies. In a **colouring** each tile laid is an item,
and so is each copy of a shape; where colours must keep apart, so is each pair of neighbours
in each colour.
"""

from collections import Counter
from dataclasses import dataclass
from functools import cached_property

from tegel.lattice import Cell, Shape, forms
from tegel.solver.check import sides
from tegel.solver.cover import Cover
from tegel.solver.puzzle import Placement, Position, Puzzle, Tile


@dataclass(frozen=True)
class Group:
    """The tiles of one shape that are left."""

    shape: Shape
    copies: tuple[Tile, ...]  # each as often as it is left


@dataclass(frozen=True)
class Filling:
    puzzle: Puzzle
    given: Position = ()

    @cached_property
    def groups(self) -> list[Group]:
        left = Counter({tile.id: tile.count for tile in self.puzzle.tiles})
        left.subtract(placement.id for placement in self.given)
        found: dict[Shape, list[Tile]] = {}
        for tile in self.puzzle.tiles:
            shape = min(forms(tile.shape).values())
            found.setdefault(shape, []).extend([tile] * left[tile.id])
        return [Group(shape, tuple(copies)) for shape, copies in found.items() if copies]

    @cached_property
    def free(self) -> list[Cell]:
        """The squares to fill, in lines along the short side: among squares that are equally
        hard to cover the first is taken, so the border of what is filled stays short."""
        taken = {cell for placement in self.given for cell in placement.cells}
        grid = self.puzzle.grid
        cells = [cell for cell in self.puzzle.board if cell not in taken]
        return cells if grid.width >= grid.height else sorted(cells, key=lambda c: (c[1], c[0]))

    @cached_property
    def area(self) -> int:
        return sum(len(group.shape) * len(group.copies) for group in self.groups)

    @cached_property
    def options(self) -> list[tuple[int, Shape]]:
        """Every place of every shape: (number of its group, squares); none if the tiles can't
        cover so much, since a search would take long to see it."""
        free = set(self.free)
        if self.area < len(free):
            return []
        return [
            (number, cells)
            for number, group in enumerate(self.groups)
            for form in forms(group.shape).values()
            for x, y in self.free
            if free.issuperset(cells := _moved(form, x, y))
        ]

    @cached_property
    def cover(self) -> Cover:
        number = {cell: item for item, cell in enumerate(self.free)}
        counts = [len(group.copies) for group in self.groups]
        needed = counts if self.area == len(self.free) else [0] * len(counts)
        cover = Cover(
            [1] * len(number) + needed,
            [1] * len(number) + counts,
            [
                [*((number[cell], 0) for cell in cells), (len(number) + group, 0)]
                for group, cells in self.options
            ],
        )
        ugly = [ugliness(group.shape) for group in self.groups]
        cover.weigh([ugly[group] for group, _ in self.options])
        return cover

    @property
    def tiling(self) -> list[tuple[int, Shape]]:
        """What the search has just found, by group and squares."""
        return [self.options[option] for option in self.cover.solution]


def _moved(form: Shape, x: int, y: int) -> Shape:
    """A form with its first cell on a square."""
    u, v = form[0]
    return tuple((x + c - u, y + r - v) for c, r in form)


def ugliness(shape: Shape) -> float:
    """How hard a shape is to fit in: many corners, few forms. Ugly tiles are tried first, so
    that those remain which fit anywhere.

    >>> from tegel.lattice import POLYOMINOES
    >>> [(name, ugliness(POLYOMINOES[name])) for name in ("X", "W", "F", "N", "P")]
    [('X', 11.5), ('W', 8.0), ('F', 6.0), ('N', 4.0), ('P', 2.0)]
    """
    cells, corners = set(shape), 0
    for x in range(-1, max(c for c, _ in cells) + 1):
        for y in range(-1, max(r for _, r in cells) + 1):
            around = [(x + u, y + v) in cells for u, v in ((0, 0), (0, 1), (1, 1), (1, 0))]
            diagonal = sum(around) == 2 and around[0] == around[2]
            corners += 2 if diagonal else sum(around) % 2
    return corners - len(forms(shape)) / 2


@dataclass(frozen=True)
class Colouring:
    """Which copy of its shape each tile of a tiling is."""

    filling: Filling
    tiling: list[tuple[int, Shape]]

    @cached_property
    def options(self) -> list[tuple[int, Tile]]:
        """(number of the tile laid, the copy that it may be)."""
        clashes = self._clashes_with_given
        return [
            (number, tile)
            for number, (group, _) in enumerate(self.tiling)
            for tile in dict.fromkeys(self.filling.groups[group].copies)
            if tile.colour not in clashes[number]
        ]

    @cached_property
    def cover(self) -> Cover:
        copies = Counter(tile for group in self.filling.groups for tile in group.copies)
        items: dict[object, tuple[int, int]] = dict.fromkeys(range(len(self.tiling)), (1, 1))
        all_used = len(self.tiling) == copies.total()
        items |= {tile: (count if all_used else 0, count) for tile, count in copies.items()}
        options: list[list[object]] = []
        for number, tile in self.options:
            pairs = [(pair, tile.colour) for pair in self._pairs[number] if tile.colour]
            items |= dict.fromkeys(pairs, (0, 1))
            options.append([number, tile, *pairs])
        index = {item: position for position, item in enumerate(items)}
        return Cover(
            [least for least, _ in items.values()],
            [most for _, most in items.values()],
            [[(index[item], 0) for item in option] for option in options],
        )

    @property
    def position(self) -> Position:
        """What the search has just found, with what was given."""
        laid = [self.options[option] for option in self.cover.solution]
        found = [Placement(tile.name, tile.colour, self.tiling[number][1]) for number, tile in laid]
        return (*self.filling.given, *found)

    @cached_property
    def _pairs(self) -> list[set[frozenset[int]]]:
        """For each tile laid, itself with each neighbour, where colours must keep apart."""
        found: list[set[frozenset[int]]] = [set() for _ in self.tiling]
        if self.filling.puzzle.constraints.apart:
            owner = {
                cell: number for number, (_, cells) in enumerate(self.tiling) for cell in cells
            }
            for cell, number in owner.items():
                for beside in sides(cell):
                    other = owner.get(beside, number)
                    if other != number:
                        found[number].add(frozenset((number, other)))
        return found

    @cached_property
    def _clashes_with_given(self) -> list[set[str]]:
        """For each tile laid, the colours that given tiles beside it have."""
        apart = self.filling.puzzle.constraints.apart
        owner = {
            cell: placement.colour
            for placement in self.filling.given
            for cell in placement.cells
            if apart and placement.colour
        }
        return [
            {owner[beside] for cell in cells for beside in sides(cell) if beside in owner}
            for _, cells in self.tiling
        ]
