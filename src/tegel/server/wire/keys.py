"""Which positions somebody asks about, when it is to be told whether one of them stands in a
running game; it runs in the pool. See `room.fairness`.

Whoever asks about a position asks about those it came from, too: what the best answer to a move is
says what the move is worth."""

from contextlib import suppress
from itertools import chain

from tegel import games
from tegel.record import Record
from tegel.room.fairness import position_key
from tegel.server.wire.replays import reached

AHEAD = 12  # moves before a position that are looked at


def keys_at(record: Record, ply: int) -> list[str]:
    """The keys of the position after some moves of a record, and of those shortly before it."""
    since = max(0, ply - AHEAD)
    until = Record(record.game, record.variant, record.options, record.headers, record.moves[:ply])
    state = reached(until, since)
    later = (played.after for played in games.replay(until, since, state))
    return [position_key(one) for one in chain([state], later)]


def keys_by_eye(text: str) -> list[str]:
    """The keys of all positions of a record that may come from a game by eye, as far as it can
    be played: whether the rest of it can is what nobody may say yet."""
    record = games.bounded(games.read(text))
    keys: list[str] = []
    if games.load(record.game).by_eye:
        keys.append(position_key(games.start(record)))
        with suppress(games.BadRecord):
            keys.extend(position_key(ply.after) for ply in games.replay(record))
    return keys
