"""Many workers, and none: two servers on one PostgreSQL and one Redis or Valkey; kill -9
under load. Correctness comes from the key of the log alone."""

import asyncio
import json
import os
import random
import signal
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy.ext.asyncio import create_async_engine
from websockets.exceptions import WebSocketException

from servers import (
    Person,
    Tegel,
    offered,
    postgres,
    redis,
    tegel,
    until,
)
from studying import Student, study
from tegel.server.run import database
from tegel.server.storage import tables
from tegel.server.storage.migrations import migrate

PLIES = 200  # that two players race for


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Tegel, Tegel, str, str]]:
    """Two servers that share a database and a bus, and the addresses of those."""
    folder = tmp_path_factory.mktemp("cluster")
    with ExitStack() as stack:
        database = stack.enter_context(postgres(folder))
        bus = stack.enter_context(redis(folder / "redis"))
        options = ("--database", database, "--bus", bus, "--bots", "1", "--grace", "2",
                   "--report-seconds", "1")  # fmt: skip
        env = {"TEGEL_SECRET": "the same secret for all of them, on every worker"}
        one = stack.enter_context(tegel(folder / "one", *options, env=env))
        two = stack.enter_context(tegel(folder / "two", *options, env=env))
        yield one, two, database, bus
        one.check()
        two.check()


def test_players_on_different_workers_see_each_other(
    cluster: tuple[Tegel, Tegel, str, str], rng: random.Random
) -> None:
    one, two, *_ = cluster
    ann, bob = Person(one, "Ann"), Person(two, "Bob")
    room = ann.room()["id"]
    first = ann.socket(room)
    assert not first.wait("room")["begun"]
    assert first.drain(0.5)[-1]["here"] == [0]  # which nobody else was there to hear
    bob.do(room, "sit", seat=1)
    assert first.event("sit")["begun"]
    offer = first.wait("offer")
    second = bob.socket(room)
    second.wait("room")
    until(lambda: first.wait("presence")["here"] == [0, 1], "both here")
    until(lambda: second.wait("presence")["here"] == [0, 1], "and here for the other, too")
    sockets = [first, second]
    for _ in range(12):
        sockets[offer["seat"]].move(offer, rng.randrange(1000))
        seen = [socket.wait("moved") for socket in sockets]
        assert seen[0] == seen[1]
        offer = sockets[seen[0]["turn"]].wait("offer")
    first.send(t="react", key="hello")
    assert second.wait("reaction")["key"] == "hello"
    second.close()
    until(lambda: first.wait("presence")["here"] == [0], "the leaving seen")


@pytest.mark.sliced(2)
def test_two_players_race_for_every_ply(cluster: tuple[Tegel, Tegel, str, str]) -> None:
    """One browser holds both seats on two workers, and both send a move for every ply: one
    wins each time, and both see the same game."""
    one, two, *_ = cluster
    rng, plies, conflicts = random.Random(1), 0, 0
    while plies < PLIES:
        ann = Person(one)
        room = ann.room(seats=[{"kind": "person"}, {"kind": "person"}])["id"]
        sockets = [ann.socket(room), ann.socket(room, two)]
        offers = [socket.wait("offer") for socket in sockets]
        while plies < PLIES:
            assert offers[0] == offers[1]
            picks = [rng.randrange(1000), rng.randrange(1000)]
            threads = [
                threading.Thread(target=socket.move, args=(offer, pick))
                for socket, offer, pick in zip(sockets, offers, picks, strict=True)
            ]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            moved = [socket.wait("moved") for socket in sockets]
            assert moved[0] == moved[1]
            assert moved[0]["move"] in [offered(offers[0], pick) for pick in picks]
            plies += 1
            if "result" in moved[0]:
                break
            offers = [socket.wait("offer") for socket in sockets]
            assert offers[0]["ply"] == moved[0]["ply"]
        told = [m for socket in sockets for m in socket.told + socket.drain()]
        conflicts += len([m for m in told if m["t"] == "error"])
        assert {m["code"] for m in told if m["t"] == "error"} <= {"stale", "over"}
        for socket in sockets:
            seen = [m["ply"] for m in socket.told if m["t"] == "moved"]
            assert seen == sorted(set(seen))
        games = [Person.ok(ann, "GET", f"/api/rooms/{room}"), at(ann, two, room)]
        assert games[0]["moves"] == games[1]["moves"]
        assert len(games[0]["moves"]) == len({m["ply"] for m in told if m["t"] == "moved"})
    assert conflicts >= PLIES - 5  # the loser of every race was told; the last may still hear it


