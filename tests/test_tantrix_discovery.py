"""Tantrix Discovery: the checker, the solver, and the known numbers of solutions."""

import pytest

from hexagons import shown
from tegel.game import words
from tegel.games.tantrix.discovery.loops import enclosed, flaws, solutions
from tegel.games.tantrix.field import Field, laid_out
from tegel.games.tantrix.tiles import BACKS, LETTERS

KNOWN = {
    3: {"Y": 2},
    4: {"R": 2},
    5: {"R": 4},
    6: {"B": 8},
    7: {"R": 32, "B": 36},
    8: {"B": 84},
    9: {"Y": 114},
    10: {"Y": 388, "R": 1280, "B": 952},
}


@pytest.mark.parametrize("count", KNOWN)
def test_the_numbers_of_solutions_are_those_known(count: int) -> None:
    found = {letter: sum(1 for _ in solutions(count, letter)) for letter in LETTERS}
    assert {letter: number for letter, number in found.items() if number} == KNOWN[count]


@pytest.mark.parametrize("count", [3, 6, 8])
def test_solutions_are_solutions_and_all_different(count: int) -> None:
    """Also when turned and shifted: tile 1 lies at the centre in rotation 0 in all of them."""
    found = list(solutions(count))
    assert len(set(found)) == len(found) == KNOWN[count][BACKS[count]]
    for field in found:
        assert not flaws(field, count)
        assert field.laid[0, 0] == 0


def test_the_solver_misses_nothing_that_a_blind_search_finds(soak: bool) -> None:
    """Every connected field of the tiles, judged by the checker alone."""
    for count in (3, 4, 5) if soak else (3, 4):
        assert {field for field in blind(count) if not flaws(field, count)} == set(solutions(count))


def blind(count: int) -> set[Field]:
    """Tile 1 at the centre as it is, the others in any order at any side of what lies, where
    edges match."""
    fields = {laid_out([((0, 0), 0)])}
    for _ in range(count - 1):
        fields = {
            field.with_tile(cell, number)
            for field in fields
            for cell in field.faces
            for number in range(6, 6 * count)
            if number // 6 not in {n // 6 for n in field.laid.values()}
            and not list(field.broken(cell, number, bound=False))
        }
    return fields


def test_a_solution_is_one_loop_through_all_tiles() -> None:
    field, _ = shown("""
        3.4   2.4
           1.0
    """)
    assert flaws(field, 3) == []
    assert [flaw.key for flaw in flaws(field, 3, "R")] == ["loop"]
    assert [flaw.key for flaw in flaws(field, 4)] == ["tiles", "loop"]


def test_touching_edges_match() -> None:
    field, _ = shown("""
        3.4   2.4
           1.1
    """)
    assert [flaw.key for flaw in flaws(field, 3)] == ["edges"]


def test_no_empty_cell_is_cut_off() -> None:
    """A blue loop of six around a hole, and around it what else the tiles are joined by."""
    field, at = shown("""
           14.1  9.3
        53.4  A     13.0
           5.2   7.2
    """)
    assert enclosed(field.laid) == set(at["A"])
    assert "hole" in [flaw.key for flaw in flaws(field, 6)]


def test_every_flaw_has_a_sentence() -> None:
    assert set(words("discovery")["flaws"]) == {"tiles", "edges", "loop", "hole"}


def test_nothing_is_no_solution() -> None:
    assert [flaw.key for flaw in flaws(Field(), 3)] == ["tiles", "loop"]
    for count in (0, 2, 31):
        with pytest.raises(ValueError, match="Discovery has 3 to 30 tiles"):
            next(solutions(count, "Y"))


def test_backs_are_those_of_tiles_1_to_30() -> None:
    assert sorted(BACKS) == list(range(1, 31))


@pytest.mark.parametrize("count", range(3, 31))
def test_every_puzzle_is_solved(count: int) -> None:
    assert flaws(next(solutions(count)), count) == []
