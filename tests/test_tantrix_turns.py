"""The course of a game of Tantrix: set-up, turns, endgame and end, with rulings T1 and T3 to T7
by their names."""

import random

import pytest

from hexagons import (
    FORCED,
    dealt,
    list_of,
    place,
    placements,
    played,
    position,
    random_game,
    refused,
    shown,
    tiles_for,
)
from tegel.cells import bits
from tegel.game import CHANCE, Outcome
from tegel.games.tantrix import GAME
from tegel.games.tantrix.moves import Draw, Place
from tegel.games.tantrix.rules import AFTER, BEFORE, FREE, State
from tegel.games.tantrix.tiles import (
    EDGES,
    TURNS,
    form,
    tile_of,
)
from tegel.lattice import Cell

# Set-up


def test_T1_each_draws_one_and_the_highest_begins() -> None:
    state = GAME.start("three")
    assert state.turn == CHANCE
    state = played(state, "+7", "+40", "+21")
    assert [list_of(hand) for hand in state.hands] == [[7], [40], [21]]
    for seat in (1, 2, 0):  # five more each, from the highest on
        for _ in range(5):
            assert (state.turn, state.seat) == (CHANCE, seat)
            state = state.play(state.moves()[0])
    assert state.turn == 1
    assert list_of(state.hands[1]) == [1, 2, 3, 4, 5, 40]
    assert list_of(state.hands[0]) == [7, 12, 13, 14, 15, 16]


def test_T1_draws_have_the_odds_of_the_bag() -> None:
    state = played(GAME.start("two"), "+7")
    odds = state.odds()
    assert set(odds) == {Draw(tile) for tile in range(1, 57) if tile != 7}
    assert set(odds.values()) == {1 / 55}
    assert refused(state, "+7").rule == "bag"
    assert refused(state, Draw(-1)).rule == "bag"
    assert refused(state, "7.0@0,0").rule == "drawing"
    assert refused(dealt(), "+30").rule == "draw"


def test_T7_colours_are_red_yellow_blue_green_by_seat() -> None:
    assert GAME.start("four").colours == ("red", "yellow", "blue", "green")
    assert GAME.start("two").colours == ("red", "yellow")
    assert refused(dealt(), "blue").rule == "choice"


def test_T7_colours_may_be_chosen_from_the_starting_player_on() -> None:
    state = dealt("three", colours="chosen")
    assert state.turn == 2  # of tiles 1, 2, 3
    assert [str(move) for move in state.moves()] == ["red", "yellow", "blue", "green"]
    assert refused(state, "3.0@0,0").rule == "choosing"
    state = played(state, "blue")
    assert state.turn == 0
    assert refused(state, "blue").rule == "colour"
    state = played(state, "green", "red")
    assert state.colours == ("green", "red", "blue")
    assert state.turn == 2
    assert all(isinstance(move, Place) for move in state.moves())


def test_T7_in_doubles_the_seats_0_and_2_share_a_colour_and_a_score() -> None:
    assert GAME.start("doubles").colours == ("red", "yellow")
    state = dealt("doubles", colours="chosen")
    assert state.turn == 3
    state = played(state, "green", "blue")
    assert (state.turn, state.colours) == (3, ("blue", "green"))
    state = played(state, str(state.moves()[0]))
    assert len(state.hands) == 4
    assert state.scores == tuple(
        1 if colour[0].upper() in EDGES[state.last.tile - 1] else 0  # type: ignore[union-attr]
        for colour in state.colours * 2
    )


def test_the_first_tile_goes_to_the_centre_as_it_is() -> None:
    state = dealt()
    assert [str(m) for m in state.moves()] == [f"{t}.0@0,0" for t in list_of(state.hands[1])]
    assert refused(state, f"{placements(state)[0].tile}.1@0,0").rule == "first"
    after = state.play(state.moves()[0])
    assert after.turn == CHANCE
    assert after.seat == 1
    after = after.play(after.moves()[0])
    assert (after.turn, after.step) == (0, FREE)  # that was the whole first turn


# A turn


def test_a_forced_space_is_an_empty_cell_with_three_tiles_around_it() -> None:
    field, at = shown(FORCED)
    assert list(field.forced) == at["A"]
    assert tiles_for(field, at["A"][0]) == {24, 28, 41, 43, 46, 48}


