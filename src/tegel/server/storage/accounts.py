"""Who keeps a name, what players are called, and programs, as rows."""

import sqlalchemy as sa

from tegel.place.accounts.store import Account, Naming, PeopleStore, Reservation
from tegel.room.lookalikes import apart, folded
from tegel.room.refused import Refused
from tegel.room.setup import KEPT
from tegel.server.storage import tables
from tegel.server.storage.dialect import insert
from tegel.server.storage.leaving import SqlLeaving
from tegel.server.storage.moving import SqlMoving
from tegel.server.storage.passkeys import SqlPasskeys, SqlSpent
from tegel.server.storage.reservations import check_reserved, forget_reservations, reserve
from tegel.server.storage.standing import SqlStanding, note
from tegel.server.storage.storage import Storage

_c = tables.players.c


class SqlAccounts:
    def __init__(self, database: Storage) -> None:
        self.database = database

    async def account(self, player: str) -> Account | None:
        query = sa.select(_c.id, _c.handle, _c.at).where(_c.id == player, _c.handle.is_not(None))
        found = await self.database.rows(query)
        return Account(*found[0]) if found else None

    async def keep(self, naming: Naming, recovery: str) -> None:
        def job(connection: sa.Connection) -> None:
            if connection.scalar(sa.select(_c.handle).where(_c.id == naming.player)):
                raise Refused("named", "You keep a name already; it can be changed.")
            call(connection, naming.player, naming.handle, naming.at)
            check_reserved(connection, naming)
            change = sa.update(tables.players).where(_c.id == naming.player)
            connection.execute(change.values(recovery=recovery))
            # Who was a guest of somebody is somebody now.
            was = tables.guests.c.id == naming.player
            connection.execute(sa.delete(tables.guests).where(was))

        await self.database.write(job)

    async def rename(self, naming: Naming, before: Reservation | None) -> None:
        def job(connection: sa.Connection) -> None:
            call(connection, naming.player, naming.handle, naming.at)
            check_reserved(connection, naming)
            if before:
                reserve(connection, before)

        await self.database.write(job)

    async def change_recovery(self, player: str, recovery: str) -> None:
        change = sa.update(tables.players).where(_c.id == player)
        await self.database.change(change.values(recovery=recovery))

    async def recovered(self, recovery: str) -> str:
        found = await self.database.rows(sa.select(_c.id).where(_c.recovery == recovery))
        return str(found[0].id) if found else ""

    async def forget_reservations(self, now: int) -> None:
        await self.database.write(lambda connection: forget_reservations(connection, now))

    # What players are called; programs

    async def name(self, player: str) -> str:
        found = await self.database.rows(sa.select(_c.name).where(_c.id == player))
        return str(found[0].name) if found else ""

    async def name_guest(self, player: str, name: str, now: int) -> None:
        change = self.database.upsert(tables.players, id=player, name=name, at=now)
        await self.database.change(change)

    async def program(self, token: str) -> str:
        found = await self.database.rows(sa.select(_c.id).where(_c.token == token))
        return str(found[0].id) if found else ""

    async def add_program(self, id: str, name: str, token: str, now: int) -> None:
        row = sa.insert(tables.players).values(id=id, name=name, token=token, at=now)
        await self.database.change(row)


def people_store(database: Storage) -> PeopleStore:
    """All that the services about people ask of a database."""
    return PeopleStore(
        SqlAccounts(database), SqlStanding(database), SqlPasskeys(database), SqlSpent(database),
        SqlLeaving(database), SqlMoving(database),
    )  # fmt: skip


def of_handle(text: str) -> sa.Select[tuple[str, str]]:
    """The id and the name of who keeps a handle, or else of who keeps one that looks alike."""
    own = apart(text)
    found = sa.select(_c.id, _c.name).where(_c.folded.in_((own, folded(text))))
    return found.order_by(_c.folded != own)


def call(connection: sa.Connection, player: str, handle: str, now: int) -> None:
    """Let a player be called so from now on, also in games that were."""
    name = KEPT + handle
    values = {"name": name, "handle": handle, "folded": folded(handle)}
    change = sa.update(tables.players).where(_c.id == player).values(**values)
    if not connection.execute(change).rowcount:
        connection.execute(sa.insert(tables.players).values(id=player, at=now, **values))
    seats, where = tables.seats.c, ["room", "player", "name"]
    everywhere = sa.select(seats.room, seats.player, sa.literal(name)).where(seats.player == player)
    named = insert(connection, tables.names).from_select(where, everywhere)
    connection.execute(named.on_conflict_do_update(index_elements=where[:2], set_={"name": name}))
    note(connection, player, now)
