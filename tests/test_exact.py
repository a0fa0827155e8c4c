"""Endgames are solved exactly: on small late positions the engine finds what the law, searched
by brute force in Python, says that every move is worth."""

import random
from math import tanh
from typing import Any

import pytest

from tegel import games
from tegel.game import CHANCE, State
from tegel.search import kernel
from tegel.search.chance import draw

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not kernel.GAMES, reason="the native engine was not built"),
]

MOST = 2_000  # positions that brute force looks at

# What the engine plays for: how much of it is the win, and the margin that counts as large.
# (Blokus is here for two only: of two sides, whatever grows with the margin will do.)
TASTE = {"blokus": (0.8, 20), "forma": (0.7, 80), "tantrix": (0.7, 8), "imago": (0.85, 8)}
TABLES = [
    ("blokus", "duo"), ("blokus", "two"), ("forma", "two"), ("forma", "four"), ("tantrix", "two"),
    ("tantrix", "three"), ("tantrix", "four"), ("tantrix", "doubles"), ("imago", "imago"),
    ("imago", "shapes"),
]  # fmt: skip

Worth = tuple[tuple[float, ...], tuple[float, ...]]  # by seat: what is played for, the scores


class TooLargeError(Exception):
    pass


class Brute:
    """Every way to the end, by the law; of equals, the move with the smallest code."""

    def __init__(self, name: str) -> None:
        self.game = games.load(name)
        self.share, self.large = TASTE[name]
        self.known: dict[State[Any], Worth] = {}

    def worth(self, state: State[Any]) -> Worth:
        if state not in self.known:
            if len(self.known) >= MOST:
                raise TooLargeError
            self.known[state] = self.found(state)
        return self.known[state]

    def found(self, state: State[Any]) -> Worth:
        if state.outcome:
            return self.reached(state)
        assert self.game.kernel
        moves = sorted(state.moves(), key=self.game.kernel.code)
        return max((self.worth(state.play(m)) for m in moves), key=lambda w: w[0][state.turn])

    def reached(self, state: State[Any]) -> Worth:
        assert state.outcome
        sides, scores, winners = self.game.sides(state), state.scores, state.outcome.winners
        by_side = dict(zip(sides, scores, strict=True))
        values = []
        for seat, score in enumerate(scores):
            others = [theirs for side, theirs in by_side.items() if side != sides[seat]]
            margin = score - sum(others) / len(others)
            won = (seat in winners) / len({sides[winner] for winner in winners})
            values.append(self.share * won + (1 - self.share) * (1 + tanh(margin / self.large)) / 2)
        return tuple(values), tuple(float(score) for score in scores)


def late(name: str, variant: str, rng: random.Random) -> tuple[State[Any], Brute]:
    """The earliest position of a random game that brute force can solve."""
    options = {"layout": "random"} if name == "forma" else {}
    states = [games.load(name).start(variant, **options)]
    while not states[-1].outcome:
        state = states[-1]
        move = draw(state, rng) if state.turn == CHANCE else rng.choice(state.moves())
        states.append(state.play(move))
    chosen = None
    for state in reversed(states[:-1]):
        if state.turn == CHANCE:
            break
        if len(state.moves()) < 2:
            continue
        brute = Brute(name)
        try:
            brute.worth(state)
        except TooLargeError:
            break
        chosen = state, brute
    return chosen or late(name, variant, rng)


def check(state: State[Any], brute: Brute) -> None:
    thinker = kernel.Thinker(state, seed=1, work=10_000.0)
    opinions = thinker.consider(simulations=1_000)
    assert {opinion.move for opinion in opinions} == set(state.moves())
    assert all(opinion.exact for opinion in opinions)
    two = len(set(brute.game.sides(state))) == 2
    for opinion in opinions:
        values, scores = brute.worth(state.play(opinion.move))
        if two:  # another line of play may lead to the same margin
            assert opinion.scores[0] - opinion.scores[1] == pytest.approx(scores[0] - scores[1])
        else:
            assert opinion.scores == pytest.approx(scores)
        if brute.game.name != "blokus":
            assert opinion.values == pytest.approx(values, abs=1e-5)
    own = [opinion.values[state.turn] for opinion in opinions]
    assert own[0] == max(own)


@pytest.mark.parametrize(("name", "variant"), TABLES)
def test_late_positions_are_solved_as_by_brute_force(
    name: str, variant: str, rng: random.Random, soak: bool
) -> None:
    for _ in range(20 if soak else 2):
        check(*late(name, variant, rng))


CORNER = """blokus duo
turn: first
last: 2.0@c7
..............
..FF..FFF...F.
..F....FF.FFF.
.F.......F..F.
.FFFF....F....
.....F...FF.F.
..SFFF....F.F.
..SF..FFFF.FFS
FFFSSSS....SSS
.SFS...SSSS..S
SSF.SSS..S....
.FSS..S.S.S..S
.F.S..S.S.SSS.
..SS....SS..S.
"""


def test_the_first_tile_in_the_first_square_counts() -> None:
    """Tile, colour and square that all have the number 0 are no less there."""
    state: State[Any] = games.load("blokus").read(CORNER)
    brute = Brute("blokus")
    brute.worth(state)
    check(state, brute)


def test_what_is_too_large_is_searched() -> None:
    state = games.load("blokus").start("duo")
    best, *_ = kernel.Thinker(state, seed=1).consider(100)
    assert not best.exact
    assert best.visits
