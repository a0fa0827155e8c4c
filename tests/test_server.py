"""The server as people meet it: real processes, real sockets, SQLite on disk."""

import json
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin

from servers import Person, Socket, Tegel, offered, tegel, tidy, until  # noqa: F401


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tegel]:
    with tegel(tmp_path_factory.mktemp("serve"), "--grace", "1") as found:
        yield found
        found.check()


@pytest.fixture
def ann(server: Tegel) -> Person:
    return Person(server, "Ann")


@pytest.fixture
def bob(server: Tegel) -> Person:
    return Person(server, "Bob")


def table(ann: Person, bob: Person, **wish: Any) -> tuple[str, Socket, Socket]:
    """A game of two that has begun, with both at their sockets."""
    room = ann.room(**wish)["id"]
    bob.do(room, "sit", seat=1)
    first, second = ann.socket(room), bob.socket(room)
    first.wait("room")
    second.wait("room")
    return room, first, second


# Playing


def test_two_people_play_a_whole_game(ann: Person, bob: Person, rng: random.Random) -> None:
    room, first, second = table(ann, bob)
    sockets, moves = [first, second], []
    offer = first.wait("offer")
    while True:
        mover = sockets[offer["seat"]]
        moves.append(mover.move(offer, rng.randrange(10**6)))
        seen = [socket.wait("moved") for socket in sockets]
        assert seen[0] == seen[1]
        assert (seen[0]["move"], seen[0]["seat"]) == (moves[-1], offer["seat"])
        if "result" in seen[0]:
            break
        offer = sockets[seen[0]["turn"]].wait("offer")
    found = ann.ok("GET", f"/api/rooms/{room}")
    assert found["over"]
    assert found["scores"] == seen[0]["scores"]
    assert found["result"]["reason"] == "blocked"
    best = max(found["scores"])
    assert found["result"]["winners"] == [i for i in (0, 1) if found["scores"][i] == best]
    assert [played["move"] for played in found["moves"]] == moves
    record = ann.ask("GET", f"/api/rooms/{room}/record").text
    checked = subprocess.run(
        [sys.executable, "-m", "tegel", "check", "-", "--json"],
        input=record.encode(), capture_output=True, check=True,
    )  # fmt: skip
    assert json.loads(checked.stdout)["scores"] == found["scores"]


def test_marks_can_be_followed_by_what_changed(ann: Person, bob: Person) -> None:
    """The deltas of `moved` lead to the same marks and planes as a fresh look."""
    room, first, second = table(ann, bob)
    seen = first.told[0]
    marks, planes = seen["marks"], seen["planes"]
    offer = first.wait("offer")
    for ply in range(8):
        [first, second][offer["seat"]].move(offer, ply * 7)
        moved = first.wait("moved")
        second.wait("moved")
        marks, planes = changed(marks, moved["marks"]), changed(planes, moved["planes"])
        fresh = ann.ok("GET", f"/api/rooms/{room}")
        assert (fresh["marks"], fresh["planes"]) == (marks, planes)
        assert len(json.dumps(moved["marks"])) < len(json.dumps(marks)) / 2
        offer = [first, second][moved["turn"]].wait("offer")


def changed(old: list[Any], new: list[Any]) -> list[Any]:
    found = []
    for entry in new:
        found += old[entry[0] : entry[0] + entry[1]] if isinstance(entry, list) else [entry]
    return found


def test_offers_go_to_the_mover_alone(ann: Person, bob: Person) -> None:
    room, first, second = table(ann, bob)
    offer = first.wait("offer")
    assert offer["seat"] == 0
    assert all(message["t"] != "offer" for message in second.drain())
    eve = Person(ann.server)
    watching = eve.socket(room)
    watching.wait("room")
    first.move(offer)
    assert second.wait("offer")["seat"] == 1
    assert all(message["t"] != "offer" for message in watching.drain() + first.drain())


