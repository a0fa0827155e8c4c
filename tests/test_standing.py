"""Ended cookies and bans: however many players deleted themselves, a worker holds few of them in
memory and reads only what changed of late; and nobody comes back with an old cookie."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from starlette.requests import Request

from tegel.place.accounts import standing
from tegel.place.accounts.identity import Session
from tegel.place.accounts.standing import OVER, SLACK
from tegel.place.limits.limits import Limits
from tegel.room.refused import Refused
from tegel.server.storage import tables
from tegel.server.storage.standing import note
from tegel.server.web.cookies import Browser
from tegel.server.web.routes.leaving import Sure, delete_me
from tegel.server.worker import Worker
from working import working

LONG_AGO, LATELY = 1_000, 1_000 + 10 * SLACK
MANY = 3_000


def deleted(connection: sa.Connection) -> None:
    rows = [
        {"player": f"gone{number}", "generation": OVER, "at": LONG_AGO} for number in range(MANY)
    ]
    connection.execute(sa.insert(tables.standing), rows)


async def noted(worker: Worker, player: str, at: int, **changes: Any) -> None:
    await worker.ports.storage.write(lambda connection: note(connection, player, at, **changes))


def test_a_worker_does_not_hold_who_deleted_themselves(tmp_path: Path) -> None:
    async def held() -> None:
        async with working(tmp_path) as worker:
            await worker.ports.storage.write(deleted)
            await noted(worker, "ann", LATELY)
            await worker.people.standing.open()
            await worker.people.standing.look()
            assert len(worker.people.standing.known) == 0
            assert not await worker.people.standing.holds(Session("gone7"))
            assert await worker.people.standing.holds(Session("somebody"))
            assert len(worker.people.standing.known) == 2

    asyncio.run(held())


def test_only_what_changed_of_late_is_read(tmp_path: Path) -> None:
    async def read() -> list[Any]:
        async with working(tmp_path) as worker:
            await worker.ports.storage.write(deleted)
            await noted(worker, "ann", LATELY, banned=True)
            await worker.people.standing.open()
            found, rows = [], worker.ports.storage.rows

            async def counted(query: Any) -> Any:
                answer = await rows(query)
                found.append((len(answer), str(query.compile(compile_kwargs={"literal_binds": 1}))))
                return answer

            worker.ports.storage.rows = counted  # type: ignore[method-assign]
            await worker.people.standing.look()
            (count, query) = found[0]
            assert count == 1
            plan = await rows(sa.text(f"EXPLAIN QUERY PLAN {query}"))
            assert "standing_at" in plan[0].detail, "by an index"
            return found

    assert len(asyncio.run(read())) == 1


def test_a_worker_remembers_only_so_many(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(standing, "MOST", 10)

    async def asked() -> None:
        async with working(tmp_path) as worker:
            await worker.ports.storage.write(deleted)
            for _ in range(2):  # the second time they were forgotten meanwhile
                for number in range(30):
                    assert not await worker.people.standing.holds(Session(f"gone{number}", 5))
                    assert await worker.people.standing.holds(Session(f"new{number}"))
                    assert len(worker.people.standing.known) <= 10

    asyncio.run(asked())


def test_what_changes_is_known_at_the_next_look_and_told_once(tmp_path: Path) -> None:
    async def changed() -> None:
        async with working(tmp_path) as worker:
            told: list[str] = []
            worker.people.standing.listeners[:] = [told.append]
            await worker.people.standing.open()
            assert await worker.people.standing.holds(Session("ann"))
            assert not await worker.people.standing.is_banned("bob")
            await noted(worker, "ann", 5_000, generation=1)
            await noted(worker, "bob", 5_001, banned=True)
            for _ in range(3):
                await worker.people.standing.look()
            assert not await worker.people.standing.holds(Session("ann"))
            assert await worker.people.standing.holds(Session("ann", 1))
            assert await worker.people.standing.is_banned("bob")
            assert sorted(told) == ["ann", "bob"]
            await noted(worker, "ann", 5_002, generation=2)
            await worker.people.standing.look_at("ann")
            await worker.people.standing.look()
            assert not await worker.people.standing.holds(Session("ann", 1))
            assert sorted(told) == ["ann", "ann", "bob"]

    asyncio.run(changed())


def test_a_look_that_was_slow_does_not_bring_old_cookies_back(tmp_path: Path) -> None:
    """It has read a row before it changed, and learns it after another look has learned more."""

    async def slow() -> None:
        async with working(tmp_path) as worker:
            await noted(worker, "ann", 5_000)
            await worker.people.standing.of("ann")
            old = await worker.people.standing.store.changed_since(0)
            await noted(worker, "ann", 6_000, generation=1)
            await worker.people.standing.look_at("ann")
            worker.people.standing._learn({}, old)
            assert not await worker.people.standing.holds(Session("ann"))

    asyncio.run(slow())


async def delete(worker: Worker, player: str) -> None:
    scope = {"type": "http", "method": "POST", "headers": [], "state": {"https": False}}
    people, browser = worker.people, Browser(Request(scope), worker.people.sessions)
    await delete_me(Sure(sure=True), people.leaving, worker.rates, browser, player, "192.0.2.1")


async def ended(worker: Worker) -> list[str]:
    c = tables.standing.c
    return [
        row.player
        for row in await worker.ports.storage.rows(sa.select(c.player).order_by(c.player))
    ]


def test_who_deletes_nothing_leaves_no_row(tmp_path: Path) -> None:
    async def left() -> list[str]:
        async with working(tmp_path) as worker:
            guest = sa.insert(tables.players).values(id="ann", name="Ann", at=1)
            await worker.ports.storage.change(guest)
            for player in ("nobody", "ann", "nobody"):
                await delete(worker, player)
            return await ended(worker)

    assert asyncio.run(left()) == ["ann"]


def test_deleting_has_a_limit_by_network(tmp_path: Path) -> None:
    """Only what was stored counts: who has nothing to delete needs not wait."""
    limits = Limits(deletions=(2, 1e-9))

    async def tried() -> None:
        async with working(tmp_path, limits=limits) as worker:
            for number in range(3):
                row = {"id": f"p{number}", "name": "Ann", "at": 1}
                await worker.ports.storage.change(sa.insert(tables.players).values(row))
            await delete(worker, "p0")
            for _ in range(5):
                await delete(worker, "nobody")
            await delete(worker, "p1")
            with pytest.raises(Refused) as refused:
                await delete(worker, "p2")
            assert refused.value.code == "rate"
            assert await ended(worker) == ["p0", "p1"]

    asyncio.run(tried())


def test_the_limit_of_deletions_follows_the_others() -> None:
    assert Limits().times(2).deletions == (60, 60 / 86_400)
