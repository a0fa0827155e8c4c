"""Rooms that are damaged or long harm nobody else, and the writer computes nothing."""

import json
import random
import sqlite3
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import httpx
import pytest

from hostile import LONGEST, longest, own, upload
from servers import Person, table, tegel, until
from tegel import games
from tegel.place.rooms.room_row import append
from tegel.record import Record
from tegel.room.clock import Clock
from tegel.room.log import Row
from tegel.room.room import begin, fold, opened
from tegel.room.setup import Place, Setup


def test_a_damaged_room_is_left_out_and_reported_once(tmp_path: Path) -> None:
    """The version before stored such options; they can't be read."""
    with tegel(tmp_path) as server:
        ann, bob = Person(server), Person(server)
        bot = ann.ok("POST", "/api/bots", {"name": "Turing"})
        invited: list[dict[str, Any]] = [
            {"kind": "person"}, {"kind": "bot", "program": bot["id"]}
        ]  # fmt: skip
        good = ann.room(listed=True, seats=invited)["id"]
        bad = ann.room(listed=True, seats=invited)["id"]
        tiny = {"text": own("...", "...", "...")}
        lone = ann.room(game="puzzle", variant="own", clock="up", options=tiny)["id"]
        spoilt = ann.room(game="puzzle", variant="own", clock="up", options=tiny)["id"]
        timed, first, _ = table(ann, bob, clock="bank 2 0")
        dead, other, _ = table(ann, bob, clock="bank 2 0")
        for socket in (first, other):
            socket.move(socket.wait("offer"))
            socket.wait("moved")
        server.kill()
        with sqlite3.connect(tmp_path / "tegel.db") as base:
            for room, options in [
                (bad, "text=a\u00a0b"), (spoilt, "text=a b"), (dead, "{")
            ]:  # fmt: skip
                base.execute("UPDATE rooms SET options = ? WHERE id = ?", [options, room])
        base.close()
        server.start()

        def over() -> bool:
            answer = ann.ok("GET", "/api/my/rooms?over=true")
            return timed in {entry["id"] for entry in answer}

        until(over, "the fall of a flag in a room that is whole", 30)
        listed = {entry["id"] for entry in ann.ok("GET", "/api/rooms")}
        assert good in listed
        assert bad not in listed
        assert good in {entry["id"] for entry in ann.ok("GET", "/api/my/rooms")}
        puzzles = {entry["id"] for entry in ann.ok("GET", "/api/my/puzzles")}
        assert puzzles == {lone}
        assert ann.refused("GET", f"/api/rooms/{bad}") == "damaged"
        headers = {"authorization": f"Bearer {bot['token']}"}
        with httpx.stream("GET", f"{server.url}/api/bot/events", headers=headers) as stream:
            told = json.loads(next(line for line in stream.iter_lines() if line))
        assert told["room"] == good
        ann.ok("GET", "/api/rooms")
        time.sleep(3)  # some sweeps
        entries = server.entries()
        assert not [e for e in entries if "sweep failed" in e["message"]]
        for room in (bad, spoilt, dead):
            about = [e for e in entries if e["level"] == "error" and room in e["message"]]
            assert len(about) == 1, about


MOST_ROWS = 5_000  # then nothing is written but what leads to the end


def written(folder: Path, room: str, rows: Sequence[str]) -> None:
    """Put rows behind those that a room has, as if it had come to that."""
    with sqlite3.connect(folder / "tegel.db") as base:
        query = "SELECT max(seq) + 1, max(at) FROM log WHERE room = ?"
        first, at = base.execute(query, [room]).fetchone()
        base.executemany(
            "INSERT INTO log (room, seq, at, text) VALUES (?, ?, ?, ?)",
            [(room, first + n, at + n, text) for n, text in enumerate(rows)],
        )
        base.execute("UPDATE rooms SET ply = ? WHERE id = ?", [first + len(rows), room])
    base.close()


def worn() -> list[str]:
    """As many rows as a room can have, of the costly kinds: a long line, cut again and again."""
    moves = list(longest().moves[:-2])
    back = ["!takeback 1997", moves[-1]] * MOST_ROWS
    looks = ["!look 0", "!away 0"] * 100
    return [*moves, *looks, *back][: MOST_ROWS - 1]


@pytest.mark.sliced(2)
def test_the_longest_room_is_opened_soon_and_can_be_ended(tmp_path: Path) -> None:
    with tegel(tmp_path) as server:
        ann = Person(server)
        room = ann.room(game="puzzle", variant="tetra-8x10", clock="up")["id"]
        other = ann.room(game="puzzle", variant="tetra-8x10", clock="up")["id"]
        server.stop()
        written(tmp_path, room, worn())
        written(tmp_path, other, worn())
        server.start()
        start = time.perf_counter()
        shown = ann.ok("GET", f"/api/rooms/{room}")
        assert time.perf_counter() - start < 8  # under any load
        assert shown["ply"] == MOST_ROWS
        ply, line = shown["ply"], [played["move"] for played in shown["moves"]]
        assert ann.refused("POST", f"/api/rooms/{room}/takeback", {"do": "ask"}) == "long"
        assert ann.refused("POST", f"/api/rooms/{room}/hint", {}) == "long"
        link = ann.ok("POST", f"/api/rooms/{room}/seats/0/link", {})["token"]
        guest = Person(server)
        assert guest.refused("POST", f"/api/rooms/{room}/take", {"token": link}) == "long"
        with_socket = ann.socket(room)
        with_socket.wait("room")
        with_socket.send(t="look", on=True)
        with_socket.close()
        assert ann.ok("GET", f"/api/rooms/{room}")["ply"] == ply, "looking writes nothing"
        back = line[-1] if "lift" in line[-2] else line[-2]
        moves = ["lift" + back[back.index("@") :], back]
        for move in moves * 3:
            answer = ann.ask("POST", f"/api/rooms/{room}/move", {"ply": ply, "move": move})
            if answer.status_code != 200:
                break
            ply = answer.json()["ply"]
        assert len(ann.ok("GET", f"/api/rooms/{room}")["moves"]) <= LONGEST["puzzle"]
        assert ann.do(room, "resign")["over"]
        assert ann.do(other, "reveal")["over"]
        server.check()


