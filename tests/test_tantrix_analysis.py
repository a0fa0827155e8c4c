"""What players want to know about a position of Tantrix."""

import json
import random

import pytest

from hexagons import FORCED, list_of, position, random_game, shown
from tegel.cells import bits
from tegel.games.tantrix import GAME
from tegel.games.tantrix.analysis import all_lines, fits, forced_spaces, longest
from tegel.games.tantrix.field import around
from tegel.games.tantrix.rules import State
from tegel.games.tantrix.tiles import FORMS, form


def test_forced_spaces_with_the_tiles_that_fit_in_hands_bag_or_gone() -> None:
    """Tiles 24, 28, 41, 43, 46, 48 have the colours of A; 46 lies there, 24 and 48 would
    leave three blue edges around x."""
    field, at = shown(FORCED)
    state = position(field, "24 1 2 3 4 5", "48 6 7 8 9 10", bag="28 56")
    (space,) = forced_spaces(state)
    assert [space.cell] == at["A"]
    assert space.hands == ((24,), (48,))
    assert space.bag == (28,)
    assert space.gone == (41, 43, 46)
    assert space.barred == (24, 48)
    assert space.left == 3
    assert fits(position(field, "24", "48"), space.cell).barred == ()


def test_any_open_cell_may_be_asked_for() -> None:
    field, at = shown(FORCED)
    state = position(field, "24 1 2 3 4 5", "48 6 7 8 9 10", bag="28 56")
    here = fits(state, at["x"][0])
    assert here.faces.count(".") == 4
    assert set(here.hands[0]) <= {24, 1, 2, 3, 4, 5}
    assert here.left == len([*here.hands[0], *here.hands[1], *here.bag])


def test_fits_are_what_fits(rng: random.Random) -> None:
    """Every tile is where it is said to be, and fits exactly if some turn of it matches."""
    for state in random_game("three", rng):
        if not state.field.faces:
            continue
        cell = rng.choice(sorted(state.field.faces))
        found = fits(state, cell)
        for mine, hand in zip(found.hands, state.hands, strict=True):
            assert set(mine) <= set(bits(hand))
        assert set(found.bag) <= set(bits(state.bag))
        fitting = {*sum(found.hands, ()), *found.bag, *found.gone}
        assert fitting == {tile for tile in range(1, 57) if matches(state, tile, cell)}
        due = {tile for tile in found.hands[state.seat] if tile not in found.barred}
        allowed = state.field.places(form_set(state), [cell], bound=state.bound)
        assert due == {n // 6 + 1 for n in bits(allowed.get(cell, 0))}


def matches(state: State, tile: int, cell: tuple[int, int]) -> bool:
    laid = state.field.laid
    return any(
        all(
            FORMS[laid[beyond]][(side + 3) % 6] == FORMS[form(tile, turn)][side]
            for side, beyond in enumerate(around(cell))
            if beyond in laid
        )
        for turn in range(6)
    )


def form_set(state: State) -> int:
    hand = list_of(state.hands[state.seat])
    return sum(1 << form(tile, turn) for tile in hand for turn in range(6))


def test_lines_with_their_open_ends() -> None:
    """Yellow runs in a loop over all three; the other colours end at open cells."""
    field, _ = shown("""
        3.4   2.4
           1.0
    """)
    found = all_lines(field)
    assert [(line.letter, len(line.cells), line.loop) for line in found] == [
        ("R", 1, False), ("R", 1, False), ("R", 1, False),
        ("Y", 3, True),
        ("B", 1, False), ("B", 1, False), ("B", 1, False),
    ]  # fmt: skip
    for line in found:
        assert len(line.ends) == (0 if line.loop else 2)
        assert all(end in field.faces for end in line.ends)
    assert longest(field) == {"red": (1, 0), "yellow": (0, 3), "blue": (1, 0), "green": (0, 0)}


def test_facts_are_json(rng: random.Random) -> None:
    *_, state = random_game("two", rng)
    facts = json.loads(json.dumps(GAME.facts(state)))
    assert facts["bag"] == state.bag.bit_count()
    best = [max(f["line"], 2 * f["loop"]) for f in facts["longest"].values()]
    assert tuple(best[:2]) == state.scores


@pytest.mark.parametrize("variant", ["two", "doubles"])
def test_account_gives_the_cells_of_the_line_that_counts(variant: str, rng: random.Random) -> None:
    *_, state = random_game(variant, rng)
    for item in GAME.account(state):
        assert item.points == len(item.cells) * (2 if item.key == "loop" else 1)
        letter = state.colours[item.seat % 2][0].upper()
        assert all(letter in FORMS[state.field.laid[cell]] for cell in item.cells)
