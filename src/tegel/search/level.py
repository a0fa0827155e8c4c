"""How well bots play, from 1 to 9.

A level is a **skill**. Weak ones overlook things, as people do: of n moves they see about
n ** v, with v drawn anew each turn between the bounds of their **sight**, so that attention
comes and goes; with one exponent for all games, a beginner sees a few of Blokus's two hundred
places and a few dozen of Forma's twenty thousand. The weakest two are **hasty** and take what
scores most at once of what they see, in games where that means something. The others simulate,
a number of times and not of seconds, so that a level means the same on every machine: from
`LEAST` by equal factors to the game's `Kernel.effort`. From `NETTED` on they have a net where one
comes with the variant: then from `JUDGED` by equal factors to the net's own effort. Of moves that
the search finds as good as each other any may be played, so that no two games need be the same.
At a table by eye weak ones **slip**, and put a tile one square off."""

import random
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import TypeVar

from tegel.game import State, game_of
from tegel.search import nets
from tegel.search.kernel import Opinion, Thinker

M = TypeVar("M")
LEAST = 50  # simulations of the weakest level that is not hasty
NETTED = 3 / 6  # reach from which on nets play
JUDGED = 40  # simulations of the weakest level with a net
EQUAL, OFTEN = 0.01, 0.3  # a move is as good: in value, and tried so often beside the best;
FIRST = 0.06, 0.02  # good enough to begin with
WEIGHED = 400  # moves that are played to see what they score; lists may be long


@dataclass(frozen=True)
class Skill:
    """What a level sees and how much it thinks."""

    reach: float  # from 0, `LEAST` simulations, to 1, the most
    sight: tuple[float, float] = (1.0, 1.0)
    slips: float = 0.0  # how likely a tile is put down beside the place that was meant

    @property
    def hasty(self) -> bool:
        """Whether it simulates less than the least: at all only where haste would be blind."""
        return self.reach < 0

    @property
    def whole(self) -> bool:
        """Whether it sees every move, and plays the best."""
        return self.sight == (1.0, 1.0)

    def net(self, state: State[M]) -> nets.Onnx | None:
        """The net it plays with, if any."""
        if self.reach < NETTED:
            return None
        return nets.of(state)

    def simulations(self, state: State[M]) -> int:
        """How many a move; with the net, if it has one."""
        kernel = game_of(state).kernel
        assert kernel
        if net := self.net(state):
            part = (self.reach - NETTED) / (1 - NETTED)
            judged: float = (net.effort / JUDGED) ** part
            return round(JUDGED * judged)
        factor: float = (kernel.effort / LEAST) ** self.reach
        return round(LEAST * factor)


SKILLS: Mapping[int, Skill] = {
    1: Skill(-1 / 6, (0.3, 0.6), slips=0.06),
    2: Skill(-1 / 6, (0.5, 0.9), slips=0.03),
    3: Skill(0 / 6, (0.4, 1.0), slips=0.015),
    4: Skill(1 / 6, (0.6, 1.0)),
    5: Skill(2 / 6, (0.8, 1.0)),
    6: Skill(3 / 6),
    7: Skill(4 / 6),
    8: Skill(5 / 6),
    9: Skill(6 / 6),
}


def skill(level: int) -> Skill:
    """The skill of a level."""
    if level not in SKILLS:
        raise ValueError(f"a level is 1 to 9, not {level}")
    return SKILLS[level]


def seen(moves: Sequence[M], sight: tuple[float, float], rng: random.Random) -> list[M]:
    """Some of the moves, in any order; all of them with a sight of 1."""
    count = round(len(moves) ** rng.uniform(*sight))
    return [moves[place] for place in rng.sample(range(len(moves)), max(1, count))]


def greediest(state: State[M], moves: Sequence[M], rng: random.Random, seconds: float = inf) -> M:
    """The one of some moves that gives the mover the best score at once, ties by lot; of
    those, if there is little time, that could be looked at."""
    best, most, end = [moves[0]], -inf, time.monotonic() + seconds
    for move in moves:
        score = state.play(move).scores[state.turn]
        if score > most:
            best, most = [], score
        if score == most:
            best.append(move)
        if time.monotonic() > end:
            break
    return rng.choice(best)


def hasty(
    state: State[M], rng: random.Random, sight: tuple[float, float], seconds: float = inf
) -> M:
    """What scores most at once of some moves."""
    return greediest(state, seen(state.moves(), sight, rng)[:WEIGHED], rng, seconds)


def chosen(state: State[M], skill: Skill, rng: random.Random, seconds: float = inf) -> M:
    """The engine's move with some skill, in no more than some seconds."""
    moves = state.moves()
    if len(moves) == 1:
        return moves[0]
    thinker = Thinker(state, rng.getrandbits(60), skill.net(state))
    if not skill.whole:
        known = set(seen(moves, skill.sight, rng))
        thinker.overlook([move for move in moves if move not in known])
    return decided(thinker, thinker.consider(skill.simulations(state), seconds), rng).move


def decided(thinker: Thinker[M], opinions: Sequence[Opinion[M]], rng: random.Random) -> Opinion[M]:
    """The best move. A net says the same of a position each time: so any of those that it finds
    as good, by how often they were tried; who gained nothing yet has more to choose from."""
    best, turn = opinions[0], thinker.state.turn
    if not thinker.net or not best.visits:  # proved, or the only one
        return best
    early = first(thinker.state)
    apart, often = FIRST if early else (EQUAL, OFTEN)
    good = [
        one
        for one in opinions
        if one.visits >= often * best.visits and one.values[turn] >= best.values[turn] - apart
    ]
    return rng.choices(good, [one.visits ** (0.5 if early else 1.0) for one in good])[0]


def first(state: State[M]) -> bool:
    """Whether who decides gained nothing yet, in games where scores say that."""
    game = game_of(state)
    if not game.kernel or game.kernel.silent:
        return False
    begun = game.start(state.rules.variant)
    return state.scores[state.turn] == begun.scores[state.turn]


def attempted(state: State[M], move: M, skill: Skill, rng: random.Random) -> M:
    """The move, or what becomes of it when the hand slips."""
    near: Sequence[M] = ()
    if rng.random() < skill.slips:
        near = game_of(state).slips(state, move)
    return rng.choice(near) if near else move
