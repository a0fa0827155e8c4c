"""The rules of Imago, one by one, and its rulings I1 to I10 by their names."""

import json
import random
from collections import Counter
from itertools import product
from operator import mul
from pathlib import Path
from typing import Any

import pytest

from tegel.game import CHANCE, BadNotation, IllegalMove
from tegel.games.imago import GAME
from tegel.games.imago.notation import restore
from tegel.games.imago.rules import VARIANTS, Move, State
from tegel.games.imago.stones import COLOURS, COUNTS, GRID, HOLLOWS, TOP
from tegel.lattice import Cell, names, square

DATA = Path(__file__).parent / "data"
EMPTY = ("......",) * 4 + ("-....-",)


def table(*rows: str, variant: str = "imago", **facts: object) -> State:
    """A position from its upper rows and its facts: `stock_0="aB"` is the line `stock.0: aB`."""
    lines = {"player": 0, **{key.replace("_", "."): value for key, value in facts.items()}}
    board = (*rows, *EMPTY[len(rows) - 6 :]) if len(rows) < 6 else rows
    text = [f"{key}: {value}" for key, value in lines.items()]
    return restore(VARIANTS[variant], "\n".join([*text, *board]))


def said(state: State) -> set[str]:
    return set(map(str, state.moves()))


def play(state: State, *moves: str) -> State:
    for move in moves:
        state = state.play(GAME.parse(move))
    return state


def refused(state: State, move: str) -> tuple[str, str]:
    """The rule that a move breaks, and the cells it points at."""
    with pytest.raises(IllegalMove) as caught:
        play(state, move)
    assert str(caught.value)
    return caught.value.rule, names(caught.value.cells)


def images(state: State, seat: int) -> list[str]:
    return sorted(names(image.cells) for image in state.table.images(seat))


def drawn(variant: str, rng: random.Random) -> State:
    """A game after its draws."""
    state = GAME.start(variant)
    while state.turn == CHANCE:
        odds = state.odds()
        state = state.play(rng.choices(list(odds), list(odds.values()))[0])
    return state


# Material


def test_I1_the_board_has_32_hollows_in_rows_of_4_6_6_6_6_4() -> None:
    rows = Counter(row for _, row in HOLLOWS)
    assert [rows[row] for row in range(TOP, -1, -1)] == [4, 6, 6, 6, 6, 4]
    assert refused(table("-AB..-"), "a6@0,0") == ("hollow", "a6")


def test_I2_there_are_32_stones_in_11_colours() -> None:
    assert COUNTS == (8, 7, 3, 3, 2, 2, 2, 2, 1, 1, 1)
    assert sum(COUNTS) == 32
    with pytest.raises(BadNotation, match="more stones of a colour"):
        table("-KK..-")


def test_stones_are_drawn_one_by_one_in_reading_order() -> None:
    state = GAME.start()
    assert state.turn == CHANCE
    assert said(state) == {f"+{letter}" for letter in COLOURS}
    assert state.odds()[GAME.parse("+A")] == 8 / 32
    state = play(state, "+K", "+A")
    assert state.table.colour_at == {square("b6"): 10, square("c6"): 0}
    assert state.odds()[GAME.parse("+A")] == 7 / 30
    assert refused(state, "+K") == ("undrawn", "")
    assert refused(state, "+0") == ("layout", "")
    assert refused(state, "b6@0,0") == ("layout", "")


def test_who_begins_is_drawn_after_32_stones() -> None:
    letters = [letter for letter, count in zip(COLOURS, COUNTS, strict=True) for _ in range(count)]
    state = play(GAME.start(), *(f"+{letter}" for letter in letters))
    assert state.odds() == {GAME.parse("+0"): 0.5, GAME.parse("+1"): 0.5}
    assert refused(state, "+A") == ("lot", "")
    assert refused(state, "b6@0,0") == ("lot", "")
    assert play(state, "+1").turn == 1
    assert play(state, "+0").turn == 0
    assert len(play(state, "+0").moves()) == 32
    assert refused(play(state, "+0"), "+A") == ("chance", "")


