"""The plain tree search, and the levels of bots made of it."""

import pickle
import random
from typing import Any, Self

import pytest

from tegel import games
from tegel.game import CHANCE, State
from tegel.search import mcts
from tegel.search.bot import bot, draw
from toy import GAME as TOY
from toy import State as ToyState

TABLES = [(name, variant) for name in games.names() for variant in games.load(name).variants]


def test_the_better_word_is_found() -> None:
    """In the toy game `b` is worth more than `a`, whatever is drawn."""
    for seed in range(10):
        assert mcts.search(TOY.start("three"), random.Random(seed), 60) == "b"


def test_the_same_seed_finds_the_same_move() -> None:
    state = games.load("blokus").start("duo")
    moves = {mcts.search(state, random.Random(7), 20) for _ in range(3)}
    assert len(moves) == 1
    assert len({mcts.search(state, random.Random(seed), 20) for seed in range(6)}) > 1


def test_one_move_needs_no_thought() -> None:
    class Forced(ToyState):
        def moves(self) -> tuple[str, ...]:
            return ("a",)

        def play(self, move: str) -> Self:
            raise AssertionError(f"it thought about {move}")

    state: State[Any] = Forced(TOY.variants["two"])
    assert mcts.search(state, random.Random(1), 1000) == "a"


def test_time_ends_the_search() -> None:
    ticks = iter(range(1000))
    mcts.search(TOY.start(), random.Random(1), 10**9, 20, clock=lambda: next(ticks))
    assert next(ticks) < 30
    mcts.search(TOY.start(), random.Random(1), 10**9, 0)  # at least one simulation


@pytest.mark.parametrize(("name", "variant"), TABLES)
def test_every_level_plays_every_game(name: str, variant: str, rng: random.Random) -> None:
    """From somewhere in a random game, each level gives a legal move in time."""
    state: State[Any] = games.load(name).start(variant)
    for _ in range(rng.randrange(8, 40)):
        if not state.moves():
            break
        move = draw(state, rng) if state.turn == CHANCE else rng.choice(state.moves())
        state = state.play(move)
    while state.turn == CHANCE and state.moves():
        state = state.play(draw(state, rng))
    if not state.moves():
        return
    state = pickle.loads(pickle.dumps(state))  # as it comes to a process of the pool
    for level in range(1, 10):
        move = bot(level, 0.1)(state, rng)
        assert move in state.moves()


def test_levels_are_one_to_nine() -> None:
    for level in (0, 10, -1):
        with pytest.raises(ValueError, match="1 to 9"):
            bot(level)


def points(levels: tuple[int, int], seed: int) -> float:
    rng, state = random.Random(seed), games.load("blokus").start("duo")
    seats = levels if seed % 2 else levels[::-1]
    while not state.outcome:
        state = state.play(bot(seats[state.turn])(state, rng))
    first = seats.index(levels[0])
    return float(first in state.outcome.winners) / len(state.outcome.winners)


def test_search_beats_chance_and_greed(soak: bool) -> None:
    """Seeded, so it can't fail by bad luck; more games in `make soak`."""
    assert sum(points((4, 1), seed) for seed in range(6)) >= 5
    if soak:
        assert sum(points((6, 3), seed) for seed in range(30)) >= 18
