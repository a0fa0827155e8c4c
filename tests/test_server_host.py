"""What a host relies on: storage, security, operation."""

import re
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin

from chaos import Faults
from servers import Person, Socket, Tegel, table, tegel, until

# Storage


def test_rooms_go_on_after_a_restart(tmp_path: Path) -> None:
    with tegel(tmp_path, "--bots", "1") as server:
        ann, bob = Person(server, "Ann"), Person(server, "Bob")
        room, first, second = table(ann, bob)
        first.move(first.wait("offer"))
        second.wait("offer")
        machines = ann.room(
            variant="classic", seats=[{"kind": "person"}, *[{"kind": "bot", "level": 1}] * 3]
        )
        alone = ann.socket(machines["id"])
        alone.move(alone.wait("offer"))
        assert server.stop() in (0, -signal.SIGTERM)
        server.start()
        again = bob.socket(room)
        fresh = again.wait("room")
        assert len(fresh["moves"]) == 1
        assert fresh["you"] == [1]
        again.move(again.wait("offer"))
        assert again.wait("moved")["turn"] == 0
        until(
            lambda: ann.ok("GET", f"/api/rooms/{machines['id']}")["turn"] == 0,
            "the moves of the bots",
        )
        server.check()


@pytest.mark.sliced(2)
def test_bank_clocks_stand_still_while_nobody_serves(tmp_path: Path) -> None:
    clock = Faults(tmp_path / "clock")
    with tegel(tmp_path / "data", env=clock.env) as server:
        ann, bob = Person(server), Person(server)
        room, first, second = table(ann, bob, clock="bank 8 0")
        first.move(first.wait("offer"))
        second.wait("offer")
        server.kill()
        clock.jump(60)
        server.start()
        found = ann.ok("GET", f"/api/rooms/{room}")
        assert not found["over"]
        assert 2000 < found["clocks"]["left"][1] < 8000
        server.check()


@pytest.mark.sliced(2)
def test_old_rooms_are_forgotten(tmp_path: Path) -> None:
    """However many they are: some at a time, until none is left."""
    with tegel(tmp_path, "--keep-days", "3") as server:
        ann, both = Person(server), [{"kind": "person"}] * 2
        old, young = ann.room(seats=both)["id"], ann.room(seats=both)["id"]
        ann.do(old, "resign", seat=0)
        ann.do(young, "resign", seat=0)
        assert ann.ok("GET", "/api/me/games")["found"] == 2
        server.stop()
        base = sqlite3.connect(tmp_path / "tegel.db")
        with base:
            base.execute("update rooms set touched = touched - 4*86400000 where id = ?", (old,))
            base.execute("create temp table copy as select * from rooms where id = ?", (old,))
            for number in range(1200):
                base.execute("update copy set id = ?", (f"old{number}",))
                base.execute("insert into rooms select * from copy")
        base.close()
        server.start()
        base = sqlite3.connect(tmp_path / "tegel.db")
        count = "select count(*) from rooms"
        until(lambda: base.execute(count).fetchone() == (1,), "forgetting")
        assert ann.ask("GET", f"/api/rooms/{old}").status_code == 404
        assert ann.ok("GET", f"/api/rooms/{young}")
        for table in ("log", "seats", "endings", "played"):
            left = base.execute(f"select distinct room from {table}").fetchall()
            assert left == [(young,)], f"what {table} knows of the others is gone"
        found = ann.ok("GET", "/api/me/games")
        assert [game["id"] for game in found["games"]] == [young]
        assert found["days"] == 3, "and the page can say so"
        base.close()


# Security and operation


def test_other_sites_are_not_answered(ann: Person) -> None:
    evil = {"Origin": "https://evil.example"}
    answer = ann.http.post("/api/rooms", json={"game": "blokus"}, headers=evil)
    assert (answer.status_code, answer.json()["code"]) == (403, "origin")
    own = {"Origin": ann.server.url}
    assert ann.http.post("/api/rooms", json={"game": "blokus"}, headers=own).status_code == 201
    room = ann.room()["id"]
    url = f"ws://127.0.0.1:{ann.server.port}/api/rooms/{room}/socket"
    with pytest.raises(InvalidStatus) as caught:
        connect(url, origin=Origin("https://evil.example"), proxy=None, legacy=True)
    assert caught.value.response.status_code == 403
    connect(url, origin=Origin(ann.server.url), proxy=None, legacy=True).close()


def test_cookies_can_not_be_forged(ann: Person) -> None:
    room = ann.room()["id"]
    cookie = ann.cookie()
    assert "HttpOnly" in httpx.get(f"{ann.server.url}/api/me").headers["set-cookie"]
    forged = cookie.split("=")[0] + "=" + cookie.split("=")[1].split(".")[0] + "." + "A" * 32
    for text in (forged, "tegel=", "tegel=x", "tegel=.", f"{cookie}x"):
        answer = httpx.get(f"{ann.server.url}/api/rooms/{room}", headers={"Cookie": text})
        assert answer.json()["you"] == []
    answer = httpx.get(f"{ann.server.url}/api/rooms/{room}", headers={"Cookie": cookie})
    assert answer.json()["you"] == [0]


