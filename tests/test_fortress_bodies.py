"""What one request may bring and cost: short bodies, long logs."""

import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from hostile import upload
from servers import Person, tegel
from tegel.place.limits.limits import COSTS, Limits
from test_fortress_load import OTHER, Stranger, dial, memory
from test_fortress_rooms import MOST_ROWS, worn, written

LONG = 70_000  # bytes


@pytest.mark.parametrize("path", ["/api/rooms", "/api/bots", "/api/rooms/continued"])
@pytest.mark.parametrize("told", [True, False], ids=["told", "untold"])
def test_a_long_body_is_refused_before_it_is_read(ann: Person, path: str, told: bool) -> None:
    """Whether its length is told before, or found out while it comes in pieces."""
    text = json.dumps({"name": "x" * LONG}).encode()

    def pieces() -> Iterator[bytes]:
        yield text[: LONG // 2]
        yield text[LONG // 2 :]

    answer = ann.http.post(path, content=text if told else pieces())
    assert (answer.status_code, answer.json()["code"]) == (413, "size")
    assert answer.json()["text"].endswith(".")


def test_a_record_may_be_longer_and_is_not_read_as_json(ann: Person) -> None:
    """JSON with a character that can't be kept: to whoever reads records it is only text."""
    answer = upload(ann, json.dumps(["\0", "x" * LONG]))
    assert (answer.status_code, answer.json()["code"]) == (422, "notation")


def test_a_long_room_is_opened_at_the_cost_of_who_asks(tmp_path: Path) -> None:
    """One that is open costs nothing more."""
    with tegel(tmp_path) as server:
        ann = Person(server)
        wish = {"game": "puzzle", "variant": "tetra-8x10", "clock": "up"}
        rooms = [ann.room(**wish)["id"] for _ in range(5)]
        server.stop()
        for room in rooms:
            written(tmp_path, room, worn())
        server.options = ("--limits", "0.05")
        server.start()
        budget = Limits().times(0.05).player_work[0] / COSTS["rows"]  # in thousands of rows
        assert budget < MOST_ROWS // 1000 * len(rooms)
        answers = [ann.ask("GET", f"/api/rooms/{room}") for room in rooms]
        assert answers[0].status_code == 200
        assert (answers[-1].status_code, answers[-1].json()["code"]) == (429, "rate")
        assert answers[-1].json()["text"].endswith(".")
        assert ann.ok("GET", f"/api/rooms/{rooms[0]}")["ply"] == MOST_ROWS


def test_a_long_record_costs_more_than_a_short_one(tmp_path: Path) -> None:
    """Or an address could fill a disk with them."""
    with tegel(tmp_path, "--limits", "1") as server:
        ann, moves = Person(server), "game: blokus\nvariant: duo\n\nF.0@d9"
        codes = [upload(ann, f"{moves} # {'x' * 900_000}\n").status_code for _ in range(6)]
        assert codes[0] == 201
        assert codes[-1] == 429
        assert sum(code == 201 for code in codes) * 900_000 < 3_000_000


def test_few_records_of_an_address_are_in_memory_at_once(tmp_path: Path) -> None:
    """The others wait on the line. One that stands still is cut off."""
    with tegel(tmp_path, env={"TEGEL_TIMEOUT": "60"}) as server:
        Person(server)
        before, size = memory(server), 4_000_000
        head = b"POST /api/records HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n" % size
        many = [dial(server) for _ in range(30)]
        for each in many:
            each.settimeout(0.5)
            with suppress(TimeoutError):
                each.sendall(head + b"x" * (size - 1))
        assert memory(server) - before < 60_000_000
        assert Stranger(server, OTHER).ok("GET", "/api/me")
        for each in many:
            each.close()
