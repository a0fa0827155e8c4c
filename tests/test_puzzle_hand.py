"""A puzzle by hand: the promises of every game, place and lift, hints, the terminal."""

import pickle
import random
from pathlib import Path

import pytest

from tegel import games, solver
from tegel.game import BadNotation, IllegalMove
from tegel.games.puzzle import GAME
from tegel.games.puzzle.advice import hint, solution
from tegel.games.puzzle.moves import laid
from tegel.games.puzzle.rules import State, packed, unpacked
from tegel.lattice import forms
from tegel.record import Record
from tegel.solver.check import linked
from tegel.solver.cover import COMPILED
from test_cli import refused, tegel
from test_contract import check_offer, check_picture, check_refusals, check_state

DAY = "daily-1-2026-11-16"
NAMES = ["tetra-8x10", "tetra-8x10-apart", "pentominoes-5x12", "all84", "all84-descending", DAY]


def walked(name: str, rng: random.Random, plies: int) -> tuple[list[State], list[str]]:
    """States of somebody who places and sometimes lifts."""
    states, moves = [GAME.start(name)], list[str]()
    for _ in range(plies):
        legal = states[-1].legal
        if not len(legal):
            break
        laying = len(legal) - len(legal.words)
        index = rng.randrange(laying) if laying and rng.random() < 0.8 else -1
        move = legal[index]
        moves.append(str(move))
        states.append(states[-1].play(move))
    return states, moves


@pytest.mark.parametrize("name", NAMES)
def test_a_puzzle_keeps_the_promises_of_every_game(name: str, rng: random.Random) -> None:
    states, moves = walked(name, rng, 25)
    for state in [states[0], *rng.sample(states, 4)]:
        check_state(GAME, state)
        check_picture(GAME, state)
        check_offer(GAME, state)
        assert not list(solver.faults(state.puzzle, state.lying))
    check_refusals(GAME, [*states], rng)
    record = Record("puzzle", name, {}, {}, tuple(moves))
    assert games.read(str(record)) == record
    end: object = states[-1]
    assert games.final(record) == games.position(str(end)) == end
    assert pickle.loads(pickle.dumps(states[-1])) == states[-1]


def test_place_and_lift() -> None:
    state = GAME.start(DAY)
    tile = state.left[0].id
    move = next(move for move in state.moves() if move.tile == tile)
    after = state.play(move)
    assert after.scores == (5,)
    assert [event.key for event in GAME.events(state, move, after)] == ["placed"]
    for cell in after.lying[0].cells:
        lift = GAME.parse(f"lift@{'abcdefghi'[cell[0]]}{cell[1] + 1}")
        assert lift in after.moves()
        assert after.play(lift) == state, "by any of its squares"
    with pytest.raises(IllegalMove, match=r"There is no tile to lift at a1\."):
        state.play(GAME.parse("lift@a1"))
    with pytest.raises(IllegalMove, match=f"All copies of the tile {tile.replace('-', ' ')}"):
        after.play(next(m for m in state.moves() if m.tile == tile and m not in after.moves()))


def test_moves_may_be_given_by_squares() -> None:
    assert GAME.parse("blue-V3 b19,a20,b20") == GAME.parse("blue-V3.2@a19")
    assert str(GAME.parse("red-O.3@a1")) == "red-O.0@a1"
    for text in (
        "blue-V3 a1,b2,c3",
        "blue-Q a1",
        "Q!.0@a1",
        "F.9@a1",
        "lift",
        "lift@",
        "blue-F",
        "a1,a2",
    ):
        with pytest.raises(BadNotation):
            GAME.parse(text)


def test_B5_colours_take_turns_and_a_lifted_tile_is_owed() -> None:
    state = GAME.start("all84")
    with pytest.raises(IllegalMove, match=r"It is the turn of blue\."):
        state.play(GAME.parse("red-1.0@a1"))
    for text in ("blue-2.0@a19", "yellow-1.0@t20", "red-1.0@t1", "green-1.0@a1", "blue-1.0@b18"):
        state = state.play(GAME.parse(text))
    assert state.colour == "yellow"
    with pytest.raises(IllegalMove, match=r"blue 2 can't be lifted, .* blue hang on it: 1\."):
        state.play(GAME.parse("lift@a20"))
    state = state.play(GAME.parse("lift@b18")).play(GAME.parse("lift@t1"))
    assert state.colour == "red"


