"""Forma's bridges (rule 4, rulings F9, F10, F12), checked against a brute force.

Measured on one core of a busy 2-core machine with Python 3.11, on 4,276 final positions
(random play, greedy play, and players that build towards the edges; 432 of them with bridges
in both directions): median 0.1 ms, of those 432 about 7 ms, worst 83 ms."""

import json
import random
import statistics
import time
from itertools import pairwise
from pathlib import Path

import pytest

from tegel.cells import Grid, bits
from tegel.games.forma import GAME
from tegel.games.forma.bridges import Bridges, alone, most
from tegel.lattice import Cell, shape_of

DATA = json.loads((Path(__file__).parent / "data" / "forma.json").read_text("utf-8"))


def counted(*rows: str) -> tuple[int, tuple[int, int]]:
    """The most bridges on the squares drawn, and the most in each direction alone."""
    grid = Grid(len(rows[0]), len(rows))
    own = grid.mask(shape_of(*rows))
    found = most(grid, own)
    check(grid, own, found)
    return len(found), alone(grid, own)


def check(grid: Grid, own: int, found: Bridges) -> None:
    """They are bridges, on own squares, and share no more than they may."""
    top, right = grid.height - 1, grid.width - 1
    for path in (*found.southward, *found.eastward):
        assert grid.mask(path) & ~own == 0
        assert len(set(path)) == len(path)
        assert all(abs(a - c) + abs(b - d) == 1 for (a, b), (c, d) in pairwise(path))
    assert all(path[0][1] == top and path[-1][1] == 0 for path in found.southward)
    assert all(path[0][0] == 0 and path[-1][0] == right for path in found.eastward)
    for family in (found.southward, found.eastward):
        assert sum(map(len, family)) == len({cell for path in family for cell in path})
    for path in found.southward:
        assert all(len({*path} & {*other}) == 1 for other in found.eastward)


# The brute force: all paths without short cuts (a short cut shares no more with others),
# then all choices of them.


def paths(grid: Grid, own: int, starts: list[Cell], ends: list[Cell]) -> list[int]:
    first, last = grid.mask(starts) & own, grid.mask(ends)
    found = []

    def extend(square: int, path: int) -> None:
        if last >> square & 1:
            found.append(path)
            return
        for way in bits(grid.beside(1 << square) & own & ~first):
            if not path >> way & 1 and (grid.beside(1 << way) & path).bit_count() == 1:
                extend(way, path | 1 << way)

    for start in bits(first):
        extend(start, 1 << start)
    return found


def by_brute_force(grid: Grid, own: int) -> int:
    columns, rows = range(grid.width), range(grid.height)
    north, south = [(x, rows[-1]) for x in columns], [(x, 0) for x in columns]
    west, east = [(0, y) for y in rows], [(columns[-1], y) for y in rows]
    best = 0

    def choose(count: int, southward: list[int], eastward: list[int]) -> None:
        nonlocal best
        best = max(best, count)
        for index, path in enumerate(southward):
            choose(
                count + 1,
                [other for other in southward[index + 1 :] if not path & other],
                [other for other in eastward if (path & other).bit_count() <= 1],
            )
        for index, path in enumerate(eastward):
            if count + len(eastward) - index <= best:
                break
            choose(count + 1, [], [other for other in eastward[index + 1 :] if not path & other])

    choose(0, paths(grid, own, north, south), paths(grid, own, west, east))
    return best


@pytest.mark.slow
def test_F10_the_count_is_exact_on_random_boards(rng: random.Random, soak: bool) -> None:
    between = 0
    for _ in range(20_000 if soak else 1_500):
        grid = Grid(rng.randint(1, 6), rng.randint(1, 6))
        share = rng.uniform(0.5, 0.95 if grid.width * grid.height <= 25 else 0.75)
        own = grid.mask(cell for cell in grid.cells(grid.full) if rng.random() < share)
        found = most(grid, own)
        check(grid, own, found)
        assert len(found) == by_brute_force(grid, own), "\n" + grid.text(own)
        between += max(alone(grid, own)) < len(found) < sum(alone(grid, own))
    assert between, "no board was hard"


