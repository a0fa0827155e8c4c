"""Real servers for the tests: `tegel serve`, PostgreSQL, Redis or Valkey; each on a free
port, in a folder of its own; and a client that talks to ours like a browser does."""

import json
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from tegel import games
from waiting import until as until

Message = dict[str, Any]
CI = bool(os.environ.get("CI"))


HELD: list[socket.socket] = []


def free_port() -> int:
    """A port that nobody else takes, though tests run side by side and servers come and go on
    it: below those which the system gives to connections, and held until this process ends by a
    UDP socket of the same number."""
    while True:
        here = ("127.0.0.1", 20_000 + secrets.randbelow(12_000))
        held = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        try:
            held.bind(here)
            with socket.socket() as found:
                found.bind(here)
        except OSError:
            held.close()
        else:
            HELD.append(held)
            return here[1]


def missing(what: str) -> None:
    """A test can't run here; where everything must be tested that is a failure."""
    if CI:
        pytest.fail(f"{what} is missing, and in CI no test is left out")
    pytest.skip(f"{what} is not installed")


OPEN: list["Person | Socket"] = []


# Ours


class Tegel:
    """A `tegel serve` of its own."""

    program: tuple[str, ...] = ("-m", "tegel")

    def __init__(self, folder: Path, *options: str, env: dict[str, str] | None = None) -> None:
        self.folder, self.options, self.env = folder, options, env or {}
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.log = folder / "serve.log"
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> "Tegel":
        self.folder.mkdir(parents=True, exist_ok=True)
        words = [sys.executable, *self.program, "serve", "--data", str(self.folder)]
        words += ["--port", str(self.port), "--limits", "1000", "--log", "json", *self.options]
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                words, stderr=log, stdout=log, start_new_session=True,
                env={**os.environ, **self.env},
            )  # fmt: skip
        until(self.ready, f"the start of {words}, see {self.log}", 40)
        return self

    def ready(self) -> bool:
        assert self.process
        assert self.process.poll() is None, self.log.read_text()
        with suppress(httpx.TransportError):
            return httpx.get(f"{self.url}/healthz", timeout=2).status_code == 200
        return False

    def kill(self) -> None:
        """kill -9, workers and all."""
        assert self.process
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def stop(self) -> int:
        """Ask it to end, and wait."""
        assert self.process
        self.process.terminate()
        return self.process.wait(20)

    def entries(self) -> list[Message]:
        """What its log says; half a line is left for later."""
        *lines, _ = self.log.read_text().split("\n")
        return [json.loads(line) for line in lines if line[:1] == "{"]

    def check(self) -> None:
        """Nothing went wrong that nobody was told."""
        wrong = [e for e in self.entries() if e["level"] in ("error", "critical")]
        assert not wrong, wrong
        assert "Traceback" not in self.log.read_text()


@contextmanager
def tegel(
    folder: Path, *options: str, env: dict[str, str] | None = None, program: tuple[str, ...] = ()
) -> Iterator[Tegel]:
    server = Tegel(folder, *options, env=env)
    server.program = program or server.program
    server.start()
    try:
        yield server
    finally:
        if server.process and server.process.poll() is None:
            with suppress(subprocess.TimeoutExpired):
                server.stop()
        with suppress(ProcessLookupError, PermissionError):
            assert server.process
            os.killpg(server.process.pid, signal.SIGKILL)


