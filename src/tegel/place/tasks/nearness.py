"""Whether positions that somebody asks about are near running games; it runs in the pool. First a
task says what is asked, then others compare it with the running games, some at a time. See
`room.fairness`."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import chain

from tegel import games
from tegel.game import Move, State
from tegel.games import BadRecord
from tegel.place.tasks import study_trees
from tegel.record import Record
from tegel.room.fairness import Asked, Running, Tie, asked_each, asked_line, nearest
from tegel.room.replays import reached

BEFORE = 12  # moves before a position that are compared too
ALIKE = 8  # positions of a line that are compared with one game, more or less, where the later hold
# the earlier ones: most share so little that the next is half as large
TOGETHER = 1_000  # comparisons of one task: some tenths of a second


def asked_end(record: Record) -> Asked | None:
    """The position at the end of a record. Where pieces leave the board, also those shortly
    before it: what the best answer to a move is says what the move is worth. Elsewhere a later
    position holds the earlier ones."""
    before = 0 if games.load(record.game).lasting else BEFORE
    since = max(0, len(record.moves) - before)
    state = reached(record, since)
    later = (ply.after for ply in games.replay(games.bounded(record), since, state))
    return asked_each(chain([state], later))


def asked_record(record: Record) -> Asked | None:
    """All positions of a record."""
    return asked_line(_line(record))


def asked_text(text: str) -> Asked | None:
    """All positions of a record that somebody brings, as far as it can be played: whether the
    rest of it can is what nobody may say yet."""
    return asked_line(_played(games.read(text)))


def asked_tree(text: str) -> Asked | None:
    """The same of a tree: its beginning, and all positions where a line of it ends."""
    one = study_trees.read(text)
    if games.load(one.game).footprint is None:
        return None
    return asked_each(chain([games.start(one.record())], study_trees.ends(one)))


def near(asked: Asked, running: Sequence[Running]) -> Tie | None:
    """Why somebody must not be helped with what they ask; None if nothing is near."""
    return nearest(asked, running)


def parts(asked: Asked, running: Sequence[Running]) -> Iterator[tuple[Asked, Sequence[Running]]]:
    """What is to be compared, in parts of some tenths of a second, so that others get their
    turn."""
    if asked.line:
        some, each = len(asked.positions), min(ALIKE, len(asked.positions))
    else:
        some = each = min(TOGETHER, len(asked.positions))
    games = max(1, TOGETHER // each)
    for first in range(0, len(asked.positions), some):
        part = asked._replace(positions=asked.positions[first : first + some])
        for begin in range(0, len(running), games):
            yield part, running[begin : begin + games]


def _line(record: Record) -> Iterator[State[Move]]:
    if games.load(record.game).footprint is not None:
        yield games.start(record)
        yield from (ply.after for ply in games.replay(games.bounded(record)))


def _played(record: Record) -> Iterator[State[Move]]:
    with suppress(BadRecord):
        yield from _line(record)
