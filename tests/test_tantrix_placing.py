"""Where a tile of Tantrix may lie: rules a, b, c and d, ruling T2, and why not."""

import random
from collections import Counter
from itertools import product

import pytest

from hexagons import (
    list_of,
    place,
    placements,
    position,
    random_game,
    refused,
    shown,
)
from tegel.games.tantrix.field import Field, around
from tegel.games.tantrix.moves import Place
from tegel.games.tantrix.rules import FREE, State
from tegel.games.tantrix.tiles import (
    FORMS,
    TURNS,
    form,
)
from tegel.lattice import HEXAGON, Cell

# Rule a


def test_a_touching_edges_have_the_same_colour() -> None:
    field, at = shown("""
        1.0   A
    """)
    state = position(field, "2 3 4 5 6 7", "8 9 10 11 12 13", bag="56")
    (cell,) = at["A"]
    assert FORMS[form(1, 0)][0] == "B"
    assert {FORMS[m.form][3] for m in placements(state) if m.cell == cell} == {"B"}
    error = refused(state, place("2.1", cell))  # west edge red
    assert (error.rule, error.cells) == ("a", ((0, 0),))
    assert str(error) == (
        "Rule a: the red edge of tile 2 would touch a blue edge of the tile at (0,0)."
    )


def test_a_tile_touches_the_tiles_on_the_table() -> None:
    field, _ = shown("""
        1.0
    """)
    state = position(field, "2 3 4 5 6 7", "8 9 10 11 12 13", bag="56")
    assert {move.cell for move in placements(state)} == set(HEXAGON.steps)
    assert refused(state, "2.0@2,0").rule == "apart"
    assert refused(state, "2.0@0,0").rule == "taken"
    assert refused(state, "8.0@1,0").rule == "hand"
    for unknown in (Place(2, 6, (1, 0)), Place(2, -1, (1, 0)), Place(57, 0, (1, 0))):
        assert refused(state, unknown).rule == "form"


# Rules b, c, d


def test_b_three_edges_of_one_colour_face_no_empty_cell() -> None:
    field, at = shown("""
           x     5.3
        A     36.0
    """)
    (cell,), (space,) = at["A"], at["x"]
    state = position(field, "9 10 11 12 13 14", "1", bag="56")
    error = refused(state, place("9.5", cell))
    assert (error.rule, error.cells) == ("b", (space,))
    assert str(error) == "Rule b: three blue edges would face the empty cell (0,0)."
    unbound = position(field, "9", "1")
    assert place("9.5", cell) in unbound.moves()


def test_c_no_empty_cell_has_four_tiles_around_it() -> None:
    field, at = shown("""
              1.1
           x     5.3
        A     36.0
    """)
    (cell,), (space,) = at["A"], at["x"]
    state = position(field, "21 22 23 24 25 26", "2", bag="56")
    assert space in state.field.forced
    error = refused(state, place("21.4", cell))
    assert (error.rule, error.cells) == ("c", (space,))
    assert str(error) == "Rule c: the empty cell (-1,1) would have 4 tiles around it."
    assert place("21.4", cell) in position(field, "21", "2").moves()


def test_d_no_tile_closes_a_controlled_side() -> None:
    field, at = shown("""
                 1.1
              x     5.3
           x     36.0
        A     34.3
    """)
    (cell,) = at["A"]
    state = position(field, "21 22 23 24 25 26", "2", bag="56")
    error = refused(state, place("21.0", cell))
    assert (error.rule, set(error.cells)) == ("d", set(at["x"]))
    assert str(error) == (
        "Rule d: the tile would close a controlled side, the empty cells (-2,2) (-1,1)."
    )
    assert place("21.0", cell) in position(field, "21", "2").moves()


CONTROLLED = [
    """
              49.0  41.1
           33.5  x
        5.3   x
     36.0  x
        A
    """,
    """
        1.5   40.5
           x     9.0
              x     23.5
                 x     51.1
                    x     26.4
                       x     5.2
                          A
    """,
    """
        A     x     x     x     x     x     x     x     6.3
           50.5  39.2  22.0  34.3  13.1  1.4   55.2  45.1
    """,
]


@pytest.mark.parametrize("picture", CONTROLLED)
def test_T2_a_controlled_side_has_any_length_and_direction(picture: str) -> None:
    field, at = shown(picture)
    (cell,) = at["A"]
    assert set(field.controlled(cell)) == set(at["x"])
    assert closes(field, cell)


