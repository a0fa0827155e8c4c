"""A name that lasts: kept without a password, found again on another device, told in full, and
deleted; and what a used link, an old code or a stolen cookie gets."""

import base64
import json
import random
import sqlite3
from contextlib import closing
from typing import Any

import httpx

from servers import Message, Person, Tegel, offered
from tegel.place.accounts.identity import Seals
from tegel.room.lookalikes import folded


def keep(person: Person, handle: str) -> str:
    """Keep a name; the code that comes with it."""
    code: str = person.ok("POST", "/api/me/account", {"handle": handle})["code"]
    return code


def sign_in(person: Person, how: str, **body: Any) -> Message:
    done: Message = person.ok("POST", f"/api/sign-in/{how}", body)
    return done


def me(person: Person) -> Message:
    found: Message = person.ok("GET", "/api/me")
    return found


def rows(server: Tegel, query: str) -> list[Any]:
    with closing(sqlite3.connect(server.folder / "tegel.db")) as base:
        return base.execute(query).fetchall()


def test_a_guest_keeps_a_name_and_all_games(ann: Person, bob: Person) -> None:
    room = ann.room(name="Annie")["id"]
    keep(ann, "Ann-1")
    assert me(ann) == {**me(ann), "id": ann.id, "name": "@Ann-1", "handle": "Ann-1"}
    shown = bob.ok("GET", f"/api/rooms/{room}")["seats"][0]
    assert (shown["name"], shown["handle"]) == ("@Ann-1", "Ann-1")
    assert ann.ok("GET", f"/api/rooms/{room}")["you"] == [0]
    made = ann.room(name="Somebody Else")["seats"][0]
    assert made["name"] == "@Ann-1", "who keeps a name is called by it"


def test_a_name_is_kept_by_one_and_so_is_what_looks_alike(ann: Person, bob: Person) -> None:
    keep(ann, "Willem")
    for alike in ("Willem", "WILLEM", "Wi11em", "Vvillem", "Wíllem"):
        assert bob.refused("POST", "/api/me/account", {"handle": alike}) == "known"
    assert ann.refused("POST", "/api/me/account", {"handle": "Willy"}) == "named"
    assert bob.refused("POST", "/api/me/account", {"handle": "a\u200bb"}) == "letters"
    assert not me(bob)["handle"]


def test_a_guest_is_never_shown_as_who_keeps_a_name(ann: Person, bob: Person) -> None:
    keep(ann, "Margriet")
    bob.ok("PUT", "/api/me", {"name": "@Margriet"})
    for name in ("@Margriet", " @@ Margriet", ""):
        seat = bob.room(name=name)["seats"][0]
        assert seat["name"] == "Margriet"
        assert "handle" not in seat
    room = bob.room(seats=[{"kind": "open"}, {"kind": "person"}])["id"]
    socket = bob.socket(room)
    socket.send(t="sit", seat=0, name="@Margriet")
    assert "handle" not in socket.event("sit")["seats"][0]
    # A seat link gives the seat away, not the name.
    seat = ann.room()["id"]
    token = ann.ok("POST", f"/api/rooms/{seat}/seats/0/link")["token"]
    assert "handle" not in bob.do(seat, "take", token=token)["seats"][0]


def test_a_text_makes_nobody_one_who_keeps_a_name(ann: Person, bob: Person) -> None:
    keep(ann, "Reinhilde")
    text = "game: blokus\nvariant: duo\nseat-1: @Reinhilde\nseat-2: \uff20Reinhilde\n"
    shown = bob.ok("POST", "/api/studies", {"text": text})["headers"]
    assert (shown["seat-1"], shown["seat-2"]) == ("Reinhilde", "Reinhilde")


