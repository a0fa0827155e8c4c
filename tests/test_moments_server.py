"""Moments on the server, with either store: the answer is told to nobody who has not tried, the
first try counts and nothing else, and on a day all have the same one."""

import asyncio
import json
import random
import secrets
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy.ext.asyncio import create_async_engine

from servers import Message, Person, Tegel, postgres, tegel
from tegel import games
from tegel.place.moments.moments import record_of, with_moments
from tegel.search import grades
from tegel.search.moments import Moment
from tegel.server.run import database
from tegel.server.storage import tables
from tegel.server.storage.migrations import migrate
from tegel.server.storage.moments import forget_tries

DATA = Path(__file__).parent / "data"
GAMES = with_moments()
STORES: dict[str, str] = {}  # of servers, by their addresses


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def server(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Tegel]:
    folder = tmp_path_factory.mktemp("moments")
    with ExitStack() as stack:
        options = ["--limits", "1000"]
        if request.param == "postgresql":
            options += ["--database", stack.enter_context(postgres(folder))]
        found = stack.enter_context(tegel(folder, *options))
        STORES[found.url] = database(options[-1] if len(options) > 2 else "", folder)
        yield found
        found.check()


def stored(server: Tegel, query: Any) -> list[Any]:
    """What a query finds in the store of a server."""

    async def rows() -> list[Any]:
        engine = create_async_engine(STORES[server.url])
        async with engine.connect() as connection:
            found = [tuple(row) for row in await connection.execute(query)]
        await engine.dispose()
        return found

    return asyncio.run(rows())


def wrong(game: str, moment: Moment) -> str:
    """A move that is legal there, and not right."""
    moves = games.final(record_of(game, moment)).moves()
    return next(str(move) for move in moves if str(move) not in moment.right)


def tried(person: Person, task: Message, move: str, day: str | None = None) -> Any:
    path = f"/api/moments/{task['game']}/{task['id']}/tries"
    return person.ok("POST", path, {"move": move, "day": day})


def of(task: Message) -> Moment:
    return grades.named(task["game"])[task["id"]]


# What is told


@pytest.mark.parametrize("game", GAMES)
def test_the_answer_is_not_told_before_it_is_found_or_asked_for(server: Tegel, game: str) -> None:
    ann = Person(server)
    asked = ann.ask("GET", f"/api/moments/{game}/next")
    task, moment = asked.json(), of(asked.json())
    told = [asked.text, ann.ask("GET", f"/api/moments/{game}/{task['id']}").text]
    path = f"/api/moments/{game}/{task['id']}"
    told.append(ann.ask("POST", f"{path}/tries", {"move": wrong(game, moment)}).text)
    told.append(ann.ask("GET", path).text)
    for text in told:
        assert not any(json.dumps(move) in text for move in (*moment.right, *moment.line[:1]))
        assert '"answer":null' in text
        assert '"gap":' not in text
    assert ann.refused("GET", f"{path}/line/1") == "untried"
    shown = ann.ok("POST", f"{path}/answer", {})
    assert not shown["found"]
    assert shown["answer"]["right"] == list(moment.right)
    assert [step["move"] for step in shown["answer"]["steps"]] == list(moment.line)
    assert ann.ok("GET", f"{path}/line/1")["move"] == moment.line[0]
    assert Person(server).refused("GET", f"{path}/line/1") == "untried", "to others it is not told"


@pytest.mark.parametrize("game", GAMES)
def test_every_move_that_is_right_is_accepted(server: Tegel, game: str) -> None:
    name, moment = max(grades.named(game).items(), key=lambda one: len(one[1].right))
    for move in moment.right:
        found = tried(Person(server), {"game": game, "id": name}, move)
        assert found["right"], move
        assert found["answer"]["gap"] == moment.gap
        made = Person(server).ok("POST", "/api/studies", {"text": found["answer"]["record"]})
        assert [step["move"] for step in made["line"]] == list(moment.moves)


@pytest.mark.parametrize("game", GAMES)
def test_moments_are_shown_with_help_where_a_game_has_it(game: str, rng: random.Random) -> None:
    """And every position is the same there: who decides, and what may be done."""
    for moment in rng.sample([*grades.named(game).values()], 12):
        plain, helped = (games.final(one) for one in (moment.record(game), record_of(game, moment)))
        assert not games.load(game).offer(helped).any
        assert plain.turn == helped.turn
        assert {*map(str, plain.moves())} == {*map(str, helped.moves())} >= {*moment.right}