def test_T2_a_gap_in_the_backing_frees_the_side() -> None:
    field, at = shown("""
        A     x     x     x     x     x     x     x     6.3
           50.5  39.2  22.0  34.3        1.4   55.2  45.1
    """)
    (cell,) = at["A"]
    assert not field.controlled(cell)
    assert not closes(field, cell)


def test_T2_a_side_open_at_its_other_end_may_be_built_along() -> None:
    field, at = shown("""
        A     x     x     x
           50.5  39.2  22.0  34.3
    """)
    (cell,) = at["A"]
    assert not field.controlled(cell)
    assert not closes(field, cell)


def closes(field: Field, cell: Cell) -> bool:
    """Whether a tile on a cell leaves a run of two or more empty cells, backed all along one
    side, closed by tiles at both ends: ruling T2 as seen after placing."""
    laid = {*field.laid, cell}
    empty = set(field.faces) - {cell}
    for end, o, s in product(laid, range(TURNS), (1, -1)):
        run, x = 0, around(end)[o]
        while x in empty:
            backing = around(x)[(o + s) % TURNS], around(x)[(o + 2 * s) % TURNS]
            if not laid.issuperset(backing):
                break
            run, x = run + 1, around(x)[o]
        if run >= 2 and x in laid:
            return True
    return False


def naive(state: State) -> set[Place]:
    """The placements that obey the rules, each tried out and looked at, slowly."""
    laid = state.field.laid
    found = set()
    for cell in {n for c in laid for n in around(c)} - set(laid):
        if state.bound and closes(state.field, cell):
            continue
        for tile, turn in product(list_of(state.hands[state.seat]), range(6)):
            edges = FORMS[form(tile, turn)]
            after = {**{c: FORMS[n] for c, n in laid.items()}, cell: edges}
            if all(
                after[n][(side + 3) % 6] == edges[side]
                for side, n in enumerate(around(cell))
                if n in after
            ) and not (state.bound and spoilt(after)):
                found.add(Place(tile, turn, cell))
    forced = {move for move in found if sum(n in laid for n in around(move.cell)) >= 3}
    return forced or (found if state.step == FREE else set())


def spoilt(after: dict[Cell, str]) -> bool:
    """Whether some empty cell has three faces of a colour or four tiles around it."""
    for cell in {n for c in after for n in around(c)} - set(after):
        faces = [after[n][(i + 3) % 6] for i, n in enumerate(around(cell)) if n in after]
        if len(faces) >= 4 or max(Counter(faces).values()) >= 3:
            return True
    return False


@pytest.mark.parametrize("variant", ["two", "three", "four", "doubles"])
def test_moves_are_what_the_rules_say(variant: str, rng: random.Random, soak: bool) -> None:
    for _ in range(10 if soak else 1):
        for state in random_game(variant, rng):
            if state.field.laid and (soak or rng.random() < 0.3) and not state.outcome:
                assert set(state.moves()) == naive(state)


def test_T2_both_forms_agree_on_every_cell(rng: random.Random, soak: bool) -> None:
    seen: Counter[bool] = Counter()
    for _ in range(100 if soak else 8):
        for state in random_game("two", rng):
            if state.field.laid and state.bound:
                for cell in state.field.faces:
                    answer = bool(state.field.controlled(cell))
                    if answer or soak or rng.random() < 0.1:
                        assert answer == closes(state.field, cell)
                        seen[answer] += 1
    assert min(seen[True], seen[False]) > 10


def test_why_not_agrees_with_the_moves(rng: random.Random, soak: bool) -> None:
    """A placement breaks nothing exactly when it is among the places, and every rule that
    `broken` names is broken at an existing cell."""
    seen: Counter[str] = Counter()
    for _ in range(20 if soak else 2):
        for state in random_game("two", rng):
            field, bound = state.field, state.bound
            for cell in rng.sample(sorted(field.faces), min(5, len(field.faces))):
                for number in rng.sample(range(len(FORMS)), 40):
                    allowed = field.places(1 << number, [cell], bound=bound)
                    broken = list(field.broken(cell, number, bound=bound))
                    assert bool(allowed) == (not broken)
                    assert bound or {b.rule for b in broken} <= {"a"}
                    seen.update(b.rule for b in broken)
    assert set(seen) == {"a", "b", "c", "d"}


def test_before_the_endgame_no_hole_arises(rng: random.Random, soak: bool) -> None:
    """Every forced space has exactly three tiles around it, in a row."""
    for _ in range(50 if soak else 5):
        for state in random_game("two", rng):
            if state.bound:
                for cell in state.field.forced:
                    around_it = [n in state.field.laid for n in around(cell)]
                    assert sum(around_it) == 3
                    assert any(all(around_it[i - k] for k in range(3)) for i in range(6))