def test_descending_bigger_tiles_come_first() -> None:
    state = GAME.start("all84-descending")
    for text in ("blue-I5.0@a16", "yellow-I5.0@t16", "red-I5.0@t1", "green-I5.0@a1"):
        state = state.play(GAME.parse(text))
    with pytest.raises(IllegalMove, match="Bigger tiles come first: blue still has F L5"):
        state.play(GAME.parse("blue-1.0@b15"))
    placed = {tile for tile, _ in state.legal.places}
    assert {len(state.puzzle.kinds[tile].shape) for tile in placed} == {5}


@pytest.mark.parametrize("name", ["all84", "all84-descending"])
def test_what_hangs_on_a_tile_is_what_could_not_be_reached_without_it(
    name: str, rng: random.Random
) -> None:
    for state in walked(name, rng, 40)[0][::5]:
        for lifted in state.lying:
            rest = [p for p in state.lying if p.colour == lifted.colour and p != lifted]
            reached = linked(state.puzzle, rest)
            assert {*state.hanging(lifted)} == {*rest} - {*reached}


def test_one_place_is_judged_as_all_places_are(rng: random.Random) -> None:
    for name in NAMES:
        state = walked(name, rng, 15)[0][-1]
        pool = [move for other in walked(name, rng, 15)[0] for move in other.moves()[:300]]
        for move in rng.sample(pool, min(200, len(pool))):
            try:
                state.play(move)
                assert move in state.moves()
            except IllegalMove:
                assert move not in state.moves()


def test_equal_shapes_lie_in_piles_where_colours_mean_nothing() -> None:
    state = GAME.start("penta-15x16")
    hands = [plane for plane in GAME.drawing.planes(state) if plane.tray]
    assert [plane.name for plane in hands] == ["hand"]
    marks = [mark for mark in GAME.drawing.marks(state) if mark.plane == "hand"]
    assert len(marks) == 48
    piles = {mark.tile.split("-")[1]: list[float]() for mark in marks}
    for mark in marks:
        piles[mark.tile.split("-")[1]].append(mark.cell[0])
    assert len(piles) == 12
    assert all(max(pile) - min(pile) < 0.5 for pile in piles.values())
    apart = [
        plane.name for plane in GAME.drawing.planes(GAME.start("penta-15x16-apart")) if plane.tray
    ]
    assert apart == ["hand.blue", "hand.yellow", "hand.red", "hand.green"]


# One's own puzzle

STEPS = """\
puzzle: two steps
rule: cover
tiles: blue L4*2, red V3

...
....
....
"""


def test_ones_own_puzzle_is_a_table_too() -> None:
    task = solver.parse(STEPS)
    word = packed(task)
    assert " " not in word
    assert unpacked(word) == task
    state = GAME.start("own", text=word)
    assert state.puzzle == task
    way = solution(state, 5)
    assert way
    record = Record("puzzle", "own", {"text": word}, {}, way.moves)
    assert games.final(games.read(str(record))).outcome
    again: object = games.position(str(state))
    assert again == state


def test_tiles_that_somebody_drew_are_laid_as_others_are() -> None:
    text = "puzzle: drawn\ntiles: step, blue six*2\nshape step: X../XX./.XX\nshape six: XXX/XXX\n\n"
    task = solver.parse(text + ".\n..\n#..\n......\n......\n")
    state = GAME.start("own", text=packed(task))
    check_state(GAME, state)
    check_offer(GAME, state)
    assert set(GAME.drawing.sprites_of(state)) == {
        *(f"step.{turn}" for turn in forms(task.kinds["step"].shape)),
        "blue-six.0",
        "blue-six.1",
    }
    way = solution(state, 5)
    assert way
    for move in way.moves:
        state = state.play(GAME.parse(move))
    assert state.outcome
    assert {mark.sprite for mark in GAME.drawing.marks(state)} <= set(GAME.picture(state).sprites)
    again: object = games.position(str(state))
    assert again == state


def test_ones_own_puzzle_must_fit_a_table() -> None:
    for text, reason in (
        ("", "an option is a word"),
        ("hello", "expected a header"),
        ("puzzle:_x|tiles:_blue_Q||..", "no such tile"),
        ("puzzle:_x|tiles:_blue_F*121||..", "120 tiles at most"),
        ("puzzle:_x|tiles:_F|shape_F:_X../XX./.XX||..", "the name of another tile"),
        (f"puzzle:_x|tiles:_{'a' * 50}|shape_{'a' * 50}:_X||..", "too long"),
        (f"puzzle:_x|tiles:_bar|shape_bar:_{'X' * 21}||..", "20 squares at most"),
    ):
        with pytest.raises(BadNotation, match=reason):
            GAME.start("own", text=text)
    with pytest.raises(BadNotation, match="needs its text"):
        GAME.start("own")


