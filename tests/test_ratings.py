"""Ratings: which games count, that they follow from the games alone, whoever writes them in which
order, and what is shown of them."""

import asyncio
import random
import secrets
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from openskill.models import PlackettLuce
from sqlalchemy.ext.asyncio import create_async_engine

from clocks import HandClock
from servers import Person, Tegel, offered, postgres, redis, tegel, until
from tegel.place.history import ratings as shown
from tegel.place.history.ratings import Ratings
from tegel.place.history.skill import NEW, Meetings, RatedGame, Skill, rate, rated
from tegel.place.history.store import Ranked
from tegel.room import actions
from tegel.room.clock import DAY, clock
from tegel.room.ending import Ending, Seated, counts
from tegel.room.judge import check_rated
from tegel.room.refused import Refused
from tegel.room.setup import Place, Setup
from tegel.server.hosting.recompute import recompute
from tegel.server.run import database
from tegel.server.storage import tables
from tegel.server.storage.database import Database
from tegel.server.storage.endings import write_endings
from tegel.server.storage.history import SqlRatings
from tegel.server.storage.migrations import migrate
from tegel.server.storage.ratings import write_ratings
from tegel.server.world import RealClock
from test_server_room import Table

# Which games count


def setup(places: str = "po", time: str = "bank 300 5", hints: bool = False) -> Setup:
    kinds = {"p": Place("person", 0, "ann"), "o": Place("open"), "b": Place("bot", 3),
             "r": Place("bot", 0, "bot-robot")}  # fmt: skip
    seats = tuple(kinds[kind] for kind in places)
    return Setup("room", "toy", "two", seats, {}, clock(time), hinting=hints, rated=True)


def test_a_rated_table_has_a_clock_people_and_no_hints() -> None:
    check_rated(setup())
    check_rated(setup(time="days 3"))
    check_rated(replace(setup("bb", "none"), rated=False))
    for wrong in (setup(time="none"), setup(hints=True), setup("pb"), setup("pr"), setup("pp"),
                  setup("p")):  # fmt: skip
        with pytest.raises(Refused, match=r"rated game") as caught:
            check_rated(wrong)
        assert caught.value.code == "rated"


class Rated(Table):
    def __init__(self, variant: str = "two") -> None:
        super().__init__(variant, "bank 60 0")
        self.setup = replace(self.setup, rated=True)
        self.room = replace(self.room, setup=self.setup)


def test_at_a_rated_table_nothing_is_taken_back_nobody_is_replaced_or_sits_twice() -> None:
    table = Rated()
    table.say("a", "b")
    assert table.refused("p0", actions.Ask()) == "rated"
    table.away, table.now = {0: 10**6}, 10**6 // 20
    assert table.refused("p1", actions.Replace(0)) == "rated"
    free = Rated()
    free.room = replace(free.room, chairs=(free.room.chairs[0], type(free.room.chairs[0])()))
    assert free.refused("p0", actions.Sit(1)) == "rated"
    assert free.refused("bot-robot", actions.Sit(1)) == "rated"


def test_a_game_counts_once_everybody_has_moved() -> None:
    table = Rated("three")
    table.say("a", "b")
    assert not counts(table.room)
    table.say("a")
    assert counts(table.room)
    assert not counts(replace(table.room, setup=replace(table.setup, rated=False)))


# The arithmetic


def seat(player: str, side: int, rank: int) -> Seated:
    return Seated(player, 0, side, rank, 0, 0)


def test_sides_are_rated_by_their_ranks_as_the_library_says() -> None:
    seats = [seat("a", 0, 1), seat("b", 1, 3), seat("c", 0, 1), seat("d", 1, 3)]
    before = {"a": NEW, "b": Skill(30, 2), "c": Skill(20, 5), "d": NEW}
    model = PlackettLuce()
    teams = [[model.rating(*before["a"]), model.rating(*before["c"])],
             [model.rating(*before["b"]), model.rating(*before["d"])]]  # fmt: skip
    [[a, c], [b, d]] = model.rate(teams, ranks=[1, 3])
    expected = {"a": a, "b": b, "c": c, "d": d}
    found = rate(seats, before)
    assert found == {key: Skill(one.mu, one.sigma) for key, one in expected.items()}
    assert found["a"].mu > before["a"].mu
    assert found["b"].mu < before["b"].mu