def test_a_study_is_changed_on_two_workers(cluster: tuple[Tegel, Tegel, str, str]) -> None:
    """One of two changes at once wins, the other is told; both see the same tree, and who asks
    on another worker has the report and the lines that were thought for somebody."""
    one, two, *_ = cluster
    ann = Person(one, "Ann")
    id = study(ann)["id"]
    here, there = Student(ann, id), Student(ann, id, two)
    assert here.wait("study") == there.wait("study")
    for number in range(5):
        sent = [
            threading.Thread(
                target=own.send,
                kwargs={"t": "change", "rows": here.rows, "text": f"note 0 {name} {number}"},
            )
            for name, own in (("here", here), ("there", there))
        ]
        for thread in sent:
            thread.start()
        for thread in sent:
            thread.join()
        told = [own.wait("study") for own in (here, there)]
        assert told[0]["rows"] == told[1]["rows"] == number + 2
        assert told[0]["line"] == told[1]["line"]
        for own in (here, there):
            own.send(t="ping")
        last = [own.wait("error", "pong") for own in (here, there)]
        assert sorted(message["t"] for message in last) == ["error", "pong"], "one was too late"
        assert {message.get("code", "stale") for message in last} == {"stale"}
    here.send(t="judge")
    while not here.wait("judged", seconds=60)["complete"]:
        pass
    here.send(t="think", path="1")
    here.wait("thought")
    deep = here.wait("thought")["found"]["simulations"]
    here.send(t="rest")
    there.send(t="judge", begin=False)
    assert there.wait("judged")["complete"], "it is known there too"
    time.sleep(1)  # until it is kept
    there.send(t="think", path="1")
    assert there.wait("thought")["found"]["simulations"] >= deep
    there.send(t="rest")


def test_a_report_is_made_once_for_two_workers(
    cluster: tuple[Tegel, Tegel, str, str],
) -> None:
    """Two ask at once, on either: both see it grow, and one of them thinks."""
    one, two, url, _ = cluster
    moves = "game: blokus\nvariant: duo\n\nF.0@d9\nF.0@i3\n1.0@c11\n2.0@k1\n"
    asked = [
        Student(person, study(person, text=moves)["id"]) for person in (Person(one), Person(two))
    ]
    for own in asked:
        own.wait("study")
    for own in asked:
        own.send(t="judge")
    ends = []
    for own in asked:
        while not (found := own.wait("judged", seconds=60))["complete"]:
            pass
        ends.append(found)
    assert ends[0] == ends[1]
    assert len(ends[0]["verdicts"]) == 4

    async def tries() -> list[int]:
        engine, c = create_async_engine(database(url, Path())), tables.game_reports.c
        async with engine.connect() as connection:
            found = await connection.execute(sa.select(c.tries).where(c.record.contains("2.0@k1")))
            made = [row.tries for row in found]
        await engine.dispose()
        return made

    assert asyncio.run(tries()) == [1]


def test_of_two_who_join_one_seat_one_sits(cluster: tuple[Tegel, Tegel, str, str]) -> None:
    one, two, *_ = cluster
    host, guests = Person(one, "Ann"), [Person(one, "Bob"), Person(two, "Carl")]
    with ThreadPoolExecutor(2) as threads:
        for _ in range(20):
            room = host.room()["id"]

            def sit(guest: Person, room: str = room) -> httpx.Response:
                return guest.ask("POST", f"/api/rooms/{room}/sit", {"seat": 1})

            answers = list(threads.map(sit, guests))
            assert sorted(answer.status_code for answer in answers) == [200, 409]
            winner = next(g for g, a in zip(guests, answers, strict=True) if a.status_code == 200)
            loser = next(a for a in answers if a.status_code == 409)
            assert loser.json()["code"] == "taken"
            for server in (one, two):
                seats = until(partial(begun, host, server, room), "the game begins")
                assert [seat["name"] for seat in seats] == ["Ann", name_of(winner)]


