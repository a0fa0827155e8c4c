"""The rules of Blokus, one by one, and its rulings B1 to B6 by their names (B4 and B5
are about the solo puzzles)."""

import json
import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tegel import games
from tegel.game import IllegalMove, Outcome
from tegel.games.blokus import GAME
from tegel.games.blokus.notation import restore
from tegel.games.blokus.rules import FULL_HAND, SIZES, TILES, VARIANTS, Move, Rules, State, begin
from tegel.lattice import POLYOMINOES, Cell, forms

DATA = Path(__file__).parent / "data"
SMALL = replace(VARIANTS["duo"], size=6, starts=((0, 5), (5, 0)))


def board(*rows: str, turn: str = "first", rules: Rules = SMALL) -> State:
    return restore(rules, "\n".join([f"turn: {turn}", *rows]))


def cells(text: str) -> Move:
    return GAME.parse(text)


def refused(state: State, move: str) -> IllegalMove:
    with pytest.raises(IllegalMove) as caught:
        state.play(cells(move))
    return caught.value


def names(*squares: str) -> tuple[Cell, ...]:
    return tuple(GAME.parse(square).cell for square in squares)


# Material


def test_a_colour_has_21_tiles_of_89_squares_in_91_forms() -> None:
    assert len(TILES) == 21
    assert sum(SIZES) == 89
    assert sum(len(forms(shape)) for shape in POLYOMINOES.values()) == 91


def test_tiles_may_be_turned_and_flipped() -> None:
    assert {m.turn for m in GAME.start("duo").moves() if m.tile == "F"} == set(range(8))


def test_board_is_20_by_20_and_14_by_14_in_duo() -> None:
    assert {name: rules.size for name, rules in VARIANTS.items()} == {
        "classic": 20, "teams": 20, "two": 20, "three": 20, "duo": 14,
    }  # fmt: skip


# Play


def test_1_first_tile_covers_a_corner_square() -> None:
    state = GAME.start("classic")
    error = refused(state, "b20,b19")
    assert error.rule == "start"
    assert set(error.cells) == set(names("a20", "t20", "a1", "t1"))
    assert state.play(cells("a20,a19")).squares[0].bit_count() == 2


@pytest.mark.parametrize("variant", ["classic", "teams", "two", "three"])
def test_B1_any_free_corner_may_be_chosen(variant: str) -> None:
    state = GAME.start(variant)
    assert len(state.moves()) == 4 * 58
    state = state.play(cells("t1,s1"))
    assert len(state.moves()) == 3 * 58
    assert refused(state, "t1,t2").rule == "taken"


@pytest.mark.parametrize("variant", ["classic", "teams", "two", "three"])
def test_B1_fixed_corners_go_clockwise_from_the_top_left(variant: str) -> None:
    state = GAME.start(variant, corners="fixed")
    for colour, corner in zip(
        ("blue", "yellow", "red", "green"), ("a20", "t20", "t1", "a1"), strict=True
    ):
        assert GAME.colour(state) == colour
        assert len(state.moves()) == 58
        assert refused(state, "k10").cells == names(corner)
        state = state.play(cells(corner))


def test_2_further_tiles_touch_own_at_a_corner() -> None:
    state = board(
        "F.....",
        "......",
        "......",
        "......",
        "......",
        ".....S",
    )  # fmt: skip
    error = refused(state, "c4,c3")
    assert (error.rule, error.cells) == ("corner", names("b5"))
    state.play(cells("b5,c5"))


def test_2_further_tiles_do_not_touch_own_along_a_side() -> None:
    state = board(
        "F.....",
        "......",
        "......",
        "......",
        "......",
        ".....S",
    )  # fmt: skip
    error = refused(state, "b5,b6")
    assert (error.rule, error.cells) == ("side", names("b6"))


def test_2_corner_contact_does_not_excuse_a_side() -> None:
    state = board(
        "FF....",
        "......",
        "..F...",
        "......",
        "......",
        ".....S",
    )  # fmt: skip
    assert refused(state, "b2,b3,b4").rule == "side"  # b3 meets c4 at a corner, b4 beside it
    assert refused(state, "c5,d5,e5").rule == "side"  # c5 meets b6 at a corner, and lies above c4


def test_3_colours_may_touch_each_other_in_any_way() -> None:
    state = board(
        "F.....",
        "..SSS.",
        "....S.",
        "....S.",
        "......",
        ".....S",
    )  # fmt: skip
    state.play(cells("b5,b4"))


def test_3_tiles_stay_and_do_not_overlap() -> None:
    state = board(
        "F.....",
        "..SSS.",
        "....S.",
        "....S.",
        "......",
        ".....S",
    )  # fmt: skip
    error = refused(state, "b5,c5")
    assert (error.rule, error.cells) == ("taken", names("c5"))
    assert refused(state, "h7,h8").rule == "off"