def test_equals_at_a_draw_stay_equals() -> None:
    after = rate([seat("a", 0, 1), seat("b", 1, 1)], {"a": NEW, "b": NEW})
    assert after["a"] == after["b"]
    assert after["a"].sigma < NEW.sigma


# Whatever the order in which they are written


def some(rng: random.Random, count: int, prefix: str = "r") -> list[Ending]:
    """Rated games of a few people within some days, some of which ended at the same time."""
    found = []
    for number in range(count):
        who = rng.sample("abcde", rng.choice([2, 2, 3]))
        ranks = rng.choice([[1, 2, 3], [2, 1, 3], [1, 1, 3]])
        seats = tuple(seat(one, side, ranks[side]) for side, one in enumerate(who))
        game, at = rng.choice(["blokus", "forma"]), DAY // 8 * rng.randint(0, count // 2)
        found.append(
            Ending(f"{prefix}{number:03}", game, "two", "two", "bank 60 0", at, 9, "over", True,
                   len(who), seats, ())
        )  # fmt: skip
    return found


def expected(endings: list[Ending]) -> dict[tuple[str, str, str], Skill]:
    """By game, room and player, what the games bring one after the other."""
    found: dict[tuple[str, str, str], Skill] = {}
    for game in sorted({one.game for one in endings}):
        games = sorted((o.at, o.room, o.seats) for o in endings if o.game == game)  # rooms differ
        rows = rated([RatedGame(*one) for one in games], {}, Meetings())
        found |= {(game, one.room, player): skill for one, player, skill in rows}
    return found


async def stored(url: str) -> dict[tuple[str, str, str], Skill]:
    store, c = Database(url), tables.ratings.c
    try:
        rows = await store.rows(sa.select(c.game, c.room, c.player, c.mu, c.sigma))
        return {(r.game, r.room, r.player): Skill(r.mu, r.sigma) for r in rows}
    finally:
        await store.reader.dispose()


async def written(url: str, parts: list[list[Ending]]) -> None:
    """Games written by several workers at once, each some at a time in its order."""
    await migrate(url)
    stores = [Database(url) for _ in parts]

    async def work(store: Database, endings: list[Ending]) -> None:
        await store.open()
        for first in range(0, len(endings), 3):
            some = endings[first : first + 3]

            def job(connection: sa.Connection, some: list[Ending] = some) -> None:
                write_endings(connection, some)
                write_ratings(connection, some)

            await store.write(job)
        await store.close()

    await asyncio.gather(*(work(*one) for one in zip(stores, parts, strict=True)))


def test_ratings_follow_from_the_games_in_whatever_order_they_are_written(
    tmp_path: Path, rng: random.Random
) -> None:
    endings, url = some(rng, 60), database("", tmp_path)
    rng.shuffle(endings)
    asyncio.run(written(url, [endings]))
    assert asyncio.run(stored(url)) == expected(endings)


# At a server


@pytest.fixture
def bob(server: Tegel) -> Person:
    """In another network than Ann, or what they play would not count."""
    return Person(server, "Bob", address="127.0.0.2")


def apart(server: Tegel, *names: str) -> list[Person]:
    """People, each in a network of their own."""
    return [
        Person(server, name, address=f"127.0.1.{number}") for number, name in enumerate(names, 1)
    ]


def play(ann: Person, bob: Person, loser: Person, **wish: Any) -> str:
    """A rated game in which each moved once, and one resigned."""
    room: str = ann.room(rated=True, **{"clock": "bank 300 5", **wish})["id"]
    bob.do(room, "sit", seat=1)
    for person in (ann, bob):
        offer = person.ok("GET", f"/api/rooms/{room}/offer")
        person.do(room, "move", ply=offer["ply"], move=offered(offer))
    loser.do(room, "resign")
    return room


