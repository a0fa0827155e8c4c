"""What a search thinks of a position: its best lines, better and better while it runs.

- a **line** is a move with what probably follows, the principal variation, and what it leads to;
- a **chance** is how likely a side is to win, from 0 to 1; equal winners share. A **side** is a
  team, or a seat alone (`Game.sides`): chances are told by side and add up to 1, scores by seat;
- a **doubt** is a standard error: of ten chances that are told, about nine lie within two doubts
  of what many more simulations would say. What is **exact** is proved, and without doubt.

Where chance decides next, a line ends: what it is worth is the mean over all draws. Nothing that
is hidden from players is used: what the bag holds is known to all, what comes out of it to nobody.
Where there is a game but no opinion (it is over, or the obstacles of Forma are being put) there
are no lines.

>>> from tegel import games
>>> state = games.load("blokus").start("duo")
>>> *_, found = analyse(state, simulations=200)
>>> len(found.lines), round(sum(found.chance), 3)
(3, 1.0)
"""

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import inf, sqrt
from typing import Generic, TypeVar

from tegel.game import CHANCE, State, game_of
from tegel.search import kernel, mcts, nets

M = TypeVar("M")
LINES = 3  # that are told
PLIES = 8  # of a line, at most
FIRST = 500  # simulations before the first lines are told
PROVED = 50_000  # as hard as other lines are tried to be proved, in simulations, once the best is
MOST = 2_000_000  # simulations: by then the tree is full
SLICE = 0.2  # seconds between two that are told
TREE = 500  # independent games that a tree is worth at most; measured, see docs/analysis.md
NETTED = 4  # times the root of its simulations: what a tree with a net is worth; measured, too
SPREAD = 10.0  # points by which scores differ from their mean, where a search does not say it


@dataclass(frozen=True)
class Line:
    """A move with what probably follows it, and what that leads to."""

    moves: tuple[str, ...]  # as texts: up to `PLIES`, fewer before a draw or where little is known
    chance: tuple[float, ...]  # by side, to win, after the first move
    scores: tuple[float, ...]  # by seat, expected at the end
    margin: float  # of who decides: their expected score less the best of another side
    simulations: int  # that went through the first move; 0 if it is exact
    exact: bool  # proved: this is what follows if all play their best
    doubt: float  # the standard error of the chance of who decides
    margin_doubt: float  # the standard error of the margin


@dataclass(frozen=True)
class Analysis:
    """What is thought of a position so far. Where nobody decides, because chance does or the
    game is over, there are no lines."""

    seat: int  # who decides; -1: nobody, or chance
    side: int  # their side; the first where nobody decides
    lines: tuple[Line, ...]  # the best first
    chance: tuple[float, ...]  # by side, to win: of the best line, or the mean over all draws
    scores: tuple[float, ...]  # by seat, expected at the end, likewise
    margin: float  # of the first side: its expected score less the best of another
    doubt: float  # the standard error of `chance[side]`
    exact: bool
    simulations: int  # of the position in all; 0 if it is exact
    seconds: float


def analyse(
    state: State[M],
    *,
    lines: int = LINES,
    seconds: float | None = None,
    simulations: int | None = None,
    seed: int = 1,
    net: "nets.Net | None" = None,
) -> Iterator[Analysis]:
    """What is thought of a position, told some times a second, until so many seconds or
    simulations are over, it is solved, or nobody wants more: close it at any time. At least one
    is told. Without limits it ends after `MOST` simulations."""
    began = time.monotonic()
    mind = Mind(state, seed, net)
    most = MOST if simulations is None else max(1, min(simulations, MOST))
    longest = inf if seconds is None else seconds
    done, aim, before = False, FIRST, -1
    while not done:
        mind.deepen(min(most, aim), min(SLICE, longest - (time.monotonic() - began)))
        spent = time.monotonic() - began
        found = mind.analysis(max(1, lines), spent)
        proved = found.exact and (aim >= PROVED or len(found.lines) >= min(lines, mind.choices))
        stuck = found.simulations == before and not found.exact  # the tree is full
        done = proved or stuck or not mind.thinker or found.simulations >= most or spent >= longest
        before = found.simulations
        aim = max(aim, 2 * found.simulations) if not found.exact else 2 * aim
        yield found


@dataclass(frozen=True)
class Worth:
    """What a position or a move leads to."""

    chance: tuple[float, ...]  # by side
    scores: tuple[float, ...]  # by seat
    spreads: tuple[float, ...]  # by seat, the standard deviation of the scores
    simulations: int
    exact: bool = False
    netted: bool = False  # judged by a net

    def doubt(self, side: int) -> float:
        """The standard error of a side's chance: that of a share of so many games. To what was
        simulated a win and a loss are added, so that a few simulations that all end alike do not
        look like certainty."""
        if self.exact:
            return 0.0
        chance = (self.chance[side] * self.simulations + 1) / (self.simulations + 2)
        return sqrt(chance * (1 - chance) / self.games)

    def margin_doubt(self) -> float:
        """The standard error of a margin: what two seats' scores can be off together. Here two
        simulations are added that were off by `SPREAD`."""
        if self.exact:
            return 0.0
        spreads = [
            (s * self.simulations + 2 * SPREAD) / (self.simulations + 2) for s in self.spreads
        ]
        return sum(sorted(spreads)[-2:]) / sqrt(self.games)

    @property
    def games(self) -> float:
        """How many independent games the simulations are worth. Those of one tree are not
        independent: four count as one, and all together never for more than `TREE`. With a net
        each is worth more, and further ones add less."""
        if self.netted:
            return min(TREE, NETTED * sqrt(self.simulations + 2))
        return max(1.0, 1 / (4 / (self.simulations + 2) + 1 / TREE))