def test_a_bridge_joins_opposite_edges() -> None:
    assert counted("..X.", ".XX.", ".X..", ".X..") == (1, (1, 0))
    assert counted("....", "XX..", ".XXX", "....") == (1, (0, 1))
    assert counted("..X.", "..X.", "..X.", "....") == (0, (0, 0))
    assert counted("X...", "X...", "X...", "XXXX") == (2, (1, 1))  # a corner has two edges


def test_corner_contact_does_not_connect() -> None:
    assert counted("X...", "X...", ".X..", ".X..") == (0, (0, 0))


def test_F12_bridges_of_one_direction_share_no_square() -> None:
    assert counted("X.X.", "XXX.", ".X..", ".X..") == (1, (1, 0))
    assert counted("XX..", "XX..", "XX..", "XX..") == (2, (2, 0))  # be it one tile


def test_two_directions_share_one_square_and_no_more() -> None:
    assert counted(".X..", "XXXX", ".X..", ".X..") == (2, (1, 1))
    # Here they would have to share three.
    assert counted("..X..", "XXX..", "..X..", "..XXX", "..X..") == (1, (1, 1))


def test_F10_neither_greedy_nor_the_sum_of_both() -> None:
    """Two southward or two eastward alone; together three, neither two nor four."""
    rows = ("X..X..", "XXXX..", ".X.X..", ".XXXXX", ".X...X", "XXXXXX")
    assert counted(*rows) == (3, (2, 2))


def test_a_board_full_of_squares() -> None:
    assert counted(*["X" * 20] * 20) == (40, (20, 20))


def test_a_position_that_took_40_000_choices_once() -> None:
    assert counted(
        "XXXX...XXXXXX.......",
        "XXX....XXXX.........",
        ".XX.....XXX.........",
        ".........XXXX.......",
        ".........XXXXXX.....",
        ".........XXXXX......",
        ".........XXXX.......",
        "X.XXXXXXXXXXX.......",
        "XXXXXXXXXXXXXX......",
        "XXXXXXXXXXXXX.......",
        "XXXXXXXXXXXXXX......",
        "..XXXXXXXXXXXXXX....",
        ".XX.XXXXXXXXXXXXX...",
        "....XXXXXXXXXXXXX...",
        ".....XXXXXXXXXXXXXXX",
        "......XXXXXXXXXXXXXX",
        "......XX.XXXXXXXXXXX",
        ".............XXXXXXX",
        "..............XXXXXX",
        "..............XXXXXX",
    ) == (5, (2, 3))


@pytest.mark.parametrize("data", DATA["positions"], ids=lambda data: data["id"])
def test_bridges_of_finished_positions(data: dict[str, object]) -> None:
    rows, players = data["rows"], data["players"]
    assert isinstance(rows, list)
    assert isinstance(players, list)
    for seat, player in enumerate(players):
        letters = "ABCD"[seat] + "abcd"[seat] + str(seat)
        own = ["".join("X" if x in letters else "." for x in row) for row in rows]
        expected = player["ns_alone"], player["ew_alone"]
        assert counted(*own) == (player["items"]["bridges"], expected)


@pytest.mark.alone
def test_counting_is_quick_in_positions_from_play(rng: random.Random, soak: bool) -> None:
    """Far from the limits (20 ms and 300 ms), so that a busy machine does not matter."""
    times = []
    for _ in range(60 if soak else 6):
        state = GAME.start("two", layout="random")
        while moves := state.moves():
            state = state.play(rng.choice(moves))
        for tiles, markers in zip(state.tiles, state.markers, strict=True):
            start = time.perf_counter()
            most(state.rules.grid, tiles | markers)
            times.append(time.perf_counter() - start)
    assert statistics.median(times) < 0.02
    assert max(times) < 0.3
