"""Passkeys by the protocol, with a key in software that signs whatever it is told to: what is
right lets one in, and what belongs to another site, was used, or counts wrongly lets in nobody."""

import base64
import hashlib
import json
import secrets
from collections.abc import Iterator
from typing import Any

import cbor2
import httpx
import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from starlette.requests import Request

from servers import OPEN, Person, Tegel
from tegel.room.refused import Refused
from tegel.server.web.routes.sign_in import site

PRESENT, VERIFIED, ATTESTED = 1, 4, 64  # flags


class Key:
    def __init__(self) -> None:
        self.private = ec.generate_private_key(ec.SECP256R1())
        self.id, self.count = secrets.token_bytes(16), 0

    def data(self, site: str, flags: int) -> bytes:
        """What an authenticator says of itself, for a site."""
        head = hashlib.sha256(site.encode()).digest()
        head += bytes([flags]) + self.count.to_bytes(4, "big")
        if not flags & ATTESTED:
            return head
        point = self.private.public_key().public_numbers()
        public = {1: 2, 3: -7, -1: 1, -2: point.x.to_bytes(32, "big"),
                  -3: point.y.to_bytes(32, "big")}  # fmt: skip
        return head + bytes(16) + len(self.id).to_bytes(2, "big") + self.id + cbor2.dumps(public)

    def made(
        self, challenge: str, origin: str, site: str, flags: int = PRESENT | VERIFIED
    ) -> dict[str, str]:
        data = self.data(site, flags | ATTESTED)
        attestation = cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": data})
        client = said("webauthn.create", challenge, origin)
        return {"id": coded(self.id), "client": coded(client), "attestation": coded(attestation)}

    def used(
        self, challenge: str, origin: str, site: str, kind: str = "webauthn.get",
        flags: int = PRESENT | VERIFIED,
    ) -> dict[str, str]:  # fmt: skip
        self.count += 1
        data, client = self.data(site, flags), said(kind, challenge, origin)
        signed = data + hashlib.sha256(client).digest()
        signature = self.private.sign(signed, ec.ECDSA(hashes.SHA256()))
        return {"id": coded(self.id), "client": coded(client), "authenticator": coded(data),
                "signature": coded(signature)}  # fmt: skip


def said(kind: str, challenge: str, origin: str) -> bytes:
    words = {"type": kind, "challenge": coded(challenge.encode()), "origin": origin}
    return json.dumps(words).encode()


