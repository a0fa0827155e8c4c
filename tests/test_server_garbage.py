"""Garbage: whatever is sent, nothing crashes, hangs or fails with 500."""

import json
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import product
from typing import Any
from zlib import crc32

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
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from conftest import SOAK
from servers import OPEN, Person, Tegel, postgres, tegel
from world import MOVES, Asked, World, real

STREAMS = ["/api/bot/events", "/api/bot/rooms/{room}/events"]  # they never end


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def server(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Tegel]:
    folder = tmp_path_factory.mktemp("garbage")
    with ExitStack() as stack:
        options = ["--limits", "1000000", "--push", "host@games.example"]
        if request.param == "postgresql":
            options += ["--database", stack.enter_context(postgres(folder))]
        found = stack.enter_context(tegel(folder, *options))
        yield found
        for key in [key for key in WORLDS if key[0] == found.url]:
            WORLDS.pop(key).person.close()
        found.check()


# The socket

numbers = st.integers() | st.floats(allow_nan=True) | st.sampled_from([-1, 0, 1, 2, 3, 2**63])
words = st.sampled_from(
    ["F.0@d9", "I1.0@a1", "!resign 0", "!takeback 0", "", "@", "hello", "-", "0", "1.0.0", "9.9.9",
     "play -\nF.0@d9", "play 1\nF.0@c6", "play 99999\nx", "play -\n", "undo", "delete -",
     "delete 0", "promote 1.0.0", "mark - ??", "mark 0 ?", "note - \x0b\x85", "note 0 #(", "blokus",
     "duo", "bank 9 9", "bank nan inf", "days 1e9", "up"]
)  # fmt: skip
values = st.recursive(
    st.none() | st.booleans() | numbers | words | st.text(max_size=40),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)
SAID = {
    "room": (
        "join move sit resign ask agree refuse claim replace rematch react ping room moved bogus",
        "since ply move seat name level key t x",
    ),
    "study": ("follow change think rest judge ping study bogus", "rows text path begin t x"),
    "search": ("seek ping paired bogus", "game ticket variant options clock name t x"),
}
"""What may be said on each socket, and more; and of what."""


def frames(about: str) -> st.SearchStrategy[str | bytes]:
    kinds, keys = (st.sampled_from(said.split(" ")) for said in SAID[about])
    likely = st.fixed_dictionaries({}, optional={"rows": st.integers(0, 3), "text": words})
    messages = st.builds(
        lambda t, rest, more: {**rest, **more, "t": t}, kinds, st.dictionaries(keys, values), likely
    )
    texts = messages.map(json.dumps) | values.map(json.dumps) | st.text(max_size=200)
    return texts | st.binary(max_size=200) | st.just("[" * 3000) | st.just('{"t":' * 500)


