"""Records that people brought, as rows."""

import sqlalchemy as sa

from tegel.server.storage import tables
from tegel.server.storage.storage import Storage

_c = tables.records.c


class SqlRecords:
    def __init__(self, database: Storage) -> None:
        self.database = database

    async def keep_record(self, id: str, text: str, now: int) -> None:
        await self.database.change(sa.insert(tables.records).values(id=id, text=text, at=now))

    async def record(self, id: str) -> str | None:
        found = await self.database.rows(sa.select(_c.text).where(_c.id == id))
        return str(found[0].text) if found else None
