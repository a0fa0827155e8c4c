"""Rooms as rows: their logs, what is due in them, who watches them, and lists of them."""

import json
from collections.abc import Awaitable, Collection, Mapping, Sequence
from typing import Any

import sqlalchemy as sa

from tegel import games
from tegel.place.limits.limits import SITE
from tegel.place.rooms import room_row
from tegel.place.rooms.append import Append
from tegel.place.rooms.room_row import SealedNetwork
from tegel.place.rooms.store import Called, Listing, Sighting, Solved
from tegel.place.steady_clock import SILENCE
from tegel.room.ending import Ending
from tegel.room.log import Row
from tegel.room.setup import Setup
from tegel.server.storage import tables
from tegel.server.storage.dialect import insert
from tegel.server.storage.endings import write_endings
from tegel.server.storage.storage import Storage

MOST_LISTED = 100  # tables
MOST_OWN = 200  # games of one player
LISTED = (
    "id", "game", "variant", "options", "places", "clock", "open", "ply", "over", "waiting", "at",
    "touched", "moves", "deadline", "rated", "spent", "score", "hints", "closed",
)  # fmt: skip


class SqlRooms:
    def __init__(self, database: Storage) -> None:
        self.database = database

    def append(self, append: Append) -> Awaitable[bool]:
        return self.database.append(append)

    async def setup(self, room: str) -> Setup | None:
        query = sa.select(tables.rooms).where(tables.rooms.c.id == room)
        found = await self.database.rows(query)
        return room_row.setup(found[0]) if found else None

    async def tail(self, room: str, since: int = 0, most: int | None = None) -> list[Row]:
        c = tables.log.c
        query = sa.select(c.seq, c.at, c.text).where(c.room == room, c.seq >= since)
        return [Row(*row) for row in await self.database.rows(query.order_by(c.seq).limit(most))]

    async def names(self, room: str) -> dict[str, str]:
        c = tables.names.c
        found = await self.database.rows(sa.select(c.player, c.name).where(c.room == room))
        return {row.player: row.name for row in found}

    async def lengths(self, rooms: Sequence[str]) -> dict[str, int]:
        c = tables.log.c
        query = sa.select(c.room, sa.func.max(c.seq) + 1).where(c.room.in_(rooms))
        return {row[0]: row[1] for row in await self.database.rows(query.group_by(c.room))}

    async def due(self, now: int, but: Collection[str] = (), most: int = 200) -> list[str]:
        c = tables.rooms.c
        free = sa.or_(c.leased < now, c.lease.not_in(alive(now)))
        query = sa.select(c.id).where(
            c.over.is_(False), sa.or_(sa.and_(c.bot.is_(True), free), c.deadline < now)
        )
        query = query.where(c.id.not_in(list(but))) if but else query
        return [row.id for row in await self.database.rows(query.limit(most))]

    async def lease(self, room: str, worker: str, now: int) -> bool:
        c = tables.rooms.c
        free = sa.or_(c.lease == worker, c.leased < now, c.lease.not_in(alive(now)))
        change = (
            sa.update(tables.rooms)
            .where(c.id == room, free)
            .values(lease=worker, leased=now + room_row.LEASE)
        )
        return await self.database.write(
            lambda connection: connection.execute(change).rowcount == 1
        )

    async def release(self, worker: str) -> None:
        c = tables.rooms.c
        change = sa.update(tables.rooms).where(c.lease == worker, c.bot)
        await self.database.change(change.values(leased=0))

    async def put_off(self, room: str, ply: int, deadline: int) -> None:
        c = tables.rooms.c
        change = sa.update(tables.rooms).where(c.id == room, c.ply == ply)
        await self.database.change(change.values(deadline=deadline))

    # Who watches

    async def note_sighting(self, room: str, sighting: Sighting) -> None:
        row = {**sighting._asdict(), "players": json.dumps(sighting.players)}
        await self.database.change(self.database.upsert(tables.presence, room=room, **row))

    async def sightings(self, rooms: Sequence[str], but: str) -> list[Sighting]:
        c = tables.presence.c
        query = sa.select(c.worker, c.players, c.watchers)
        found = await self.database.rows(query.where(c.room.in_(rooms), c.worker != but))
        return [Sighting(row.worker, json.loads(row.players), row.watchers) for row in found]

    # Endings that are not kept yet

    async def unkept(self, most: int) -> list[str]:
        c = tables.unkept.c
        query = sa.select(c.room).order_by(c.room).limit(most)
        return [row.room for row in await self.database.rows(query)]

    async def keep_endings(
        self,
        rooms: Sequence[str],
        endings: Sequence[Ending],
        names: Mapping[str, Mapping[str, str]],
    ) -> None:
        called = [
            {"room": room, "player": player, "name": name}
            for room, players in names.items()
            for player, name in players.items()
        ]

        def job(connection: sa.Connection) -> None:
            write_endings(connection, endings)
            if called:  # as rows of the first edition say
                connection.execute(
                    insert(connection, tables.names).on_conflict_do_nothing(), called
                )
            connection.execute(sa.delete(tables.unkept).where(tables.unkept.c.room.in_(rooms)))

        await self.database.write(job)

    # Lists

    async def listed(self, game: str, since: int, most: int) -> list[Listing]:
        c, number = tables.rooms.c, sa.func.row_number()
        listed = [c.listed.is_(True), c.over.is_(False), c.touched > since]
        listed += [c.game == game] if game else []
        network = sa.case((c.network != "", c.network), else_=c.id)  # of earlier editions: its own
        latest = (c.open == 0, c.touched.desc(), c.id)
        place = number.over(partition_by=network, order_by=latest).label("place")
        found = sa.select(tables.rooms, place).where(*listed).subquery().c
        few = found.place <= most
        site = sa.case((found.site != "", found.site), (found.network != "", found.network),
                       else_=found.id)  # fmt: skip
        last = (found.open == 0, found.place, found.touched.desc(), found.id)
        turn = number.over(partition_by=site, order_by=last).label("turn")
        all_ = sa.select(*found, turn).where(few).subquery().c
        order = (all_.open == 0, all_.turn, all_.touched.desc(), all_.id)
        query = sa.select(*all_).where(all_.turn <= SITE * most).order_by(*order)
        return await self._listings(query.limit(MOST_LISTED))

    async def listed_by(self, network: SealedNetwork, since: int) -> tuple[int, int]:
        c = tables.rooms.c
        on = sa.select(sa.func.count()).where(c.touched > since, c.over.is_(False))
        own = await self.database.rows(on.where(c.network == network.network))
        if not network.site:
            return own[0][0], 0
        around = await self.database.rows(on.where(c.site == network.site))
        return own[0][0], around[0][0]

    async def running(self, player: str, most: int | None = None) -> list[str]:
        c, s = tables.rooms.c, tables.seats.c
        theirs = sa.select(s.room).where(s.player == player)
        query = sa.select(c.id).where(c.id.in_(theirs), c.over.is_(False))
        found = await self.database.rows(query.order_by(c.touched.desc()).limit(most))
        return [row.id for row in found]

    async def rooms_of(self, player: str, *, over: bool) -> list[Listing]:
        c = tables.rooms.c
        mine = sa.select(tables.seats.c.room).where(tables.seats.c.player == player)
        query = sa.select(tables.rooms).where(
            c.id.in_(mine), c.over.is_(over), c.game.not_in(games.solo())
        )
        first = sa.case((c.waiting == player, 0), else_=1)
        query = query.order_by(first, c.touched.desc()).limit(MOST_OWN)
        return await self._listings(query, player)

    async def puzzles_of(self, player: str, most: int) -> list[Listing]:
        c = tables.rooms.c
        mine = sa.select(tables.seats.c.room).where(tables.seats.c.player == player)
        query = sa.select(tables.rooms).where(c.id.in_(mine), c.game.in_(games.solo()))
        found = await self.database.rows(query.order_by(c.touched.desc()).limit(most))
        return [_listing(row) for row in found]

    async def solved(self, variant: str, most: int) -> list[Solved]:
        c, s = tables.rooms.c, tables.seats.c
        solved = (c.game == "puzzle", c.variant == variant, c.over.is_(True), c.closed == "")
        query = (
            sa.select(sa.func.min(c.spent), sa.func.min(c.hints))
            .join(tables.seats, s.room == c.id)
            .where(*solved)
            .group_by(s.player)
            .limit(most)
        )
        return [Solved(*row) for row in await self.database.rows(query)]

    async def _listings(self, query: sa.Executable, but: str = "") -> list[Listing]:
        """The rooms that a query finds, with what their players are called; one is left out."""
        found = await self.database.rows(query)
        c, names = tables.names.c, dict[str, list[Called]]()
        called = sa.select(tables.names).where(
            c.room.in_([row.id for row in found]), c.player != but
        )
        for row in await self.database.rows(called.order_by(c.player)):
            names.setdefault(row.room, []).append(Called(row.player, row.name))
        return [_listing(row, names.get(row.id, ())) for row in found]


def _listing(row: Any, names: Sequence[Called] = ()) -> Listing:
    return Listing(**{key: getattr(row, key) for key in LISTED}, names=names)


def alive(now: int) -> sa.Select[tuple[str]]:
    """The workers that are alive, as a query."""
    c = tables.workers.c
    return sa.select(c.id).where(c.beat >= now - SILENCE)
