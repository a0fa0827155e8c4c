"""A crowd plays while everything goes wrong, and the history of it is checked afterwards: with
two workers, PostgreSQL and Redis, and with one worker and a file. Half a minute, or half an hour
each with TEGEL_SOAK; the same TEGEL_SEED has the same schedule of troubles."""

import asyncio
import random
import re
import signal
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
import sqlalchemy as sa

import planted as planting
from chaos import (
    Chaos,
    Faults,
    Proxy,
    Worker,
    postgres_chief,
    postgres_processes,
    redis_process,
    schedule,
    signalled,
)
from conftest import SOAK
from crowd import Crowd, Desk, Player
from history import Ending, History, Row, faults
from servers import Person, Tegel, postgres, redis, table, tegel, until
from tegel.room.room import Room, begin, fold, running
from tegel.server.run import database
from tegel.server.storage import tables as stored
from tegel.server.storage.database import Database
from tegel.server.storage.heartbeat import SqlHeartbeat
from tegel.server.storage.rooms import SqlRooms

SECRET = {"TEGEL_SECRET": "the same secret for all of them, on every worker"}
SECONDS = 25.0
SOAKED = 1800.0
BOUND = 60.0  # seconds until all is well again, on a busy machine
KNOWN = ("tegel.place.ports.StorageAway", "sqlalchemy", "asyncpg", "redis", "sqlite3",
         "ConnectionError", "TimeoutError", "OSError", "ConnectionResetError",
         "ConnectionRefusedError", "BrokenPipeError")  # fmt: skip

RAISED = re.compile(r"^[A-Za-z_][\w.]*Error|^[a-z_]+\.[\w.]+", re.MULTILINE)


@dataclass
class Site:
    """Servers that can be brought into trouble."""

    workers: list[Worker]
    url: str  # of the database
    clock: Faults
    chaos: Chaos
    ways: list[tuple[Proxy, Proxy]] = field(default_factory=list)  # to PostgreSQL, to Redis


@contextmanager
def cluster(folder: Path) -> Iterator[Site]:
    """Two workers; each has a way of its own to PostgreSQL and to Redis."""
    with ExitStack() as stack:
        # PostgreSQL must reach its folder again, and pytest closes its own to other users.
        home = Path(stack.enter_context(TemporaryDirectory(prefix="tegel-")))
        home.chmod(0o755)
        disk, clock = Faults(home / "disk"), Faults(folder / "clock")
        url = stack.enter_context(postgres(home, env=disk.env))
        bus = stack.enter_context(redis(folder / "redis"))
        sql, news = int(url.split(":")[-1].split("/")[0]), int(bus.split(":")[-1])
        ways = [(Proxy(sql), Proxy(news)) for _ in range(2)]
        for way in ways:
            for proxy in way:
                stack.callback(proxy.close)
        workers = []
        for name, (to_sql, to_news) in zip(("one", "two"), ways, strict=True):
            options = (
                "--database", url.replace(f":{sql}", f":{to_sql.port}"),
                "--bus", bus.replace(f":{news}", f":{to_news.port}"), "--bots", "1",
            )  # fmt: skip
            env = {**clock.env, **SECRET}
            workers.append(Worker(stack.enter_context(tegel(folder / name, *options, env=env))))
        redis_pid = [redis_process(news)]
        stopped: list[int] = []

        def stop_backends(_: int) -> None:
            stopped[:] = postgres_processes(home)
            signalled(stopped, signal.SIGSTOP)

        def kill_backend(_: int) -> None:
            """PostgreSQL restarts all of itself when a process of its dies so."""
            signalled(postgres_processes(home)[:1], signal.SIGKILL)

        def revive(_: int) -> None:
            """PostgreSQL ends if it finds the disk full when it recovers; hosts restart it."""
            disk.fill(False)
            time.sleep(0.5)
            if not postgres_chief(home):
                stack.enter_context(postgres(home, sql, disk.env))

        begin = {
            "kill": lambda i: workers[i].kill(),
            "stop": lambda i: workers[i].stop(True),
            "stop redis": lambda _: signalled(redis_pid, signal.SIGSTOP),
            "stop postgres": stop_backends,
            "crash postgres": kill_backend,
            "cut postgres": lambda i: ways[i][0].cut(),
            "hold postgres": lambda i: ways[i][0].hold(),
            "lose answers of postgres": lambda i: ways[i][0].hold_answers(),
            "cut redis": lambda i: ways[i][1].cut(),
            "hold redis": lambda i: ways[i][1].hold(),
            "fill the disk": lambda _: disk.fill(True),
            "jump": lambda _: None,
        }

        def lose(i: int) -> None:
            """What PostgreSQL answered never comes."""
            ways[i][0].cut()
            time.sleep(0.1)
            ways[i][0].heal()

        end = {
            "kill": lambda i: workers[i].restart(),
            "stop": lambda i: workers[i].stop(False),
            "stop redis": lambda _: signalled(redis_pid, signal.SIGCONT),
            "stop postgres": lambda _: signalled(stopped, signal.SIGCONT),
            "cut postgres": lambda i: ways[i][0].heal(),
            "hold postgres": lambda i: ways[i][0].heal(),
            "lose answers of postgres": lose,
            "cut redis": lambda i: ways[i][1].heal(),
            "hold redis": lambda i: ways[i][1].heal(),
            "fill the disk": revive,
        }
        yield Site(workers, url, clock, Chaos(begin, end), ways)


