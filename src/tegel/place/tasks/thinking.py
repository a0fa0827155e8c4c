"""What the processes for analyses do: think about a position, or a game, a slice at a time.

A process keeps what it thinks from one task to the next: `begin...`, then `go_on` again and again,
at last `end`. So whoever asks hears at once what is known, and may stop after any slice."""

from collections.abc import Generator
from importlib.metadata import version
from math import hypot
from typing import Any

import msgspec

from tegel import games
from tegel.game import CHANCE, Move, State
from tegel.place.wire import studies, trees
from tegel.record import Record
from tegel.room.keys import position_key
from tegel.room.replays import reached
from tegel.search import nets
from tegel.search.analysis import PLIES, Analysis, Line, Mind, analyse
from tegel.search.report import MARKS, SURE, Report, reports, throttled, usual

LEAST, MOST = 0.05, 1.0  # seconds for one position of a report
TWICE = 2  # positions that are looked at for a decision, at most: after it, and after the best
SLICE = 0.25  # seconds of a report between two that are told
LONG = 5.0  # seconds for a move that is tried, at the most
MISTAKE = next(least for least, mark in MARKS if mark == "?")  # chance lost

_RUN: list[Generator[Any, None, None]] = []  # what is thought about now


def end() -> None:
    """Forget what was thought about."""
    while _RUN:
        _RUN.pop().close()


def go_on() -> Any:
    """What is known after the next slice; None if there is no more."""
    return next(_RUN[0], None)


def engine(state: State[Move]) -> str:
    """What thinks about a state; what is kept of another engine is not used."""
    net = nets.digest(state)
    return f"{version('tegel')} {f'net {net}' if net else 'rollouts'}"


# Positions


def position(record: Record) -> tuple[str, bool]:
    """Of the position at the end of a record: under which key its analysis is stored, and whether
    there is anything to think about."""
    state = reached(record, len(record.moves))
    return position_key(record.game, state, engine(state)), not state.outcome


def begin_lines(record: Record, seed: int, seconds: float) -> studies.Analysed:
    end()
    _RUN.append(_lines(record, seed, seconds))
    found: studies.Analysed = go_on()
    return found


def _lines(record: Record, seed: int, seconds: float) -> Generator[studies.Analysed, None, None]:
    state = reached(record, len(record.moves))
    known: dict[tuple[str, ...], list[studies.LineStep]] = {}
    for found in analyse(state, seconds=seconds, seed=seed, net=nets.of(state)):
        for line in found.lines:
            if line.moves not in known:
                known[line.moves] = trees.line(record, line.moves)
        yield _analysed(found, known)


def _analysed(
    found: Analysis, known: dict[tuple[str, ...], list[studies.LineStep]]
) -> studies.Analysed:
    return studies.Analysed(
        seat=found.seat,
        side=found.side,
        lines=[_line(line, known[line.moves]) for line in found.lines],
        chance=_rounded(found.chance),
        scores=_rounded(found.scores, 1),
        margin=round(found.margin, 1),
        doubt=round(found.doubt, 4),
        exact=found.exact,
        simulations=found.simulations,
    )


def _line(line: Line, steps: list[studies.LineStep]) -> studies.ThoughtLine:
    return studies.ThoughtLine(
        steps=steps,
        chance=_rounded(line.chance),
        scores=_rounded(line.scores, 1),
        margin=round(line.margin, 1),
        simulations=line.simulations,
        exact=line.exact,
        doubt=round(line.doubt, 4),
    )


def _rounded(values: tuple[float, ...], digits: int = 4) -> tuple[float, ...]:
    return tuple(round(value, digits) for value in values)


# Games


def begin_report(record: Record, seconds: float) -> studies.Judged:
    """The first that is known of a game, of which is thought for so many seconds in all."""
    end()
    _RUN.append(_told(record, seconds))
    found: studies.Judged = go_on()
    return found


def _told(record: Record, seconds: float) -> Generator[studies.Judged, None, None]:
    """A rough look at all of a game; then every decision in its turn."""
    plies = games.replay(games.bounded(record))
    decided = sum(ply.before.turn != CHANCE for ply in plies)
    each = seconds / max(1, TWICE * decided)
    seconds, net = min(MOST, max(LEAST, each)), nets.of(games.start(record))
    for found in throttled(reports(record, seconds=seconds, net=net), SLICE):
        yield _judged(found)


def _judged(found: Report) -> studies.Judged:
    return studies.Judged(
        sides=found.sides,
        plies=found.plies,
        points=msgspec.convert(found.points, list[studies.JudgedPoint], from_attributes=True),
        verdicts=msgspec.convert(found.verdicts, list[studies.Verdict], from_attributes=True),
        tallies=list(found.tallies),
        turning=found.turning,
        part=round(found.judged / max(1, found.plies), 3),
        complete=found.complete,
    )


# A try


def tried(
    record: Record, move: str, best: studies.JudgedLine, played: studies.JudgedLine, seed: int
) -> studies.Tried:
    """What is thought of a move instead of one that was played. It is right if it is within the
    noise of the best and would not be a mistake itself; both are thought about for as long.
    Raises BadNotation or IllegalMove."""
    state = reached(record, len(record.moves))
    side = games.load(record.game).sides(state)[state.turn]
    effort = usual(state, nets.of(state))
    known = best.exact or 2 * best.simulations >= effort
    top = _shown(record, best) if known else _opinion(record, best.moves[0], side, effort, seed)
    own = top if move == best.moves[0] else _opinion(record, move, side, effort, seed)
    lost, gained = top.chance[side] - own.chance[side], own.chance[side] - played.chance[side]
    right = own is top or (lost < MISTAKE and lost <= SURE * hypot(own.doubt, top.doubt))
    better = right or gained > SURE * hypot(own.doubt, played.doubt)
    return studies.Tried(right, better, own, top, _shown(record, played))


def _opinion(
    record: Record, move: str, side: int, simulations: int, seed: int
) -> studies.ThoughtLine:
    state = reached(record, len(record.moves))
    mind = Mind(state, seed, nets.of(state))
    mind.play(games.load(record.game).parse(move))
    mind.deepen(simulations, LONG)
    then = mind.analysis(1, 0.0).lines
    moves = (move, *(then[0].moves if then else ()))[:PLIES]
    return _line(mind.line(moves, mind.standing(), side), trees.line(record, moves))


def _shown(record: Record, line: studies.JudgedLine) -> studies.ThoughtLine:
    return studies.ThoughtLine(
        trees.line(record, line.moves), line.chance, line.scores, line.margin, line.simulations,
        line.exact, line.doubt,
    )  # fmt: skip
