"""Reports: a player tells the host what another did in a game, in one of a few words."""

from typing import NamedTuple

import sqlalchemy as sa

from tegel.room.refused import Refused
from tegel.room.room import Room
from tegel.server.storage import tables
from tegel.server.storage.database import Database

REASONS = ("name", "phrases", "stalling", "cheating", "other")


class Report(NamedTuple):
    room: str
    game: str
    reason: str
    reported: str
    name: str  # what they are called there
    player: str  # who reports
    at: int
    settled: bool


async def report(
    store: Database, room: Room, player: str, seat: int, reason: str, now: int
) -> None:
    """Note what somebody at a table says of another; the last word of each counts."""
    reported = room.chairs[seat].player if seat < len(room.chairs) else ""
    if not room.seats_of(player) or not reported or reported == player:
        raise Refused("reporting", "Players may report another player of their own table.")
    await store.change(
        store.upsert(
            tables.reports, room=room.setup.id, player=player, reported=reported, reason=reason,
            at=now, settled=False,
        )
    )  # fmt: skip


def reports(connection: sa.Connection, *, settled: bool) -> list[Report]:
    """What was reported, the latest first; `settled`: also what was seen to."""
    r, g, n = tables.reports.c, tables.rooms.c, tables.names.c
    named = sa.and_(n.room == r.room, n.player == r.reported)
    tables_ = tables.reports.outerjoin(tables.rooms, g.id == r.room).outerjoin(tables.names, named)
    query = sa.select(
        r.room, sa.func.coalesce(g.game, ""), r.reason, r.reported, sa.func.coalesce(n.name, ""),
        r.player, r.at, r.settled,
    ).select_from(tables_)  # fmt: skip
    query = query if settled else query.where(r.settled.is_(False))
    return [Report(*row) for row in connection.execute(query.order_by(r.at.desc())).all()]