class Mind(Generic[M]):
    """A search in one game, and what it makes of the position that it is in."""

    def __init__(self, state: State[M], seed: int, net: "nets.Net | None" = None) -> None:
        self.state, self.seed, self.net = state, seed, net
        self.sides: Sequence[int] = game_of(state).sides(state)
        self.thinker = self._thinker()

    def _thinker(self) -> kernel.Thinker[M] | mcts.Thinker[M] | None:
        """The engine where there is one, else the plain search; none where the game is over, or
        in a part of it that the engine does not know."""
        own = game_of(self.state).kernel
        if self.state.outcome or (own and not own.covers(self.state)):
            return None
        if kernel.available(self.state):
            return kernel.Thinker(self.state, self.seed, self.net)
        return mcts.Thinker(self.state, self.seed)

    @property
    def choices(self) -> int:
        """How many moves there are to choose from."""
        return len(self.state.moves())

    def play(self, move: M) -> None:
        """Make a move; what is known about the position after it is kept."""
        self.state = self.state.play(move)
        if self.thinker and not self.state.outcome:
            self.thinker.play(move)
        else:
            self.thinker = self._thinker()

    def deepen(self, simulations: int, seconds: float = inf) -> None:
        """Think until the position has been simulated so often, or the seconds are over."""
        if self.thinker:
            self.thinker.deepen(simulations, max(0.0, seconds))

    def analysis(self, lines: int, seconds: float) -> Analysis:
        """What is thought of the position."""
        opinions = self.opinions()
        simulations = sum(opinion.visits for opinion in opinions)
        if not opinions or self.state.turn == CHANCE:
            whole = self.whole()
            return Analysis(
                -1, 0, (), whole.chance, whole.scores, self.margin(whole, 0), whole.doubt(0),
                whole.exact, simulations, seconds,
            )  # fmt: skip
        side = self.sides[self.state.turn]
        worths = [self.worth(opinion) for opinion in opinions[:lines]]
        found = [
            self.line(self.following(opinion.move), worth, side)
            for opinion, worth in zip(opinions, worths, strict=False)
        ]
        best = worths[0]
        return Analysis(
            self.state.turn, side, tuple(found), best.chance, best.scores, self.margin(best, 0),
            best.doubt(side), best.exact, simulations, seconds,
        )  # fmt: skip

    def opinions(self) -> list[kernel.Opinion[M]]:
        """What is thought of the moves that something is known of, the best first; if that is
        none, of all."""
        found = self.thinker.opinions() if self.thinker else []
        return [opinion for opinion in found if opinion.visits or opinion.exact] or found

    def following(self, move: M) -> Sequence[M]:
        """A move with what probably follows it."""
        return self.thinker.line(move, PLIES) if self.thinker else (move,)

    def standing(self) -> Worth:
        """What the position is worth if who decides goes on as well as they can; where chance
        decides, the mean over all draws."""
        opinions = self.opinions()
        if not opinions or self.state.turn == CHANCE:
            return self.whole()
        return self.worth(opinions[0])

    def whole(self) -> Worth:
        """What the position is worth by all its simulations, or what is known without any."""
        if outcome := self.state.outcome:
            winners = {self.sides[seat] for seat in outcome.winners} or set(self.sides)
            won = [(side in winners) / len(winners) for side in self.sides]
            return Worth(self._by_side(won), tuple(map(float, self.state.scores)), (), 0, True)
        opinions = self.opinions()
        if not opinions:
            even = 1 / len(set(self.sides))
            scores = tuple(map(float, self.state.scores))
            return Worth(self._by_side([even] * len(self.sides)), scores, (SPREAD,) * 2, 0)
        worths = [self.worth(opinion) for opinion in opinions]
        count = sum(worth.simulations for worth in worths)
        parts = [(worth.simulations / count if count else 1 / len(worths)) for worth in worths]
        return Worth(
            _mixed(parts, (worth.chance for worth in worths)),
            _mixed(parts, (worth.scores for worth in worths)),
            _mixed(parts, (worth.spreads for worth in worths)),
            count,
            netted=self.net is not None,
        )

    def worth(self, opinion: kernel.Opinion[M]) -> Worth:
        """What a move is worth."""
        spreads = opinion.spreads or (SPREAD,) * len(self.sides)
        return Worth(
            self._by_side(opinion.wins), opinion.scores, spreads, opinion.visits, opinion.exact,
            self.net is not None,
        )  # fmt: skip

    def line(self, moves: Sequence[object], worth: Worth, side: int) -> Line:
        """Moves with what they are worth, as a side sees it."""
        return Line(
            tuple(map(str, moves)), worth.chance, worth.scores, self.margin(worth, side),
            worth.simulations, worth.exact, worth.doubt(side), worth.margin_doubt(),
        )  # fmt: skip

    def margin(self, worth: Worth, side: int) -> float:
        """By how much a side leads the best of the others; a team has one score."""
        found = dict(zip(self.sides, worth.scores, strict=True))
        return found[side] - max(score for other, score in found.items() if other != side)

    def _by_side(self, wins: Iterable[float]) -> tuple[float, ...]:
        """Chances by side from those by seat: all seats of a side win together."""
        found = dict(zip(self.sides, wins, strict=True))
        return tuple(found[side] for side in sorted(found))


def _mixed(parts: Sequence[float], of: Iterable[tuple[float, ...]]) -> tuple[float, ...]:
    """The mean of some tuples, entry by entry, each counting for its part."""
    columns = zip(*of, strict=True)
    return tuple(sum(p * x for p, x in zip(parts, column, strict=True)) for column in columns)
