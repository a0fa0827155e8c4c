"""The rules of Forma, one by one, and its rulings F1 to F13 by their names (bridges, F10
and F12, are in test_forma_bridges.py)."""

import random
from collections import Counter
from dataclasses import replace

import pytest

from tegel.game import CHANCE, BadNotation, IllegalMove, sentence
from tegel.games.forma import GAME
from tegel.games.forma.notation import restore
from tegel.games.forma.rules import DECLINE, VARIANTS, Rules, State
from tegel.games.forma.tiles import FORMS, TILES, Move, listed, value
from tegel.lattice import Cell, square

SMALL = replace(VARIANTS["two"], size=7)


def board(*rows: str, rules: Rules = SMALL, **facts: str) -> State:
    """A position on a small board: B and Y are tiles, b and y markers on squares, 0 and 1
    markers on obstacles, # obstacles and * the tower."""
    rules = replace(rules, size=len(rows))
    lines = [f"{key.replace('_', ' ')}: {fact}" for key, fact in facts.items()]
    return restore(rules, "\n".join([*lines, *rows]))


def played(state: State, *moves: str) -> State:
    for move in moves:
        state = state.play(GAME.parse(move))
    return state


def rows(state: State) -> list[str]:
    return str(state).splitlines()[-state.rules.size :]


def refused(state: State, move: str) -> str:
    with pytest.raises(IllegalMove) as caught:
        state.play(GAME.parse(move))
    return caught.value.rule


def cells(text: str) -> tuple[Cell, ...]:
    return tuple(map(square, text.split()))


def items(state: State, seat: int) -> dict[str, int]:
    found: Counter[str] = Counter()
    for item in GAME.account(state):
        if item.seat == seat:
            found[item.key] += item.points
    return dict(found)


def gained(state: State, move: str) -> int:
    """The points that a placement wins, besides its tile's squares, which leave the hand."""
    seat, placed = state.turn, GAME.parse(move)
    return played(state, move).scores[seat] - state.scores[seat] - 2 * len(placed.cells)


def events(state: State, move: str) -> list[str]:
    after = played(state, move)
    return [event.key for event in GAME.events(state, GAME.parse(move), after)]


# Material


def test_a_set_has_22_tiles_of_90_squares_in_91_forms() -> None:
    hand = VARIANTS["four"].hand
    assert sum(hand) == 22
    assert value(hand) == 90
    assert hand[TILES.index("1")] == 2
    assert len(FORMS) == 91


def test_two_players_have_two_sets_each_and_70_markers() -> None:
    two, four = VARIANTS["two"], VARIANTS["four"]
    assert (sum(two.hand), value(two.hand), two.markers) == (44, 180, 70)
    assert two.hand[TILES.index("1")] == 4
    assert four.markers == 35
    assert (two.seats, four.seats, two.size, four.size) == (2, 4, 20, 20)


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_starting_player_is_drawn_by_lot(variant: str) -> None:
    start = GAME.start(variant)
    assert start.turn == CHANCE
    colours = VARIANTS[variant].colours
    assert {str(m): odds for m, odds in start.odds().items()} == {
        f"+{colour}": 1 / len(colours) for colour in colours
    }
    assert [played(start, f"+{colour}").turn for colour in colours] == [*range(len(colours))]


# The set-up


def test_the_starting_player_sets_up_and_makes_the_first_placement() -> None:
    state = played(GAME.start("four"), "+red", "obstacle@c4", "tower@k11", "obstacle@a1")
    assert state.turn == 2
    state = played(state, "done")
    assert state.turn == 2
    assert played(state, "F.0@e5").turn == 3
    assert state.layout.count == 2


def test_the_set_up_can_be_corrected_before_it_is_done() -> None:
    state = played(GAME.start(), "+blue", "tower@k11", "obstacle@c4")
    again = played(state, "remove@k11", "remove@c4", "tower@c4", "obstacle@k11", "done")
    assert again.layout.tower == state.layout.obstacles
    assert again.layout.obstacles == state.layout.tower
    assert refused(state, "remove@c5") == "empty"
    assert refused(again, "remove@k11") == "ready"


def test_no_more_than_25_obstacles_and_one_tower() -> None:
    squares = [f"{c}{r}" for c in "acegi" for r in (1, 3, 5, 7, 9)]
    state = played(GAME.start(), "+blue", *(f"obstacle@{s}" for s in squares))
    assert refused(state, "obstacle@k1") == "obstacles"
    assert refused(state, "done") == "towerless"
    state = played(state, "tower@k11")
    assert refused(state, "tower@m11") == "tower"
    assert played(state, "done").ready


