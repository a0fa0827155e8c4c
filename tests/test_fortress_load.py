"""One stranger must not stop the others: clients that do not read, or send half a request;
floods; work that is asked for faster than it can be done; a process that dies.

The attacks come from 127.0.0.2, the honest ones from 127.0.0.1 and 127.0.0.3: all of 127/8 is
this machine."""

import gzip
import json
import os
import signal
import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from datetime import date, timedelta
from importlib import resources
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from puzzling import long_search
from servers import Person, Tegel, missing, table, tegel, until

BAD, OTHER = "127.0.0.2", "127.0.0.3"
QUICK = {"TEGEL_TIMEOUT": "1"}  # seconds, so that the tests need not wait for ten
SOON = 4  # seconds, on a machine that has much else to do
OPEN = ("01", "08")  # states of a connection that the server still holds: as the kernel counts


@pytest.fixture(scope="module")
def quick(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tegel]:
    """A server with little patience for connections, and much for all else."""
    with tegel(tmp_path_factory.mktemp("quick"), "--hint-seconds", "4", env=QUICK) as found:
        yield found
        found.check()


@pytest.fixture(scope="module")
def strict(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tegel]:
    """A server with the limits that a host gets."""
    with tegel(tmp_path_factory.mktemp("strict"), "--limits", "1", env=QUICK) as found:
        yield found
        found.check()


class Stranger(Person):
    """A person at another address."""

    def __init__(self, server: Tegel, address: str) -> None:
        super().__init__(server)
        self.http.close()
        self.http = httpx.Client(
            base_url=server.url, timeout=90, cookies=self.http.cookies,
            transport=httpx.HTTPTransport(local_address=address),
        )  # fmt: skip


def dial(server: Tegel, address: str = BAD, buffer: int = 0) -> socket.socket:
    """A bare connection; with a buffer, it has little room for what it does not read."""
    made = socket.socket()
    if buffer:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
    made.settimeout(20)
    made.bind((address, 0))
    made.connect(("127.0.0.1", server.port))
    return made


def held(server: Tegel, address: str = BAD) -> int:
    """How many connections from an address the server holds: as the kernel knows."""
    found = 0
    peer = "".join(reversed([f"{int(part):02X}" for part in address.split(".")]))
    for line in Path("/proc/net/tcp").read_text().splitlines()[1:]:
        _, here, there, state, *_ = line.split()
        port = int(here.split(":")[1], 16)
        found += port == server.port and there.split(":")[0] == peer and state in OPEN
    return found


def gone(server: Tegel, address: str = BAD) -> bool:
    return not held(server, address)


def memory(server: Tegel) -> int:
    """Bytes that the server's process has in memory."""
    assert server.process
    status = Path(f"/proc/{server.process.pid}/statm").read_text()
    return int(status.split()[1]) * os.sysconf("SC_PAGE_SIZE")


def helpers(server: Tegel) -> list[int]:
    """The processes in which a server computes."""
    assert server.process
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            words = (folder / "cmdline").read_bytes()
            if parent == server.process.pid and b"spawn_main" in words:
                found.append(int(folder.name))
    return found


# Floods


@pytest.mark.parametrize("asked", ["GET /api/me", "GET /healthz", "nonsense"])
def test_who_goes_on_after_being_refused_is_not_heard_for_a_while(
    tmp_path: Path, asked: str
) -> None:
    """To refuse a request costs us more than to send it."""
    text = f"{asked} HTTP/1.1\r\nHost: localhost\r\n\r\n"
    last = text.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n")
    many = (text * 49 + last).encode()
    with tegel(tmp_path, "--limits", "1") as server:

        def answers() -> int:
            """How many come before the connection ends."""
            found = b""
            with closing(dial(server)) as flood, suppress(OSError):
                flood.sendall(many)
                while more := flood.recv(1_000_000):
                    found += more
            return found.count(b"HTTP/1.1 ")

        start, counts = time.monotonic(), [answers()]
        while any(counts[-20:]):  # the answers on one connection may be lost
            counts.append(answers())
            passed = time.monotonic() - start
            assert sum(counts) <= 300 + 60 * passed + 300 + 10 * passed, "allowed, and refused"
        assert sum(counts) > 100
        assert Stranger(server, OTHER).ok("GET", "/api/me")["id"], "others are"
        until(answers, "being heard again")


# Connections