# Images


def test_I3_equal_colours_answer_to_equal_and_different_to_different() -> None:
    rows = (
        "-AAB.-",
        "......",
        ".CD.C.",
    )  # fmt: skip
    assert images(table(*rows, stock_0="eF"), 0) == ["b4 c4", "c6 d6"]
    assert images(table(*rows, stock_0="eE"), 0) == ["b6 c6"]


def test_I3_colours_correspond_for_each_image_by_itself() -> None:
    """E, F, E is the pattern of A, B, A and of B, A, B alike."""
    rows = (
        "-ABAB-",
        "......",
        "ABC...",
    )  # fmt: skip
    assert images(table(*rows, stock_0="eFE"), 0) == ["b6 c6 d6", "c6 d6 e6"]


def test_I3_in_shapes_colours_play_no_part() -> None:
    rows = (
        "-AAB.-",
        "......",
        ".CD.C.",
    )  # fmt: skip
    for stock in ("eF", "eE"):
        state = table(*rows, stock_0=stock, variant="shapes")
        assert images(state, 0) == ["b4 c4", "b6 c6", "c6 d6"]


def test_images_are_neither_turned_nor_mirrored() -> None:
    """Of the four corners here only one lies as the stock does."""
    state = table(
        "-AB..-",
        ".H.BA.",
        "....B.",
        "A.....",
        "BA..A.",
        "-..BA-",
        stock_0="dE/F.",
        variant="shapes",
    )
    assert images(state, 0) == ["b5 b6 c6"]


def test_images_do_not_run_over_the_edge() -> None:
    """f5 and a4 are neighbours in reading order only; so are e6 and the row below."""
    rows = (
        "-..AB-",
        "A...BA",
        "BA....",
    )  # fmt: skip
    assert images(table(*rows, stock_0="cD", variant="shapes"), 0) == ["a4 b4", "d6 e6", "e5 f5"]
    assert images(table(*rows, stock_0="Cd", variant="shapes"), 0) == ["a4 b4", "d6 e6", "e5 f5"]


def test_a_stock_of_one_stone_has_an_image_at_every_stone() -> None:
    assert images(table("-AB.A-", stock_0="c"), 0) == ["b6", "c6", "e6"]


def test_isolated_groups_touch_no_other_stone_along_a_side() -> None:
    state = table(
        "-AB.C-",
        ".A.A..",
        "....B.",
    )  # fmt: skip
    groups = [names(GRID.cells(group)) for group in state.table.groups]
    assert sorted(groups) == ["b5 b6 c6", "d5", "e4", "e6"]


# Taking


def test_the_first_stone_of_a_stock_lies_at_0_0() -> None:
    state = table("-AB.C-")
    assert said(state) == {"b6@0,0", "c6@0,0", "e6@0,0"}
    assert refused(state, "b6@0,1") == ("origin", "b6")


def test_further_stones_lie_side_by_side_with_the_stock() -> None:
    state = table("-AB.C-", stock_0="d")
    assert said(state) == {"e6@0,1", "e6@0,-1"}
    assert refused(state, "e6@1,1") == ("apart", "e6")
    assert refused(state, "e6@0,0") == ("filled", "e6")
    state = play(state, "e6@0,-1")
    assert dict(state.table.stocks[0].stones) == {(0, 0): 3, (-1, 0): 2}


def test_a_take_needs_a_stone() -> None:
    assert refused(table("-AB.C-"), "d6@0,0") == ("empty", "d6")
    assert refused(table("-AB.C-"), "z9@0,0") == ("hollow", "z9")


def test_after_a_take_the_own_stock_has_an_image() -> None:
    state = table("-AB.C-", stock_0="d")
    assert refused(state, "b6@0,1") == ("image", "b6")  # breaks the only pair
    assert refused(state, "e6@1,0") == ("image", "e6")  # there is no upright pair
    assert state.forbidden() == {square("b6"): "image", square("c6"): "image"}


