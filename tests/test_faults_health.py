"""What a server says of itself while its disk is full, its database hangs, its bus hangs."""

import asyncio
import os
import re
import resource
import signal
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path

import asyncpg  # type: ignore[import-untyped]
import httpx
import pytest

from servers import Person, Tegel, postgres, redis, tegel, until
from world import World, real

QUICK = 2.0  # seconds within which health is told
SLACK = 3.0  # what a busy machine may add


def asked(server: Tegel, path: str = "/healthz") -> tuple[int, str, float]:
    """The status, the sentence and the seconds that it took."""
    start = time.monotonic()
    answer = httpx.get(server.url + path, timeout=60)
    return answer.status_code, answer.json().get("text", ""), time.monotonic() - start


@contextmanager
def stopped(*pids: int) -> Iterator[None]:
    """Processes that hang: they hold their connections and answer nothing."""
    for pid in pids:
        os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        for pid in pids:
            os.kill(pid, signal.SIGCONT)


def family(port: int, name: str) -> list[int]:
    """The process that was started with a port, and its children."""
    found: dict[int, int] = {}
    first = 0
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "cmdline").read_bytes().split(b"\0")
            stat = (folder / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        found[int(folder.name)] = int(stat[1])
        if name.encode() in words[0] and str(port).encode() in b" ".join(words):
            first = int(folder.name)
    assert first
    return [first, *(pid for pid, parent in found.items() if parent == first)]


def test_a_full_disk_is_told_and_gets_well(tmp_path: Path) -> None:
    with tegel(tmp_path) as server:
        assert server.process
        ann = Person(server)
        room = ann.room()["id"]
        assert asked(server)[0] == 200
        assert asked(server, "/readyz")[0] == 200
        limits = resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (0, limits[1]))
        until(lambda: asked(server)[0] == 503, "the full disk being told", 10)
        status, text, seconds = asked(server)
        assert (status, text[-1]) == (503, ".")
        assert seconds < QUICK + SLACK
        assert asked(server, "/readyz")[0] == 503
        assert ann.ok("GET", f"/api/rooms/{room}")["id"] == room  # what is there is shown
        assert ann.ask("POST", "/api/rooms", {"game": "blokus"}).status_code == 503
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, limits)
        until(lambda: asked(server)[0] == 200, "its getting well", 10)
        assert ann.room()["id"]


@pytest.mark.sliced(2)
def test_many_who_ask_for_health_cause_few_writes(tmp_path: Path) -> None:
    with tegel(tmp_path) as server:
        ann = Person(server)

        def writes() -> float:
            found = [
                x for x in ann.metrics().splitlines() if x.startswith("tegel_commit_seconds_c")
            ]
            return float(found[0].split()[-1])

        start, before = time.monotonic(), writes()
        for _ in range(300):
            assert ann.ask("GET", "/healthz").status_code == 200
        passed = time.monotonic() - start
        assert writes() - before <= 2 * passed + 10  # of health one a second, of beats half


def test_a_database_that_hangs_is_told_within_two_seconds(tmp_path: Path) -> None:
    """And whoever needs it is told soon, in a sentence: over HTTP and by sockets."""
    with postgres(tmp_path) as url, tegel(tmp_path / "one", "--database", url) as server:
        assert asked(server)[0] == 200
        ann = Person(server)
        room = ann.room(seats=[{"kind": "person"}, {"kind": "person"}])["id"]
        socket = ann.socket(room)
        offer = socket.wait("offer")
        port = int(url.split(":")[-1].split("/")[0])
        with stopped(*family(port, "postgres")), ThreadPoolExecutor() as several:
            move = socket.move(offer)
            asking = [
                several.submit(ann.ask, "POST", "/api/rooms", {"game": "blokus"}),
                several.submit(ann.ask, "GET", "/api/rooms"),
            ]
            time.sleep(1.5)  # what was known a moment ago may be said for a second
            for path in ("/healthz", "/readyz", "/healthz"):
                status, text, seconds = asked(server, path)
                assert (status, text) == (503, "The database does not answer.")
                assert seconds < QUICK + SLACK
            for each in asking:
                answer = each.result()  # within the time that a client waits
                assert (answer.status_code, answer.json()["code"]) == (503, "storage")
                assert answer.json()["text"].endswith(".")
            assert socket.wait("error", seconds=30)["code"] == "storage"
        until(lambda: asked(server)[0] == 200, "its return", 30)
        socket.send(t="move", ply=offer["ply"], move=move)

        def done() -> list[str]:
            known = ann.ok("GET", f"/api/rooms/{room}")["moves"]
            return [played["move"] for played in known]

        until(done, "the move")
        assert done() == [move], "it is done once, though it was sent twice"


