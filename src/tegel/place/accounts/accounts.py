"""Players who keep a name: a handle, and a code to come back with. There are no passwords."""

from collections.abc import Callable
from typing import NamedTuple

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from tegel.place.accounts.handles import handle
from tegel.place.accounts.identity import new_code, plain_code, token_hash
from tegel.place.accounts.reservations import Reservations, until
from tegel.place.accounts.standing import note
from tegel.place.heartbeat import Heartbeat
from tegel.place.ports import KeyTaken
from tegel.room.lookalikes import apart, folded
from tegel.room.refused import Refused
from tegel.room.setup import KEPT
from tegel.server.storage import tables
from tegel.server.storage.database import Database

NO_NAME = "This is for who keeps a name: keep yours first."


class Account(NamedTuple):
    id: str
    handle: str
    at: int


class Accounts:
    def __init__(self, store: Database, heartbeat: Heartbeat, reservations: Reservations) -> None:
        self.store, self.heartbeat, self.reservations = store, heartbeat, reservations

    async def of(self, player: str) -> Account:
        """Who keeps a name; raises Refused for others."""
        c = tables.players.c
        query = sa.select(c.id, c.handle, c.at).where(c.id == player, c.handle.is_not(None))
        for row in await self.store.rows(query):
            return Account(*row)
        raise Refused("nameless", NO_NAME)

    async def keep(self, player: str, wish: str) -> tuple[str, str]:
        """The handle that a guest keeps from now on, and a code to come back with."""
        called, code, now = handle(wish), new_code(), self.heartbeat.now()

        def job(connection: sa.Connection) -> None:
            c = tables.players.c
            if connection.scalar(sa.select(c.handle).where(c.id == player)):
                raise Refused("named", "You keep a name already; it can be changed.")
            call(connection, player, called, now)
            self.reservations.check(connection, called, player, now)
            change = sa.update(tables.players).where(c.id == player)
            connection.execute(change.values(recovery=token_hash(code)))
            # Who was a guest of somebody is somebody now.
            connection.execute(sa.delete(tables.guests).where(tables.guests.c.id == player))

        await self._written(job)
        return called, code

    async def rename(self, player: str, wish: str) -> str:
        """Call a player otherwise. The name before is reserved for them for a while."""
        before = (await self.of(player)).handle
        called, now = handle(wish), self.heartbeat.now()

        def job(connection: sa.Connection) -> None:
            call(connection, player, called, now)
            self.reservations.check(connection, called, player, now)
            if folded(before) != folded(called):
                self.reservations.reserve(connection, before, until(now), player)

        await self._written(job)
        return called

    async def _written(self, job: Callable[[sa.Connection], None]) -> None:
        try:
            await self.store.write(job)
        except KeyTaken:
            raise Refused(
                "known", "Somebody is called so, or so that it looks alike: please choose another."
            ) from None

    async def new_code(self, player: str) -> str:
        """A new code for who keeps a name; the one before is good for nothing then."""
        await self.of(player)
        code = new_code()
        change = sa.update(tables.players).where(tables.players.c.id == player)
        await self.store.change(change.values(recovery=token_hash(code)))
        return code

    async def by_code(self, code: str) -> str:
        """The player whose code it is; raises Refused."""
        c = tables.players.c
        query = sa.select(c.id).where(c.recovery == token_hash(plain_code(code)))
        for row in await self.store.rows(query):
            return str(row.id)
        raise Refused("code", "This code is not right, or a newer one has replaced it.")


def of_handle(text: str) -> sa.Select[tuple[str, str]]:
    """The id and the name of who keeps a handle, or else of who keeps one that looks alike."""
    c, own = tables.players.c, apart(text)
    found = sa.select(c.id, c.name).where(c.folded.in_((own, folded(text))))
    return found.order_by(c.folded != own)


def call(connection: sa.Connection, player: str, handle: str, now: int) -> None:
    """Let a player be called so from now on, also in games that were."""
    c, name = tables.players.c, KEPT + handle
    values = {"name": name, "handle": handle, "folded": folded(handle)}
    change = sa.update(tables.players).where(c.id == player).values(**values)
    if not connection.execute(change).rowcount:
        connection.execute(sa.insert(tables.players).values(id=player, at=now, **values))
    dialect = sqlite if connection.dialect.name == "sqlite" else postgresql
    seats, where = tables.seats.c, ["room", "player", "name"]
    everywhere = sa.select(seats.room, seats.player, sa.literal(name)).where(seats.player == player)
    insert = dialect.insert(tables.names).from_select(where, everywhere)
    connection.execute(insert.on_conflict_do_update(index_elements=where[:2], set_={"name": name}))
    note(connection, player, now)
