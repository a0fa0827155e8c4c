"""People who were paired and did not sit down. For a while they, and whoever looks from the same
network, are **behind** everybody else (see `matching`): at first they must wait half a minute
before they meet others again, each time twice as long."""

from collections.abc import Collection

import sqlalchemy as sa

from tegel.room.clock import SECOND
from tegel.server.storage import tables
from tegel.server.storage.store import Store

HOLD, LONGEST = 30 * SECOND, 600 * SECOND
REMEMBERED = 1800 * SECOND
_c = tables.no_shows.c


def hold(times: int) -> int:
    """For how many milliseconds somebody meets nobody else after having stayed away so often.

    >>> [hold(times) // 1000 for times in (1, 2, 3, 9)]
    [30, 60, 120, 600]
    """
    return int(min(HOLD * 2 ** min(times - 1, 10), LONGEST))


def note_no_shows(store: Store, connection: sa.Connection, who: Collection[str], now: int) -> None:
    """Note that somebody did not come, by their player and their network."""
    query = sa.select(_c.who, _c.times).where(_c.who.in_(who), _c.until > now)
    before = {row.who: row.times for row in connection.execute(query)}
    for one in sorted(who):
        times = before.get(one, 0) + 1
        values = {"who": one, "times": times, "free": now + hold(times), "until": now + REMEMBERED}
        connection.execute(store.upsert(tables.no_shows, **values))


def forget_no_shows(connection: sa.Connection, now: int) -> None:
    connection.execute(sa.delete(tables.no_shows).where(_c.until < now))