def test_a_name_can_be_changed_and_the_tables_say_so(ann: Person, bob: Person) -> None:
    keep(ann, "Anna-Maria")
    room = ann.room()["id"]
    socket = bob.socket(room)
    socket.wait("room")
    ann.ok("PUT", "/api/me/account", {"handle": "Annemarie"})
    assert socket.wait("room")["seats"][0]["handle"] == "Annemarie"
    assert bob.ok("GET", f"/api/rooms/{room}")["seats"][0]["name"] == "@Annemarie"
    assert ann.refused("PUT", "/api/me", {"name": "x"}) == "named"
    taken = {"handle": "Annamaria"}
    assert bob.refused("POST", "/api/me/account", taken) == "reserved", "for her, for a while"
    ann.ok("PUT", "/api/me/account", {"handle": "anna-maria"})
    keep(bob, "Bobby")
    assert bob.refused("PUT", "/api/me/account", {"handle": "ANNAMARIA"}) == "known"


def test_the_code_brings_one_back_on_another_browser(server: Tegel, ann: Person) -> None:
    code = keep(ann, "Marieke")
    assert len(code) == 29
    assert code not in "".join(map(str, rows(server, "select * from players"))), "only its hash"
    room, other = ann.room()["id"], Person(server)
    for wrong in ("", "x", code[:-1], code.replace(code[0], "@")):
        assert other.refused("POST", "/api/sign-in/code", {"code": wrong}) == "code"
    typed = code.upper().replace("-", "  ")
    assert sign_in(other, "code", code=typed) == {"handle": "Marieke", "games": 0}
    assert me(other)["id"] == ann.id
    assert other.ok("GET", f"/api/rooms/{room}")["you"] == [0]
    new = ann.ok("POST", "/api/me/code")["code"]
    third = Person(server)
    assert third.refused("POST", "/api/sign-in/code", {"code": code}) == "code", "replaced"
    assert sign_in(third, "code", code=new)["handle"] == "Marieke"


def test_what_a_guest_played_comes_along(server: Tegel, ann: Person, bob: Person) -> None:
    """Seats in running games, and finished games in the list; or they stay, if one wishes."""
    code = keep(ann, "Liesbeth")
    guest = Person(server, "Somebody")
    running, over = guest.room()["id"], guest.room(seats=[{"kind": "person"}] * 2)["id"]
    guest.do(over, "resign", seat=0)
    bob.do(running, "sit", seat=1)
    was = guest.id
    assert sign_in(guest, "code", code=code, along=False)["games"] == 0
    assert guest.ok("GET", f"/api/rooms/{running}")["you"] == []
    guest.ok("POST", "/api/me/sign-out", {})
    assert me(guest)["id"] == was, "the guest is there again"
    assert guest.ok("GET", f"/api/rooms/{running}")["you"] == [0]
    assert sign_in(guest, "code", code=code)["games"] == 1
    assert guest.id == was
    seen = guest.ok("GET", f"/api/rooms/{running}")
    assert (seen["you"], seen["seats"][0]["handle"]) == ([0], "Liesbeth")
    assert [game["id"] for game in ann.ok("GET", "/api/my/rooms?over=true")] == [over]
    assert running in [game["id"] for game in ann.ok("GET", "/api/my/rooms")]
    move = ann.ok("GET", f"/api/rooms/{running}/offer")
    assert move["slots"], "she plays on, on either browser"


def test_a_link_makes_another_device_the_same_player_once(server: Tegel, ann: Person) -> None:
    keep(ann, "Hendrika")
    token = ann.ok("POST", "/api/me/link")["token"]
    other, late = Person(server), Person(server)
    before = me(other)["id"]
    asked = other.ok("POST", "/api/sign-in/look", {"token": token})
    assert asked == {"handle": "Hendrika"}
    assert me(other)["id"] == before, "it only asks"
    assert sign_in(other, "link", token=token)["handle"] == "Hendrika"
    assert me(other)["id"] == ann.id
    for bad in (token, token[:-1], "x", "", "é", token.replace(" ", "  ", 1), f"9{token}"):
        assert late.refused("POST", "/api/sign-in/link", {"token": bad}) == "link", bad
    assert me(late)["id"] == late.id


