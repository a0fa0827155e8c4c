"""What is stored is its owner's only: the database and its companions, backups, secrets."""

import asyncio
import logging
import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from tegel.server.check import findings
from tegel.server.run import Options, chosen, folder, warn_of_readers
from tegel.server.storage import tables
from tegel.server.storage.backup import backup, file_url, restore
from tegel.server.storage.database import Database
from tegel.server.storage.first_use import made_ready
from tegel.server.storage.heartbeat import SqlHeartbeat


@pytest.fixture(autouse=True)
def _usual_umask() -> Iterator[None]:
    """That of most systems, under which new files are readable by everybody."""
    before = os.umask(0o022)
    yield
    os.umask(before)


def mode(file: Path) -> str:
    return oct(stat.S_IMODE(file.stat().st_mode))


def test_the_database_is_readable_by_its_owner_only(tmp_path: Path) -> None:
    options = Options(data=str(tmp_path / "new"))
    url = chosen(options).database
    asyncio.run(made_ready(url))

    async def written() -> dict[str, str]:
        store = Database(url)
        await store.open()
        await store.change(sa.delete(tables.workers))
        await SqlHeartbeat(store).outages()
        found = {file.name: mode(file) for file in folder(options).iterdir()}
        await store.close()
        return found

    assert asyncio.run(written()) == {
        "tegel.db": "0o600", "tegel.db-wal": "0o600", "tegel.db-shm": "0o600",
        "secret": "0o600", "metrics-token": "0o600",
    }  # fmt: skip
    assert mode(tmp_path / "new") == "0o700"


def test_looking_makes_no_readable_file(tmp_path: Path) -> None:
    options = Options(data=str(tmp_path / "new"))
    assert {one.part: one.text for one in findings(options)}["database"].startswith("a file, empty")
    assert "0o644" not in map(mode, (tmp_path / "new").iterdir())


def test_backups_and_what_is_restored_are_readable_by_their_owner_only(tmp_path: Path) -> None:
    url, kept = file_url(tmp_path / "one.db"), tmp_path / "kept.db"
    asyncio.run(made_ready(url))
    asyncio.run(backup(url, kept))
    asyncio.run(restore(kept, file_url(tmp_path / "two.db")))
    assert {file.name: mode(file) for file in tmp_path.glob("*.db*")} == {
        "one.db": "0o600", "kept.db": "0o600", "two.db": "0o600",
    }  # fmt: skip


def said(data: Path, caplog: pytest.LogCaptureFixture) -> list[str]:
    caplog.clear()
    with caplog.at_level(logging.WARNING):
        options = Options(data=str(data))
        warn_of_readers(folder(options), chosen(options).database)
    return [record.getMessage() for record in caplog.records]


def test_what_others_can_read_is_told_in_a_line(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    data = tmp_path / "data"
    asyncio.run(made_ready(chosen(Options(data=str(data))).database))
    assert said(data, caplog) == []
    (data / "tegel.db").chmod(0o644)
    (data / "secret").chmod(0o640)
    assert said(data, caplog) == [], "nobody else can enter the folder"
    data.chmod(0o755)
    (line,) = said(data, caplog)
    assert line.startswith(f"other users of this machine can read {data}, ")
    assert str(data / "secret") in line
    assert str(data / "tegel.db") in line
    assert "chmod go-rwx" in line
    (data / "tegel.db").chmod(0o600)
    (data / "secret").chmod(0o600)
    (line,) = said(data, caplog)
    assert "tegel.db" not in line


def test_the_command_line_makes_private_files(tmp_path: Path) -> None:
    """Whatever the command: they all go by the same way."""
    subprocess.run(
        [sys.executable, "-m", "tegel", "people", "reports", "--data", str(tmp_path / "new")],
        capture_output=True, timeout=120, check=False,
    )  # fmt: skip
    assert mode(tmp_path / "new") == "0o700"
    assert "0o644" not in map(mode, (tmp_path / "new").iterdir())
