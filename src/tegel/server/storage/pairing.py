"""Wishes and no-shows as rows. Each question is one query and each change one transaction;
whatever a stranger does, a query reads a bounded number of rows by an index."""

from collections.abc import Collection, Mapping, Sequence

import sqlalchemy as sa

from tegel.place.limits.limits import SITE
from tegel.place.pairing.matching import Wish
from tegel.place.pairing.no_shows import REMEMBERED, hold
from tegel.place.pairing.store import Paired
from tegel.place.rooms.append import Append
from tegel.room.clock import SECOND
from tegel.room.room import NO_SHOW
from tegel.server.storage import tables
from tegel.server.storage.dialect import upsert
from tegel.server.storage.storage import Storage
from tegel.server.storage.transaction import transaction

MOST = 100  # wishes for the same that are read, of the oldest and of the newest
COUNTED = 2_000  # wishes, when it is told how many look
KEPT = 60 * SECOND  # for which a wish without a connection is kept
_c = tables.wishes.c
_FIELDS = [_c[key] for key in Wish._fields if key not in ("shown", "free")]


class SqlPairing:
    def __init__(self, database: Storage) -> None:
        self.database = database

    async def open_wish(self, wish: Wish, alive: Sequence[str], most: int) -> str | None:
        return await self.database.write(lambda connection: _open(connection, wish, alive, most))

    async def close_wish(self, player: str, ticket: str) -> None:
        mine = (_c.player == player, _c.ticket == ticket, _c.room == "")
        await self.database.change(sa.delete(tables.wishes).where(*mine))

    async def close_wishes(self, worker: str) -> None:
        await self.database.change(
            sa.delete(tables.wishes).where(_c.worker == worker, _c.room == "")
        )

    async def open_wishes(self, sought: str, alive: Sequence[str], now: int) -> list[Wish]:
        profiles = tables.profiles.c
        known = {key: tables.no_shows.alias(f"by_{key}") for key in ("player", "network", "site")}
        # Until those who were paired have sat down, no others of their network are, before others.
        paired, never = tables.wishes.alias("paired").c, sa.literal(2 * now, sa.BigInteger)
        waits = sa.select(sa.func.count()).where(paired.room > "", paired.came.is_(False))
        near = waits.where(paired.network == _c.network).correlate(tables.wishes).scalar_subquery()
        around = waits.where(paired.site == _c.site).correlate(tables.wishes).scalar_subquery()
        pending = sa.or_(
            sa.and_(_c.network != "", near > 0), sa.and_(_c.site != "", around >= SITE)
        )
        query = (
            sa.select(
                *_FIELDS,
                sa.func.coalesce(profiles.ratings, sa.false()).label("shown"),
                sa.case((pending, never), else_=0).label("pending"),
                *(sa.func.coalesce(one.c.free, 0).label(f"as_{key}") for key, one in known.items()),
            )
            .select_from(tables.wishes)
            .outerjoin(tables.profiles, profiles.player == _c.player)
            .where(_c.sought == sought, *_is_open(alive))
        )
        for key, one in known.items():
            query = query.outerjoin(one, sa.and_(one.c.who == _c[key], one.c.until > now))
        order = (_c.since, _c.player)
        oldest = query.order_by(*order).limit(MOST).subquery()
        newest = query.order_by(*(one.desc() for one in order)).limit(MOST).subquery()
        rows = await self.database.rows(sa.union(sa.select(oldest), sa.select(newest)))
        behind = 1 + len(known)  # columns that say since when they are free
        found = [Wish._make((*r[: -behind - 1], bool(r.shown), max(r[-behind:]))) for r in rows]
        return sorted(found, key=lambda wish: (wish.since, wish.player))

    async def count(self, alive: Sequence[str]) -> Mapping[str, int]:
        some = sa.select(_c.game).where(*_is_open(alive)).limit(COUNTED).subquery().c.game
        query = sa.select(some, sa.func.count().label("n")).group_by(some)
        return {row.game: row.n for row in await self.database.rows(query)}

    async def make_if_claimed(self, append: Append, group: Sequence[Wish], now: int) -> bool:
        def job(connection: sa.Connection) -> bool:
            if not claimed(connection, group, append.room, now):
                return False
            transaction(connection, [append], [])
            return True

        return await self.database.write(job)

    async def paired_of(self, worker: str) -> list[Paired]:
        query = sa.select(_c.player, _c.ticket, _c.room)
        query = query.where(_c.room > "", _c.worker == worker, _c.came.is_(False))
        return [Paired(*row) for row in await self.database.rows(query)]

    async def late(self, before: int, most: int) -> list[str]:
        query = sa.select(_c.room).where(_c.room > "", _c.at < before).distinct().limit(most)
        return [row.room for row in await self.database.rows(query)]

    async def settle(self, room: str) -> None:
        await self.database.change(sa.delete(tables.wishes).where(_c.room == room))

    async def give_back(self, room: str, came: Collection[str], now: int) -> None:
        await self.database.write(lambda connection: _give_back(connection, room, came, now))

    async def forget(self, alive: Sequence[str], now: int) -> None:
        old = sa.and_(_c.room == "", _c.at < now - KEPT, _c.worker.not_in(alive))

        def job(connection: sa.Connection) -> None:
            connection.execute(sa.delete(tables.wishes).where(old))
            connection.execute(sa.delete(tables.no_shows).where(tables.no_shows.c.until < now))

        await self.database.write(job)