def begun(person: Person, server: Tegel, room: str) -> Any:
    found = at(person, server, room)
    return found["seats"] if found["begun"] else None


def name_of(person: Person) -> Any:
    return person.ok("GET", "/api/me")["name"]


def at(person: Person, server: Tegel, room: str) -> Any:
    """A room as another worker sees it."""
    answer = person.http.get(f"{server.url}/api/rooms/{room}", headers={"Cookie": person.cookie()})
    return answer.json()


def test_a_worker_that_dies_leaves_its_bots_to_another(
    cluster: tuple[Tegel, Tegel, str, str], tmp_path: Path
) -> None:
    one, _, database, bus = cluster
    env = {"TEGEL_SECRET": "the same secret for all of them, on every worker"}
    options = ("--database", database, "--bus", bus, "--bots", "1")
    with tegel(tmp_path, *options, env=env) as third:
        ann = Person(third)
        seats = [{"kind": "person"}, *[{"kind": "bot", "level": 9}] * 3]
        room = ann.room(variant="classic", seats=seats)["id"]
        socket = ann.socket(room)
        socket.move(socket.wait("offer"))
        socket.wait("moved")
        third.kill()  # while its bot thinks
    assert len(at(ann, one, room)["moves"]) == 1
    until(lambda: len(at(ann, one, room)["moves"]) >= 2, "another worker's bot", 60)


@pytest.mark.sliced(2)
def test_the_bus_may_fail_for_a_while(tmp_path: Path) -> None:
    """Without news the workers look into the log themselves; afterwards all is as before."""
    with ExitStack() as stack:
        database = stack.enter_context(postgres(tmp_path / "pg"))
        bus = stack.enter_context(ExitStack())
        url = bus.enter_context(redis(tmp_path / "redis"))
        env = {"TEGEL_SECRET": "the same secret for all of them, on every worker"}
        options = ("--database", database, "--bus", url)
        one = stack.enter_context(tegel(tmp_path / "one", *options, env=env))
        two = stack.enter_context(tegel(tmp_path / "two", *options, env=env))
        ann, bob = Person(one), Person(two)
        room = ann.room()["id"]
        bob.do(room, "sit", seat=1)
        first, second = ann.socket(room), bob.socket(room)
        offer = first.wait("offer")
        second.wait("room")
        bus.close()  # Redis is gone
        time.sleep(1)
        first.move(offer)
        first.wait("moved")
        second.move(second.wait("offer"))
        offer = first.wait("offer")
        assert offer["seat"] == 0
        assert not ann.ok("GET", "/healthz")["bus"]
        later = ann.room()["id"]  # a room made meanwhile is heard of, too
        with redis(tmp_path / "redis", int(url.split(":")[-1])):
            until(lambda: ann.ok("GET", "/healthz")["bus"], "the bus being back", 30)
            until(lambda: bob.ok("GET", "/healthz")["bus"], "the bus being back", 30)
            bob.do(later, "sit", seat=1)
            until(lambda: ann.ok("GET", f"/api/rooms/{later}")["begun"], "the news", 5)
            first.move(offer)
            start = time.monotonic()
            second.wait("offer")
            assert time.monotonic() - start < 5


def test_the_database_may_fail_for_a_while(tmp_path: Path) -> None:
    """What can't be saved is not shown, its sender is told so in a sentence, and once the
    database is back the game goes on where it was."""
    with ExitStack() as stack:
        database = stack.enter_context(ExitStack())
        url = database.enter_context(postgres(tmp_path))
        server = stack.enter_context(tegel(tmp_path / "one", "--database", url))
        ann, bob = Person(server), Person(server)
        room = ann.room()["id"]
        bob.do(room, "sit", seat=1)
        first, second = ann.socket(room), bob.socket(room)
        first.move(first.wait("offer"))
        offer = second.wait("offer")
        database.close()  # PostgreSQL is gone
        second.move(offer)
        error = second.wait("error")
        assert error["code"] == "storage"
        assert not [m for m in first.drain() if m["t"] == "moved" and m["ply"] > offer["ply"]]
        assert ann.ask("GET", "/api/rooms").status_code == 503
        with postgres(tmp_path, int(url.split(":")[-1].split("/")[0])):
            until(lambda: ann.ask("GET", "/api/rooms").status_code == 200, "its return", 30)
            second.move(offer)
            assert first.wait("offer")["ply"] > offer["ply"]
            assert len(ann.ok("GET", f"/api/rooms/{room}")["moves"]) == 2


