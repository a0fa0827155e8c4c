"""How people did on moments. A row is one player's, for a moment, and for a day on which it was
everybody's; their first row for a moment counts for its grade and for their level. The database
counts them: no list of somebody's rows comes here, however many they are."""

from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa

from tegel.place.moments.store import Counts, Past, Tries, Which
from tegel.place.wire.moments import MomentResults, MomentStanding
from tegel.search import grades
from tegel.server.storage import tables
from tegel.server.storage.dialect import insert
from tegel.server.storage.storage import Storage

MOST = 5_000  # rows of a player: the oldest make room for new ones


COLUMNS = tuple(tables.moment_tries.c)[1:]


class SqlMoments:
    def __init__(self, database: Storage) -> None:
        self.database = database

    async def tries(self, which: Which) -> Tries | None:
        found = await self.database.rows(sa.select(*COLUMNS).where(_is(which)))
        return Tries(*found[0]) if found else None

    async def standing(self, player: str, game: str) -> MomentStanding:
        c = tables.moment_tries.c
        order = (c.at.desc(), c.moment)  # the latest first
        missed = sa.func.sum(sa.case((c.first, 0), else_=1)).over(order_by=order)
        level = sa.func.first_value(c.level).over(order_by=order)
        own = (c.player == player, c.game == game, c.level.is_not(None))
        rows = sa.select(c.first, missed.label("missed"), level.label("level"))
        tried = rows.where(*own).subquery()
        hits = sa.func.sum(sa.case((tried.c.first, 1), else_=0))
        runs = sa.select(
            tried.c.missed,
            hits.label("hits"),
            sa.func.count().label("tried"),
            sa.func.max(tried.c.level).label("level"),
        )
        run = runs.group_by(tried.c.missed).subquery().c  # what lies between two that were missed
        now = sa.func.max(sa.case((run.missed == 0, run.hits), else_=0))
        sums = (sa.func.sum(run.tried), sa.func.sum(run.hits), now, sa.func.max(run.hits))
        found = await self.database.rows(sa.select(sa.func.max(run.level), *sums))
        last, *numbers = found[0]
        begun = grades.BEGIN if last is None else last
        return MomentStanding(begun, *(int(number or 0) for number in numbers))

    async def past(self, player: str, game: str) -> Past:
        c = tables.moment_tries.c
        own = (c.player == player, c.game == game)
        once = sa.func.max(sa.case((c.first, 1), else_=0))
        query = sa.select(c.moment, once).where(*own).group_by(c.moment)
        met = {row[0]: bool(row[1]) for row in await self.database.rows(query)}
        latest = sa.select(c.moment).where(*own).order_by(c.at.desc()).limit(1)
        last = await self.database.rows(latest)
        return Past(met, last[0].moment if last else "")

    async def has_met(self, which: Which, *, over: bool = False) -> bool:
        c = tables.moment_tries.c
        own = (c.player == which.player, c.game == which.game, c.moment == which.moment)
        known = [sa.or_(c.found, c.shown)] if over else []
        query = sa.select(c.day).where(*own, *known).limit(1)
        return bool(await self.database.rows(query))

    async def days_found(self, player: str, game: str, most: int) -> list[str]:
        c = tables.moment_tries.c
        own = (c.player == player, c.game == game, c.day != "", c.found)
        query = sa.select(c.day).where(*own).order_by(c.day.desc()).limit(most)
        return [row.day for row in await self.database.rows(query)][::-1]

    async def counts(self, game: str) -> dict[str, Counts]:
        c = tables.moment_counts.c
        query = sa.select(c.moment, c.solved, c.failed, c.felt).where(c.game == game)
        return {row.moment: Counts(*row[1:]) for row in await self.database.rows(query)}

    async def results(self, game: str, day: str) -> MomentResults:
        c = tables.moment_tries.c
        of_day = (c.game == game, c.day == day)
        first, found = (sa.func.sum(sa.case((column, 1), else_=0)) for column in (c.first, c.found))
        query = sa.select(sa.func.count(), first, found).where(*of_day)
        counted = await self.database.rows(query)
        tried, first_, found_ = (int(number or 0) for number in counted[0])
        tries = sa.select(c.tries).where(*of_day, c.found).order_by(c.tries)
        middle = tries.offset(max(0, found_ - 1) // 2).limit(2 - found_ % 2)
        rows = await self.database.rows(middle) if found_ else ()
        median = sum(row.tries for row in rows) / max(1, len(rows))
        return MomentResults(tried, first_, found_, median)

    async def keep(
        self, which: Which, grade: float, at: int, found: bool | None, *, counts: bool = True
    ) -> Tries:
        def job(connection: sa.Connection) -> Tries:
            return _keep(connection, which, grade, at, found, counts)

        return await self.database.write(job)


def _keep(
    connection: sa.Connection,
    which: Which,
    grade: float,
    at: int,
    found: bool | None,
    counts: bool,
) -> Tries:
    own = _own(connection, which)
    if own is None:
        level = None if _met(connection, which) else _level(connection, which)
        row = _first(which, at, found)
        if level is not None:
            row["level"] = grades.level_after(level, grade, bool(found))
        made = insert(connection, tables.moment_tries).values(row).on_conflict_do_nothing()
        if connection.execute(made).rowcount == 1:
            _make_room(connection, which.player)
            if level is not None and counts:
                _count(connection, which, level, bool(found))
            return Tries(**{column.name: row[column.name] for column in COLUMNS})
        own = _own(connection, which)
        assert own, "another worker has just kept it"
    if own.over:
        return own
    change = own._replace(
        tries=own.tries + (found is not None), found=bool(found), shown=found is None
    )
    values = {"tries": change.tries, "found": change.found, "shown": change.shown}
    connection.execute(sa.update(tables.moment_tries).where(_is(which)).values(values))
    return change


def _is(which: Which) -> sa.ColumnElement[bool]:
    c = tables.moment_tries.c
    return sa.and_(*(c[key] == value for key, value in which._asdict().items()))


def _own(connection: sa.Connection, which: Which) -> Tries | None:
    row = connection.execute(sa.select(*COLUMNS).where(_is(which))).first()
    return Tries(*row) if row else None


def _met(connection: sa.Connection, which: Which) -> bool:
    """Whether somebody has tried a moment on another day."""
    c = tables.moment_tries.c
    own = (c.player == which.player, c.game == which.game, c.moment == which.moment)
    return connection.execute(sa.select(c.day).where(*own).limit(1)).first() is not None


def _level(connection: sa.Connection, which: Which) -> float:
    """Somebody's level before they try a moment."""
    c = tables.moment_tries.c
    own = (c.player == which.player, c.game == which.game, c.level.is_not(None))
    last = sa.select(c.level).where(*own).order_by(c.at.desc()).limit(1)
    found = connection.scalar(last)
    return grades.BEGIN if found is None else float(found)


def _first(which: Which, at: int, found: bool | None) -> dict[str, Any]:
    """The row of a first try."""
    return {
        **which._asdict(), "at": at, "tries": int(found is not None), "found": bool(found),
        "first": bool(found), "shown": found is None, "level": None,
    }  # fmt: skip


def _count(connection: sa.Connection, which: Which, level: float, found: bool) -> None:
    """Count one more try for the grade of a moment."""
    row = insert(connection, tables.moment_counts).values(
        game=which.game, moment=which.moment, solved=int(found), failed=int(not found),
        felt=grades.felt(level, found),
    )  # fmt: skip
    c, new = tables.moment_counts.c, row.excluded
    more = {key: c[key] + new[key] for key in ("solved", "failed", "felt")}
    change = row.on_conflict_do_update(index_elements=["game", "moment"], set_=more)
    connection.execute(change)


def bring_tries(connection: sa.Connection, guest: str, player: str) -> None:
    """Let a player have what a guest tried; of what both did, the player's stays."""
    t, both = tables.moment_tries, tables.moment_tries.alias("both")
    key = ("game", "moment", "day")
    same = sa.and_(both.c.player == player, *(both.c[name] == t.c[name] for name in key))
    theirs = sa.and_(t.c.player == guest, ~sa.exists().where(same))
    connection.execute(sa.update(t).where(theirs).values(player=player))
    connection.execute(sa.delete(t).where(t.c.player == guest))
    _make_room(connection, player)


def _make_room(connection: sa.Connection, player: str) -> None:
    """Forget the oldest rows of who has too many."""
    t, own = tables.moment_tries, tables.moment_tries.c.player == player
    count = connection.scalar(sa.select(sa.func.count()).where(own)) or 0
    if count > MOST:
        key = (t.c.game, t.c.moment, t.c.day)
        oldest = sa.select(*key).where(own).order_by(t.c.at).limit(count - MOST)
        connection.execute(sa.delete(t).where(own, sa.tuple_(*key).in_(oldest)))


def forget_tries(
    connection: sa.Connection, before: int, kept: sa.Select[tuple[str]], most: int
) -> Sequence[str]:
    """Forget what was tried long ago by some who keep no name; who they are."""
    c = tables.moment_tries.c
    old = (c.at < before, c.player.not_in(kept))
    gone = connection.scalars(sa.select(c.player).where(*old).distinct().limit(most)).all()
    here = sa.delete(tables.moment_tries).where(c.player.in_(gone), c.at < before)
    connection.execute(here)
    return gone
