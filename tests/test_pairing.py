"""Play someone: who looks for the same game is paired with the nearest, exactly once, on any
worker, whoever crashes; and looks no more when the window is shut."""

import asyncio
import random
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from searching import DUO, Search
from servers import Person, Tegel, postgres, redis, table, tegel, until
from tegel.place.pairing.matching import Wish, groups, reach
from tegel.server.run import database
from tegel.server.storage import tables
from tegel.server.storage.migrations import migrate
from tegel.server.storage.pairing import claimed

COLUMNS = [key for key in Wish._fields if key in tables.wishes.c]


# Who is near


def wish(player: str, rating: float = 1500, at: int = 0) -> Wish:
    return Wish(player, "t", "w", "blokus", "duo", "{}", "none", "", rating, at)


def players(found: list[list[Wish]]) -> list[str]:
    return ["".join(sorted(one.player for one in group)) for group in found]


def test_the_nearest_play_together_and_who_waits_longest_chooses_first() -> None:
    four = [wish("a", 1500, 0), wish("b", 1590, 1), wish("c", 1520, 2), wish("d", 1600, 3)]
    assert players(groups(four, 2, 1000)) == ["ac", "bd"]
    assert players(groups(four[:3], 3, 1000)) == ["abc"]
    assert players(groups(four[:2], 3, 1000)) == []


def test_the_reach_grows_until_anybody_is_near_enough() -> None:
    far = [wish("a", 1500, 0), wish("b", 1700, 50_000)]
    assert groups(far, 2, 5_000) == []
    assert players(groups(far, 2, 10_000)) == ["ab"]
    assert players(groups([wish("a"), wish("b", 4000)], 2, 60_000)) == ["ab"]
    steps = [reach(seconds * 1000) for seconds in range(70)]
    assert steps == sorted(steps)


def test_who_blocked_whom_never_meets() -> None:
    apart = {frozenset("ab")}
    three = [wish("a", at=0), wish("b", at=1), wish("c", at=2)]
    assert players(groups(three, 2, 1000, apart)) == ["ac"]
    assert players(groups(three, 3, 100_000, apart)) == []


def test_no_wish_is_in_two_groups(rng: random.Random) -> None:
    many = [wish(str(i), rng.gauss(1500, 200), rng.randrange(60_000)) for i in range(99)]
    for size in (2, 3, 4):
        found = [one.player for group in groups(many, size, 60_000) for one in group]
        assert len(found) == len(set(found))
        assert len(found) % size == 0


# On one server


def test_two_who_look_for_the_same_get_a_table_with_their_seats(ann: Person, bob: Person) -> None:
    first = Search(ann)
    looking = first.wait("looking")
    assert (looking["rating"], looking["reach"], looking["all"]) == (1500, 100, 1)
    assert ann.ok("GET", "/api/searches") == {"all": 1, "games": {"blokus": 1}}
    second = Search(bob)
    room = first.wait("paired")["room"]
    assert second.wait("paired")["room"] == room
    assert ann.ok("GET", "/api/searches")["all"] == 0
    for person in (ann, bob):  # it is in their lists before they come
        assert room in [line["id"] for line in person.ok("GET", "/api/my/rooms")]
        held = person.ok("GET", f"/api/rooms/{room}")["held"]
        person.do(room, "sit", seat=held[0])
    made = ann.ok("GET", f"/api/rooms/{room}")
    assert made["begun"]
    assert (made["variant"], made["clock"]) == ("duo", "bank 300 5")
    assert {chair["name"] for chair in made["seats"]} == {"Ann", "Bob"}


def test_four_are_needed_where_four_play(server: Tegel) -> None:
    searches = [Search(Person(server), variant="classic") for _ in range(4)]
    assert len({search.wait("paired")["room"] for search in searches}) == 1


def test_who_looks_for_something_else_is_left_alone(ann: Person, bob: Person) -> None:
    first = Search(ann)
    second = Search(bob, clock="bank 180 2")
    assert "same" not in second.wait("looking")
    third = Search(Person(ann.server), clock="bank 180 2")
    assert second.wait("paired") == third.wait("paired")
    first.send(t="ping")
    assert first.wait("paired", "pong")["t"] == "pong"


def test_a_search_ends_at_once_when_its_window_is_shut(ann: Person, bob: Person) -> None:
    first = Search(ann)
    first.wait("looking")
    first.close()
    until(lambda: ann.ok("GET", "/api/searches")["all"] == 0, "the end of the search", 5)
    second = Search(bob)
    assert second.wait("looking", "paired")["all"] == 1
    second.close()


