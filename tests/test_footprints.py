"""Positions that are near each other: a disguise does not make another game of one, and games that
have nothing to do with each other are never taken for near."""

import random
from dataclasses import replace
from typing import Any

import pytest

from disguises import VARIANTS, disguised, line, unrelated
from tegel import games
from tegel.game.footprint import Footprint, footprint
from tegel.place.tasks.nearness import near_end, near_line, near_text, near_tree
from tegel.record import Record
from tegel.room.fairness import Running, Tie, is_near, nearest

GAMES = sorted({game for game, _ in VARIANTS})


def of(state: Any, game: str) -> Footprint:
    there = games.load(game).footprint
    assert there
    return there(state)


def running(rng: random.Random, game: str, variant: str) -> tuple[list[Any], int]:
    """A random game, and a place in it beyond the opening."""
    while True:
        found = line(rng, game, variant)
        later = [place for place, state in enumerate(found) if not of(state, game).common]
        if later:
            return found, rng.choice(later)


@pytest.mark.parametrize(("game", "variant"), VARIANTS)
def test_no_disguise_hides_a_running_game(rng: random.Random, game: str, variant: str) -> None:
    for _ in range(12):
        found, place = running(rng, game, variant)
        here = of(found[place], game)
        for _ in range(10):
            asked = of(disguised(rng, found[place], game), game)
            tie: Tie = "own" if asked.common else "network"  # near the end of the opening
            assert is_near(here, asked, game, tie), (str(found[place]), str(asked))


@pytest.mark.parametrize(("game", "variant"), VARIANTS)
def test_earlier_and_later_positions_are_near(rng: random.Random, game: str, variant: str) -> None:
    """All of the line beyond the opening. In Imago, as long as many stones lie on the board; where
    only shapes matter, one stone away."""
    for _ in range(12):
        found, place = running(rng, game, variant)
        here = of(found[place], game)
        for state in found:
            asked = of(state, game)
            few = game == "imago" and min(here.size, asked.size) < 10
            far = variant == "shapes" and abs(here.size - asked.size) > 1
            if not asked.common and not few and not far:
                assert is_near(here, asked, game, "network"), (str(found[place]), str(state))


@pytest.mark.parametrize(("game", "variant"), VARIANTS)
def test_unrelated_positions_are_never_near(game: str, variant: str) -> None:
    rng = random.Random(f"unrelated {game} {variant}")
    for one, other in unrelated(rng, game, variant, 1000):
        if is_near(of(one, game), of(other, game), game, "network"):
            raise AssertionError((str(one), str(other)))


def test_openings_are_for_all_but_their_players(rng: random.Random) -> None:
    first = line(rng, "blokus", "duo", 5)
    other = line(rng, "blokus", "duo", 5)
    here = of(first[3], "blokus")
    for state in first[2:]:
        assert is_near(here, of(state, "blokus"), "blokus", "own")
        assert not is_near(here, of(state, "blokus"), "blokus", "network")
    assert not is_near(here, of(other[3], "blokus"), "blokus", "own")
    assert not is_near(here, of(first[0], "blokus"), "blokus", "own"), "an empty board is free"


def test_by_eye_even_an_opening_is_secret() -> None:
    """But only where it is the very same: many boards begin with the tower in the middle."""
    start = games.load("forma").start("two", layout="k11")
    tried = games.load("forma").start("two", layout="k11", assist="on")
    later = tried.play(tried.moves()[0])
    later = later.play(later.moves()[0])
    assert is_near(of(start, "forma"), of(tried, "forma"), "forma", "eye")
    assert not is_near(of(start, "forma"), of(later, "forma"), "forma", "eye")


def test_a_whole_position_shifted_is_near(rng: random.Random) -> None:
    """A position that somebody pastes need not begin on the starting squares."""
    found, _ = running(rng, "blokus", "classic")
    state = found[24]
    grid = state.rules.grid
    for dx, dy in ((1, 0), (-1, 1), (2, 2), (0, -2)):
        squares = tuple(
            grid.mask((x + dx, y + dy) for x, y in grid.cells(mask) if (x + dx, y + dy) in grid)
            for mask in state.squares
        )
        asked = of(replace(state, squares=squares), "blokus")
        assert is_near(of(state, "blokus"), asked, "blokus", "network")


@pytest.mark.parametrize(("game", "variant"), VARIANTS)
def test_a_footprint_is_what_its_text_says(rng: random.Random, game: str, variant: str) -> None:
    for state in line(rng, game, variant)[::7]:
        there = of(state, game)
        read = footprint(str(there))
        assert str(read) == str(there)
        assert read[:3] == there[:3]


def test_what_comes_as_text_is_compared_as_far_as_it_can_be_played(rng: random.Random) -> None:
    states = line(rng, "blokus", "duo", 13)
    moves = tuple(str(state.last) for state in states[1:])
    record = Record("blokus", "duo", moves=moves)
    there = [Running("own", "blokus", str(of(states[10], "blokus")))]
    other = [Running("own", "blokus", str(of(line(rng, "blokus", "duo", 11)[-1], "blokus")))]
    assert near_end(record, there) == near_line(record, there) == "own"
    assert near_text(str(record), there) == near_tree(str(record), there) == "own"
    spoilt = str(replace(record, moves=(*moves, moves[0])))
    assert near_text(spoilt, there) == near_tree(spoilt, there) == "own"
    for compare in (near_end, near_line):
        assert compare(record, other) is None
    assert near_text(str(record), other) is None
    assert near_tree(str(record), other) is None
    assert nearest([], there) is None
    forma = [Running("eye", "forma", str(of(games.load("forma").start("two"), "forma")))]
    assert near_text(str(record), forma) is None, "another game"
