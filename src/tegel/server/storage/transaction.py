"""What one transaction writes: the appends that wait, and other jobs. It takes plain values and
knows no game: while it runs, every other write waits."""

from collections.abc import Callable, Sequence
from typing import Any

import msgspec
import sqlalchemy as sa

from tegel.place.rooms.append import Append
from tegel.server.storage import tables
from tegel.server.storage.dialect import insert
from tegel.server.storage.endings import write_endings
from tegel.server.storage.ratings import write_ratings

Job = Callable[[sa.Connection], object]


_ROOMS = sa.insert(tables.rooms)
SUMMARY = {
    "touched": "bigint", "ply": "integer", "open": "integer", "over": "boolean",
    "waiting": "varchar", "bot": "boolean", "deadline": "bigint", "lease": "varchar",
    "leased": "bigint", "closed": "varchar", "score": "integer", "spent": "bigint",
    "hints": "integer", "eye": "boolean", "footprint": "text", "moves": "integer",
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


_TELL = sa.text(
    "INSERT INTO outbox (room, device, player, ply, due, tries) "
    "SELECT :room, id, player, :ply, :due, 0 FROM devices WHERE player = :player "
    "ON CONFLICT (room, device) DO UPDATE SET player = excluded.player, ply = excluded.ply, "
    "due = excluded.due, tries = 0"
)

_CAME = (
    sa.update(tables.wishes)
    .where(
        tables.wishes.c.player == sa.bindparam("who"),
        tables.wishes.c.room == sa.bindparam("where"),
    )
    .values(came=True)
)
"""What notes that somebody who was paired sits down: with the row by which they do."""

_BULK = {dialect: _bulk(dialect) for dialect in ("sqlite", "postgresql")}
_json = msgspec.json.Encoder().encode


def transaction(
    connection: sa.Connection, appends: Sequence[Append], jobs: Sequence[Job]
) -> list[Any]:
    """Write appends, sorted by room, so that two workers never wait for each other in a
    ring; then what else waits."""
    appends = [*appends, *(append.along for append in appends if append.along)]
    appends.sort(key=lambda append: append.room)
    add, update = _BULK[connection.dialect.name]
    new = [{**append.setup, **append.summary} for append in appends if append.setup]
    if new:
        connection.execute(_ROOMS, new)
    log = [(append.room, *row) for append in appends for row in append.rows]
    if log:
        connection.execute(add, {"rows": _json(log).decode()})
    changes = [
        (append.room, *(append.summary[key] for key in SUMMARY))
        for append in appends
        if not append.setup
    ]
    if changes:
        connection.execute(update, {"rows": _json(changes).decode()})
    sat = sorted((p, append.room) for append in appends for p in append.sat)
    if sat:
        rows = [{"player": p, "room": room} for p, room in sat]
        for table in (tables.seats, tables.playing):
            connection.execute(insert(connection, table).on_conflict_do_nothing(), rows)
    came = [(p, append.room) for append in appends if not append.setup for p in append.sat]
    if came:
        connection.execute(_CAME, [{"who": p, "where": room} for p, room in sorted(came)])
    over = [append.room for append in appends if append.summary["over"]]
    if over:
        connection.execute(sa.delete(tables.playing).where(tables.playing.c.room.in_(over)))
    called = [
        {"room": append.room, "player": player, "name": name}
        for append in appends
        for player, name in sorted(append.names.items())
    ]
    if called:
        naming = insert(connection, tables.names)
        change = {"name": naming.excluded.name}
        naming = naming.on_conflict_do_update(index_elements=["room", "player"], set_=change)
        connection.execute(naming, called)
    for append in appends:
        if append.tell:
            ply, due = append.summary["ply"], append.summary["touched"]
            told = {"room": append.room, "player": append.tell, "ply": ply, "due": due}
            connection.execute(_TELL, told)
    endings = [append.ending for append in appends if append.ending]
    write_endings(connection, endings)
    values = [job(connection) for job in jobs]
    write_ratings(connection, endings)
    return values
