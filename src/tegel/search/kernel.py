"""The native engine from Python: search over the games that have a kernel.

- an **opinion** is what the engine thinks of a move: how often it was tried, how likely
  each seat is to win after it, and how each seat would score;
- a **thinker** follows one game and keeps what it has found out from move to move.

>>> from tegel import games
>>> state = games.load("blokus").start("duo")
>>> if available(state):
...     best = Thinker(state, seed=1).consider(simulations=50)[0]
...     assert best.move in state.moves()
"""

import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from math import inf
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from tegel.game import Kernel, State, game_of
from tegel.search import nets

if TYPE_CHECKING:
    from tegel.search._nets import Shape

if find_spec("tegel.search._kernel"):
    from tegel.search import _kernel

    GAMES = frozenset(_kernel.GAMES)
    native = _kernel.engine
    if _kernel.AVX2 and find_spec("tegel.search._kernel_avx2"):
        native = import_module("tegel.search._kernel_avx2").engine
else:
    GAMES = frozenset()

M = TypeVar("M")
MOST = 2**63 - 1  # simulations: as many as there is time for


@cache
def _told() -> None:
    logging.getLogger("tegel").warning(
        "The native engine was not built; bots search in plain Python, which is much weaker."
    )


def available(state: State[M]) -> bool:
    """Whether the engine can play on from here; if it was not built, that is said once."""
    if not GAMES:
        _told()
    game = game_of(state)
    return game.kernel is not None and game.name in GAMES and game.kernel.covers(state)


@dataclass(frozen=True)
class Opinion(Generic[M]):
    """What the engine thinks of a move."""

    move: M
    visits: int  # simulations that went through it
    prior: float  # how promising it looks before any simulation
    wins: tuple[float, ...]  # by seat, the chance to win; equal winners share
    values: tuple[float, ...]  # by seat, what the engine plays for: wins, with some margin
    scores: tuple[float, ...]  # by seat, the mean score at the end of the simulations
    exact: bool = False  # proved: what follows if all play their best
    spreads: tuple[float, ...] = ()  # by seat, the standard deviation of the score, if known


class Thinker(Generic[M]):
    """The engine in one game, always in the position of `state`. The same state, seed and number
    of simulations give the same opinions. With a net (see `nets`) it judges the positions, some
    at a time; else rollouts do."""

    def __init__(
        self,
        state: State[M],
        seed: int,
        net: "nets.Net | None" = None,
        batch: int = nets.BATCH,
        **tuning: float,
    ) -> None:
        game = game_of(state)
        sees = game.name in nets.GAMES if net else available(state)
        if not sees or game.kernel is None:
            raise ValueError(f"the engine can't play on from here: {game.name}")
        self.name, self.seed, self.tuning = game.name, seed, tuning
        self.net, self.batch = net, batch
        self.kernel: Kernel[M, State[M]] = game.kernel
        self.begin(state)

    def begin(self, state: State[M]) -> None:
        """Go on from a state; what was known is forgotten."""
        self.state = state
        packed = list(self.kernel.pack(state))
        self.engine: Any  # native, or a guide
        if self.net:
            self.engine = nets.Guide(
                self.name, packed, self.seed, self.net, self.batch, self.tuning
            )
        else:
            self.engine = native(self.name, packed, self.seed, self.tuning)

    def play(self, move: M) -> None:
        """Make a move; what is known about the position after it is kept. An attempt that is
        not among the moves, as at a table by eye, is resolved by the law alone: the engine
        knows no such move, and begins anew from where it leads."""
        after = self.state.play(move)
        if move in self.state.moves():
            self.engine.play(self.kernel.code(move))
            self.state = after
        else:
            self.begin(after)

    def overlook(self, moves: Iterable[M]) -> None:
        """Do not consider these moves now; if they are all, consider all."""
        self.engine.overlook([self.kernel.code(move) for move in moves])

    def consider(self, simulations: int = MOST, seconds: float = inf) -> list[Opinion[M]]:
        """Think, and tell what is thought of the moves, best first."""
        self.think(simulations, seconds)
        return self.opinions()

    def think(self, simulations: int = MOST, seconds: float = inf) -> None:
        """Think until this position has been simulated so often, counting what was kept from
        before, or the seconds are over, or the choice is settled. Other threads run
        meanwhile; `stop` ends it from one of them."""
        self.engine.think(simulations, seconds)

    def deepen(self, simulations: int = MOST, seconds: float = inf) -> None:
        """As `think`, but on and on though the choice be settled: for the numbers, not the
        move."""
        self.engine.think(simulations, seconds, False)

    def line(self, move: M, plies: int) -> list[M]:
        """A move with what probably follows, up to the next draw."""
        return [
            self.kernel.decode(code) for code in self.engine.line(self.kernel.code(move), plies)
        ]

    @property
    def simulations(self) -> int:
        """How often this position has been simulated; not at all if it was solved."""
        return sum(visits for _, _, visits, *_ in self.engine.opinions())

    def opinions(self) -> list[Opinion[M]]:
        """What is thought of each move now, the best first."""
        return [
            Opinion(
                self.kernel.decode(code),
                visits,
                prior,
                tuple(wins),
                tuple(values),
                tuple(scores),
                exact,
                *map(tuple, spreads),
            )
            for code, prior, visits, wins, values, scores, exact, *spreads in self.engine.opinions()
        ]

    def stop(self) -> None:
        """End the thinking that goes on in another thread."""
        self.engine.stop()


def packed(state: State[M]) -> Sequence[int]:
    """A state in numbers, as the kernel has it."""
    kernel = game_of(state).kernel
    assert kernel
    return kernel.pack(state)


def shape(state: State[M]) -> "Shape":
    """The sizes of what a net sees and says of a position."""
    return nets.shape(game_of(state).name, packed(state))