def ran(*words: object) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [sys.executable, "-m", "tegel", *map(str, words)],
        capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert "Traceback" not in done.stderr
    return done


def test_a_rated_game_is_marked_before_it_begins_and_moves_both(ann: Person, bob: Person) -> None:
    made = ann.room(rated=True, clock="bank 300 5", listed=True)
    assert made["rated"]
    (listed,) = [one for one in bob.ok("GET", "/api/rooms") if one["id"] == made["id"]]
    assert listed["rated"]
    assert ann.refused("POST", "/api/rooms", {"game": "blokus", "rated": True}) == "rated"
    room = play(ann, bob, loser=bob)
    (mine,) = ann.ok("GET", "/api/me/ratings")
    (theirs,) = bob.ok("GET", "/api/me/ratings")
    assert (mine["game"], mine["family"], mine["games"]) == ("blokus", "two", 1)
    assert mine["rating"] > 1500 > theirs["rating"]
    assert mine["provisional"]
    assert [point["room"] for point in mine["points"]] == [room]
    (game,) = ann.ok("GET", "/api/me/games")["games"]
    assert game["rated"]
    assert [one["rating"] for one in game["others"]] == [theirs["rating"]]
    next = ann.room(rated=True, clock="bank 300 5", listed=True)["id"]
    (listed,) = [one for one in bob.ok("GET", "/api/rooms") if one["id"] == next]
    assert (listed["names"], listed["ratings"]) == (["Ann"], []), "she shows nothing"
    ann.ok("PUT", "/api/me/profile", {"ratings": True})
    (listed,) = [one for one in bob.ok("GET", "/api/rooms") if one["id"] == next]
    assert list(zip(listed["names"], listed["ratings"], strict=True)) == [("Ann", mine["rating"])]
    unrated = ann.room(clock="bank 300 5", listed=True)["id"]
    (listed,) = [one for one in bob.ok("GET", "/api/rooms") if one["id"] == unrated]
    assert not listed["ratings"]
    bob.do(unrated, "sit", seat=1)
    bob.do(unrated, "resign")
    assert ann.ok("GET", "/api/me/ratings")[0]["games"] == 1, "that one did not count"


def test_two_cookies_of_one_address_raise_no_rating(server: Tegel, ann: Person) -> None:
    """Both are told before they sit down, and once they have; recomputed, it is the same."""
    other = Person(server, "Other")
    made = ann.room(rated=True, clock="bank 300 5")
    assert not made.get("unrated")
    room = made["id"]
    assert other.ok("GET", f"/api/rooms/{room}")["unrated"] == "network"
    looking, waiting = other.socket(room), ann.socket(room)
    assert looking.wait("room")["unrated"] == "network"
    assert "unrated" not in waiting.wait("room")
    looking.send(t="sit", seat=1)
    assert waiting.event("sit")["unrated"] == "network"
    assert ann.ok("GET", f"/api/rooms/{room}")["unrated"] == "network"
    for _ in range(9):
        room = play(ann, other, loser=other)
    assert ann.ok("GET", "/api/me/ratings") == []
    assert not ann.ok("GET", "/api/me/games")["games"][0]["rated"]
    again = ann.do(room, "rematch")["rematch"]
    assert other.do(again, "sit", seat=0)["unrated"] == "network", "a rematch asks again"
    assert asyncio.run(recompute(database("", server.folder), write=False)).differing == 0


def test_where_many_share_an_address_games_count_if_both_keep_a_name(tmp_path: Path) -> None:
    with tegel(tmp_path, "--shared-network", "127.0.0.0/8") as server:
        ann, bob, guest = (Person(server, name) for name in ("Ann", "Bob", "Guest"))
        for person, handle in ((ann, "Ann-1"), (bob, "Willem")):
            person.ok("POST", "/api/me/account", {"handle": handle})
        play(ann, guest, loser=guest)
        assert ann.ok("GET", "/api/me/ratings") == []
        room = play(ann, bob, loser=bob)
        (mine,) = ann.ok("GET", "/api/me/ratings")
        assert (mine["games"], mine["points"][0]["room"]) == (1, room)
        assert asyncio.run(recompute(database("", tmp_path), write=False)) == (1, 2, 0)
        server.check()


