"""A few rooms, a record and a program, so that every operation of the API has something real to
be asked about: `real` says of each what."""

import secrets
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import httpx

from servers import OPEN, Person, Tegel, offered


class Asked(NamedTuple):
    """What an operation is asked: the parts of its path, its query, its body."""

    path: Mapping[str, Any] = MappingProxyType({})
    query: Mapping[str, Any] = MappingProxyType({})
    body: Any = None


class World:
    def __init__(self, server: Tegel) -> None:
        self.person = ann = Person(server, "Ann")
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
        bob = Person(server)
        self.other, self.both = bob.id, ann.room()["id"]
        bob.do(self.both, "sit", seat=1)
        OPEN.remove(bob)
        bob.close()
        (block,) = ann.ok("POST", f"/api/rooms/{self.both}/seats/1/block")
        self.blocked = block["key"]
        self.study, self.copied = (
            ann.ok("POST", "/api/studies", {"text": MOVES})["id"] for _ in range(2)
        )
        task = ann.ok("GET", "/api/moments/blokus/next")
        self.moment = {"game": "blokus", "moment": task["id"]}
        self.tried = offered(task["node"]["offer"])
        ann.ok("POST", f"/api/moments/blokus/{task['id']}/answer", {})
        self.handle = f"ann-{secrets.token_hex(6)}"
        self.code = ann.ok("POST", "/api/me/account", {"handle": self.handle})["code"]
        self.device = ann.ok("POST", "/api/me/link")["token"]
        ann.ok("PUT", "/api/me/profile", dict.fromkeys(["games", "ratings", "statistics"], True))

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


DEVICE = {"endpoint": "https://fcm.googleapis.com/fcm/send/device"}
POINT = (
    "BEEIF7SdS5Xb92FyyWgZeDRSG_l47hWqOAYhcc4R_EWbL3tvGBncA4TN_FKI"
    "X07PTu05M6tvXIGIa5o-6Tuhogo"
)  # of the curve
KEY = {"id": "a" * 22, "client": "e30", "attestation": "e30"}
RECORD = "game: blokus\nvariant: duo\n\n"
MOVES = f"{RECORD}F.0@d9\nF.0@i3\n"