def test_what_is_wrong_is_told_the_sender_alone(ann: Person, bob: Person) -> None:
    room, first, second = table(ann, bob)
    for message, code in [
        ({"move": "F.3@a1", "ply": first.ply}, "illegal"),
        ({"move": "nonsense", "ply": first.ply}, "notation"),
        ({"move": "!resign 1", "ply": first.ply}, "notation"),
        ({"move": "F.0@d9", "ply": first.ply + 1}, "stale"),
        ({"move": "F.0@d9", "ply": -1}, "stale"),
    ]:
        first.send(t="move", **message)
        error = first.wait("error")
        assert error["code"] == code, error
        assert error["text"]
        assert error["ply"] == first.ply
    first.send(t="move", move="F.3@a1", ply=first.ply)
    error = first.wait("error")
    assert error["rule"] == "start"
    assert error["cells"]
    second.send(t="move", move="F.0@d9", ply=second.ply)
    assert second.wait("error")["code"] == "turn"
    eve = Person(ann.server)
    watching = eve.socket(room)
    for wish in ({"t": "move", "ply": first.ply, "move": "F.0@d9"}, {"t": "resign"},
                    {"t": "ask"}, {"t": "agree"}, {"t": "rematch"}, {"t": "claim", "seat": 0},
                    {"t": "replace", "seat": 0}, {"t": "react", "key": "hello"}):  # fmt: skip
        watching.send(**wish)
        assert watching.wait("error")["code"] in ("seat", "reaction")
    nobody = httpx.post(
        f"{ann.server.url}/api/rooms/{room}/move", json={"ply": 2, "move": "F.0@d9"}
    )
    assert nobody.status_code == 403
    assert not [m for m in second.drain() if m["t"] in ("moved", "happened", "error")]


def test_a_move_sent_twice_counts_once(ann: Person, bob: Person) -> None:
    _, first, second = table(ann, bob)
    offer = first.wait("offer")
    text = first.move(offer)
    first.send(t="move", ply=offer["ply"], move=text)
    first.wait("moved")
    assert first.wait("error")["code"] == "stale"
    assert len([m for m in second.drain() if m["t"] == "moved"]) == 1


def test_who_comes_back_is_told_what_was_missed(ann: Person, bob: Person) -> None:
    room, first, second = table(ann, bob)
    offer, known = first.wait("offer"), second.ply
    second.close()
    first.move(offer)
    first.wait("moved")
    again = bob.socket(room, since=known)
    assert again.wait("moved", "room")["t"] == "moved"
    assert again.wait("offer")["seat"] == 1
    fresh = bob.socket(room, since=0)
    assert fresh.wait("moved", "room", "happened")["t"] in ("room", "happened")
    current = bob.socket(room, since=again.ply)
    assert current.next()["t"] == "you"
    beyond = bob.socket(room, since=10_000)
    assert beyond.next()["t"] == "room"


def test_presence_tells_who_is_here(ann: Person, bob: Person) -> None:
    room, first, second = table(ann, bob)
    eve = Person(ann.server)
    watching = eve.socket(room)
    until(lambda: first.wait("presence")["watchers"] == 1, "a watcher seen")
    assert first.told[-1]["here"] == [0, 1]
    second.close()
    until(lambda: first.wait("presence")["here"] == [0], "the leaving seen")
    assert "1" in first.told[-1]["gone"]
    watching.close()


def test_reactions_are_a_few_words(ann: Person, bob: Person) -> None:
    _, first, second = table(ann, bob)
    first.send(t="react", key="well-played")
    assert second.wait("reaction") == {"t": "reaction", "seat": 0, "key": "well-played"}
    first.send(t="react", key="<b>")
    assert first.wait("error")["code"] == "reaction"
    first.send(t="ping")
    assert first.wait("pong")["at"] > 0


# Seats


