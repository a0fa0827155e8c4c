"""A damaged database is found by `--check` and refused at the start, in a sentence."""

import asyncio
import os
import random
import shutil
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from servers import free_port, postgres
from tegel.game import BadNotation
from tegel.server.check import findings
from tegel.server.run import Options, chosen
from tegel.server.storage.backup import file_url, restore
from tegel.server.storage.first_use import made_ready
from tegel.server.storage.migrations import head
from test_faults_start import refused

PAGE = 4096
SEED = int(os.environ.get("TEGEL_SEED", "1"))


@pytest.fixture(scope="module")
def used(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database of some hundred pages, with interior pages, and a log that is not folded in."""
    folder = tmp_path_factory.mktemp("used")
    asyncio.run(made_ready(file_url(folder / "tegel.db")))
    live = sqlite3.connect(folder / "tegel.db")
    with closing(live):
        live.execute("PRAGMA journal_mode=WAL")
        rng = random.Random(1)
        rows = [(f"r{n % 80}", n, n, rng.randbytes(40).hex()) for n in range(6000)]
        names = [(f"r{n}", f"p{n % 97}", f"Ann-{n}") for n in range(3000)]
        live.executemany("INSERT INTO log VALUES (?, ?, ?, ?)", rows)
        live.executemany("INSERT INTO names VALUES (?, ?, ?)", names)
        live.commit()
        live.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        live.executemany("INSERT INTO guests VALUES (?, ?)", [(f"g{n}", "p") for n in range(900)])
        live.commit()
        (folder / "copy").mkdir()
        for name in ("tegel.db", "tegel.db-wal"):
            shutil.copyfile(folder / name, folder / "copy" / name)
    return folder / "copy"


@pytest.fixture(autouse=True)
def _secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    """Given, so that none has to be written for each database."""
    for name in ("TEGEL_SECRET", "TEGEL_METRICS_TOKEN"):
        monkeypatch.setenv(name, "s" * 40)


def _page(rng: random.Random, data: bytearray) -> None:
    at = rng.randrange(len(data) // PAGE) * PAGE
    data[at : at + PAGE] = rng.choice([bytes(PAGE), b"\xff" * PAGE, rng.randbytes(PAGE)])


def _header(rng: random.Random, data: bytearray) -> None:
    data[rng.randrange(100)] = rng.randrange(256)


def _schema(rng: random.Random, data: bytearray) -> None:
    at = rng.randrange(100, PAGE)
    data[at : at + 30] = rng.randbytes(30)


def _start_of_page(rng: random.Random, data: bytearray) -> None:
    at = rng.randrange(1, len(data) // PAGE) * PAGE
    data[at : at + 12] = rng.randbytes(12)


def _bytes(rng: random.Random, data: bytearray) -> None:
    for _ in range(rng.randrange(1, 20)):
        data[rng.randrange(len(data))] = rng.randrange(256)


def _cut(rng: random.Random, data: bytearray) -> None:
    del data[rng.randrange(len(data)) :]


DAMAGES: tuple[Callable[[random.Random, bytearray], None], ...] = (
    _page, _header, _schema, _start_of_page, _bytes, _cut,
)  # fmt: skip


def sound(file: Path, pragma: str) -> bool:
    """What SQLite itself says."""
    if not file.stat().st_size:
        return True
    try:
        with closing(sqlite3.connect(file)) as connection:
            return bool(connection.execute(f"PRAGMA {pragma}").fetchone()[0] == "ok")
    except (sqlite3.Error, UnicodeDecodeError):
        return False


def checked(data: Path, url: str = "") -> tuple[bool, str]:
    """What `--check` says of the database."""
    found = findings(Options(data=str(data), database=url, port=0))
    return next((one.good, one.text) for one in found if one.part == "database")


def copied(used: Path, to: Path) -> Path:
    shutil.copytree(used, to)
    return to / "tegel.db"


@pytest.mark.parametrize("damage", [*DAMAGES, None], ids=lambda one: one and one.__name__[1:])
def test_whatever_is_damaged_is_found_and_told_in_a_sentence(
    tmp_path: Path, used: Path, damage: Callable[[random.Random, bytearray], None] | None
) -> None:
    """No damage ends in another exception than the one that is printed as a sentence; `--check`
    finds what SQLite's own check finds. Without `damage` the log ahead of the file is hit."""
    rng = random.Random(f"{SEED} {damage.__name__ if damage else 'log'}")
    for number in range(10):
        file = copied(used, tmp_path / str(number))
        log = file.with_name("tegel.db-wal")
        if damage:
            log.unlink()
        hit = file if damage else log
        data = bytearray(hit.read_bytes())
        (damage or _bytes)(rng, data)
        hit.write_bytes(data)
        again = copied(file.parent, tmp_path / f"{number}-again")
        good, quick = sound(again, "integrity_check"), sound(again, "quick_check")
        told, text = checked(file.parent)
        assert told <= good, (number, text)
        try:
            asyncio.run(made_ready(chosen(Options(data=str(file.parent))).database))
        except BadNotation as refusal:
            assert "\n" not in str(refusal)
        else:
            assert quick, number


@pytest.mark.slow
def test_a_damaged_page_is_refused_at_the_start(tmp_path: Path, used: Path) -> None:
    """A page that nothing looks at before it serves: the root of an index on players."""
    file = copied(used, tmp_path / "data")
    with closing(sqlite3.connect(file)) as connection:
        query = "SELECT rootpage FROM sqlite_schema WHERE name = 'standing_at'"
        (page,) = connection.execute(query).fetchone()
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    data = bytearray(file.read_bytes())
    data[(page - 1) * PAGE : page * PAGE] = bytes(PAGE)
    file.write_bytes(data)
    good, text = checked(file.parent)
    assert not good
    assert "it is damaged" in text
    assert "it is damaged" in refused(file.parent)
    words = ["serve", "--check", "--data", str(file.parent), "--port", str(free_port())]
    ended = subprocess.run([sys.executable, "-m", "tegel", *words], capture_output=True, text=True)
    assert ended.returncode == 1
    assert "BAD  database: it is damaged" in ended.stdout
    assert "Traceback" not in ended.stderr


@pytest.mark.slow
def test_what_is_stored_but_makes_no_sense_is_refused_at_the_start(
    tmp_path: Path, used: Path
) -> None:
    """No check of SQLite finds a number that is none."""
    file = copied(used, tmp_path / "data")
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("INSERT INTO workers VALUES ('w', 'noon')")
        connection.commit()
    assert "the server can't start" in refused(file.parent)


def test_a_damaged_backup_is_refused_before_anything_is_written(tmp_path: Path, used: Path) -> None:
    file = copied(used, tmp_path / "data")
    data = bytearray(file.read_bytes())
    data[-PAGE:] = b"\xff" * PAGE
    file.write_bytes(data)
    file.with_name("tegel.db-wal").unlink()
    with pytest.raises(BadNotation, match="no backup that can be read"):
        asyncio.run(restore(file, file_url(tmp_path / "new.db")))
    assert not (tmp_path / "new.db").exists()


def test_a_database_of_a_newer_version_is_refused(tmp_path: Path, used: Path) -> None:
    file = copied(used, tmp_path / "data")
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
        connection.commit()
    with pytest.raises(BadNotation, match="newer version"):
        asyncio.run(made_ready(file_url(file)))
    assert checked(file.parent) == (
        False,
        f"a file of a newer version (9999; this one knows {head()})",
    )


def test_a_PostgreSQL_that_is_away_or_is_none_is_one_sentence(tmp_path: Path) -> None:
    """Nobody listens, or somebody listens who does not answer."""
    away = f"postgresql://nobody@127.0.0.1:{free_port()}/none"
    assert "can't be used" in told(away, tmp_path)
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        port = silent.getsockname()[1]
        found = checked(tmp_path, f"postgresql://nobody@127.0.0.1:{port}/none")
        assert found == (False, "it does not answer")


def test_a_wrong_PostgreSQL_is_one_sentence(tmp_path: Path) -> None:
    with postgres(tmp_path) as address:
        wrong = address.replace("/postgres", "/no-such-database")
        assert "does not exist" in told(wrong, tmp_path)
        assert "does not exist" in told(address.replace("tegel@", "nobody@"), tmp_path)


def told(url: str, data: Path) -> str:
    """The sentence with which a database is refused."""
    with pytest.raises(BadNotation) as refusal:
        asyncio.run(made_ready(chosen(Options(database=url, data=str(data))).database))
    assert "\n" not in str(refusal.value)
    good, text = checked(data, url)
    assert not good
    assert text
    return str(refusal.value)