def test_after_a_take_the_opponents_stock_has_an_image() -> None:
    state = table("-AB.C-", stock_0="d", stock_1="eF")
    assert refused(state, "b6@0,1") == ("last", "b6 c6")
    assert state.forbidden() == {square("b6"): "last", square("c6"): "last"}


def test_one_stone_may_not_destroy_all_images_at_once() -> None:
    """Both of the opponent's images, b6 c6 and c6 d6, hold c6."""
    state = table("-ABA.-", "......", "C.....", stock_1="eF")
    assert images(state, 1) == ["b6 c6", "c6 d6"]
    assert refused(state, "c6@0,0") == ("last", "b6 c6 d6")
    assert said(state) == {"b6@0,0", "d6@0,0", "a4@0,0"}


def test_a_stone_once_put_down_never_moves(rng: random.Random) -> None:
    state = drawn("shapes", rng)
    while not state.outcome:
        after = state.play(rng.choice(state.moves()))
        for seat in (0, 1):
            was, now = (dict(s.table.stocks[seat].stones) for s in (state, after))
            assert not now or was.items() <= now.items()
        state = after


# Capturing


def test_a_capture_sets_group_and_stock_aside() -> None:
    state = play(table("-AB.C-", "....A.", stock_0="dE"), "capture@0,1")
    assert state.table.aside[0] == tuple(map("ABDE".count, COLOURS))
    assert not state.table.stocks[0].stones
    assert state.table.stones == GRID.mask([square("e6"), square("e5")])
    assert state.scores == (4, 0)


def test_a_captured_group_is_isolated() -> None:
    state = table("-ABC.-", stock_0="dE")
    assert refused(state, "capture@0,1") == ("joined", "d6")
    assert refused(state, "capture@0,2") == ("joined", "b6")


def test_a_captured_group_is_exactly_the_image() -> None:
    state = table("-AB.A-", stock_0="dE")
    assert refused(state, "capture@0,4") == ("match", "e6")
    assert refused(state, "capture@7,-3") == ("match", "-2,-1")
    assert "capture@0,1" in said(state)


def test_a_captured_group_has_at_least_two_stones() -> None:
    assert refused(table("-AB.A-", stock_0="d"), "capture@0,4") == ("small", "e6")


def test_after_a_capture_the_opponents_stock_has_an_image() -> None:
    state = table("-AB.C-", stock_0="dE", stock_1="fG")
    assert refused(state, "capture@0,1") == ("disturbs", "b6 c6")
    state = table("-AB.C-", "....A.", "AC....", stock_0="dE", stock_1="fG")
    assert play(state, "capture@0,1").table.stocks[1].stones


# A turn


def test_a_turn_may_be_a_take() -> None:
    state = play(table("-ABA.-", "......", "C.....", stock_0="d"), "a4@0,1")
    assert (state.turn, state.step, state.scores) == (1, "first", (2, 0))


def test_a_turn_may_be_a_capture_and_a_take() -> None:
    state = play(table("-AB.C-", "....A.", stock_0="dE"), "capture@0,1")
    assert (state.turn, state.step) == (0, "captured")
    assert said(state) == {"e6@0,0", "e5@0,0"}
    assert refused(state, "capture@0,4") == ("captured", "")
    state = play(state, "e6@0,0")
    assert (state.turn, state.step, state.scores) == (1, "first", (5, 0))


def test_a_turn_may_be_a_take_and_a_capture_and_a_take() -> None:
    state = play(table("-AB.C-", "....A.", stock_0="d"), "e6@0,1")
    assert (state.turn, state.step) == (0, "taken")
    assert said(state) == {"capture@0,1", "end"}
    assert refused(state, "e5@1,0") == ("taken", "")
    state = table("-AB.C-", "....A.", ".....B", stock_0="d")
    state = play(state, "e6@0,1", "capture@0,1")
    assert said(state) == {"e5@0,0", "f4@0,0"}
    assert play(state, "e5@0,0").turn == 1


