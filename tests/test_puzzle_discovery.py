"""Tantrix Discovery by hand: the promises of every game, place and lift, hints, solutions."""

import pickle
import random

import pytest

from tegel import games
from tegel.game import BadNotation, IllegalMove
from tegel.games.tantrix.discovery import GAME
from tegel.games.tantrix.discovery.loops import Stopped, completions, solutions
from tegel.games.tantrix.discovery.rules import Lift, State
from tegel.games.tantrix.field import CENTRE, laid_out
from tegel.record import Record
from test_contract import check_offer, check_picture, check_refusals, check_state


def walked(count: int, rng: random.Random, plies: int) -> tuple[list[State], list[str]]:
    """States of somebody who places and sometimes lifts."""
    states, moves = [GAME.start(str(count))], list[str]()
    for _ in range(plies):
        state = states[-1]
        if not state.moves():
            break
        places = [move for move in state.moves() if not str(move).startswith("lift")]
        move = rng.choice(places if places and rng.random() < 0.8 else state.moves())
        moves.append(str(move))
        states.append(state.play(move))
    return states, moves


@pytest.mark.parametrize("count", [3, 7, 30])
def test_discovery_keeps_the_promises_of_every_game(count: int, rng: random.Random) -> None:
    states, moves = walked(count, rng, 25)
    for state in [states[0], *rng.sample(states, min(4, len(states)))]:
        check_state(GAME, state)
        check_picture(GAME, state)
        check_offer(GAME, state)
    check_refusals(GAME, [*states], rng)
    record = Record("discovery", str(count), {}, {}, tuple(moves))
    assert games.read(str(record)) == record
    end: object = states[-1]
    assert games.final(record) == games.position(str(end)) == end
    assert pickle.loads(pickle.dumps(states[-1])) == states[-1]


def played(*texts: str, count: int = 3) -> State:
    state: State = GAME.start(str(count))
    for text in texts:
        state = state.play(GAME.parse(text))
    return state


def test_a_loop_through_all_tiles_solves_it() -> None:
    field = next(solutions(3))
    way = GAME.solo and GAME.solo.solution(GAME.start("3"), 5, None)
    assert way
    state = played(*way.moves)
    assert state.outcome
    assert state.field == field
    assert [e.key for e in GAME.events(played(*way.moves[:-1]), GAME.parse(way.moves[-1]), state)] \
        == ["placed", "solved"]  # fmt: skip


def test_all_tiles_without_a_loop_are_no_solution_and_say_why() -> None:
    state = played("1.0@0,0")
    rng = random.Random(1)
    while state.left:
        state = state.play(rng.choice([m for m in state.moves() if "lift" not in str(m)]))
    assert state.outcome is None
    assert [flaw.key for flaw in state.flaws] == ["loop"]
    assert state.last
    before = state.play(Lift(state.last.cell))
    keys = [event.key for event in GAME.events(before, state.last, state)]
    assert keys == ["placed", "loop"]


@pytest.mark.parametrize(
    ("begun", "move", "reason"),
    [
        ([], "1.0@1,0", "The first tile goes to 0,0."),
        ([], "4.0@0,0", "There is no tile 4 in this puzzle, only 1 to 3."),
        (["1.0@0,0"], "1.0@1,0", "Tile 1 lies already."),
        (["1.0@0,0"], "2.0@0,0", "A tile lies at 0,0 already."),
        (["1.0@0,0"], "2.0@2,0", "Tile 2 would touch no other at 2,0."),
        (["1.0@0,0"], "2.1@1,0", "The blue edge of tile 2 would touch|The red edge|The yellow"),
        (["1.0@0,0"], "lift@1,0", "There is no tile to lift at 1,0."),
    ],
)
def test_refusals(begun: list[str], move: str, reason: str) -> None:
    state = played(*begun)
    if move == "2.1@1,0":  # whichever turn does not fit
        move = next(
            m for m in (f"2.{t}@1,0" for t in range(6)) if GAME.parse(m) not in state.moves()
        )
    with pytest.raises(IllegalMove, match=reason):
        state.play(GAME.parse(move))


def test_texts_that_are_no_move_or_position_are_refused() -> None:
    for text in ("", "+14", "red", "lift", "lift@a1", "57.0@0,0", "1.9@0,0"):
        with pytest.raises(BadNotation):
            GAME.parse(text)
    for text in ("1.0@0,0\n1.1@1,0", "1.0@0,0\n2.0@0,0", "9.0@0,0", "lift@0,0"):
        with pytest.raises(BadNotation):
            games.position(f"discovery 3\n{text}")


# Completions


@pytest.mark.parametrize("count", [5, 8])
def test_completions_are_the_solutions_that_keep_what_lies(count: int, rng: random.Random) -> None:
    every = set(solutions(count))
    whole = rng.choice(sorted(every, key=lambda field: sorted(field.laid.items())))
    for size in range(1, count):
        cells = [CENTRE, *rng.sample([cell for cell in whole.laid if cell != CENTRE], size - 1)]
        part = laid_out((cell, whole.laid[cell]) for cell in cells)
        kept = {f for f in every if all(f.laid.get(c) == n for c, n in part.laid.items())}
        assert set(completions(part, count)) == kept


def test_a_search_can_be_stopped() -> None:
    with pytest.raises(Stopped):
        next(completions(next(solutions(9)), 9, stop=lambda: True))


def test_hints_lead_to_a_solution_or_prove_that_there_is_none(rng: random.Random) -> None:
    assert GAME.solo
    keys = set()
    for _ in range(20):
        state = walked(7, rng, rng.randrange(5))[0][-1]
        keys.add(GAME.solo.hint(state, 20, None).key)
        while (event := GAME.solo.hint(state, 20, None)).key == "hint":
            state = state.play(GAME.parse(str(event.args["move"])))
            if state.outcome:
                break
        part = state.field
        if not state.outcome:
            assert event.key == "impossible"
            assert not list(completions(part, 7))
    assert keys == {"hint", "impossible"}


def test_a_hint_says_when_it_found_nothing_in_time() -> None:
    assert GAME.solo
    event = GAME.solo.hint(played("1.0@0,0", count=20), 0, None)
    assert (event.key, event.args["seconds"]) == ("unknown", "0")


def test_a_solution_begins_anew_where_there_is_no_way_on(rng: random.Random) -> None:
    assert GAME.solo
    assert GAME.solo
    state = GAME.start("8")
    while GAME.solo.hint(state, 20, None).key == "hint":
        state = walked(8, rng, 4)[0][-1]
    way = GAME.solo.solution(state, 20, None)
    assert way
    assert way.fresh
    assert played(*way.moves, count=8).outcome