def test_a_puzzle_ends_when_it_is_solved() -> None:
    task = solver.load(DAY)
    answer = solver.solve(task).position
    assert answer
    state = GAME.start(DAY)
    for placement in answer:
        assert state.outcome is None
        before, state = state, state.play(laid(placement))
    assert state.outcome
    assert [event.key for event in GAME.events(before, laid(placement), state)] == [
        "placed",
        "solved",
    ]
    with pytest.raises(IllegalMove, match="solved"):
        state.play(GAME.parse("lift@c3"))


# Hints


def test_hints_lead_to_a_solution() -> None:
    state = GAME.start(DAY)
    while not state.outcome:
        event = hint(state)
        assert event.key == "hint"
        state = state.play(GAME.parse(str(event.args["move"])))
    assert len(state.lying) == 5


def test_a_hint_says_no_when_it_is_proved() -> None:
    """The only solution has one place for each tile: any other place is wrong."""
    state = GAME.start(DAY)
    right = {laid(placement) for placement in solver.solve(state.puzzle).position or ()}
    wrong = [move for move in state.moves() if move not in right]
    for move in wrong[:20]:
        assert hint(state.play(move)).key == "impossible"


def test_a_hint_says_when_it_found_nothing_in_time() -> None:
    event = hint(GAME.start("penta-15x16"), seconds=0)
    assert (event.key, event.args["seconds"]) == ("unknown", "0")


@pytest.mark.skipif(not COMPILED, reason="there is no compiled solver here")
@pytest.mark.slow
def test_hints_for_all84_can_be_played(rng: random.Random) -> None:
    state = walked("all84", rng, 6)[0][-1]
    event = hint(state)
    assert event.key == "hint"
    assert state.play(GAME.parse(str(event.args["move"])))


# Solutions


@pytest.mark.slow
@pytest.mark.parametrize("name", ["tetra-8x10-apart", DAY, "all84-descending"])
def test_a_solution_goes_on_from_what_lies_or_begins_anew(name: str, rng: random.Random) -> None:
    if name.startswith("all84") and not COMPILED:
        pytest.skip("there is no compiled solver here")
    state = walked(name, rng, 3)[0][-1]
    way = solution(state, 20)
    assert way
    state = GAME.start(name) if way.fresh else state
    for text in way.moves:
        state = state.play(GAME.parse(text))
    assert state.outcome


def test_a_solution_begins_anew_where_there_is_no_way_on() -> None:
    state = GAME.start(DAY)
    right = {laid(placement) for placement in solver.solve(state.puzzle).position or ()}
    dead = state.play(next(move for move in state.moves() if move not in right))
    way = solution(dead, 20)
    assert way
    assert way.fresh
    first = state.play(GAME.parse(way.moves[0]))
    way = solution(first, 20)
    assert way
    assert not way.fresh


def test_a_hint_can_be_given_up() -> None:
    """The search asks now and then whether to go on."""
    assert hint(GAME.start("penta-15x16"), 60, lambda: True).key == "unknown"
    assert hint(GAME.start("penta-15x16"), 60, lambda: False).key == "hint"


# The command line


@pytest.mark.slow
def test_a_puzzle_by_hand_in_the_terminal(tmp_path: Path) -> None:
    saved = tmp_path / "puzzle.txt"
    answer = solver.solve(solver.load(DAY)).position or ()
    first, *rest = (str(laid(placement)) for placement in answer)
    lines = ["help", "hint", "rules", "red-Q.0@a1", first, f"save {saved}", "undo", first, *rest]
    done = tegel("play", "puzzle", DAY, stdin="\n".join(lines))
    assert (done.returncode, done.stderr) == (0, "")
    assert "Try " in done.stdout
    assert "There is no tile red Q in this puzzle." in done.stdout
    assert "Solved!" in done.stdout
    again = tegel("play", "--load", str(saved), stdin="quit\n")
    assert again.returncode == 0
    assert tegel("play", "puzzle", "daily", stdin="quit\n").returncode == 0
    assert "no such variant" in refused("play", "puzzle", "sudoku")