GET = b"GET /api/games HTTP/1.1\r\nHost: localhost\r\n\r\n"
POST = b"POST /api/rooms HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"


def test_a_client_that_does_not_read_its_answers_is_cut_off(quick: Tegel) -> None:
    deaf = [dial(quick, buffer=4096) for _ in range(5)]
    assert held(quick) == 5
    for each in deaf:
        each.sendall(GET * 60)  # fewer than may wait, and more answers than the kernel keeps
    until(lambda: gone(quick), "cutting them off")
    for each in deaf:
        each.close()


def test_a_client_that_reads_slowly_gets_all(quick: Tegel) -> None:
    with closing(dial(quick, OTHER, buffer=4096)) as slow:
        slow.sendall(GET * 59 + GET.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"))
        whole = len(httpx.get(f"{quick.url}/api/games").content) * 60
        start, found = time.monotonic(), 0
        while part := slow.recv(65536):
            found += len(part)
            time.sleep(max(0.0, 4 * found / whole - (time.monotonic() - start)))
        assert found > whole
        assert time.monotonic() - start >= 3.9, "longer than anybody may stand still"


@pytest.mark.parametrize(
    ("first", "then"),
    [
        (b"", b""),
        (b"GET /api/games HTTP/1.1\r\nHost: localhost\r\n", b""),
        (b"GET /api/games HTTP/1.1\r\nHost: localhost\r\nX-Long: ", b"x"),
        (GET + b"GET /api/games HTTP/1.1\r\nX-Long: ", b"x"),
        (POST + b"Content-Length: 4000\r\n\r\n", b" "),
        (POST + b"Content-Length: 4000\r\n\r\n", b""),
        (POST + b"Transfer-Encoding: chunked\r\n\r\n", b"1\r\n \r\n"),
    ],
    ids=["nothing", "half", "drops", "second", "body-drops", "no-body", "chunks"],
)  # fmt: skip
def test_a_request_that_does_not_come_to_an_end_is_cut_off(
    quick: Tegel, first: bytes, then: bytes
) -> None:
    many = [dial(quick) for _ in range(20)]
    for each in many:
        each.sendall(first)

    def trickled() -> bool:
        for each in many:
            with suppress(OSError):
                each.sendall(then)
        return gone(quick)

    until(trickled, "cutting them off", 15)
    for each in many:
        each.close()


@pytest.mark.parametrize(
    ("first", "then"),
    [
        (b"GET /?", b"a" * 10_000),
        (b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Long: ", b"x" * 10_000),
        (b"GET / HTTP/1.1\r\nHost: localhost\r\n", b"a: b\r\n" * 1_000),
        (POST + b"Transfer-Encoding: chunked\r\n\r\n0\r\n", b"a: b\r\n" * 1_000),
        (POST + b"Transfer-Encoding: chunked\r\n\r\n1;x=", b"x" * 10_000),
    ],
    ids=["address", "header", "headers", "trailers", "extension"],
)
def test_a_head_without_end_is_cut_off_at_once(strict: Tegel, first: bytes, then: bytes) -> None:
    """Not only when it takes too long: until then it could fill the memory."""
    before, sent = memory(strict), 0
    with closing(dial(strict)) as flood, suppress(OSError):
        flood.sendall(first)
        while sent < 60_000_000:
            sent += flood.send(then)
    assert sent < 20_000_000, "what the kernel keeps, and no more"
    assert memory(strict) - before < 10_000_000
    assert httpx.get(f"{strict.url}/?{'a' * 60_000}").status_code == 200, "a long one is read"


def test_a_long_wait_for_an_answer_is_not_cut_off(quick: Tegel) -> None:
    stranger = Stranger(quick, OTHER)
    room = puzzle(stranger, *long_search())
    start = time.monotonic()
    assert stranger.ok("POST", f"/api/rooms/{room}/hint")["event"]["key"] == "unknown"
    assert time.monotonic() - start > 3


def test_a_stream_of_events_is_not_cut_off(quick: Tegel) -> None:
    token = httpx.post(f"{quick.url}/api/bots", json={"name": "Robot"}).json()["token"]
    bearer = {"Authorization": f"Bearer {token}"}
    with httpx.stream("GET", f"{quick.url}/api/bot/events", headers=bearer, timeout=20) as events:
        lines, start = events.iter_lines(), time.monotonic()
        assert next(lines) == ""
        assert time.monotonic() - start > 3


def test_sockets_that_never_read_are_cut_off(quick: Tegel) -> None:
    ann = Person(quick, "Ann")
    room = ann.room()["id"]
    deaf = [raw_socket(quick, room, buffer=4096) for _ in range(10)]
    for each in deaf:
        for _ in range(400):  # each is answered with the whole room
            with suppress(OSError):
                each.sendall(frame(1, json.dumps({"t": "join", "since": -1}).encode()))
    until(lambda: gone(quick), "cutting them off")
    for each in deaf:
        each.close()


def listened_to(server: Tegel, address: str, path: str, message: str) -> int:
    """How much is listened to of what 30 sockets of an address say, each as much as it may."""
    found = 0
    for _ in range(30):
        with suppress(InvalidStatus), connect(
            f"ws://localhost{path}", sock=dial(server, address), max_size=None
        ) as heard:  # fmt: skip
            for _ in range(30):
                heard.send(json.dumps({"t": message}))
            told = [json.loads(heard.recv(20)) for _ in range(30)]
            found += sum(one.get("code") != "rate" for one in told)
    return found


def test_an_address_says_so_much_on_all_its_sockets(tmp_path: Path) -> None:
    """It may have 200 of them, and everybody waits for what they cost."""
    with tegel(tmp_path, "--limits", "1") as server:
        ann = Person(server)
        room, study = ann.room()["id"], ann.ok("POST", "/api/studies", {"game": "blokus"})["id"]
        room, study = f"/api/rooms/{room}/socket", f"/api/studies/{study}/socket"
        start = time.monotonic()
        told = listened_to(server, "127.0.0.11", room, "join")
        told += listened_to(server, "127.0.0.12", study, "follow")
        most = 2 * 300 + 60 * (time.monotonic() - start)
        assert told <= most, "who wants to be told all asks as over HTTP"
        start = time.monotonic()
        said = listened_to(server, "127.0.0.13", room, "ping")
        assert said <= 600 + 100 * (time.monotonic() - start)


def test_a_flood_of_pings_fills_nothing(strict: Tegel) -> None:
    room, before = Person(strict).room()["id"], memory(strict)
    flood = [raw_socket(strict, room, buffer=4096) for _ in range(3)]
    pings = frame(9, b"x" * 125) * 500
    end = time.monotonic() + 4
    while time.monotonic() < end and held(strict):
        for each in flood:
            each.settimeout(0.05)
            with suppress(OSError):
                each.send(pings)
    until(lambda: gone(strict), "cutting it off")
    assert memory(strict) - before < 30_000_000
    for each in flood:
        each.close()
    with connect(f"ws://127.0.0.1:{strict.port}/api/rooms/{room}/socket", proxy=None) as polite:
        for _ in range(5):
            assert polite.ping().wait(10), "a ping now and then is answered"


@pytest.mark.parametrize("kind", [9, 10, 0], ids=["pings", "pongs", "fragments"])
def test_who_sends_frames_without_end_is_cut_off_though_they_read(strict: Tegel, kind: int) -> None:
    """Such frames come to nobody who would count them as messages."""
    ann = Person(strict)
    flood = raw_socket(strict, ann.room()["id"])
    flood.settimeout(0.01)
    one = bytearray(frame(kind, b""))
    if kind == 0:
        flood.sendall(bytes([0x01, *frame(1, b"")[1:]]))  # a text that goes on
        one[0] = 0x00
    sent, end = 0, time.monotonic() + 20
    with suppress(ConnectionError):
        while sent < 3_000 and time.monotonic() < end:
            sent += flood.send(bytes(one) * 5) // len(one)
            with suppress(TimeoutError):
                flood.recv(65_536)
    assert sent < 3_000
    flood.close()


def test_an_address_holds_so_many_connections(tmp_path: Path) -> None:
    with tegel(tmp_path, "--limits", "0.1") as server:
        many = [dial(server) for _ in range(120)]
        until(lambda: held(server) <= 40, "cutting off those too many", 8)
        assert held(server), "but not all"
        assert httpx.get(f"{server.url}/healthz").status_code == 200, "others are let in"
        for each in many:
            each.close()
        until(lambda: gone(server), "the end of all")
        assert Stranger(server, BAD).ok("GET", "/healthz"), "when they are gone there is room"


def raw_socket(server: Tegel, room: str, buffer: int = 0) -> socket.socket:
    """A socket as frames: what no library would do."""
    made = asked(server, room, buffer)
    assert b" 101 " in made.recv(4096)
    return made


def asked(server: Tegel, room: str, buffer: int = 0) -> socket.socket:
    """One that has not heard yet whether it is let in."""
    made = dial(server, buffer=buffer)
    made.sendall(upgrade(f"rooms/{room}/socket"))
    return made


def upgrade(path: str, *headers: str) -> bytes:
    """How a client asks for a socket."""
    lines = [
        f"GET /api/{path} HTTP/1.1", "Host: localhost", "Upgrade: websocket",
        "Connection: Upgrade", "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==", *headers, "\r\n",
    ]  # fmt: skip
    return "\r\n".join(lines).encode()


def frame(opcode: int, data: bytes) -> bytes:
    """A frame as a client sends it, masked by nothing."""
    assert len(data) < 126
    return bytes([0x80 | opcode, 0x80 | len(data), 0, 0, 0, 0]) + data


# Work


def puzzle(person: Person, *moves: str) -> str:
    """A table of Discovery after some moves."""
    shown = person.room(game="discovery", variant="26", clock="up")
    for move in moves:
        shown = person.do(shown["id"], "move", ply=shown["ply"], move=move)
    id: str = shown["id"]
    return id


def test_a_process_that_dies_costs_one_answer(tmp_path: Path) -> None:
    with tegel(tmp_path, "--hint-seconds", "6", "--bots", "2") as server:
        moves = long_search()
        people = [Stranger(server, address) for address in (BAD, OTHER)]
        rooms = [puzzle(person, *moves) for person in people]
        with ThreadPoolExecutor() as threads:
            asked = [
                threads.submit(person.ask, "POST", f"/api/rooms/{room}/hint")
                for person, room in zip(people, rooms, strict=True)
            ]
            until(lambda: len(helpers(server)) == 2, "two searches")
            time.sleep(2)  # both are well under way
            os.kill(helpers(server)[0], signal.SIGKILL)
            answers = [each.result() for each in asked]
        assert sorted(answer.status_code == 200 for answer in answers) == [False, True]
        broken = next(answer for answer in answers if answer.status_code != 200)
        assert (broken.status_code, broken.json()["code"]) == (503, "busy")
        again = people[answers.index(broken)].ask("POST", f"/api/rooms/{rooms[0]}/hint")
        assert again.status_code in (200, 409)  # 409: not his turn; there is a process again


@pytest.mark.sliced(2)
def test_many_reveals_of_one_address_delay_nobody(quick: Tegel) -> None:
    moves, bad, good = long_search(), Stranger(quick, BAD), Person(quick)
    rooms = [puzzle(bad, *moves) for _ in range(45)]
    mine = good.room(game="puzzle", variant="daily-1-2026-11-09", clock="up")["id"]
    with ThreadPoolExecutor(45) as threads:
        threads.submit(impatient, bad, f"/api/rooms/{rooms[0]}/reveal", 2)
        good.ok("POST", f"/api/rooms/{mine}/hint")  # so that two processes have begun
        for room in rooms:
            threads.submit(impatient, bad, f"/api/rooms/{room}/reveal", 6)
        time.sleep(2)
        start = time.monotonic()
        assert good.ok("POST", f"/api/rooms/{mine}/hint")["move"]
        good.room()
        assert time.monotonic() - start < SOON


def impatient(person: Person, path: str, seconds: float) -> None:
    with suppress(httpx.TimeoutException):
        person.http.post(path, timeout=seconds)


@pytest.mark.sliced(2)
def test_many_old_days_of_one_address_delay_nobody(quick: Tegel) -> None:
    bad, good = Stranger(quick, BAD), Person(quick)
    days = [date(2001, 1, 1) + timedelta(days) for days in range(250)]
    with ThreadPoolExecutor(60) as threads:
        asked = [threads.submit(bad.ask, "GET", f"/api/puzzles/days/{day}") for day in days]
        until(lambda: sum(each.done() for each in asked) >= 5, "the first answers")
        start = time.monotonic()
        good.room(game="puzzle", variant="daily-1-2025-01-03", clock="up")
        good.room()
        wait = time.monotonic() - start
        assert not all(each.done() for each in asked), "they are not through yet"
        assert wait < SOON
        for each in asked:
            each.cancel()


# Budgets


BOTS: list[dict[str, Any]] = [{"kind": "person"}, {"kind": "bot", "level": 1}]


def test_rematches_count_like_rooms_and_bots(strict: Tegel) -> None:
    ann = Stranger(strict, "127.0.0.11")
    room, made = ann.room(seats=BOTS)["id"], 1
    while made < 100:
        table = socket_of(ann, room, "127.0.0.11")
        table.send(json.dumps({"t": "join", "since": -1}))
        table.send(json.dumps({"t": "resign"}))
        table.send(json.dumps({"t": "rematch"}))
        found = heard(table, "rematch")
        table.close()
        if found["t"] == "error":
            break
        room, made = ann.ok("GET", f"/api/rooms/{room}")["rematch"], made + 1
    assert found["code"] == "rate"
    assert 10 < made < 50
    refused = ann.ask("POST", f"/api/rooms/{room}/rematch")
    assert refused.status_code == 429
    assert 1 <= int(refused.headers["retry-after"]) <= 60
    assert refused.json()["text"].endswith(".")
    other = Stranger(strict, "127.0.0.12")
    assert other.room(seats=BOTS)["id"], "another address has a budget of its own"


def socket_of(person: Person, room: str, address: str) -> Any:
    return connect(
        f"ws://127.0.0.1:{person.server.port}/api/rooms/{room}/socket", proxy=None,
        source_address=(address, 0), additional_headers={"Cookie": person.cookie()},
        compression=None, legacy=True,
    )  # fmt: skip


def heard(table: Any, event: str) -> dict[str, Any]:
    """The next refusal, or an event of a kind."""
    while True:
        message: dict[str, Any] = json.loads(table.recv(20))
        if message["t"] == "error" or message.get("event") == event:
            return message


def test_who_talks_too_much_is_not_heard_for_a_while(strict: Tegel) -> None:
    _, first, second = table(Person(strict), Person(strict))
    for _ in range(12):
        first.send(t="react", key="hello")
    refused = [first.wait("error", "reaction")["t"] for _ in range(12)].count("error")
    assert refused >= 5
    assert {m["code"] for m in first.told if m["t"] == "error"} == {"rate"}
    second.send(t="react", key="bye")  # others are
    while second.wait("reaction")["key"] != "bye":
        pass
    heard = [m for m in second.told if m["t"] == "reaction" and m["seat"] == 0]
    assert len(heard) == 12 - refused


def test_bots_who_replace_and_games_continued_count_too(strict: Tegel) -> None:
    ann = Stranger(strict, "127.0.0.13")
    for _ in range(30):  # rooms alone would be fine
        made = ann.ask("POST", "/api/rooms", {"game": "blokus", "variant": "duo"})
        if made.status_code == 429:
            break
        table = socket_of(ann, made.json()["id"], "127.0.0.13")
        table.send(json.dumps({"t": "join", "since": -1}))
        table.send(json.dumps({"t": "replace", "seat": 1, "level": 1}))
        heard(table, "bot")
        table.close()
    else:
        pytest.fail("nothing was refused")
    bob = Stranger(strict, "127.0.0.14")
    source = bob.room()["id"]
    wish = {"source": f"rooms/{source}", "ply": 0, "level": 1}
    codes = [bob.ask("POST", "/api/rooms/continued", wish).status_code for _ in range(50)]
    assert codes[0] == 201
    assert 5 < codes.index(429) < 40


def test_a_search_costs_more_than_a_look(strict: Tegel) -> None:
    ann = Stranger(strict, "127.0.0.15")
    for _ in range(20):
        room = ann.room(game="puzzle", variant="daily-1-2026-11-09", clock="up")["id"]
    for _ in range(50):
        assert ann.ask("GET", f"/api/rooms/{room}/positions/0").status_code == 200
    found = [ann.ask("POST", f"/api/rooms/{room}/hint") for _ in range(35)]
    assert found[0].status_code == 200
    assert "seconds" in next(each.json()["args"] for each in found if each.status_code == 429)


def test_whoever_makes_new_cookies_has_one_budget(strict: Tegel) -> None:
    """It is spent before any other limit is met: the refusal says for how long to wait."""
    answers = []
    for _ in range(32):
        with httpx.Client(
            base_url=strict.url, transport=httpx.HTTPTransport(local_address="127.0.0.16")
        ) as client:
            answers.append(client.post("/api/rooms", json={"game": "blokus", "seats": [
                {"kind": "person"}, *[{"kind": "bot", "level": 1}] * 3]}))  # fmt: skip
    assert answers[0].status_code == 201
    refused = next(answer for answer in answers if answer.status_code == 429)
    assert refused.json()["args"]["seconds"] > 0


def test_codes_can_not_be_guessed_nor_names_hoarded(strict: Tegel) -> None:
    ann, bob = Stranger(strict, "127.0.0.17"), Stranger(strict, "127.0.0.18")
    tried = [ann.refused("POST", "/api/sign-in/code", {"code": "x"}) for _ in range(24)]
    assert tried[:20] == ["code"] * 20
    assert tried[-1] == "rate"
    assert ann.refused("POST", "/api/sign-in/link", {"token": "x"}) == "rate"
    assert ann.ok("GET", "/api/me"), "all else goes on"
    for _ in range(20):
        assert bob.refused("POST", "/api/me/account", {"handle": "b"}) == "length"
    bob.ok("POST", "/api/me/account", {"handle": "Bob-0"})
    for number in range(1, 30):
        bob.ok("PUT", "/api/me/account", {"handle": f"Bob-{number}x"})
    assert bob.refused("PUT", "/api/me/account", {"handle": "Bob-30x"}) == "rate"


def test_reports_are_few(strict: Tegel) -> None:
    ann, bob = Stranger(strict, "127.0.0.19"), Stranger(strict, "127.0.0.20")
    room = ann.room()["id"]
    bob.do(room, "sit", seat=1)
    wish = {"seat": 1, "reason": "other"}
    for _ in range(10):
        ann.ok("POST", f"/api/rooms/{room}/report", wish)
    assert ann.refused("POST", f"/api/rooms/{room}/report", wish) == "rate"


# The page


def test_files_of_the_page_are_sent_as_they_were_packed(tmp_path: Path) -> None:
    page = tmp_path / "page"
    (page / "assets").mkdir(parents=True)
    (page / "index.html").write_text('<script src="/assets/app-1a2b3c.js"></script>')
    (page / "assets" / "app-1a2b3c.js").write_text("plain")
    (page / "assets" / "app-1a2b3c.js.gz").write_bytes(b"zipped")
    (page / "assets" / "app-1a2b3c.js.br").write_bytes(b"brotli")
    (page / "robots.txt").write_text("none")
    with tegel(tmp_path / "data", env={"TEGEL_PAGE": str(page)}) as server:

        def got(path: str, **headers: str) -> tuple[int, str, bytes, httpx.Headers]:
            with httpx.stream("GET", server.url + path, headers=headers) as answer:
                raw, kind = b"".join(answer.iter_raw()), answer.headers
                return answer.status_code, kind.get("content-encoding", ""), raw, kind

        script = "/assets/app-1a2b3c.js"
        best = {"accept-encoding": "gzip, deflate, br, zstd"}
        assert got(script, **best)[:3] == (200, "br", b"brotli")
        assert got(script, **{"accept-encoding": "gzip"})[:3] == (200, "gzip", b"zipped")
        assert got(script, **{"accept-encoding": "br;q=0, gzip;q=0.5"})[1] == "gzip"
        plain = got(script, **{"accept-encoding": "identity"})
        assert plain[:3] == (200, "", b"plain")
        for headers in (plain[3], got(script, **best)[3]):
            assert headers["cache-control"] == "public, max-age=31536000, immutable"
            assert headers["vary"] == "Accept-Encoding"
            assert "javascript" in headers["content-type"]
        assert got("/robots.txt", **best)[:3] == (200, "", b"none")
        for path in ("/", "/r/abc", "/robots.txt"):
            _, _, _, headers = got(path)
            assert headers["cache-control"] == "no-cache"
            again = got(path, **{"if-none-match": headers["etag"]})
            assert (again[0], again[2]) == (304, b"")
        assert got("/assets/nothing.js")[0] == 404
        assert got("/assets/../index.html.py")[0] == 404


def test_every_text_of_the_page_was_packed_when_it_was_built() -> None:
    page = Path(str(resources.files("tegel.server"))) / "page"
    if not page.is_dir():
        missing("the page")
    texts = [file for kind in ("js", "css", "html") for file in page.rglob(f"*.{kind}")]
    assert len(texts) > 5
    for file in texts:
        zipped = file.with_name(f"{file.name}.gz").read_bytes()
        assert gzip.decompress(zipped) == file.read_bytes()
        assert len(file.with_name(f"{file.name}.br").read_bytes()) < len(zipped)