def test_an_old_link_lets_nobody_in(server: Tegel, ann: Person) -> None:
    """Made as the server makes them, but five minutes ago."""
    keep(ann, "Gerrit")
    fresh = ann.ok("POST", "/api/me/link")["token"]
    until_, number, *words = fresh.rpartition(".")[0].split(" ")
    seals = Seals((server.folder / "secret").read_text().strip())
    for age, good in ((0, True), (301_000, False)):
        text = " ".join([str(int(until_) - age), f"{number}{age}", *words])
        token = seals.sealed("device", text)
        answer = Person(server).ask("POST", "/api/sign-in/look", {"token": token})
        assert (answer.status_code == 200) is good
    other = seals.sealed("player", f"{int(until_)} {number}x {' '.join(words)}")
    assert Person(server).refused("POST", "/api/sign-in/look", {"token": other}) == "link"


def test_a_stolen_cookie_ends_when_its_owner_signs_out_everywhere(
    server: Tegel, ann: Person
) -> None:
    code = keep(ann, "Katelijne")
    room = ann.room(seats=[{"kind": "person"}] * 2)["id"]
    link = ann.ok("POST", "/api/me/link")["token"]
    thief = Person(server, cookies=dict(ann.http.cookies))
    assert thief.id == ann.id
    socket = thief.socket(room)
    offer = socket.wait("offer")
    ann.ok("POST", "/api/me/sign-out", {"everywhere": True})
    assert me(ann)["id"] == ann.id, "this browser stays"
    socket.move(offer)
    assert socket.wait("error")["code"] == "ended"
    cookies = {"tegel": thief.http.cookies["tegel"]}
    url = f"{server.url}/api/rooms/{room}"
    assert httpx.get(url, cookies=cookies).json()["you"] == []
    assert me(thief)["id"] != ann.id, "the thief is a new guest"
    assert thief.refused("POST", "/api/sign-in/link", {"token": link}) == "link"
    assert sign_in(thief, "code", code=code)["handle"] == "Katelijne", "the code is hers to know"
    ann.do(room, "move", ply=offer["ply"], move=offered(offer))


def test_a_guest_can_not_sign_out_of_what_nobody_could_come_back_to(ann: Person) -> None:
    assert ann.refused("POST", "/api/me/sign-out", {}) == "nameless"
    assert ann.refused("POST", "/api/me/link") == "nameless"
    assert ann.refused("POST", "/api/me/code") == "nameless"
    keep(ann, "Jozefien")
    ann.ok("POST", "/api/me/sign-out", {})
    assert me(ann)["id"] != ann.id


def test_everything_about_me_is_told(server: Tegel, ann: Person, bob: Person) -> None:
    guest = Person(server, "Nobody Special")
    old = guest.room()["id"]
    room = ann.room(name="Annetje")["id"]
    bob.do(room, "sit", seat=1)
    ann.ok("POST", f"/api/rooms/{room}/seats/1/block")
    ann.ok("POST", f"/api/rooms/{room}/report", {"seat": 1, "reason": "stalling"})
    code = keep(ann, "Cornelia")
    sign_in(guest, "code", code=code)
    found = ann.ok("GET", "/api/me/export")
    assert {row["id"]: row["handle"] for row in found["players"]} == {
        ann.id: "Cornelia", guest.id: None,
    }  # fmt: skip
    assert "recovery" not in str(found)
    assert found["guests"] == [{"id": guest.id}]
    assert {"room": room, "name": "@Cornelia"} in found["names"]
    assert set(found["blocks"][0]) == {"room", "at"}, "whom they blocked is not theirs to know"
    assert found["reports"][0] == {**found["reports"][0], "reason": "stalling", "reported": bob.id}
    rooms = {one["id"]: one for one in found["rooms"]}
    assert set(rooms) == {room, old}
    stored = rows(server, f"select seq, at, text from log where room = '{room}' order by seq")
    assert [tuple(row) for row in rooms[room]["log"]] == stored
    bob.do(room, "resign")
    played = ann.ok("GET", "/api/me/export")["played"]
    assert [(one["room"], one["how"]) for one in played] == [(room, "won")]
    assert bob.ok("GET", "/api/me/export")["blocks"] == [], "that he is blocked he is not told"
    assert Person(server).ok("GET", "/api/me/export")["rooms"] == []