def test_a_rematch_of_a_rated_game_is_rated(ann: Person, bob: Person) -> None:
    room = play(ann, bob, loser=ann)
    again = ann.do(room, "rematch")["rematch"]
    assert ann.ok("GET", f"/api/rooms/{again}")["rated"]


def test_a_seat_of_a_rated_game_goes_to_no_other_device(ann: Person, bob: Person) -> None:
    room = ann.room(rated=True, clock="bank 300 5")["id"]
    token = ann.ok("POST", f"/api/rooms/{room}/seats/0/link")["token"]
    assert bob.refused("POST", f"/api/rooms/{room}/take", {"token": token}) == "rated"


@pytest.mark.sliced(2)
def test_the_logs_give_the_same_numbers_and_what_was_lost(tmp_path: Path) -> None:
    """The command compares; told to, it writes."""
    url = database("", tmp_path)
    with tegel(tmp_path) as server:
        people = apart(server, "Ann", "Bob", "Cor")
        rng = random.Random(1)
        for _ in range(6):
            ann, bob = rng.sample(people, 2)
            play(ann, bob, loser=rng.choice([ann, bob]))
        before = asyncio.run(stored(url))
        assert asyncio.run(recompute(url, write=False)) == (6, 12, 0)
        with sqlite3.connect(tmp_path / "tegel.db") as base:
            wrong = "UPDATE ratings SET mu = mu + 1 WHERE room IN (SELECT max(room) FROM ratings)"
            base.execute(wrong)
        base.close()
        done = ran("ratings", "--data", tmp_path)
        assert (done.returncode, " 2 different" in done.stdout) == (1, True)
        assert asyncio.run(stored(url)) != before, "it only said so"
        assert ran("ratings", "--recompute", "--data", tmp_path).returncode == 0
        assert asyncio.run(stored(url)) == before
        with sqlite3.connect(tmp_path / "tegel.db") as base:
            base.execute("DELETE FROM ratings")
        base.close()
        assert asyncio.run(recompute(url, write=True)) == (6, 12, 12)
        assert asyncio.run(stored(url)) == before
        server.check()


@pytest.mark.sliced(2)
def test_what_was_forgotten_stays_in_the_ratings(tmp_path: Path) -> None:
    """The games are gone, and their ratings but those of their last day; new games go on from
    there, and the command finds the same. Of who played none that is kept, nothing stays."""
    with tegel(tmp_path) as server:
        ann, bob, cor = apart(server, "Ann", "Bob", "Cor")
        old = [play(ann, bob, loser=bob) for _ in range(3)] + [play(cor, bob, loser=bob)]
        server.stop()
        with sqlite3.connect(tmp_path / "tegel.db") as base:
            for room, days in zip(old, (6, 6, 4, 4), strict=True):
                ago = (days * 86_400_000, room)
                base.execute("UPDATE rooms SET touched = touched - ? WHERE id = ?", ago)
                for table in ("endings", "played", "ratings"):
                    base.execute(f"UPDATE {table} SET at = at - ? WHERE room = ?", ago)
            base.execute("DELETE FROM seats WHERE player = ?", (bob.id,))  # as by signing in
        base.close()
        server.start()
        young = play(ann, bob, loser=bob)
        server.stop()
        with sqlite3.connect(tmp_path / "tegel.db") as base:
            last = base.execute("SELECT mu FROM ratings WHERE room = ? ORDER BY mu", (young,))
            after = last.fetchall()
        base.close()
        server.options = ("--keep-days", "3")
        server.start()
        rows = "SELECT player, room FROM ratings"
        with sqlite3.connect(tmp_path / "tegel.db") as base:
            until(lambda: len(base.execute(rows).fetchall()) <= 5, "forgetting")
            known = set(base.execute(rows).fetchall())
            kept = {(ann.id, old[2]), (bob.id, old[2]), (bob.id, old[3])}
            assert known == kept | {(ann.id, young), (bob.id, young)}
            last = base.execute("SELECT mu FROM ratings WHERE room = ? ORDER BY mu", (young,))
            assert last.fetchall() == after
        base.close()
        play(ann, bob, loser=ann)
        assert asyncio.run(recompute(database("", tmp_path), write=False)) == (2, 4, 0)
        assert cor.ok("GET", "/api/me/ratings") == []


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[list[Tegel], str]]:
    """Two servers that are one, and their database."""
    folder = tmp_path_factory.mktemp("two")
    secret = {"TEGEL_SECRET": "the same secret for both of them, for all cookies"}
    with ExitStack() as stack:
        address = stack.enter_context(postgres(folder))
        bus = stack.enter_context(redis(folder / "redis"))
        more = ("--database", address, "--bus", bus)
        servers = [stack.enter_context(tegel(folder / name, *more, env=secret)) for name in "ab"]
        yield servers, address
        for server in servers:
            server.check()


