"""Who leaves, at whatever moment, leaves no trace: no error in the log, nothing held."""

import json
import random
import socket
import struct
import time
from contextlib import suppress
from pathlib import Path

import pytest

from conftest import SOAK
from servers import Person, Tegel, tegel, until
from test_fortress_load import asked, dial, frame, gone, upgrade
from test_server_garbage import operations
from world import World, real


def cut(leaving: socket.socket) -> None:
    """Leave at once, without a word."""
    leaving.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    leaving.close()


@pytest.mark.parametrize("path", ["me", "rooms", "records"])
def test_who_leaves_in_the_middle_of_a_body_leaves_no_trace(tmp_path: Path, path: str) -> None:
    with tegel(tmp_path) as server:
        for leave in (cut, socket.socket.close):
            leaving = dial(server)
            leaving.sendall(
                f"POST /api/{path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 90\r\n"
                'Content-Type: application/json\r\n\r\n{"game":'.encode()
            )
            time.sleep(0.3)
            leave(leaving)
        until(lambda: gone(server), "the end of all")
        assert Person(server).ok("GET", "/healthz")
        server.check()


@pytest.mark.parametrize("path", ["rooms/nowhere/socket", "search", "studies/none/socket"])
def test_who_leaves_before_a_socket_is_open_leaves_no_trace(tmp_path: Path, path: str) -> None:
    with tegel(tmp_path) as server:
        for _ in range(40):
            made = dial(server)
            made.sendall(upgrade(path, "Authorization: Bearer nobody"))
            cut(made)
        until(lambda: gone(server), "the end of all")
        assert Person(server).ok("GET", "/healthz")
        server.check()


def test_who_leaves_while_being_refused_leaves_no_trace(tmp_path: Path) -> None:
    with tegel(tmp_path) as server:
        for _ in range(20):
            cut(asked(server, "nowhere"))
        until(lambda: gone(server), "the end of all")
        assert Person(server).ok("GET", "/healthz")
        server.check()


MESSAGES = [
    {"t": "join", "since": 0}, {"t": "ping"}, {"t": "look", "on": True}, {"t": "sit", "seat": 1},
    {"t": "move", "ply": 2, "move": "F.0@d9"}, {"t": "react", "key": "hello"},
    {"t": "judge"}, {"t": "think", "path": "1"}, {"t": "rest"},
    {"t": "change", "rows": 1, "text": ""},
    {"t": "search", "game": "blokus", "variant": "duo", "clock": "bank 300 5"}, {"t": "stop"},
]  # fmt: skip


def left(server: Tegel, head: bytes, rest: bytes, rng: random.Random) -> None:
    """Say all or a part of it, wait a moment or none, read a little or nothing, and leave."""
    made = dial(server)
    whole = head + rest
    least = rng.choice([0, len(head), len(whole)])
    with suppress(OSError):
        made.sendall(whole[: rng.randint(least, len(whole))])
        time.sleep(rng.choice([0, 0, rng.uniform(0, 0.02), rng.uniform(0, 0.2)]))
        if rng.random() < 0.3:
            made.settimeout(0.05)
            made.recv(100)
    rng.choice([cut, socket.socket.close])(made)


@pytest.mark.sliced(2)
def test_who_leaves_at_any_moment_leaves_no_trace(tmp_path: Path, rng: random.Random) -> None:
    with tegel(tmp_path, "--limits", "1000000", "--push", "host@games.example") as server:
        here = World(server)
        known, cookie = real(here), here.person.cookie()
        labels = operations() * (30 if SOAK else 2)
        rng.shuffle(labels)
        for label in labels:
            (method, path), one = label.split(" "), known[label]
            more = {"content": one.body} if isinstance(one.body, str) else {"json": one.body}
            request = here.person.http.build_request(
                method, path.format(**one.path), params=one.query, **more
            )
            if path.startswith("/api/bot/"):
                request.headers["authorization"] = f"Bearer {here.program['token']}"
            head = f"{method} {request.url.raw_path.decode()} HTTP/1.1\r\n".encode()
            head += b"".join(b"%s: %s\r\n" % pair for pair in request.headers.raw) + b"\r\n"
            left(server, head, request.read(), rng)
        for path in [f"rooms/{here.on}/socket", "search", f"studies/{here.study}/socket"]:
            head = upgrade(path, f"Cookie: {cookie}")
            for _ in range(300 if SOAK else 20):
                said = rng.choices(MESSAGES, k=rng.randint(0, 8))
                left(server, head, b"".join(frame(1, json.dumps(m).encode()) for m in said), rng)
        until(lambda: gone(server), "the end of all")
        assert Person(server).ok("GET", "/healthz")
        server.check()