def test_who_deletes_themselves_is_gone_and_the_games_stay(
    server: Tegel, ann: Person, bob: Person
) -> None:
    guest = Person(server, "Wilhelmina Guest")
    code = keep(ann, "Wilhelmina")
    old, room = guest.room(), ann.room()["id"]
    sign_in(guest, "code", code=code)
    bob.do(room, "sit", seat=1)
    bob.ok("POST", f"/api/rooms/{room}/seats/0/block")
    socket = bob.socket(room)
    before = socket.wait("room")
    second = dict(guest.http.cookies)
    assert ann.refused("POST", "/api/me/delete", {"sure": False}) == "invalid"
    ann.ok("POST", "/api/me/delete", {"sure": True})
    assert "name" not in socket.wait("room")["seats"][0], "at once, where she sat"
    with closing(sqlite3.connect(server.folder / "tegel.db")) as base:
        text = "\n".join(base.iterdump())
    assert "Wilhelmina" not in text
    assert folded("Wilhelmina") not in text
    assert f"!sit 0 {ann.id}" in text
    assert bob.ok("GET", f"/api/rooms/{room}")["moves"] == before["moves"]
    assert bob.ok("GET", "/api/me/blocks") == []
    assert me(ann)["id"] != ann.id
    again = Person(server, cookies={"tegel": second["tegel"]})
    assert again.id not in (ann.id, guest.id), "her cookies have ended on every device"
    assert again.refused("POST", "/api/sign-in/code", {"code": code}) == "code"
    assert bob.ok("GET", f"/api/rooms/{old['id']}")["ply"] > 0
    assert bob.refused("POST", "/api/me/account", {"handle": "Wilhelmina"}) == "reserved"


def test_who_deletes_nothing_leaves_nothing(server: Tegel) -> None:
    guest = Person(server)
    guest.ok("POST", "/api/me/delete", {"sure": True})
    assert rows(server, f"select * from standing where player = '{guest.id}'") == []
    assert me(guest)["id"] != guest.id


def test_a_cookie_of_before_can_not_be_made_of_another(server: Tegel, ann: Person) -> None:
    """What a browser was before is sealed for that alone."""
    code = keep(ann, "Petronella")
    guest = Person(server)
    sign_in(guest, "code", code=code)
    kept = dict(guest.http.cookies)
    forged = Person(server, cookies={"tegel": kept["tegel-before"]})
    assert forged.id not in (ann.id, guest.id)
    guest.http.cookies.set("tegel-before", kept["tegel"])
    guest.ok("POST", "/api/me/sign-out", {})
    assert me(guest)["id"] not in (ann.id, guest.id)


def test_garbage_in_a_passkey_gets_one_sentence(
    server: Tegel, ann: Person, rng: random.Random
) -> None:
    """However it begins: the challenge is ours each time, so that the rest is looked at."""
    keep(ann, "Geertruida")
    host = f"localhost:{server.port}"
    headers = {"host": host, "origin": f"http://{host}"}
    whole = b"\xa3cfmtdnonegattStmt\xa0hauthDataX\xa4" + bytes(164)
    junk = [b"", b"\xa0", b"{}", whole, *(whole[:cut] for cut in range(0, len(whole), 16))]
    junk += [rng.randbytes(rng.randrange(300)) for _ in range(20)]
    for data in junk:
        for how, path in (("create", "me/passkeys"), ("get", "sign-in/passkey")):
            where = "me/passkeys/challenge" if how == "create" else "sign-in/challenge"
            asked = ann.http.post(f"/api/{where}", headers=headers).json()["challenge"]
            client = {
                "type": f"webauthn.{how}",
                "challenge": coded(asked.encode()),
                "origin": headers["origin"],
            }
            part = coded(data)
            wish = {
                "id": coded(b"x" * 16), "client": coded(json.dumps(client).encode()),
                "attestation": part, "authenticator": part, "signature": part,
            }  # fmt: skip
            answer = ann.http.post(f"/api/{path}", json=wish, headers=headers)
            assert (answer.status_code, answer.json()["code"]) == (403, "passkey")


def coded(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")