def test_of_two_windows_of_a_player_the_latter_looks(ann: Person, bob: Person) -> None:
    first = Search(ann, "one")
    first.wait("looking")
    second = Search(ann, "two")
    assert first.wait("stopped", "paired")["t"] == "stopped"
    first.close()  # which ends nothing but itself
    third = Search(bob)
    assert second.wait("paired") == third.wait("paired")


def test_who_was_paired_finds_the_table_until_they_sit_there(ann: Person, bob: Person) -> None:
    """Also when the connection broke, or another window looked, before that was known."""
    first, second = Search(ann, "mine"), Search(bob)
    room = first.wait("paired")["room"]
    second.close()
    first.close()
    assert Search(ann, "mine").wait("paired")["room"] == room
    assert Search(bob, "other").wait("paired")["room"] == room
    ann.do(room, "sit", seat=ann.ok("GET", f"/api/rooms/{room}")["held"][0])
    again = Search(ann, "next")
    assert again.wait("looking", "paired")["t"] == "looking"
    again.close()


def test_who_blocked_somebody_neither_meets_nor_hears_them(ann: Person, bob: Person) -> None:
    room, first, second = table(ann, bob)
    ann.ok("POST", f"/api/rooms/{room}/seats/1/block")
    second.send(t="react", key="hello")
    assert second.wait("reaction")["key"] == "hello"
    first.send(t="react", key="bye")
    assert first.wait("reaction")["key"] == "bye"
    one = Search(ann)
    one.wait("looking")
    other = Search(bob)
    assert other.wait("looking")["same"] == 1
    third = Search(Person(ann.server))  # who waits longest chooses
    assert one.wait("paired") == third.wait("paired")
    other.close()


def test_bad_wishes_are_refused_in_a_sentence(ann: Person) -> None:
    wishes: tuple[tuple[dict[str, Any], str], ...] = (
        ({"game": "chess"}, "missing"),
        ({"game": "puzzle"}, "missing"),
        ({"variant": "nine"}, "notation"),
        ({"clock": "up"}, "invalid"),
        ({"clock": "soon"}, "notation"),
        ({"options": {"corners": "round"}}, "notation"),
        ({"ticket": "no ticket"}, "invalid"),
        ({"ticket": "x" * 33}, "invalid"),
        ({"name": "x" * 5000}, "size"),
        ({"options": 7}, "unreadable"),
    )
    for wrong, code in wishes:
        search = Search.__new__(Search)
        search.connect(ann)
        search.send(t="seek", **{"ticket": "t", **DUO, **wrong})
        error = search.wait("error", "looking")
        assert error.get("code") == code, (wrong, error)
        search.close()
    assert ann.ok("GET", "/api/searches")["all"] == 0
    nobody = Search.__new__(Search)
    nobody.connection = connect(
        f"ws://127.0.0.1:{ann.server.port}/api/search", proxy=None, legacy=True
    )
    nobody.send(t="seek", ticket="t", **DUO)
    assert nobody.wait("error")["code"] == "seat"
    nobody.close()


def test_listed_tables_say_who_sits_there(ann: Person, bob: Person) -> None:
    room = ann.room(listed=True, clock="bank 300 5")["id"]
    listed = {line["id"]: line for line in bob.ok("GET", "/api/rooms")}
    assert (listed[room]["names"], listed[room]["clock"]) == (["Ann"], "bank 300 5")


def test_searches_cost_what_rooms_cost(tmp_path: Path) -> None:
    with tegel(tmp_path, "--limits", "0.1") as server:  # of work, 15 for a player: three searches
        search = Search(Person(server))
        for number in range(4):
            search.wait("looking", "error")
            search.send(t="seek", ticket=f"again{number}", **DUO)
        assert search.wait("error")["code"] == "rate"
        server.check()


# On several


async def paired_by_two(url: str) -> tuple[list[bool], dict[str, str]]:
    """Of two workers that pair b at once, who may; and where everybody plays then."""
    await migrate(url)
    engine, wishes = create_async_engine(url), tables.wishes
    people = {key: wish(key) for key in "abcd"}
    done: list[bool] = []

    async def claim(connection: AsyncConnection, group: str) -> None:
        rows = [people[key] for key in group]
        done.append(await connection.run_sync(claimed, rows, f"room-{group}", 1))

    async with engine.begin() as one:
        rows = [{key: getattr(w, key) for key in COLUMNS} for w in people.values()]
        await one.execute(sa.insert(wishes), [{**row, "at": 0, "room": ""} for row in rows])
    async with engine.connect() as one, engine.connect() as other:
        await claim(one, "ab")
        if not url.startswith("sqlite"):  # where one writes at a time
            await claim(other, "bc")  # which waits for nobody
            await other.rollback()
        await one.commit()
        await claim(other, "bc")
        await claim(other, "cd")
        await other.commit()
        found = await one.execute(sa.select(wishes.c.player, wishes.c.room))
        rooms = {row.player: row.room for row in found}
    await engine.dispose()
    return done, rooms


