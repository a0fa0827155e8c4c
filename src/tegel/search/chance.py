"""Chance plays by its odds."""

import random
from typing import TypeVar

from tegel.game import CHANCE, State

M = TypeVar("M")


def draw(state: State[M], rng: random.Random) -> M:
    """A draw by its odds."""
    assert state.turn == CHANCE
    odds = state.odds()
    return rng.choices(list(odds), list(odds.values()))[0]