@pytest.mark.sliced(2)
def test_what_postgres_can_not_do_just_now_is_no_failure_of_ours(tmp_path: Path) -> None:
    """Somebody has locked the tables, and PostgreSQL waits for no lock: whatever is asked is
    answered, or it is said in a sentence that it can't be just now."""
    with postgres(tmp_path) as url, tegel(tmp_path / "one", "--database", url) as server:
        world, codes = World(server), Counter[int]()

        async def locked() -> None:
            base = await asyncpg.connect(url)
            await base.execute("ALTER ROLE tegel SET lock_timeout = '50ms'")
            await base.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                               " WHERE pid != pg_backend_pid() AND usename = 'tegel'")  # fmt: skip
            async with base.transaction():
                await base.execute("LOCK TABLE rooms, log, players, records, names, seats")
                for label, wish in real(world).items():
                    if not re.search("hint|reveal|svg|games|puzzles|/bot/", label):  # quick ones
                        answer = await asyncio.to_thread(world.ask, label, wish)
                        codes[answer.status_code] += 1
                        assert answer.status_code < 500 or answer.status_code == 503, label
            await base.close()

        asyncio.run(locked())
        assert codes[503] > 10, codes
        until(lambda: asked(server)[0] == 200, "its return", 30)


@pytest.mark.sliced(2)
def test_a_bus_that_hangs_slows_nobody(tmp_path: Path) -> None:
    """Two workers, Ann on one and Bob on the other, and Redis holds still: their moves are
    acknowledged as before, each sees the other's soon, and afterwards all is as it was."""
    with ExitStack() as stack:
        database = stack.enter_context(postgres(tmp_path / "pg"))
        bus = stack.enter_context(redis(tmp_path / "redis"))
        env = {"TEGEL_SECRET": "the same secret for all of them, on every worker"}
        options = ("--database", database, "--bus", bus)
        one = stack.enter_context(tegel(tmp_path / "one", *options, env=env))
        two = stack.enter_context(tegel(tmp_path / "two", *options, env=env))
        until(lambda: asked(one, "/readyz")[0] == asked(two, "/readyz")[0] == 200, "both ready")
        ann, bob = Person(one), Person(two)
        room = ann.room()["id"]
        bob.do(room, "sit", seat=1)
        sockets = [ann.socket(room), bob.socket(room)]
        offer = sockets[0].wait("offer")
        sockets[1].wait("room")
        alone = ann.socket(ann.room(seats=[{"kind": "person"}, {"kind": "person"}])["id"])
        with stopped(*family(int(bus.split(":")[-1]), "server")[:1]):
            for _ in range(6):  # one after the other in one room, for which its lock is needed
                start = time.monotonic()
                alone.move(alone.wait("offer"))
                alone.wait("moved")
                assert time.monotonic() - start < 1 + SLACK, "a move waits for the bus"
            for turn in range(6):
                mine = sockets[turn % 2]
                start = time.monotonic()
                mine.move(offer)
                mine.wait("moved")
                assert time.monotonic() - start < 1 + SLACK, "an acknowledgement waits for the bus"
                offer = sockets[1 - turn % 2].wait("offer", seconds=8 + SLACK)
            start = time.monotonic()
            other = ann.room()["id"]  # and rooms are made and opened
            bob.do(other, "sit", seat=1)
            assert time.monotonic() - start < 2 * (1 + SLACK)
            assert not ann.ok("GET", "/healthz")["bus"]
            assert asked(one, "/readyz")[0] == 200, "a bus that fails later stops nobody"
        for person in (ann, bob):
            until(lambda who=person: who.ok("GET", "/healthz")["bus"], "the bus being back", 20)  # type: ignore[misc]
        sockets[0].move(offer)
        assert sockets[1].wait("offer")["ply"] > offer["ply"]
        until(lambda: ann.ok("GET", f"/api/rooms/{other}")["begun"], "the news", 10)