def real(w: World) -> dict[str, Asked]:
    """What to ask each operation about."""
    return {
        "GET /api/games": Asked({}, {"language": "nl"}),
        "GET /api/games/{game}": Asked({"game": "blokus"}),
        "GET /api/games/{game}/front.svg": Asked(
            {"game": "forma"}, {"theme": "dark", "start": "eye"}
        ),
        "GET /api/games/{game}/guide": Asked({"game": "blokus"}),
        "GET /api/games/{game}/pictures/{name}.svg": Asked({"game": "blokus", "name": "contact"}),
        "GET /api/games/{game}/rules": Asked({"game": "imago"}, {"language": "it"}),
        "GET /api/games/{game}/rules.html": Asked({"game": "tantrix"}),
        "GET /api/games/{game}/sheets/{variant}.pdf": Asked(
            {"game": "discovery", "variant": "3"}, {"paper": "letter"}
        ),
        "GET /api/games/{game}/sprites": Asked({"game": "tantrix"}),
        "GET /api/me": Asked(),
        "PUT /api/me": Asked(body={"name": "Ann"}),
        "PUT /api/me/devices": Asked(body={**DEVICE, "key": POINT, "auth": "A" * 22}),
        "DELETE /api/me/devices": Asked(body=DEVICE),
        "GET /api/me/account": Asked(),
        "POST /api/me/account": Asked(body={"handle": f"{w.handle}-x"}),
        "PUT /api/me/account": Asked(body={"handle": f"{w.handle}-y"}),
        "GET /api/me/blocks": Asked(),
        "POST /api/me/blocks/remove": Asked(body={"key": w.blocked}),
        "POST /api/me/code": Asked(),
        "POST /api/me/delete": Asked(body={"sure": True}),
        "GET /api/me/export": Asked(),
        "POST /api/me/link": Asked(),
        "POST /api/me/passkeys": Asked(body=KEY),
        "POST /api/me/passkeys/challenge": Asked(),
        "POST /api/me/passkeys/remove": Asked(body={"id": "a" * 22}),
        "POST /api/me/sign-out": Asked(body={"everywhere": True}),
        "POST /api/sign-in/challenge": Asked(),
        "POST /api/sign-in/code": Asked(body={"code": w.code, "along": True}),
        "POST /api/sign-in/link": Asked(body={"token": w.device, "along": False}),
        "POST /api/sign-in/look": Asked(body={"token": w.device}),
        "POST /api/sign-in/passkey": Asked(
            body={"id": "a" * 22, "client": "e30", "authenticator": "e30", "signature": "e30"}
        ),
        "GET /api/me/games": Asked({}, {"game": "blokus", "opponent": "nobody", "most": 3}),
        "GET /api/me/profile": Asked(),
        "PUT /api/me/profile": Asked(body={"games": True, "best": True}),
        "GET /api/me/ratings": Asked(),
        "GET /api/me/statistics": Asked(),
        "GET /api/players/{who}": Asked({"who": w.person.id}),
        "GET /api/players/{who}/games": Asked({"who": w.person.id}, {"how": "shared"}),
        "GET /api/ratings/{game}": Asked({"game": "blokus"}, {"family": "two"}),
        "GET /api/moments": Asked(),
        "GET /api/moments/{game}/next": Asked({"game": "tantrix"}, {"grade": 3}),
        "GET /api/moments/{game}/days/{day}": Asked({"game": "imago", "day": "2026-11-16"}),
        "GET /api/moments/{game}/days/{day}/results": Asked({"game": "imago", "day": "2026-11-16"}),
        "GET /api/moments/{game}/{moment}": Asked(w.moment),
        "GET /api/moments/{game}/{moment}/board.svg": Asked(w.moment, {"theme": "dark"}),
        "POST /api/moments/{game}/{moment}/tries": Asked(w.moment, {}, {"move": w.tried}),
        "POST /api/moments/{game}/{moment}/answer": Asked(w.moment, {}, {"day": None}),
        "GET /api/moments/{game}/{moment}/line/{step}": Asked({**w.moment, "step": 1}),
        "GET /api/my/puzzles": Asked(),
        "GET /api/my/rooms": Asked({}, {"over": "true"}),
        "GET /api/puzzles": Asked(),
        "GET /api/puzzles/today": Asked(),
        "GET /api/puzzles/days/{day}": Asked({"day": "2026-01-02"}),
        "GET /api/puzzles/days/{day}/results": Asked({"day": "2026-01-02"}),
        "GET /api/puzzles/{game}/{variant}": Asked(
            {"game": "puzzle", "variant": "pentominoes-6x10"}
        ),
        "GET /api/puzzles/{game}/{variant}.svg": Asked(
            {"game": "puzzle", "variant": "pentominoes-6x10"}
        ),
        "POST /api/records": Asked(body=RECORD),
        "GET /api/records/{id}": Asked({"id": w.record}),
        "GET /api/records/{id}/positions/{ply}": Asked({"id": w.record, "ply": 0}),
        "GET /api/records/{id}/positions/{ply}.svg": Asked({"id": w.record, "ply": 0}),
        "POST /api/records/{id}/positions/{ply}/hint": Asked({"id": w.record, "ply": 0}),
        "POST /api/bots": Asked(body={"name": "Robot"}),
        "GET /api/bot/events": Asked(),
        "GET /api/bot/rooms/{room}/events": Asked({"room": w.on}),
        "GET /api/rooms": Asked({}, {"game": "blokus"}),
        "POST /api/rooms": Asked(
            body={
                "game": "blokus",
                "variant": "duo",
                "options": {},
                "clock": "bank 300 5",
                "name": "Ann",
                "listed": True,
                "seats": [{"kind": "person"}, {"kind": "bot", "program": w.program["id"]}],
            }
        ),
        "POST /api/rooms/continued": Asked(
            body={"source": f"records/{w.record}", "ply": 0, "level": 1, "name": "Ann"}
        ),
        "GET /api/rooms/{room}": Asked({"room": w.on}),
        "GET /api/rooms/{room}/account": Asked({"room": w.over}),
        "GET /api/rooms/{room}/board.svg": Asked({"room": w.puzzle}),
        "GET /api/rooms/{room}/offer": Asked({"room": w.on}),
        "GET /api/rooms/{room}/positions/{ply}": Asked({"room": w.over, "ply": 0}),
        "GET /api/rooms/{room}/positions/{ply}.svg": Asked({"room": w.over, "ply": 0}),
        "GET /api/rooms/{room}/record": Asked({"room": w.over}, {"format": "blksgf"}),
        "GET /api/rooms/{room}/sprites": Asked({"room": w.puzzle}),
        "POST /api/rooms/{room}/claim": Asked({"room": w.on}, body={"seat": 1}),
        "POST /api/rooms/{room}/hint": Asked({"room": w.puzzle}),
        "POST /api/rooms/{room}/move": Asked(
            {"room": w.on}, body={"ply": w.offer["ply"], "move": offered(w.offer)}
        ),
        "POST /api/rooms/{room}/positions/{ply}/hint": Asked({"room": w.over, "ply": 0}),
        "POST /api/rooms/{room}/rematch": Asked({"room": w.over}),
        "POST /api/rooms/{room}/replace": Asked({"room": w.waiting}, body={"seat": 1, "level": 1}),
        "POST /api/rooms/{room}/report": Asked(
            {"room": w.both}, body={"seat": 1, "reason": "stalling"}
        ),
        "POST /api/rooms/{room}/seats/{seat}/block": Asked({"room": w.both, "seat": 1}),
        "POST /api/rooms/{room}/resign": Asked({"room": w.on}, body={"seat": 1}),
        "POST /api/rooms/{room}/reveal": Asked({"room": w.puzzle}),
        "POST /api/rooms/{room}/seats/{seat}/link": Asked({"room": w.on, "seat": 1}),
        "POST /api/rooms/{room}/sit": Asked({"room": w.waiting}, body={"seat": 1, "name": "Bob"}),
        "POST /api/rooms/{room}/take": Asked({"room": w.on}, body={"token": w.link, "name": "Bob"}),
        "POST /api/rooms/{room}/takeback": Asked({"room": w.on}, body={"do": "ask"}),
        "POST /api/studies": Asked(body={"text": MOVES}),
        "GET /api/my/studies": Asked(),
        "GET /api/studies/{id}": Asked({"id": w.study}),
        "DELETE /api/studies/{id}": Asked({"id": w.copied}),
        "POST /api/studies/{id}/changes": Asked(
            {"id": w.study}, body={"rows": 1, "text": "note 0 !"}
        ),
        "GET /api/studies/{id}/nodes/{path}": Asked({"id": w.study, "path": "0"}),
        "GET /api/studies/{id}/nodes/{path}/line.svg": Asked({"id": w.study, "path": "1"}),
        "GET /api/studies/{id}/nodes/{path}/picture.svg": Asked({"id": w.study, "path": "-"}),
        "POST /api/studies/{id}/report": Asked({"id": w.study}),
        "GET /api/studies/{id}/text": Asked({"id": w.study}, {"format": "blksgf"}),
        "POST /api/studies/{id}/tries": Asked({"id": w.study}, body={"ply": 1, "move": "F.0@d9"}),
        "GET /api/searches": Asked(),
        "GET /healthz": Asked(),
        "GET /readyz": Asked(),
    }