@contextmanager
def alone(folder: Path, planted: str = "") -> Iterator[Site]:
    """One worker with a file, and with a fault if one is planted."""
    trouble = Faults(folder)
    program = (planting.__file__, planted) if planted else ()
    env = {**trouble.env, **SECRET}
    with tegel(folder / "one", "--bots", "1", env=env, program=program) as server:
        worker = Worker(server)
        begin = {
            "kill": lambda _: worker.kill(),
            "stop": lambda _: worker.stop(True),
            "fill the disk": lambda _: trouble.fill(True),
            "jump": lambda _: None,
        }
        end = {
            "kill": lambda _: worker.restart(),
            "stop": lambda _: worker.stop(False),
            "fill the disk": lambda _: trouble.fill(False),
        }
        url = f"sqlite:///{folder / 'one' / 'tegel.db'}"
        yield Site([worker], url, trouble, Chaos(begin, end))


# Who plays


@dataclass
class Table:
    """Games one after the other in the same company."""

    crowd: Crowd
    players: list[Player]
    kind: str

    def run(self) -> None:
        first, rng = self.players[0], self.players[0].rng
        while not self.crowd.stop.is_set():
            wish: dict[str, object] = {"game": "blokus", "variant": "duo"}
            if self.kind == "bot":
                wish["seats"] = [{"kind": "person"}, {"kind": "bot", "level": 1}]
            if self.kind == "clock":
                wish["clock"] = "bank 4 0"
            if self.kind == "race":
                wish["seats"] = [{"kind": "person"}, {"kind": "person"}]
            room = first.insist("POST", "/api/rooms", wish).get("id")
            if room is None:
                return
            self.crowd.history.people[room] = frozenset(range(len(self.players)))
            self.crowd.rooms.append(room)
            if self.kind in ("people", "http", "clock"):
                self.players[1].insist("POST", f"/api/rooms/{room}/sit", {"seat": 1})
            threads = [
                threading.Thread(target=self.play, args=(player, seat, room, rng.randrange(1, 6)))
                for seat, player in enumerate(self.players)
            ]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()

    def play(self, player: Player, seat: int, room: str, moves: int) -> None:
        try:
            if self.kind == "http":
                player.play_over_http(room, [seat])
            elif self.kind == "clock":
                player.play(room, moves)  # who makes no more lets the time run out
            else:
                player.play(room, takebacks=0.2)
        except Exception as error:
            self.crowd.wrong.append(repr(error))
            raise

    def acked(self) -> float:
        return max(player.acked for player in self.players)


def tables(crowd: Crowd, rng: random.Random) -> list[Table | Desk]:
    """One of each kind; in a race one person holds both seats, and plays both in two windows,
    so that two moves are sent for every ply."""
    found: list[Table | Desk] = []
    for kind in ("people", "http", "bot", "clock", "race", "study"):
        players = [Player(crowd, f"{kind} 0", random.Random(rng.random()))]
        if kind != "bot":
            same = players[0].person if kind in ("race", "study") else None
            players.append(Player(crowd, f"{kind} 1", random.Random(rng.random()), same))
        if kind == "race":
            for player, server in zip(players, crowd.servers, strict=False):
                player.home, player.think = server, 0.0
        if kind == "study":
            for player in players:
                player.think = 0.1
        found.append(Desk(crowd, players) if kind == "study" else Table(crowd, players, kind))
    return found


# What is there at the end


async def logs(url: str, rooms: list[str]) -> dict[str, tuple[list[Row], Room]]:
    """The rows of every room, with who decided each, and the room they make."""
    store = Database(url)
    try:
        outages, found = await SqlHeartbeat(store).outages(), {}
        for id in rooms:
            setup = await SqlRooms(store).setup(id)
            assert setup, f"{id} is lost"
            room, rows = begin(setup, outages), []
            for row in await SqlRooms(store).tail(id):
                seat = room.turn if row.event is None and room.turn is not None else -1
                rows.append(Row(row.seq, row.text, seat))
                if row.seq == room.ply:  # what comes after a gap makes no room
                    room = fold(room, row)
            found[id] = rows, room
    finally:
        await store.reader.dispose()
    return found


