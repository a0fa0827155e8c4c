"""How long an innocent player's moves take while somebody floods the server. Needs `make setup`;
Linux.

    python bench/floods.py [--tree PATH]... [--seconds 20] [--only deletions moments]

A server of its own, with SQLite and the usual limits, gets two players who move five times a second
each, and one flood at a time:

- `calm`: none;
- `deletions`: `ROWS` players deleted themselves in the last day, and a network goes on with that as
  fast as it may;
- `moments`: a player with `TRIES` rows of moments, since the year 1, asks for moments and tries
  some, in four windows;
- `network`: the 256 networks (/64) of one IPv6 /56 make rooms and try wrong recovery codes;
- `wishes`: `WISHES` searches for odd clocks are there. Two newcomers look for each other.

What takes hours over the API is planted in the database while no server runs: the rows of deletions
and moments; and the wishes while it runs, for they belong to a worker. The rest goes over HTTP.

Each `--tree` is a checkout with a `.venv` of its own, for which the same is done in turns: so what
was before and after stands in one table. Told are the median and the 99th percentile of the time
from sending a move to its acknowledgement, the memory of the server, and how the flood fared."""

import argparse
import json
import multiprocessing
import os
import random
import signal
import sqlite3
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tests"))

import httpx  # noqa: E402
from rich.console import Console  # noqa: E402
from rich.table import Table  # noqa: E402
from websockets.sync.client import connect  # noqa: E402

from load import family, memory  # noqa: E402
from servers import Person, Socket, Tegel, offered  # noqa: E402
from tegel.search import grades  # noqa: E402

ROWS, TRIES, WISHES = 432_000, 20_000, 10_000
PACE = 0.1  # seconds between two moves
WARM = 3.0  # seconds before it counts
OVER = 2**31 - 1  # the generation of a deleted player
PATIENCE = 15.0  # seconds that newcomers wait for each other
FLOODS = ("calm", "deletions", "moments", "network", "wishes")
Say = Callable[[str], None]


class Server(Tegel):
    """A `tegel serve` of a checkout, with the usual limits, behind us as its proxy."""

    def __init__(self, tree: Path, folder: Path) -> None:
        super().__init__(folder, "--limits", "1", "--proxy", "127.0.0.1")
        self.tree = tree

    def start(self) -> "Server":
        kept, sys.executable = sys.executable, str(self.tree / ".venv/bin/python")
        try:
            super().start()
        finally:
            sys.executable = kept
        return self

    def base(self) -> Any:
        return closing(sqlite3.connect(self.folder / "tegel.db", timeout=30))


@contextmanager
def served(tree: Path) -> Iterator[Server]:
    with tempfile.TemporaryDirectory() as folder:
        server = Server(tree, Path(folder)).start()
        try:
            yield server
        finally:
            server.kill()


def plant(server: Server, table: str, rows: Iterator[dict[str, Any]]) -> None:
    """Write rows as a server would have; columns that a version adds are left empty."""
    with server.base() as base, base:
        known = base.execute(f"PRAGMA table_info({table})").fetchall()
        empty = {
            name: 0 if kind in ("INTEGER", "BIGINT", "BOOLEAN", "DOUBLE") else ""
            for _, name, kind, needed, default, _ in known
            if needed and default is None
        }
        for row in rows:
            whole = {**empty, **row}
            places = ", ".join("?" * len(whole))
            base.execute(
                f"INSERT INTO {table} ({', '.join(whole)}) VALUES ({places})", [*whole.values()]
            )


# The innocent


@dataclass
class Measured:
    times: list[float] = field(default_factory=list)  # seconds
    memory: float = 0.0  # bytes
    note: str = ""

    def part(self, percent: int) -> str:
        found = sorted(self.times)
        return f"{1000 * found[min(len(found) - 1, len(found) * percent // 100)]:.1f}"


