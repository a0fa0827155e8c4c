"""Backups of both stores, from one to the other, and what `tegel serve --check` says."""

import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from servers import Person, Tegel, free_port, offered, postgres, redis, tegel
from test_editions import SECRET, WRITTEN, file


def ran(*words: object) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [sys.executable, "-m", "tegel", *map(str, words)],
        capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert "Traceback" not in done.stderr
    return done


def played(server: Tegel) -> tuple[Person, dict[str, object]]:
    """Someone with a name, and a game that she has begun."""
    ann = Person(server, "Ann")
    room = ann.room(listed=True)["id"]
    Person(server, "Bob").do(room, "sit", seat=1)
    ann.do(room, "move", ply=2, move=offered(ann.ok("GET", f"/api/rooms/{room}/offer")))
    found: dict[str, object] = ann.ok("GET", f"/api/rooms/{room}")
    return ann, found


def same(server: Tegel, ann: Person, room: dict[str, object]) -> None:
    """She comes back to a server that was restored, and finds her game."""
    back = Person(server, cookies=dict(ann.http.cookies))
    assert back.id == ann.id
    found = back.ok("GET", f"/api/rooms/{room['id']}")
    for key in ("moves", "seats", "ply", "scores", "you"):
        assert found[key] == room[key]
    assert [one["id"] for one in back.ok("GET", "/api/my/rooms")] == [room["id"]]


@pytest.mark.sliced(2)
def test_a_file_comes_back_and_goes_over_to_PostgreSQL(tmp_path: Path) -> None:
    """The backup is taken while the server runs, and restored into a file and into PostgreSQL."""
    kept = tmp_path / "kept.db"
    with tegel(tmp_path / "one", env=SECRET) as server:
        ann, room = played(server)
        done = ran("backup", kept, "--data", server.folder)
        assert done.returncode == 0, done.stderr
        server.check()
    assert oct(kept.stat().st_mode)[-3:] == "600"
    done = ran("restore", kept, "--data", tmp_path / "two")
    assert done.returncode == 0, done.stderr
    with tegel(tmp_path / "two", env=SECRET) as server:
        same(server, ann, room)
    with postgres(tmp_path / "pg") as address:
        assert ran("restore", kept, "--database", address).returncode == 0
        with tegel(tmp_path / "three", "--database", address, env=SECRET) as server:
            same(server, ann, room)
            again = tmp_path / "again.db"
            assert ran("backup", again, "--database", address).returncode == 0
        twice = ran("restore", kept, "--database", address)
        assert (twice.returncode, "not empty" in twice.stderr) == (2, True), "nothing is mixed"
    assert ran("restore", again, "--data", tmp_path / "four").returncode == 0
    with tegel(tmp_path / "four", env=SECRET) as server:
        same(server, ann, room)


def test_a_backup_of_the_first_edition_is_restored(tmp_path: Path) -> None:
    old = file(tmp_path / "old")
    assert ran("restore", old, "--data", tmp_path / "new").returncode == 0
    with tegel(tmp_path / "new", env=SECRET) as server:
        id = WRITTEN["rooms"]["people"]
        found = Person(server).ok("GET", f"/api/rooms/{id}")
        assert found["moves"] == WRITTEN["seen"]["people"]["moves"]


@pytest.mark.parametrize("text", [b"", b"no database at all" * 100])
def test_what_is_no_backup_is_refused(tmp_path: Path, text: bytes) -> None:
    wrong = tmp_path / "wrong.db"
    wrong.write_bytes(text)
    done = ran("restore", wrong, "--data", tmp_path / "data")
    assert (done.returncode, "is no backup" in done.stderr) == (2, True)
    assert ran("restore", tmp_path / "none", "--data", tmp_path).returncode == 2


def test_a_backup_is_a_new_file_of_a_database_in_use(tmp_path: Path) -> None:
    there = tmp_path / "there.db"
    there.write_text("mine")
    assert "is there already" in ran("backup", there, "--data", tmp_path / "data").stderr
    assert there.read_text() == "mine"
    done = ran("backup", tmp_path / "empty.db", "--data", tmp_path / "data")
    assert (done.returncode, "serve once" in done.stderr) == (2, True)
    assert not (tmp_path / "empty.db").exists()


def test_the_check_says_what_is_well(tmp_path: Path) -> None:
    with redis(tmp_path / "redis") as bus:
        done = ran("serve", "--check", "--data", tmp_path, "--port", free_port(), "--bus", bus)
    assert done.returncode == 0, done.stdout
    assert "BAD" not in done.stdout
    assert "database: a file, empty" in done.stdout


def test_the_check_says_what_is_wrong(tmp_path: Path, server: Tegel) -> None:
    (tmp_path / "secret").write_text("short")
    with sqlite3.connect(tmp_path / "tegel.db") as connection:
        connection.execute("CREATE TABLE alembic_version (version_num TEXT)")
        connection.execute("INSERT INTO alembic_version VALUES ('9999')")
    connection.close()
    words = ["--bus", f"redis://127.0.0.1:{free_port()}", "--origin", "games.example"]
    done = ran("serve", "--check", "--data", tmp_path, "--port", server.port, *words)
    assert done.returncode == 1
    bad = [line.split()[1].rstrip(":") for line in done.stdout.splitlines() if line[:3] == "BAD"]
    assert bad == ["settings", "database", "bus", "origins", "port"]
