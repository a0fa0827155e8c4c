"""Networks, running games, blocks and reports as rows."""

from collections.abc import Collection, Sequence
from typing import NamedTuple

import sqlalchemy as sa

from tegel.place.safety.store import BlockRow, RunningRow
from tegel.server.storage import tables
from tegel.server.storage.storage import Storage


class SqlSafety:
    def __init__(self, database: Storage) -> None:
        self.database = database

    # Networks

    async def note_network(self, network: str, player: str, at: int) -> None:
        row = {"network": network, "player": player, "at": at}
        await self.database.change(self.database.upsert(tables.networks, **row))

    async def forget_networks(self, before: int) -> None:
        c, p, r = tables.networks.c, tables.playing.c, tables.rooms.c
        shared = sa.select(p.player).join(tables.rooms, r.id == p.room)
        playing = shared.where(r.over.is_(False), _compared())
        await self.database.change(
            sa.delete(tables.networks).where(c.at < before, c.player.not_in(playing))
        )

    async def is_one_network(self, players: Collection[str]) -> bool:
        c = tables.networks.c
        query = sa.select(c.network).where(c.player.in_(players)).group_by(c.network)
        query = query.having(sa.func.count() == len(players))
        return bool(await self.database.rows(query.limit(1)))

    # Running games

    async def timed_games(
        self, players: Collection[str], game: str, but: str, most: int
    ) -> list[tuple[str, str]]:
        p, r = tables.playing.c, tables.rooms.c
        query = sa.select(r.id, p.player).join(tables.rooms, r.id == p.room).where(
            p.player.in_(players), r.over.is_(False), r.open == 0, sa.or_(r.rated, r.eye),
            r.clock.like("bank %"), r.game == game, r.id != but,
        )  # fmt: skip
        return [(row.id, row.player) for row in await self.database.rows(query.limit(most))]

    async def games_by_eye(
        self, game: str, but: str, before: int | None, most: int
    ) -> list[RunningRow]:
        r = tables.rooms.c
        query = sa.select(r.id, r.footprint, r.places).where(
            r.eye, r.over.is_(False), r.game == game, r.id != but, _compared()
        )
        query = query if before is None else query.where(r.at < before)
        return await self._running(query.order_by(r.touched.desc()).limit(most))

    async def games_of(
        self, players: Collection[str], game: str, but: str, most: int, *, by_eye: bool
    ) -> list[RunningRow]:
        theirs = tables.playing.c.player.in_(players)
        return await self._running(_playing(theirs, game, but, by_eye).limit(most))

    async def games_beside(
        self, players: Collection[str], networks: Collection[str], game: str, but: str, most: int,
        *, by_eye: bool,
    ) -> list[RunningRow]:  # fmt: skip
        n = tables.networks.c
        theirs = sa.select(n.network).where(n.player.in_(players))
        beside = sa.select(n.player).where(sa.or_(n.network.in_(theirs), n.network.in_(networks)))
        query = _playing(tables.playing.c.player.in_(beside), game, but, by_eye)
        return await self._running(query.limit(most))

    async def _running(self, query: sa.Executable) -> list[RunningRow]:
        return [RunningRow(*row) for row in await self.database.rows(query)]

    # Blocks

    async def count_blocks(self, player: str) -> int:
        query = sa.select(sa.func.count()).where(tables.blocks.c.player == player)
        found: int = (await self.database.rows(query))[0][0]
        return found

    async def add_block(self, player: str, blocked: str, room: str, at: int) -> None:
        row = {"player": player, "blocked": blocked, "room": room, "at": at}
        await self.database.change(self.database.upsert(tables.blocks, **row))

    async def remove_blocks(self, player: str, blocked: Collection[str]) -> None:
        c = tables.blocks.c
        where = sa.and_(c.player == player, c.blocked.in_(blocked))
        await self.database.change(sa.delete(tables.blocks).where(where))

    async def blocks_of(self, player: str) -> list[BlockRow]:
        b, n, s = tables.blocks.c, tables.names.c, tables.seats.c
        theirs = sa.select(sa.func.max(n.name)).where(n.player == b.blocked)
        there = theirs.where(n.room == b.room).scalar_subquery()
        shared = sa.select(s.room).where(s.player == player)
        anywhere = theirs.where(b.room == "", n.room.in_(shared)).scalar_subquery()
        called = sa.func.coalesce(there, anywhere, "")
        query = sa.select(b.blocked, called, b.at).where(b.player == player)
        return [BlockRow(*row) for row in await self.database.rows(query.order_by(b.at.desc()))]

    async def blockers_of(self, player: str, among: Collection[str]) -> set[str]:
        c = tables.blocks.c
        query = sa.select(c.player).where(c.blocked == player, c.player.in_(list(among)))
        return {row.player for row in await self.database.rows(query)}

    async def apart_from(self, player: str, among: Collection[str]) -> set[str]:
        c, some = tables.blocks.c, list(among)
        query = sa.union(
            sa.select(c.player).where(c.blocked == player, c.player.in_(some)),
            sa.select(c.blocked).where(c.player == player, c.blocked.in_(some)),
        )
        return {row[0] for row in await self.database.rows(query)}

    async def pairs_apart(self, players: Sequence[str]) -> set[frozenset[str]]:
        c = tables.blocks.c
        query = sa.select(c.player, c.blocked).where(c.player.in_(players), c.blocked.in_(players))
        return {frozenset(row) for row in await self.database.rows(query)}

    # Reports

    async def note_report(
        self, room: str, player: str, reported: str, reason: str, at: int
    ) -> None:
        row = {"room": room, "player": player, "reported": reported, "reason": reason, "at": at}
        await self.database.change(self.database.upsert(tables.reports, **row, settled=False))


class Report(NamedTuple):
    """What somebody reported. `name`: what the other is called there; `player`: who reports."""

    room: str
    game: str
    reason: str
    reported: str
    name: str
    player: str
    at: int
    settled: bool


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


def _playing(
    theirs: sa.ColumnElement[bool], game: str, but: str, by_eye: bool
) -> sa.Select[tuple[str, str, str]]:
    """The running games of some players, as a query."""
    p, r = tables.playing.c, tables.rooms.c
    query = sa.select(r.id, r.footprint, r.places).join(tables.rooms, r.id == p.room)
    on = [r.over.is_(False), r.game == game, r.id != but, _compared()]
    return query.where(theirs, *on, *([r.eye] if by_eye else []))


def _compared() -> sa.ColumnElement[bool]:
    """Whether a running game has a footprint, or may have one that was not stored yet."""
    r = tables.rooms.c
    return sa.or_(r.footprint != "", r.footprint.is_(None))