def test_a_turn_may_be_a_take_and_a_capture_alone() -> None:
    """One stone is left, and an empty stock can't take it (I9)."""
    state = play(table("-AB.C-", "......", "A.....", stock_0="d"), "e6@0,1", "capture@0,1")
    assert (state.turn, state.step, state.scores) == (1, "first", (4, 0))


def test_only_one_group_is_captured_in_a_turn() -> None:
    state = table("-AB.C-", "......", "AC.D..", stock_0="dE")
    assert {"capture@0,1", "capture@2,0"} <= said(state)
    assert play(state, "capture@0,1", "e6@0,0").turn == 1


def test_I4_who_can_take_or_capture_may_not_pass() -> None:
    assert refused(table("-AB.C-", stock_0="d"), "pass") == ("pass", "")
    assert said(table("-AB..-", stock_0="dE")) == {"capture@0,1"}


def test_I4_the_capture_after_a_take_is_optional_and_asked_only_if_there_is_one() -> None:
    state = table("-AB.C-", "....A.", stock_0="d")
    assert play(state, "e6@0,1").step == "taken"
    assert play(state, "e6@0,1", "end").turn == 1
    joined = table("-ABA.-", "......", "C.....", stock_0="d")
    assert play(joined, "a4@0,1").turn == 1
    assert refused(joined, "end") == ("end", "")


def test_I4_the_extra_take_must_be_made() -> None:
    state = play(table("-AB.C-", "....A.", stock_0="dE"), "capture@0,1")
    assert refused(state, "end") == ("end", "")
    assert refused(state, "pass") == ("pass", "")


# Claiming

ROW = ("-ABCD-", "......", "E.....")
"""The opponent's stock F, G has the images b6 c6, c6 d6 and d6 e6."""


def test_a_claim_forbids_the_take_and_undoes_it() -> None:
    state = table(*ROW, stock_1="fG")
    asked = play(state, "c6@0,0")
    assert (asked.turn, asked.player) == (1, 0)
    assert said(asked) == {"claim@0,1", "claim@0,2", "allow"}
    after = play(asked, "claim@0,2")
    assert (after.turn, after.table.board) == (0, state.table.board)
    assert not after.table.stocks[0].stones
    assert after.table.stocks[1].claim == square("c6")


def test_a_claimed_take_may_be_replaced_by_another_or_by_a_capture() -> None:
    state = play(table(*ROW, ".HA...", stock_1="fG", stock_0="cB"), "b6@0,-1", "claim@0,1")
    assert (state.turn, state.step) == (0, "first")
    assert {move.act for move in state.moves()} == {"take", "capture"}


def test_an_allowed_take_stands() -> None:
    state = play(table(*ROW, stock_1="fG"), "c6@0,0", "allow")
    assert (state.turn, state.scores) == (1, (1, 2))
    assert square("c6") not in state.table.colour_at
    assert state.table.stocks[1].claim is None


def test_a_claimed_image_holds_the_stone_taken() -> None:
    asked = play(table(*ROW, stock_1="fG"), "b6@0,0")
    assert said(asked) == {"claim@0,1", "allow"}
    assert refused(asked, "claim@0,3") == ("elsewhere", "b6")
    assert refused(asked, "claim@2,0") == ("match", "a4")
    assert refused(asked, "c6@0,0") == ("answer", "b6")


def test_claimed_stones_may_not_be_taken() -> None:
    state = play(table(*ROW, stock_1="fG"), "c6@0,0", "claim@0,1")
    assert refused(state, "b6@0,0") == ("claimed", "b6 c6")
    assert state.forbidden() == {square("b6"): "claimed", square("c6"): "claimed"}
    assert said(state) == {"d6@0,0", "e6@0,0", "a4@0,0"}


def test_I5_a_claim_binds_the_takes_of_the_claimant() -> None:
    """Tied to b6 c6, the stock can grow there only: by E, which then answers to d6."""
    state = play(table(*ROW, stock_1="fG"), "c6@0,0", "claim@0,1", "e6@0,0")
    assert said(state) == {"a4@0,2"}
    assert refused(state, "d6@0,2") == ("tied", "d6")
    assert state.forbidden()[square("d6")] == "tied"
    grown = play(state, "a4@0,2")
    assert images(grown, 1) == ["b6 c6 d6"]
    assert grown.forbidden().keys() == {square("b6"), square("c6"), square("d6")}