def test_an_attempt_waits_for_the_set_up() -> None:
    state = GAME.start()
    assert refused(state, "F.0@e5") == "draw"
    assert refused(played(state, "+blue"), "F.0@e5") == "setup"
    assert refused(played(state, "+blue"), "+blue") == "drawn"
    assert refused(played(state, "+blue", "tower@k11", "done"), "obstacle@c4") == "ready"


def test_F1_pieces_do_not_touch_and_the_tower_is_not_at_an_edge() -> None:
    state = played(GAME.start(), "+blue", "obstacle@c4")
    for near in ("b3", "c3", "d3", "b4", "d4", "b5", "c5", "d5", "c4"):
        assert refused(state, f"obstacle@{near}") == "touching"
        assert refused(state, f"tower@{near}") == "touching"
    for edge in ("a10", "t10", "k1", "k20", "t20"):
        assert refused(state, f"tower@{edge}") == "edge"
        assert played(state, f"obstacle@{edge}").layout.count == 2
    assert refused(state, "obstacle@u4") == "outside"
    assert played(state, "tower@e4").layout.tower
    assert len([m for m in state.moves() if m.what == "tower"]) == 18 * 18 - 9


def test_F2_none_draws_the_tower_only() -> None:
    state = played(GAME.start("two", layout="none"), "+yellow")
    assert state.turn == CHANCE
    assert len(state.odds()) == 18 * 18
    state = played(state, "+tower@b2")
    assert (state.turn, state.ready, state.layout.count) == (1, True, 0)


def test_F2_random_draws_the_tower_the_count_and_each_obstacle() -> None:
    state = played(GAME.start("two", layout="random"), "+yellow", "+tower@k11")
    assert set(map(str, state.odds())) == {f"+{count}" for count in range(26)}
    assert played(state, "+0").ready
    state = played(state, "+2")
    assert len(state.odds()) == 400 - 9
    state = played(state, "+obstacle@a1")
    assert len(state.odds()) == 400 - 9 - 4
    state = played(state, "+obstacle@t20")
    assert (state.turn, state.ready, state.layout.count) == (1, True, 2)


def test_F2_a_given_list_must_obey_F1() -> None:
    state = played(GAME.start("two", layout="k11:c4,e9"), "+blue")
    assert state.ready
    assert state.rules.grid.cells(state.layout.obstacles) == cells("c4 e9")
    assert state.rules.grid.cells(state.layout.tower) == cells("k11")
    assert not GAME.start("two", layout="k11").layout.obstacles
    for layout, reason in (
        ("a5", "may not stand at the edge"),
        ("k11:k12", "would touch what stands at k11"),
        ("k11:c4,c4", "would touch what stands at c4"),
        ("k11:u4", "lies on the board"),
        ("k11:" + ",".join(f"{c}{r}" for c in "acegi" for r in (1, 3, 5, 7, 9)) + ",m1", "All 25"),
        ("k11:c4,", "a layout is placed, none, random, or squares"),
        ("circle", "a layout is placed, none, random, or squares"),
        (":c4", "a layout is placed, none, random, or squares"),
    ):
        with pytest.raises(BadNotation, match=reason):
            GAME.start("two", layout=layout)


# Turns


def test_a_tile_goes_anywhere_on_free_squares() -> None:
    state = board("B.....#", ".......", "..*....", ".......", ".......", ".......", "Y......")
    for place, fits in (("b7", True), ("a7", False), ("g7", False), ("c5", False), ("a1", False)):
        assert (GAME.parse(f"1.0@{place}") in state.moves()) == fits
    assert GAME.parse("I5.1@b7") in state.moves()
    assert GAME.parse("I5.1@c7") not in state.moves()


def test_seats_move_in_cyclic_order() -> None:
    state = played(GAME.start("four", layout="k11"), "+green")
    for seat in (3, 0, 1, 2, 3):
        assert state.turn == seat
        state = state.play(next(m for m in state.moves() if state.closings(m).squares == 0))


def test_F3_an_attempt_is_placed_or_a_misfit_and_stands_in_the_record() -> None:
    state = played(GAME.start("two", layout="k11:c4"), "+blue")
    for misfit in ("F.0@c3", "F.0@j10", "I5.0@a17", "2.1@-0,1", "O.0@t20"):
        assert GAME.parse(misfit) not in state.moves()
        assert GAME.attempts(state, GAME.parse(misfit))
        after = played(state, misfit)
        assert (after.turn, after.misfit) == (0, True)
        assert listed(after.aside[0]) == [GAME.parse(misfit).what]
        assert not any(after.tiles)
        assert after.last == GAME.parse(misfit)


