"""Bots: a bot is one function, from a state to one of its moves."""

import random
import time
from collections.abc import Callable, Mapping
from math import inf
from typing import Any, TypeVar

from tegel.game import CHANCE, State
from tegel.search import kernel, mcts
from tegel.search import level as engine

M = TypeVar("M")
Bot = Callable[[State[Any], random.Random], Any]


def uniform(state: State[M], rng: random.Random) -> M:
    """Any move, each with the same chance."""
    return rng.choice(state.moves())


def greedy(state: State[M], rng: random.Random) -> M:
    """A move that gives the mover the best score at once; ties by lot."""
    best: list[M] = []
    most: int | None = None
    for move in state.moves():
        score = state.play(move).scores[state.turn]
        if most is None or score > most:
            best, most = [], score
        if score == most:
            best.append(move)
    return rng.choice(best)


def hasty(state: State[M], rng: random.Random, seconds: float = inf, most: int = 400) -> M:
    """Greedy among some moves only, as many as there is time for: lists may be long."""
    moves, end = state.moves(), time.monotonic() + seconds
    best: M | None = None
    highest = -inf
    for place in rng.sample(range(len(moves)), min(most, len(moves))):
        score = state.play(moves[place]).scores[state.turn]
        if best is None or score > highest:
            best, highest = moves[place], score
        if time.monotonic() > end:
            break
    assert best is not None
    return best


LEVELS: Mapping[int, tuple[int, float]] = {
    4: (30, 1.0), 5: (75, 2.0), 6: (150, 3.0), 7: (300, 4.0), 8: (600, 6.0), 9: (1200, 8.0),
}  # fmt: skip
"""Simulations and seconds by level of the plain search. Below them: 1 random, 2 random or
greedy, 3 greedy."""


def bot(level: int, seconds: float = inf) -> Bot:
    """The bot of a level from 1 to 9; it takes no longer than some seconds. Where a game has
    a kernel the engine plays, elsewhere the plain search."""
    skill = engine.skill(level)

    def chosen(state: State[Any], rng: random.Random) -> Any:
        if kernel.found(state):
            return engine.chosen(state, skill, rng, seconds)
        if level == 1 or (level == 2 and rng.random() < 0.5):
            return uniform(state, rng)
        if level <= 3:
            return hasty(state, rng, seconds)
        simulations, most = LEVELS[level]
        return mcts.search(state, rng, simulations, min(seconds, most))

    return chosen


BOTS: Mapping[str, Bot] = {"random": uniform, "greedy": greedy}


def draw(state: State[M], rng: random.Random) -> M:
    """A draw by its odds."""
    assert state.turn == CHANCE
    odds = state.odds()
    return rng.choices(list(odds), list(odds.values()))[0]