def test_1_forced_spaces_are_filled_before_the_free_move() -> None:
    field, at = shown(FORCED)
    (space,) = at["A"]
    state = position(field, "28 1 2 3 4 6", "7 8 9 10 11 12", bag="13 14", step=BEFORE)
    assert state.step == BEFORE
    assert {(m.tile, m.cell) for m in placements(state)} == {(28, space)}
    error = refused(state, lawful(state, 3))
    assert (error.rule, error.cells) == ("fill", (space,))
    assert str(error) == "A forced space must be filled first: (0,1)."
    state = state.play(state.moves()[0]).play(Draw(13))
    assert (state.turn, state.step) == (0, FREE)


def test_1_a_new_forced_space_is_due_in_the_same_step() -> None:
    """Tile 28 on A makes x a forced space, and tile 8 fits it."""
    field, at = shown(FORCED)
    (space,), (new,) = at["A"], at["x"]
    state = position(field, "28 8 1 2 3 4", "6 7 9 10 11 12", bag="13 15", step=BEFORE)
    assert new not in state.field.forced
    state = state.play(place("28.5", space)).play(Draw(13))
    assert new in state.field.forced
    assert state.step == BEFORE
    assert {(m.tile, m.cell) for m in placements(state)} == {(8, new)}


def test_2_the_free_move_is_one_tile_then_the_turn_goes_on() -> None:
    field, _ = shown("""
        1.0
    """)
    state = position(field, "2 3 4 5 6 7", "8 9 10 11 12 13", bag="56 55")
    assert state.step == FREE
    state = state.play(state.moves()[0])
    assert state.turn == CHANCE  # the hand is refilled at once
    assert (state.play(Draw(56)).turn, state.play(Draw(56)).step) == (1, FREE)


def test_3_a_tile_just_drawn_is_used_in_the_same_step_if_it_fits() -> None:
    field, at = shown(FORCED)
    (space,) = at["A"]
    state = position(field, "1 2 3 4 5 6", "7 8 9 10 11 12", bag="28 13 55", step=BEFORE)
    assert state.step == FREE
    free = next(m for m in placements(state) if not after_forces(state, m, space))
    drawing = state.play(free)
    assert (drawing.play(Draw(13)).turn, drawing.play(Draw(13)).step) == (1, FREE)
    due = drawing.play(Draw(28))
    assert (due.turn, due.step) == (0, AFTER)
    assert {(m.tile, m.cell) for m in placements(due)} == {(28, space)}
    filled = due.play(due.moves()[0])
    assert filled.turn == CHANCE
    assert filled.play(Draw(13)).turn == 1


def after_forces(state: State, move: Place, known: Cell) -> bool:
    """Whether a placement makes another forced space than the one known."""
    return state.field.with_tile(move.cell, move.form).forced != (known,)


def test_there_is_no_voluntary_pass(rng: random.Random) -> None:
    for state in random_game("two", rng):
        assert all(isinstance(move, Place) for move in state.moves())


def test_who_runs_out_of_tiles_ends_the_turn() -> None:
    """Tile 28 fills A; no free move is due, and seat 1 is next."""
    field, _ = shown(FORCED)
    state = position(field, "28", "2 3", step=BEFORE)
    state = state.play(state.moves()[0])
    assert (state.turn, state.outcome) == (1, None)


def lawful(state: State, tile: int) -> Place:
    """A lawful placement of a tile, due or not."""
    hand = sum(1 << form(tile, turn) for turn in range(TURNS))
    places = state.field.places(hand, state.field.faces, bound=state.bound)
    cell, fits = next(iter(places.items()))
    return Place(*tile_of(next(bits(fits))), cell)


# The end


def test_T3_a_fill_that_rule_b_forbids_is_neither_legal_nor_due() -> None:
    field, at = shown(FORCED)
    (space,), (spoilt,) = at["A"], at["x"]
    state = position(field, "24 1 2 3 4 5", "6", bag="56", step=BEFORE)
    assert state.step == FREE
    assert space not in {move.cell for move in placements(state)}
    error = refused(state, place("24.2", space))
    assert (error.rule, error.cells) == ("b", (spoilt,))


