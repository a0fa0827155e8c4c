"""What a search thinks of a game: every decision against the best, and how it stood.

- a **verdict** is on one decision: what was played, what was best, and what was lost by it, in
  chance to win and in points;
- a **loss** is the difference between two positions, the one after the best move and the one
  after what was played, each searched on its own and as long. It is told only beyond the noise:
  if it is more than `SURE` standard errors, else it is none;
- a **mark** says how much chance was lost: `?!` from 7 % on, a slip, `?` from 10 % on, a
  mistake, `??` from 20 % on, a blunder;
- a **turning point** is a move with a mark after which another side is the likeliest to win.

Draws, moves without a choice and what the engine does not know (the obstacles that people put on
the board of Forma) are no decisions.

>>> found = report(Record("blokus", "duo", moves=("F.0@d9",)), simulations=100)
>>> [verdict.ply for verdict in found.verdicts], len(found.points), found.complete
([1], 2, True)
"""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import hypot, inf
from typing import Generic, TypeVar

from tegel import games
from tegel.game import CHANCE, BadNotation, State, game_of
from tegel.record import Record
from tegel.search import analysis, nets
from tegel.search.analysis import Analysis, Line, Mind
from tegel.tree import Tree

M = TypeVar("M")
MARKS = ((0.20, "??"), (0.10, "?"), (0.07, "?!"))  # by chance lost, from so much on
SURE = 2.0  # standard errors; less is noise
SLACK = 0.03  # of the chance: what seems to lose less is not looked at again
SHARE = 10  # a decision has so many times fewer simulations than a move of level 9,
WITH_NET = 800  # and with a net no more than these, so that a report of Duo takes under 20 s
PLAIN = 500  # simulations where there is no engine
ROUGH, ROUGHLY = 100, 30  # simulations for the points that come first; with a net
PATIENCE = 4  # times longer that seconds may take where others use the processor too


@dataclass(frozen=True)
class Verdict:
    """What a decision was worth beside the best one."""

    ply: int  # counted from 1
    seat: int
    side: int
    played: Line
    best: Line  # what the search would play; the same as `played` if that is it
    loss: float  # of the chance of who decided, 0 to 1; 0 if it is within the noise
    points: float  # of their margin; 0 if it is within the noise
    doubt: float  # the standard error of the loss, before noise is taken for none
    mark: str  # one of `MARKS`, or nothing


@dataclass(frozen=True)
class Point:
    """How it stood after some plies: what is expected if all go on as well as they can."""

    ply: int  # how many moves were made
    chance: tuple[float, ...]  # by side, to win
    scores: tuple[float, ...]  # by seat, expected at the end
    margin: float  # of the first side: its expected score less the best of another
    doubt: float  # the standard error of the chance of who decides here
    exact: bool
    simulations: int


@dataclass(frozen=True)
class Tally:
    """The decisions of a seat: their mean loss, and how many marks of each kind."""

    seat: int
    decisions: int
    loss: float  # the mean of chance lost
    points: float  # the mean of points lost
    marks: dict[str, int]  # how many of each mark, the worst first


@dataclass(frozen=True)
class Report:
    """A report, or as much of it as there is. First come rough points for the whole graph, then
    decisions are judged from the first on, and the points up to there are as good as they get."""

    game: str
    variant: str
    sides: tuple[int, ...]  # by seat, its side
    colours: tuple[str, ...]  # by side, a paint of the game's pictures
    plies: int  # of the game
    judged: int  # plies that were looked at
    points: tuple[Point, ...]  # for the graph: before the first move, and after each
    verdicts: tuple[Verdict, ...]
    tallies: tuple[Tally, ...]  # by seat
    turning: tuple[int, ...]  # plies of turning points
    seconds: float
    drawn: tuple[int, ...] = ()  # plies that were drawn by lot

    @property
    def complete(self) -> bool:
        """Whether every decision was judged."""
        return self.judged == self.plies


