"""Studies over the network: made, changed, seen by others, copied, taken along, deleted."""

import sqlite3

import pytest

from servers import Message, Person, Tegel, offered, table
from studying import DUO, Student, study
from tegel import games, tree
from tegel.place.studies.studies import MOST
from test_fortress_help import played

SERVE = ("--analyses", "1", "--analysis-seconds", "3", "--report-seconds", "1")


def moves(line: list[Message]) -> list[str]:
    return [step["move"] for step in line]


def test_a_move_begins_a_variation_that_all_who_watch_see(ann: Person, bob: Person) -> None:
    made = study(ann)
    assert (moves(made["line"]), made["yours"]) == (["F.0@d9", "F.0@i3"], True)
    assert [step["colour"] for step in made["line"]] == ["blue", "yellow"]
    own, guest = Student(ann, made["id"]), Student(bob, made["id"])
    own.wait("study")
    assert "yours" not in guest.wait("study")
    node = ann.ok("GET", f"/api/studies/{made['id']}/nodes/0")
    assert node["position"]["ply"] == 1
    move = offered(node["offer"], 3)
    after = own.change(f"play 0\n{move}")
    assert moves(after["line"][1]["others"][0]) == [move]
    assert guest.wait("study")["line"] == after["line"]
    own.change("note 1.0.0 what if?")
    assert guest.wait("study")["line"][1]["others"][0][0]["note"] == "what if?"
    promoted = own.change("promote 1.0.0")
    assert moves(promoted["line"]) == ["F.0@d9", move]
    assert guest.wait("study")["line"] == promoted["line"]
    assert own.change("undo")["line"] == guest.wait("study")["line"]
    text = bob.http.get(f"/api/studies/{made['id']}/text").text
    assert tree.parse(text).step((1, 0, 0)).note == "what if?"
    guest.send(t="change", rows=own.rows, text="undo")
    assert guest.wait("error")["code"] == "owner"


def test_what_is_illegal_is_refused_with_its_reason(ann: Person) -> None:
    made = study(ann)
    own = Student(ann, made["id"])
    own.wait("study")
    refused = own.change("play 1\nI5.0@a1")
    assert (refused["code"], refused["rule"]) == ("illegal", "corner"), refused
    assert own.change("play 9\nI5.0@a1")["code"] == "missing"
    assert own.change("dance")["code"] == "notation"
    assert own.change("note 0 " + "x" * 2001)["code"] == "notation"
    own.send(t="change", rows=7, text="undo")
    assert own.wait("error")["code"] == "stale"
    assert ann.refused("GET", f"/api/studies/{made['id']}/nodes/0.0") == "missing"


@pytest.mark.parametrize("name", games.names())
def test_an_empty_board_of_every_game_is_played_on(ann: Person, name: str) -> None:
    """Chance has drawn at the beginning, and draws after a move."""
    made = study(ann, game=name)
    at = str(len(made["line"]) - 1) if made["line"] else "-"
    for _ in range(3):
        node = ann.ok("GET", f"/api/studies/{made['id']}/nodes/{at}")
        assert node["position"]["turn"] >= 0
        offer = node["offer"]
        if offer.get("any"):
            return  # by eye: tried in a browser
        move = offered(offer, 1, name)
        wish = {"rows": made["rows"], "text": f"play {at}\n{move}"}
        made = ann.ok("POST", f"/api/studies/{made['id']}/changes", wish)
        at = str(len(made["line"]) - 1)
    assert [step["seat"] >= 0 for step in made["line"]].count(True) == 3


def test_a_position_as_text_is_where_a_study_begins(ann: Person) -> None:
    state = games.position(DUO)
    made = study(ann, text=str(state))
    assert made["line"] == []
    node = ann.ok("GET", f"/api/studies/{made['id']}/nodes/-")
    assert node["position"]["scores"] == list(state.scores)
    move = offered(node["offer"], 2)
    wish = {"rows": 1, "text": f"play -\n{move}"}
    after = ann.ok("POST", f"/api/studies/{made['id']}/changes", wish)
    assert (after["line"][0]["move"], after["line"][0]["colour"]) == (move, "blue")
    again = study(ann, source=f"studies/{made['id']}")
    assert again["line"] == after["line"], "a copy has the same moves"