def test_F3_at_least_one_square_is_on_the_board() -> None:
    state = played(GAME.start("two", layout="k11"), "+blue")
    assert refused(state, "1.0@u20") == "outside"
    assert refused(state, "I5.0@a21") == "outside"
    assert refused(state, "2.1@-1,1") == "outside"
    assert played(state, "2.1@0,1").misfit  # a1 is its second square


def test_F3_the_other_tile_may_be_a_copy_of_the_same_shape() -> None:
    state = played(GAME.start("two", layout="k11"), "+blue", "X.0@j10", "X.0@a1")
    assert state.turn == 1
    assert listed(state.aside[0]) == ["X"]
    assert "X" not in listed(state.hands[0])


def test_F3_a_second_misfit_ends_the_turn() -> None:
    state = played(GAME.start("two", layout="k11"), "+blue", "X.0@j10", "O.0@k11")
    assert (state.turn, state.misfit) == (1, False)
    assert listed(state.aside[0]) == ["O", "X"]
    assert items(state, 0)["aside"] == -9


def test_F3_decline_only_after_a_first_misfit() -> None:
    state = played(GAME.start("two", layout="k11"), "+blue")
    assert refused(state, "decline") == "decline"
    assert DECLINE not in state.moves()
    state = played(state, "X.0@j10")
    assert DECLINE in state.moves()
    state = played(state, "decline")
    assert (state.turn, state.misfit) == (1, False)


def test_a_tile_laid_aside_can_not_be_used_again() -> None:
    state = played(GAME.start("four", layout="k11"), "+blue", "X.0@j10")
    assert refused(state, "X.0@a1") == "used"


def test_F4_assist_admits_only_what_fits() -> None:
    state = played(GAME.start("two", layout="k11:c4", assist="on"), "+blue")
    assert refused(state, "F.0@c3") == "taken"
    assert refused(state, "I5.0@a17") == "off"
    assert refused(state, "I5.0@a21") == "outside"
    assert not GAME.attempts(state, GAME.parse("F.0@c3"))
    assert GAME.offer(state).slots
    assert not GAME.offer(state).any


def test_F4_by_eye_nothing_says_what_fits() -> None:
    state = played(GAME.start("two", layout="k11:c4"), "+blue")
    offer = GAME.offer(state)
    assert offer.any
    assert not offer.slots
    assert not offer.choices
    offer = GAME.offer(played(state, "F.0@c3"))
    assert [choice.move for choice in offer.choices] == ["decline"]


def test_F5_who_can_not_place_is_passed_over() -> None:
    state = board("BBBBB", "BYYYB", "BYYYB", "BB*BB", ".....", hand_blue="2 X", hand_yellow="1 1")
    state = played(state, "2.1@a1")
    assert state.turn == 1
    assert events(state, "1.0@c1") == ["placed", "closed", "passed"]
    state = played(state, "1.0@c1")  # blue has a cross only, which fits nowhere
    assert state.turn == 1
    assert events(state, "1.0@d1") == ["placed", "squares", "bridges", "over"]


def test_F5_a_turn_without_a_second_choice_ends_by_itself() -> None:
    """Blue tries its domino in the wrong place; its cross fits nowhere."""
    state = board("BBBBB", "BYYYB", "BYYYB", "BB.BB", "BB...", hand_blue="2 X", hand_yellow="1")
    after = played(state, "2.1@a1")
    assert (after.turn, after.misfit) == (1, False)
    assert events(state, "2.1@a1") == ["misfit", "stuck"]


# Points


def test_a_tile_scores_its_squares() -> None:
    state = played(GAME.start("four", layout="k11"), "+blue")
    assert items(state, 0) == {"tiles": 0, "hand": -90}
    assert items(played(state, "W.0@c3"), 0) == {"tiles": 5, "hand": -85}


def test_F13_the_running_score_deducts_hand_and_tiles_aside() -> None:
    state = played(GAME.start("four", layout="k11"), "+blue", "X.0@j10")
    assert state.scores == (-90, -90, -90, -90)
    assert items(state, 0) == {"tiles": 0, "aside": -5, "hand": -85}


def test_a_free_square_is_closed_in_by_who_takes_its_last_side() -> None:
    state = board(".......", "...Y...", "..Y.#..", ".......", ".......", ".*.....", ".......")
    assert gained(state, "1.0@d4") == 10
    assert rows(played(state, "1.0@d4"))[2] == "..Yb#.."
    assert gained(state, "1.0@a1") == 0