def test_the_tables_are_as_the_code_says(
    cluster: tuple[Tegel, Tegel, str, str], tmp_path: Path
) -> None:
    """What the migrations made is what `tables` describes, on both databases."""
    for url in (cluster[2], f"sqlite:///{tmp_path / 'new.db'}"):
        url = database(url, tmp_path)
        assert asyncio.run(differences(url)) == []
        asyncio.run(migrate(url))  # again: nothing to do


async def differences(url: str) -> list[Any]:
    await migrate(url, "0001")  # a new file would have its tables from `tables`
    await migrate(url)
    engine = create_async_engine(url)
    try:
        async with engine.connect() as connection:
            return await connection.run_sync(
                lambda c: compare_metadata(MigrationContext.configure(c), tables.metadata)
            )
    finally:
        await engine.dispose()


def test_workers_of_one_server(cluster: tuple[Tegel, Tegel, str, str], tmp_path: Path) -> None:
    """`--workers 2`: sockets land on either, metrics are added up, a dead worker is replaced,
    and asking to stop ends them all."""
    _, _, database, bus = cluster
    options = ("--database", database, "--bus", bus, "--workers", "2", "--bots", "1")
    with tegel(tmp_path, *options) as server:
        ready = until(lambda: workers(server, 2), "two workers", 60)
        ann, bob = Person(server), Person(server)
        room = ann.room()["id"]
        bob.do(room, "sit", seat=1)
        sockets = [[ann.socket(room) for _ in range(6)], [bob.socket(room) for _ in range(6)]]
        offers = [socket.wait("offer") for socket in sockets[0]]
        for watching in sockets[1]:
            watching.wait("room")
        sockets[0][3].move(offers[3])
        assert len({json.dumps(s.wait("moved")) for both in sockets for s in both}) == 1
        text = ann.metrics()
        rows = [line for line in text.splitlines() if line.startswith("tegel_rows_total")]
        assert any('kind="move"' in line and line.endswith(" 1.0") for line in rows), rows
        os.kill(ready[0], signal.SIGKILL)
        until(lambda: workers(server, 3), "a new worker", 60)
        assert ann.ok("GET", f"/api/rooms/{room}")["turn"] == 1
        server.stop()
        assert not [pid for pid in workers(server, 3) if Path(f"/proc/{pid}").exists()]


def workers(server: Tegel, count: int) -> list[int]:
    """The processes of workers that came so far, if they are so many."""
    ready = [e["message"] for e in server.entries() if "is ready" in e["message"]]
    found = [int(text.split("process ")[1].rstrip(")")) for text in ready]
    return found if len(found) == count else []


# kill -9


class Load:
    """People who play random moves and remember what was acknowledged."""

    def __init__(self, server: Tegel, rooms: int, seed: int) -> None:
        self.server, self.rng = server, random.Random(seed)
        self.person = Person(server)
        seats = [{"kind": "person"}, {"kind": "person"}]
        self.rooms = [self.person.room(seats=seats)["id"] for _ in range(rooms)]
        self.acknowledged: dict[str, list[str]] = {room: [] for room in self.rooms}
        self.threads: list[threading.Thread] = []

    def play(self) -> None:
        self.threads = [threading.Thread(target=self._play, args=(r,)) for r in self.rooms]
        for thread in self.threads:
            thread.start()

    def _play(self, room: str) -> None:
        rng = random.Random(f"{self.rng.random()}")
        with suppress(WebSocketException, OSError, EOFError):
            socket = self.person.socket(room)
            if socket.wait("room")["over"]:
                return
            while True:
                socket.move(socket.wait("offer"), rng.randrange(10**6))
                moved = socket.wait("moved")
                self.acknowledged[room].append(moved["move"])
                if "result" in moved:
                    return

    def moves(self) -> int:
        return sum(map(len, self.acknowledged.values()))

    def wait(self) -> None:
        for thread in self.threads:
            thread.join()


