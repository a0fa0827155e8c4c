"""A puzzle as a value and as text.

- a **board** is any set of squares;
- a **tile** is a shape with a name, a colour (or none) and a number of copies; it may be
  turned and flipped;
- a **rule** names the constraints that say when a position is good, and when it is solved
  (see `RULES`);
- a **placement** is a tile on squares; a **position** any number of placements, in any order.

A puzzle is text: headers, a blank line, the board from the top (anything but a dot is no
square). Tiles are the polyominoes of 1 to 5 squares by their names, or drawn.

    puzzle: two-steps
    rule: cover
    tiles: blue L4*2 P, red P, step
    shape step: X../XX./.XX

    .....
    .....
    #....
    #....
    #....
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import Any, NamedTuple

from tegel.cells import Grid
from tegel.game import BadNotation, Lean
from tegel.lattice import POLYOMINOES, Cell, Shape, bounds, name, names, shape_of, square, turned

COLOURS = ("blue", "yellow", "red", "green")
WIDEST = 200  # squares, of a board or a tile, in width and in height


@dataclass(frozen=True)
class Constraints:
    """What a solution must be, besides: no square twice, no tile oftener than its copies."""

    fill: bool = False  # every square is covered; otherwise every tile is used
    apart: bool = False  # tiles of one colour don't touch along a side
    linked: bool = False  # each colour's tiles hang together by corners, from a corner square
    descending: bool = False  # and each hangs on one that is no smaller


RULES: Mapping[str, Constraints] = {
    "cover": Constraints(fill=True),
    "apart": Constraints(fill=True, apart=True),
    "blokus": Constraints(apart=True, linked=True),
    "descending": Constraints(apart=True, linked=True, descending=True),
}


@dataclass(frozen=True)
class Tile:
    """A tile, or several that are alike."""

    name: str
    shape: Shape
    colour: str = ""
    count: int = 1

    @property
    def id(self) -> str:
        """What tells it from the other tiles of a puzzle: `blue-F`, or `F` without a colour."""
        return f"{self.colour}-{self.name}" if self.colour else self.name

    def __str__(self) -> str:
        return f"{self.name}*{self.count}" if self.count > 1 else self.name


class Placement(NamedTuple):
    """A tile by its name and colour on squares, sorted."""

    tile: str
    colour: str
    cells: Shape

    @property
    def id(self) -> str:
        """The colour and the name of its tile."""
        return f"{self.colour}-{self.tile}" if self.colour else self.tile

    def __str__(self) -> str:
        return f"{self.id} on {names(self.cells)}"


Position = tuple[Placement, ...]


@dataclass(frozen=True)
class Puzzle(Lean):
    """A board, tiles, and the rule by which they are to be laid."""

    name: str
    board: Shape  # sorted
    tiles: tuple[Tile, ...]
    rule: str = "cover"

    def __post_init__(self) -> None:
        object.__setattr__(self, "board", tuple(sorted(set(self.board))))
        if self.rule not in RULES:
            raise BadNotation(self.rule, f"no such rule; there are {', '.join(RULES)}")
        if not self.board or not self.tiles:
            raise BadNotation(self.name, "a puzzle needs a board and tiles")
        if len(self.board) > 2000 or sum(tile.count for tile in self.tiles) > 2000:
            raise BadNotation(self.name, "at most 2000 squares and tiles")
        if min(map(min, self.board)) < 0:
            raise BadNotation(self.name, "the board has squares left of or below a1")
        if self.widest >= WIDEST:
            reason = f"a board and its tiles are at most {WIDEST} squares wide and high"
            raise BadNotation(self.name, reason)
        if len(self.kinds) < len(self.tiles):
            raise BadNotation(self.name, "a tile is named twice; write F*2 for two copies")

    @cached_property
    def constraints(self) -> Constraints:
        """What its rule asks of a position."""
        return RULES[self.rule]

    @cached_property
    def kinds(self) -> Mapping[str, Tile]:
        """The tiles by their ids."""
        return {tile.id: tile for tile in self.tiles}

    @cached_property
    def widest(self) -> int:
        """The highest column or row of a square, on the board or of a tile."""
        shapes = {self.board, *(tile.shape for tile in self.tiles)}
        return max(max(map(max, cells)) for cells in shapes)

    @cached_property
    def grid(self) -> Grid:
        """A grid on which its board lies."""
        _, _, right, top = bounds(self.board)
        return Grid(right + 1, top + 1)

    @cached_property
    def squares(self) -> int:
        """Its board as a set of that grid."""
        return self.grid.mask(self.board)

    @cached_property
    def corners(self) -> Shape:
        """The squares where a colour may begin, if colours are linked: the board's corners,
        clockwise from the top left."""
        right, top = self.grid.width - 1, self.grid.height - 1
        return tuple(
            cell for cell in ((0, top), (right, top), (right, 0), (0, 0)) if cell in self.board
        )

    @cached_property
    def area(self) -> int:
        """How many squares all tiles cover together."""
        return sum(len(tile.shape) * tile.count for tile in self.tiles)

    def __str__(self) -> str:
        runs = groupby(self.tiles, lambda tile: tile.colour)
        said = ", ".join(" ".join([colour, *map(str, tiles)]).strip() for colour, tiles in runs)
        lines = [f"puzzle: {self.name}", f"rule: {self.rule}", f"tiles: {said}"]
        drawings = {
            tile.name: "/".join(_rows(tile.shape))
            for tile in self.tiles
            if POLYOMINOES.get(tile.name) != tile.shape
        }
        lines += [f"shape {key}: {drawing}" for key, drawing in drawings.items()]
        return "\n".join([*lines, "", *_rows(self.board, ".", "#")]) + "\n"


def _rows(cells: Iterable[Cell], yes: str = "X", no: str = ".") -> list[str]:
    """A set of squares as rows from the top, the lower left being (0, 0)."""
    inside = set(cells)
    _, _, right, top = bounds(inside)
    return [
        "".join(yes if (x, y) in inside else no for x in range(right + 1))
        for y in range(top, -1, -1)
    ]


# From text


def parse(text: str) -> Puzzle:
    """The puzzle that a text is; the inverse of `str`; raises BadNotation."""
    if len(text) > 100_000:
        raise BadNotation(text, "longer than any puzzle")
    head, _, rows = text.strip("\n").partition("\n\n")
    headers: dict[str, str] = {}
    for number, line in enumerate(head.splitlines(), 1):
        key, colon, value = line.partition(":")
        if not colon or key in headers:
            raise BadNotation(line, "expected a header such as 'rule: cover', once", number)
        headers[key.strip()] = value.strip()
    for key in ("puzzle", "tiles"):
        if not headers.get(key):
            raise BadNotation(text, f"no header '{key}: ...', so this is not a puzzle")
    drawings = {
        key.removeprefix("shape ").strip(): value
        for key, value in headers.items()
        if key.startswith("shape ")
    }
    if unknown := set(headers) - {"puzzle", "rule", "tiles", *(f"shape {k}" for k in drawings)}:
        raise BadNotation(min(unknown), "a puzzle has no such header")
    lines = [line.rstrip() for line in rows.splitlines()]
    if len(lines) > WIDEST or any(len(line) > WIDEST for line in lines):
        reason = f"a board is at most {WIDEST} squares wide and high"
        raise BadNotation(headers["puzzle"], reason)
    board = [
        (x, len(lines) - 1 - y)
        for y, line in enumerate(lines)
        for x, mark in enumerate(line)
        if mark == "."
    ]
    shapes = {key: _shape(key, value) for key, value in drawings.items()}
    return Puzzle(
        headers["puzzle"],
        tuple(board),
        tuple(_tiles(headers["tiles"], {**POLYOMINOES, **shapes})),
        headers.get("rule", "cover"),
    )


def _shape(key: str, text: str) -> Shape:
    shape = shape_of(*text.split("/"))
    if not shape or not key.isalnum() or key in COLOURS:
        raise BadNotation(f"{key}: {text}", "expected a shape such as 'step: X../XX./.XX'")
    return turned(shape, 0)


def _tiles(text: str, shapes: Mapping[str, Shape]) -> Iterator[Tile]:
    for group in text.split(","):
        words = group.split()
        colour = words.pop(0) if words[:1] and words[0] in COLOURS else ""
        if not words:
            raise BadNotation(text, "expected tiles such as 'blue F P*2, red F'")
        for word in words:
            key, star, count = word.partition("*")
            if key not in shapes:
                raise BadNotation(word, "no such tile; draw it as 'shape NAME: XX./.XX'")
            if star and not (count.isdecimal() and len(count) <= 4 and int(count) > 0):
                raise BadNotation(word, "a tile has 1 copy or more, as in P*2")
            yield Tile(key, shapes[key], colour, int(count or 1))


def read(puzzle: Puzzle, data: object) -> Position:
    """A position from what JSON gives: a list of `{piece, colour, cells}`, or an object that
    has it as `placements`."""
    if isinstance(data, dict):
        data = data.get("placements")
    found = []
    entries: list[Any] = data if isinstance(data, list) else [data]
    for entry in entries:
        try:
            cells = tuple(sorted(square(cell) for cell in entry["cells"]))
            found.append(Placement(str(entry["piece"]), str(entry.get("colour") or ""), cells))
        except (TypeError, KeyError, AttributeError, ValueError):
            reason = "expected placements such as {'piece': 'V3', 'colour': 'red', 'cells': ['a1']}"
            raise BadNotation(str(entry), f"{reason} for {puzzle.name}") from None
    return tuple(found)


def written(position: Iterable[Placement]) -> list[dict[str, object]]:
    """A position for JSON; the inverse of `read`."""
    return [
        {"piece": tile, "colour": colour, "cells": [name(cell) for cell in cells]}
        for tile, colour, cells in position
    ]