def test_edge_obstacle_and_tower_take_a_side() -> None:
    state = board(".B.....", ".......", ".......", ".......", "..*....", ".......", ".......")
    assert gained(state, "1.0@a6") == 10
    state = board(".......", ".......", ".......", "..B....", ".B.*...", ".......", ".......")
    assert gained(state, "1.0@c2") == 10


def test_one_tile_may_close_in_several_squares() -> None:
    """The long tile closes in b6 and d6."""
    state = board(".Y.Y...", "Y.Y.Y..", ".......", ".......", "..*....", ".......", ".......")
    assert gained(state, "I5.1@a5") == 20
    assert rows(played(state, "I5.1@a5"))[1] == "YbYbY.."


def test_a_region_of_two_squares_scores_nothing() -> None:
    state = board(".YY....", "Y..Y...", ".......", ".......", "...*...", ".......", ".......")
    assert gained(state, "2.1@b5") == 0
    assert gained(state, "V3.0@b5") == 10  # covers b6, which leaves c6 alone


def test_F7_a_closing_is_scored_only_by_the_move_that_makes_it() -> None:
    """a7 has been closed in before, and nobody marked it: it is too late."""
    state = board(".Y.....", "Y......", ".......", ".......", "...*...", ".......", ".......")
    assert gained(state, "1.0@b6") == 0
    assert gained(state, "1.0@a7") == 0


def test_an_obstacle_is_closed_in_by_one_colour() -> None:
    state = board(".......", "..B....", ".B#B...", ".......", "....*..", ".......", ".......")
    assert gained(state, "1.0@c4") == 10
    assert rows(played(state, "1.0@c4"))[2] == ".B0B..."
    mixed = board(".......", "..Y....", ".B#B...", ".......", "....*..", ".......", ".......")
    assert gained(mixed, "1.0@c4") == 0


def test_an_obstacle_at_the_edge_needs_three_sides_and_in_a_corner_two() -> None:
    state = board("#B.B#B.", "....B..", ".......", ".......", "..*....", ".......", ".......")
    assert gained(state, "1.0@a6") == 10
    state = board("...B#B.", ".......", ".......", ".......", "..*....", ".......", ".......")
    assert gained(state, "1.0@e6") == 10


def test_the_tower_is_closed_in_by_who_takes_its_last_side() -> None:
    state = board(".......", "..Y....", ".Y*Y...", ".......", ".......", ".......", ".......")
    assert gained(state, "1.0@c4") == 50
    after = played(state, "1.0@c4")
    assert after.closer == 0
    assert items(after, 0)["tower"] == 50
    assert gained(after, "1.0@c3") == 0


def test_F6_a_new_marker_counts_for_obstacles_and_the_tower_at_once() -> None:
    """Blue closes in d5, whose marker closes in the obstacle to its left; or the tower."""
    state = board(".......", "..BY...", ".B#.Y..", "..B....", ".......", ".....*.", ".......")
    assert gained(state, "1.0@d4") == 20
    assert rows(played(state, "1.0@d4"))[2] == ".B0bY.."
    state = board(".......", "..BY...", ".B*.Y..", "..B....", ".......", ".......", ".......")
    assert gained(state, "1.0@d4") == 60


def test_F8_markers_run_out_squares_first_in_reading_order() -> None:
    """Blue has one marker left, and its straight tile on a11, b11, c11 closes in a12, a10 and
    the obstacle at d11: a12 is marked, the rest scores nothing."""
    lines = [".YBBB.......", "...#B.......", ".YBB........", "Y...........", "....*.......",
             "............", *markers(69)]  # fmt: skip
    state = board(*lines, rules=replace(VARIANTS["two"], size=12))
    closed, grid = state.closings(GAME.parse("I3.1@a11")), state.rules.grid
    assert grid.cells(closed.squares) == cells("a12")
    assert not closed.obstacles
    assert set(grid.cells(closed.unmarked)) == set(cells("a10 d11"))
    assert gained(state, "I3.1@a11") == 10
    assert events(state, "I3.1@a11") == ["placed", "squares", "unmarked"]


def markers(count: int) -> list[str]:
    """Six rows with so many markers of blue."""
    return ["".ljust(min(12, max(0, count - 12 * row)), "b").ljust(12, ".") for row in range(6)]


