"""Studies as rows: who made them, their logs, and lists of them."""

from collections.abc import Sequence

import sqlalchemy as sa

from tegel.place.studies.store import Origin
from tegel.place.wire.studies import ListedStudy
from tegel.server.storage import tables
from tegel.server.storage.storage import Storage


class SqlStudies:
    def __init__(self, database: Storage) -> None:
        self.database = database

    async def create(self, study: ListedStudy, player: str, text: str, most: int) -> bool:
        row = {
            "id": study.id, "player": player, "game": study.game, "variant": study.variant,
            "source": study.source, "at": study.touched, "touched": study.touched,
        }  # fmt: skip
        first = {"study": study.id, "seq": 0, "at": study.touched, "text": text}

        def job(connection: sa.Connection) -> bool:
            count = sa.select(sa.func.count()).where(tables.studies.c.player == player)
            if connection.execute(count).scalar_one() >= most:
                return False
            connection.execute(sa.insert(tables.studies).values(row))
            connection.execute(sa.insert(tables.study_rows).values(first))
            return True

        return await self.database.write(job)

    async def latest(self, player: str, source: str) -> str:
        c = tables.studies.c
        query = sa.select(c.id).where(c.player == player, c.source == source)
        found = await self.database.rows(query.order_by(c.touched.desc()).limit(1))
        return found[0].id if found else ""

    async def listed(self, player: str, most: int) -> list[ListedStudy]:
        c = tables.studies.c
        query = sa.select(c.id, c.game, c.variant, c.source, c.touched).where(c.player == player)
        rows = await self.database.rows(query.order_by(c.touched.desc()).limit(most))
        return [ListedStudy(*row) for row in rows]

    async def origin(self, study: str) -> Origin | None:
        c = tables.studies.c
        found = await self.database.rows(sa.select(c.player, c.source).where(c.id == study))
        return Origin(*found[0]) if found else None

    async def rows(self, study: str, since: int = 0) -> list[str]:
        c = tables.study_rows.c
        query = sa.select(c.text).where(c.study == study, c.seq >= since).order_by(c.seq)
        return [row.text for row in await self.database.rows(query)]

    async def append(self, study: str, seq: int, at: int, text: str) -> bool:
        row = {"study": study, "seq": seq, "at": at, "text": text}

        def job(connection: sa.Connection) -> bool:
            c = tables.studies.c
            touched = sa.update(tables.studies).where(c.id == study).values(touched=at)
            if not connection.execute(touched).rowcount:
                return False  # or what somebody deleted would come back
            connection.execute(sa.insert(tables.study_rows).values(row))
            return True

        return await self.database.write(job)

    async def delete(self, study: str) -> None:
        await self.database.write(lambda connection: forget_studies(connection, [study]))

    async def lengths(self, studies: Sequence[str]) -> dict[str, int]:
        c = tables.study_rows.c
        query = sa.select(c.study, sa.func.max(c.seq) + 1).where(c.study.in_(studies))
        rows = await self.database.rows(query.group_by(c.study))
        return {row[0]: row[1] for row in rows}


def forget_studies(connection: sa.Connection, ids: Sequence[str]) -> None:
    rows, studies = tables.study_rows, tables.studies
    connection.execute(sa.delete(rows).where(rows.c.study.in_(ids)))
    connection.execute(sa.delete(studies).where(studies.c.id.in_(ids)))
