"""Positions in disguise, for the tests of fair play: turned, flipped, recoloured, with a few pieces
added, removed or moved, earlier or later in the game. A disguise changes a tenth of the pieces at
most, each way. It turns boards by arithmetic of its own, not by that of `game.footprint`."""

import random
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from tegel import games
from tegel.games.imago.stones import COUNTS, GRID, HOLLOWS, TOP
from tegel.games.tantrix.field import Field
from tegel.games.tantrix.tiles import FORMS
from tegel.lattice import HEXAGON, Cell

VARIANTS = [
    ("blokus", "duo"), ("blokus", "two"), ("blokus", "classic"), ("blokus", "three"),
    ("forma", "two"), ("forma", "four"), ("imago", "imago"), ("imago", "shapes"),
    ("tantrix", "two"), ("tantrix", "four"),
]  # fmt: skip
OPTIONS = {"forma": {"layout": "random", "assist": "on"}}


def line(rng: random.Random, game: str, variant: str, most: int = 160) -> list[Any]:
    """A random game: all its positions."""
    state: Any = games.load(game).start(variant, **OPTIONS.get(game, {}))
    found = [state]
    while len(found) < most and (moves := state.moves()):
        state = state.play(rng.choice(moves))
        found.append(state)
    return found


def few(rng: random.Random, count: int) -> int:
    return rng.randint(0, count // 10)


def disguised(rng: random.Random, state: Any, game: str) -> Any:
    change = {"blokus": blokus, "forma": forma, "imago": imago, "tantrix": tantrix}[game]
    return change(rng, state)


# Boards of squares


def turned(cell: Cell, top: int, way: int) -> Cell:
    """A cell after `way` of the eight ways to turn and flip a board."""
    for _ in range(way % 4):
        cell = (cell[1], top - cell[0])
    return (top - cell[0], cell[1]) if way >= 4 else cell


def pieces(grid: Any, masks: tuple[int, ...]) -> list[tuple[int, frozenset[Cell]]]:
    """What lies on the board: connected squares of one colour, each with its number."""
    return [
        (colour, frozenset(grid.cells(part)))
        for colour, mask in enumerate(masks)
        for part in grid.components(mask)
    ]


def shuffled(rng: random.Random, grid: Any, masks: tuple[int, ...], size: int) -> tuple[int, ...]:
    """Colours exchanged, the board turned, and a few pieces removed, moved and added."""
    laid = pieces(grid, masks)
    rng.shuffle(laid)
    laid = laid[few(rng, len(laid)) :]
    for place in range(few(rng, len(laid))):
        colour, cells = laid[place]
        dx, dy = rng.randint(-3, 3), rng.randint(-3, 3)
        laid[place] = (colour, frozenset((x + dx, y + dy) for x, y in cells))
    for _ in range(few(rng, len(laid))):
        x, y = rng.randrange(size - 1), rng.randrange(size)
        laid.append((rng.randrange(len(masks)), frozenset([(x, y), (x + 1, y)])))
    names, way = rng.sample(range(len(masks)), len(masks)), rng.randrange(8)
    found = [0] * len(masks)
    for colour, cells in laid:
        inside = [turned(cell, size - 1, way) for cell in cells if cell in grid]
        found[names[colour]] |= grid.mask(inside)
    return tuple(found)


def blokus(rng: random.Random, state: Any) -> Any:
    rules = state.rules
    return replace(state, squares=shuffled(rng, rules.grid, state.squares, rules.size))


def forma(rng: random.Random, state: Any) -> Any:
    """The seats exchanged, the board turned, a few obstacles and squares moved away."""
    rules, grid, layout = state.rules, state.rules.grid, state.layout
    names, way = rng.sample(range(rules.seats), rules.seats), rng.randrange(8)

    def seen(mask: int, least: int = 10) -> int:
        cells = list(grid.cells(mask))
        for _ in range(few(rng, len(cells)) if len(cells) >= least else 0):
            cells[rng.randrange(len(cells))] = (rng.randrange(20), rng.randrange(20))
        return int(grid.mask(turned(cell, 19, way) for cell in cells))

    return replace(
        state,
        layout=replace(layout, tower=seen(layout.tower), obstacles=seen(layout.obstacles)),
        tiles=tuple(seen(state.tiles[name]) for name in names),
        markers=tuple(seen(state.markers[name]) for name in names),
    )


def imago(rng: random.Random, state: Any) -> Any:
    """Colours of which there are equally many exchanged, board turned, a few stones moved."""
    table, way = state.table, rng.randrange(8)
    at = dict(table.colour_at)
    empty = [cell for cell in HOLLOWS if cell not in at]
    shapes = len(set(table.kinds)) == 1
    # Where only shapes matter, a hollow says little: one stone moved is much.
    much = min(len(at), len(empty)) >= 12 if shapes else bool(empty)
    for _ in range(1 if shapes else few(rng, len(at))):
        if much and rng.random() < 0.5:
            stone, hollow = rng.choice(sorted(at)), rng.choice(empty)
            at[hollow] = at.pop(stone)
            empty = [cell for cell in HOLLOWS if cell not in at]
    names = list(range(len(COUNTS)))
    for count in set(COUNTS):
        same = [colour for colour, n in enumerate(COUNTS) if n == count]
        for one, other in zip(same, rng.sample(same, len(same)), strict=True):
            names[one] = other
    board = [0] * len(COUNTS)
    for cell, colour in at.items():
        board[names[colour]] |= GRID.mask([turned(cell, TOP, way)])
    return replace(state, table=replace(table, board=tuple(board)))


# Hexagons


def tantrix(rng: random.Random, state: Any) -> Any:
    """Colours exchanged, the table flipped, turned and shifted, a few tiles gone or moved."""
    flips, turns = rng.randrange(2), rng.randrange(6)
    names = str.maketrans("RYBG", "".join(rng.sample("RYBG", 4)))
    dq, dr = rng.randint(-5, 5), rng.randint(-5, 5)

    def form_of(edges: str) -> int:
        for _ in range(flips):
            edges = edges[3::-1] + edges[:3:-1]  # clockwise from west, the other way round
        edges = edges[-turns % 6 :] + edges[: -turns % 6]
        return FORMS.index(edges.translate(names))

    def cell_of(cell: Cell) -> Cell:
        for a, b, c, d in [HEXAGON.mirror] * flips + [HEXAGON.quarter] * turns:
            cell = a * cell[0] + b * cell[1], c * cell[0] + d * cell[1]
        return cell[0] + dq, cell[1] + dr

    laid = list(state.field.laid.items())
    rng.shuffle(laid)
    laid = laid[few(rng, len(laid)) :]
    found: Mapping[Cell, int] = {cell_of(cell): form_of(FORMS[form]) for cell, form in laid}
    moved = dict(found)
    for _ in range(few(rng, len(moved))):
        form = moved.pop(rng.choice(sorted(moved)))
        moved[rng.randint(20, 30), rng.randint(20, 30)] = form
    return replace(state, field=Field(moved))


def unrelated(rng: random.Random, game: str, variant: str, count: int) -> Iterator[tuple[Any, Any]]:
    """Pairs of positions of different random games."""
    lines = [line(rng, game, variant) for _ in range(24)]
    for _ in range(count):
        one, other = rng.sample(lines, 2)
        yield rng.choice(one), rng.choice(other)