def test_the_game_waits_until_every_seat_is_taken(ann: Person, bob: Person) -> None:
    room = ann.room()
    assert not room["begun"]
    assert room["you"] == [0]
    assert [seat["kind"] for seat in room["seats"]] == ["person", "open"]
    path = f"/api/rooms/{room['id']}/move"
    move = {"ply": room["ply"], "move": "F.0@d9"}
    assert ann.refused("POST", path, move) == "waiting"
    assert bob.refused("POST", path, move) == "seat"
    assert bob.do(room["id"], "sit", seat=1)["begun"]
    eve = Person(ann.server)
    assert eve.refused("POST", f"/api/rooms/{room['id']}/sit", {"seat": 1}) == "taken"
    assert eve.refused("POST", f"/api/rooms/{room['id']}/sit", {"seat": 7}) == "seat"
    ann.ok("POST", path, move)  # made before bob sat down, and still good


def test_one_browser_may_hold_several_seats(ann: Person) -> None:
    room = ann.room(seats=[{"kind": "person"}, {"kind": "person"}])
    assert room["you"] == [0, 1]
    socket = ann.socket(room["id"])
    for seat in (0, 1, 0):
        offer = socket.wait("offer")
        assert offer["seat"] == seat
        socket.move(offer)
    other = ann.room()
    ann.do(other["id"], "sit", seat=1)
    assert ann.ok("GET", f"/api/rooms/{other['id']}")["you"] == [0, 1]


def test_seats_can_be_shuffled(ann: Person) -> None:
    seats = {tuple(ann.room(shuffled=True)["you"]) for _ in range(40)}
    assert seats == {(0,), (1,)}


def test_a_seat_link_moves_a_seat_to_another_device(ann: Person, bob: Person) -> None:
    room, first, _ = table(ann, bob)
    path = f"/api/rooms/{room}/seats/0/link"
    assert bob.refused("POST", path) == "seat"
    token = ann.ok("POST", path)["token"]
    phone = Person(ann.server)
    assert phone.refused("POST", f"/api/rooms/{room}/take", {"token": token + "x"}) == "link"
    taken = phone.ok("POST", f"/api/rooms/{room}/take", {"token": token})
    assert taken["you"] == [0]
    assert taken["seats"][0]["name"] == "Ann"
    assert first.wait("you")["seats"] == []
    assert ann.ok("GET", f"/api/rooms/{room}")["you"] == []
    assert bob.refused("POST", f"/api/rooms/{room}/take", {"token": token}) == "link"


def test_your_games_list_those_that_wait_for_you_first(ann: Person, bob: Person) -> None:
    waiting, *_ = table(ann, bob)
    other, first, second = table(ann, bob)
    first.move(first.wait("offer"))
    second.wait("offer")
    mine = ann.ok("GET", "/api/my/rooms")
    assert [(room["id"], room["yours"]) for room in mine] == [(waiting, True), (other, False)]
    assert [room["id"] for room in bob.ok("GET", "/api/my/rooms")] == [other, waiting]
    assert httpx.get(f"{ann.server.url}/api/my/rooms").json() == []


def test_rooms_are_listed_only_if_their_creator_says_so(ann: Person, bob: Person) -> None:
    secret, public = ann.room()["id"], ann.room(listed=True)["id"]
    listed = {room["id"] for room in bob.ok("GET", "/api/rooms?game=blokus")}
    assert public in listed
    assert secret not in listed
    bob.do(public, "sit", seat=1)
    assert public not in {room["id"] for room in bob.ok("GET", "/api/rooms")}


def test_names_are_one_short_line(ann: Person, bob: Person) -> None:
    bob.ok("PUT", "/api/me", {"name": "  <b>Bob</b>\n\u202e" + "x" * 100})
    name = bob.ok("GET", "/api/me")["name"]
    assert name.startswith("<b>Bob</b>")  # text, which pages show as text
    assert len(name) <= 40
    assert "\n" not in name
    assert "\u202e" not in name
    room = ann.room()["id"]
    assert bob.do(room, "sit", seat=1)["seats"][1]["name"] == name
    assert name in bob.ask("GET", f"/api/rooms/{room}/record").text


