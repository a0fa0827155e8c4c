"""Advice for people: the best few moves of a position, and what each is worth.

>>> from tegel import games
>>> state = games.load("blokus").start("duo")
>>> found = advice(state, seed=1, level=4)
>>> len(found.opinions), found.opinions[0].move in state.moves()
(5, True)
"""

import random
from dataclasses import dataclass
from math import inf
from typing import Generic, Literal, TypeVar

from tegel.game import CHANCE, State
from tegel.search import kernel, mcts
from tegel.search.level import skill

M = TypeVar("M")
LEVEL = 7  # thinks about half a second
MOST = 5  # moves that are told


@dataclass(frozen=True)
class Advice(Generic[M]):
    """What a search thinks of a position. The plain search knows neither chances to win nor
    scores: `wins` and `scores` of its opinions are empty."""

    opinions: list[kernel.Opinion[M]]  # best first
    search: Literal["engine", "plain"]
    simulations: int


def advice(
    state: State[M], seed: int, level: int = LEVEL, seconds: float = inf, most: int = MOST
) -> Advice[M]:
    """The best moves as a level sees them who overlooks nothing, in no more than some
    seconds."""
    if state.outcome:
        raise ValueError("the game is over here")
    if state.turn == CHANCE:
        raise ValueError("chance decides here, nobody else")
    skilled = skill(level)
    if kernel.available(state):
        thinker = kernel.Thinker(state, seed, skilled.net(state))
        considered = thinker.consider(skilled.simulations(state), seconds)
        known = [opinion for opinion in considered if opinion.visits or opinion.exact]
        return Advice((known or considered)[:most], "engine", thinker.simulations)
    simulations, longest = mcts.effort(level)
    tree = mcts.grown(state, random.Random(seed), simulations, min(seconds, longest))
    tried = sorted(tree.root.children.items(), key=lambda item: -item[1].visits)
    opinions = [
        kernel.Opinion(move, node.visits, 0.0, (), tuple(x / node.visits for x in node.totals), ())
        for move, node in tried
        if node.visits
    ]
    return Advice(opinions[:most], "plain", tree.root.visits)
