"""Wishes as rows: how they are opened, read, paired and given back. Each is one transaction or one
query; whatever a stranger does, a query reads a bounded number of rows by an index.

A row is **open** while it has no room and its worker is alive. When it is paired it has a room;
when its player sits down there it has no worker any more. Given back, it has neither."""

from collections.abc import Collection, Sequence
from typing import Any

import sqlalchemy as sa

from tegel.place.limits.limits import SITE
from tegel.place.pairing.matching import Wish
from tegel.place.pairing.no_shows import note_no_shows
from tegel.room.clock import SECOND
from tegel.room.room import NO_SHOW
from tegel.server.storage import tables
from tegel.server.storage.database import Database

MOST = 100  # wishes for the same that are read, of the oldest and of the newest
COUNTED = 2_000  # wishes, when it is told how many look
KEPT = 60 * SECOND  # for which a wish without a connection is kept
_c = tables.wishes.c
_FIELDS = [_c[key] for key in Wish._fields if key not in ("shown", "free")]


def open_wish(
    store: Database, connection: sa.Connection, row: Wish, alive: Sequence[str], most: int
) -> str | None:
    """Write a wish: empty if it is open now, else the room in which somebody waits for its player;
    None if so many look from its network already. One that was given back goes on."""
    now, r = row.since, tables.rooms.c
    before = sa.select(tables.wishes, r.closed)
    before = before.outerjoin(tables.rooms, r.id == _c.room).where(_c.player == row.player)
    last = connection.execute(before.with_for_update(of=tables.wishes)).first()
    given_back = bool(last and not last.room and not last.worker)
    if last and last.room:
        came = _has_sat(connection, last.room, row.player)
        if not came and not last.closed and now - last.at < KEPT:
            return str(last.room)
        given_back = came and last.closed == NO_SHOW
        if not came and last.closed == NO_SHOW:  # and nobody has noted it yet
            note_no_shows(store, connection, {row.player, last.network}, {last.site} - {""}, now)
    if _many(connection, row, alive, most):
        return None
    if last and given_back and last.sought == row.sought and now - last.at < KEPT:
        row = row._replace(since=last.since)
    values = {column.name: getattr(row, column.name) for column in _FIELDS}
    connection.execute(store.upsert(tables.wishes, **values, at=now, room=""))
    return ""


def _many(connection: sa.Connection, row: Wish, alive: Sequence[str], most: int) -> bool:
    """Whether as many others as may look from the network of a wish, or from its site."""
    caps = [(_c.network == row.network, most)]
    caps += [(_c.site == row.site, SITE * most)] if row.site else []
    others = sa.select(sa.func.count()).where(_c.player != row.player, *_is_open(alive))
    return any((connection.scalar(others.where(mine)) or 0) >= limit for mine, limit in caps)


def _has_sat(connection: sa.Connection, room: str, player: str) -> bool:
    log = tables.log.c
    sat = sa.select(log.seq).where(log.room == room, log.text.like(f"!sit % {player}"))
    return connection.execute(sat).first() is not None


def _is_open(alive: Sequence[str]) -> tuple[Any, ...]:
    return _c.room == "", _c.worker.in_(alive)


async def read_wishes(store: Database, sought: str, alive: Sequence[str], now: int) -> list[Wish]:
    """The open wishes for something, the oldest first. Of many, the oldest and the newest: so
    nobody who can't be paired is in the way of everybody else."""
    profiles = tables.profiles.c
    known = {key: tables.no_shows.alias(f"by_{key}") for key in ("player", "network", "site")}
    # Until those who were paired have sat down, no others of their network are, before others.
    paired, never = tables.wishes.alias("paired").c, sa.literal(2 * now, sa.BigInteger)
    waits = sa.select(sa.func.count()).where(paired.room > "", paired.worker != "")
    near = waits.where(paired.network == _c.network).correlate(tables.wishes).scalar_subquery()
    around = waits.where(paired.site == _c.site).correlate(tables.wishes).scalar_subquery()
    pending = sa.or_(sa.and_(_c.network != "", near > 0), sa.and_(_c.site != "", around >= SITE))
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
    rows = await store.rows(sa.union(sa.select(oldest), sa.select(newest)))
    behind = 1 + len(known)  # columns that say since when they are free
    found = [Wish._make((*r[: -behind - 1], bool(r.shown), max(r[-behind:]))) for r in rows]
    return sorted(found, key=lambda wish: (wish.since, wish.player))


async def count_wishes(store: Database, alive: Sequence[str]) -> dict[str, int]:
    """How many look for somebody, by game; of very many, some are counted."""
    some = sa.select(_c.game).where(*_is_open(alive)).limit(COUNTED).subquery().c.game
    rows = await store.rows(sa.select(some, sa.func.count().label("n")).group_by(some))
    return {row.game: row.n for row in rows}


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


def confirmed(room: str, came: Collection[str], begun: bool) -> Any:
    """The statement that notes who has sat down at a table; when it has begun, nothing is left to
    note."""
    if begun:
        return sa.delete(tables.wishes).where(_c.room == room)
    return sa.update(tables.wishes).where(_c.room == room, _c.player.in_(came)).values(worker="")


def give_back(
    store: Database, connection: sa.Connection, room: str, came: Collection[str], now: int
) -> None:
    """Note who did not come to a table that was called off, and give the others their wishes back.
    It stands in nobody's list any more: there is nothing to see."""
    away = sa.select(_c.player, _c.network, _c.site).where(_c.room == room, _c.player.not_in(came))
    gone = connection.execute(away.with_for_update()).all()
    who = {one for row in gone for one in (row.player, row.network) if one}
    note_no_shows(store, connection, who, {row.site for row in gone if row.site}, now)
    back = sa.update(tables.wishes).where(_c.room == room, _c.player.in_(came))
    connection.execute(back.values(room="", worker="", at=now))
    connection.execute(sa.delete(tables.wishes).where(_c.room == room))
    connection.execute(sa.delete(tables.seats).where(tables.seats.c.room == room))


def forget_seeker(connection: sa.Connection, player: str) -> None:
    """Somebody deletes themselves: they look no more. That they were paired is known until it is
    known whether they came, without their name: or whoever stays away would only have to go."""
    mine = _c.player == player
    connection.execute(sa.delete(tables.wishes).where(mine, _c.room == ""))
    connection.execute(sa.update(tables.wishes).where(mine).values(name=""))


def forget_wishes(connection: sa.Connection, alive: Sequence[str], now: int) -> None:
    """Forget the wishes of workers that died, and what was given back and not taken."""
    old = sa.and_(_c.room == "", _c.at < now - KEPT, _c.worker.not_in(alive))
    connection.execute(sa.delete(tables.wishes).where(old))
