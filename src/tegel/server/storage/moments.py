"""How people did on moments. A row is one player's, for a moment, and for a day on which it was
everybody's; their first row for a moment counts for its grade and for their level. The database
counts them: no list of somebody's rows comes here, however many they are."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import sqlalchemy as sa

from tegel.search import grades
from tegel.server.storage import tables
from tegel.server.storage.database import Database

MOST = 5_000  # rows of a player: the oldest make room for new ones


class Which(NamedTuple):
    """What somebody tries: a moment, and for which day, if any."""

    player: str
    game: str
    moment: str
    day: str


class Tries(NamedTuple):
    """How somebody did so far."""

    game: str
    moment: str
    day: str
    at: int
    tries: int
    found: bool
    first: bool
    shown: bool
    level: float | None

    @property
    def over(self) -> bool:
        """Whether they know the answer."""
        return self.found or self.shown


class Tally(NamedTuple):
    """How well somebody finds moves in a game: what they tried, most moments first, and how often
    in a row they found the move at the first try, of late and at most."""

    level: float | None = None
    tried: int = 0
    first: int = 0
    streak: int = 0
    longest: int = 0


class Past(NamedTuple):
    """Which moments of a game somebody met, and whether they found the move at the first try; the
    latest of them."""

    met: Mapping[str, bool] = {}
    last: str = ""


class Counts(NamedTuple):
    """How everybody did."""

    solved: int = 0
    failed: int = 0
    felt: float = 0.0


COLUMNS = tuple(tables.moment_tries.c)[1:]


async def tries_of(store: Database, which: Which) -> Tries | None:
    """How somebody did on a moment, for a day or for none."""
    found = await store.rows(sa.select(*COLUMNS).where(_is(which)))
    return Tries(*found[0]) if found else None


async def tally(store: Database, player: str, game: str) -> Tally:
    """How well somebody finds moves in a game. Counted are first tries of a moment."""
    c = tables.moment_tries.c
    order = (c.at.desc(), c.moment)  # the latest first
    missed = sa.func.sum(sa.case((c.first, 0), else_=1)).over(order_by=order)
    level = sa.func.first_value(c.level).over(order_by=order)
    own = (c.player == player, c.game == game, c.level.is_not(None))
    rows = sa.select(c.first, missed.label("missed"), level.label("level")).where(*own).subquery()
    hits = sa.func.sum(sa.case((rows.c.first, 1), else_=0))
    runs = sa.select(
        rows.c.missed,
        hits.label("hits"),
        sa.func.count().label("tried"),
        sa.func.max(rows.c.level).label("level"),
    )
    run = runs.group_by(rows.c.missed).subquery().c  # what lies between two that were missed
    now = sa.func.max(sa.case((run.missed == 0, run.hits), else_=0))
    sums = (sa.func.sum(run.tried), sa.func.sum(run.hits), now, sa.func.max(run.hits))
    level_, *numbers = (await store.rows(sa.select(sa.func.max(run.level), *sums)))[0]
    return Tally(level_, *(int(number or 0) for number in numbers))


async def past(store: Database, player: str, game: str) -> Past:
    """Which moments of a game somebody met."""
    c = tables.moment_tries.c
    own = (c.player == player, c.game == game)
    once = sa.func.max(sa.case((c.first, 1), else_=0))
    met = await store.rows(sa.select(c.moment, once).where(*own).group_by(c.moment))
    last = await store.rows(sa.select(c.moment).where(*own).order_by(c.at.desc()).limit(1))
    return Past({row[0]: bool(row[1]) for row in met}, last[0].moment if last else "")


async def has_met(store: Database, which: Which, *, over: bool = False) -> bool:
    """Whether somebody has tried a moment, for whatever day; or knows the answer."""
    c = tables.moment_tries.c
    own = (c.player == which.player, c.game == which.game, c.moment == which.moment)
    known = [sa.or_(c.found, c.shown)] if over else []
    return bool(await store.rows(sa.select(c.day).where(*own, *known).limit(1)))


async def days_found(store: Database, player: str, game: str, most: int) -> list[str]:
    """The latest days of which somebody found the moment, the latest last."""
    c = tables.moment_tries.c
    own = (c.player == player, c.game == game, c.day != "", c.found)
    rows = await store.rows(sa.select(c.day).where(*own).order_by(c.day.desc()).limit(most))
    return [row.day for row in rows][::-1]


async def counts_of(store: Database, game: str) -> dict[str, Counts]:
    """How everybody did on the moments of a game."""
    c = tables.moment_counts.c
    query = sa.select(c.moment, c.solved, c.failed, c.felt).where(c.game == game)
    return {row.moment: Counts(*row[1:]) for row in await store.rows(query)}


async def counts_of_day(store: Database, game: str, day: str) -> tuple[int, int, int, float]:
    """How many tried the moment of a day, found it at the first try, and found it; and how many
    tries those needed, in the median."""
    c = tables.moment_tries.c
    of_day = (c.game == game, c.day == day)
    first, found = (sa.func.sum(sa.case((column, 1), else_=0)) for column in (c.first, c.found))
    counted = await store.rows(sa.select(sa.func.count(), first, found).where(*of_day))
    tried, first_, found_ = (int(number or 0) for number in counted[0])
    tries = sa.select(c.tries).where(*of_day, c.found).order_by(c.tries)
    middle = tries.offset(max(0, found_ - 1) // 2).limit(2 - found_ % 2)
    rows = await store.rows(middle) if found_ else ()
    return tried, first_, found_, sum(row.tries for row in rows) / max(1, len(rows))


async def keep_try(
    store: Database, which: Which, grade: float, at: int, found: bool | None, *, counts: bool = True
) -> Tries:
    """Keep that somebody tried a moment of a grade, and whether they found the move; None: that
    they asked to see it. What is over does not change any more. Whether it `counts`: for the grade
    of the moment, if it is their first."""
    insert = store.insert

    def job(connection: sa.Connection) -> Tries:
        own = _own(connection, which)
        if own is None:
            level = None if _met(connection, which) else _level(connection, which)
            row = _first(which, at, found)
            if level is not None:
                row["level"] = grades.level_after(level, grade, bool(found))
            made = insert(tables.moment_tries).values(row).on_conflict_do_nothing()
            if connection.execute(made).rowcount == 1:
                _make_room(connection, which.player)
                if level is not None and counts:
                    connection.execute(_counted(insert, which, level, bool(found)))
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

    return await store.write(job)


def _is(which: Which) -> Any:
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


def _counted(insert: Any, which: Which, level: float, found: bool) -> Any:
    """One more that counts."""
    row = insert(tables.moment_counts).values(
        game=which.game, moment=which.moment, solved=int(found), failed=int(not found),
        felt=grades.felt(level, found),
    )  # fmt: skip
    c, new = tables.moment_counts.c, row.excluded
    more = {key: c[key] + new[key] for key in ("solved", "failed", "felt")}
    return row.on_conflict_do_update(index_elements=["game", "moment"], set_=more)


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


def forget_tries(connection: sa.Connection, before: int, kept: Any, most: int) -> Sequence[str]:
    """Forget what was tried long ago by some who keep no name; who they are."""
    c = tables.moment_tries.c
    old = (c.at < before, c.player.not_in(kept))
    gone = connection.scalars(sa.select(c.player).where(*old).distinct().limit(most)).all()
    here = sa.delete(tables.moment_tries).where(c.player.in_(gone), c.at < before)
    connection.execute(here)
    return gone
