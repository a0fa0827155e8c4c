"""Chance plays by its odds."""

from typing import TypeVar

from tegel.game import CHANCE, State
from tegel.game.chance import Chance

M = TypeVar("M")


def draw(state: State[M], chance: Chance) -> M:
    """A draw by its odds."""
    assert state.turn == CHANCE
    odds = state.odds()
    return chance.choices(list(odds), list(odds.values()))[0]
