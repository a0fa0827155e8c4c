"""Wishes as rows: how they are opened, read, paired and given back. Each is one transaction or one
query; whatever a stranger does, a query reads a bounded number of rows by an index.

A row is **open** while it has no room and its worker is alive. When it is paired it has a room;
when its player sits down there it has no worker any more. Given back, it has neither."""

from collections.abc import Collection, Sequence
from typing import Any

import sqlalchemy as sa

from tegel.room.clock import SECOND
from tegel.room.room import NO_SHOW
from tegel.server.people.matching import Wish
from tegel.server.people.no_shows import note_no_shows
from tegel.server.storage import tables
from tegel.server.storage.store import Store

MOST = 100  # wishes for the same that are read, of the oldest and of the newest
COUNTED = 2_000  # wishes, when it is told how many look
KEPT = 60 * SECOND  # for which a wish without a connection is kept
_c = tables.wishes.c
_FIELDS = [_c[key] for key in Wish._fields if key not in ("shown", "free")]


def open_wish(
    store: Store, connection: sa.Connection, row: Wish, alive: Sequence[str], most: int
) -> str | None:
    """Write a wish: empty if it is open now, else the room in which somebody waits for its player;
    None if so many look from its network already. One that was given back goes on."""
    now, r = row.since, tables.rooms.c
    before = sa.select(_c.sought, _c.since, _c.at, _c.worker, _c.room, r.closed)
    before = before.outerjoin(tables.rooms, r.id == _c.room).where(_c.player == row.player)
    last = connection.execute(before.with_for_update(of=tables.wishes)).first()
    given_back = bool(last and not last.room and not last.worker)
    if last and last.room:
        came = _has_sat(connection, last.room, row.player)
        if not came and not last.closed and now - last.at < KEPT:
            return str(last.room)
        given_back = came and last.closed == NO_SHOW
    theirs = (_c.network == row.network, _c.player != row.player, *_is_open(alive))
    if (connection.scalar(sa.select(sa.func.count()).where(*theirs)) or 0) >= most:
        return None
    if last and given_back and last.sought == row.sought and now - last.at < KEPT:
        row = row._replace(since=last.since)
    values = {column.name: getattr(row, column.name) for column in _FIELDS}
    connection.execute(store.upsert(tables.wishes, **values, at=now, room=""))
    return ""


def _has_sat(connection: sa.Connection, room: str, player: str) -> bool:
    log = tables.log.c
    sat = sa.select(log.seq).where(log.room == room, log.text.like(f"!sit % {player}"))
    return connection.execute(sat).first() is not None


def _is_open(alive: Sequence[str]) -> tuple[Any, ...]:
    return _c.room == "", _c.worker.in_(alive)


async def read_wishes(store: Store, sought: str, alive: Sequence[str], now: int) -> list[Wish]:
    """The open wishes for something, the oldest first. Of many, the oldest and the newest: so
    nobody who can't be paired is in the way of everybody else."""
    profiles = tables.profiles.c
    player, network = tables.no_shows.alias("player").c, tables.no_shows.alias("network").c
    # Until somebody has sat down, nobody else of that network is paired before others.
    paired, never = tables.wishes.alias("paired").c, sa.literal(2 * now, sa.BigInteger)
    pending = sa.select(paired.player).where(
        paired.network == _c.network, _c.network != "", paired.room > "", paired.worker != ""
    )
    query = (
        sa.select(
            *_FIELDS,
            sa.func.coalesce(profiles.ratings, sa.false()).label("shown"),
            sa.func.coalesce(player.free, 0).label("as_player"),
            sa.func.coalesce(network.free, 0).label("as_network"),
            sa.case((pending.correlate(tables.wishes).exists(), never), else_=0).label("pending"),
        )
        .select_from(tables.wishes)
        .outerjoin(tables.profiles, profiles.player == _c.player)
        .outerjoin(player.who.table, sa.and_(player.who == _c.player, player.until > now))
        .outerjoin(network.who.table, sa.and_(network.who == _c.network, network.until > now))
        .where(_c.sought == sought, *_is_open(alive))
    )
    order = (_c.since, _c.player)
    oldest = query.order_by(*order).limit(MOST).subquery()
    newest = query.order_by(*(one.desc() for one in order)).limit(MOST).subquery()
    rows = await store.rows(sa.union(sa.select(oldest), sa.select(newest)))
    found = [Wish._make((*row[:-4], bool(row.shown), max(row[-3:]))) for row in rows]
    return sorted(found, key=lambda wish: (wish.since, wish.player))


async def count_wishes(store: Store, alive: Sequence[str]) -> dict[str, int]:
    """How many look for somebody, by game; of very many, some are counted."""
    some = sa.select(_c.game).where(*_is_open(alive)).limit(COUNTED).subquery().c.game
    rows = await store.rows(sa.select(some, sa.func.count().label("n")).group_by(some))
    return {row.game: row.n for row in rows}


def claimed(connection: sa.Connection, group: Sequence[Wish], room: str, now: int) -> bool:
    """Whether all of a group still look: if so, they are paired, once this is committed. Whoever is
    locked is being paired by another, or stops, and is left alone."""
    theirs = sa.tuple_(_c.player, _c.ticket).in_([(wish.player, wish.ticket) for wish in group])
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
    store: Store, connection: sa.Connection, room: str, came: Collection[str], now: int
) -> None:
    """Note who did not come to a table that was called off, and give the others their wishes back.
    It stands in nobody's list any more: there is nothing to see."""
    away = sa.select(_c.player, _c.network).where(_c.room == room, _c.player.not_in(came))
    who = {one for row in connection.execute(away.with_for_update()) for one in row if one}
    note_no_shows(store, connection, who, now)
    back = sa.update(tables.wishes).where(_c.room == room, _c.player.in_(came))
    connection.execute(back.values(room="", worker="", at=now))
    connection.execute(sa.delete(tables.wishes).where(_c.room == room))
    connection.execute(sa.delete(tables.seats).where(tables.seats.c.room == room))


def forget_wishes(connection: sa.Connection, alive: Sequence[str], now: int) -> None:
    """Forget the wishes of workers that died, and what was given back and not taken."""
    old = sa.and_(_c.room == "", _c.at < now - KEPT, _c.worker.not_in(alive))
    connection.execute(sa.delete(tables.wishes).where(old))