def test_every_answer_carries_the_usual_headers(ann: Person) -> None:
    for path in ("/", "/page.css", "/api/games", "/nothing", "/api/nothing", "/r/abc"):
        headers = ann.ask("GET", path).headers
        assert "default-src 'none'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"


def test_large_bodies_and_messages_are_refused(ann: Person, bob: Person) -> None:
    assert ann.http.post("/api/records", content=b"x" * 5_000_000).status_code == 413

    def chunks() -> Iterator[bytes]:
        for _ in range(100):
            yield b"x" * 100_000

    assert ann.http.post("/api/records", content=chunks()).status_code == 413
    _, first, _ = table(ann, bob)
    first.send(t="move", ply=0, move="x" * 5000)
    assert first.wait("error")["code"] == "size"
    first.connection.send("x" * 100_000)
    with pytest.raises(ConnectionClosed) as caught:
        _to_end(first)
    assert caught.value.rcvd
    assert caught.value.rcvd.code == 1009


def _to_end(socket: Socket) -> None:
    while True:
        socket.next(5)


def test_who_does_not_read_is_dropped_and_nobody_waits(ann: Person, bob: Person) -> None:
    room, first, second = table(ann, bob)
    offer = first.wait("offer")
    deaf = bob.socket(room)
    deaf.connection.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    before = dropped(ann)
    for _ in range(30):
        with suppress(ConnectionClosed):  # dropped in the middle of it
            for _ in range(100):
                deaf.send(t="join", since=-1)  # each is answered with the whole room
        start = time.monotonic()
        first.send(t="ping")
        first.wait("pong")
        assert time.monotonic() - start < 5
        if dropped(ann) > before:
            break
    assert dropped(ann) == before + 1
    first.move(offer)
    second.wait("moved")


def dropped(person: Person) -> float:
    text = person.metrics()
    return float(re.findall(r"^tegel_dropped_total (\S+)", text, re.M)[0])


def test_rates_and_caps(tmp_path: Path) -> None:
    with tegel(tmp_path, "--limits", "0.2") as server:
        person = Person(server)
        made = [person.ask("POST", "/api/rooms", {"game": "blokus"}) for _ in range(30)]
        assert {answer.status_code for answer in made} == {201, 429}
        room = next(answer.json()["id"] for answer in made if answer.status_code == 201)
        socket = person.socket(room)
        socket.wait("room")
        for _ in range(20):
            socket.send(t="ping")
        assert socket.wait("error")["code"] == "rate"
        many = [person.socket(room) for _ in range(39)]  # 200 * 0.2, and one is there
        with pytest.raises(InvalidStatus):
            person.socket(room)
        for each in [socket, *many]:
            each.close()


def test_health_and_metrics(ann: Person, server: Tegel) -> None:
    assert ann.ok("GET", "/healthz")["ok"]
    text = ann.metrics()
    assert "tegel_rows_total" in text
    assert "tegel_commit_seconds_bucket" in text
    ann.room()

    def told() -> bool:  # a request is logged after its answer
        paths = [e.get("route") for e in server.entries() if e["message"] == "request"]
        return "/api/rooms" in paths

    until(told, "a request in the log")


def test_the_secret_is_made_once_and_kept(tmp_path: Path) -> None:
    with tegel(tmp_path) as server:
        ann = Person(server)
        secret = tmp_path / "secret"
        assert secret.stat().st_mode & 0o777 == 0o600
        before = secret.read_text()
        server.stop()
        server.start()
        assert secret.read_text() == before
        assert ann.ok("GET", "/api/me")["id"] == ann.id


@pytest.mark.sliced(2)
def test_serve_refuses_bad_options_in_a_sentence() -> None:
    cases = [
        (["--workers", "2"], "several workers need a bus"),
        (["--workers", "2", "--bus", "redis://x"], "several workers need PostgreSQL"),
        (["--database", "mysql://x"], "a database is SQLite or PostgreSQL"),
        (["--database", "nonsense"], "a database is like"),
        (["--database", "postgresql://u:secret@127.0.0.1:1/x"], "the database can't be used"),
        (["--database", "sqlite://"], "a SQLite database is a file"),
        (["--data", "/proc/nothing"], "can't be used as data folder"),
        (["--log", "xml"], "a log is json or text"),
    ]
    started = [
        subprocess.Popen(
            [sys.executable, "-m", "tegel", "serve", *words],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )
        for words, _ in cases
    ]  # fmt: skip
    for process, (_, said) in zip(started, cases, strict=True):
        out, err = process.communicate(timeout=90)
        assert (process.returncode, out) == (2, b""), err
        assert said in err.decode()
        assert b"secret" not in err
        assert err.count(b"\n") == 1
