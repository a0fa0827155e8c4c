"""No help in running games: not at the table, not by a record, not by playing on from there."""

import re

import pytest

from servers import Person, Tegel, offered, table
from tegel import games
from tegel.games.blokus.notation import covering
from test_fortress_load import Stranger


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
    record = uploaded(ann, text)
    assert asked(ann, record, 6) == "running"
    assert asked(bob, record, 6) == "running"
    assert asked(Person(server), record, 6) == "running", "another browser of the same network"
    assert asked(ann, record, 5) == "given", "it does not stand there any more"
    for source in (f"records/{record}", f"rooms/{room}"):
        wish = {"source": source, "ply": 6}
        assert ann.refused("POST", "/api/rooms/continued", wish) == "running"
    ann.do(room, "resign")
    assert asked(ann, record, 6) == "given", "it is over"


def in_mirror(text: str) -> str:
    """The record of a Duo game, flipped about the diagonal on which the starting squares lie."""
    head, _, moves = text.partition("\n\n")
    game = games.load("blokus")
    flipped = [
        covering([(13 - y, 13 - x) for x, y in game.parse(line.split()[0]).cells])
        for line in moves.splitlines()
    ]
    return "\n".join([head, "", *map(str, flipped), ""])


def test_a_position_in_a_mirror_is_the_same(ann: Person, bob: Person) -> None:
    room = played(ann, bob, 6)
    text = ann.http.get(f"/api/rooms/{room}/record").text
    assert in_mirror(in_mirror(text)).split() == text.split()
    record = uploaded(ann, in_mirror(text))
    assert asked(ann, record, 6) == "running"
    assert asked(ann, record, 5) == "given"


def test_who_sat_down_and_moved_over_http_was_at_an_address(ann: Person, server: Tegel) -> None:
    """Bob's second browser is Bob's, though all that Bob did was to sit down and play."""
    bob, again = (Stranger(server, "127.0.0.21") for _ in range(2))
    room = played(ann, bob, 6)
    record = uploaded(ann, ann.http.get(f"/api/rooms/{room}/record").text)
    assert asked(again, record, 6) == "running"
    assert asked(Stranger(server, "127.0.0.22"), record, 6) == "given", "nobody who plays there"


def test_common_openings_are_anybodys(ann: Person, bob: Person) -> None:
    room = played(ann, bob, 2)
    assert asked(ann, uploaded(ann, ann.http.get(f"/api/rooms/{room}/record").text), 2) == "given"


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