# Takeback, resigning, rematch


def test_takeback_needs_the_consent_of_the_others(ann: Person, bob: Person) -> None:
    room, first, second = table(ann, bob)
    offer = first.wait("offer")
    first.send(t="ask")
    assert first.wait("error")["code"] == "nothing"
    first.move(offer)
    second.move(second.wait("offer"))
    first.wait("offer")
    first.send(t="ask")
    assert second.event("ask")["ask"] == {"seat": 0, "keep": 0}
    second.send(t="refuse")
    assert "ask" not in first.event("refuse")
    first.send(t="ask")
    second.event("ask")
    second.send(t="agree")
    fresh = second.wait("room")
    assert fresh["moves"] == []
    assert fresh["turn"] == 0
    first.wait("room")
    assert first.wait("offer")["seat"] == 0
    assert ann.ok("GET", f"/api/rooms/{room}")["moves"] == []


def test_takeback_against_bots_is_at_once(ann: Person) -> None:
    room = ann.room(seats=[{"kind": "person"}, {"kind": "bot", "level": 1}])["id"]
    socket = ann.socket(room)
    socket.move(socket.wait("offer"))
    assert socket.wait("offer")["seat"] == 0  # the bot has moved
    socket.send(t="ask")
    assert socket.wait("room")["moves"] == []


def test_resigning_ends_a_game_of_two(ann: Person, bob: Person) -> None:
    room, first, second = table(ann, bob)
    first.send(t="resign")
    assert second.wait("happened")["result"] == {
        "winners": [1], "reason": "resign", "ranks": [2, 1],
    }  # fmt: skip
    assert ann.refused("POST", f"/api/rooms/{room}/resign", {}) in ("over", "left")
    record = ann.ask("GET", f"/api/rooms/{room}/record").text
    assert "result: resign 2" in record


def test_resigning_among_many_leaves_the_seat_to_a_bot(ann: Person, bob: Person) -> None:
    seats = [{"kind": "person"}, {"kind": "open"}, *[{"kind": "bot", "level": 1}] * 2]
    room = ann.room(variant="classic", seats=seats)["id"]
    bob.do(room, "sit", seat=1)
    after = ann.do(room, "resign")
    assert not after["over"]
    assert after["seats"][0]["left"] == "resign"
    assert after["seats"][0]["level"] > 0
    until(lambda: bob.ok("GET", f"/api/rooms/{room}")["turn"] == 1, "the bot's move")
    ended = bob.do(room, "resign")  # nobody is left to play for
    assert ended["over"]
    assert {ended["result"]["ranks"][0], ended["result"]["ranks"][1]} == {3} or (
        sorted(ended["result"]["ranks"])[-2:] == sorted(ended["result"]["ranks"][:2])
    )
    assert set(ended["result"]["winners"]) <= {2, 3}


def test_a_rematch_changes_seats(ann: Person, bob: Person) -> None:
    room, first, second = table(ann, bob)
    assert ann.refused("POST", f"/api/rooms/{room}/rematch") == "on"
    first.send(t="resign")
    second.wait("happened")
    again = bob.do(room, "rematch")["rematch"]
    assert first.event("rematch")["rematch"] == again
    assert ann.do(room, "rematch")["rematch"] == again
    found = bob.ok("GET", f"/api/rooms/{again}")
    assert found["you"] == [0]
    assert [seat["kind"] for seat in found["seats"]] == ["person", "held"]
    assert found["seats"][1]["name"] == "Ann"
    eve = Person(ann.server)
    assert eve.refused("POST", f"/api/rooms/{again}/sit", {"seat": 1}) == "held"
    assert ann.do(again, "sit", seat=1)["begun"]


# Clocks and absence