def test_workers_that_end_games_of_one_player_at_once_write_what_one_would(
    two: tuple[list[Tegel], str], rng: random.Random
) -> None:
    endings, url = some(rng, 90), database(two[1], Path()).replace("/postgres", "/apart")
    rng.shuffle(endings)
    asyncio.run(create(database(two[1], Path()), "apart"))
    asyncio.run(migrate(url))
    asyncio.run(written(url, [endings[i::3] for i in range(3)]))
    assert asyncio.run(stored(url)) == expected(endings)


async def create(url: str, name: str) -> None:
    engine = create_async_engine(url, isolation_level="AUTOCOMMIT")
    async with engine.connect() as connection:
        await connection.execute(sa.text(f"CREATE DATABASE {name}"))
    await engine.dispose()


def test_two_workers_end_games_of_the_same_people_at_once(two: tuple[list[Tegel], str]) -> None:
    servers, address = two
    people = [
        [
            Person(server, cookies=dict(first.http.cookies), address=first.address)
            for server in servers
        ]
        for first in apart(servers[0], "Ann", "Bob", "Cor")
    ]

    def some(worker: int) -> None:
        rng = random.Random(worker)
        for _ in range(4):
            ann, bob = rng.sample([one[worker % 2] for one in people], 2)
            play(ann, bob, loser=rng.choice([ann, bob]))

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(some, range(4)))
    assert asyncio.run(recompute(database(address, Path()), write=False)) == (16, 32, 0)


# What is shown


async def shown_table(url: str) -> list[str]:
    await migrate(url)
    store = Database(url)
    await store.open()
    rows = [
        # who, at, mu, sigma: the latest counts
        ("sure", 1, 40, 8.0), ("sure", 2, 30, 3.0), ("better", 1, 31, 5.0), ("shy", 1, 40, 2.0),
        ("new", 1, 50, 5.1), ("other", 1, 45, 2.0), ("fell", 1, 48, 2.0), ("fell", 2, 20, 2.0),
    ]  # fmt: skip

    def job(connection: sa.Connection) -> None:
        for player, at, mu, sigma in rows:
            family = "teams" if player == "other" else "two"
            values = {"game": "blokus", "family": family, "at": at, "room": "r", "mu": mu}
            connection.execute(
                sa.insert(tables.ratings).values(player=player, sigma=sigma, **values)
            )
        for player in {row[0] for row in rows}:
            values = {"player": player, "best": player != "shy", "at": 0}
            connection.execute(sa.insert(tables.profiles).values(**values))

    await store.write(job)
    ratings = Ratings(SqlRatings(store), RealClock())
    found = await ratings.best("blokus", "two")
    rating = await ratings.rating("sure", "blokus", "two")
    nobody = await ratings.rating("sure", "blokus", "teams")
    await store.close()
    assert rating == (30, 3.0)
    assert nobody == NEW == (25, 25 / 3)
    return [one.who for one in found]


