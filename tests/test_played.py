"""Games that are over: what is kept of each and for whom, how it is found and summed up."""

import asyncio
import random
import sqlite3
from collections.abc import Callable, Coroutine, Iterator
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from servers import Message, Person, postgres
from tegel.place.history.history import History
from tegel.place.history.ratings import Ratings
from tegel.place.history.store import Filters
from tegel.place.rooms.room_row import append
from tegel.place.wire import personal
from tegel.room import actions
from tegel.room.ending import Against, Ending, How, Part, Seated, ending
from tegel.room.log import Row
from tegel.room.result import result
from tegel.room.room import Chair
from tegel.server.run import database
from tegel.server.storage import tables
from tegel.server.storage.database import Database
from tegel.server.storage.endings import write_endings
from tegel.server.storage.history import SqlHistory, SqlRatings
from tegel.server.storage.migrations import migrate
from tegel.server.world import RealClock
from test_server_room import Table

# How a game came out


def ended(table: Table) -> Ending:
    room = table.room
    found = result(room)
    assert found
    return ending(room, found, room.state.scores, [abs(score) for score in room.state.scores])


def out(table: Table) -> dict[str, tuple[str, int, int]]:
    """By player: how it came out, at which place, by how much."""
    return {part.player: (part.how, part.rank, part.by) for part in ended(table).parts}


def said(words: str, variant: str = "two") -> Table:
    table = Table(variant)
    table.say(*words)
    return table


def test_a_win_is_by_the_points_to_the_other() -> None:
    found = ended(said("bababa"))
    assert out(said("bababa")) == {"p0": ("won", 1, 3), "p1": ("lost", 2, 3)}
    assert (found.moves, found.reason, found.sides) == (6, "done", 2), "draws are no moves"
    assert [seat.points for seat in found.seats] == [6, 3]


def test_equal_points_are_a_draw() -> None:
    assert out(said("aabbaa")) == {"p0": ("drawn", 1, 0), "p1": ("drawn", 1, 0)}


def test_of_three_the_places_are_counted_and_the_way_to_the_first() -> None:
    found = out(said("bababa", "three"))
    assert found == {"p0": ("drawn", 1, 0), "p1": ("drawn", 1, 0), "p2": ("drawn", 1, 0)}
    found = out(said("baabba", "three"))
    assert found == {"p0": ("won", 1, 1), "p1": ("lost", 2, 1), "p2": ("lost", 3, 2)}


def test_partners_win_together_and_lose_at_the_second_place() -> None:
    found = out(said("bababa", "teams"))
    assert found == {
        "p0": ("won", 1, 3), "p2": ("won", 1, 3), "p1": ("lost", 2, 3), "p3": ("lost", 2, 3)
    }  # fmt: skip


def test_who_resigns_loses_by_no_points_whatever_the_score() -> None:
    table = said("ba")
    table.do("p0", actions.Resign(0))
    assert out(table) == {"p0": ("lost", 2, 0), "p1": ("won", 1, 0)}
    assert ended(table).reason == "resign"
    assert ended(table).seats[0].left == "resign"


def seated(words: str, variant: str, *chairs: Chair) -> Ending:
    """A game in which others sat than those who spoke."""
    table = said(words, variant)
    table.room = replace(table.room, chairs=chairs)
    return ended(table)


def test_who_has_all_sides_neither_wins_nor_loses() -> None:
    (part,) = seated("bababa", "two", Chair("p0", since=0), Chair("p0", since=0)).parts
    assert (part.player, part.how, part.against) == ("p0", "shared", "")


def test_bots_are_known_by_their_level_and_programs_are_bots() -> None:
    mixed = seated("baabba", "three", Chair("p0"), Chair("", 3), Chair("bot-abc"))
    seats = [(seat.player, seat.level) for seat in mixed.seats]
    assert seats == [("p0", 0), ("", 3), ("bot-abc", 0)]
    parts = {part.player: (part.against, part.level) for part in mixed.parts}
    assert parts == {"p0": ("bots", 3), "bot-abc": ("people", 3)}


# Finding them


GAMES = {"blokus": ("duo", "two"), "tantrix": ("two",), "imago": ("imago", "shapes")}
CALLED = {"p1": "Bob", "p2": "Änne 100%", "p3": "Robert"}
DAY = 86_400_000


def some(rng: random.Random, count: int) -> list[Ending]:
    """Games of p0 against others, many at the same time."""
    found = []
    for number in range(count):
        game = rng.choice(sorted(GAMES))
        variant = rng.choice(GAMES[game])
        how: How = rng.choice(["won", "won", "lost", "drawn"])
        other = rng.choice(["p1", "p2", "p3", ""])
        level = 0 if other else rng.randint(1, 3)
        points = rng.randint(0, 90)
        seats = (
            Seated("p0", 0, 0, 1, points, points), Seated(other, level, 1, 2, 1, 1),
        )  # fmt: skip
        against: Against = "people" if other else "bots"
        parts = [Part("p0", how, 1, 1, points, against, level)]
        if other:
            parts.append(Part(other, "lost", 2, 1, 1, "people", 0))
        at = DAY * rng.randint(1, 5) + rng.choice([0, 0, 1])
        found.append(
            Ending(f"r{number:03}", game, variant, "two", "none", at, 9, "over", False, 2, seats,
                   tuple(parts))
        )  # fmt: skip
    return found