def report(
    game: Record | Tree,
    *,
    seconds: float | None = None,
    simulations: int | None = None,
    seed: int = 1,
    net: "nets.Net | None" = None,
    progress: Callable[[Report], None] | None = None,
) -> Report:
    """The report on a game, of a tree on its main line, with so many seconds or simulations for
    each decision; `progress` is told every report on the way."""
    for found in reports(game, seconds=seconds, simulations=simulations, seed=seed, net=net):
        if progress:
            progress(found)
    return found


def reports(
    game: Record | Tree,
    *,
    seconds: float | None = None,
    simulations: int | None = None,
    seed: int = 1,
    net: "nets.Net | None" = None,
) -> Iterator[Report]:
    """The report as it grows, one for every ply; the last is complete. Close it at any time."""
    record = game.record() if isinstance(game, Tree) else game
    began, start = time.monotonic(), games.start(record)
    if game_of(start).solo:
        raise BadNotation(record.game, "is for one person: nobody plays against anybody")
    plies = list(games.replay(games.bounded(record)))
    final = plies[-1].after if plies else start
    sides, colours = tuple(game_of(start).sides(start)), colours_of(final)
    variant = record.variant or next(iter(game_of(start).variants))
    drawn = tuple(ply.number for ply in plies if ply.before.turn == CHANCE)
    verdicts: list[Verdict] = []
    points: list[Point] = []

    def so_far(judged: int) -> Report:
        return Report(
            record.game, variant, sides, colours, len(plies), judged, tuple(points),
            tuple(verdicts), tuple(tally(seat, verdicts) for seat in range(len(sides))),
            turning(points, verdicts), time.monotonic() - began, drawn,
        )  # fmt: skip

    if simulations is None and seconds is None:
        simulations = usual(start, net)
    rough = ROUGHLY if net else ROUGH
    if simulations is None or simulations > rough:
        walk = Walk(start, rough, seconds, seed, net)
        points.append(walk.point(0))
        for ply in plies:
            walk.go(ply.move)
            points.append(walk.point(ply.number))
            yield so_far(0)
    walk = Walk(start, simulations, seconds, seed, net)
    points[:1] = [walk.point(0)]
    for ply in plies:
        verdict = walk.judged(ply.number, ply.move)
        if verdict:
            verdicts.append(verdict)
        points[ply.number : ply.number + 1] = [walk.point(ply.number)]
        if ply.number < len(plies):
            yield so_far(ply.number)
    yield so_far(len(plies))


def throttled(found: Iterator[Report], seconds: float) -> Iterator[Report]:
    """Some of many reports, with so many seconds between two; and the last."""
    told, latest = 0.0, None
    for latest in found:
        if time.monotonic() - told > seconds:
            yield latest
            told, latest = time.monotonic(), None
    if latest:
        yield latest


def colours_of(state: State[M]) -> tuple[str, ...]:
    """By side, the paint of its first seat's own plane."""
    game = game_of(state)
    own = {
        plane.seats[0]: plane.colour
        for plane in reversed(game.drawing.planes(state))
        if len(plane.seats) == 1 and plane.colour
    }
    sides = game.sides(state)
    return tuple(own.get(list(sides).index(side), "") for side in sorted(set(sides)))


def judge(
    state: State[M],
    move: M,
    *,
    seconds: float | None = None,
    simulations: int | None = None,
    seed: int = 1,
    net: "nets.Net | None" = None,
) -> Verdict | None:
    """The verdict on one move of a position, as its ply 1; none where nothing is decided."""
    if simulations is None and seconds is None:
        simulations = usual(state, net)
    return Walk(state, simulations, seconds, seed, net).judged(1, move)