def endings(site: Site, crowd: Crowd, since: float) -> list[Ending]:
    """What waits now, and since when: all went well again at `since`, so by then at the latest
    every clock ran. A worker is asked what it knows."""
    now, found = time.monotonic(), []
    known = asyncio.run(logs(database(site.url, Path()), crowd.rooms))
    for id, (rows, room) in known.items():
        crowd.history.logs[id] = rows
        flag = None
        if running(room):
            assert room.turn is not None
            flag = since + room.banks[room.turn] / 1000  # whatever the server counts as outages
        bot = since if room.waits_for_bot else None
        found.append(Ending(id, now, flag, bot))
    for id in crowd.rooms[-8:]:
        for worker in site.workers:
            reader = Player(crowd, "", random.Random(1))
            there = reader.ask(worker.server, "GET", f"/api/rooms/{id}")
            if there["ply"] < len(crowd.history.logs[id]):
                found.append(Ending(id, now, behind=since))
    return found


async def studied(url: str, studies: list[str]) -> dict[str, list[Row]]:
    """The rows of every study; the first is nobody's change."""
    c = stored.study_rows.c
    query = sa.select(c.study, c.seq, c.text).where(c.study.in_(studies)).order_by(c.study, c.seq)
    store = Database(url)
    try:
        found: dict[str, list[Row]] = {id: [] for id in studies}
        for row in await store.rows(query):
            found[row.study].append(Row(row.seq, row.text, 0 if row.seq else -1))
    finally:
        await store.reader.dispose()
    return found


async def unkept(url: str, rooms: list[str]) -> list[str]:
    """What is wrong with what is kept of games that are over: each has its ending, no other has."""
    over = {id for id, (_, room) in (await logs(url, rooms)).items() if room.over}
    store = Database(url)
    try:
        known = await store.rows(sa.select(stored.endings.c.room))
        mine = await store.rows(sa.select(stored.played.c.room).distinct())
    finally:
        await store.reader.dispose()
    kept = {row.room for row in known} & set(rooms)
    played = {row.room for row in mine} & set(rooms)
    return [f"{id} and its ending differ" for id in (over ^ kept) | (kept ^ played)]


def calm(found: list[Ending]) -> bool:
    return not any(e.flag is not None or e.bot is not None or e.behind is not None for e in found)


def unexpected(server: Tegel) -> list[str]:
    """Exceptions in the log of a server that no trouble explains."""
    said = [entry["exception"] for entry in server.entries() if "exception" in entry]
    return [text for text in said if not RAISED.findall(text)[-1].startswith(KNOWN)]


# The test


def endured(site: Site, seconds: float, rng: random.Random, bound: float = BOUND) -> str:
    """Play through a schedule of troubles and check the history; what came of it."""
    crowd = Crowd([worker.server for worker in site.workers], History(patience=bound))
    playing = tables(crowd, rng)
    jumps = random.Random(rng.random())
    site.chaos.begin["jump"] = lambda _: site.clock.jump(jumps.choice([-3600, -20, 3, 3600]))
    plan = schedule(rng, seconds, sorted(site.chaos.begin), len(site.workers))
    threads = [threading.Thread(target=table.run) for table in playing]
    for thread in threads:
        thread.start()
    try:
        site.chaos.run(plan)
        died = [worker.name for worker in site.workers if worker.down]
        for worker in site.workers:
            worker.join()
        healed = time.monotonic()
        while stuck := [table.kind for table in playing if table.acked() < healed]:
            if time.monotonic() - healed > bound:
                break
            time.sleep(0.2)
    finally:
        crowd.stop.set()
        for thread in threads:
            thread.join()
    since = time.monotonic()
    while not calm(found := endings(site, crowd, since)) and time.monotonic() - since < bound + 10:
        time.sleep(1)
    crowd.history.endings = found
    history = crowd.history
    notes = asyncio.run(studied(database(site.url, Path()), crowd.studies))
    rows = [row for log in history.logs.values() for row in log]
    flags = sum(row.text.startswith("!flag") for row in rows)
    back = sum(row.text.startswith("!takeback") for row in rows)
    told = (
        f"{len(site.chaos.done)} troubles, {len(crowd.rooms)} rooms, {len(rows)} rows, {back} "
        f"takebacks, {flags} flags, {len(history.acks)} moves acknowledged, "
        f"{len(history.sights)} sights, {sum(map(len, notes.values()))} changes of "
        f"{len(notes)} studies; {dict(Counter(crowd.errors).most_common(12))}"
    )
    history.logs |= notes
    wrong = [
        *(f"worker {name} ended by itself" for name in died),
        *crowd.wrong,
        *faults(history),
        *asyncio.run(unkept(database(site.url, Path()), crowd.rooms)),
        *(f"{kind}: nothing was acknowledged for {bound} s" for kind in stuck),
        *(text for worker in site.workers for text in unexpected(worker.server)),
    ]
    if wrong:
        raise AssertionError("\n".join([*wrong, *site.chaos.done, told]))
    return told


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with cluster(tmp_path_factory.mktemp("chaos")) as found:
        yield found


