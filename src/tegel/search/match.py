"""Matches: two players, many games, and what the result is worth.

- games come in **pairs** with the same opening and chairs exchanged, so that neither side
  gains from moving first;
- a player is named as in `players`;
- the **interval** is for the mean of pairs, by the normal approximation: nineteen of twenty
  such intervals hold the true value.
"""

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from functools import partial
from math import inf, log10, sqrt
from typing import Any, TypeVar, cast

from tegel import games
from tegel.executors import done
from tegel.game import CHANCE, AnyGame, BadNotation, Game, State
from tegel.record import Record
from tegel.search.chance import draw
from tegel.search.level import hasty
from tegel.search.players import Find, player

M = TypeVar("M")
S = TypeVar("S", bound=State[Any])


@dataclass(frozen=True)
class Pairing:
    """One game of a match."""

    game: str | AnyGame
    variant: str
    options: Mapping[str, str]
    players: tuple[str, str]
    number: int  # from 0; games 2n and 2n + 1 are a pair
    seed: int
    seconds: float = inf
    opening: int = 0  # plies played by lot, the same in both games of a pair


@dataclass(frozen=True)
class Result:
    """How a game of a match ended."""

    number: int
    share: float  # of the win, for the first player
    margin: float  # mean score of the first player's seats less that of the second's
    record: Record


def played(pairing: Pairing, find: Find = player) -> Result:
    """The game played out."""
    game = _loaded(pairing.game)
    rules = game.rules(pairing.variant, dict(pairing.options))
    state = game.begin(rules)
    lot = random.Random(f"{pairing.seed} {pairing.number // 2}")
    moves: list[str] = []

    two = [find(name, pairing.seconds) for name in pairing.players]
    sides = game.sides(state)
    begun, chosen = [], 0
    try:
        for place, one in enumerate(two):
            begun.append(one)
            one.begin(state, hash((pairing.seed, pairing.number, place)) & 2**60 - 1)
        while not state.outcome:
            if state.turn == CHANCE:
                move = draw(state, lot)
            elif chosen < pairing.opening:
                move, chosen = hasty(state, lot, (1.0, 1.0)), chosen + 1
            else:
                move = two[(sides[state.turn] + pairing.number) % 2].choose(state)
            moves.append(str(move))
            state = state.play(move)
            for one in two:
                one.played(move, state)
    finally:
        for one in begun:
            one.end()
    first = [(sides[seat] + pairing.number) % 2 == 0 for seat in range(len(state.scores))]
    assert state.outcome
    names = {f"player-{1 + seat}": pairing.players[not mine] for seat, mine in enumerate(first)}
    return Result(
        pairing.number,
        _share(first, state.outcome.winners),
        _mean(state.scores, first, True) - _mean(state.scores, first, False),
        Record(game.name, rules.variant, pairing.options, names, tuple(moves)),
    )


def _loaded(game: str | AnyGame) -> AnyGame:
    return game if isinstance(game, Game) else games.load(game)


def _share(first: Sequence[bool], winners: Sequence[int]) -> float:
    return sum(first[seat] for seat in winners) / len(winners) if winners else 0.5


def _mean(scores: Sequence[int], first: Sequence[bool], which: bool) -> float:
    chosen = [score for score, mine in zip(scores, first, strict=True) if mine == which]
    return sum(chosen) / len(chosen)


@dataclass
class Tally:
    """The results of a match so far."""

    results: dict[int, Result] = field(default_factory=dict)

    def __str__(self) -> str:
        low, high = self.interval
        return (
            f"{self.rate:.0%} of {self.games} games ({low:.0%} to {high:.0%}), "
            f"{elo(self.rate):+.0f} Elo, margin {self.margin:+.1f}"
        )

    def add(self, result: Result) -> None:
        """Count the result of a game, once."""
        self.results[result.number] = result

    @property
    def games(self) -> int:
        """How many games were played."""
        return len(self.results)

    @property
    def rate(self) -> float:
        """The first player's share of the wins."""
        return sum(result.share for result in self.results.values()) / max(1, self.games)

    @property
    def margin(self) -> float:
        """By how much the first player was ahead in the end, as a mean."""
        return sum(result.margin for result in self.results.values()) / max(1, self.games)

    @property
    def doubt(self) -> float:
        """Half the width of the interval for `rate`."""
        return doubt([result.share for _, result in sorted(self.results.items())])

    @property
    def interval(self) -> tuple[float, float]:
        """Where the share of the wins lies, 19 times in 20."""
        return max(0.0, self.rate - self.doubt), min(1.0, self.rate + self.doubt)


def doubt(shares: Sequence[float]) -> float:
    """Half the width of a 95 % interval for the mean of shares that come in pairs. With one
    win more and one loss more than there were (Agresti and Coull), so that a few games that
    all go one way do not look like certainty.

    >>> round(doubt([1.0] * 100), 3), round(doubt([1.0, 0.0] * 50), 3)
    (0.038, 0.027)
    """
    pairs = [sum(shares[i : i + 2]) / len(shares[i : i + 2]) for i in range(0, len(shares), 2)]
    pairs += [0.0, 1.0]
    mean = sum(pairs) / len(pairs)
    variance = sum((pair - mean) ** 2 for pair in pairs) / (len(pairs) - 1)
    return 1.96 * sqrt(variance / len(pairs))


def elo(rate: float) -> float:
    """The difference in rating that makes one expect this rate.

    >>> round(elo(0.75)), elo(1.0)
    (191, inf)
    """
    if rate <= 0 or rate >= 1:
        return inf if rate >= 1 else -inf
    return 400 * log10(rate / (1 - rate))


def pairings(
    game: str | Game[M, S], variant: str, options: Mapping[str, str],
    players: tuple[str, str], count: int, *, seed: int = 0, seconds: float = inf,
) -> list[Pairing]:  # fmt: skip
    """The games of a match. Where chance decides nothing, each seat's first moves are drawn
    by lot, so that games differ."""
    asked = cast(str | AnyGame, game)
    if (played := _loaded(asked)).solo:
        raise BadNotation(played.name, "is for one person: nobody plays against anybody")
    start = played.start(variant, **options)
    opening = 0 if start.turn == CHANCE else 2 * len(start.scores)
    return [
        Pairing(asked, variant, options, players, number, seed, seconds, opening)
        for number in range(count)
    ]


def run(todo: Iterable[Pairing], pool: Executor, find: Find = player) -> Iterator[Result]:
    """The results of games as they end, in any order: the same on any executor."""
    return done(pool, partial(played, find=find), todo)
