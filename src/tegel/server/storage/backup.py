"""All that is stored, as one SQLite file, from a file or from PostgreSQL and into either: a copy
for a bad day, and the way from one store to the other.

A backup is taken while the server runs, as everything was at one moment. It is restored into an
empty place only."""

import os
import shutil
import tempfile
from collections.abc import Callable
from math import inf
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from tegel.game import BadNotation
from tegel.server.storage import tables
from tegel.server.storage.database_file import damage
from tegel.server.storage.migrations import engine_of, head, migrate, shape

Progress = Callable[[str, int], None]  # of which table, how many rows so far
TOGETHER = 1000  # rows


def file_url(file: Path) -> str:
    return f"sqlite+aiosqlite:///{file.absolute()}"


async def backup(url: str, file: Path, progress: Progress = lambda *_: None) -> None:
    """Write everything that a database holds into a new file, whole or not at all."""
    if file.exists():
        raise BadNotation(str(file), "is there already; a backup is a new file")
    found = await shape(url)
    if found != head():
        raise BadNotation(found or "nothing", "is not the shape of this version: serve once first")
    aside = file.with_name(f"{file.name}.part")
    aside.unlink(missing_ok=True)
    try:
        os.close(os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        await migrate(file_url(aside))
        await _copy(url, file_url(aside), progress)
        with aside.open("rb") as written:
            os.fsync(written.fileno())
        aside.replace(file)
    finally:
        aside.unlink(missing_ok=True)


async def restore(file: Path, url: str, progress: Progress = lambda *_: None) -> None:
    """Write what a backup holds into an empty database; all of it or nothing. A backup of an
    earlier version is brought up to date on the way."""
    if not file.is_file():
        raise BadNotation(str(file), "there is no such backup")
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "backup.db"
        shutil.copyfile(file, copy)
        if found := damage(copy, inf, whole=True):
            raise BadNotation(str(file), f"is no backup that can be read: {found}")
        if not await shape(file_url(copy)):
            raise BadNotation(str(file), "is no backup of Tegel")
        await migrate(file_url(copy))
        await migrate(url)
        await _copy(file_url(copy), url, progress)


async def _copy(source: str, target: str, progress: Progress) -> None:
    """Copy all rows in one transaction on either side."""
    here, there = engine_of(source), engine_of(target)
    level = "SERIALIZABLE" if source.startswith("sqlite") else "REPEATABLE READ"
    try:
        async with here.connect() as reading, there.begin() as writing:
            await reading.execution_options(isolation_level=level)
            for table in tables.metadata.sorted_tables:
                await _copy_table(table, reading, writing, progress)
    finally:
        await here.dispose()
        await there.dispose()


async def _copy_table(
    table: sa.Table, reading: AsyncConnection, writing: AsyncConnection, progress: Progress
) -> None:
    if (await writing.execute(sa.select(table).limit(1))).first():
        raise BadNotation(table.name, "is not empty: a backup is restored into an empty place")
    count = 0
    rows = await reading.stream(sa.select(table).order_by(*table.primary_key))
    async for part in rows.mappings().partitions(TOGETHER):
        await writing.execute(table.insert(), [dict(row) for row in part])
        progress(table.name, count := count + len(part))