@pytest.mark.sliced(1)
def test_two_workers_endure(site: Site, rng: random.Random, soak: bool) -> None:
    print(endured(site, SOAKED if soak else SECONDS, rng))


@pytest.mark.sliced(1)
def test_one_worker_with_a_file_endures(tmp_path: Path, rng: random.Random, soak: bool) -> None:
    with alone(tmp_path) as site:
        print(endured(site, SOAKED if soak else SECONDS / 2, rng))


@pytest.mark.skipif(not SOAK, reason="a server for each fault belongs to the soak")
@pytest.mark.parametrize("fault", planting.PLANTED)
def test_a_fault_planted_in_the_server_is_noticed(
    tmp_path: Path, rng: random.Random, fault: str
) -> None:
    """With no other trouble than a clock that is set."""
    with alone(tmp_path, fault) as site:
        site.chaos.begin = {"nothing": lambda _: None}
        with pytest.raises(AssertionError, match=planting.PLANTED[fault][1]):
            endured(site, 8, rng, bound=15)


def test_the_same_seed_has_the_same_schedule() -> None:
    kinds = ["cut", "kill", "stop"]
    one, two, other = (schedule(random.Random(seed), 60, kinds, 2) for seed in (1, 1, 2))
    assert one == two != other
    for place in range(0, len(one) - 3, 3):  # and every kind comes before any comes again
        assert sorted(trouble.kind for trouble in one[place : place + 3]) == kinds


# What was found so, one by one


@contextmanager
def silent(site: Site) -> Iterator[Worker]:
    """A worker that can store, but not tell the other; it dies of it."""
    worker, bus = site.workers[0], site.ways[0][1]
    bus.hold()
    try:
        yield worker
    finally:
        worker.kill()
        bus.heal()
        worker.restart()
        worker.join()


def test_what_a_dying_worker_did_not_tell_is_found(site: Site) -> None:
    one, two = (worker.server for worker in site.workers)
    ann, bob = Person(one), Person(two)
    room, first, second = table(ann, bob)
    offer = first.wait("offer")
    with silent(site) as worker:
        first.move(offer)
        told = first.wait("moved")
        worker.kill()
        again = ann.socket(room, two, told["ply"])  # nobody sees less than before
        assert again.wait("you", "room").get("ply", told["ply"]) == told["ply"]
        assert second.wait("offer", seconds=BOUND)["ply"] == told["ply"]


def test_a_bot_goes_on_though_the_last_move_was_not_told(site: Site) -> None:
    one, two = (worker.server for worker in site.workers)
    ann = Person(one)
    room = ann.room(seats=[{"kind": "person"}, {"kind": "bot", "level": 1}])["id"]
    first, second = ann.socket(room), ann.socket(room, two)
    second.wait("offer")
    with silent(site) as worker:
        first.move(first.wait("offer"))
        first.wait("moved")
        worker.kill()
        assert second.wait("moved", seconds=BOUND)["seat"] == 0
        assert second.wait("moved", seconds=BOUND)["seat"] == 1


def test_what_could_not_be_told_is_found_when_the_bus_is_back(site: Site) -> None:
    one, two = (worker.server for worker in site.workers)
    ann, bob = Person(one), Person(two)
    _, first, second = table(ann, bob)
    offer = first.wait("offer")
    site.ways[0][1].cut()
    first.move(offer)
    told = first.wait("moved")
    until(lambda: not ann.ok("GET", "/healthz")["bus"], "the bus being away", BOUND)
    site.ways[0][1].heal()
    assert second.wait("offer", seconds=BOUND)["ply"] == told["ply"]


def test_what_was_said_while_a_worker_did_not_hear_is_found(site: Site) -> None:
    one, two = (worker.server for worker in site.workers)
    ann, bob = Person(one), Person(two)
    _, first, second = table(ann, bob)
    offer = first.wait("offer")
    site.ways[1][1].cut()
    first.move(offer)
    told = first.wait("moved")
    site.ways[1][1].heal()
    assert second.wait("offer", seconds=BOUND)["ply"] == told["ply"]
