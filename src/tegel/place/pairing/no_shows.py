"""People who were paired and did not sit down. For a while they, and whoever looks from the same
network or, if that happens more often, from the same site, are **behind** everybody else (see
`matching`): at first they must wait half a minute before they meet others again, each time twice as
long."""

from collections.abc import Collection

import sqlalchemy as sa

from tegel.place.limits.limits import SITE
from tegel.room.clock import SECOND
from tegel.server.storage import tables
from tegel.server.storage.database import Database

HOLD, LONGEST = 30 * SECOND, 600 * SECOND
REMEMBERED = 1800 * SECOND
_c = tables.no_shows.c


def hold(times: int) -> int:
    """For how many milliseconds somebody meets nobody else after having stayed away so often.

    >>> [hold(times) // 1000 for times in (1, 2, 3, 9)]
    [30, 60, 120, 600]
    """
    return int(min(HOLD * 2 ** min(times - 1, 10), LONGEST))


def note_no_shows(
    store: Database,
    connection: sa.Connection,
    who: Collection[str],
    sites: Collection[str],
    now: int,
) -> None:
    """Note that some did not come, by their players and networks, and by their sites: of those a
    few may stay away before it matters."""
    all_ = sorted({*who, *sites})
    query = sa.select(_c.who, _c.times).where(_c.who.in_(all_), _c.until > now)
    before = {row.who: row.times for row in connection.execute(query)}
    for one in all_:
        times = before.get(one, 0) + 1
        counted = max(0, times + 1 - SITE) if one in sites else times
        values = {"who": one, "times": times, "until": now + REMEMBERED}
        free = now + hold(counted) if counted else 0
        connection.execute(store.upsert(tables.no_shows, **values, free=free))


def forget_no_shows(connection: sa.Connection, now: int) -> None:
    connection.execute(sa.delete(tables.no_shows).where(_c.until < now))