async def filled(url: str, endings: list[Ending]) -> None:
    await migrate(url)
    store = Database(url)
    await store.open()
    rooms = [
        {
            "id": one.room, "game": one.game, "variant": one.variant, "options": "{}",
            "places": "[]", "clock": "none", "listed": False, "at": 0, "touched": one.at, "ply": 1,
            "open": 0, "over": True, "waiting": "", "bot": False, "lease": "", "leased": 0,
        }
        for one in endings
    ]  # fmt: skip
    names = [
        {"room": one.room, "player": seat.player, "name": CALLED[seat.player]}
        for one in endings
        for seat in one.seats
        if seat.player in CALLED
    ]

    def job(connection: sa.Connection) -> None:
        connection.execute(sa.insert(tables.rooms), rooms)
        connection.execute(sa.insert(tables.names), names)
        write_endings(connection, endings)
        write_endings(connection, endings)  # twice does no harm

    await store.write(job)
    await store.close()


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("played")
    if request.param == "sqlite":
        yield database("", folder)
    else:
        with postgres(folder) as address:
            yield database(address, folder)


ENDINGS = some(random.Random(7), 120)


@pytest.fixture(scope="module")
def asked(url: str) -> Callable[[Callable[[History], Coroutine[Any, Any, Any]]], Any]:
    """Ask the history of some games something."""
    asyncio.run(filled(url, ENDINGS))

    async def answered(question: Callable[[History], Coroutine[Any, Any, Any]]) -> Any:
        store = Database(url)
        try:
            ratings = Ratings(SqlRatings(store), RealClock())
            return await question(History(SqlHistory(store), ratings))
        finally:
            await store.reader.dispose()

    return lambda question: asyncio.run(answered(question))


Asked = Callable[[Callable[[History], Coroutine[Any, Any, Any]]], Any]


def meets(one: Ending, filters: Filters) -> bool:
    """The same as the query says, in plain Python."""
    part, other = one.parts[0], one.seats[1].player
    called = CALLED.get(other, "").casefold()
    return (
        filters.game in ("", one.game)
        and filters.variant in ("", one.variant)
        and filters.how in ("", part.how)
        and filters.against in ("", part.against)
        and filters.level in (0, part.level)
        and (not filters.opponent or filters.opponent.casefold() in called)
        and filters.since <= one.at
        and (not filters.until or one.at < filters.until)
    )


WANTED = [
    Filters(),
    Filters(game="blokus"),
    Filters(game="blokus", variant="duo", how="won"),
    Filters(opponent="bob"),
    Filters(opponent="Ä", since=2 * DAY, until=4 * DAY),
    Filters(opponent="0%"),
    Filters(against="bots", level=2),
    Filters(against="people", how="drawn", game="tantrix"),
    Filters(opponent="nobody"),
]


@pytest.mark.parametrize("filters", WANTED, ids=lambda one: "-".join(one.active()) or "all")
def test_pages_hold_what_is_asked_for_once_and_in_order(asked: Asked, filters: Filters) -> None:
    expected = sorted(((one.at, one.room) for one in ENDINGS if meets(one, filters)), reverse=True)
    found: list[tuple[int, str]] = []
    before = ""
    while True:
        page: personal.History = asked(lambda h: h.page("p0", filters, before, 7))
        found += [(game.at, game.id) for game in page.games]
        assert page.found == len(expected)
        assert sum(one.n for one in page.counts) == len(ENDINGS), "counts are of all that is kept"
        if not (before := page.next):
            break
    assert found == expected


def test_a_search_that_finds_nothing_says_what_to_drop(asked: Asked) -> None:
    filters = Filters(game="blokus", variant="shapes", opponent="bob")
    page: personal.History = asked(lambda h: h.page("p0", filters))
    assert page.found == 0
    without = {
        "game": Filters(variant="shapes", opponent="bob"),
        "variant": Filters(game="blokus", opponent="bob"),
    }
    counts = {key: sum(meets(one, rest) for one in ENDINGS) for key, rest in without.items()}
    assert page.dropped == counts, "not the name: without it there is nothing either"


