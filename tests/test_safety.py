"""Safety: players whom one does not want to meet, games that the host should hear of, and what
the host then does on the command line, while the server runs."""

import json
import sqlite3
import subprocess
import sys

import pytest

from servers import Person, Tegel, offered, table, until


def people(server: Tegel, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tegel", "people", *words, "--data", str(server.folder)]
    return subprocess.run(command, capture_output=True, text=True, timeout=60)


def said(server: Tegel, *words: str) -> str:
    done = people(server, *words)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_who_is_blocked_sits_down_at_no_table_of_who_blocked(
    server: Tegel, ann: Person, bob: Person
) -> None:
    room = ann.room()["id"]
    bob.do(room, "sit", seat=1)
    (blocked,) = ann.ok("POST", f"/api/rooms/{room}/seats/1/block")
    assert blocked["name"] == "Bob"
    assert len(ann.ok("POST", f"/api/rooms/{room}/seats/1/block")) == 1, "once is enough"
    assert ann.do(room, "sit", seat=0)["you"] == [0], "a game that they play goes on"
    next, his = ann.room()["id"], bob.room()["id"]
    assert bob.refused("POST", f"/api/rooms/{next}/sit", {"seat": 1}) == "blocked"
    assert ann.refused("POST", f"/api/rooms/{his}/sit", {"seat": 1}) == "blocked"
    socket = bob.socket(next)
    socket.wait("room")
    socket.send(t="sit", seat=1)
    assert socket.wait("error")["code"] == "blocked"
    Person(server).do(next, "sit", seat=1)
    ann.do(room, "resign")
    for player in (ann, bob):
        assert player.refused("POST", f"/api/rooms/{room}/rematch") == "blocked"
    assert bob.ok("GET", "/api/me/blocks") == [], "he is not told"
    assert ann.ok("POST", "/api/me/blocks/remove", {"key": blocked["key"]}) == []
    assert bob.do(room, "rematch")["rematch"]


def test_who_blocks_learns_nothing_about_the_other(server: Tegel, ann: Person, bob: Person) -> None:
    room = ann.room()["id"]
    bob.do(room, "sit", seat=1, name="Robert")
    bob.room(name="Zorro")
    stranger = Person(server)
    answer = stranger.ask("POST", f"/api/rooms/{room}/seats/1/block")
    assert answer.status_code == 403, "only who sits at the table can"
    assert stranger.ok("GET", "/api/me/blocks") == []
    answer = ann.ask("POST", f"/api/rooms/{room}/seats/1/block")
    (blocked,) = answer.json()
    assert set(blocked) == {"key", "name", "at"}
    assert blocked["name"] == "Robert", "as he is called at that table"
    assert bob.id not in answer.text
    assert bob.id not in json.dumps(ann.ok("GET", "/api/me/export")["blocks"])
    assert ann.ok("POST", "/api/me/blocks/remove", {"key": "x" * 32}) == [blocked]
    assert ann.ok("POST", "/api/me/blocks/remove", {"key": blocked["key"]}) == []


def test_blocks_of_earlier_editions_can_be_listed_and_undone(
    server: Tegel, ann: Person, bob: Person
) -> None:
    room = ann.room()["id"]
    bob.do(room, "sit", seat=1, name="Robert")
    bob.room(name="Zorro")  # where Ann has never been
    with sqlite3.connect(server.folder / "tegel.db") as database:
        row = (ann.id, bob.id, 1)
        database.execute("INSERT INTO blocks (player, blocked, at) VALUES (?, ?, ?)", row)
    database.close()
    (blocked,) = ann.ok("GET", "/api/me/blocks")
    assert blocked["name"] == "Robert", "as he is called where they met"
    assert ann.ok("POST", "/api/me/blocks/remove", {"key": blocked["key"]}) == []


def test_nobody_blocks_themselves_or_an_empty_seat(ann: Person) -> None:
    room = ann.room()["id"]
    for seat in (0, 1, 9):
        assert ann.refused("POST", f"/api/rooms/{room}/seats/{seat}/block") == "blocking"


@pytest.mark.sliced(2)
def test_players_report_others_of_their_own_table(server: Tegel, ann: Person, bob: Person) -> None:
    room = ann.room()["id"]
    bob.do(room, "sit", seat=1)
    path = f"/api/rooms/{room}/report"
    for person, seat in ((Person(server), 1), (ann, 0), (ann, 5)):
        body = {"seat": seat, "reason": "other"}
        assert person.refused("POST", path, body) == "reporting"
    wrong = {"seat": 1, "reason": "He said something long and rude."}
    assert ann.refused("POST", path, wrong) == "invalid"
    ann.ok("POST", path, {"seat": 1, "reason": "phrases"})
    ann.ok("POST", path, {"seat": 1, "reason": "cheating"})
    first, second, *_ = said(server, "reports").splitlines()
    assert first.endswith(f"cheating: Bob ({bob.id})"), "the last word of each counts"
    assert second == f"    blokus in room {room}, reported by {ann.id}"
    assert said(server, "settle", bob.id).endswith(": 1 settled.\n")
    assert room not in said(server, "reports")
    assert "cheating, settled: Bob" in said(server, "reports", "--all")


@pytest.mark.sliced(2)
def test_a_banned_player_may_look_and_no_more(server: Tegel, ann: Person, bob: Person) -> None:
    room, first, second = table(ann, bob)
    bob.ok("POST", "/api/me/account", {"handle": "Bad-Bob"})
    ann.ok("POST", f"/api/rooms/{room}/report", {"seat": 1, "reason": "stalling"})
    assert f"stalling: @Bad-Bob ({bob.id})" in said(server, "reports")
    assert said(server, "ban", "@bad-bob") == f"@Bad-Bob ({bob.id}) is banned.\n"
    until(lambda: bob.ask("POST", "/api/rooms", {"game": "blokus"}).status_code == 403, "the ban")
    assert bob.refused("POST", f"/api/rooms/{room}/resign", {}) == "banned"
    assert bob.id not in said(server, "reports"), "it is settled"
    for message in ({"t": "react", "key": "hello"}, {"t": "resign"}):
        second.send(**message)
        assert second.wait("error")["code"] == "banned"
    assert bob.ok("GET", f"/api/rooms/{room}")["you"] == [1]
    assert bob.ok("GET", "/api/me/export")["players"]
    offer = first.wait("offer")
    ann.do(room, "move", ply=offer["ply"], move=offered(offer))
    assert said(server, "unban", bob.id).endswith("may play again.\n")
    until(lambda: bob.ask("POST", "/api/rooms", {"game": "blokus"}).status_code == 201, "its end")
    said(server, "ban", bob.id)
    until(lambda: bob.ask("POST", "/api/rooms", {"game": "blokus"}).status_code == 403, "the ban")
    bob.ok("POST", "/api/me/delete", {"sure": True})


def test_a_host_calls_somebody_otherwise(server: Tegel, ann: Person, bob: Person) -> None:
    _, first, _ = table(ann, bob)
    ann.ok("POST", "/api/me/account", {"handle": "Rude-Word"})
    first.wait("room")
    assert said(server, "rename", "@rude-word", "Ann-7").endswith("is called @Ann-7 now.\n")
    assert first.wait("room")["seats"][0]["handle"] == "Ann-7"
    assert said(server, "rename", bob.id, "@Somebody").endswith("is called Somebody now.\n")
    seat = first.wait("room")["seats"][1]
    assert seat["name"] == "Somebody"
    assert "handle" not in seat
    assert bob.ok("GET", "/api/me")["name"] == "Somebody"


@pytest.mark.sliced(2)
def test_what_is_wrong_on_the_command_line_is_one_sentence(server: Tegel, ann: Person) -> None:
    ann.ok("POST", "/api/me/account", {"handle": "Anneke"})
    for words in (("ban", "nobody-here"), ("rename", "@anneke", "x"), ("unban", "@"),
                  ("rename", "@anneke", "admin"), ("settle", json.dumps({"a": 1}))):  # fmt: skip
        done = people(server, *words)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith("tegel: ")
        assert done.stderr.count("\n") == 1