def test_I5_a_claim_binds_the_capture_of_the_claimant() -> None:
    rows = ("-AB.C-", "......", "CD....")
    free = table(*rows, player=1, stock_1="fG")
    assert {"capture@0,1", "capture@2,0"} <= said(free)
    tied = table(*rows, player=1, stock_1="fG", claim_1="0,1")
    assert refused(tied, "capture@2,0") == ("bound", "b6")
    assert "capture@0,1" in said(tied)


def test_I5_a_claim_ends_with_the_capture() -> None:
    state = table("-AB.C-", "......", "CD....", player=1, stock_1="fG", claim_1="0,1")
    stock = play(state, "capture@0,1", "e6@0,0").table.stocks[1]
    assert (stock.claim, stock.out, len(stock.stones)) == (None, False, 1)


def test_I5_a_stock_has_at_most_one_claim_so_the_next_take_is_not_asked_about() -> None:
    state = play(table(*ROW, stock_1="fG"), "c6@0,0", "claim@0,1", "d6@0,0")
    assert (state.turn, state.asked) == (1, None)
    assert square("d6") not in state.table.colour_at


def test_I6_a_claim_captured_away_puts_the_claimant_out() -> None:
    """Left's stock D, E matches the claimed pair b6 c6, which stands alone."""
    state = table("-AB.C-", "....A.", "CB....", stock_0="dE", stock_1="fG", claim_1="0,1")
    state = play(state, "capture@0,1")
    assert state.table.stocks[1].out
    assert state.scores == (4, 2)
    assert not state.table.needed(1)
    state = play(state, "a4@0,0")  # nothing is protected, nobody is asked
    assert said(state) == {"pass"}
    assert refused(state, "e6@0,2") == ("out", "e6")
    assert refused(state, "capture@0,4") == ("out", "")
    state = play(state, "pass", "b4@1,0", "end")
    assert said(state) == {"pass"}  # to the end of the game
    assert play(state, "pass", "capture@0,4", "pass").passes == 1


def test_I6_only_the_claimed_image_itself_may_be_captured_away() -> None:
    state = table("-ABC.-", "......", "CD....", stock_0="dEH", stock_1="fG", claim_1="0,1")
    assert refused(state, "capture@0,1") == ("disturbs", "b6 c6 d6")


def test_I7_the_opponent_is_asked_only_when_a_claim_is_possible() -> None:
    assert play(table(*ROW, stock_1="f"), "b6@0,0").asked is None  # one stone is too few
    assert play(table(*ROW, stock_1="fG"), "a4@0,0").asked is None  # in none of the images
    claimed = table(*ROW, stock_1="fG", claim_1="0,1")
    assert play(claimed, "e6@0,0").asked is None  # one claim is enough
    assert not claimed.table.claims(1, square("b6"))
    assert play(table(*ROW, stock_1="fG"), "b6@0,0").asked == GAME.parse("b6@0,0")
    assert refused(table(*ROW, stock_1="fG"), "allow") == ("unasked", "")
    assert refused(table(*ROW, stock_1="fG"), "claim@0,1") == ("unasked", "")


def test_I7_the_answer_stands_in_the_record() -> None:
    moves = [*"EKAADABGADACBAIBCHFDGBEHABABBJCF", "1"]
    state = play(GAME.start(), *(f"+{move}" for move in moves), "e4@0,0", "e2@0,0", "f5@1,0")
    for answer, player in (("claim@2,3", 0), ("allow", 1)):
        after = play(state, "d4@0,1", answer)
        assert (after.turn, after.asked) == (player, None)