class Walk(Generic[M]):
    """A search that goes along a game: what it found out about a position it keeps for the
    next, so that nothing is simulated twice."""

    def __init__(
        self,
        state: State[M],
        simulations: int | None,
        seconds: float | None,
        seed: int,
        net: "nets.Net | None",
    ) -> None:
        self.simulations = analysis.MOST if simulations is None else max(1, simulations)
        self.seconds = inf if seconds is None else seconds
        self.seed, self.net = seed, net
        self.mind = Mind(state, seed, net)
        self.found = self.thought()

    def thought(self) -> Analysis:
        """What is thought of the position after all the thinking that is allowed."""
        began = time.monotonic()
        self.deepen(self.mind)
        return self.mind.analysis(1, time.monotonic() - began)

    def deepen(self, mind: Mind[M]) -> None:
        """Think for as long as is allowed. Seconds are those of the processor: a report is kept,
        and must not know less because others were busy while it was made."""
        began, late = time.thread_time(), time.monotonic() + PATIENCE * self.seconds
        left = self.seconds
        while True:
            start = time.monotonic()
            mind.deepen(self.simulations, left)
            if time.monotonic() - start < left:
                return  # enough is known
            left = self.seconds - (time.thread_time() - began)
            if left < self.seconds / 10 or time.monotonic() > late:
                return

    def point(self, ply: int) -> Point:
        """What is thought of the position now, for the graph."""
        found = self.found
        return Point(
            ply, found.chance, found.scores, found.margin, found.doubt, found.exact,
            found.simulations,
        )  # fmt: skip

    def go(self, move: M) -> None:
        """Make a move, and think about the position after it."""
        self.mind.play(move)
        self.found = self.thought()

    def judged(self, ply: int, move: M) -> Verdict | None:
        """What is thought of a move, if it was a decision; then the position is the one after."""
        before, state, mind = self.found, self.mind.state, self.mind
        if not before.lines or len(state.moves()) < 2:
            self.go(move)
            return None
        side, best = before.side, before.lines[0]
        proved = [o for o in mind.opinions() if o.exact and o.move == move]
        self.go(move)
        worth = mind.worth(proved[0]) if proved else mind.standing()
        follows = self.found.lines[0].moves if self.found.lines else ()
        played = mind.line((move, *follows[: analysis.PLIES - 1]), worth, side)
        if best.moves[0] == str(move):
            best = played
        elif not best.exact and (
            best.chance[side] - played.chance[side] > SLACK or best.margin - played.margin > 1
        ):
            best = self.weighed(state, best, side)
        return verdict(ply, before.seat, side, played, best)

    def weighed(self, state: State[M], best: Line, side: int) -> Line:
        """The best line after the same thinking as what was played has had."""
        after = Mind(state.play(game_of(state).parse(best.moves[0])), self.seed, self.net)
        self.deepen(after)
        return after.line(best.moves, after.standing(), side)


def usual(state: State[M], net: "nets.Net | None" = None) -> int:
    """Simulations for a decision if nobody says how many."""
    if net:
        effort = net.effort if isinstance(net, nets.Onnx) else nets.EFFORT
        return min(effort // SHARE, WITH_NET)
    kernel = game_of(state).kernel
    return kernel.effort // SHARE if kernel else PLAIN


def verdict(ply: int, seat: int, side: int, played: Line, best: Line) -> Verdict:
    """What the move that was played is worth beside the best."""
    lost, doubt = best.chance[side] - played.chance[side], hypot(best.doubt, played.doubt)
    loss = lost if lost > SURE * doubt else 0.0
    fewer, about = best.margin - played.margin, hypot(best.margin_doubt, played.margin_doubt)
    points = fewer if fewer > SURE * about else 0.0
    mark = next((mark for least, mark in MARKS if loss >= least), "")
    return Verdict(ply, seat, side, played, best, loss, points, doubt, mark)


def tally(seat: int, verdicts: Sequence[Verdict]) -> Tally:
    """All verdicts on a seat's decisions together."""
    own = [verdict for verdict in verdicts if verdict.seat == seat]
    count = max(1, len(own))
    return Tally(
        seat,
        len(own),
        sum(verdict.loss for verdict in own) / count,
        sum(verdict.points for verdict in own) / count,
        {mark: sum(verdict.mark == mark for verdict in own) for _, mark in MARKS},
    )


def turning(points: Sequence[Point], verdicts: Sequence[Verdict]) -> tuple[int, ...]:
    """The plies of moves with a mark after which another side is the likeliest to win."""
    likeliest = {point.ply: point.chance.index(max(point.chance)) for point in points}
    marked = [verdict.ply for verdict in verdicts if verdict.mark]
    return tuple(ply for ply in marked if likeliest[ply] != likeliest[ply - 1])