@pytest.mark.sliced(2)
def test_no_line_grows_longer_than_a_record_may_be(tmp_path: Path) -> None:
    """So whatever was played can be kept, uploaded and gone on with."""
    with tegel(tmp_path) as server:
        ann = Person(server)
        room = ann.room(game="puzzle", variant="tetra-8x10", clock="up")["id"]
        server.stop()
        record = longest()
        written(tmp_path, room, record.moves)
        server.start()
        shown = ann.ok("GET", f"/api/rooms/{room}")
        wish = {"ply": shown["ply"], "move": record.moves[-2]}
        assert ann.refused("POST", f"/api/rooms/{room}/move", wish) == "moves"
        assert ann.ok("GET", f"/api/rooms/{room}")["moves"] == shown["moves"]
        text = ann.http.get(f"/api/rooms/{room}/record").text
        kept = upload(ann, text).json()["id"]
        wish = {"source": f"records/{kept}", "ply": 1_999}
        again = ann.ok("POST", "/api/rooms/continued", wish)
        assert len(again["moves"]) == 1_999
        assert len(ann.do(room, "takeback", do="ask")["moves"]) == 1_999
        server.check()


def test_a_room_too_long_to_open_holds_up_nobody(tmp_path: Path) -> None:
    """The version before let rooms grow for ever; flags of other rooms fall all the same."""
    with tegel(tmp_path) as server:
        ann, bob = Person(server), Person(server)
        long, first, _ = table(ann, bob, clock="bank 60 0")
        timed, other, _ = table(ann, bob, clock="bank 4 0")
        move = first.move(first.wait("offer"))
        other.move(other.wait("offer"))
        first.wait("moved")
        other.wait("moved")
        server.kill()
        with sqlite3.connect(tmp_path / "tegel.db") as base:
            base.execute("UPDATE rooms SET deadline = 1 WHERE id = ?", [long])
        base.close()
        written(tmp_path, long, ["!takeback 0", move] * 60_000)
        server.start()

        def fell() -> bool:
            answer = ann.ok("GET", "/api/my/rooms?over=true")
            return timed in {entry["id"] for entry in answer}

        until(fell, "the fall of a flag", 25)
        assert not [e for e in server.entries() if "sweep failed" in e["message"]]
        assert ann.refused("GET", f"/api/rooms/{long}") == "damaged"
        about = [e for e in server.entries() if e["level"] == "error" and long in e["message"]]
        assert len(about) == 1, about


def plain(value: object) -> bool:
    """Whether a value is data: nothing that could be asked for more."""
    if isinstance(value, Mapping):
        return all(plain(part) for pair in value.items() for part in pair)
    if isinstance(value, list | tuple):
        return all(map(plain, value))
    return value is None or type(value) in (str, int, bool)


def test_the_writer_is_given_plain_data_and_computes_nothing_about_games() -> None:
    setup = Setup(
        "x", "puzzle", "tetra-8x10", (Place("person", player="ann"),), clock=Clock(up=True)
    )
    rows = [Row(0, 1, "!sit 0 ann"), Row(1, 2, longest().moves[0])]

    room = opened(setup, rows, ())
    given = vars(append(rows, room, "worker", ["ann"], {"ann": "Ann"}, new=True))
    assert plain(given), given
    assert given["summary"]["ply"] == 2


@pytest.mark.parametrize("game", games.every())
def test_a_line_cut_and_played_again_is_the_line_played_at_once(
    game: str, rng: random.Random
) -> None:
    """Whatever states a room keeps on the way: rows are moves and takebacks of any depth."""
    law = games.load(game)
    variant = next(iter(law.variants))
    state, line = law.start(variant), list[str]()
    places = (Place("open"),) * len(state.scores)
    room = begin(Setup("x", game, variant, places))
    for seq in range(300):
        if (line and rng.random() < 0.3) or not state.moves():
            del line[rng.randrange(max(0, len(line) - 50), len(line)) :]
            text = f"!takeback {len(line)}"
        else:
            odds = state.odds()
            text = str(rng.choice(list(odds) or state.moves()))
            line.append(text)
        room = fold(room, Row(seq, seq, text))
        state = games.final(Record(game, variant, moves=tuple(line)))
        assert room.state == state
        assert [played.text for played in room.line] == line
    assert len(room.kept) < 40