def test_I8_a_player_with_nothing_left_after_a_refusal_passes() -> None:
    rows = (
        "-....-",
        ".....A",
        ".....B",
        ".....G",
    )  # fmt: skip
    state = play(table(*rows, stock_0="g", stock_1="b/C"), "f5@-1,0", "claim@1,5")
    assert (state.turn, said(state)) == (0, {"pass"})
    state = play(state, "pass")
    assert (state.turn, state.passes) == (1, 1)


def test_I8_a_refused_take_does_not_come_between_two_passes() -> None:
    rows = (
        "-....-",
        ".....A",
        ".....B",
        ".....G",
    )  # fmt: skip
    state = table(*rows, stock_0="g", stock_1="b/C", passes=1)
    assert play(state, "f5@-1,0", "claim@1,5", "pass").outcome
    assert play(state, "f5@-1,0", "allow").passes == 0


def test_I8_after_a_capture_a_refused_take_always_leaves_another(
    rng: random.Random, soak: bool
) -> None:
    """The claimant has an image without the stone refused, and stones that only that one
    holds can be taken: so the case in which the turn just ends does not come up."""
    seen = 0
    for _ in range(5000 if soak else 200):
        letters = list("".join(map(mul, COLOURS, COUNTS)))
        rng.shuffle(letters)
        lying = set(rng.sample(sorted(HOLLOWS), rng.randint(4, 10)))
        rows = [
            "".join(
                letters.pop() if (x, y) in lying else "." if (x, y) in HOLLOWS else "-"
                for x in range(6)
            )
            for y in range(TOP, -1, -1)
        ]
        stock = letters.pop().lower() + letters.pop()
        try:
            state = table(*rows, variant="shapes", step="captured", stock_1=stock)
        except BadNotation as no_image:
            assert "no image" in str(no_image)
            continue
        for take in state.moves():
            asked = state.play(take)
            for claim in asked.moves() if asked.asked else ():
                if claim.act == "claim":
                    assert {move.act for move in asked.play(claim).moves()} == {"take"}
                    seen += 1
    assert seen


def test_I9_an_empty_stock_cant_take_the_last_stone() -> None:
    state = table("-A...-")
    assert said(state) == {"pass"}
    assert refused(state, "b6@0,0") == ("image", "b6")
    assert said(table("-A..B-")) == {"b6@0,0", "e6@0,0"}


def test_I10_claimed_stones_count_for_own_images() -> None:
    state = table("-AB.C-", stock_0="d", stock_1="fG", claim_1="0,1")
    assert said(state) == {"e6@0,1", "e6@0,-1"}


def test_I10_claimed_images_may_overlap() -> None:
    """Left has claimed c6 d6; right claims b6 c6 when left wants b6."""
    state = table("-ABCH-", stock_0="dE", claim_0="0,2", stock_1="fG")
    state = play(state, "b6@0,2", "claim@0,1")
    assert images(state, 0) == ["c6 d6"]
    assert images(state, 1) == ["b6 c6"]
    assert refused(state, "c6@0,2") == ("claimed", "b6 c6")


# Passing, the end, the score


def test_a_player_who_passed_may_move_again_later() -> None:
    """Left is tied to b6 c6, which is not isolated until right takes d6."""
    state = table("-ABC.-", "......", ".....D", stock_0="dE", claim_0="0,1")
    assert said(state) == {"pass"}
    state = play(state, "pass", "d6@0,0")
    assert (state.turn, said(state)) == (0, {"capture@0,1"})


def test_two_passes_in_succession_end_the_game() -> None:
    state = play(table("-A...-", stock_0="b", stock_1="c"), "pass")
    assert (state.turn, state.outcome) == (1, None)
    state = play(state, "pass")
    assert state.outcome
    assert not state.moves()
    assert refused(state, "pass") == ("over", "")


def test_most_stones_win_and_equal_is_a_draw() -> None:
    state = table("-A...-", stock_0="b", stock_1="c", aside_0="AABB", passes=2)
    assert state.scores == (5, 1)
    assert state.outcome
    assert state.outcome.winners == (0,)
    state = table("-A...-", stock_0="b", stock_1="c", passes=2)
    assert state.outcome
    assert state.outcome.winners == (0, 1)


