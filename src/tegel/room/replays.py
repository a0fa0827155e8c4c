"""States of a record without replaying all of it: some on the way are kept.

A state follows from the game, its options and the moves alone, so a digest of these is its name,
whichever record or room asks. A process keeps what it came by, within bounds: the states after
every `STEP` moves, as many as `MOST`, those not asked for longest forgotten."""

from copy import copy
from dataclasses import replace
from hashlib import blake2b

from cachetools import LRUCache

from tegel import games
from tegel.game import Move, State
from tegel.record import Record
from tegel.room.keys import beginning

STEP = 50
MOST = 200
_KEPT = LRUCache[bytes, State[Move]](MOST)


def reached(record: Record, ply: int) -> State[Move]:
    """The state after some moves of a record; raises BadRecord, and BadNotation if there are
    more of them than the game can have."""
    until = games.bounded(replace(record, moves=record.moves[:ply]))
    names = _names(until)
    known = next((n for n in reversed(range(len(names))) if names[n] in _KEPT), 0)
    state = _KEPT[names[known]] if names[known] in _KEPT else games.start(until)
    _keep(names[known], state)
    for step in games.replay(until, known * STEP, state):
        state = step.after
        if step.number % STEP == 0:
            _keep(names[step.number // STEP], state)
    return state


def _names(record: Record) -> list[bytes]:
    """The names of the states after 0, STEP, 2 STEP ... moves."""
    begun = replace(record, headers=beginning(record), moves=(), notes={})
    digest = blake2b(str(begun).encode(), digest_size=20)
    names = [digest.digest()]
    for start in range(0, len(record.moves) - STEP + 1, STEP):
        digest.update("".join(f"{move}\n" for move in record.moves[start : start + STEP]).encode())
        names.append(digest.digest())
    return names


def _keep(name: bytes, state: State[Move]) -> None:
    if name not in _KEPT:
        _KEPT[name] = copy(state)  # without its derived facts, see `Lean`