def test_what_can_not_be_played_is_no_try(ann: Person) -> None:
    task = ann.ok("GET", "/api/moments/blokus/next")
    path = f"/api/moments/blokus/{task['id']}"
    for move, code in (("what?", "notation"), ("", "notation"), (of(task).moves[0], "illegal")):
        assert ann.refused("POST", f"{path}/tries", {"move": move}) == code
    assert ann.ok("GET", path)["tries"] == 0
    assert ann.refused("GET", "/api/moments/blokus/0000000000") == "missing"
    assert ann.refused("GET", "/api/moments/puzzle/next") == "missing"
    assert ann.ask("GET", f"{path}/board.svg").text.startswith("<svg")


# What is kept


def test_the_first_try_counts_and_nothing_else(ann: Person) -> None:
    task = ann.ok("GET", "/api/moments/imago/next")
    moment = of(task)
    assert task["you"] == {"level": 2, "tried": 0, "first": 0, "streak": 0, "longest": 0}
    first = tried(ann, task, wrong("imago", moment))
    assert (first["right"], first["tries"], first["you"]["tried"]) == (False, 1, 1)
    assert first["you"]["level"] == 1.5 or task["grade"] > 2
    second = tried(ann, task, moment.right[0])
    assert (second["right"], second["tries"], second["found"]) == (True, 2, True)
    assert second["you"] == first["you"], "it was found too late to count"
    again = tried(ann, task, wrong("imago", moment))
    assert (again["tries"], again["found"], again["answer"]) == (2, True, None)
    stored = ann.ok("GET", "/api/me/export")["moments"]
    (kept,) = stored
    assert (kept["moment"], kept["tries"], kept["first"]) == (task["id"], 2, False)


def test_first_tries_of_everybody_are_added_up(server: Tegel) -> None:
    name, moment = next(iter(grades.named("imago").items()))
    task, c = {"game": "imago", "id": name}, tables.moment_counts.c
    query = sa.select(c.solved, c.failed, c.felt).where(c.game == "imago", c.moment == name)
    (before,) = stored(server, query) or [(0, 0, 0.0)]
    for number in range(4):
        person = Person(server)
        for move in (moment.right[0], wrong("imago", moment))[:: 1 if number else -1]:
            tried(person, task, move)
    (after,) = stored(server, query)
    assert [a - b for a, b in zip(after, before, strict=True)] == [3, 1, 3 * 1.5 + 3]


def test_one_with_many_cookies_does_not_set_a_grade(tmp_path: Path) -> None:
    """All that they try is kept for them, but a network counts as few people."""
    name, moment = next(iter(grades.named("imago").items()))
    with tegel(tmp_path, "--limits", "1") as server:
        for _ in range(8):
            answer = tried(Person(server), {"game": "imago", "id": name}, moment.right[0])
            assert (answer["found"], answer["you"]["tried"]) == (True, 1)
        with sqlite3.connect(tmp_path / "tegel.db") as database:
            found = database.execute("SELECT solved, failed FROM moment_counts").fetchall()
    assert found == [(3, 0)]


def test_a_moment_that_was_met_before_counts_no_more_on_its_day(server: Tegel) -> None:
    ann, today = Person(server), datetime.now(UTC).date()
    name = grades.of_day("tantrix", today)
    task, moment = {"game": "tantrix", "id": name}, grades.named("tantrix")[name]
    c = tables.moment_counts.c
    query = sa.select(c.solved, c.failed).where(c.game == "tantrix", c.moment == name)
    before = tried(ann, task, wrong("tantrix", moment))["you"]
    counted = stored(server, query)
    after = tried(ann, task, moment.right[0], today.isoformat())
    assert (after["tries"], after["found"], after["you"]) == (1, True, before)
    assert stored(server, query) == counted