def coded(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


class Browser(Person):
    """A person on localhost, where passkeys are."""

    def __init__(self, server: Tegel) -> None:
        super().__init__(server)
        host = f"localhost:{server.port}"
        self.origin = f"http://{host}"
        self.http.headers.update({"host": host, "origin": self.origin})

    def challenge(self, path: str) -> str:
        found: str = self.ok("POST", f"/api/{path}/challenge")["challenge"]
        return found

    def register(self, key: Key, **flags: int) -> httpx.Response:
        made = key.made(self.challenge("me/passkeys"), self.origin, "localhost", **flags)
        return self.ask("POST", "/api/me/passkeys", made)

    def sign_in(self, key: Key, **changes: Any) -> str:
        """What comes of it: the name that one has then, or the code of a refusal."""
        how = {
            "challenge": self.challenge("sign-in"), "origin": self.origin, "site": "localhost",
            **changes,
        }  # fmt: skip
        answer = self.ask("POST", "/api/sign-in/passkey", key.used(**how)).json()
        return str(answer.get("handle") or answer["code"])


@pytest.fixture(scope="module")
def known(server: Tegel) -> Iterator[tuple[Browser, Key]]:
    """Somebody with a passkey."""
    person, key = Browser(server), Key()
    person.ok("POST", "/api/me/account", {"handle": "Antje"})
    assert person.register(key).status_code == 201
    OPEN.remove(person)  # it is needed for longer than one test
    yield person, key
    person.close()


def test_a_passkey_lets_its_player_in(server: Tegel, known: tuple[Browser, Key]) -> None:
    person, key = known
    other = Browser(server)
    assert other.sign_in(key) == "Antje"
    assert other.ok("GET", "/api/me")["id"] == person.id


def test_a_device_that_can_verify_its_user_has_to(
    server: Tegel, known: tuple[Browser, Key]
) -> None:
    """Whoever found the key of another, which asks for a PIN, does not get in by not asking."""
    thief = Browser(server)
    assert thief.sign_in(known[1], flags=PRESENT) == "unverified"
    assert thief.ok("GET", "/api/me")["id"] == thief.id
    assert thief.sign_in(known[1], flags=PRESENT | VERIFIED) == "Antje"


def test_a_device_that_can_not_verify_its_user_lets_one_in(server: Tegel) -> None:
    """Until it can: then that is asked for."""
    person, key = Browser(server), Key()
    person.ok("POST", "/api/me/account", {"handle": "Simpel"})
    assert person.register(key, flags=PRESENT).status_code == 201
    for flags in (PRESENT, PRESENT | VERIFIED):
        assert Browser(server).sign_in(key, flags=flags) == "Simpel"
    assert Browser(server).sign_in(key, flags=PRESENT) == "unverified"


@pytest.mark.parametrize(
    ("changes", "why"),
    [({"origin": "https://evil.example"}, "passkey"), ({"origin": "http://localhost"}, "passkey"),
     ({"site": "evil.example"}, "passkey"), ({"kind": "webauthn.create"}, "passkey"),
     ({"flags": 0}, "passkey"), ({"challenge": "x"}, "late"), ({"challenge": ""}, "late"),
     ({"challenge": "99999999999999 x .x"}, "late")],
)  # fmt: skip
def test_what_is_for_another_site_or_no_answer_of_a_person_lets_nobody_in(
    server: Tegel, known: tuple[Browser, Key], changes: dict[str, Any], why: str
) -> None:
    guest = Browser(server)
    assert guest.sign_in(known[1], **changes) == why
    assert guest.ok("GET", "/api/me")["id"] == guest.id
    assert guest.sign_in(known[1]) == "Antje"


def test_a_challenge_is_good_once_and_for_its_purpose(
    server: Tegel, known: tuple[Browser, Key]
) -> None:
    person, key = known
    guest, once = Browser(server), Browser(server).challenge("sign-in")
    assert guest.sign_in(key, challenge=once) == "Antje"
    assert Browser(server).sign_in(key, challenge=once) == "late"
    assert Browser(server).sign_in(key, challenge=person.challenge("me/passkeys")) == "late"
    wrong = Key().made(person.challenge("sign-in"), person.origin, "localhost")
    assert person.refused("POST", "/api/me/passkeys", wrong) == "late"
    thief = Browser(server)
    thief.ok("POST", "/api/me/account", {"handle": "Dief"})
    stolen = Key().made(person.challenge("me/passkeys"), thief.origin, "localhost")
    assert thief.refused("POST", "/api/me/passkeys", stolen) == "late", "it was made for another"


def test_a_key_that_counts_backwards_was_copied(server: Tegel) -> None:
    person, key = Browser(server), Key()
    person.ok("POST", "/api/me/account", {"handle": "Klaasje"})
    person.register(key)
    key.count = 7
    assert Browser(server).sign_in(key) == "Klaasje"
    key.count = 4
    assert Browser(server).sign_in(key) == "passkey"


def test_a_passkey_is_one_players_and_there_are_not_too_many(
    server: Tegel, known: tuple[Browser, Key]
) -> None:
    guest = Browser(server)
    assert guest.refused("POST", "/api/me/passkeys/challenge") == "nameless"
    guest.ok("POST", "/api/me/account", {"handle": "Veelvraat"})
    assert guest.register(known[1]).json()["code"] == "passkey"
    for number in range(11):
        answer = guest.register(key := Key())
        assert answer.status_code == (201 if number < 10 else 409)
    assert answer.json()["code"] == "many"
    assert Browser(server).sign_in(key) == "passkey"
    first = guest.ok("GET", "/api/me/account")["passkeys"][0]["id"]
    rest = guest.ok("POST", "/api/me/passkeys/remove", {"id": first})["passkeys"]
    assert len(rest) == 9
    known[0].ok("POST", "/api/me/passkeys/remove", {"id": rest[0]["id"]})
    assert len(guest.ok("GET", "/api/me/account")["passkeys"]) == 9, "one removes only one's own"
    assert Browser(server).sign_in(known[1]) == "Antje"


def test_deleting_oneself_ends_the_passkey(server: Tegel) -> None:
    person, key = Browser(server), Key()
    person.ok("POST", "/api/me/account", {"handle": "Weg"})
    person.register(key)
    assert Browser(server).sign_in(key) == "Weg"
    person.ok("POST", "/api/me/delete", {"sure": True})
    assert Browser(server).sign_in(key) == "passkey"


@pytest.mark.parametrize(
    ("origin", "why"),
    [("http://games.example", "secure"), ("https://games.example", ""),
     ("https://192.0.2.1", "secure"), ("", "secure")],
)  # fmt: skip
def test_passkeys_need_a_name_and_https(origin: str, why: str) -> None:
    """The site of a passkey is the page's that asks, where the host let it in."""
    headers = [(b"origin", origin.encode())] if origin else []
    request = Request({"type": "http", "method": "POST", "headers": headers})
    if why:
        with pytest.raises(Refused) as refused:
            site(request)
        assert refused.value.code == why
    else:
        assert site(request) == (origin, "games.example")
