"""What was thought of positions and games: the deepest is kept, and of each game one report, which
whoever has its lease goes on with."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import sqlalchemy as sa

from tegel.server.storage import tables
from tegel.server.storage.database import Database
from tegel.server.storage.rooms import alive

MOST = 100_000  # positions, and games, that are kept, the latest
LEASE = 20_000  # milliseconds that a worker has to say more of a report
TRIES = 4  # after which a report is given up: somebody's process dies over it


async def kept_analysis(store: Database, key: str) -> str | None:
    """What is kept of a position, as JSON."""
    c = tables.analyses.c
    found = await store.rows(sa.select(c.text).where(c.key == key))
    return found[0].text if found else None


async def keep_analysis(
    store: Database, key: str, simulations: int, exact: bool, at: int, text: str
) -> None:
    """Keep what was thought of a position, unless more is known."""
    insert = _insert(store, tables.analyses)
    c, new = tables.analyses.c, insert.excluded
    deeper = sa.or_(new.exact, sa.and_(~c.exact, new.simulations >= c.simulations))
    values = {"simulations": new.simulations, "exact": new.exact, "at": new.at, "text": new.text}
    row = {"key": key, "simulations": simulations, "exact": exact, "at": at, "text": text}
    await store.change(
        insert.values(row).on_conflict_do_update(index_elements=["key"], set_=values, where=deeper)
    )


class Kept(NamedTuple):
    """A report as it is stored."""

    done: bool
    text: str  # JSON; empty: nothing is known yet


async def report_of(store: Database, key: str) -> Kept | None:
    c = tables.game_reports.c
    found = await store.rows(sa.select(c.done, c.text).where(c.key == key))
    return Kept(*found[0]) if found else None


async def ask_for_report(store: Database, key: str, record: str, at: int) -> None:
    """See to it that somebody thinks about a game; once, however many ask. Of several times `at`
    which it would be its turn the first counts."""
    row = {
        "key": key, "record": record, "done": False, "at": at, "text": "", "lease": "",
        "leased": 0, "tries": 0,
    }  # fmt: skip
    insert = _insert(store, tables.game_reports).values(row)
    c, new = tables.game_reports.c, insert.excluded
    sooner = sa.and_(c.done.is_(False), c.tries == 0, c.at > new.at)
    await store.change(
        insert.on_conflict_do_update(index_elements=["key"], set_={"at": new.at}, where=sooner)
    )


async def reports_due(store: Database, now: int, most: int) -> Sequence[str]:
    """Games about which nobody thinks who should, those whose turn it is first."""
    c = tables.game_reports.c
    query = sa.select(c.key).where(c.done.is_(False), _free(now)).order_by(c.at).limit(most)
    return [row.key for row in await store.rows(query)]


async def lease_report(store: Database, key: str, worker: str, now: int) -> str | None:
    """The record of a game, if a worker may think about it from now on. One that was begun too
    often is given up."""
    c = tables.game_reports.c

    def job(connection: sa.Connection) -> str | None:
        mine = {"lease": worker, "leased": now + LEASE, "tries": c.tries + 1}
        row = sa.and_(c.key == key, c.done.is_(False), _free(now))
        if connection.execute(sa.update(tables.game_reports).where(row).values(mine)).rowcount != 1:
            return None
        found = connection.execute(sa.select(c.record, c.tries).where(c.key == key)).one()
        if found.tries > TRIES:
            over = sa.update(tables.game_reports).where(c.key == key).values(done=True)
            connection.execute(over)
            return None
        record: str = found.record
        return record

    return await store.write(job)


async def keep_report(
    store: Database, key: str, worker: str, now: int, text: str, *, done: bool
) -> bool:
    """Keep what is known of a game so far; False if another worker thinks about it now."""
    c = tables.game_reports.c
    change = (
        sa.update(tables.game_reports)
        .where(c.key == key, c.lease == worker, c.done.is_(False))
        .values(text=text, done=done, leased=now + LEASE, at=now)
    )
    return await store.write(lambda connection: connection.execute(change).rowcount == 1)


async def release_reports(store: Database, worker: str) -> None:
    """Leave reports to other workers; that they were begun here is no fault of theirs."""
    c = tables.game_reports.c
    mine = sa.and_(c.lease == worker, c.done.is_(False))
    change = sa.update(tables.game_reports).where(mine).values(leased=0, tries=0)
    await store.change(change)


def forget_thoughts(connection: sa.Connection) -> None:
    """Keep the latest only."""
    for table in (tables.analyses, tables.game_reports):
        c = table.c
        last = connection.scalar(sa.select(c.at).order_by(c.at.desc()).offset(MOST).limit(1))
        if last is not None:
            connection.execute(sa.delete(table).where(c.at <= last))


def _free(now: int) -> Any:
    c = tables.game_reports.c
    return sa.or_(c.leased < now, c.lease.not_in(alive(now)))


def _insert(store: Database, table: sa.Table) -> Any:
    return store.insert(table)