def test_tries_of_who_keeps_no_name_are_forgotten_after_long() -> None:
    engine = sa.create_engine("sqlite://")
    tables.metadata.create_all(engine)
    row = {
        "game": "blokus",
        "moment": "0",
        "tries": 1,
        "found": True,
        "first": True,
        "shown": False,
    }
    with engine.begin() as connection:
        for player, day, at in (("guest", "", 5), ("guest", "2026-01-01", 50), ("ann", "", 5)):
            made = {**row, "player": player, "day": day, "at": at}
            connection.execute(sa.insert(tables.moment_tries).values(made))
        connection.execute(
            sa.insert(tables.players).values(id="ann", name="@ann", handle="ann", at=0)
        )
        kept = sa.select(tables.players.c.id).where(tables.players.c.handle.is_not(None))
        assert forget_tries(connection, 10, kept, 500) == ["guest"]
        c = tables.moment_tries.c
        left = connection.execute(sa.select(c.player, c.at).order_by(c.player)).all()
    engine.dispose()
    assert left == [("ann", 5), ("guest", 50)]


def test_what_a_guest_tried_comes_along_and_goes_with_them(server: Tegel) -> None:
    ann, guest = Person(server), Person(server)
    code = ann.ok("POST", "/api/me/account", {"handle": f"ann-{secrets.token_hex(6)}"})["code"]
    one, other = [*grades.named("blokus").items()][:2]
    tried(ann, {"game": "blokus", "id": one[0]}, one[1].right[0])
    for name, moment in (one, other):
        tried(guest, {"game": "blokus", "id": name}, wrong("blokus", moment))
    guest.ok("POST", "/api/sign-in/code", {"code": code, "along": True})
    found = {row["moment"]: row["first"] for row in guest.ok("GET", "/api/me/export")["moments"]}
    assert found == {one[0]: True, other[0]: False}
    guest.ok("POST", "/api/me/delete", {"sure": True})
    c = tables.moment_tries.c
    ids = (ann.id, guest.id)
    assert not stored(server, sa.select(c.moment).where(c.player.in_(ids)))


def test_moments_come_at_ones_level_and_not_twice(ann: Person) -> None:
    seen, levels = [], [2.0]
    for _ in range(6):
        task = ann.ok("GET", "/api/moments/blokus/next")
        assert abs(task["grade"] - levels[-1]) < 1.5
        seen.append(task["id"])
        after = tried(ann, task, of(task).right[0])["you"]
        levels.append(after["level"])
    assert len({*seen}) == 6
    assert levels == sorted(levels)
    assert (after["streak"], after["longest"], after["first"]) == (6, 6, 6)
    hard = ann.ok("GET", "/api/moments/blokus/next?grade=5")
    assert hard["grade"] == 5
    down = ann.ok("POST", f"/api/moments/blokus/{hard['id']}/answer", {})["you"]
    assert (down["streak"], down["longest"], down["tried"]) == (0, 6, 7)
    (blokus,) = (g for g in ann.ok("GET", "/api/moments")["games"] if g["game"] == "blokus")
    assert blokus["you"] == down
    assert sum(blokus["grades"]) == len(grades.named("blokus"))


def test_what_is_tried_anew_begins_as_if_it_were_new(ann: Person) -> None:
    task = ann.ok("GET", "/api/moments/tantrix/next?grade=1")
    ann.ok("POST", f"/api/moments/tantrix/{task['id']}/answer", {})
    again = tried(ann, task, wrong("tantrix", of(task)))
    assert (again["right"], again["answer"]) == (False, None), "a wrong move tells nothing"
    assert ann.ok("GET", f"/api/moments/tantrix/{task['id']}")["answer"], "but it is known"


# Days


def test_there_are_moments_of_days_since_the_first_edition(ann: Person) -> None:
    for day in ("0001-01-01", "2026-11-14"):
        name = grades.of_day("forma", date.fromisoformat(day))
        path = f"/api/moments/forma/{name}"
        move = grades.named("forma")[name].right[0]
        wish = {"move": move, "day": day}
        assert ann.refused("GET", f"/api/moments/forma/days/{day}") == "missing"
        assert ann.refused("GET", f"/api/moments/forma/days/{day}/results") == "missing"
        assert ann.refused("POST", f"{path}/tries", wish) == "missing"
        assert ann.refused("POST", f"{path}/answer", {"day": day}) == "missing"
    assert ann.ok("GET", "/api/me/export")["moments"] == []
    assert ann.ok("GET", "/api/moments/forma/days/2026-11-15")["day"] == "2026-11-15"


