"""Bots: a bot is one function, from a state to one of its moves."""

import random
from math import inf
from typing import Protocol, TypeVar

from tegel.game import State, game_of
from tegel.search import kernel, mcts
from tegel.search.level import attempted, chosen, greediest, hasty, skill

M = TypeVar("M")


class Bot(Protocol):
    """Who chooses one of the moves of any state, of whichever game."""

    def __call__(self, state: State[M], rng: random.Random, /) -> M: ...


def uniform(state: State[M], rng: random.Random) -> M:
    """Any move, each with the same chance."""
    return rng.choice(state.moves())


def greedy(state: State[M], rng: random.Random) -> M:
    """A move that gives the mover the best score at once; ties by lot."""
    return greediest(state, state.moves(), rng)


def bot(level: int, seconds: float = inf) -> Bot:
    """The bot of a level from 1 to 9; it takes no longer than some seconds."""
    skilled = skill(level)

    def choose(state: State[M], rng: random.Random) -> M:
        own = game_of(state).kernel
        if own and not own.covers(state):
            return rng.choice(own.setup(state))
        silent = own is not None and own.silent  # then haste would be blind
        if skilled.hasty and not (silent and kernel.available(state)):
            move = hasty(state, rng, skilled.sight, seconds)
        elif kernel.available(state):
            move = chosen(state, skilled, rng, seconds)
        else:
            simulations, most = mcts.effort(level)
            move = mcts.search(state, rng, simulations, min(seconds, most))
        return attempted(state, move, skilled, rng)

    return choose
