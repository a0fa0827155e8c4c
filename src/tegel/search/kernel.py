"""The native engine from Python: search over the games that have a kernel.

- an **opinion** is what the engine thinks of a move: how often it was tried, how likely
  each seat is to win after it, and how each seat would score;
- a **thinker** follows one game and keeps what it has found out from move to move.

>>> from tegel import games
>>> state = games.load("blokus").start("duo")
>>> if found(state):
...     best = Thinker(state, seed=1).consider(simulations=50)[0]
...     assert best.move in state.moves()
"""

import logging
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from math import inf
from operator import mul
from typing import Any, Literal

from tegel import games
from tegel.game import Game, Kernel, State

if find_spec("tegel.search._kernel"):
    from tegel.search import _kernel

    GAMES = frozenset(_kernel.GAMES)
else:
    GAMES = frozenset()

# code, prior, visits; wins, values and scores by seat
Row = tuple[int, float, int, list[float], list[float], list[float]]
MOST = 2**63 - 1  # simulations: as many as there is time for


@cache
def _told() -> None:
    logging.getLogger("tegel").warning(
        "The native engine was not built; bots search in plain Python, which is much weaker."
    )


def game_of(state: State[Any]) -> Game[Any, Any]:
    """The game that a state belongs to: the folder of its class."""
    return games.load(type(state).__module__.split(".")[2])


def built(game: Game[Any, Any]) -> bool:
    """Whether the engine can play a game; if there is none at all, that is said once."""
    if not GAMES:
        _told()
    return game.kernel is not None and game.name in GAMES


def found(state: State[Any]) -> bool:
    """Whether the engine can play on from here."""
    game = game_of(state)
    return built(game) and game.kernel is not None and game.kernel.covers(state)


@dataclass(frozen=True)
class Opinion:
    move: Any
    visits: int  # simulations that went through it
    prior: float  # how promising it looks before any simulation
    wins: tuple[float, ...]  # by seat, the chance to win; equal winners share
    values: tuple[float, ...]  # by seat, what the engine plays for: wins, with some margin
    scores: tuple[float, ...]  # by seat, the mean score at the end of the simulations


class Thinker:
    """The engine in one game. The same state, seed and number of simulations give the same
    opinions on one thread; several threads search apart, and their opinions are joined."""

    def __init__(self, state: State[Any], seed: int, threads: int = 1, **tuning: float) -> None:
        game = game_of(state)
        if not found(state) or game.kernel is None:
            raise ValueError(f"the engine can't play on from here: {game.name}")
        self.kernel: Kernel[Any, Any] = game.kernel
        chosen = _kernel.Tuning()
        for key, value in tuning.items():
            setattr(chosen, key, value)
        numbers = list(self.kernel.pack(state))
        self.engine, *self.others = [
            _kernel.engine(game.name, numbers, seed + place, chosen) for place in range(threads)
        ]

    def play(self, move: Any) -> None:
        """Make a legal move; what is known about the position after it is kept."""
        for engine in (self.engine, *self.others):
            engine.play(self.kernel.code(move))

    def overlook(self, moves: Iterable[Any]) -> None:
        """Do not consider these moves now; if they are all, consider all."""
        codes = [self.kernel.code(move) for move in moves]
        for engine in (self.engine, *self.others):
            engine.overlook(codes)

    def consider(self, simulations: int = MOST, seconds: float = inf) -> list[Opinion]:
        """Think, and tell what is thought of the moves, best first."""
        self.think(simulations, seconds)
        return self.opinions()

    def think(self, simulations: int = MOST, seconds: float = inf) -> None:
        """Think until this position has been simulated so often, counting what was kept from
        before, or the seconds are over, or the choice is settled. Other threads run
        meanwhile; `stop` ends it from one of them."""
        left = max(0, simulations - self.simulations)
        share = left // (1 + len(self.others))
        with ThreadPoolExecutor(1 + len(self.others)) as pool:
            for engine in self.others:
                pool.submit(engine.think, share, seconds)
            try:
                self.engine.think(left - share * len(self.others), seconds)
            except BaseException:  # Ctrl-C, say
                self.stop()
                raise

    @property
    def simulations(self) -> int:
        """How often this position has been simulated."""
        return sum(row[2] for row in self._rows())

    def opinions(self) -> list[Opinion]:
        rows: dict[int, list[Row]] = {}
        for row in self._rows():
            rows.setdefault(row[0], []).append(row)
        found = [joined(self.kernel.decode(code), same) for code, same in rows.items()]
        return sorted(found, key=lambda found: -found.visits) if self.others else found

    def _rows(self) -> Iterator[Row]:
        for engine in (self.engine, *self.others):
            yield from engine.opinions()

    def stop(self) -> None:
        for engine in (self.engine, *self.others):
            engine.stop()


def joined(move: Any, rows: Sequence[Row]) -> Opinion:
    """What several engines think of a move: the mean, by how often each tried it."""
    visits = [row[2] for row in rows]
    total = sum(visits)

    def mean(column: Literal[3, 4, 5]) -> tuple[float, ...]:
        if len(rows) == 1 or not total:
            return tuple(rows[0][column])
        seats = zip(*(row[column] for row in rows), strict=True)
        return tuple(sum(map(mul, visits, values)) / total for values in seats)

    return Opinion(move, total, rows[0][1], mean(3), mean(4), mean(5))


def packed(state: State[Any]) -> Sequence[int]:
    """A state in numbers, as the kernel has it."""
    kernel = game_of(state).kernel
    assert kernel
    return kernel.pack(state)
