"""Playing on the server: real processes, real sockets, SQLite on disk."""

import json
import random
import subprocess
import sys

import httpx

from servers import Person, changed, table, until

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
    assert first.told[-1]["grace"] == 1000, "as the server was told"
    watching.close()


def test_who_sits_down_where_they_watched_is_here_at_once(ann: Person, bob: Person) -> None:
    room = ann.room()["id"]
    first, second = ann.socket(room), bob.socket(room)
    until(lambda: first.wait("presence")["watchers"] == 1, "a watcher seen")
    second.send(t="sit", seat=1)
    until(lambda: first.wait("presence")["here"] == [0, 1], "the sitting down seen")


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
    full = {room["id"]: room["open"] for room in bob.ok("GET", "/api/rooms")}
    assert full[public] == 0, "a game that is on can be watched"


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