def killing_rounds(server: Tegel, rounds: int, rng: random.Random) -> int:
    """How many moves were acknowledged and found again after kill -9."""
    total = 0
    for _ in range(rounds):
        load = Load(server, 12, rng.randrange(10**9))
        load.play()
        until(lambda load=load: load.moves() > 20, "some moves")  # type: ignore[misc]
        time.sleep(rng.uniform(0, 0.5))
        server.kill()
        load.wait()
        server.start()
        before = {room: list(moves) for room, moves in load.acknowledged.items()}
        for room, moves in before.items():
            found = [m["move"] for m in load.person.ok("GET", f"/api/rooms/{room}")["moves"]]
            assert found[: len(moves)] == moves, "an acknowledged move is lost"
            assert len(found) <= len(moves) + 1  # stored, but death came before the telling
            load.acknowledged[room] = found
        load.play()  # and every room goes on
        until(
            lambda load=load, before=before: all(  # type: ignore[misc]
                len(load.acknowledged[room]) > len(moves) or finished(load, room)
                for room, moves in before.items()
            ),
            "every room going on", 60,
        )  # fmt: skip
        total += sum(map(len, before.values()))
        server.kill()
        load.wait()
        server.start()
    return total


def finished(load: Load, room: str) -> bool:
    return bool(load.person.ok("GET", f"/api/rooms/{room}")["over"])


@pytest.mark.sliced(1)
def test_kill_9_loses_nothing(tmp_path: Path, rng: random.Random, soak: bool) -> None:
    with tegel(tmp_path) as server:
        assert killing_rounds(server, 20 if soak else 2, rng) > 0
        base = sqlite3.connect(tmp_path / "tegel.db")
        assert base.execute("pragma integrity_check").fetchone() == ("ok",)
        gaps = base.execute(
            "select room from log group by room having max(seq) + 1 != count(*)"
        ).fetchall()
        base.close()
        assert not gaps


# Names that last


def at_once(asked: list[Callable[[], httpx.Response]]) -> list[int]:
    """The status of each answer, all asked together."""
    with ThreadPoolExecutor(len(asked)) as pool:
        return [answer.result().status_code for answer in [pool.submit(ask) for ask in asked]]


def test_of_many_who_want_a_name_or_a_link_one_gets_it(
    cluster: tuple[Tegel, Tegel, str, str],
) -> None:
    one, two, *_ = cluster
    people = [Person((one, two)[number % 2]) for number in range(6)]
    for handle, alike in (("Racer", "RACER"), ("Rivale", "Riva1e"), ("Bolt", "B0lt")):
        wishes = [{"handle": handle if number % 2 else alike} for number in range(6)]
        asked: list[Callable[[], httpx.Response]] = [
            partial(person.ask, "POST", "/api/me/account", wish)
            for person, wish in zip(people, wishes, strict=True)
        ]
        codes = at_once(asked)
        assert sorted(codes) == [201, *[409] * 5], handle
        winner = people.pop(codes.index(201))
        token = winner.ok("POST", "/api/me/link")["token"]
        people.append(Person(one))
        asked = [
            partial(
                Person((one, two)[number % 2]).ask, "POST", "/api/sign-in/link", {"token": token}
            )
            for number in range(6)
        ]
        codes = at_once(asked)
        assert sorted(codes) == [200, *[403] * 5]


def test_every_worker_hears_of_names_and_ended_cookies(
    cluster: tuple[Tegel, Tegel, str, str],
) -> None:
    one, two, *_ = cluster
    ann, bob = Person(one, "Ann"), Person(two, "Bob")
    room = ann.room()["id"]
    bob.do(room, "sit", seat=1)
    socket = bob.socket(room)
    socket.wait("room")
    ann.ok("POST", "/api/me/account", {"handle": "Everywhere"})
    assert socket.wait("room")["seats"][0]["handle"] == "Everywhere"
    thief = Person(two, cookies=dict(ann.http.cookies))
    assert at(thief, two, room)["you"] == [0]
    ann.ok("POST", "/api/me/sign-out", {"everywhere": True})
    until(lambda: at(thief, two, room)["you"] == [], "the end of a stolen cookie")
    assert at(ann, two, room)["you"] == [0]
    ann.ok("POST", "/api/me/delete", {"sure": True})
    assert "name" not in socket.wait("room")["seats"][0]
