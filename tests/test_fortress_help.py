"""No help in running games: not at the table, not by a record, not by playing on from there."""

import re
import sqlite3
from itertools import product

import pytest

from servers import Person, Tegel, offered, table
from studying import Student, study
from tegel import games, record
from tegel.games.blokus import GAME
from tegel.games.blokus.notation import covering
from tegel.place.safety.fairness import MOST
from test_fortress_load import Stranger

OTHER = """game: blokus
variant: duo

Z5.5@e8
F.6@i3
N.0@h6
O.0@g2
F.3@e11
T4.0@e4
"""  # a game that nobody plays


def played(ann: Person, bob: Person, plies: int, **wish: object) -> str:
    """A game of two after some moves, with nobody at a socket."""
    room: str = ann.room(**wish)["id"]
    bob.do(room, "sit", seat=1)
    for ply in range(plies):
        mover = (ann, bob)[ply % 2]
        offer = mover.ok("GET", f"/api/rooms/{room}/offer")
        mover.do(room, "move", ply=offer["ply"], move=offered(offer, 7 * ply))
    return room


def uploaded(person: Person, text: str) -> str:
    answer = person.http.post("/api/records", content=text.encode())
    assert answer.status_code == 201, answer.text
    id: str = answer.json()["id"]
    return id


def asked(person: Person, record: str, ply: int) -> str:
    """What comes of asking for a hint: `given`, or the code of the refusal."""
    answer = person.ask("POST", f"/api/records/{record}/positions/{ply}/hint")
    return "given" if answer.status_code == 200 else str(answer.json()["code"])


def test_hints_at_a_table_with_people_only_where_agreed(ann: Person, bob: Person) -> None:
    room, _, _ = table(ann, bob)
    assert ann.refused("POST", f"/api/rooms/{room}/hint") == "hints"
    agreed, _, watching = table(ann, bob, hints=True)
    assert bob.ok("GET", f"/api/rooms/{agreed}")["hinting"], "who sits down can see it"
    assert ann.refused("POST", f"/api/rooms/{agreed}/hint") == "running", "it helps in the first"
    ann.do(room, "resign")
    assert ann.ok("POST", f"/api/rooms/{agreed}/hint")["move"]
    assert watching.event("hint")["hints"] == 1, "all see that one was taken"


def test_hints_against_bots_are_as_before(ann: Person) -> None:
    room = ann.room(seats=[{"kind": "person"}, {"kind": "bot", "level": 1}])["id"]
    assert ann.ok("POST", f"/api/rooms/{room}/hint")["move"]


def test_a_position_of_a_running_game_is_not_advised_on(
    ann: Person, bob: Person, server: Tegel
) -> None:
    room = played(ann, bob, 6)
    text = ann.http.get(f"/api/rooms/{room}/record").text
    brought = uploaded(ann, text)
    assert asked(ann, brought, 6) == "running"
    assert asked(bob, brought, 6) == "running"
    assert asked(Person(server), brought, 6) == "running", "another browser of the same network"
    assert asked(ann, brought, 5) == "running", "from there it is one move"
    for source, ply in product((f"records/{brought}", f"rooms/{room}"), (6, 5)):
        wish = {"source": source, "ply": ply, "level": 9}
        assert ann.refused("POST", "/api/rooms/continued", wish) == "running"
    ann.do(room, "resign")
    assert asked(ann, brought, 6) == "given", "it is over"


def test_a_move_ahead_of_a_running_game_is_not_advised_on(ann: Person, bob: Person) -> None:
    """Or what the best answer to a move is would say what the move is worth."""
    room = played(ann, bob, 6)
    text = ann.http.get(f"/api/rooms/{room}/record").text
    offer = ann.ok("GET", f"/api/rooms/{room}/offer")
    brought = uploaded(ann, f"{text}{offered(offer, 3)}\n")
    assert asked(ann, brought, 7) == "running"
    wish = {"source": f"records/{brought}", "ply": 7}
    assert ann.refused("POST", "/api/rooms/continued", wish) == "running"
    made = study(ann, text=text)
    own = Student(ann, made["id"])
    own.wait("study")
    own.change(f"play 5\n{offered(offer, 3)}")
    own.send(t="think", path="6")
    assert own.wait("thought", "rested")["code"] == "running"


def test_a_game_can_not_be_hidden_among_others(server: Tegel) -> None:
    cid, dan = Person(server), Person(server)
    room = played(cid, dan, 6)
    brought = uploaded(cid, cid.http.get(f"/api/rooms/{room}/record").text)
    for _ in range(52):
        cid.room()
    assert asked(cid, brought, 6) == "running", "not among tables that nobody came to"
    with sqlite3.connect(server.folder / "tegel.db", timeout=20) as stored:
        found = stored.execute("SELECT * FROM rooms WHERE id = ?", (room,))
        names = [column[0] for column in found.description]
        row = dict(zip(names, found.fetchone(), strict=True))
        many = [{**row, "id": f"{room[:8]}{number}", "waiting": ""} for number in range(MOST)]
        values = ",".join("?" * len(row))
        stored.executemany(
            f"INSERT INTO rooms VALUES ({values})", [list(one.values()) for one in many]
        )
        rows = [(cid.id, one["id"]) for one in many]
        stored.executemany("INSERT INTO playing VALUES (?, ?)", rows)
    other = uploaded(cid, OTHER)
    assert asked(cid, other, 6) == "running", "where too many are on, nobody can say"
    with sqlite3.connect(server.folder / "tegel.db", timeout=20) as stored:
        stored.executemany("DELETE FROM rooms WHERE id = ?", [(one["id"],) for one in many])
    assert asked(cid, other, 6) == "given"


