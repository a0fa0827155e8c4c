"""What nobody has touched for long is forgotten, a part at a time."""

import asyncio
from pathlib import Path

import pytest
import sqlalchemy as sa

from tegel.room.clock import DAY
from tegel.server.storage import retention, tables
from working import working


def test_what_is_old_is_forgotten_however_much_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retention, "TOGETHER", 4)

    async def left() -> list[str]:
        async with working(tmp_path, keep_days=30) as worker:
            now, c = worker.heartbeat.now(), tables.records.c
            old = [{"id": f"old{n}", "text": "", "at": now - 31 * DAY} for n in range(11)]
            new = [{"id": f"new{n}", "text": "", "at": now - 29 * DAY} for n in range(5)]
            await worker.ports.storage.change(sa.insert(tables.records).values([*old, *new]))
            assert await worker.retention.forget() == 0, "no rooms"
            return [
                row.id for row in await worker.ports.storage.rows(sa.select(c.id).order_by(c.id))
            ]

    assert asyncio.run(left()) == [f"new{n}" for n in range(5)]


def test_by_default_all_is_kept(tmp_path: Path) -> None:
    async def left() -> int:
        async with working(tmp_path) as worker:
            row = {"id": "old", "text": "", "at": 1}
            await worker.ports.storage.change(sa.insert(tables.records).values(row))
            await worker.retention.forget()
            return len(await worker.ports.storage.rows(sa.select(tables.records)))

    assert asyncio.run(left()) == 1


def test_a_guest_without_games_is_forgotten_and_who_keeps_a_name_is_not(tmp_path: Path) -> None:
    async def left() -> list[str]:
        async with working(tmp_path, keep_days=30) as worker:
            c, row = tables.players.c, {"at": 1, "handle": None, "token": None}
            rows = [
                {**row, "id": "guest", "name": "Guest"},
                {**row, "id": "seated", "name": "Sitting"},
                {**row, "id": "ann", "name": "@Ann", "handle": "Ann"},
                {**row, "id": "bot", "name": "Bot", "token": "t"},
            ]
            await worker.ports.storage.change(sa.insert(tables.players).values(rows))
            seat = {"player": "seated", "room": "r"}
            await worker.ports.storage.change(sa.insert(tables.seats).values(seat))
            await worker.retention.forget()
            return [
                row.id for row in await worker.ports.storage.rows(sa.select(c.id).order_by(c.id))
            ]

    assert asyncio.run(left()) == ["ann", "bot", "seated"]
