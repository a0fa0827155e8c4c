"""Whether a position that somebody asks about is near a running game; it runs in the pool. See
`room.fairness`."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import chain
from typing import Any

from tegel import games
from tegel.game import State
from tegel.games import BadRecord
from tegel.place.wire import trees
from tegel.record import Record
from tegel.room.fairness import Running, Tie, nearest
from tegel.room.replays import reached

BEFORE = 12  # moves before a position that are compared too


def near_end(record: Record, running: Sequence[Running]) -> Tie | None:
    """Of the position at the end of a record. Where pieces leave the board, also of those shortly
    before it: what the best answer to a move is says what the move is worth. Elsewhere a later
    position holds the earlier ones."""
    before = 0 if games.load(record.game).lasting else BEFORE
    since = max(0, len(record.moves) - before)
    state = reached(record, since)
    later = (ply.after for ply in games.replay(games.bounded(record), since, state))
    return nearest(chain([state], later), running)


def near_line(record: Record, running: Sequence[Running]) -> Tie | None:
    """Of any position of a record."""
    return nearest(_line(record), running)


def near_text(text: str, running: Sequence[Running]) -> Tie | None:
    """Of any position of a record that somebody brings, as far as it can be played: whether the
    rest of it can is what nobody may say yet."""
    return nearest(_played(games.read(text)), running)


def near_tree(text: str, running: Sequence[Running]) -> Tie | None:
    """The same of a tree: of its beginning, and of all positions where a line of it ends."""
    one = trees.read(text)
    start = games.start(one.record())
    return nearest(chain([start], trees.ends(one)), running) if _compared(one.game) else None


def _line(record: Record) -> Iterator[State[Any]]:
    if _compared(record.game):
        yield games.start(record)
        yield from (ply.after for ply in games.replay(games.bounded(record)))


def _played(record: Record) -> Iterator[State[Any]]:
    with suppress(BadRecord):
        yield from _line(record)


def _compared(game: str) -> bool:
    return games.load(game).footprint is not None
