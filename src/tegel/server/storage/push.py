"""Devices and what they have yet to be told, as rows."""

from collections.abc import Sequence
from typing import Any

import msgspec
import sqlalchemy as sa

from tegel.place.push.device import Device, device_id
from tegel.place.push.store import Notice
from tegel.server.storage import tables
from tegel.server.storage.dialect import upsert
from tegel.server.storage.storage import Storage

_d, _o = tables.devices.c, tables.outbox.c


class SqlPush:
    def __init__(self, database: Storage) -> None:
        self.database = database

    async def keep(self, player: str, device: Device, now: int, most: int) -> None:
        row = {**msgspec.structs.asdict(device), "id": device.id, "player": player, "at": now}
        newest = sa.select(_d.id).where(_d.player == player).order_by(_d.at.desc())

        def job(connection: sa.Connection) -> None:
            connection.execute(upsert(connection, tables.devices, **row))
            _forget(connection, connection.scalars(newest.offset(most)).all())

        await self.database.write(job)

    async def forget(self, endpoint: str, player: str = "") -> None:
        theirs = [_d.player == player] if player else []
        which = sa.select(_d.id).where(_d.id == device_id(endpoint), *theirs)

        def job(connection: sa.Connection) -> None:
            _forget(connection, connection.scalars(which).all())

        await self.database.write(job)

    async def take(self, until: int, again: int, most: int) -> Sequence[Notice]:
        r = tables.rooms.c
        query = (
            sa.select(tables.outbox, _d.endpoint, _d.key, _d.auth, _d.language, r.waiting, r.game)
            .join(tables.devices, _d.id == _o.device)
            .outerjoin(tables.rooms, r.id == _o.room)
            .where(_o.due <= until)
            .order_by(_o.tries, _o.due)
            .limit(most)
        )
        if not await self.database.rows(query):
            return []

        def job(connection: sa.Connection) -> list[Any]:
            found = connection.execute(query).all()
            taking = sa.update(tables.outbox).values(due=again)
            return [
                row
                for row in found
                if connection.execute(
                    taking.where(_o.room == row.room, _o.device == row.device, _o.due == row.due)
                ).rowcount
            ]

        return list(map(_notice, await self.database.write(job)))

    async def drop(self, notice: Notice) -> None:
        await self.database.change(sa.delete(tables.outbox).where(_is(notice)))

    async def put_off(self, notice: Notice, due: int) -> None:
        change = sa.update(tables.outbox).where(_is(notice))
        await self.database.change(change.values(due=due, tries=notice.tries + 1))

    async def waiting(self, player: str) -> int:
        c, s = tables.rooms.c, tables.seats.c
        mine = sa.select(s.room).where(s.player == player)  # by its key: rooms are many
        query = sa.select(sa.func.count()).where(
            c.id.in_(mine), c.waiting == player, c.over.is_(False)
        )
        return int((await self.database.rows(query))[0][0])


def _notice(row: Any) -> Notice:
    device = Device(row.endpoint, row.key, row.auth, row.language)
    game, waiting = row.game or "", row.waiting or ""  # of a room that is gone: nobody's turn
    return Notice(row.room, row.ply, row.player, device, row.tries, game, waiting)


def _is(notice: Notice) -> sa.ColumnElement[bool]:
    """The row of a notice, if nothing else was to be told since."""
    key = (_o.room == notice.room, _o.device == notice.device.id, _o.ply == notice.ply)
    return sa.and_(*key)


def _forget(connection: sa.Connection, ids: Sequence[str]) -> None:
    connection.execute(sa.delete(tables.outbox).where(_o.device.in_(ids)))
    connection.execute(sa.delete(tables.devices).where(_d.id.in_(ids)))
