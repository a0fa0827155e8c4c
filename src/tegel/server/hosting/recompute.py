"""Ratings from the logs, all over again: what `tegel ratings` compares or writes.

Games whose logs are there are opened, judged and rated in their order. What was forgotten
(`--keep-days`) can't be: ratings of a family up to its last forgotten game stand as they are."""

import asyncio
from collections.abc import Callable
from typing import NamedTuple

import sqlalchemy as sa

from tegel.place.history.skill import RatedGame, Skill, met, rated
from tegel.room.clock import DAY
from tegel.room.ending import Ending, final
from tegel.server.storage import tables
from tegel.server.storage.database import Database
from tegel.server.storage.heartbeat import SqlHeartbeat
from tegel.server.storage.ratings import lock, write_rows
from tegel.server.storage.rooms import SqlRooms

TRIES = 10
TOGETHER = 500  # rooms that are looked up at once
Progress = Callable[[str, int], None]


class Compared(NamedTuple):
    games: int
    ratings: int
    differing: int  # of them, from those that were stored


class _Missing(Exception):
    """Games ended while others were opened."""


async def recompute(url: str, write: bool, progress: Progress = lambda *_: None) -> Compared:
    """Rate all games anew, and say what differs from what is stored; `write`: put it there. A
    server may go on meanwhile."""
    store, known = Database(url), dict[str, Ending]()
    await store.open()
    try:
        for _ in range(TRIES):
            await _learn(store, known, progress)
            try:
                return await store.write(lambda connection: _compare(connection, known, write))
            except _Missing:
                continue
        raise TimeoutError("games end faster than they are opened: try again when it is quieter")
    finally:
        await store.close()


async def _learn(store: Database, known: dict[str, Ending], progress: Progress) -> None:
    """Open the rated games that are over and not known yet."""
    rooms = SqlRooms(store)
    c, outages = tables.rooms.c, await SqlHeartbeat(store).outages()
    query = sa.select(c.id).where(c.rated.is_(True), c.over.is_(True)).order_by(c.id)
    last = ""
    while some := await store.rows(query.where(c.id > last).limit(TOGETHER)):
        last = some[-1].id
        for (id,) in some:
            if id in known or (setup := await rooms.setup(id)) is None:
                continue
            rows = await rooms.tail(id)
            ending, _ = await asyncio.to_thread(final, setup, rows, outages, {})
            if ending:
                known[id] = ending
                progress("games", len(known))


def _compare(connection: sa.Connection, known: dict[str, Ending], write: bool) -> Compared:
    r, e = tables.ratings.c, tables.endings.c
    families = {
        (row.game, row.family) for row in connection.execute(sa.select(r.game, r.family).distinct())
    }
    families |= {(one.game, one.family) for one in known.values() if one.rated}
    games = ratings = differing = 0
    for game, family in sorted(families):
        lock(connection, game, family)
        ended = sa.select(e.room).where(e.rated.is_(True), e.game == game, e.family == family)
        if {row.room for row in connection.execute(ended)} - set(known):
            raise _Missing
        mine = [one for one in known.values() if (one.game, one.family) == (game, family)]
        found, stored = _rerated(connection, game, family, [one for one in mine if one.rated])
        games, ratings = games + len({key[:2] for key in found}), ratings + len(found)
        changed = {key for key in found.keys() | stored.keys() if found.get(key) != stored.get(key)}
        differing += len(changed)
        if write and changed:
            rows = [
                (RatedGame(at, room, ()), player, skill)
                for (at, room, player), skill in found.items()
            ]
            where = (r.game == game, r.family == family, r.room.in_({key[1] for key in stored}))
            connection.execute(sa.delete(tables.ratings).where(*where))
            write_rows(connection, game, family, rows)
    return Compared(games, ratings, differing)


Rows = dict[tuple[int, str, str], Skill]  # by time, room and player


def _rerated(
    connection: sa.Connection, game: str, family: str, endings: list[Ending]
) -> tuple[Rows, Rows]:
    """The ratings of a family after its last forgotten game: as the logs say, and as stored."""
    r, rooms = tables.ratings.c, tables.rooms.c
    query = sa.select(r.at, r.room, r.player, r.mu, r.sigma, rooms.id.is_(None).label("gone"))
    query = query.outerjoin(tables.rooms, rooms.id == r.room)
    all_ = connection.execute(query.where(r.game == game, r.family == family)).all()
    horizon = max(((row.at, row.room) for row in all_ if row.gone), default=(-1, ""))
    skills: dict[str, Skill] = {}
    stored: Rows = {}
    for row in sorted(all_):
        if (row.at, row.room) <= horizon:
            skills[row.player] = Skill(row.mu, row.sigma)
        else:
            stored[row.at, row.room, row.player] = Skill(row.mu, row.sigma)
    games = sorted(
        (RatedGame(one.at, one.room, one.seats) for one in endings if (one.at, one.room) > horizon),
        key=lambda one: one[:2],
    )
    meetings = met(
        (row.at, row.room, row.player)
        for row in all_
        if (row.at, row.room) <= horizon and row.at > horizon[0] - DAY
    )
    again = rated(games, skills, meetings)
    found = {(one.at, one.room, player): skill for one, player, skill in again}
    return found, stored
