"""A room as a row of the table `rooms`: how it is written, how it is read.

Both happen outside the transaction, which takes plain values: what asks a game for its facts may
take its time, and all rooms wait for the one writer."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any, NamedTuple

import msgspec

from tegel import record
from tegel.game import CHANCE
from tegel.place.rooms.append import Append
from tegel.room.clock import clock
from tegel.room.ending import Ending
from tegel.room.fairness import is_secret, running_footprint
from tegel.room.log import Row
from tegel.room.room import Room, deadline
from tegel.room.setup import Place, Setup


class SealedNetwork(NamedTuple):
    """A network as it is stored, as keyed hashes: itself and, of IPv6, the /48 around it."""

    network: str
    site: str


NOWHERE = SealedNetwork("", "")
LEASE = 20_000  # milliseconds that a worker has for a bot's move


def append(
    rows: Sequence[Row],
    after: Room,
    worker: str,
    sat: Sequence[str] = (),
    names: Mapping[str, str] | None = None,
    *,
    new: bool = False,
    along: Append | None = None,
    before: Room | None = None,
    ending: Ending | None = None,
    network: SealedNetwork = NOWHERE,
) -> Append:
    """What to write for the next rows of a room, after which it is `after`; `new`: the room is
    made with them, and listed from somewhere; `before`: what it was, if somebody may have to be
    told that it is their turn; `ending`: its game is over with them."""
    setup = {**_columns(after.setup), **network._asdict()} if new else None
    tell = awaited(before, after) if before else ""
    summary = _summary(after, worker)
    return Append(after.setup.id, rows, summary, setup, sat, names or {}, along, tell, ending)


def awaited(before: Room, after: Room) -> str:
    """The player whose turn has come in a game of days, who may be away."""
    if not after.setup.clock.days:
        return ""
    came = (before.position, before.waits_for) != (after.position, after.waits_for)
    return after.waits_for if came else ""


def _summary(room: Room, worker: str) -> dict[str, object]:
    """What the columns of `rooms` say about a room; the worker that wrote the last row
    has the lease to think for a bot."""
    bot = room.waits_for_bot
    return {
        "touched": room.at,
        "ply": room.ply,
        "open": sum(not chair.taken for chair in room.chairs),
        "over": room.over,
        "waiting": room.waits_for,
        "bot": bot,
        "deadline": deadline(room),
        "lease": worker if bot else "",
        "leased": room.at + LEASE if bot else 0,
        "closed": room.closed,
        "score": room.state.scores[0] if room.game.solo else 0,
        "spent": room.watch.at(room.at, room.outages),
        "hints": room.hints,
        "eye": is_secret(room),
        "footprint": running_footprint(room),
        "moves": sum(played.seat != CHANCE for played in room.line),
    }


def _columns(setup: Setup) -> dict[str, object]:
    """The columns that never change."""
    return {
        "id": setup.id,
        "game": setup.game,
        "variant": setup.variant,
        "options": json.dumps(dict(setup.options)),
        "places": json.dumps([asdict(place) for place in setup.places]),
        "clock": str(setup.clock),
        "listed": setup.listed,
        "hinting": setup.hinting,
        "rated": setup.rated,
        "at": setup.at,
    }


def setup(row: Any) -> Setup:
    """How the room of a row begins; raises ValueError if that can't be read."""
    return Setup(
        row.id,
        row.game,
        row.variant,
        tuple(Place(**place) for place in json.loads(row.places)),
        options(row.options),
        clock(row.clock),
        row.listed,
        row.at,
        row.hinting,
        row.rated,
    )


def options(text: str) -> dict[str, str]:
    """The options that a column holds: JSON or, as long ago, `corners=fixed shared=red`."""
    if not text.startswith("{"):
        return record.options(text)
    return msgspec.json.decode(text, type=dict[str, str])
