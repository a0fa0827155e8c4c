"""What is stored of moments that were tried: counted by the database, and not without end."""

import asyncio
import random
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import asynccontextmanager
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from tegel.place.heartbeat import Heartbeat
from tegel.place.moments.moments import Moments
from tegel.place.moments.store import Tries, Which
from tegel.place.wire import moments as wire
from tegel.search import grades
from tegel.server.metrics import PrometheusMeter
from tegel.server.storage import moments, tables
from tegel.server.storage.database import Database
from tegel.server.storage.heartbeat import SqlHeartbeat
from tegel.server.storage.migrations import migrate
from tegel.server.world import CHANCE, RealClock


@asynccontextmanager
async def serving(file: Path) -> AsyncIterator[tuple[Moments, Database]]:
    """Moments on a file of their own, and what stores them."""
    url = f"sqlite+aiosqlite:///{file}"
    await migrate(url)
    store = Database(url)
    await store.open()
    try:
        heartbeat = Heartbeat(SqlHeartbeat(store), "here", RealClock(), PrometheusMeter())
        yield Moments(moments.SqlMoments(store), heartbeat, CHANCE, lambda _: True), store
    finally:
        await store.close()


async def plant(store: Database, player: str, rows: Iterable[Tries]) -> None:
    made = [{"player": player, **row._asdict()} for row in rows]
    await store.write(lambda c: c.execute(sa.insert(tables.moment_tries), made))


def test_when_all_were_tried_those_not_found_come_again(tmp_path: Path) -> None:
    names, today = grades.named("tantrix"), datetime.now(UTC).date()
    missed = {*random.Random(0).sample(sorted(names), 3)} - {grades.of_day("tantrix", today)}
    rows = [
        Tries("tantrix", name, "", at, 1, name not in missed, name not in missed, False, 3.0)
        for at, name in enumerate(names)
    ]

    async def following(name: str, rows: list[Tries]) -> set[str]:
        async with serving(tmp_path / f"{name}.db") as (served, store):
            await plant(store, "ann", rows)
            return {await served.next("tantrix", "ann", today) for _ in range(20)}

    again = asyncio.run(following("all", rows))
    assert again
    assert again <= missed - {rows[-1].moment}
    fresh = {row.moment for row in rows[5:8]} - {grades.of_day("tantrix", today)}
    left = [row for row in rows if row.moment not in fresh]
    assert asyncio.run(following("left", left)) <= fresh, "those that are new come before"


def test_chance_alone_decides_which_moment_of_ones_level_comes_next(tmp_path: Path) -> None:
    today = datetime.now(UTC).date()

    async def drawn(seeds: list[int]) -> list[str]:
        async with serving(tmp_path / "tegel.db") as (served, _):
            found = []
            for seed in seeds:
                served.chance = random.Random(seed)
                found.append(await served.next("blokus", "ann", today))
            return found

    seeds = [*range(20)]
    first = asyncio.run(drawn(seeds))
    assert asyncio.run(drawn(seeds)) == first
    assert len({*first}) > 5


def ancient(count: int) -> Iterator[Tries]:
    """What could be tried before: the moments of days since the year 1."""
    for number in range(count):
        day = date(1, 1, 1) + timedelta(number)
        name = grades.of_day("blokus", day)
        yield Tries("blokus", name, day.isoformat(), number, 1, True, True, False, None)


def test_the_database_counts_and_no_list_of_rows_comes_to_the_event_loop(tmp_path: Path) -> None:
    async def read() -> int:
        async with serving(tmp_path / "tegel.db") as (served, store):
            await plant(store, "ann", ancient(3_000))
            of_today = [(f"p{number}", *row) for number, row in enumerate([*ancient(1)] * 3_000)]
            columns = ["player", *Tries._fields]
            made = [dict(zip(columns, row, strict=True)) for row in of_today]
            await store.write(lambda c: c.execute(sa.insert(tables.moment_tries), made))
            counts, rows = [], store.rows

            async def counted(query: Any) -> Any:
                found = await rows(query)
                counts.append(len(found))
                return found

            store.rows = counted  # type: ignore[method-assign]
            today = datetime.now(UTC).date()
            told = await served.overview("ann", today)
            (blokus,) = (one for one in told.games if one.game == "blokus")
            assert len(blokus.days) == 500, "the latest"
            name = grades.of_day("blokus", today)
            await served.keep(Which("ann", "blokus", name, today.isoformat()), True, "payer")
            results = await served.results("blokus", date(1, 1, 1))
            assert (results.tried, results.first, results.median) == (3_001, 3_001, 1)
            return max(counts)

    assert asyncio.run(read()) <= 500


def test_a_player_has_only_so_many_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(moments, "MOST", 50)
    today = datetime.now(UTC).date().isoformat()

    async def kept() -> None:
        async with serving(tmp_path / "tegel.db") as (served, store):
            query = sa.select(tables.moment_tries.c.player, tables.moment_tries.c.day)
            await plant(store, "ann", ancient(80))
            await plant(store, "bob", ancient(7))
            name = next(iter(grades.named("blokus")))
            await served.keep(Which("ann", "blokus", name, ""), True, "payer")
            rows = await store.rows(query.where(tables.moment_tries.c.player == "ann"))
            assert len(rows) == 50
            days = {row.day for row in rows}
            assert "" in days, "the oldest go, and the new one stays"
            assert "0001-01-31" not in days
            assert "0001-03-20" in days
            await plant(store, "bob", [next(ancient(1))._replace(day=today)])
            await store.write(lambda c: moments.bring_tries(c, "bob", "ann"))
            rows = await store.rows(query)
            assert [row.player for row in rows] == ["ann"] * 50, "a guest's come along, as many"

    asyncio.run(kept())


def test_what_the_database_counts_is_what_was_tried(tmp_path: Path, rng: random.Random) -> None:
    async def counted() -> None:
        async with serving(tmp_path / "tegel.db") as (served, store):
            for number in range(20):
                player, level, rows = f"p{number}", grades.BEGIN, []
                names = rng.sample([*grades.named("blokus")], rng.choice([0, 1, 5, 40]))
                for at, name in enumerate(names):
                    first = rng.random() < 0.6
                    level = grades.level_after(level, rng.randint(1, 5), first)
                    rows.append(Tries("blokus", name, "", at, 1, first, first, False, level))
                    if rng.random() < 0.2:  # again, for a day: it does not count
                        day = "2026-11-20"
                        rows.append(Tries("blokus", name, day, at, 2, True, first, False, None))
                if rows:
                    await plant(store, player, rows)
                runs = "".join("x" if row.first else " " for row in rows if row.level is not None)
                assert await served.standing(player, "blokus") == wire.MomentStanding(
                    level, len(runs), runs.count("x"), len(runs.split(" ")[-1]),
                    max(map(len, runs.split(" "))),
                )  # fmt: skip

    asyncio.run(counted())
