"""A few rooms, a record and a program, so that every operation of the API has something real to
be asked about: `REAL` says of each what."""

from collections.abc import Callable
from typing import Any, NamedTuple

import httpx

from servers import OPEN, Person, Tegel, offered


class Asked(NamedTuple):
    """What an operation is asked: the parts of its path, its query, its body."""

    path: dict[str, Any] = {}
    query: dict[str, Any] = {}
    body: Any = None


class World:
    def __init__(self, server: Tegel) -> None:
        self.person = ann = Person(server, "Ann")
        OPEN.remove(ann)  # it is needed for longer than one test
        both = [{"kind": "person"}, {"kind": "person"}]
        self.on = ann.room(seats=both)["id"]
        self.offer = ann.ok("GET", f"/api/rooms/{self.on}/offer")
        self.waiting = ann.room(listed=True)["id"]
        self.over = ann.room(seats=both)["id"]
        ann.do(self.over, "resign", seat=0)
        self.puzzle = ann.room(game="puzzle", variant="pentominoes-6x10", seats=None)["id"]
        text = ann.http.get(f"/api/rooms/{self.over}/record").text
        self.record = ann.http.post("/api/records", content=text.encode()).json()["id"]
        self.link = ann.ok("POST", f"/api/rooms/{self.on}/seats/0/link")["token"]
        self.program = ann.ok("POST", "/api/bots", {"name": "Robot"})

    def ask(self, label: str, asked: Asked) -> httpx.Response:
        """Ask for real; a stream is left after its first line."""
        method, path = label.split(" ")
        headers = {}
        if path.startswith("/api/bot/"):
            headers["authorization"] = f"Bearer {self.program['token']}"
        body = asked.body
        more = {"content": body.encode()} if isinstance(body, str) else {"json": body}
        with self.person.http.stream(
            method, path.format(**asked.path), params=asked.query, headers=headers, **more
        ) as answer:
            if not path.startswith("/api/bot/"):
                answer.read()
            return answer


RECORD = "game: blokus\nvariant: duo\n\n"
REAL: dict[str, Callable[[World], Asked]] = {
    "GET /api/games": lambda w: Asked({}, {"language": "nl"}),
    "GET /api/games/{game}": lambda w: Asked({"game": "blokus"}),
    "GET /api/games/{game}/front.svg": lambda w: Asked({"game": "forma"}, {"theme": "dark"}),
    "GET /api/games/{game}/guide": lambda w: Asked({"game": "blokus"}),
    "GET /api/games/{game}/pictures/{name}.svg": lambda w: Asked(
        {"game": "blokus", "name": "contact"}
    ),
    "GET /api/games/{game}/rules": lambda w: Asked({"game": "imago"}, {"language": "it"}),
    "GET /api/games/{game}/rules.html": lambda w: Asked({"game": "tantrix"}),
    "GET /api/games/{game}/sprites": lambda w: Asked({"game": "tantrix"}),
    "GET /api/me": lambda w: Asked(),
    "PUT /api/me": lambda w: Asked(body={"name": "Ann"}),
    "GET /api/my/puzzles": lambda w: Asked(),
    "GET /api/my/rooms": lambda w: Asked({}, {"over": "true"}),
    "GET /api/puzzles": lambda w: Asked(),
    "GET /api/puzzles/days/{day}": lambda w: Asked({"day": "2026-01-02"}),
    "GET /api/puzzles/{game}/{variant}.svg": lambda w: Asked(
        {"game": "puzzle", "variant": "pentominoes-6x10"}
    ),
    "POST /api/records": lambda w: Asked(body=RECORD),
    "GET /api/records/{id}": lambda w: Asked({"id": w.record}),
    "GET /api/records/{id}/positions/{ply}": lambda w: Asked({"id": w.record, "ply": 0}),
    "GET /api/records/{id}/positions/{ply}.svg": lambda w: Asked({"id": w.record, "ply": 0}),
    "POST /api/records/{id}/positions/{ply}/hint": lambda w: Asked({"id": w.record, "ply": 0}),
    "POST /api/bots": lambda w: Asked(body={"name": "Robot"}),
    "GET /api/bot/events": lambda w: Asked(),
    "GET /api/bot/rooms/{room}/events": lambda w: Asked({"room": w.on}),
    "GET /api/rooms": lambda w: Asked({}, {"game": "blokus"}),
    "POST /api/rooms": lambda w: Asked(
        body={
            "game": "blokus",
            "variant": "duo",
            "options": {},
            "clock": "bank 300 5",
            "name": "Ann",
            "listed": True,
            "seats": [{"kind": "person"}, {"kind": "bot", "program": w.program["id"]}],
        }
    ),  # fmt: skip
    "POST /api/rooms/continued": lambda w: Asked(
        body={"source": f"records/{w.record}", "ply": 0, "level": 1, "name": "Ann"}
    ),
    "GET /api/rooms/{room}": lambda w: Asked({"room": w.on}),
    "GET /api/rooms/{room}/account": lambda w: Asked({"room": w.over}),
    "GET /api/rooms/{room}/board.svg": lambda w: Asked({"room": w.puzzle}),
    "GET /api/rooms/{room}/offer": lambda w: Asked({"room": w.on}),
    "GET /api/rooms/{room}/positions/{ply}": lambda w: Asked({"room": w.over, "ply": 0}),
    "GET /api/rooms/{room}/positions/{ply}.svg": lambda w: Asked({"room": w.over, "ply": 0}),
    "GET /api/rooms/{room}/record": lambda w: Asked({"room": w.over}, {"format": "blksgf"}),
    "GET /api/rooms/{room}/sprites": lambda w: Asked({"room": w.puzzle}),
    "POST /api/rooms/{room}/claim": lambda w: Asked({"room": w.on}, body={"seat": 1, "level": 1}),
    "POST /api/rooms/{room}/hint": lambda w: Asked({"room": w.puzzle}),
    "POST /api/rooms/{room}/move": lambda w: Asked(
        {"room": w.on}, body={"ply": w.offer["ply"], "move": offered(w.offer)}
    ),
    "POST /api/rooms/{room}/positions/{ply}/hint": lambda w: Asked({"room": w.over, "ply": 0}),
    "POST /api/rooms/{room}/rematch": lambda w: Asked({"room": w.over}),
    "POST /api/rooms/{room}/replace": lambda w: Asked(
        {"room": w.waiting}, body={"seat": 1, "level": 1}
    ),
    "POST /api/rooms/{room}/resign": lambda w: Asked({"room": w.on}, body={"seat": 1}),
    "POST /api/rooms/{room}/reveal": lambda w: Asked({"room": w.puzzle}),
    "POST /api/rooms/{room}/seats/{seat}/link": lambda w: Asked({"room": w.on, "seat": 1}),
    "POST /api/rooms/{room}/sit": lambda w: Asked(
        {"room": w.waiting}, body={"seat": 1, "name": "Bob"}
    ),
    "POST /api/rooms/{room}/take": lambda w: Asked(
        {"room": w.on}, body={"token": w.link, "name": "Bob"}
    ),
    "POST /api/rooms/{room}/takeback": lambda w: Asked({"room": w.on}, body={"do": "ask"}),
    "GET /healthz": lambda w: Asked(),
}
