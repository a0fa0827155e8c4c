"""Bots that remember what they thought in a game."""

import random

import pytest

from tegel import games
from tegel.search import kernel
from tegel.search.memory import Memory

pytestmark = pytest.mark.skipif(not kernel.GAMES, reason="the native engine was not built")


def test_a_bot_goes_on_from_what_it_knows_after_a_move_it_had_looked_at() -> None:
    memory, rng = Memory(), random.Random(1)
    state = games.load("blokus").start("three")
    state = state.play(memory.choose(state, 6, 60.0, rng))
    [(_, thinker)] = memory.kept
    assert thinker.state == state
    expected = thinker.opinions()[0]
    known = expected.visits
    assert known > 1
    state = state.play(expected.move)
    assert memory.met(state, 7) is None  # another level has thoughts of its own
    assert memory.met(state, 6) is thinker
    assert thinker.state == state
    assert thinker.simulations > known / 2
    assert memory.kept == []


def test_a_bot_begins_anew_in_a_position_it_does_not_know() -> None:
    memory, rng = Memory(), random.Random(1)
    start = games.load("blokus").start("duo")
    memory.choose(start, 6, 60.0, rng)
    elsewhere = start.play(random.Random(9).choice(start.moves()))
    assert memory.met(elsewhere, 6) is None
    assert memory.choose(elsewhere, 6, 60.0, rng) in elsewhere.moves()
    assert len(memory.kept) == 2
    memory.choose(games.load("imago").start("imago"), 6, 0.05, rng)
    assert len(memory.kept) == 2  # and no more


@pytest.mark.parametrize("game", ["blokus", "forma", "tantrix", "imago"])
@pytest.mark.parametrize("level", [2, 7])
def test_two_bots_with_one_memory_play_whole_games(game: str, level: int) -> None:
    memory, rng = Memory(), random.Random(3)
    played = games.load(game)
    state = played.start(next(iter(played.variants)))
    for _ in range(12):
        if state.outcome:
            break
        if state.turn < 0:
            odds = state.odds()
            move = rng.choices(list(odds), list(odds.values()))[0]
        else:
            move = memory.choose(state, level, 0.05, rng)
        state = state.play(move)