def play(server: Server, seconds: float, measured: Measured) -> None:
    """Let two players move in turns, one game after the other."""
    ann, bob = Person(server), Person(server)
    begun = time.monotonic()
    while time.monotonic() < begun + WARM + seconds:
        room = ann.room()["id"]
        bob.do(room, "sit", seat=1)
        seats = [ann.socket(room), bob.socket(room)]
        turn = seats[0].wait("room")["turn"]
        while turn >= 0 and time.monotonic() < begun + WARM + seconds:
            time.sleep(PACE)
            taken, turn = _move(seats[turn])
            if time.monotonic() > begun + WARM:
                measured.times.append(taken)
        for seat in seats:
            seat.close()


def _move(seat: Socket) -> tuple[float, int]:
    """How long a move took, and who is next."""
    offer = seat.wait("offer")
    while offer["ply"] < seat.ply:  # one of an earlier turn
        offer = seat.wait("offer")
    text = offered(offer, random.randrange(1000))
    sent = time.perf_counter()
    seat.send(t="move", ply=offer["ply"], move=text)
    moved = seat.wait("moved", "error")
    assert moved["t"] == "moved", moved
    return time.perf_counter() - sent, moved["turn"]


# The floods: what is there before, and what is asked meanwhile, in a process of its own


def deleted(server: Server) -> None:
    now = int(time.time() * 1000)
    ages = (86_400_000 * number // ROWS for number in range(ROWS))
    rows = ({"player": f"gone{age}x{n}", "generation": OVER, "banned": 0, "at": now - age}
            for n, age in enumerate(ages))  # fmt: skip
    plant(server, "standing", rows)


def delete(url: str, _: str, say: Say) -> None:
    """Come as a guest and delete oneself; where nothing else may be deleted, after a name."""
    with httpx.Client(base_url=url, headers={"x-forwarded-for": "192.0.2.7"}) as http:
        while True:
            http.cookies.clear()
            http.get("/api/me")
            http.put("/api/me", json={"name": "Ann"})
            say(f"deleted {http.post('/api/me/delete', json={'sure': True}).status_code}")
            time.sleep(0.2)


def tried(server: Server, player: str) -> None:
    days = [date(1, 1, 1) + timedelta(number) for number in range(TRIES)]
    rows = ({"player": player, "game": "blokus", "moment": grades.of_day("blokus", day),
             "day": day.isoformat(), "at": number, "tries": 1, "found": 1, "first": 1, "shown": 0}
            for number, day in enumerate(days))  # fmt: skip
    plant(server, "moment_tries", rows)


def moments(url: str, cookie: str, say: Say) -> None:
    """Ask for moments, and try one, again and again."""
    today = datetime.now(UTC).date()
    name = grades.of_day("blokus", today)
    wish = {"move": grades.named("blokus")[name].right[0], "day": today.isoformat()}
    headers = {"cookie": cookie, "x-forwarded-for": "192.0.2.7"}
    with httpx.Client(base_url=url, headers=headers, timeout=30) as http:
        while True:
            say(f"asked {http.get('/api/moments').status_code}")
            say(f"asked {http.get(f'/api/moments/blokus/{name}').status_code}")
            say(f"tried {http.post(f'/api/moments/blokus/{name}/tries', json=wish).status_code}")
            time.sleep(0.2)


def network(url: str, _: str, say: Say) -> None:
    """Make rooms, and try codes, each time from another /64 of a /56."""
    with httpx.Client(base_url=url, timeout=30) as http:
        for number in range(1_000_000):
            http.cookies.clear()
            headers = {"x-forwarded-for": f"2001:db8:0:{number % 256:x}::1"}
            wish = {"game": "blokus", "variant": "duo"}
            made = http.post("/api/rooms", json=wish, headers=headers)
            say(f"rooms {made.status_code}")
            code = {"code": "aaaaa-bbbbb-ccccc-ddddd-eeeee"}
            found = http.post("/api/sign-in/code", json=code, headers=headers)
            say(f"codes {found.status_code}")


def wished(server: Server) -> None:
    with server.base() as base:
        (worker,) = base.execute("SELECT id FROM workers ORDER BY beat DESC LIMIT 1").fetchone()
    early = int(time.time() * 1000) - 3_600_000
    rows = ({"player": f"odd{number}", "ticket": "one", "worker": worker, "game": "blokus",
             "variant": "duo", "options": "{}", "clock": f"bank {301 + number} 7", "name": "Odd",
             "rating": 1500.0, "at": early + number, "room": ""}
            for number in range(WISHES))  # fmt: skip
    plant(server, "wishes", rows)


def search(url: str, _: str, say: Say) -> None:
    """Two newcomers look for each other."""
    people, sockets = [httpx.Client(base_url=url) for _ in range(2)], []
    begun = time.monotonic()
    for http in people:
        http.get("/api/me")
        cookie = "; ".join(f"{key}={value}" for key, value in http.cookies.items())
        where, who = f"{url.replace('http', 'ws')}/api/search", {"Cookie": cookie}
        socket = connect(where, additional_headers=who, proxy=None, legacy=True)
        wish = {"t": "seek", "ticket": "one", "game": "blokus", "variant": "duo"}
        socket.send(json.dumps({**wish, "clock": "bank 300 5"}))
        sockets.append(socket)
    for socket in sockets:
        with suppress(TimeoutError):
            while json.loads(socket.recv(begun + PATIENCE - time.monotonic()))["t"] != "paired":
                pass
            say(f"paired after {time.monotonic() - begun:.1f} s")
            continue
        say("not paired")
    signal.pause()  # their sockets stay open


# The measurement


def run(tree: Path, flood: str, seconds: float) -> Measured:
    measured = Measured()
    with served(tree) as server:
        evil = Person(server)
        if flood in ("deletions", "moments"):
            server.stop()
            deleted(server) if flood == "deletions" else tried(server, evil.id)
            server.start()
        if flood == "wishes":
            wished(server)
        act = {"deletions": delete, "moments": moments, "network": network, "wishes": search}
        with going(act.get(flood), server.url, evil.cookie()) as said:
            play(server, seconds, measured)
            assert server.process
            measured.memory = memory(family(server.process.pid))
            counts = Counter(said())
        measured.note = ", ".join(f"{count} {what}" for what, count in sorted(counts.items()))
    return measured


@contextmanager
def going(
    act: Callable[[str, str, Say], None] | None, url: str, cookie: str
) -> Iterator[Callable[[], list[str]]]:
    """Let processes ask things meanwhile; what they told so far."""
    if act is None:
        yield list
        return
    told: Any = multiprocessing.SimpleQueue()
    count = 4 if act is moments else 1
    processes = [
        multiprocessing.Process(target=act, args=(url, cookie, told.put), daemon=True)
        for _ in range(count)
    ]
    for process in processes:
        process.start()
    found: list[str] = []

    def said() -> list[str]:
        while not told.empty():
            found.append(told.get())
        return found

    try:
        yield said
    finally:
        for process in processes:
            process.kill()
            process.join()


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("--tree", type=Path, action="append", help="a checkout; if missing, this")
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--only", nargs="+", choices=FLOODS, default=FLOODS)
    asked = parser.parse_args()
    shown = Table("flood", "tree", "moves", "median ms", "99 % ms", "memory MB", "the flood")
    for flood in asked.only:
        for tree in asked.tree or [ROOT]:
            found = run(tree.resolve(), flood, asked.seconds)
            shown.add_row(
                flood, tree.resolve().name, str(len(found.times)), found.part(50), found.part(99),
                f"{found.memory / 1e6:.0f}", found.note,
            )  # fmt: skip
    Console(width=int(os.environ.get("COLUMNS", 160))).print(shown)


if __name__ == "__main__":
    main()