def test_the_moment_of_a_day_is_the_same_for_everybody(server: Tegel) -> None:
    today = datetime.now(UTC).date()
    day = today.isoformat()
    people = [Person(server) for _ in range(3)]
    tasks = [person.ok("GET", f"/api/moments/forma/days/{day}") for person in people]
    assert len({task["id"] for task in tasks}) == 1
    moment = of(tasks[0])
    no, yes = wrong("forma", moment), moment.right[0]
    tried(people[0], tasks[0], yes, day)
    for move in (no, no, yes):
        tried(people[1], tasks[1], move, day)
    path = f"/api/moments/forma/{tasks[2]['id']}"
    people[2].ok("POST", f"{path}/answer", {"day": day})
    results = people[0].ok("GET", f"/api/moments/forma/days/{day}/results")
    assert results == {"tried": 3, "first": 1, "found": 2, "median": 2.0}
    (forma,) = (g for g in people[1].ok("GET", "/api/moments")["games"] if g["game"] == "forma")
    assert (forma["days"], forma["today"]["tries"]) == ([day], 3)
    done = people[1].ok("GET", f"/api/moments/forma/days/{day}")
    assert done["answer"]["right"] == list(moment.right)
    assert people[1].ok("GET", path)["answer"] is None, "besides its day it is another task"

    early = (today + timedelta(2)).isoformat()
    assert people[0].refused("GET", f"/api/moments/forma/days/{early}") == "missing"
    other = next(name for name in grades.named("forma") if name != tasks[0]["id"])
    wish = {"move": no, "day": day}
    assert people[0].refused("POST", f"/api/moments/forma/{other}/tries", wish) == "invalid"


@pytest.mark.parametrize("game", GAMES)
def test_each_moment_has_its_day_before_one_comes_again(game: str) -> None:
    names, first = grades.named(game), date(2026, 1, 1)
    begin = first + timedelta(-first.toordinal() % len(names))
    days = [grades.of_day(game, begin + timedelta(n)) for n in range(len(names))]
    assert sorted(days) == sorted(names)
    assert days != [
        grades.of_day(game, begin + timedelta(len(names) + n)) for n in range(len(names))
    ]


# Grades


@given(st.integers(1, 5), st.lists(st.tuples(st.floats(1, 5), st.booleans()), max_size=400))
def test_grades_and_levels_stay_on_their_scale(grade: int, tries: list[tuple[float, bool]]) -> None:
    level = grades.BEGIN
    for other, found in tries:
        after = grades.level_after(level, other, found)
        assert 1 <= after <= 5
        assert after >= level if found else after <= level
        level = after
    felt = sum(grades.felt(level, found) for level, found in tries)
    assert 1 <= grades.graded(grade, len(tries), felt) <= 5


def test_a_grade_moves_to_what_people_make_of_it() -> None:
    """If those of level 4 find two of three, it is of grade 4, whatever the engine thought."""
    felt = [grades.felt(4, number % 3 > 0) for number in range(3000)]
    assert [round(grades.graded(2, n, sum(felt[:n])), 1) for n in (0, 21, 3000)] == [2, 3.0, 4.0]


def test_a_level_comes_to_rest_where_one_finds_two_of_three() -> None:
    rng, level, levels = random.Random(7), grades.BEGIN, []
    for _ in range(4000):
        level = grades.level_after(level, level, rng.random() < 1 / (1 + 2 ** (level - 4)))
        levels.append(level)
    assert sum(levels[500:]) / 3500 == pytest.approx(3, abs=0.2), "there it is two of three"


# What was stored before


def test_what_the_version_before_stored_stays(tmp_path: Path) -> None:
    file = tmp_path / "tegel.db"
    with sqlite3.connect(file) as made:
        made.executescript((DATA / "edition1.sql").read_text("utf-8"))
    made.close()
    url = f"sqlite+aiosqlite:///{file}"
    asyncio.run(migrate(url, "0010"))
    before = dumped(file)
    assert before["log"], "there is something to keep"
    asyncio.run(migrate(url, "0011"))
    after = dumped(file)
    new = {name: after.pop(name) for name in after.keys() - before.keys()}
    assert new["moment_tries"] == new["moment_counts"] == []
    assert after | {"alembic_version": []} == before | {"alembic_version": []}


def dumped(file: Path) -> dict[str, list[Any]]:
    with sqlite3.connect(file) as stored:
        tables = stored.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        found = {name: stored.execute(f"SELECT * FROM {name}").fetchall() for (name,) in tables}
    stored.close()
    return found