def test_a_tile_is_used_once() -> None:
    state = board(
        "F.....",
        "......",
        "......",
        "......",
        "......",
        ".....S",
    )  # fmt: skip
    assert refused(state, "b5").rule == "used"


def test_B2_who_can_place_must_place_and_who_cannot_is_passed_over_for_good() -> None:
    """There is no pass among the moves, and a colour that is skipped never comes back."""
    rng = random.Random(3)  # a game in which three colours are out before the last
    state = GAME.start("classic")
    out: set[int] = set()
    while not state.outcome:
        after = state.play(rng.choice(state.moves()))
        between = (after.colour - state.colour - 1) % 4
        if not after.outcome:
            for step in range(1, between + 1):
                out.add((state.colour + step) % 4)
            assert after.colour not in out
        assert all(not after.legal_for(colour) for colour in out)
        state = after
    assert len(out) == 3


def test_5_game_ends_when_nobody_can_place() -> None:
    state = GAME.start("duo")
    rng = random.Random(2)
    while not state.outcome:
        state = state.play(rng.choice(state.moves()))
    assert all(not state.legal_for(colour) for colour in (0, 1))
    assert state.outcome.reason == "blocked"
    assert refused(state, "a1").rule == "over"


# Score


def scored(rules: Rules, *hands: str, single: int = 0) -> State:
    """A state in which each colour has these tiles left. Where the others lie does not
    matter for the score, only how many squares they cover."""
    left = [sum(1 << TILES.index(tile) for tile in hand.split()) for hand in hands]
    sizes = [sum(SIZES[TILES.index(tile)] for tile in hand.split()) for hand in hands]
    squares = tuple((1 << 89 - size) - 1 for size in sizes)
    return State(rules, squares, tuple(left), 0, single)


def test_worked_example_of_the_leaflet() -> None:
    state = scored(
        VARIANTS["classic"], "", "O T4", "I3 I4 L4 O T4 F", "V3 I4 L4 Z4 X", single=0b0001
    )
    assert state.scores == (20, -8, -24, -20)


def test_all_placed_without_the_single_square_last_is_15() -> None:
    assert scored(VARIANTS["classic"], "", "1", "2", "X").scores == (15, -1, -2, -5)


@pytest.mark.parametrize(("file", "score"), [("all_placed.txt", 15), ("single_last.txt", 20)])
def test_bonus_in_a_whole_game(file: str, score: int) -> None:
    state = games.final(games.read((DATA / f"blokus_{file}").read_text()))
    assert state.scores[0] == score
    assert state.outcome == Outcome((0,), "blocked")


def test_classic_equal_highest_scores_share_the_win() -> None:
    state = scored(VARIANTS["classic"], "X", "Y", "1 2 I4", "I3 V3")
    vars(state)["legal"] = ()  # whatever the board, nobody can place
    assert state.outcome == Outcome((0, 1), "blocked")


def test_teams_sum_two_colours_for_four_seats() -> None:
    state = scored(VARIANTS["teams"], "1", "2", "I3", "I4")
    assert state.scores == (-4, -6, -4, -6)
    vars(state)["legal"] = ()
    assert state.outcome == Outcome((0, 2), "blocked")


def test_two_sum_two_colours_a_player() -> None:
    assert scored(VARIANTS["two"], "1", "2", "I3", "I4").scores == (-4, -6)


def test_three_does_not_count_the_shared_colour() -> None:
    assert scored(VARIANTS["three"], "1", "2", "I3", "I4").scores == (-1, -2, -3)
    red = GAME.start("three", shared="red").rules
    assert scored(red, "1", "2", "I3", "I4").scores == (-1, -2, -4)


# Variants


def turns(state: State, count: int) -> list[tuple[str, int]]:
    """Who moves which colour, in the first plies of a game."""
    found = []
    for _ in range(count):
        found.append((GAME.colour(state), state.turn))
        state = state.play(state.moves()[0])
    return found


@pytest.mark.parametrize("variant", ["classic", "teams"])
def test_four_seats_have_a_colour_each(variant: str) -> None:
    assert turns(GAME.start(variant), 5) == [
        ("blue", 0), ("yellow", 1), ("red", 2), ("green", 3), ("blue", 0),
    ]  # fmt: skip


def test_two_players_have_two_colours_each() -> None:
    assert turns(GAME.start("two"), 5) == [
        ("blue", 0), ("yellow", 1), ("red", 0), ("green", 1), ("blue", 0),
    ]  # fmt: skip


def test_B3_shared_colour_is_moved_in_rotation_by_its_moves() -> None:
    found = turns(GAME.start("three"), 16)
    assert [colour for colour, _ in found] == ["blue", "yellow", "red", "green"] * 4
    assert [seat for colour, seat in found if colour == "green"] == [0, 1, 2, 0]
    assert [seat for colour, seat in found if colour != "green"] == [0, 1, 2] * 4


