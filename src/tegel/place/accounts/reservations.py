"""Names that are reserved: nobody is taken for the one who had such a name until lately, and a name
that the host took away stays away.

A name that somebody gave up is reserved for `DAYS`, and its last owner may take it back. The name
of a banned player who deletes themselves, and one that the host changed, is reserved until the host
lifts that. What is stored is a keyed hash of the folded name: it does not say what the name was."""

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from tegel.place.accounts.identity import Seals
from tegel.room.clock import DAY
from tegel.room.lookalikes import folded
from tegel.room.refused import Refused
from tegel.server.storage import tables

DAYS = 90
RESERVED = "This name is reserved, because somebody had it until lately: please choose another."


class Reservations:
    def __init__(self, seals: Seals) -> None:
        self.seals = seals

    def reserve(
        self, connection: sa.Connection, handle: str, until: int | None, player: str = ""
    ) -> None:
        """Reserve a name, if given for a player; until a time, or until the host lifts it."""
        values = {"name": self._hash(handle), "player": player, "until": until}
        dialect = sqlite if connection.dialect.name == "sqlite" else postgresql
        insert = dialect.insert(tables.reserved).values(**values)
        connection.execute(insert.on_conflict_do_update(index_elements=["name"], set_=values))

    def check(self, connection: sa.Connection, handle: str, player: str, now: int) -> None:
        """Raise Refused if a name is reserved for somebody else. Call it after the name was
        written, in the same transaction: a deletion that the write had to wait for is seen then."""
        c = tables.reserved.c
        query = sa.select(c.player, c.until).where(c.name == self._hash(handle))
        for found in connection.execute(query):
            if found.player != player and (found.until is None or found.until > now):
                raise Refused("reserved", RESERVED)
            self.lift(connection, handle)

    def lift(self, connection: sa.Connection, handle: str) -> bool:
        """Let everybody have a name again; whether it was reserved."""
        here = tables.reserved.c.name == self._hash(handle)
        return connection.execute(sa.delete(tables.reserved).where(here)).rowcount > 0

    def _hash(self, handle: str) -> str:
        return self.seals.keyed_hash("name", folded(handle))


def until(now: int) -> int:
    """Until when a name is reserved that is given up now."""
    return now + DAYS * DAY


def forget_reservations(connection: sa.Connection, now: int) -> None:
    """Forget names that are free again."""
    connection.execute(sa.delete(tables.reserved).where(tables.reserved.c.until < now))
