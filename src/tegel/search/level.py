"""How well the engine plays, from 1 to 9.

A level is a **skill**: a number of simulations, so that it means the same on every machine;
for the weaker ones also the share of moves that are overlooked, and how evenly one of the
good moves is chosen: people miss things, they do not play nonsense."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any

from tegel.game import State
from tegel.search.kernel import Opinion, Thinker


@dataclass(frozen=True)
class Skill:
    simulations: int
    overlooked: float = 0.0  # the chance that a move is not seen at all
    evenness: float = 0.0  # 0: always the best; 1: by how often moves were tried


SKILLS: Mapping[int, Skill] = {
    1: Skill(6, overlooked=0.97, evenness=1.0),
    2: Skill(15, overlooked=0.9, evenness=0.9),
    3: Skill(40, overlooked=0.75, evenness=0.7),
    4: Skill(100, overlooked=0.5, evenness=0.5),
    5: Skill(300, overlooked=0.2, evenness=0.3),
    6: Skill(1_000),
    7: Skill(3_000),
    8: Skill(9_000),
    9: Skill(27_000),
}


def skill(level: int) -> Skill:
    if level not in SKILLS:
        raise ValueError(f"a level is 1 to 9, not {level}")
    return SKILLS[level]


def chosen(
    state: State[Any], level: Skill, rng: random.Random, seconds: float = inf, **tuning: float
) -> Any:
    """The move of a player of some skill, who takes no longer than some seconds."""
    moves = state.moves()
    if len(moves) == 1:
        return moves[0]
    thinker = Thinker(state, rng.getrandbits(60), **tuning)
    if level.overlooked:
        thinker.overlook([move for move in moves if rng.random() < level.overlooked])
    return picked(thinker.consider(level.simulations, seconds), level.evenness, rng)


def picked(opinions: Sequence[Opinion], evenness: float, rng: random.Random) -> Any:
    """The best move or, with some evenness, one of the good ones."""
    if evenness == 0:
        return opinions[0].move
    weights = [opinion.visits ** (1 / evenness) for opinion in opinions]
    return rng.choices(opinions, weights)[0].move if any(weights) else opinions[0].move
