"""Reserved names as rows, by keys that do not say what the names are."""

import sqlalchemy as sa

from tegel.place.accounts.reservations import Reserved
from tegel.place.accounts.store import Naming, Reservation
from tegel.server.storage import tables
from tegel.server.storage.dialect import insert

_c = tables.reserved.c


def reserve(connection: sa.Connection, reservation: Reservation) -> None:
    values = {
        "name": reservation.key,
        "player": reservation.player,
        "until": reservation.until,
    }
    added = insert(connection, tables.reserved).values(**values)
    connection.execute(added.on_conflict_do_update(index_elements=["name"], set_=values))


def check_reserved(connection: sa.Connection, naming: Naming) -> None:
    """Raise Reserved if a name is reserved for somebody else. Call it after the name was written,
    in the same transaction: a deletion that the write had to wait for is seen then."""
    query = sa.select(_c.player, _c.until).where(_c.name == naming.key)
    for found in connection.execute(query):
        if found.player != naming.player and (found.until is None or found.until > naming.at):
            raise Reserved
        lift(connection, naming.key)


def lift(connection: sa.Connection, key: str) -> bool:
    """Let everybody have a name again; whether it was reserved."""
    return connection.execute(sa.delete(tables.reserved).where(_c.name == key)).rowcount > 0


def forget_reservations(connection: sa.Connection, now: int) -> None:
    """Forget names that are free again."""
    connection.execute(sa.delete(tables.reserved).where(_c.until < now))
