"""What was thought of positions and games: the deepest is kept, and of each game one report, which
whoever has its lease goes on with."""

import msgspec
import sqlalchemy as sa

from tegel.place.studies.store import UNKNOWN
from tegel.place.wire.studies import Analysed, Judged
from tegel.server.storage import tables
from tegel.server.storage.dialect import insert
from tegel.server.storage.rooms import alive
from tegel.server.storage.storage import Storage

MOST = 100_000  # positions, and games, that are kept, the latest
LEASE = 20_000  # milliseconds that a worker has to say more of a report
TRIES = 4  # after which a report is given up: somebody's process dies over it
_analysed = msgspec.json.Decoder(Analysed).decode
_judged = msgspec.json.Decoder(Judged).decode


class SqlAnalyses:
    def __init__(self, database: Storage) -> None:
        self.database = database

    async def analysis(self, key: str) -> Analysed | None:
        c = tables.analyses.c
        found = await self.database.rows(sa.select(c.text).where(c.key == key))
        return _analysed(found[0].text) if found else None

    async def keep(self, key: str, found: Analysed, at: int) -> None:
        row = {
            "key": key, "simulations": found.simulations, "exact": found.exact, "at": at,
            "text": _text(found),
        }  # fmt: skip

        def job(connection: sa.Connection) -> None:
            making = insert(connection, tables.analyses)
            c, new = tables.analyses.c, making.excluded
            deeper = sa.or_(new.exact, sa.and_(~c.exact, new.simulations >= c.simulations))
            change = {name: new[name] for name in ("simulations", "exact", "at", "text")}
            making = making.values(row).on_conflict_do_update(
                index_elements=["key"], set_=change, where=deeper
            )
            connection.execute(making)

        await self.database.write(job)


class SqlReports:
    def __init__(self, database: Storage) -> None:
        self.database = database

    async def report(self, key: str) -> Judged | None:
        c = tables.game_reports.c
        found = await self.database.rows(sa.select(c.text).where(c.key == key))
        if not found:
            return None
        return _judged(found[0].text) if found[0].text else UNKNOWN

    async def ask(self, key: str, record: str, at: int) -> None:
        row = {
            "key": key, "record": record, "done": False, "at": at, "text": "", "lease": "",
            "leased": 0, "tries": 0,
        }  # fmt: skip

        def job(connection: sa.Connection) -> None:
            making = insert(connection, tables.game_reports).values(row)
            c, new = tables.game_reports.c, making.excluded
            sooner = sa.and_(c.done.is_(False), c.tries == 0, c.at > new.at)
            making = making.on_conflict_do_update(
                index_elements=["key"], set_={"at": new.at}, where=sooner
            )
            connection.execute(making)

        await self.database.write(job)

    async def due(self, now: int, most: int) -> list[str]:
        c = tables.game_reports.c
        query = sa.select(c.key).where(c.done.is_(False), _free(now)).order_by(c.at).limit(most)
        return [row.key for row in await self.database.rows(query)]

    async def lease(self, key: str, worker: str, now: int) -> str | None:
        c = tables.game_reports.c

        def job(connection: sa.Connection) -> str | None:
            mine = {"lease": worker, "leased": now + LEASE, "tries": c.tries + 1}
            row = sa.and_(c.key == key, c.done.is_(False), _free(now))
            change = sa.update(tables.game_reports).where(row).values(mine)
            if connection.execute(change).rowcount != 1:
                return None
            found = connection.execute(sa.select(c.record, c.tries).where(c.key == key)).one()
            if found.tries > TRIES:
                over = sa.update(tables.game_reports).where(c.key == key).values(done=True)
                connection.execute(over)
                return None
            record: str = found.record
            return record

        return await self.database.write(job)

    async def keep(self, key: str, worker: str, now: int, found: Judged) -> bool:
        c = tables.game_reports.c
        change = (
            sa.update(tables.game_reports)
            .where(c.key == key, c.lease == worker, c.done.is_(False))
            .values(text=_text(found), done=found.complete, leased=now + LEASE, at=now)
        )
        return await self.database.write(
            lambda connection: connection.execute(change).rowcount == 1
        )

    async def release(self, worker: str) -> None:
        """Leave reports to other workers; that they were begun here is no fault of theirs."""
        c = tables.game_reports.c
        mine = sa.and_(c.lease == worker, c.done.is_(False))
        change = sa.update(tables.game_reports).where(mine).values(leased=0, tries=0)
        await self.database.change(change)


def forget_thoughts(connection: sa.Connection) -> None:
    """Keep the latest only."""
    for table in (tables.analyses, tables.game_reports):
        c = table.c
        last = connection.scalar(sa.select(c.at).order_by(c.at.desc()).offset(MOST).limit(1))
        if last is not None:
            connection.execute(sa.delete(table).where(c.at <= last))


def _free(now: int) -> sa.ColumnElement[bool]:
    c = tables.game_reports.c
    return sa.or_(c.leased < now, c.lease.not_in(alive(now)))


def _text(found: Analysed | Judged) -> str:
    return msgspec.json.encode(found).decode()