class Person:
    """A browser: its cookie, what it asks over HTTP, its sockets. It may be at an address of its
    own, as is all that begins with 127."""

    def __init__(
        self, server: Tegel, name: str = "", cookies: dict[str, str] | None = None,
        address: str = "127.0.0.1",
    ) -> None:  # fmt: skip
        self.server, self.address = server, address
        transport = httpx.HTTPTransport(local_address=address)
        self.http = httpx.Client(
            base_url=server.url, timeout=30, cookies=cookies, transport=transport
        )
        OPEN.append(self)
        self.id: str = self.ok("GET", "/api/me")["id"]
        if name:
            self.ok("PUT", "/api/me", {"name": name})

    def ask(self, method: str, path: str, body: Any = None) -> httpx.Response:
        return self.http.request(method, path, json=body)

    def ok(self, method: str, path: str, body: Any = None) -> Any:
        answer = self.ask(method, path, body)
        assert answer.status_code in (200, 201), (path, answer.status_code, answer.text)
        return answer.json()

    def refused(self, method: str, path: str, body: Any = None) -> str:
        """The code of a refusal, which also has a sentence."""
        answer = self.ask(method, path, body)
        assert 400 <= answer.status_code < 500, (path, answer.status_code, answer.text)
        found = answer.json()
        assert found["text"][-1] in ".:)" or found["code"] in ("notation", "record", "invalid")
        code: str = found["code"]
        return code

    def room(self, **wish: Any) -> Message:
        made: Message = self.ok("POST", "/api/rooms", {"game": "blokus", "variant": "duo", **wish})
        return made

    def do(self, room: str, what: str, **body: Any) -> Message:
        done: Message = self.ok("POST", f"/api/rooms/{room}/{what}", body)
        return done

    def socket(self, room: str, server: Tegel | None = None, since: int = -1) -> "Socket":
        return Socket(self, room, server or self.server, since)

    def metrics(self) -> str:
        token = (self.server.folder / "metrics-token").read_text().strip()
        return self.http.get("/metrics", headers={"authorization": f"Bearer {token}"}).text

    def cookie(self) -> str:
        return "; ".join(f"{key}={value}" for key, value in self.http.cookies.items())

    def close(self) -> None:
        self.http.close()


class Socket:
    """One socket of a person, joined to a room. Remembers all it was told."""

    def __init__(self, person: Person, room: str, server: Tegel, since: int) -> None:
        self.connection: ClientConnection = connect(
            f"ws://127.0.0.1:{server.port}/api/rooms/{room}/socket",
            additional_headers={"Cookie": person.cookie()},
            compression=None, max_size=None, ping_interval=None, proxy=None, legacy=True,
            source_address=(person.address, 0),
        )  # fmt: skip
        OPEN.append(self)
        self.told: list[Message] = []
        self.ply = since
        self.send(t="join", since=since)

    def send(self, **message: Any) -> None:
        self.connection.send(json.dumps(message))

    def next(self, seconds: float = 20) -> Message:
        message: Message = json.loads(self.connection.recv(seconds))
        self.ply = max(self.ply, message.get("ply", -1))
        self.told.append(message)
        return message

    def wait(self, *kinds: str, seconds: float = 20) -> Message:
        """The next message of one of these kinds."""
        end = time.monotonic() + seconds
        while True:
            message = self.next(max(0.01, end - time.monotonic()))
            if message["t"] in kinds:
                return message

    def event(self, word: str) -> Message:
        """The next thing of a kind that happens besides moves."""
        while (message := self.wait("happened"))["event"] != word:
            pass
        return message

    def move(self, offer: Message, pick: int = 0, game: str = "blokus") -> str:
        """Send a move that an offer allows."""
        text = offered(offer, pick, game)
        self.send(t="move", ply=offer["ply"], move=text)
        return text

    def drain(self, seconds: float = 0.3) -> list[Message]:
        """What comes within some time."""
        found = []
        with suppress(TimeoutError, ConnectionClosed):
            while True:
                found.append(self.next(seconds))
        return found

    def close(self) -> None:
        self.connection.close()


def offered(offer: Message, pick: int = 0, game: str = "blokus") -> str:
    """One of the moves of an offer as text, written as the game says: what a page does."""
    slots, choices = offer.get("slots", []), offer.get("choices", [])
    if choices and (not slots or pick % (len(slots) + len(choices)) >= len(slots)):
        return str(choices[pick % len(choices)]["move"])
    slot = slots[pick % len(slots)]
    bits, (left, low, width, _) = int(slot["cells"], 16), slot["box"]
    places = [place for place in range(bits.bit_length()) if bits >> place & 1]
    row, column = divmod(places[pick % len(places)], width)
    cell = (left + column, low + row)
    return games.load(game).placed(slot["tile"], slot["turn"], cell)


