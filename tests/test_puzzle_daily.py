"""The puzzle of the day: the same for everybody, exactly one solution, harder towards Sunday."""

import subprocess
import sys
from datetime import date, timedelta
from itertools import pairwise
from statistics import mean

import pytest

from tegel import solver
from tegel.game import BadNotation
from tegel.solver.check import sides, solved
from tegel.solver.daily import Numbers, daily, dated, name, stars
from tegel.solver.filling import Filling

MONDAY = date(2026, 11, 16)
WEEK = [MONDAY + timedelta(days) for days in range(7)]


def test_the_numbers_are_the_same_for_ever() -> None:
    numbers = Numbers("daily-1-2026-11-16")
    assert [numbers.below(1000) for _ in range(5)] == NUMBERS


def test_the_puzzle_of_a_date_is_the_same_for_ever() -> None:
    """Whoever changes the generator raises its version: these texts stay."""
    assert str(daily(MONDAY)) == FIRST
    assert str(daily(date(2026, 11, 22))) == SUNDAY


@pytest.mark.parametrize("day", WEEK, ids=str)
def test_a_daily_puzzle_has_exactly_one_solution(day: date) -> None:
    task = daily(day)
    (position,) = solver.solutions(task)
    assert solved(task, position)
    assert len(task.tiles) == 5 + day.weekday() // 2
    assert task.area == len(task.board)
    colour = {cell: placement for placement in position for cell in placement.cells}
    for cell, one in colour.items():
        for beside in sides(cell):
            assert colour.get(beside, one) is one or colour[beside].colour != one.colour


PLAIN = """
import sys
sys.modules["tegel.solver._cover"] = None  # as if it had not been compiled
from tegel import solver
assert not solver.COMPILED
print(solver.load("daily-1-2026-11-16"), end="")
"""


def test_plain_python_draws_the_same_puzzle() -> None:
    """What is drawn depends on how many solutions there are, not on who counts them."""
    done = subprocess.run([sys.executable, "-c", PLAIN], capture_output=True, text=True, check=True)
    assert done.stdout == FIRST


def test_boards_are_whole_and_without_holes() -> None:
    for day in WEEK:
        board = set(daily(day).board)
        width, height = max(x for x, _ in board) + 1, max(y for _, y in board) + 1
        for y in range(height):
            row = [x for x, other in sorted(board) if other == y]
            assert all(b == a + 1 for a, b in pairwise(row))
        for x in range(width):
            column = [y for other, y in sorted(board) if other == x]
            assert all(b == a + 1 for a, b in pairwise(column))


@pytest.mark.slow
def test_the_week_grows_harder(soak: bool) -> None:
    def effort(weekday: int) -> float:
        days = [MONDAY + timedelta(7 * week + weekday) for week in range(20 if soak else 5)]
        return mean(stars(daily(day)) for day in days)

    assert 1 <= effort(0) < effort(3) < effort(6) <= 5


def test_names() -> None:
    assert name(MONDAY) == "daily-1-2026-11-16"
    assert solver.named("daily", MONDAY) == "daily-1-2026-11-16"
    assert solver.named("all84", MONDAY) == "all84"
    assert dated("daily-1-2026-11-16") == MONDAY
    assert dated("all84") is None
    assert solver.load("daily-1-2026-11-16") is daily(MONDAY)
    with pytest.raises(BadNotation, match="is named daily-1-YYYY-MM-DD"):
        solver.load("daily-1-yesterday")
    with pytest.raises(BadNotation, match="no such puzzle; there are tetra-8x10"):
        solver.load("daily-0-2026-11-16")


def test_stars_count_the_search_for_all_solutions() -> None:
    task = daily(MONDAY)
    cover = Filling(task).cover
    cover.count(10**6)
    assert cover.nodes < 60
    assert stars(task) == 1


NUMBERS = [810, 86, 279, 681, 959]
FIRST = """\
puzzle: daily-1-2026-11-16
rule: cover
tiles: blue I5 U, yellow V5, red X Z5

......#
.......
.......
##.....
"""
SUNDAY = """\
puzzle: daily-1-2026-11-22
rule: cover
tiles: blue F I5, yellow L5, blue P, red T5, yellow W, green X Y

.......##
.........
.........
#........
#.......#
"""