def test_a_wish_is_claimed_once(tmp_path: Path) -> None:
    rooms = {"a": "room-ab", "b": "room-ab", "c": "room-cd", "d": "room-cd"}
    file = f"sqlite+aiosqlite:///{tmp_path / 'tegel.db'}"
    assert asyncio.run(paired_by_two(file)) == ([True, False, True], rooms)
    with postgres(tmp_path) as address:
        found = asyncio.run(paired_by_two(database(address, tmp_path)))
    assert found == ([True, False, False, True], rooms)


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[list[Tegel]]:
    """Three servers that share a database and a bus."""
    with ExitStack() as stack:
        database = stack.enter_context(postgres(tmp_path))
        bus = stack.enter_context(redis(tmp_path / "redis"))
        options = ("--database", database, "--bus", bus, "--bots", "1")
        env = {"TEGEL_SECRET": "the same secret for all of them, on every worker"}
        yield [
            stack.enter_context(tegel(tmp_path / str(number), *options, env=env))
            for number in range(3)
        ]


def test_many_look_at_once_while_a_worker_dies_and_each_is_paired_once(
    cluster: list[Tegel], rng: random.Random, soak: bool
) -> None:
    count = 200 if soak else 40
    people = [Person(cluster[0], f"P{number}") for number in range(count)]
    homes = [rng.choice(cluster) for _ in people]
    rooms: dict[str, set[str]] = {person.id: set() for person in people}
    asked = threading.Barrier(count + 1)

    def look(person: Person, server: Tegel) -> None:
        """Look until somebody is found, by another worker if this one dies."""
        first = True
        while not rooms[person.id]:
            with suppress(OSError, ConnectionClosed, TimeoutError):
                search = Search.__new__(Search)
                search.connect(person, server)
                if first:
                    first = False
                    asked.wait(60)  # all at once
                search.seek(f"of-{person.id}")
                found = search.wait("paired", "error", seconds=40)
                assert found["t"] == "paired", found
                rooms[person.id].add(found["room"])
                held = person.ok("GET", f"/api/rooms/{found['room']}")["held"]
                person.do(found["room"], "sit", seat=held[0])
                return
            server = cluster[0]

    threads = [
        threading.Thread(target=look, args=each, daemon=True)
        for each in zip(people, homes, strict=True)
    ]
    for thread in threads:
        thread.start()
    asked.wait(60)
    time.sleep(rng.uniform(0, 0.2))
    cluster[2].kill()
    until(lambda: not any(thread.is_alive() for thread in threads), "a player for everybody", 60)
    assert all(len(found) == 1 for found in rooms.values())
    seated = Counter(room for found in rooms.values() for room in found)
    assert set(seated.values()) == {2}, "two at every table"
    for person in people:  # and nobody is expected elsewhere
        mine = person.ok("GET", "/api/my/rooms")
        assert {line["id"] for line in mine} == rooms[person.id]
    for server in cluster[:2]:
        server.check()


def test_a_game_is_called_off_by_any_worker(cluster: list[Tegel]) -> None:
    """Of the three, the one dies that has the player who came."""
    ann, ghost = Person(cluster[0], "Ann"), Person(cluster[0])
    first, second = Search(ann, server=cluster[2]), Search(ghost, server=cluster[1])
    room = first.wait("paired")["room"]
    assert second.wait("paired")["room"] == room
    socket = ann.socket(room, cluster[2])
    socket.send(t="sit", seat=socket.wait("room")["held"][0])
    socket.event("sit")
    cluster[2].kill()
    socket = ann.socket(room)
    while (last := socket.wait("room", "happened", seconds=60))["t"] == "room":
        pass
    assert (last["event"], last["result"]["reason"]) == ("noshow", "noshow")
    again = Search(ann)
    assert again.wait("looking")["waited"] >= 20_000, "the time that she has waited"
    assert Search(Person(cluster[1])).wait("paired") == again.wait("paired")
    for server in cluster[:2]:
        server.check()