def test_a_flag_falls(ann: Person, bob: Person) -> None:
    _, first, second = table(ann, bob, clock="bank 1 0")
    assert first.told[0]["clocks"] == {"left": [1000, 1000], "turn": -1}
    first.move(first.wait("offer"))
    moved = second.wait("moved")
    assert moved["clocks"]["turn"] == 1
    fallen = first.wait("happened", seconds=4)
    assert fallen["event"] == "flag"
    assert fallen["result"] == {"winners": [0], "reason": "flag", "ranks": [1, 2]}
    second.send(t="move", ply=second.ply, move="I1.0@a1")
    assert second.wait("error")["code"] in ("stale", "over")


def test_bad_clocks_are_refused_in_a_sentence(ann: Person) -> None:
    for clock in ("bank", "bank 0 5", "bank 1e99 0", "days 0", "days 400", "sand", "bank nan 1"):
        wish = {"game": "blokus", "variant": "duo", "clock": clock}
        assert ann.refused("POST", "/api/rooms", wish) == "notation"


def test_an_absent_player_can_be_replaced_or_beaten(ann: Person, bob: Person) -> None:
    for what in ("replace", "claim"):
        room, first, second = table(ann, bob)
        path = f"/api/rooms/{room}/{what}"
        first.move(first.wait("offer"))
        second.wait("offer")
        assert ann.refused("POST", path, {"seat": 1}) == "present"
        second.close()
        assert until(
            lambda path=path: ann.refused("POST", path, {"seat": 1}) == "grace",  # type: ignore[misc]
            "the leaving seen",
        )
        done = until(
            lambda path=path: ann.ask("POST", path, {"seat": 1, "level": 1}).status_code == 200,  # type: ignore[misc]
            "the end of the grace time",
        )
        assert done
        found = ann.ok("GET", f"/api/rooms/{room}")
        if what == "claim":
            assert found["result"] == {"winners": [0], "reason": "absent", "ranks": [1, 2]}
        else:
            assert found["seats"][1]["level"] == 1
            assert first.wait("offer")["seat"] == 0
            assert bob.do(room, "sit", seat=1)["seats"][1].get("level", 0) == 0


# Bots


@pytest.mark.parametrize("level", [1, 3, 4])
def test_bots_of_ours_play(ann: Person, level: int) -> None:
    seats = [{"kind": "person"}, {"kind": "bot", "level": level}]
    socket = ann.socket(ann.room(seats=seats)["id"])
    for _ in range(2):
        socket.move(socket.wait("offer"))
    socket.wait("offer")
    assert [m["seat"] for m in socket.told if m["t"] == "moved"] == [0, 1, 0, 1]


def test_an_open_seat_can_be_given_to_a_bot(ann: Person, bob: Person) -> None:
    room = ann.room()["id"]
    path = f"/api/rooms/{room}/replace"
    assert bob.refused("POST", path, {"seat": 1, "level": 1}) == "seat"
    assert ann.refused("POST", path, {"seat": 1, "level": 10}) == "invalid"
    assert ann.do(room, "replace", seat=1, level=1)["begun"]


