"""How people did on moments. A row is one player's, for a moment, and for a day on which it was
everybody's; their first row for a moment counts for its grade and for their level."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from tegel.search import grades
from tegel.server.storage import tables
from tegel.server.storage.store import Store

MOST = 20_000  # rows that are read at once: of a player, or of a day


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


class Counts(NamedTuple):
    """How everybody did."""

    solved: int = 0
    failed: int = 0
    felt: float = 0.0


COLUMNS = tuple(tables.moment_tries.c)[1:]


async def tries_of(store: Store, player: str, game: str = "") -> Sequence[Tries]:
    """What a player tried, of one game or of all, the latest first."""
    c = tables.moment_tries.c
    query = sa.select(*COLUMNS).where(c.player == player)
    query = query.where(c.game == game) if game else query
    rows = await store.rows(query.order_by(c.at.desc()).limit(MOST))
    return [Tries(*row) for row in rows]


async def counts_of(store: Store, game: str) -> dict[str, Counts]:
    """How everybody did on the moments of a game."""
    c = tables.moment_counts.c
    query = sa.select(c.moment, c.solved, c.failed, c.felt).where(c.game == game)
    return {row.moment: Counts(*row[1:]) for row in await store.rows(query)}


async def tries_of_day(store: Store, game: str, day: str) -> Sequence[Tries]:
    """What everybody made of the moment of a day."""
    c = tables.moment_tries.c
    query = sa.select(*COLUMNS).where(c.game == game, c.day == day).limit(MOST)
    return [Tries(*row) for row in await store.rows(query)]


async def keep_try(
    store: Store, which: Which, grade: float, at: int, found: bool | None, *, counts: bool = True
) -> Tries:
    """Keep that somebody tried a moment of a grade, and whether they found the move; None: that
    they asked to see it. What is over does not change any more. Whether it `counts`: for the grade
    of the moment, if it is their first."""
    insert = (sqlite if store.sqlite else postgresql).insert

    def job(connection: sa.Connection) -> Tries:
        own = _own(connection, which)
        if own is None:
            level = None if _met(connection, which) else _level(connection, which)
            row = _first(which, at, found)
            if level is not None:
                row["level"] = grades.level_after(level, grade, bool(found))
            made = insert(tables.moment_tries).values(row).on_conflict_do_nothing()
            if connection.execute(made).rowcount == 1:
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


def forget_tries(connection: sa.Connection, before: int, kept: Any, most: int) -> Sequence[str]:
    """Forget what was tried long ago by some who keep no name; who they are."""
    c = tables.moment_tries.c
    old = (c.at < before, c.player.not_in(kept))
    gone = connection.scalars(sa.select(c.player).where(*old).distinct().limit(most)).all()
    here = sa.delete(tables.moment_tries).where(c.player.in_(gone), c.at < before)
    connection.execute(here)
    return gone