# Laws that hold everywhere


def counted(state: State) -> Counter[str]:
    """All stones on the board, in the stocks and set aside, by their letters."""
    found = Counter(COLOURS[colour] for colour in state.table.colour_at.values())
    for stock, aside in zip(state.table.stocks, state.table.aside, strict=True):
        found.update(COLOURS[colour] for _, colour in stock.stones)
        found.update(dict(zip(COLOURS, aside, strict=True)))
    return +found


@pytest.mark.parametrize("variant", VARIANTS)
def test_stones_are_conserved(variant: str, rng: random.Random, soak: bool) -> None:
    everything = Counter(dict(zip(COLOURS, COUNTS, strict=True)))
    for _ in range(300 if soak else 10):
        state = drawn(variant, rng)
        while not state.outcome:
            assert counted(state) == everything
            assert sum(state.scores) == 32 - state.table.stones.bit_count()
            captures = [move for move in state.moves() if move.act == "capture"]
            state = state.play(rng.choice(captures or state.moves()))
        assert counted(state) == everything


Stones = dict[Cell, str]  # by (row, column), rows downward, as the rules speak


def by_the_book(state: State) -> tuple[set[Any], set[Cell]]:
    """The takes and captures of the player whose turn it is, by the words of the rules: try
    every stone at every place, compare every pair of stones."""
    board: Stones = {(TOP - y, x): COLOURS[c] for (x, y), c in state.table.colour_at.items()}
    stocks: list[Stones] = [
        {(-y, x): COLOURS[c] for (x, y), c in stock.stones} for stock in state.table.stocks
    ]
    me, you = state.player, 1 - state.player
    claims = [s.claim and (TOP - s.claim[1], s.claim[0]) for s in state.table.stocks]
    out = [stock.out for stock in state.table.stocks]

    def matches(stock: Stones, stones: Stones, shift: Cell) -> bool:
        there = {(r, c): (r + shift[0], c + shift[1]) for r, c in stock}
        if any(cell not in stones for cell in there.values()):
            return False
        if state.rules.variant == "shapes":
            return True
        return all(
            (stock[a] == stock[b]) == (stones[there[a]] == stones[there[b]])
            for a, b in product(stock, stock)
        )

    def shifts(seat: int, stock: Stones, stones: Stones) -> list[Cell]:
        every = [(r, c) for r in range(-11, 12) for c in range(-11, 12)]
        claim = claims[seat]
        return [shift for shift in ([claim] if claim else every) if matches(stock, stones, shift)]

    def beside(cell: Cell) -> set[Cell]:
        r, c = cell
        return {(r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)}

    def spared(stones: Stones) -> bool:
        return not stocks[you] or out[you] or bool(shifts(you, stocks[you], stones))

    if out[me]:
        return set(), set()
    places = {p for cell in stocks[me] for p in beside(cell)} - set(stocks[me]) or {(0, 0)}
    takes = set()
    for stone, letter in board.items():
        rest = {cell: other for cell, other in board.items() if cell != stone}
        if spared(rest):
            takes |= {
                (stone, place)
                for place in places
                if shifts(me, {**stocks[me], place: letter}, rest)
            }
    captures = set()
    for shift in shifts(me, stocks[me], board) if len(stocks[me]) >= 2 else []:
        group = {(r + shift[0], c + shift[1]) for r, c in stocks[me]}
        rest = {cell: letter for cell, letter in board.items() if cell not in group}
        claim = claims[you]
        claimed = claim and {(r + claim[0], c + claim[1]) for r, c in stocks[you]}
        isolated = not any(beside(cell) & set(rest) for cell in group)
        if isolated and (spared(rest) or claimed == group):
            captures.add(shift)
    return takes, captures