def test_a_finished_game_has_one_study_a_person(ann: Person, bob: Person) -> None:
    room, first, _ = table(ann, bob)
    first.move(first.wait("offer"))
    first.wait("moved")
    assert ann.refused("POST", "/api/studies", {"source": f"rooms/{room}"}) == "on"
    bob.do(room, "resign")
    one, two = (study(who, source=f"rooms/{room}") for who in (ann, bob))
    assert one["id"] != two["id"]
    assert one["headers"] == {}, "nobody's name is kept in it"
    assert study(ann, source=f"rooms/{room}")["id"] == one["id"]
    listed = ann.ok("GET", "/api/my/studies")
    assert listed[0]["id"] == one["id"]
    assert listed[0]["source"] == f"rooms/{room}"


@pytest.mark.parametrize(
    "wish",
    [{"text": "game: blokus\nvariant: duo\n\nF.3@zz\n"}, {"text": "nonsense"}, {"game": "chess"},
     {"game": "puzzle"}, {"text": DUO + "(\n"}, {"game": "blokus", "variant": "x"}, {},
     {"text": DUO + "(\nI5.0@a1\n)\n"}, {"text": "blokus duo\nturn: x\n"},
     {"game": "blokus", "options": {"corners": "round"}}, {"text": "x" * 60_000}],
)  # fmt: skip
def test_what_can_t_be_looked_into_is_refused_in_a_sentence(ann: Person, wish: Message) -> None:
    assert ann.refused("POST", "/api/studies", wish) in ("record", "notation", "invalid")


def test_nobody_analyses_a_game_they_play(ann: Person, bob: Person, server: Tegel) -> None:
    """Not by its text, not by its position, not with another browser of the same network."""
    room = played(ann, bob, 6)
    text = ann.http.get(f"/api/rooms/{room}/record").text
    state = games.position(text)
    for who in (ann, bob, Person(server)):
        for wish in (text, str(state)):
            made = study(who, text=wish)
            own = Student(who, made["id"])
            line = own.wait("study")["line"]
            own.send(t="think", path=str(len(line) - 1) if line else "-")
            assert own.wait("thought", "rested")["code"] == "running"
            if line:
                assert who.refused("POST", f"/api/studies/{made['id']}/report") == "running"
    bob.do(room, "resign")
    own.send(t="think", path="-")
    assert own.wait("thought", "rested")["t"] == "thought"


def test_a_study_is_exported_and_deleted_with_its_owner(server: Tegel) -> None:
    cid = Person(server, "Cid")
    made = study(cid)
    exported = cid.ok("GET", "/api/me/export")
    assert exported["studies"][0]["log"][0][2].startswith("game: blokus")
    other = study(cid, game="tantrix")
    assert [one["id"] for one in cid.ok("DELETE", f"/api/studies/{other['id']}")] == [made["id"]]
    assert cid.refused("GET", f"/api/studies/{other['id']}") == "missing"
    dan = Person(server)
    guest = Student(dan, made["id"])
    guest.wait("study")
    cid.ok("POST", "/api/me/delete", {"sure": True})
    assert guest.wait("error")["code"] == "missing", "whoever watches is told"
    assert dan.refused("GET", f"/api/studies/{made['id']}") == "missing"
    with sqlite3.connect(server.folder / "tegel.db") as stored:
        for name in ("studies", "study_rows"):
            column = "study" if name == "study_rows" else "id"
            found = stored.execute(f"SELECT * FROM {name} WHERE {column} = ?", (made["id"],))
            assert not found.fetchall(), name


def test_a_study_that_another_deleted_does_not_come_back(ann: Person, server: Tegel) -> None:
    """Not even a row of it, though it is open here and nobody said so."""
    made = study(ann)
    with sqlite3.connect(server.folder / "tegel.db") as stored:
        stored.execute("DELETE FROM study_rows WHERE study = ?", (made["id"],))
        stored.execute("DELETE FROM studies WHERE id = ?", (made["id"],))
    wish = {"rows": 1, "text": "note 0 private"}
    assert ann.refused("POST", f"/api/studies/{made['id']}/changes", wish) == "missing"
    with sqlite3.connect(server.folder / "tegel.db") as stored:
        found = stored.execute("SELECT * FROM study_rows WHERE study = ?", (made["id"],))
        assert not found.fetchall()


def test_a_person_has_only_so_many_studies(server: Tegel) -> None:
    cid = Person(server)
    made = study(cid)
    with sqlite3.connect(server.folder / "tegel.db") as stored:
        row = stored.execute("SELECT * FROM studies WHERE id = ?", (made["id"],)).fetchone()
        stored.executemany(
            f"INSERT INTO studies VALUES ({','.join('?' * len(row))})",
            [(f"x{number}", *row[1:]) for number in range(MOST - 1)],
        )
    assert cid.refused("POST", "/api/studies", {"text": DUO}) == "full"