def test_B6_shared_blue_is_opened_by_player_1() -> None:
    found = turns(GAME.start("three", shared="blue"), 8)
    assert found == [
        ("blue", 0), ("yellow", 0), ("red", 1), ("green", 2),
        ("blue", 1), ("yellow", 0), ("red", 1), ("green", 2),
    ]  # fmt: skip


def test_duo_starts_on_e10_and_j5() -> None:
    state = GAME.start("duo")
    assert len(state.moves()) == 414
    assert refused(state, "a1").cells == names("e10")
    state = state.play(cells("e10"))
    assert len(state.moves()) == 414
    assert refused(state, "a1").cells == names("j5")


# The law against others: an independent engine's counts, and the rule book square by square


def recorded() -> Iterator[Any]:
    for number, game in enumerate(json.loads((DATA / "blokus_games.json").read_text())["games"]):
        yield pytest.param(game, id=f"{number}-{game['variant']}")


@pytest.mark.parametrize("game", list(recorded()))
def test_legal_moves_and_scores_of_an_independent_engine(game: dict[str, Any]) -> None:
    options = {"corners": "fixed"} if game["variant"] == "two" else {}
    state = GAME.start(game["variant"], **options)
    for squares, colour, count in game["moves"]:
        assert (GAME.colour(state), len(state.moves())) == (colour, count)
        state = state.play(cells(squares))
    if "scores" in game:
        assert state.outcome
        assert [state.score(i) for i in range(len(state.rules.colours))] == game["scores"]


def by_the_book(state: State) -> set[frozenset[Cell]]:
    """The legal placements as the rules say them, tile by tile and square by square."""
    size, mine = state.rules.size, state.colour
    sets = [set(state.rules.grid.cells(mask)) for mask in state.squares]
    own, taken = sets[mine], set().union(*sets)
    if state.rules.corners == "fixed":
        starts = {state.rules.starts[mine]}
    else:
        starts = set(state.rules.starts)
    found = set()
    for tile, shape in POLYOMINOES.items():
        if not state.hands[mine] >> TILES.index(tile) & 1:
            continue
        for form in forms(shape).values():
            for x in range(size):
                for y in range(size):
                    placed = {(x + c, y + r) for c, r in form}
                    on_board = all(c < size and r < size for c, r in placed)
                    if not on_board or placed & taken:
                        continue
                    side = {(c + d, r) for c, r in placed for d in (1, -1)}
                    side |= {(c, r + d) for c, r in placed for d in (1, -1)}
                    corner = {(c + d, r + e) for c, r in placed for d in (1, -1) for e in (1, -1)}
                    if side & own:
                        continue
                    if corner & own if own else placed & starts:
                        found.add(frozenset(placed))
    return found


@pytest.mark.parametrize("variant", VARIANTS)
def test_moves_agree_with_the_rule_book(variant: str, rng: random.Random, soak: bool) -> None:
    for _ in range(20 if soak else 1):
        state = GAME.start(variant)
        while not state.outcome:
            if soak or rng.random() < 0.15:
                moves = [frozenset(move.cells) for move in state.moves()]
                assert len(moves) == len(set(moves))
                assert set(moves) == by_the_book(state)
            state = state.play(rng.choice(state.moves()))


def perft_lines() -> Iterator[Any]:
    text = (Path(games.__path__[0]) / "blokus" / "perft.txt").read_text()
    for line in text.splitlines():
        if line and not line.startswith("#"):
            yield pytest.param(*line.split(), id=line)


@pytest.mark.parametrize(("variant", "corners", "depth", "count"), list(perft_lines()))
def test_perft(variant: str, corners: str, depth: str, count: str) -> None:
    options = {} if variant == "duo" else {"corners": corners}
    assert lines_of_play(GAME.start(variant, **options), int(depth)) == int(count)


def lines_of_play(state: State, depth: int) -> int:
    if depth == 1:
        return len(state.moves())
    return sum(lines_of_play(state.play(move), depth - 1) for move in state.moves())


def test_start_is_an_empty_board_and_full_hands() -> None:
    state = begin(VARIANTS["classic"])
    assert state.squares == (0, 0, 0, 0)
    assert state.hands == (FULL_HAND,) * 4
    assert state.scores == (-89, -89, -89, -89)


@pytest.mark.parametrize("variant", VARIANTS)
def test_what_states_hand_on_is_what_the_squares_say(variant: str) -> None:
    """The tiles on the board, and whether a colour can place one, are not looked up from the
    beginning in every state; they are what that would give."""
    rng, state = random.Random(2), GAME.start(variant)
    assert state.tiles == ((),) * len(state.rules.colours)
    while state.moves():
        state = state.play(rng.choice(state.moves()))
        assert "tiles" in vars(state)
        parts = tuple(tuple(state.rules.grid.components(mask)) for mask in state.squares)
        assert state.tiles == parts
        for colour in range(len(state.rules.colours)):
            assert state.can_place(colour) == bool(state.legal_for(colour))
