"""Nobody is cheated: absence, seats and their links, and whose word counts."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import httpx
import pytest

from servers import Person, Tegel, offered, table, until

SERVE = ("--grace", "2")


def turns(ann: Person, bob: Person) -> str:
    """A game in which Ann has moved, and Bob, who is at no socket, is to move."""
    room: str = ann.room()["id"]
    bob.do(room, "sit", seat=1)
    ann.do(room, "move", ply=2, move=offered(ann.ok("GET", f"/api/rooms/{room}/offer")))
    return room


def test_nobody_is_absent_before_the_own_turn(ann: Person, bob: Person) -> None:
    """Who was away while the other thought has the grace from the beginning of the turn."""
    room, first, second = table(ann, bob)
    offer = first.wait("offer")
    second.close()
    time.sleep(2.5)  # more than the grace, in Ann's own turn
    first.move(offer)
    first.wait("moved")
    assert ann.ask("POST", f"/api/rooms/{room}/claim", {"seat": 1}).json()["code"] == "grace"
    until(
        lambda: ann.ask("POST", f"/api/rooms/{room}/claim", {"seat": 1}).status_code == 200,
        "the claim, once he kept her waiting",
    )


def test_a_request_shows_that_someone_is_there(ann: Person, bob: Person) -> None:
    room, end = turns(ann, bob), time.monotonic() + 3
    while time.monotonic() < end:
        bob.ok("GET", f"/api/rooms/{room}")
        time.sleep(0.5)
    assert ann.refused("POST", f"/api/rooms/{room}/claim", {"seat": 1}) == "present"


@contextmanager
def listening(server: Tegel, token: str) -> Iterator[None]:
    """A program that listens to its events, and does no more."""
    headers = {"authorization": f"Bearer {token}"}
    done, ready = threading.Event(), threading.Event()

    def listen() -> None:
        with (
            httpx.Client(base_url=server.url, headers=headers, timeout=30) as http,
            http.stream("GET", "/api/bot/events") as stream,
        ):
            for _ in stream.iter_lines():
                ready.set()
                if done.is_set():
                    return

    thread = threading.Thread(target=listen)
    thread.start()
    try:
        assert ready.wait(20)
        yield
    finally:
        done.set()
        thread.join(20)


def test_a_program_that_listens_is_there(ann: Person, server: Tegel) -> None:
    robo = ann.ok("POST", "/api/bots", {"name": "Robo"})
    seats = [{"kind": "person"}, {"kind": "bot", "program": robo["id"]}]
    room = ann.room(seats=seats)["id"]
    with listening(server, robo["token"]):
        ann.do(room, "move", ply=1, move=offered(ann.ok("GET", f"/api/rooms/{room}/offer")))
        time.sleep(2.5)
        assert ann.refused("POST", f"/api/rooms/{room}/claim", {"seat": 1}) == "present"


def test_a_seat_link_works_once_also_after_the_seat_came_back(ann: Person, server: Tegel) -> None:
    room = ann.room()["id"]
    other = Person(server)
    old = ann.do(room, "seats/0/link")["token"]
    other.do(room, "take", token=old)
    ann.do(room, "take", token=other.do(room, "seats/0/link")["token"])
    assert Person(server).refused("POST", f"/api/rooms/{room}/take", {"token": old}) == "link"


def test_who_resigned_decides_nothing_any_more(ann: Person, bob: Person, server: Tegel) -> None:
    cid = Person(server, "Cid")
    room = ann.room(variant="three")["id"]
    bob.do(room, "sit", seat=1)
    cid.do(room, "sit", seat=2)
    ann.do(room, "move", ply=3, move=offered(ann.ok("GET", f"/api/rooms/{room}/offer")))
    cid.do(room, "resign")
    ann.do(room, "takeback", do="ask")
    for what, body in (
        ("takeback", {"do": "agree"}),
        ("takeback", {"do": "refuse"}),
        ("takeback", {"do": "ask"}),
        ("claim", {"seat": 1}),
        ("replace", {"seat": 1}),
    ):
        assert cid.refused("POST", f"/api/rooms/{room}/{what}", body) == "left", what


@pytest.mark.parametrize("way", ["http", "socket"])
def test_a_newcomer_fills_no_seats_with_bots(ann: Person, bob: Person, way: str) -> None:
    room = ann.room(variant="classic")["id"]
    bob.do(room, "sit", seat=1)
    if way == "http":
        assert bob.refused("POST", f"/api/rooms/{room}/replace", {"seat": 2}) == "host"
    else:
        socket = bob.socket(room)
        socket.wait("room")
        socket.send(t="replace", seat=2)
        assert socket.wait("error")["code"] == "host"
    assert ann.do(room, "replace", seat=2)["seats"][2]["kind"] == "bot"


def test_a_seat_is_kept_for_somebody_for_a_while(ann: Person, bob: Person) -> None:
    room, _, second = table(ann, bob)
    second.close()
    ann.do(room, "resign")
    after = ann.do(room, "rematch")["rematch"]
    chairs = ann.ok("GET", f"/api/rooms/{after}")["seats"]
    seat = next(place for place, chair in enumerate(chairs) if chair["kind"] == "held")
    answer = ann.ask("POST", f"/api/rooms/{after}/replace", {"seat": seat})
    assert answer.json()["code"] == "grace"
    until(
        lambda: ann.ask("POST", f"/api/rooms/{after}/replace", {"seat": seat}).status_code == 200,
        "a bot instead, when he does not come",
    )