def test_a_program_plays_by_its_token(ann: Person) -> None:
    made = ann.ok("POST", "/api/bots", {"name": "Turing"})
    assert ann.refused("GET", "/api/bot/events") == "token"
    bot = httpx.Client(
        base_url=ann.server.url, headers={"Authorization": f"Bearer {made['token']}"}, timeout=20
    )
    assert bot.get("/api/me").json() == {"id": made["id"], "name": "Turing", "bot": True}
    room = ann.room(seats=[{"kind": "person"}, {"kind": "bot", "program": made["id"]}])
    assert room["begun"]
    assert room["seats"][1]["kind"] == "bot"
    assert room["seats"][1]["name"] == "Turing"
    socket = ann.socket(room["id"])
    with bot.stream("GET", "/api/bot/events") as events:
        lines = (json.loads(line) for line in events.iter_lines() if line)
        first = next(lines)
        assert first["type"] == "start"
        assert (first["room"], first["seats"]) == (room["id"], [1])
        socket.move(socket.wait("offer"))
        turn = next(lines)
        assert turn["type"] == "turn"
        offer = bot.get(f"/api/rooms/{room['id']}/offer").json()
        assert offer["ply"] == turn["ply"]
        wish = {"ply": turn["ply"], "move": offered(offer)}
        assert bot.post(f"/api/rooms/{room['id']}/move", json=wish).status_code == 200
        socket.wait("offer")
        with bot.stream("GET", f"/api/bot/rooms/{room['id']}/events") as told:
            assert next(json.loads(line) for line in told.iter_lines() if line)["t"] == "room"
        socket.send(t="resign")
        assert next(lines)["type"] == "end"
    bot.close()


# Records and games


def test_positions_of_a_room_and_of_an_uploaded_record(ann: Person, bob: Person) -> None:
    room, first, second = table(ann, bob)
    first.move(first.wait("offer"))
    second.move(second.wait("offer"))
    first.wait("offer")
    before = ann.ok("GET", f"/api/rooms/{room}/positions/0")
    assert before["scores"] == [-89, -89]
    after = ann.ok("GET", f"/api/rooms/{room}/positions/2")
    assert after["marks"] == ann.ok("GET", f"/api/rooms/{room}")["marks"]
    assert after["events"][0]["key"] == "placed"
    assert sum(item["points"] for item in after["account"]) == sum(after["scores"])
    assert ann.refused("GET", f"/api/rooms/{room}/positions/3") == "missing"
    text = ann.ask("GET", f"/api/rooms/{room}/record").text
    kept = ann.http.post("/api/records", content=text).json()
    assert kept["plies"] == 2
    assert ann.ok("GET", f"/api/records/{kept['id']}/positions/2") == after
    assert ann.ask("GET", f"/api/records/{kept['id']}").text == text
    sgf = ann.ask("GET", f"/api/rooms/{room}/record?format=blksgf").text
    assert ann.http.post("/api/records", content=sgf).json()["scores"] == kept["scores"]


@pytest.mark.parametrize(
    ("text", "said"),
    [("", "not a record"), ("game: chess\n\n", "no such game"), ("\xff", "expected a header"),
     ("game: blokus\nvariant: duo\n\nF.0@d9\nF.0@d9\n", "ply 2"), ("a\0", "zero byte")],
)  # fmt: skip
def test_bad_records_are_refused_in_a_sentence(ann: Person, text: str, said: str) -> None:
    answer = ann.http.post("/api/records", content=text)
    assert answer.status_code == 422
    assert said in answer.json()["text"]


def test_games_come_with_words_and_sprites(ann: Person) -> None:
    found = {game["name"]: game for game in ann.ok("GET", "/api/games?language=nl")}
    assert {"duo", "classic"} <= {variant["id"] for variant in found["blokus"]["variants"]}
    for name, game in found.items():
        one = ann.ok("GET", f"/api/games/{name}")
        assert one["language"] == "en"
        sprites = ann.ok("GET", f"/api/games/{name}/sprites")
        for variant in game["variants"]:
            room = ann.room(game=name, variant=variant["id"])
            assert len(room["seats"]) == variant["seats"]
            assert {mark["sprite"] for mark in room["marks"]} <= {"", *sprites["sprites"]}
            paints = {m["colour"] for m in [*room["marks"], *room["planes"]] if m.get("colour")}
            assert paints <= set(sprites["paints"])
    assert ann.refused("GET", "/api/games/chess") == "missing"
    wish = {"game": "blokus", "variant": "five"}
    assert ann.refused("POST", "/api/rooms", wish) == "notation"


# Storage


