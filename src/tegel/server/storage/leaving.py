"""All that is stored about somebody, as rows: read for an export, and deleted."""

from collections.abc import Callable, Collection
from typing import Any

import sqlalchemy as sa

from tegel.place.accounts.standing import OVER
from tegel.place.accounts.store import Reservation
from tegel.server.storage import tables
from tegel.server.storage.pairing import forget_seeker
from tegel.server.storage.redaction import forget_names
from tegel.server.storage.reservations import reserve
from tegel.server.storage.rooms import SqlRooms
from tegel.server.storage.standing import note
from tegel.server.storage.storage import Storage

OWN: tuple[sa.Column[str], ...] = (
    tables.passkeys.c.player,
    tables.blocks.c.player,
    tables.blocks.c.blocked,
    tables.networks.c.player,
    tables.devices.c.player,
    tables.outbox.c.player,
    tables.no_shows.c.who,
    tables.profiles.c.player,
    tables.studies.c.player,
    tables.moment_tries.c.player,
)
"""What goes with a player: rows in which these columns name them. Games stay, and so do reports,
which know players by their ids."""
NAMED: tuple[sa.Column[str], ...] = (
    *OWN,
    tables.players.c.id,
    tables.guests.c.id,
    tables.guests.c.player,
    tables.names.c.player,
    tables.seats.c.player,
    tables.played.c.player,
    tables.ratings.c.player,
    tables.reports.c.player,
    tables.standing.c.player,
)
"""Where somebody is named of whom anything is stored. Cookies of others need not end: they are as
good as new."""
TOLD: dict[str, tuple[sa.Column[str], tuple[sa.Column[Any], ...]]] = {
    "players": (
        tables.players.c.id,
        (tables.players.c.id, tables.players.c.name, tables.players.c.handle, tables.players.c.at),
    ),
    "guests": (tables.guests.c.player, (tables.guests.c.id,)),
    "passkeys": (
        tables.passkeys.c.player,
        (tables.passkeys.c.id, tables.passkeys.c.key, tables.passkeys.c.counter,
         tables.passkeys.c.at, tables.passkeys.c.used),
    ),
    "reserved": (tables.reserved.c.player, (tables.reserved.c.until,)),
    "standing": (
        tables.standing.c.player,
        (tables.standing.c.generation, tables.standing.c.banned, tables.standing.c.at),
    ),
    "names": (tables.names.c.player, (tables.names.c.room, tables.names.c.name)),
    "networks": (tables.networks.c.player, (tables.networks.c.network, tables.networks.c.at)),
    "devices": (
        tables.devices.c.player,
        (tables.devices.c.endpoint, tables.devices.c.language, tables.devices.c.at),
    ),
    "profiles": (tables.profiles.c.player, tuple(tables.profiles.c)[1:]),
    "ratings": (tables.ratings.c.player, tuple(tables.ratings.c)[1:]),
    "played": (tables.played.c.player, tuple(tables.played.c)[1:]),
    "moments": (tables.moment_tries.c.player, tuple(tables.moment_tries.c)[1:]),
    "no_shows": (tables.no_shows.c.who, tuple(tables.no_shows.c)[1:]),
    "blocks": (tables.blocks.c.player, (tables.blocks.c.room, tables.blocks.c.at)),
    "reports": (
        tables.reports.c.player,
        (tables.reports.c.room, tables.reports.c.reported, tables.reports.c.reason,
         tables.reports.c.at),
    ),
}  # fmt: skip
"""What an export tells besides rooms: by which column rows are somebody's, and what of them."""


class SqlLeaving:
    def __init__(self, database: Storage) -> None:
        self.database = database

    async def guests(self, player: str) -> list[str]:
        c = tables.guests.c
        found = await self.database.rows(sa.select(c.id).where(c.player == player))
        return [row.id for row in found]

    async def about(self, players: Collection[str]) -> dict[str, list[dict[str, object]]]:
        told: dict[str, list[dict[str, object]]] = {}
        for key, (whose, columns) in TOLD.items():
            query = sa.select(*columns).where(whose.in_(players))
            told[key] = [dict(row._mapping) for row in await self.database.rows(query)]
        return told

    async def rooms(self, players: Collection[str]) -> list[str]:
        c = tables.seats.c
        found = await self.database.rows(sa.select(c.room).where(c.player.in_(players)).distinct())
        return [row.room for row in found]

    async def room(self, id: str) -> dict[str, object]:
        found = await self.database.rows(sa.select(tables.rooms).where(tables.rooms.c.id == id))
        log = [tuple(row) for row in await SqlRooms(self.database).tail(id)]
        return {**(dict(found[0]._mapping) if found else {"id": id}), "log": log}

    async def studies(self, players: Collection[str]) -> list[str]:
        c = tables.studies.c
        found = await self.database.rows(sa.select(c.id).where(c.player.in_(players)))
        return [row.id for row in found]

    async def study(self, id: str) -> dict[str, object]:
        s, r = tables.studies, tables.study_rows
        found = await self.database.rows(sa.select(s).where(s.c.id == id))
        query = sa.select(r.c.seq, r.c.at, r.c.text).where(r.c.study == id).order_by(r.c.seq)
        log = [tuple(row) for row in await self.database.rows(query)]
        return {**(dict(found[0]._mapping) if found else {"id": id}), "log": log}

    async def is_stored(self, player: str) -> bool:
        here = [sa.exists().where(column == player) for column in NAMED]
        return bool((await self.database.rows(sa.select(sa.or_(*here))))[0][0])

    async def delete(self, player: str, key: Callable[[str], str], now: int, until: int) -> None:
        await self.database.write(lambda connection: _delete(connection, player, key, now, until))


def _delete(
    connection: sa.Connection, player: str, key: Callable[[str], str], now: int, until: int
) -> None:
    _reserve(connection, player, key, until)
    g = tables.guests.c
    guests = connection.scalars(sa.select(g.id).where(g.player == player)).all()
    for self_ in (player, *guests):
        forget_names(connection, self_)
        own = sa.select(tables.studies.c.id).where(tables.studies.c.player == self_)
        rows = tables.study_rows
        connection.execute(sa.delete(rows).where(rows.c.study.in_(own)))
        connection.execute(sa.delete(tables.players).where(tables.players.c.id == self_))
        for column in OWN:
            connection.execute(sa.delete(column.table).where(column == self_))
        forget_seeker(connection, self_)
        note(connection, self_, now, generation=OVER)
    connection.execute(sa.delete(tables.guests).where(g.player == player))


def _reserve(connection: sa.Connection, player: str, key: Callable[[str], str], until: int) -> None:
    """Reserve the name of who leaves, and what was reserved for them, for nobody."""
    p, s, r = tables.players.c, tables.standing.c, tables.reserved.c
    own = sa.update(tables.reserved).where(r.player == player)
    connection.execute(own.values(player=""))
    if handle := connection.scalar(sa.select(p.handle).where(p.id == player)):
        banned = connection.scalar(sa.select(s.banned).where(s.player == player))
        reserve(connection, Reservation(key(handle), None if banned else until))