def _is_open(alive: Sequence[str]) -> tuple[sa.ColumnElement[bool], ...]:
    return _c.room == "", _c.worker.in_(alive)


def _open(connection: sa.Connection, wish: Wish, alive: Sequence[str], most: int) -> str | None:
    """Write a wish, as `PairingStore.open_wish` says."""
    now, r = wish.since, tables.rooms.c
    before = sa.select(tables.wishes, r.closed)
    before = before.outerjoin(tables.rooms, r.id == _c.room).where(_c.player == wish.player)
    last = connection.execute(before.with_for_update(of=tables.wishes)).first()
    given_back = bool(last and not last.room and not last.worker)
    if last and last.room:
        if not last.came and not last.closed and now - last.at < KEPT:
            return str(last.room)
        given_back = last.came and last.closed == NO_SHOW
        if not last.came and last.closed == NO_SHOW:  # and nobody has noted it yet
            _note_no_shows(connection, {wish.player, last.network}, {last.site} - {""}, now)
    if _many(connection, wish, alive, most):
        return None
    if last and given_back and last.sought == wish.sought and now - last.at < KEPT:
        wish = wish._replace(since=last.since)
    values = {column.name: getattr(wish, column.name) for column in _FIELDS}
    connection.execute(upsert(connection, tables.wishes, **values, at=now, room="", came=False))
    return ""


def _many(connection: sa.Connection, wish: Wish, alive: Sequence[str], most: int) -> bool:
    """Whether as many others as may look from the network of a wish, or from its site."""
    caps = [(_c.network == wish.network, most)]
    caps += [(_c.site == wish.site, SITE * most)] if wish.site else []
    others = sa.select(sa.func.count()).where(_c.player != wish.player, *_is_open(alive))
    return any((connection.scalar(others.where(mine)) or 0) >= limit for mine, limit in caps)


def claimed(connection: sa.Connection, group: Sequence[Wish], room: str, now: int) -> bool:
    """Whether all of a group still look: if so, they are paired, once this is committed. Whoever is
    locked is being paired by another, or stops, and is left alone."""
    pairs = sa.tuple_(_c.player, _c.ticket).in_([(wish.player, wish.ticket) for wish in group])
    # SQLite finds rows by a key, not by a pair.
    theirs = sa.and_(_c.player.in_([wish.player for wish in group]), pairs)
    lock = sa.select(_c.player).where(theirs, _c.room == "").with_for_update(skip_locked=True)
    if len(connection.execute(lock).all()) < len(group):
        return False
    connection.execute(sa.update(tables.wishes).where(theirs).values(room=room, at=now))
    return True


def _give_back(connection: sa.Connection, room: str, came: Collection[str], now: int) -> None:
    away = sa.select(_c.player, _c.network, _c.site).where(_c.room == room, _c.player.not_in(came))
    gone = connection.execute(away.with_for_update()).all()
    who = {one for row in gone for one in (row.player, row.network) if one}
    _note_no_shows(connection, who, {row.site for row in gone if row.site}, now)
    back = sa.update(tables.wishes).where(_c.room == room, _c.player.in_(came))
    connection.execute(back.values(room="", worker="", came=False, at=now))
    connection.execute(sa.delete(tables.wishes).where(_c.room == room))
    connection.execute(sa.delete(tables.seats).where(tables.seats.c.room == room))


def _note_no_shows(
    connection: sa.Connection, who: Collection[str], sites: Collection[str], now: int
) -> None:
    """Note that some did not come, by their players and networks, and by their sites: of those a
    few may stay away before it matters."""
    c, all_ = tables.no_shows.c, sorted({*who, *sites})
    query = sa.select(c.who, c.times).where(c.who.in_(all_), c.until > now)
    before = {row.who: row.times for row in connection.execute(query)}
    for one in all_:
        times = before.get(one, 0) + 1
        counted = max(0, times + 1 - SITE) if one in sites else times
        values = {"who": one, "times": times, "until": now + REMEMBERED}
        free = now + hold(counted) if counted else 0
        connection.execute(upsert(connection, tables.no_shows, **values, free=free))


def forget_seeker(connection: sa.Connection, player: str) -> None:
    """Somebody deletes themselves: they look no more. That they were paired is known until it is
    known whether they came, without their name: or whoever stays away would only have to go."""
    mine = _c.player == player
    connection.execute(sa.delete(tables.wishes).where(mine, _c.room == ""))
    connection.execute(sa.update(tables.wishes).where(mine).values(name=""))
