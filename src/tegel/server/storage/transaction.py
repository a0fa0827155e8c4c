"""What one transaction writes: the appends that wait, and other jobs."""

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import msgspec
import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from tegel.room.log import Row
from tegel.room.room import Room, deadline
from tegel.server.storage import tables

Job = Callable[[sa.Connection], Any]
LEASE = 20_000  # milliseconds that a worker has for a bot's move


@dataclass
class Append:
    """The next rows of a room, and the room after them."""

    rows: Sequence[Row]
    after: Room
    worker: str
    sat: Sequence[str] = ()  # players who have a seat now
    names: Mapping[str, str] = field(default_factory=dict)  # what players are called from now on
    new: bool = False  # the room is made with it
    along: "Append | None" = None  # written in the same transaction, or not at all
    done: asyncio.Future[bool] = field(
        default_factory=lambda: asyncio.get_running_loop().create_future()
    )


# The transaction

_ROOMS = sa.insert(tables.rooms)
SUMMARY = {
    "touched": "bigint", "ply": "integer", "open": "integer", "over": "boolean",
    "waiting": "varchar", "bot": "boolean", "deadline": "bigint", "lease": "varchar",
    "leased": "bigint", "closed": "varchar", "score": "integer", "spent": "bigint",
    "hints": "integer",
}  # fmt: skip
"""The columns of `rooms` that change."""


def _bulk(dialect: str) -> tuple[Any, Any]:
    """Statements that insert rows of the log and change summaries, all in one go: the rows
    are one parameter, a JSON text. Row by row, Python's SQLite driver lets go of the
    interpreter for each, and gets it back only when the busy event loop is interrupted:
    300 moves/s came out where now 1,000 do (bench/load.py)."""
    if dialect == "sqlite":
        picked = ", ".join(f"value ->> {i}" for i in range(4))
        log = f"INSERT INTO log (room, seq, at, text) SELECT {picked} FROM json_each(:rows)"
        changes = ", ".join(f"{key} = v.value ->> {i + 1}" for i, key in enumerate(SUMMARY))
        summary = (
            f"UPDATE rooms SET {changes} FROM json_each(:rows) v WHERE rooms.id = v.value ->> 0"
        )
        return sa.text(log), sa.text(summary)
    each = "jsonb_array_elements(CAST(:rows AS jsonb))"
    log = (
        "INSERT INTO log (room, seq, at, text) SELECT v ->> 0, (v ->> 1)::integer, "
        f"(v ->> 2)::bigint, v ->> 3 FROM {each} v"
    )
    changes = ", ".join(
        f'"{key}" = (v ->> {i + 1})::{kind}' for i, (key, kind) in enumerate(SUMMARY.items())
    )
    summary = f"UPDATE rooms SET {changes} FROM {each} v WHERE rooms.id = v ->> 0"
    # A colon before a name is a parameter to SQLAlchemy; a cast has two.
    return tuple(sa.text(t.replace("::", r"\:\:")) for t in (log, summary))  # type: ignore[return-value]


_BULK = {dialect: _bulk(dialect) for dialect in ("sqlite", "postgresql")}
_json = msgspec.json.Encoder().encode


def transaction(
    connection: sa.Connection, appends: Sequence[Append], jobs: Sequence[Job]
) -> list[Any]:
    """Write appends, sorted by room, so that two workers never wait for each other in a
    ring; then what else waits."""
    appends = [*appends, *(append.along for append in appends if append.along)]
    appends.sort(key=lambda append: append.after.setup.id)
    insert, update = _BULK[connection.dialect.name]
    new = [_room(append.after, append.worker) for append in appends if append.new]
    if new:
        connection.execute(_ROOMS, new)
    log = [(append.after.setup.id, *row) for append in appends for row in append.rows]
    if log:
        connection.execute(insert, {"rows": _json(log).decode()})
    old = [append for append in appends if not append.new]
    if old:
        changes = [
            (append.after.setup.id, *summary(append.after, append.worker).values())
            for append in old
        ]
        connection.execute(update, {"rows": _json(changes).decode()})
    dialect = sqlite if connection.dialect.name == "sqlite" else postgresql
    sat = sorted((p, append.after.setup.id) for append in appends for p in append.sat)
    if sat:
        insert = dialect.insert(tables.seats).on_conflict_do_nothing()
        connection.execute(insert, [{"player": p, "room": room} for p, room in sat])
    called = [
        {"room": append.after.setup.id, "player": player, "name": name}
        for append in appends
        for player, name in sorted(append.names.items())
    ]
    if called:
        naming = dialect.insert(tables.names)
        change = {"name": naming.excluded.name}
        naming = naming.on_conflict_do_update(index_elements=["room", "player"], set_=change)
        connection.execute(naming, called)
    return [job(connection) for job in jobs]


def summary(room: Room, worker: str) -> dict[str, Any]:
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
    }


def _room(room: Room, worker: str) -> dict[str, Any]:
    setup = room.setup
    return {
        "id": setup.id,
        "game": setup.game,
        "variant": setup.variant,
        "options": " ".join(f"{key}={value}" for key, value in setup.options.items()),
        "places": json.dumps([asdict(place) for place in setup.places]),
        "clock": str(setup.clock),
        "listed": setup.listed,
        "at": setup.at,
        **summary(room, worker),
    }