def test_rooms_go_on_after_a_restart(tmp_path: Path) -> None:
    with tegel(tmp_path, "--bots", "1") as server:
        ann, bob = Person(server, "Ann"), Person(server, "Bob")
        room, first, second = table(ann, bob)
        first.move(first.wait("offer"))
        second.wait("offer")
        machines = ann.room(
            variant="classic", seats=[{"kind": "person"}, *[{"kind": "bot", "level": 1}] * 3]
        )
        alone = ann.socket(machines["id"])
        alone.move(alone.wait("offer"))
        assert server.stop() in (0, -signal.SIGTERM)
        server.start()
        again = bob.socket(room)
        fresh = again.wait("room")
        assert len(fresh["moves"]) == 1
        assert fresh["you"] == [1]
        again.move(again.wait("offer"))
        assert again.wait("moved")["turn"] == 0
        until(
            lambda: ann.ok("GET", f"/api/rooms/{machines['id']}")["turn"] == 0,
            "the moves of the bots",
        )
        server.check()


def test_bank_clocks_stand_still_while_nobody_serves(tmp_path: Path) -> None:
    with tegel(tmp_path) as server:
        ann, bob = Person(server), Person(server)
        room, first, second = table(ann, bob, clock="bank 8 0")
        first.move(first.wait("offer"))
        second.wait("offer")
        server.kill()
        time.sleep(9)
        server.start()
        found = ann.ok("GET", f"/api/rooms/{room}")
        assert not found["over"]
        assert 2000 < found["clocks"]["left"][1] < 8000
        server.check()


def test_old_rooms_are_forgotten(tmp_path: Path) -> None:
    with tegel(tmp_path, "--keep-days", "3") as server:
        ann = Person(server)
        old, young = ann.room()["id"], ann.room()["id"]
        server.stop()
        base = sqlite3.connect(tmp_path / "tegel.db")
        with base:
            base.execute("update rooms set touched = touched - 4*86400000 where id = ?", (old,))
        base.close()
        server.start()
        until(lambda: ann.ask("GET", f"/api/rooms/{old}").status_code == 404, "forgetting")
        assert ann.ok("GET", f"/api/rooms/{young}")
        base = sqlite3.connect(tmp_path / "tegel.db")
        assert base.execute("select count(*) from log where room = ?", (old,)).fetchone() == (0,)
        base.close()


# Security and operation


def test_other_sites_are_not_answered(ann: Person) -> None:
    evil = {"Origin": "https://evil.example"}
    answer = ann.http.post("/api/rooms", json={"game": "blokus"}, headers=evil)
    assert (answer.status_code, answer.json()["code"]) == (403, "origin")
    own = {"Origin": ann.server.url}
    assert ann.http.post("/api/rooms", json={"game": "blokus"}, headers=own).status_code == 201
    room = ann.room()["id"]
    url = f"ws://127.0.0.1:{ann.server.port}/api/rooms/{room}/socket"
    with pytest.raises(InvalidStatus) as caught:
        connect(url, origin=Origin("https://evil.example"), proxy=None, legacy=True)
    assert caught.value.response.status_code == 403
    connect(url, origin=Origin(ann.server.url), proxy=None, legacy=True).close()


def test_cookies_can_not_be_forged(ann: Person) -> None:
    room = ann.room()["id"]
    cookie = ann.cookie()
    assert "HttpOnly" in httpx.get(f"{ann.server.url}/api/me").headers["set-cookie"]
    forged = cookie.split("=")[0] + "=" + cookie.split("=")[1].split(".")[0] + "." + "A" * 32
    for text in (forged, "tegel=", "tegel=x", "tegel=.", f"{cookie}x"):
        answer = httpx.get(f"{ann.server.url}/api/rooms/{room}", headers={"Cookie": text})
        assert answer.json()["you"] == []
    answer = httpx.get(f"{ann.server.url}/api/rooms/{room}", headers={"Cookie": cookie})
    assert answer.json()["you"] == [0]


