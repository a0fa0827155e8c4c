"""Positions that are near each other: a disguise does not make another game of one, and games that
have nothing to do with each other are never taken for near."""

import random
from dataclasses import replace
from typing import Any

import pytest

from disguises import VARIANTS, disguised, line, turned, unrelated
from tegel import games
from tegel.game.footprint import Footprint, footprint
from tegel.games.blokus import GAME as BLOKUS
from tegel.games.imago import GAME as IMAGO
from tegel.place.tasks.nearness import asked_end, asked_record, asked_text, asked_tree, near
from tegel.record import Record
from tegel.room.fairness import Running, Tie, asked_each, asked_line, is_near

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


@pytest.mark.parametrize(("game", "variant"), VARIANTS)
def test_before_the_first_move_the_first_moves_are_for_all_but_the_players(
    rng: random.Random, game: str, variant: str
) -> None:
    states = [state for state in line(rng, game, variant) if state.turn >= 0]
    here = of(states[0], game)
    assert is_near(here, here, game, "own")
    assert is_near(here, of(states[1], game), game, "own"), "a move ahead"
    if not here.size:
        assert not is_near(here, here, game, "network")
        later = [state for state in states if of(state, game).size > 10]
        assert not is_near(here, of(later[0], game), game, "own"), "all else is free"


def test_by_eye_even_an_opening_is_secret() -> None:
    """But only where it is the very same: many boards begin with the tower in the middle."""
    start = games.load("forma").start("two", layout="k11")
    tried = games.load("forma").start("two", layout="k11", assist="on")
    later = tried.play(tried.moves()[0])
    later = later.play(later.moves()[0])
    assert is_near(of(start, "forma"), of(tried, "forma"), "forma", "eye")
    assert not is_near(of(start, "forma"), of(later, "forma"), "forma", "eye")


def test_a_board_on_that_of_another_variant_is_near(rng: random.Random) -> None:
    """In Blokus behind a wall, wherever it stands; in Imago where other rules ask for shapes."""
    found, place = running(rng, "blokus", "duo")
    duo = of(found[place], "blokus")
    dx, dy, way = rng.randint(0, 6), rng.randint(0, 6), rng.randrange(8)
    small, large = BLOKUS.start("duo"), BLOKUS.start("classic")
    masks = []
    for mask in found[place].squares:
        cells = [turned(cell, 13, way) for cell in small.rules.grid.cells(mask)]
        masks.append(large.rules.grid.mask((x + dx, y + dy) for x, y in cells))
    wall = [
        (x, y) for x in range(20) for y in range(20) if x - dx in (-1, 14) or y - dy in (-1, 14)
    ]
    wall = wall[: duo.size]
    built = replace(large, squares=(masks[1], 0, masks[0], large.rules.grid.mask(wall)))
    asked = of(built, "blokus")
    assert is_near(duo, asked, "blokus", "network")
    assert is_near(asked, duo, "blokus", "network")
    found = line(rng, "imago", "imago", 60)
    found = [state for state in found if state.turn < 0 or state.table.stones.bit_count() > 12]
    kinds = IMAGO.start("shapes").rules.kinds
    by_shape = replace(found[-1], table=replace(found[-1].table, kinds=kinds))
    for one, other in ((found[-1], by_shape), (by_shape, found[-1])):
        assert is_near(of(one, "imago"), of(other, "imago"), "imago", "network")
    begun = next(state for state in found if state.turn >= 0)
    by_shape = replace(begun, table=replace(begun.table, kinds=kinds))
    assert not is_near(of(begun, "imago"), of(by_shape, "imago"), "imago", "network"), "all lie"


@pytest.mark.parametrize(
    ("game", "one", "other"),
    [("blokus", "duo", "classic"), ("blokus", "duo", "three"), ("imago", "imago", "shapes")],
)
def test_unrelated_positions_of_two_variants_are_never_near(
    game: str, one: str, other: str
) -> None:
    rng = random.Random(f"unrelated {game} {one} {other}")
    pairs = zip(unrelated(rng, game, one, 1000), unrelated(rng, game, other, 1000), strict=True)
    for (first, _), (second, _) in pairs:
        if is_near(of(first, game), of(second, game), game, "network"):
            raise AssertionError((str(first), str(second)))


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
def test_of_a_line_no_near_position_is_left_out(
    rng: random.Random, game: str, variant: str
) -> None:
    """Though most of its positions are not compared."""
    states = line(rng, game, variant)
    asked = asked_line(states)
    assert asked
    helped = [of(state, game) for state in states if state.turn >= 0] + [of(states[-1], game)]
    ties: tuple[Tie, ...] = ("own", "network", "eye")
    for number in range(30):
        there = [states, line(rng, game, variant)][number % 2]
        here = of(rng.choice(there), game)
        if number % 4:
            here = of(disguised(rng, rng.choice(there), game), game)
        for tie in ties:
            near_any = any(is_near(here, each, game, tie) for each in helped)
            assert (near(asked, [Running(tie, game, str(here))]) == tie) is near_any, str(here)


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
    spoilt = str(replace(record, moves=(*moves, moves[0])))
    for asked in (
        asked_end(record), asked_record(record), asked_text(str(record)), asked_tree(str(record)),
        asked_text(spoilt), asked_tree(spoilt),
    ):  # fmt: skip
        assert asked
        assert near(asked, there) == "own"
        assert near(asked, other) is None
        assert near(asked, []) is None
        forma = [Running("eye", "forma", str(of(games.load("forma").start("two"), "forma")))]
        assert near(asked, forma) is None, "another game"
    assert asked_line([]) is asked_each([]) is None
    puzzle = games.load("puzzle").start("tetra-8x10")
    assert asked_line([puzzle]) is asked_each([puzzle]) is None, "of which nobody has an opponent"