# What the tests of one server share


def changed(old: list[Any], new: list[Any]) -> list[Any]:
    """A list from the old one and what changed, as `moved` tells it."""
    found: list[Any] = []
    for entry in new:
        found += old[entry[0] : entry[0] + entry[1]] if isinstance(entry, list) else [entry]
    return found


def table(ann: Person, bob: Person, **wish: Any) -> tuple[str, Socket, Socket]:
    """A game of two that has begun, with both at their sockets."""
    room = ann.room(**wish)["id"]
    bob.do(room, "sit", seat=1)
    first, second = ann.socket(room), bob.socket(room)
    first.wait("room")
    second.wait("room")
    return room, first, second


# Theirs


@contextmanager
def postgres(folder: Path, port: int = 0, env: dict[str, str] | None = None) -> Iterator[str]:
    """The address of a database, empty in a new folder. PostgreSQL refuses to run as root, so
    it runs as another user then."""
    binaries = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"))
    found = shutil.which("postgres") or (str(binaries[-1]) if binaries else None)
    if not found:
        missing("PostgreSQL")
        return
    folder.mkdir(parents=True, exist_ok=True)
    home, port = folder / "postgres", port or free_port()
    before: list[str] = []
    if os.geteuid() == 0:
        home = anybodys(home)
        before = ["setpriv", "--reuid=nobody", "--clear-groups"]
    home.mkdir(exist_ok=True)
    data = str(home / "data")
    initdb = str(Path(found).resolve().with_name("initdb"))
    if not Path(data).exists():
        made = subprocess.run(
            [*before, initdb, "-D", data, "-U", "tegel", "-A", "trust", "-N", "-E", "UTF8",
             "--locale=C"],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd="/",
        )  # fmt: skip
        assert made.returncode == 0, made.stdout
    with (folder / "postgres.log").open("ab") as log:
        process = subprocess.Popen(
            [*before, found, "-D", data, "-p", str(port), "-k", str(home), "-h", "127.0.0.1"],
            stdout=log, stderr=log, cwd="/", env={**os.environ, **(env or {})},
        )  # fmt: skip
    try:
        until(lambda: serves(found, port), "the start of PostgreSQL", 60)
        yield f"postgresql://tegel@127.0.0.1:{port}/postgres"
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(30)


def serves(postgres: str, port: int) -> bool:
    """Whether a PostgreSQL lets people in: it listens before it does."""
    asked = str(Path(postgres).resolve().with_name("pg_isready"))
    return not subprocess.run([asked, "-q", "-h", "127.0.0.1", "-p", str(port)]).returncode


HOMES: list[Path] = []  # of databases; removed when the tests end


def anybodys(home: Path) -> Path:
    """A folder of the user nobody, which a link leads to. It is none of pytest's: every run of
    pytest closes those of all runs to other users when it begins."""
    if not home.is_symlink():
        HOMES.append(Path(mkdtemp(prefix="tegel-")))
        shutil.chown(HOMES[-1], "nobody")
        home.symlink_to(HOMES[-1])
    return home.resolve()


@contextmanager
def redis(folder: Path, port: int = 0) -> Iterator[str]:
    """The address of an empty Redis or Valkey."""
    found = shutil.which("valkey-server") or shutil.which("redis-server")
    if not found:
        missing("Redis or Valkey")
        return
    port = port or free_port()
    folder.mkdir(parents=True, exist_ok=True)
    process = subprocess.Popen(
        [found, "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", str(folder)],
        stdout=subprocess.DEVNULL,
    )
    try:
        until(lambda: answers(port), "the start of Redis")
        yield f"redis://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(10)


def answers(port: int) -> bool:
    with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
        return True
    return False