def test_statistics_are_those_of_the_games(asked: Asked) -> None:
    found: personal.Statistics = asked(lambda h: h.statistics("p0"))
    inorder = sorted(ENDINGS, key=lambda one: (one.at, one.room))
    kinds = sorted({(one.game, variant) for one in ENDINGS for variant in ("", one.variant)})
    assert [(one.game, one.variant) for one in found.games] == kinds
    for one in found.games:
        parts = [
            game.parts[0]
            for game in inorder
            if game.game == one.game and one.variant in ("", game.variant)
        ]
        hows = [part.how for part in parts]
        runs = [(how, len(list(run))) for how, run in groupby(hows)]
        assert (one.played, one.won, one.lost, one.drawn) == (
            len(hows), hows.count("won"), hows.count("lost"), hows.count("drawn")
        )  # fmt: skip
        assert one.best == max(part.points for part in parts)
        assert one.mean == round(sum(part.points for part in parts) / len(parts), 1)
        assert one.longest == max((n for how, n in runs if how == "won"), default=0)
        assert one.streak == (runs[-1][1] if runs[-1][0] == "won" else 0)
    levels = {(one.game, one.level): (one.played, one.won) for one in found.levels}
    assert sum(played for played, _ in levels.values()) == sum(
        one.parts[0].against == "bots" for one in ENDINGS
    )


def test_others_see_games_only_if_all_who_played_show_theirs(asked: Asked, url: str) -> None:
    def job(connection: sa.Connection) -> None:
        connection.execute(sa.insert(tables.profiles), [{"player": "p1", "games": True, "at": 0}])

    async def shown() -> None:
        store = Database(url)
        await store.open()
        await store.write(job)
        await store.close()

    asyncio.run(shown())
    page: personal.History = asked(lambda h: h.page("p0", Filters(), public=True))
    assert page.found == sum(one.seats[1].player in ("p1", "") for one in ENDINGS)


# With the row that ends a game


def test_an_ending_is_kept_with_the_last_row_or_not_at_all(tmp_path: Path) -> None:
    """Another worker was faster: neither its row nor what is kept of the game is written twice."""
    url = database("", tmp_path)
    table = said("bababa")
    last = table.log[-1]

    async def write() -> list[bool]:
        await migrate(url)
        store = Database(url)
        await store.open()
        begun = append(table.log[:-1], table.room, "w", new=True)
        done = [await store.append(begun)]
        other = append([Row(last.seq, 1, "+0")], table.room, "v")
        done.append(await store.append(other))
        late = append([last], table.room, "w", ending=ended(table))
        done.append(await store.append(late))
        await store.close()
        return done

    assert asyncio.run(write()) == [True, True, False]
    with sqlite3.connect(tmp_path / "tegel.db") as base:
        assert base.execute("SELECT count(*) FROM endings").fetchone() == (0,)
        assert base.execute("SELECT count(*) FROM played").fetchone() == (0,)
    base.close()


# At a server


def over(ann: Person, bob: Person, **wish: Any) -> str:
    """A game that Bob resigned after a move of each."""
    room: str = ann.room(**wish)["id"]
    bob.do(room, "sit", seat=1)
    bob.do(room, "resign", seat=1)
    return room


def test_a_game_that_is_over_is_in_the_lists_of_both(ann: Person, bob: Person) -> None:
    room = over(ann, bob, clock="bank 300 5")
    (mine,) = ann.ok("GET", "/api/me/games")["games"]
    (theirs,) = bob.ok("GET", "/api/me/games")["games"]
    assert (mine["id"], mine["how"], mine["reason"]) == (room, "won", "resign")
    assert (theirs["id"], theirs["how"], theirs["left"]) == (room, "lost", "resign")
    assert mine["others"] == [
        {"name": "Bob", "bot": False, "level": 0, "partner": False, "left": "resign", "rating": 0}
    ]
    assert (mine["clock"], mine["moves"], mine["points"]) == ("bank 300 5", 0, [0, 0])
    assert ann.http.get(f"/api/rooms/{room}/record").status_code == 200
    watched = ann.socket(room)
    assert watched.wait("room")["over"]


def test_nobody_has_the_games_of_another(ann: Person, bob: Person) -> None:
    over(ann, bob)
    assert Person(ann.server).ok("GET", "/api/me/games")["games"] == []
    anonymous: Message = Person(ann.server).ok("GET", "/api/me/statistics")
    assert anonymous == {"games": [], "levels": []}


def test_a_puzzle_is_no_game_of_the_list(ann: Person) -> None:
    room = ann.room(game="puzzle", variant="pentominoes-6x10", seats=None)["id"]
    ann.do(room, "reveal")
    assert ann.ok("GET", "/api/me/games")["games"] == []


@pytest.mark.parametrize(
    "query",
    ["how=best", "level=10", "since=yesterday", "since=9999-12-31", "before=x", "most=51",
     "before=99999999999999999999.x", "against=me"],
)  # fmt: skip
def test_odd_questions_are_refused_in_a_sentence(ann: Person, query: str) -> None:
    assert ann.refused("GET", f"/api/me/games?{query}") == "invalid"