def in_mirror(text: str) -> str:
    """The record of a Duo game, flipped about the diagonal on which the starting squares lie."""
    head, _, moves = text.partition("\n\n")
    flipped = [
        covering([(13 - y, 13 - x) for x, y in GAME.parse(line.split()[0]).cells])
        for line in moves.splitlines()
    ]
    return "\n".join([head, "", *map(str, flipped), ""])


def test_a_position_in_a_mirror_is_the_same(ann: Person, bob: Person) -> None:
    room = played(ann, bob, 6)
    text = ann.http.get(f"/api/rooms/{room}/record").text
    assert in_mirror(in_mirror(text)).split() == text.split()
    brought = uploaded(ann, in_mirror(text))
    assert asked(ann, brought, 6) == "running"


def test_who_sat_down_and_moved_over_http_was_at_an_address(ann: Person, server: Tegel) -> None:
    """Bob's second browser is Bob's, though all that Bob did was to sit down and play."""
    bob, again = (Stranger(server, "127.0.0.21") for _ in range(2))
    room = played(ann, bob, 6)
    brought = uploaded(ann, ann.http.get(f"/api/rooms/{room}/record").text)
    assert asked(again, brought, 6) == "running"
    assert asked(Stranger(server, "127.0.0.22"), brought, 6) == "given", "nobody who plays there"


def test_common_openings_are_anybodys_but_the_players(
    ann: Person, bob: Person, server: Tegel
) -> None:
    room = played(ann, bob, 2)
    brought = uploaded(ann, ann.http.get(f"/api/rooms/{room}/record").text)
    assert asked(ann, brought, 2) == "running"
    assert asked(Person(server), brought, 2) == "given", "somebody else on the same network"


def test_a_study_says_of_no_game_by_eye_what_fits(ann: Person, bob: Person, server: Tegel) -> None:
    """Not in a position, whatever it says of itself, not where a move leads there, nor after it."""
    wish = {"game": "forma", "variant": "two", "options": {"layout": "random", "assist": "off"}}
    room = ann.room(**wish)["id"]
    bob.do(room, "sit", seat=1)
    text = ann.http.get(f"/api/rooms/{room}/record").text.replace("assist=off", "assist=on")
    position = str(games.position(text))
    move = str(games.position(text).moves()[0])
    cid = Person(server)
    assert cid.refused("POST", "/api/studies", {"text": position}) == "eye"
    folded = record.folded(position)
    brought = f"game: forma\nvariant: two\nstart-position: {folded}\n\n"
    for body in (brought, f"{brought}{move}\n"):
        assert cid.http.post("/api/records", content=body.encode()).json()["code"] == "eye"
    ann.do(room, "resign")
    assert study(cid, text=position)


def test_a_study_made_before_says_nothing_while_its_board_is_played_by_eye(
    ann: Person, bob: Person
) -> None:
    layout = "k11:c4,e9,f2,h16,m3,n13,q7,r18,t5"
    options = {"layout": layout, "assist": "on"}
    made = study(ann, game="forma", variant="two", options=options)
    here, at = f"/api/studies/{made['id']}", len(made["line"]) - 1
    before = ann.ok("GET", f"{here}/nodes/{at}")
    move = offered(before["offer"], 0, "forma")
    wish = {"game": "forma", "variant": "two", "options": {**options, "assist": "off"}}
    room = ann.room(**wish)["id"]
    bob.do(room, "sit", seat=1)
    assert ann.refused("GET", f"{here}/nodes/{at}") == "eye"
    change = {"rows": 1, "text": f"play {at}\n{move}"}
    assert ann.refused("POST", f"{here}/changes", change) == "eye"
    ann.do(room, "resign")
    ann.ok("POST", f"{here}/changes", change)


@pytest.mark.parametrize("assist", ["off", "on"])
def test_a_game_by_eye_is_for_nobody_until_it_is_over(
    ann: Person, bob: Person, server: Tegel, assist: str
) -> None:
    """Whatever a record says of itself: its positions stand in a game by eye."""
    wish = {"game": "forma", "variant": "two", "options": {"layout": "random", "assist": "off"}}
    room = ann.room(**wish)["id"]
    bob.do(room, "sit", seat=1)
    text = ann.http.get(f"/api/rooms/{room}/record").text
    tried = text.replace("assist=off", f"assist={assist}") + "I5.0@a1\n"
    still = tried.rpartition("\n")[0].rpartition("\n")[0] + "\n"
    flipped = re.sub("@([a-t])", lambda at: f"@{chr(ord('a') + ord('t') - ord(at[1]))}", still)
    assert flipped != still
    for person in (ann, Person(server)):
        for body in (tried, still, flipped):
            answer = person.http.post("/api/records", content=body.encode())
            assert (answer.status_code, answer.json()["code"]) == (409, "eye")
    ann.do(room, "resign")
    uploaded(ann, text)
