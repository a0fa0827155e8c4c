"""Garbage: whatever is sent, nothing crashes, hangs or fails with 500."""

import json
from collections.abc import Iterator
from functools import cache
from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from websockets.exceptions import ConnectionClosed

from conftest import SOAK
from servers import OPEN, Person, Tegel, tegel

STREAMS = ["/api/bot/events", "/api/bot/rooms/{room}/events"]  # they never end


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tegel]:
    folder = tmp_path_factory.mktemp("garbage")
    with tegel(folder, "--limits", "1000000") as found:
        yield found
        owner(found)[0].close()
        found.check()


# The socket

numbers = st.integers() | st.floats(allow_nan=True) | st.sampled_from([-1, 0, 1, 2, 3, 2**63])
words = st.sampled_from(["F.0@d9", "I1.0@a1", "!resign 0", "!takeback 0", "", "@", "hello"])
values = st.recursive(
    st.none() | st.booleans() | numbers | words | st.text(max_size=40),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)
kinds = st.sampled_from(
    ["join", "move", "sit", "resign", "ask", "agree", "refuse", "claim", "replace", "rematch",
     "react", "ping", "room", "moved", "bogus", ""]
)  # fmt: skip
keys = st.sampled_from(["since", "ply", "move", "seat", "name", "level", "key", "t", "x"])
messages = st.builds(lambda t, rest: {**rest, "t": t}, kinds, st.dictionaries(keys, values))
texts = messages.map(lambda m: json.dumps(m)) | values.map(json.dumps) | st.text(max_size=200)
frames = texts | st.binary(max_size=200) | st.just("[" * 3000) | st.just('{"t":' * 500)


@settings(
    max_examples=300 if SOAK else 40,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(frames=st.lists(frames, max_size=12))
def test_garbage_on_the_socket(server: Tegel, frames: list[str | bytes]) -> None:
    """Every message is answered or ignored; the socket still serves afterwards, unless it
    was closed for being rude, and the game is still one."""
    person = Person(server)
    room = person.room(seats=[{"kind": "person"}, {"kind": "person"}])["id"]
    socket = person.socket(room)
    try:
        for frame in frames:
            socket.connection.send(frame)
        socket.send(t="ping")
        socket.wait("pong")
    except ConnectionClosed as closed:
        assert closed.rcvd
        assert closed.rcvd.code in (1003, 1007, 1008, 1009)
    found = person.ok("GET", f"/api/rooms/{room}")
    assert found["ply"] >= 2
    socket.close()
    person.close()


# HTTP


def described() -> Any:
    """The API as OpenAPI tells it, from the app itself: the tests run against a server."""
    from tegel.server.settings import Settings
    from tegel.server.web.app import app

    made = app(Settings("sqlite+aiosqlite:///unused", "x" * 32))
    made.state.worker.pools.close()
    return made.openapi()


@cache
def owner(server: Tegel) -> tuple[Person, str]:
    person = Person(server)
    OPEN.remove(person)  # it is needed for longer than one test
    return person, person.room()["id"]


schema = schemathesis.openapi.from_dict(described())


@schema.exclude(path=STREAMS).parametrize()
@settings(
    max_examples=200 if SOAK else 12,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
def test_garbage_over_http(case: Any, server: Tegel) -> None:
    """What the description allows and what it does not: no 500, and answers as described.
    Every other time it concerns a room that exists, and comes from its player."""
    person, room = owner(server)
    if case.path_parameters and "room" in case.path_parameters and len(str(case.body)) % 2:
        case.path_parameters["room"] = room
    headers = {**(case.headers or {}), "Cookie": person.cookie()}
    response = case.call(base_url=server.url, timeout=30, headers=headers)
    case.validate_response(
        response,
        checks=(
            not_a_server_error,
            response_headers_conformance,
            response_schema_conformance,
            status_code_conformance,
        ),
    )


@pytest.mark.parametrize(
    "path",
    ["/api/rooms/%00", "/api/rooms/../../etc/passwd", "/..%2f..%2fetc/passwd", "/r/%ff",
     "/api/games/blokus/pictures/..%2frules.py", "/api/records/'; drop table log;--",
     "/api/rooms?game=%00", "/api/rooms/a/positions/99999999999999999999",
     "/api/games?language=%00", "/api/my/rooms?over=maybe"],
)  # fmt: skip
def test_odd_addresses(server: Tegel, path: str) -> None:
    answer = httpx.get(server.url + path)
    assert answer.status_code < 500
    assert "root:" not in answer.text


BODIES = [
    b"", b"{", b"null", b"[]", b"\xff", b'{"game":"\\u0000"}', b"[" * 100_000,
    b'{"game":"blokus","options":{"a b":"c d"}}', b'{"game":"blokus","name":"\\ud800"}',
]  # fmt: skip


@pytest.mark.parametrize("body", BODIES, ids=range(len(BODIES)))
def test_odd_bodies(server: Tegel, body: bytes) -> None:
    for path in ("/api/rooms", "/api/bots", "/api/records", "/api/rooms/x/move"):
        answer = httpx.post(server.url + path, content=body)
        assert 400 <= answer.status_code < 500, (path, answer.text)
        assert answer.json()["text"]