def test_T4_a_fill_forbidden_till_then_is_due_once_the_last_tile_is_drawn() -> None:
    field, at = shown(FORCED)
    (space,) = at["A"]
    state = position(field, "24 1 2 3 4 5", "6 7 8 9 10 11", bag="56", step=BEFORE)
    free = next(m for m in placements(state) if m.tile != 24 and not after_forces(state, m, space))
    state = state.play(free)
    assert state.turn == CHANCE
    state = state.play(Draw(56))
    assert (state.turn, state.step) == (0, AFTER)  # the same turn goes on
    assert place("24.2", space) in state.moves()


@pytest.mark.parametrize("variant", ["two", "three", "four", "doubles"])
def test_T4_the_endgame_begins_after_56_less_6_a_player_placements(
    variant: str, rng: random.Random
) -> None:
    seats = GAME.start(variant).rules.seats
    for state in random_game(variant, rng):
        if state.outcome is None or state.outcome.reason != "deadlock":
            assert state.bound == (len(state.field.laid) < 56 - 6 * seats)


GREEN = """
              15.4  31.5
           16.3  1.0   28.2
              36.1  25.5
"""  # every edge around is green, and tiles 1 to 14 have no green


def test_T5_without_a_free_move_before_the_endgame_it_is_a_deadlock_and_a_draw() -> None:
    field, _ = shown(GREEN)
    state = position(field, "2 3 4 5 6 7", "17 18 19 20 21 22", bag="56")
    assert state.outcome == Outcome((0, 1), "deadlock")
    assert state.scores == (8, 4)
    assert refused(state, "2.0@5,5").rule == "over"


def test_T5_in_the_endgame_it_is_a_pass_that_is_not_final() -> None:
    field, _ = shown(GREEN)
    state = position(field, "2", "17 18")
    assert state.turn == 1  # seat 0 passes, which no move says
    state = next(after for after in map(state.play, state.moves()) if after.turn == 0)
    assert {move.tile for move in placements(state)} == {2}


def test_T5_a_pass_is_told() -> None:
    """Tile 1 fills A; then seat 1 finds only green edges, and has no green."""
    field, _ = shown(GREEN.replace("1.0", "A  "))
    state = position(field, "1", "2", "18 19", step=BEFORE, variant="three")
    (move,) = state.moves()
    after = state.play(move)
    assert after.turn == 2
    told = GAME.events(state, move, after)
    assert [event.args["number"] for event in told if event.key == "passed"] == [2]


def test_T5_a_player_without_tiles_is_skipped() -> None:
    field, _ = shown(GREEN)
    state = position(field, "17", "", "18 19", variant="three")
    move = state.moves()[0]
    after = state.play(move)
    assert after.turn == 2
    assert not [e for e in GAME.events(state, move, after) if e.key == "passed"]


def test_T6_when_nobody_holds_a_tile_that_fits_the_game_is_over() -> None:
    field, _ = shown(GREEN)
    state = position(field, "2", "3")
    assert state.outcome == Outcome((0,), "blocked")
    assert state.scores == (8, 4)


def test_T6_when_all_tiles_lie_the_game_is_over_in_the_middle_of_a_turn() -> None:
    field, _ = shown(FORCED)
    state = position(field, "28", "", step=BEFORE)
    state = state.play(state.moves()[0])
    assert state.outcome
    assert (state.outcome.reason, state.seat, state.step) == ("placed", 0, BEFORE)


def test_random_play_has_the_known_course(rng: random.Random, soak: bool) -> None:
    """About 22 free moves a game of two, the other 34 forced, and a mean score of 14."""
    games = 300 if soak else 30
    free = 0
    scores: list[int] = []
    for _ in range(games):
        for state in random_game("two", rng):
            free += state.step == FREE and state.outcome is None
        scores += state.scores
    # Six standard errors: 2.2 free moves and 3.2 points a game are the deviations.
    assert abs(free / games - 22) < 6 * 2.2 / games**0.5
    assert abs(sum(scores) / len(scores) - 14.4) < 6 * 3.2 / games**0.5


def test_all_who_share_the_highest_score_share_the_win() -> None:
    field, _ = shown("""
        1.0
    """)
    state = position(field, "", "")
    assert state.outcome == Outcome((0, 1), "placed")