def test_F8_a_closed_square_without_a_marker_stays_free() -> None:
    """All markers of blue are gone: b6 is closed in, is no taken side of the tower at b5, and
    a single square may be laid there, which then closes the tower in."""
    lines = [".Y..........", "Y...........", "Y*Y.........", ".Y..........", "............",
             "............", *markers(70)]  # fmt: skip
    state = board(*lines, rules=replace(VARIANTS["two"], size=12))
    assert gained(state, "1.0@c11") == 0
    after = played(state, "1.0@c11")
    assert after.closer is None
    assert GAME.parse("1.0@b11") in after.moves()
    assert gained(after, "1.0@b11") == 50


def test_F9_the_tower_is_no_part_of_a_bridge() -> None:
    state = board("B...", "*...", "B...", "B...")
    assert len(state.bridges[0]) == 0
    assert len(board("B...", "0...", "b...", "B..*").bridges[0]) == 1


def test_F11_a_marked_square_can_not_be_filled() -> None:
    state = board(".Y.....", "Y......", ".......", ".......", "...*...", ".......", ".......")
    marked = board("yY.....", "Y......", ".......", ".......", "...*...", ".......", ".......")
    assert GAME.parse("1.0@a7") in state.moves()
    assert GAME.parse("1.0@a7") not in marked.moves()


# The end


def test_bridges_count_at_the_end_only() -> None:
    before = board("BY.YY", "BYYYY", "BY*YY", "BYYYY", "BYYYY", hand_blue="X", hand_yellow="1 O")
    assert before.turn == 1
    assert len(before.bridges[0]) == 1
    assert before.scores[0] == 5 - 5
    after = played(before, "1.0@c5")
    assert after.outcome
    assert after.outcome.winners == (1,)
    assert items(after, 0) == {"tiles": 5, "southward": 50, "hand": -5}
    bridges = [item for item in GAME.account(after) if item.key == "southward" and item.seat == 0]
    assert bridges[0].cells == cells("a5 a4 a3 a2 a1")


def test_equal_scores_share_the_win() -> None:
    over = board("BY", "BY", hand_blue="X", hand_yellow="X")
    assert over.scores == (2 + 50 - 5,) * 2
    assert over.outcome
    assert over.outcome.winners == (0, 1)


# Texts


def test_moves_are_read_as_they_are_written() -> None:
    for text in ("F.3@k10", "F.3@-1,7", "obstacle@c4", "tower@k11", "remove@c4", "done",
                 "decline", "+blue", "+13", "+tower@k11", "+obstacle@c4"):  # fmt: skip
        assert str(GAME.parse(text)) == text
    assert str(GAME.parse("X.5@c3")) == "X.0@c3"
    for text in ("F@k10", "F.8@k10", "done@a1", "+26", "+pink", "tower", "tower.1@k11", "Q.0@a1"):
        with pytest.raises(BadNotation):
            GAME.parse(text)


def test_positions_that_can_not_be_are_refused() -> None:
    full = ["......."] * 6
    for row, facts in (
        ("**.....", {}),
        ("BB.....", {"laid blue": "2.1@b7"}),
        ("B......", {"laid blue": "1.0@a7 1.0@a7"}),
        (".......", {"hand blue": "Q"}),
        (".......", {"turn": "pink"}),
        (".......", {"count": "26"}),
        ("?......", {}),
    ):
        lines = [f"{key}: {fact}" for key, fact in facts.items()]
        with pytest.raises(BadNotation):
            restore(SMALL, "\n".join([*lines, row, *full]))


def test_every_refusal_and_event_has_a_sentence() -> None:
    state = played(GAME.start("two", layout="k11:c4"), "+blue")
    with pytest.raises(IllegalMove) as caught:
        played(state, "1.0@u20")
    assert str(caught.value) == "Nothing of that lies on the board: u20."
    after = played(state, "F.0@c3")
    said = GAME.events(state, GAME.parse("F.0@c3"), after)
    assert sentence("forma", "events", said[0].key, said[0].args) == (
        "F does not fit: blue lays it aside."
    )


def test_does_it_fit_agrees_with_the_list(rng: random.Random) -> None:
    state = GAME.start("two", layout="random")
    while moves := state.moves():
        state = state.play(rng.choice(moves))
        if state.ready and not state.over:
            for _ in range(5):
                tile, turn = rng.choice(list(FORMS))
                move = Move(tile, (rng.randrange(-2, 20), rng.randrange(-2, 20)), turn)
                if state.hands[state.turn][TILES.index(tile)]:
                    assert state.fits(move) == (move in state.moves())
