"""Bots: a bot is one function, from a state to one of its moves."""

import random
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from tegel.game import CHANCE, State

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


BOTS: Mapping[str, Bot] = {"random": uniform, "greedy": greedy}


def draw(state: State[M], rng: random.Random) -> M:
    """A draw by its odds."""
    assert state.turn == CHANCE
    odds = state.odds()
    return rng.choices(list(odds), list(odds.values()))[0]