@pytest.mark.slow
@pytest.mark.parametrize("variant", VARIANTS)
def test_moves_are_those_of_the_book(variant: str, rng: random.Random, soak: bool) -> None:
    checked = 0
    for _ in range(60 if soak else 3):
        state = drawn(variant, rng)
        while not state.outcome:
            moves = state.moves()
            if not state.asked and state.step == "first" and state.table.stocks[0].stones:
                takes, captures = by_the_book(state)
                assert takes == {
                    ((TOP - m.cell[1], m.cell[0]), (-m.place[1], m.place[0]))
                    for m in moves
                    if m.act == "take"
                }
                assert captures == {
                    (TOP - m.cell[1], m.cell[0]) for m in moves if m.act == "capture"
                }
                checked += 1
            preferred = [m for m in moves if m.act in ("capture", "claim")]
            state = state.play(rng.choice(preferred if preferred and rng.random() < 0.7 else moves))
    assert checked


# Ground truth


def text(move: list[Any]) -> str:
    match move:
        case ["take", [row, column], [stock_row, stock_column]]:
            return f"{'abcdef'[column]}{6 - row}@{stock_row},{stock_column}"
        case [word, [row, column]]:
            return f"{word}@{row},{column}"
        case _:
            return str(move[0])


REFERENCE = json.loads((DATA / "imago_games.json").read_text("utf-8"))["games"]


@pytest.mark.parametrize("number", range(len(REFERENCE)))
def test_games_of_the_reference_implementation(number: int) -> None:
    game = REFERENCE[number]
    state = GAME.start(game["variant"])
    state = play(state, *(f"+{letter}" for letter in game["layout"]), f"+{game['first']}")
    plies = zip(game["moves"], game["movers"], game["legal_counts"], strict=True)
    for move, mover, count in plies:
        assert state.turn == mover
        assert len(state.moves()) == count
        state = play(state, text(move))
    assert state.outcome
    assert list(state.scores) == game["result"]


# Text


def test_moves_as_text() -> None:
    assert GAME.parse("c4@-1,0") == Move("take", (2, 3), (0, 1))
    assert GAME.parse(" capture@2,3 ") == Move("capture", (3, 3))
    for text in ("c4", "c4@", "c4@1", "c4@1,", "c4@x,y", "capture", "claim@", "+L", "+2", "Allow",
                 "c4@1,0,0", "c4@¹,0", "c4@999,0", "capture@--1,0"):  # fmt: skip
        with pytest.raises(BadNotation):
            GAME.parse(text)


@pytest.mark.parametrize(
    ("facts", "reason"),
    [
        ({"player": 2}, "player is 0 or 1"),
        ({"step": "third"}, "step is first"),
        ({"passes": 3}, "passes are 0, 1 or 2"),
        ({"stock_0": "AB"}, "first stone in lower case"),
        ({"stock_0": "a?"}, "first stone in lower case"),
        ({"stock_0": "a.B"}, "don't lie side by side"),
        ({"stock_0": "a/B"}, "stock 0 has no image"),
        ({"stock_0": "a", "claim_0": "0,1"}, "too small for a claim"),
        ({"stock_0": "aC", "claim_0": "0,4"}, "stock 0 has no image"),
        ({"stock_0": "aC", "claim_0": "here"}, "row,column"),
        ({"stock_0": "aC", "claim_0": "0,1", "out": "0"}, "so it has no claim"),
        ({"out": "2"}, "names the seats"),
        ({"out": "0 1", "stock_0": "aC", "stock_1": "aC"}, "can't be out"),
        ({"aside_1": "abc"}, "letters A to K"),
        ({"step": "taken"}, "the turn is over"),
        ({"asked": "b6@0,0"}, "not a take that can be claimed"),
        ({"asked": "b6@0,x"}, "row,column"),
    ],
)
def test_impossible_positions_are_refused(facts: dict[str, Any], reason: str) -> None:
    with pytest.raises(BadNotation, match=reason):
        table("-AB.C-", **facts)


def test_positions_before_the_first_turn_have_stones_in_reading_order() -> None:
    for rows in (["-A.B.-", *EMPTY], ["stock.0: a", "-A...-", *EMPTY]):
        with pytest.raises(BadNotation, match=r"reading order|whose turn"):
            restore(VARIANTS["imago"], "\n".join(rows))
