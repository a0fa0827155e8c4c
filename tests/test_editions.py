"""What an earlier edition stored opens in this one, and goes on: a database as the first edition
wrote it (data/edition1.sql), with what it said of each room (data/edition1.json)."""

import asyncio
import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from sqlalchemy.ext.asyncio import create_async_engine

from servers import Message, Person, Socket, Tegel, offered, postgres, tegel, until
from tegel import games
from tegel.server.run import database
from tegel.server.storage import tables
from tegel.server.storage.migrations import migrate
from tegel.server.storage.redaction import forget_names

DATA = Path(__file__).parent / "data"
WRITTEN: Message = json.loads((DATA / "edition1.json").read_text("utf-8"))
ROOMS: dict[str, str] = WRITTEN["rooms"]
SECRET = {"TEGEL_SECRET": WRITTEN["secret"]}


def file(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    made = folder / "tegel.db"
    with sqlite3.connect(made) as connection:
        connection.executescript((DATA / "edition1.sql").read_text("utf-8"))
    connection.close()
    return made


@pytest.fixture(scope="module")
def old(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tegel]:
    folder = tmp_path_factory.mktemp("edition1")
    file(folder)
    with tegel(folder, env=SECRET) as found:
        yield found
        found.check()


def person(server: Tegel, name: str) -> Person:
    """Someone who comes back with the cookie that the first edition gave."""
    cookie = WRITTEN["players"][name]["cookie"].partition("=")
    back = Person(server, cookies={cookie[0]: cookie[2]})
    assert back.id == WRITTEN["players"][name]["id"]
    return back


@pytest.mark.parametrize("key", sorted(set(ROOMS) - {"due"}))
def test_a_room_is_as_it_was(old: Tegel, key: str) -> None:
    found = person(old, "ann").ok("GET", f"/api/rooms/{ROOMS[key]}")
    for field, value in WRITTEN["seen"][key].items():
        assert found[field] == value, field


def move(player: Person, room: str) -> tuple[Socket, Message]:
    """Make a move, and see it made."""
    socket = player.socket(room)
    game = socket.wait("room")["game"]
    offer = socket.wait("offer")
    socket.send(t="move", ply=offer["ply"], move=offered(offer, 0, game))
    return socket, socket.wait("moved")


@pytest.mark.parametrize("key", ["blokus", "forma", "tantrix", "imago"])
def test_a_game_with_bots_goes_on(old: Tegel, key: str) -> None:
    socket, _ = move(person(old, "ann"), ROOMS[key])
    socket.wait("offer", seconds=60)  # after the bots


@pytest.mark.parametrize("key", ["puzzle", "discovery", "own"])
def test_a_puzzle_goes_on(old: Tegel, key: str) -> None:
    before = WRITTEN["seen"][key]
    _, moved = move(person(old, "ann"), ROOMS[key])
    assert moved["scores"] != before["scores"]


def test_a_bot_that_was_thinking_moves(old: Tegel) -> None:
    ann = person(old, "ann")
    before = WRITTEN["seen"]["due"]["ply"]
    until(lambda: ann.ok("GET", f"/api/rooms/{ROOMS['due']}")["ply"] > before, "its move", 60)


def test_a_program_moves(old: Tegel) -> None:
    robo = WRITTEN["players"]["robo"]
    ann = person(old, "ann")
    ann.http.headers["authorization"] = f"Bearer {robo['token']}"
    before = WRITTEN["seen"]["program"]
    ply, first = before["ply"], before["moves"][0]["move"]
    game = games.load("blokus")
    state = game.start("duo").play(game.parse(first))
    free = str(state.moves()[0])
    assert ann.do(ROOMS["program"], "move", ply=ply, move=free)["ply"] > ply


def test_a_game_that_runs_is_not_helped_with(old: Tegel) -> None:
    """Though the first edition did not store what lies on its board."""
    ann = person(old, "ann")
    text = ann.http.get(f"/api/rooms/{ROOMS['people']}/record").text
    moves = len(ann.ok("GET", f"/api/rooms/{ROOMS['people']}")["moves"])
    id = ann.http.post("/api/records", content=text.encode()).json()["id"]
    assert ann.refused("POST", f"/api/records/{id}/positions/{moves}/hint") == "running"


def test_a_wish_is_answered(old: Tegel) -> None:
    before = WRITTEN["seen"]["people"]["moves"]
    after = person(old, "bob").do(ROOMS["people"], "takeback", do="agree")
    assert after["moves"] == before[: len(after["moves"])]
    assert len(after["moves"]) < len(before)


def test_the_other_player_sits_down_to_the_rematch(old: Tegel) -> None:
    held = WRITTEN["seen"]["rematch"]["seats"]
    seat = next(place for place, chair in enumerate(held) if chair["kind"] == "held")
    assert held[seat]["name"] == "Bob"
    after = person(old, "bob").do(ROOMS["rematch"], "sit", seat=seat)
    assert after["begun"]
    assert after["seats"][seat]["name"] == "Bob"


def test_games_that_were_over_are_in_the_lists_of_who_played_them(old: Tegel) -> None:
    """Their endings are written while the server runs, from the logs."""
    ann, bob = person(old, "ann"), person(old, "bob")
    over = {
        ROOMS[key]
        for key, seen in WRITTEN["seen"].items()
        if seen["over"] and len(seen["seats"]) > 1 and key in ROOMS
    }
    assert over, "there are some"
    until(lambda: ann.ok("GET", "/api/me/games")["found"] == len(over), "their endings")
    games = ann.ok("GET", "/api/me/games")["games"]
    assert {game["id"] for game in games} == over
    resigned = next(game for game in games if game["id"] == ROOMS["resigned"])
    seen = WRITTEN["seen"]["resigned"]
    assert resigned["reason"] == seen["result"]["reason"] == "resign"
    assert [one["name"] for one in resigned["others"]] == ["Bob"], "as the old rows say"
    (theirs,) = (g for g in bob.ok("GET", "/api/me/games")["games"] if g["id"] == resigned["id"])
    assert {resigned["how"], theirs["how"]} == {"won", "lost"}
    with sqlite3.connect(old.folder / "tegel.db") as base:
        left = "SELECT count(*) FROM unkept"
        until(lambda: base.execute(left).fetchone() == (0,), "the end of the work")
    base.close()


def test_a_record_is_read(old: Tegel) -> None:
    found = person(old, "ann").ask("GET", f"/api/records/{WRITTEN['record']}")
    assert found.status_code == 200
    assert found.text.startswith("game: blokus")


def test_a_new_file_has_the_tables_that_an_old_one_gets(tmp_path: Path) -> None:
    """Which are made in one go, and step by step."""
    found = []
    for name, steps in (("new", ["head"]), ("old", ["0001", "head"])):
        for step in steps:
            asyncio.run(migrate(f"sqlite+aiosqlite:///{tmp_path / name}", step))
        there = sa.create_engine(f"sqlite:///{tmp_path / name}")
        with there.connect() as connection:
            version = connection.scalar(sa.text("SELECT version_num FROM alembic_version"))
        found.append((version, shape(sa.inspect(there))))
        there.dispose()
    assert found[0] == found[1]


def test_wishes_of_an_earlier_edition_say_who_came(tmp_path: Path) -> None:
    """Who was paired and sat down, by the log; nobody else, and whoever only looks."""
    url = f"sqlite+aiosqlite:///{tmp_path / 'tegel.db'}"
    asyncio.run(migrate(url, "0014"))
    wish = {
        "ticket": "t", "worker": "w", "game": "blokus", "variant": "duo", "options": "{}",
        "clock": "none", "name": "", "rating": 1500, "at": 1, "room": "",
    }  # fmt: skip
    paired = {"ann": "room", "bob": "room", "cato": "other", "ann-2": "room", "dirk": ""}
    rows = [{**wish, "player": player, "room": room} for player, room in paired.items()]
    there = sa.create_engine(f"sqlite:///{tmp_path / 'tegel.db'}")
    came = sa.select(tables.wishes.c.player).where(tables.wishes.c.came)
    with there.begin() as connection:
        connection.execute(sa.text(
            f"INSERT INTO wishes (player, {', '.join(wish)}) "
            f"VALUES (:player, {', '.join(f':{key}' for key in wish)})"
        ), rows)  # fmt: skip
        log = [("room", 0, "!sit 1 ann"), ("room", 1, "!sit 0 cato"), ("other", 0, "!resign 0")]
        connection.execute(
            sa.insert(tables.log),
            [{"room": room, "seq": seq, "at": 1, "text": text} for room, seq, text in log],
        )
    asyncio.run(migrate(url))
    with there.connect() as connection:
        assert connection.scalars(came).all() == ["ann"]
    there.dispose()


def shape(there: sa.Inspector) -> Message:
    return {
        table: (
            {c["name"]: (str(c["type"]), c["nullable"], c["default"])
             for c in there.get_columns(table)},
            {i["name"]: (i["column_names"], i["unique"]) for i in there.get_indexes(table)},
            there.get_pk_constraint(table),
            there.get_unique_constraints(table),
        )
        for table in there.get_table_names()
    }  # fmt: skip


# The same on PostgreSQL


async def moved_over(source: Path, target: str) -> None:
    """Copy what the first edition wrote into a database of its shape."""
    await migrate(target, "0002")
    with sqlite3.connect(source) as connection:
        connection.row_factory = sqlite3.Row
        engine = create_async_engine(target)
        async with engine.begin() as there:
            known = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
            for table in tables.metadata.sorted_tables:
                if table.name in known:
                    query = f"SELECT * FROM {table.name}"
                    rows: list[dict[str, Any]] = [dict(row) for row in connection.execute(query)]
                    for row in rows:
                        row |= {
                            column.name: bool(row[column.name])
                            for column in table.columns
                            if isinstance(column.type, sa.Boolean) and column.name in row
                        }
                    if rows:
                        await there.execute(table.insert(), rows)
        await engine.dispose()
    connection.close()


def test_the_first_edition_goes_on_with_PostgreSQL(tmp_path: Path) -> None:
    with postgres(tmp_path / "pg") as address:
        asyncio.run(moved_over(file(tmp_path / "file"), database(address, tmp_path)))
        with tegel(tmp_path / "serve", "--database", address, env=SECRET) as server:
            ann = person(server, "ann")
            for key in ("people", "puzzle", "resigned"):
                found = ann.ok("GET", f"/api/rooms/{ROOMS[key]}")
                assert found["moves"] == WRITTEN["seen"][key]["moves"]
                assert found["seats"] == WRITTEN["seen"][key]["seats"]
            move(ann, ROOMS["puzzle"])
            server.check()


# Forgetting


def test_names_in_old_rows_can_be_forgotten(tmp_path: Path) -> None:
    """Nothing says any more what she was called, and every game is still there."""
    made, ann = file(tmp_path), WRITTEN["players"]["ann"]["id"]
    with tegel(tmp_path, env=SECRET):
        pass  # brings the tables up to date
    engine = sa.create_engine(f"sqlite:///{made}")
    with engine.begin() as connection:
        forget_names(connection, ann)
    engine.dispose()
    with sqlite3.connect(made) as there:
        there.execute("DELETE FROM records")  # texts that somebody brought
        text = "\n".join(there.iterdump())
        rows: list[Any] = there.execute("SELECT text FROM log").fetchall()
        there.rollback()
    there.close()
    assert "Ann de Vries" not in text
    assert "Ännchen" not in text
    assert "Bob" in text
    assert any(text == f"!sit 0 {ann}" for (text,) in rows)
    with tegel(tmp_path, env=SECRET) as server:
        found = person(server, "ann").ok("GET", f"/api/rooms/{ROOMS['people']}")
        assert [chair.get("name", "") for chair in found["seats"]] == ["", "Bob"]
        assert found["moves"] == WRITTEN["seen"]["people"]["moves"]


def test_so_can_the_name_of_who_never_sat_down_to_a_rematch(tmp_path: Path) -> None:
    """No row of the log has it, but the place that is kept for him."""
    made, bob = file(tmp_path), WRITTEN["players"]["bob"]["id"]
    asyncio.run(migrate(f"sqlite+aiosqlite:///{made}"))
    engine = sa.create_engine(f"sqlite:///{made}")
    c = tables.rooms.c
    query = sa.select(c.places).where(c.id == ROOMS["rematch"])
    with engine.begin() as connection:
        assert "Bob" in connection.scalars(query).one()
        forget_names(connection, bob)
        assert "Bob" not in connection.scalars(query).one()
    engine.dispose()
