"""Games that are over as rows: how they are written, in the transaction that ends them, and how
their seats are read. Plain values: nothing here asks a game anything."""

from collections.abc import Sequence
from dataclasses import asdict

import msgspec
import sqlalchemy as sa

from tegel.room.ending import Ending, Seated
from tegel.server.storage import tables
from tegel.server.storage.dialect import insert

_SEATS = msgspec.json.Decoder(tuple[Seated, ...])


def write_endings(connection: sa.Connection, endings: Sequence[Ending]) -> None:
    """Keep games that are over; those that are kept already stay as they are."""
    if games := [_game(ending) for ending in endings]:
        connection.execute(insert(connection, tables.endings).on_conflict_do_nothing(), games)
    if parts := [part for ending in endings for part in _parts(ending)]:
        connection.execute(insert(connection, tables.played).on_conflict_do_nothing(), parts)


def _game(ending: Ending) -> dict[str, object]:
    values = {column.name: getattr(ending, column.name) for column in tables.endings.columns}
    return {**values, "seats": msgspec.json.encode(ending.seats).decode()}


def _parts(ending: Ending) -> list[dict[str, object]]:
    common = {key: getattr(ending, key) for key in ("room", "at", "game", "variant")}
    return [{**common, **asdict(part)} for part in ending.parts]


def seats(text: str) -> tuple[Seated, ...]:
    """The seats of a row."""
    return _SEATS.decode(text)
