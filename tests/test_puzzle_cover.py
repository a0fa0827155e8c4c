"""Exact cover: against trying everything, and compiled against plain."""

import random
import threading
import time
from itertools import combinations
from typing import Any

import pytest

from tegel.solver import cover, plain

Problem = tuple[list[int], list[int], list[list[tuple[int, int]]]]
SEARCHES = [
    pytest.param(cover.Cover, id="compiled" if cover.COMPILED else "fallback"),
    pytest.param(plain.Cover, id="plain"),
]


def random_problem(rng: random.Random) -> Problem:
    items = rng.randint(1, 6)
    least = [rng.choice([0, 1, 1, 1, 2]) for _ in range(items)]
    most = [low + rng.choice([0, 0, 1]) or 1 for low in least]
    coloured = [high == 1 and rng.random() < 0.4 for high in most]
    options = []
    for _ in range(rng.randint(0, 9)):
        held = rng.sample(range(items), rng.randint(1, min(3, items)))
        options.append([(item, rng.randint(0, 2) * coloured[item]) for item in held])
    return least, most, options


def is_solution(problem: Problem, chosen: tuple[int, ...]) -> bool:
    least, most, options = problem
    for item in range(len(least)):
        colours = [colour for option in chosen for held, colour in options[option] if held == item]
        uses = colours.count(0) + len(set(colours) - {0})
        if not least[item] <= uses <= most[item] or (0 in colours and len(set(colours)) > 1):
            return False
    return True


def expected(problem: Problem) -> set[frozenset[int]]:
    """Every choice that holds, tried one by one."""
    options = range(len(problem[2]))
    return {
        frozenset(chosen)
        for size in range(len(options) + 1)
        for chosen in combinations(options, size)
        if is_solution(problem, chosen)
    }


def all_solutions(search: Any) -> list[frozenset[int]]:
    found = []
    while (status := search.run(3)).name != "DONE":
        if status.name == "FOUND":
            found.append(frozenset(search.solution))
    return found


@pytest.mark.parametrize("kind", SEARCHES)
@pytest.mark.parametrize("seed", [0, 1, 7])
def test_search_finds_every_solution_once(
    kind: Any, seed: int, rng: random.Random, soak: bool
) -> None:
    """Small problems with multiplicities and colours; the search may leave options out that
    nobody needs, so each of its solutions holds, comes once, and every other solution has
    one of them inside."""
    some = 0
    for _ in range(5000 if soak else 300):
        problem = random_problem(rng)
        search = kind(*problem)
        search.restart(seed)
        found, wanted = all_solutions(search), expected(problem)
        assert len(found) == len(set(found)), problem
        assert set(found) <= wanted, problem
        assert all(any(inner <= outer for inner in found) for outer in wanted), problem
        some += bool(found)
    assert some > 20


@pytest.mark.skipif(not cover.COMPILED, reason="there is no compiled solver here")
@pytest.mark.parametrize("seed", [0, 3])
def test_compiled_and_plain_search_alike_node_by_node(
    seed: int, rng: random.Random, soak: bool
) -> None:
    for _ in range(2000 if soak else 200):
        problem = random_problem(rng)
        weights = [rng.random() * 3 for _ in problem[2]]
        fast, slow = cover.Cover(*problem), plain.Cover(*problem)
        for search in (fast, slow):
            search.weigh(weights)
            search.restart(seed)
        assert all_solutions(fast) == all_solutions(slow)
        assert (fast.nodes, fast.solutions) == (slow.nodes, slow.solutions)
        assert fast.dive(5) == slow.dive(5)


def queens(n: int) -> Problem:
    """n queens on an n by n board: ranks and files once, diagonals at most once."""
    least = [1] * (2 * n) + [0] * (4 * n - 2)
    options = [
        [(x, 0), (n + y, 0), (2 * n + x + y, 0), (4 * n - 1 + x - y + n - 1, 0)]
        for x in range(n)
        for y in range(n)
    ]
    return least, [1] * len(least), options


@pytest.mark.parametrize("kind", SEARCHES)
def test_counts_of_the_queens_problem(kind: Any) -> None:
    """https://oeis.org/A000170"""
    for n, solutions in ((4, 2), (5, 10), (6, 4), (7, 40), (8, 92)):
        search = kind(*queens(n))
        while search.count(50).name != "DONE":
            pass
        assert search.solutions == solutions


@pytest.mark.parametrize("kind", SEARCHES)
def test_dives_guess_the_size_of_the_tree(kind: Any) -> None:
    search = kind(*queens(7))
    search.count(10**6)
    guess = sum(search.dive(seed) for seed in range(1, 2001)) / 2000
    assert search.nodes == pytest.approx(guess, rel=0.25)


@pytest.mark.parametrize("kind", SEARCHES)
def test_bad_problems_are_refused(kind: Any) -> None:
    with pytest.raises(ValueError, match="as many least as most"):
        kind([1], [], [])
    for item in (1, -1):
        with pytest.raises(ValueError, match="there is no such item"):
            kind([1], [1], [[(item, 0)]])
    with pytest.raises(ValueError, match="a weight an option"):
        kind([1], [1], [[(0, 0)]]).weigh([])


@pytest.mark.skipif(not cover.COMPILED, reason="there is no compiled solver here")
def test_a_long_search_lets_other_threads_run() -> None:
    """A counter in another thread goes on while the search works."""
    search, ticks, over = cover.Cover(*queens(12)), 0, threading.Event()

    def tick() -> None:
        nonlocal ticks
        while not over.is_set():
            ticks += 1
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    try:
        begun = time.perf_counter()
        search.run(1)
        before = ticks
        search.count(200_000)
        waited = time.perf_counter() - begun
    finally:
        over.set()
        thread.join()
    assert ticks - before > 5, f"{ticks - before} ticks in {waited:.2f} s"