def test_the_best_are_those_who_want_to_be_seen_and_are_sure(tmp_path: Path) -> None:
    assert asyncio.run(shown_table(database("", tmp_path))) == ["better", "sure", "fell"]


def test_a_table_of_the_best_is_read_again_after_a_minute() -> None:
    class Store:
        read = 0

        async def best(self, *_: object) -> list[Ranked]:
            self.read += 1
            return [Ranked("ann", "Ann", Skill(30, 2))]

    async def read() -> list[int]:
        store: Any = Store()
        clock, counts = HandClock(), list[int]()
        ratings = Ratings(store, clock)
        for seconds in (0, 59, 2, 0):
            clock.passes(1000 * seconds)
            assert [one.rating for one in await ratings.best("blokus", "two")] == [1650]
            counts.append(store.read)
        return counts

    assert asyncio.run(read()) == [1, 1, 2, 2]


def test_a_figure_begins_at_1500_and_is_provisional_for_about_twenty_games() -> None:
    assert (shown.figure(NEW), shown.doubt(NEW), shown.provisional(NEW)) == (1500, 250, True)
    skills = {"a": NEW, "b": NEW}
    games = 0
    while shown.provisional(skills["a"]):
        games += 1
        ranks = (1, 2) if games % 2 else (2, 1)
        skills = rate([seat("a", 0, ranks[0]), seat("b", 1, ranks[1])], skills)
    assert 15 <= games <= 25


def test_nothing_of_a_player_is_shown_unless_they_say_so(ann: Person, bob: Person) -> None:
    play(ann, bob, loser=bob)
    for path in (f"/api/players/{ann.id}", f"/api/players/{ann.id}/games"):
        assert bob.refused("GET", path) == "missing", "a guest who shows nothing has no page"
    hidden = {"games": False, "statistics": None, "ratings": None}
    assert ann.ok("GET", f"/api/players/{ann.id}") == {"who": ann.id, "name": "Ann", **hidden}
    handle = f"ann-{secrets.token_hex(4)}"
    lea = Person(ann.server)
    lea.ok("POST", "/api/me/account", {"handle": handle})
    for who in (lea.id, f"@{handle}"):
        kept = {"who": who, "name": f"@{handle}", **hidden}
        assert bob.ok("GET", f"/api/players/{who}") == kept, "a name that is kept is known"
    assert bob.refused("GET", f"/api/players/@{handle}/games") == "hidden"
    assert ann.ok("GET", "/api/me/profile") == dict.fromkeys(
        ("games", "statistics", "ratings", "best"), False
    )
    ann.ok("PUT", "/api/me/profile", {"ratings": True, "statistics": True})
    found = bob.ok("GET", f"/api/players/{ann.id}")
    assert found["statistics"]["games"][0]["won"] == 1
    (rated,) = found["ratings"]
    assert rated["points"][0]["room"] == "", "the name of a room is a secret"
    ann.ok("PUT", "/api/me/profile", {"games": True})
    assert bob.ok("GET", f"/api/players/{ann.id}/games")["found"] == 0, "Bob's is not shown"
    bob.ok("PUT", "/api/me/profile", {"games": True})
    shown = bob.ok("GET", f"/api/players/{ann.id}/games")
    assert shown["found"] == 1
    assert [one["rating"] for one in shown["games"][0]["others"]] == [0], "Bob shows games only"
    bob.ok("PUT", "/api/me/profile", {"games": True, "ratings": True})
    (game,) = Person(ann.server).ok("GET", f"/api/players/{ann.id}/games")["games"]
    assert game["others"][0]["rating"] < 1500
    assert bob.ok("GET", f"/api/players/{ann.id}")["statistics"] is None
    assert bob.refused("GET", "/api/players/nobody") == "missing"
