"""Passkeys as rows, and the tokens that were used."""

import sqlalchemy as sa

from tegel.place.accounts.store import Passkey
from tegel.place.ports import KeyTaken
from tegel.server.storage import tables
from tegel.server.storage.storage import Storage

_c = tables.passkeys.c
_FIELDS = [_c[key] for key in Passkey._fields]


class SqlPasskeys:
    def __init__(self, database: Storage) -> None:
        self.database = database

    async def of(self, player: str) -> list[Passkey]:
        query = sa.select(*_FIELDS).where(_c.player == player).order_by(_c.at)
        return [Passkey(*row) for row in await self.database.rows(query)]

    async def passkey(self, id: str) -> Passkey | None:
        found = await self.database.rows(sa.select(*_FIELDS).where(_c.id == id))
        return Passkey(*found[0]) if found else None

    async def add(self, passkey: Passkey, most: int) -> bool:
        def job(connection: sa.Connection) -> bool:
            own = sa.select(sa.func.count()).where(_c.player == passkey.player)
            if connection.scalars(own).one() >= most:
                return False
            connection.execute(sa.insert(tables.passkeys).values(**passkey._asdict()))
            return True

        return await self.database.write(job)

    async def note_use(self, id: str, counter: int, now: int, *, verified: bool) -> None:
        change = sa.update(tables.passkeys).where(_c.id == id)
        await self.database.change(change.values(counter=counter, verified=verified, used=now))

    async def remove(self, player: str, id: str) -> None:
        where = sa.and_(_c.player == player, _c.id == id)
        await self.database.change(sa.delete(tables.passkeys).where(where))


class SqlSpent:
    def __init__(self, database: Storage) -> None:
        self.database = database

    async def spend(self, id: str, until: int) -> bool:
        try:
            await self.database.change(sa.insert(tables.spent).values(id=id, until=until))
        except KeyTaken:
            return False
        return True

    async def forget_spent(self, now: int) -> None:
        await self.database.change(sa.delete(tables.spent).where(tables.spent.c.until < now))
