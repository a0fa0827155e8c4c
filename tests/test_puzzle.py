"""Puzzles as values and as text, and the checker: what is wrong with a position, and where."""

import json
import pickle
from string import ascii_letters

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tegel import solver
from tegel.game import BadNotation, words
from tegel.games.puzzle.account import verdict
from tegel.games.puzzle.rules import refusal
from tegel.lattice import POLYOMINOES, shape_of, square
from tegel.solver import Placement, Puzzle, Tile
from tegel.solver.check import faults, missing, solved
from tegel.solver.puzzle import RULES

TWO = solver.parse("""\
puzzle: two-steps
rule: cover
tiles: blue L4*2 P, red P, step
shape step: X../XX./.XX

.....
.....
.....
#....
#....
""")
APART = solver.parse("""\
puzzle: apart
rule: apart
tiles: blue 2, red 2, blue 1*2

..
..
..
""")


def position(*texts: str) -> tuple[Placement, ...]:
    """Placements from `blue P a1 b1 ...`."""
    found = []
    for text in texts:
        *tile, cells = text.rsplit(" ", 1)
        colour, name = tile[0].split() if " " in tile[0] else ("", tile[0])
        found.append(Placement(name, colour, tuple(sorted(map(square, cells.split(","))))))
    return tuple(found)


def said(task: Puzzle, *texts: str) -> list[str]:
    return [str(refusal(fault)) for fault in faults(task, position(*texts))]


# Text


def test_a_puzzle_is_text() -> None:
    assert TWO.tiles[0] == Tile("L4", POLYOMINOES["L4"], "blue", 2)
    assert TWO.tiles[-1] == Tile("step", shape_of("X..", "XX.", ".XX"))
    assert len(TWO.board) == 23
    assert TWO.area == 23
    assert str(TWO).splitlines()[2] == "tiles: blue L4*2 P, red P, step"


@pytest.mark.parametrize("task", [TWO, APART, *solver.TASKS.values()], ids=lambda task: task.name)
def test_str_and_parse_are_inverse(task: Puzzle) -> None:
    assert solver.parse(str(task)) == task
    assert pickle.loads(pickle.dumps(task)) == task
    assert hash(solver.parse(str(task))) == hash(task)


@settings(max_examples=60, deadline=None)
@given(
    st.sets(st.tuples(st.integers(0, 30), st.integers(0, 8)), min_size=1, max_size=40),
    st.dictionaries(
        st.text(ascii_letters, min_size=1, max_size=5).filter(lambda key: key not in POLYOMINOES),
        st.sets(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1),
        min_size=1,
        max_size=3,
    ),
    st.sampled_from(["", "blue", "green"]),
    st.integers(1, 5),
    st.sampled_from(["cover", "apart", "blokus", "descending"]),
)
def test_any_puzzle_can_be_written_and_read(
    board: set[tuple[int, int]],
    shapes: dict[str, set[tuple[int, int]]],
    colour: str,
    count: int,
    rule: str,
) -> None:
    from tegel.lattice import turned

    tiles = [Tile(key, turned(shape, 0), colour, count) for key, shape in shapes.items()]
    low = min(y for _, y in board)
    task = Puzzle("any", tuple((x, y - low) for x, y in board), tuple(tiles), rule)
    assert solver.parse(str(task)) == task


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "no header 'puzzle"),
        ("puzzle: x\n\n..", "no header 'tiles"),
        ("puzzle: x\ntiles: Q\n\n..", "'Q': no such tile; draw it"),
        ("puzzle: x\ntiles: F*0\n\n..", "1 copy or more"),
        ("puzzle: x\ntiles: F F\n\n..", "named twice"),
        ("puzzle: x\ntiles: blue\n\n..", "expected tiles such as"),
        ("puzzle: x\ntiles: F\nrule: dance\n\n..", "no such rule; there are cover, apart"),
        ("puzzle: x\ntiles: F\n\n##", "needs a board"),
        ("puzzle: x\ntiles: Q\nshape Q: ...\n\n..", "expected a shape such as"),
        ("puzzle: x\ntiles: F\ncolour: no\n\n..", "'colour': a puzzle has no such header"),
        ("puzzle: x\nwhat\n\n..", "line 2: 'what': expected a header"),
        ("puzzle: x\ntiles: F\n\n" + (("." * 100 + "\n") * 21), "at most 2000 squares"),
        ("puzzle: x\ntiles: F\n\n" + "." * 201, "at most 200 squares wide and high"),
        ("puzzle: x\ntiles: F\n\n" + ".\n" * 201, "at most 200 squares wide and high"),
        ("puzzle: x\ntiles: Q\nshape Q: X" + "." * 200 + "X\n\n..", "200 squares wide and high"),
    ],
)
def test_texts_that_are_no_puzzle_are_refused(text: str, reason: str) -> None:
    with pytest.raises(BadNotation) as caught:
        solver.parse(text)
    assert reason in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_position_is_json() -> None:
    lying = position("blue P a3,b3,a4,b4,a5", "step c1,c2,d2,d3,e3")
    data = json.loads(json.dumps({"placements": solver.written(lying)}))
    assert data["placements"][0] == {
        "piece": "P",
        "colour": "blue",
        "cells": ["a3", "a4", "a5", "b3", "b4"],
    }
    assert solver.read(TWO, data) == lying
    wrongs: tuple[object, ...] = (
        None,
        3,
        {},
        [3],
        [{}],
        [{"piece": "P", "cells": ["?"]}],
        [{"cells": "a1"}],
    )
    for wrong in wrongs:
        with pytest.raises(BadNotation, match="expected placements such as"):
            solver.read(TWO, wrong)