@pytest.mark.parametrize("about", SAID)
@settings(
    max_examples=300 if SOAK else 15,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(data=st.data())
def test_garbage_on_the_socket(server: Tegel, about: str, data: st.DataObject) -> None:
    """Every message is answered or ignored; the socket still serves afterwards, unless it
    was closed for being rude, and the game is still one."""
    person = Person(server)
    room = person.room(seats=[{"kind": "person"}, {"kind": "person"}])["id"]
    study = person.ok("POST", "/api/studies", {"text": MOVES})["id"]
    paths = {"room": f"/rooms/{room}/socket", "study": f"/studies/{study}/socket"}
    with connect(
        f"ws://127.0.0.1:{server.port}/api{paths.get(about, '/search')}",
        additional_headers={"Cookie": person.cookie()}, proxy=None,
    ) as socket:  # fmt: skip
        try:
            for frame in data.draw(st.lists(frames(about), max_size=12)):
                socket.send(frame)
            socket.send('{"t": "ping"}')
            while json.loads(socket.recv(20))["t"] != "pong":
                pass
        except ConnectionClosed as closed:
            assert closed.rcvd
            assert closed.rcvd.code in (1003, 1007, 1008, 1009)
    assert person.ok("GET", f"/api/rooms/{room}")["ply"] >= 2
    assert person.ok("GET", f"/api/studies/{study}")["rows"] >= 1
    person.close()


# HTTP


def described() -> Any:
    """The API as OpenAPI tells it, from the app itself: the tests run against a server."""
    from tegel.server.settings import Settings
    from tegel.server.web.app import app

    made = app(Settings("sqlite+aiosqlite:///unused", "x" * 32))
    made.state.worker.ports.work.close()
    return made.openapi()


def operations() -> list[str]:
    return [f"{method.upper()} {path}" for path, found in API["paths"].items() for method in found]


API = described()
schema = schemathesis.openapi.from_dict(API)
WORLDS: dict[tuple[str, str], World] = {}


def world(server: Tegel, label: str) -> World:
    """What there is for one operation, so that none finds only what others left; those that only
    look share one."""
    key = (server.url, "GET" if label.startswith("GET ") else label)
    if key not in WORLDS:
        WORLDS[key] = World(server)
        OPEN.remove(WORLDS[key].person)  # it is needed for longer than one test
    return WORLDS[key]


@pytest.mark.sliced(2)
@pytest.mark.parametrize("label", operations())
def test_every_operation_is_asked_about_something_real(server: Tegel, label: str) -> None:
    """Otherwise garbage would meet nothing but "there is no such room"."""
    here = world(server, label) if label.startswith("GET ") else World(server)
    answer = here.ask(label, real(here)[label])
    assert answer.status_code < 500
    assert answer.status_code not in (404, 422), answer.text


ODD = ["\0", "a\0b", "", "x" * 5000, {"\0": "x"}, ["\0"], -1, 2**63, 1e300, None]


def spoiled(asked: Asked, pick: int) -> Asked:
    """A real question with one thing in it gone wrong."""
    odd, parts = ODD[pick % len(ODD)], asked.body
    if isinstance(parts, dict):
        key = sorted(parts)[pick // len(ODD) % len(parts)]
        return asked._replace(body={**parts, key: odd})
    if isinstance(parts, str):
        return asked._replace(body=parts + "\0")
    if asked.path:
        key = sorted(asked.path)[pick // len(ODD) % len(asked.path)]
        return asked._replace(path={**asked.path, key: "a\0b"})
    return asked._replace(query={**asked.query, "game": "a\0b"})


@pytest.mark.sliced(3)
@schema.exclude(path=STREAMS).parametrize()
@settings(
    max_examples=200 if SOAK else 8,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
def test_garbage_over_http(case: Any, server: Tegel) -> None:
    """What the description allows and what it does not: no 500, and answers as described.
    Two times in three it concerns what is real, and comes from its player."""
    here = world(server, case.operation.label)
    asked = real(here)[case.operation.label]
    pick = crc32(repr((case.path_parameters, case.query, case.body)).encode("utf-8", "replace"))
    if pick % 3:
        case.path_parameters = {**(case.path_parameters or {}), **asked.path}
    if pick % 3 == 2:
        asked = spoiled(asked, pick // 3)
        case.path_parameters, case.query = dict(asked.path), dict(asked.query)
        if asked.body is not None:
            case.body = asked.body
    headers = {**(case.headers or {}), "Cookie": here.person.cookie()}
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


NUL, HALF = "\\u0000", "\\ud800"  # as JSON says them


JSON = {"content-type": "application/json"}


@pytest.mark.parametrize("odd", [NUL, HALF], ids=["nul", "half"])
def test_text_that_can_not_be_kept_is_refused_everywhere(server: Tegel, odd: str) -> None:
    """In every text of every body, its keys too, and in what a socket says."""
    here, wrong = World(server), []
    for label, asked in real(here).items():
        method, path = label.split(" ")
        body = asked.body if isinstance(asked.body, dict) else {}
        for key, value in product(body, ("ODD", {"ODD": "x"}, ["ODD"])):
            text = json.dumps({**body, key: value}).replace("ODD", odd)
            url = path.format(**asked.path)
            answer = here.person.http.request(method, url, content=text, headers=JSON)
            if answer.status_code != 422 or "can't be kept" not in answer.text:
                wrong.append((label, text, answer.status_code, answer.text[:80]))
    assert not wrong
    socket = here.person.socket(here.on)
    for message in ({"t": "move", "ply": 2, "move": "ODD"}, {"t": "sit", "seat": 0, "name": "ODD"},
                    {"t": "react", "key": "ODD"}, {"t": "ping", "ODD": 1}):  # fmt: skip
        socket.connection.send(json.dumps(message).replace("ODD", odd))
        assert socket.wait("error")["code"] == "unreadable"
    socket.close()


def test_an_address_with_a_nul_is_refused_everywhere(server: Tegel) -> None:
    here, wrong = World(server), []
    for label, asked in real(here).items():
        method, path = label.split(" ")
        urls = [path.format(**{**asked.path, key: "%00"}) for key in asked.path]
        for url in [*urls, f"{path.format(**asked.path)}?game=%00"]:
            answer = here.person.http.request(method, url, json=asked.body)
            if answer.status_code != 422 or "can't be kept" not in answer.text:
                wrong.append((label, url, answer.status_code, answer.text[:80]))
    assert not wrong
    with pytest.raises(InvalidStatus):
        here.person.socket("%00")


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