def test_every_answer_carries_the_usual_headers(ann: Person) -> None:
    for path in ("/", "/page.css", "/api/games", "/nothing", "/api/nothing", "/r/abc"):
        headers = ann.ask("GET", path).headers
        assert "default-src 'none'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"


def test_large_bodies_and_messages_are_refused(ann: Person, bob: Person) -> None:
    assert ann.http.post("/api/records", content=b"x" * 5_000_000).status_code == 413

    def chunks() -> Iterator[bytes]:
        for _ in range(100):
            yield b"x" * 100_000

    assert ann.http.post("/api/records", content=chunks()).status_code == 413
    _, first, _ = table(ann, bob)
    first.send(t="move", ply=0, move="x" * 5000)
    assert first.wait("error")["code"] == "size"
    first.connection.send("x" * 100_000)
    with pytest.raises(ConnectionClosed) as caught:
        _to_end(first)
    assert caught.value.rcvd
    assert caught.value.rcvd.code == 1009


def _to_end(socket: Socket) -> None:
    while True:
        socket.next(5)


def test_rates_and_caps(tmp_path: Path) -> None:
    with tegel(tmp_path, "--limits", "0.2") as server:
        person = Person(server)
        made = [person.ask("POST", "/api/rooms", {"game": "blokus"}) for _ in range(30)]
        assert {answer.status_code for answer in made} == {201, 429}
        room = next(answer.json()["id"] for answer in made if answer.status_code == 201)
        socket = person.socket(room)
        socket.wait("room")
        for _ in range(20):
            socket.send(t="ping")
        assert socket.wait("error")["code"] == "rate"
        many = [person.socket(room) for _ in range(39)]  # 200 * 0.2, and one is there
        with pytest.raises(InvalidStatus):
            person.socket(room)
        for each in [socket, *many]:
            each.close()


def test_health_and_metrics(ann: Person, server: Tegel) -> None:
    assert ann.ok("GET", "/healthz")["ok"]
    text = ann.ask("GET", "/metrics").text
    assert "tegel_rows_total" in text
    assert "tegel_commit_seconds_bucket" in text
    outside = ann.http.get("/metrics", headers={"X-Forwarded-For": "1.2.3.4"})
    assert outside.status_code == 404
    ann.room()
    paths = [entry.get("route") for entry in server.entries() if entry["message"] == "request"]
    assert "/api/rooms" in paths


def test_the_secret_is_made_once_and_kept(tmp_path: Path) -> None:
    with tegel(tmp_path) as server:
        ann = Person(server)
        secret = tmp_path / "secret"
        assert secret.stat().st_mode & 0o777 == 0o600
        before = secret.read_text()
        server.stop()
        server.start()
        assert secret.read_text() == before
        assert ann.ok("GET", "/api/me")["id"] == ann.id


def test_serve_refuses_bad_options_in_a_sentence() -> None:
    cases = [
        (["--workers", "2"], "several workers need a bus"),
        (["--workers", "2", "--bus", "redis://x"], "several workers need PostgreSQL"),
        (["--database", "mysql://x"], "a database is SQLite or PostgreSQL"),
        (["--database", "nonsense"], "a database is like"),
        (["--database", "postgresql://u:secret@127.0.0.1:1/x"], "the database can't be used"),
        (["--database", "sqlite://"], "a SQLite database is a file"),
        (["--data", "/proc/nothing"], "can't be used as data folder"),
        (["--log", "xml"], "a log is json or text"),
    ]
    started = [
        subprocess.Popen(
            [sys.executable, "-m", "tegel", "serve", *words],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )
        for words, _ in cases
    ]  # fmt: skip
    for process, (_, said) in zip(started, cases, strict=True):
        out, err = process.communicate(timeout=90)
        assert (process.returncode, out) == (2, b""), err
        assert said in err.decode()
        assert b"secret" not in err
        assert err.count(b"\n") == 1