# The checker


def test_so_far_so_good() -> None:
    assert verdict(TWO, ()) == "So far so good: 5 tiles in hand, 23 squares empty."
    assert verdict(TWO, position("blue P a3,b3,a4,b4,a5")).startswith("So far so good: 4 tiles")
    assert not solved(TWO, ())


def test_a_tile_that_is_not_in_the_puzzle() -> None:
    assert said(TWO, "green P a3,b3,a4,b4,a5") == ["There is no tile green P in this puzzle."]


def test_a_tile_of_another_shape() -> None:
    assert said(TWO, "blue P a3,b3,c3,a4,a5") == [
        "The tile blue P does not have the shape of a3 a4 a5 b3 c3."
    ]
    assert said(TWO, "red P a3") == ["The tile red P does not have the shape of a3."]


def test_a_tile_used_too_often() -> None:
    twice = "blue L4 c1,d1,e1,e2", "blue L4 c5,d5,e5,e4"
    assert said(TWO, *twice) == []
    assert said(TWO, *twice, "blue L4 a5,b5,a4,a3") == [
        "All copies of the tile blue L4 (2) are already on the board."
    ]


def test_a_tile_off_the_board() -> None:
    assert said(TWO, "blue L4 a1,b1,c1,c2") == ["The tile blue L4 would lie off the board at a1."]


def test_a_square_covered_twice() -> None:
    assert said(TWO, "blue P a3,b3,a4,b4,a5", "red P b4,c4,b5,c5,d5") == [
        "The tile red P would lie on another at b4."
    ]


def test_colours_that_must_keep_apart() -> None:
    """
    r B      the single square b below the domino of its colour
    r B
    . b
    """
    assert said(APART, "red 2 a2,a3", "blue 2 b2,b3") == []
    assert said(APART, "red 2 a2,a3", "blue 2 b2,b3", "blue 1 b1") == [
        "The tile blue 1 would touch blue along a side at b1."
    ]
    assert said(solver.load("tetra-8x10"), "blue O a1,b1,a2,b2", "blue I4 c1,d1,e1,f1") == []


def test_every_fault_is_told() -> None:
    texts = ["blue 2 a1,b2", "blue 1 a1", "green 1 a9"]
    assert [fault.rule for fault in faults(APART, position(*texts))] == [
        "form",
        "unknown",
        "taken",
        "off",
    ]


ALL = solver.load("all84")
DESCENDING = solver.load("all84-descending")


def test_blokus_the_first_tile_covers_a_corner() -> None:
    assert said(ALL, "blue 1 a20", "red 1 a1") == []
    assert said(ALL, "blue 1 b2") == [
        "The first tile of blue must cover a corner square: a1 a20 t1 t20."
    ]


def test_blokus_tiles_hang_together_by_corners() -> None:
    assert said(ALL, "blue 1 a20", "blue 2 b19,b18") == []
    assert said(ALL, "blue 1 a20", "blue 2 c19,c18") == [
        "The tile blue 2 at c18 c19 does not hang together with blue by corners."
    ]
    assert said(ALL, "blue 1 a20", "blue 2 a19,a18")[0] == (
        "The tile blue 2 would touch blue along a side at a19."
    )


def test_descending_tiles_hang_on_tiles_that_are_no_smaller() -> None:
    five, four = "blue I5 a20,b20,c20,d20,e20", "blue I4 f19,g19,h19,i19"
    assert said(DESCENDING, five, four) == []
    assert said(DESCENDING, four.replace("f19,g19,h19,i19", "a20,b20,c20,d20")) == [
        "The first tile of blue must be one of the biggest and cover a corner square: "
        "a1 a20 t1 t20."
    ]
    assert said(DESCENDING, five, four, "blue L5 j18,j17,j16,j15,k15") == [
        "The tile blue L5 at j15 j16 j17 j18 k15 does not hang by corners on tiles of blue that "
        "are no smaller."
    ]
    assert said(ALL, five, four, "blue L5 j18,j17,j16,j15,k15") == []


def test_solved_means_filled_or_all_used() -> None:
    lying = position("red 2 a2,a3", "blue 2 b2,b3", "blue 1 a1")
    assert missing(APART, lying)[0] == ((1, 0),)
    assert verdict(APART, lying) == "So far so good: 1 tiles in hand, 1 squares empty."
    spare = solver.parse("puzzle: spare\ntiles: 1*3, 2\n\n..")
    assert solved(spare, position("2 a1,b1")), "tiles may be left over where there are more"
    assert not solved(spare, position("2 a1,b1", "1 a1"))


def test_every_puzzle_has_words() -> None:
    assert set(words("puzzle")["variants"]) == {*solver.TASKS, "daily", "own"}
    assert set(words("puzzle")["goals"]) == set(RULES)
