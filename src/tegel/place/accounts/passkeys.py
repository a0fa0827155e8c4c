"""Passkeys: a key in somebody's device signs a challenge of ours, for our site only.

A **challenge** is a token that works once, within minutes, and says what it is for; the device
signs it as it is. Whether what comes back is right is judged by the library `webauthn`.

A device that can verify its user, by a finger, a face or a PIN, has to: the page asks for it, and
a passkey that was verified once lets nobody in without."""

from collections.abc import Callable
from importlib import import_module
from typing import Any, NamedTuple, TypeVar

import sqlalchemy as sa

from tegel.place.accounts.once import Once
from tegel.place.heartbeat import Heartbeat
from tegel.room.refused import Refused
from tegel.server.storage import tables
from tegel.server.storage.database import Database

T = TypeVar("T")
MOST = 10  # passkeys of one player
SECONDS = 300  # that a person has for it
REGISTER, SIGN_IN = "passkey-new", "passkey-in"
UNKNOWN = "This passkey can't be used here: it is not known, or belongs to another site."
UNVERIFIED = "Your device can check that it is you: please let it do so."
LATE = "That took too long, or was tried twice: please begin again."


class Site(NamedTuple):
    """Where a passkey is good for: the page that asks, and its name."""

    origin: str
    name: str


class Passkeys:
    def __init__(self, store: Database, heartbeat: Heartbeat, once: Once) -> None:
        self.store, self.heartbeat, self.once = store, heartbeat, once

    def challenge(self, purpose: str, *words: str) -> str:
        return self.once.made(purpose, SECONDS, *words)

    async def of(self, player: str) -> list[Any]:
        """The passkeys of a player, the oldest first."""
        c = tables.passkeys.c
        query = sa.select(c.id, c.at, c.used).where(c.player == player).order_by(c.at)
        return list(await self.store.rows(query))

    async def register(self, player: str, site: Site, credential: dict[str, Any]) -> None:
        """Keep a new passkey for a player; raises Refused."""
        challenge, words = await self._answered(REGISTER, credential)
        if words != [player]:
            raise Refused("late", LATE)
        made = _judged(
            lambda: _library().verify_registration_response(
                credential=credential,
                expected_challenge=challenge,
                expected_rp_id=site.name,
                expected_origin=site.origin,
            )
        )
        now, text = self.heartbeat.now(), _library().helpers.bytes_to_base64url
        row = {
            "id": text(made.credential_id), "player": player, "at": now, "used": now,
            "key": text(made.credential_public_key), "counter": made.sign_count,
            "verified": made.user_verified,
        }  # fmt: skip
        await self.store.write(lambda connection: _add(connection, row))

    async def player(self, site: Site, credential: dict[str, Any]) -> str:
        """Who signs in with a passkey; raises Refused."""
        challenge, _ = await self._answered(SIGN_IN, credential)
        c = tables.passkeys.c
        found = await self.store.rows(sa.select(tables.passkeys).where(c.id == credential["id"]))
        if not found:
            raise Refused("passkey", UNKNOWN)
        known = found[0]
        seen = _judged(
            lambda: _library().verify_authentication_response(
                credential=credential,
                expected_challenge=challenge,
                expected_rp_id=site.name,
                expected_origin=site.origin,
                credential_public_key=_library().helpers.base64url_to_bytes(known.key),
                credential_current_sign_count=known.counter,
            )
        )
        if known.verified and not seen.user_verified:
            raise Refused("unverified", UNVERIFIED)
        values = {"counter": seen.new_sign_count, "verified": seen.user_verified}
        change = sa.update(tables.passkeys).where(c.id == known.id)
        await self.store.change(change.values(**values, used=self.heartbeat.now()))
        return str(known.player)

    async def remove(self, player: str, id: str) -> None:
        c = tables.passkeys.c
        where = sa.and_(c.player == player, c.id == id)
        await self.store.change(sa.delete(tables.passkeys).where(where))

    async def _answered(self, purpose: str, credential: dict[str, Any]) -> tuple[bytes, list[str]]:
        """The challenge of ours that a credential answers, for the first time, and its words."""
        challenge = _judged(
            lambda: (
                _library()
                .helpers.parse_client_data_json(
                    _library().helpers.base64url_to_bytes(credential["response"]["clientDataJSON"])
                )
                .challenge
            )
        )
        words = await self.once.used(purpose, challenge.decode("ascii", "replace"))
        if words is None:
            raise Refused("late", LATE)
        return challenge, list(words)


def _judged(judge: Callable[[], T]) -> T:
    """What the library makes of a credential. It reads what a stranger sent, in several formats;
    whatever it raises says that it is no good."""
    try:
        return judge()
    except Exception:
        raise Refused("passkey", UNKNOWN) from None


def _add(connection: sa.Connection, row: dict[str, Any]) -> None:
    c = tables.passkeys.c
    own = sa.select(sa.func.count()).where(c.player == row["player"])
    if connection.scalars(own).one() >= MOST:
        raise Refused("many", f"More than {MOST} passkeys are not kept: remove one first.")
    if connection.scalar(sa.select(c.id).where(c.id == row["id"])):
        raise Refused("passkey", UNKNOWN)
    connection.execute(sa.insert(tables.passkeys).values(**row))


def _library() -> Any:
    """`webauthn`, imported by whoever needs it first: that takes a while, and 14 MB."""
    return import_module("webauthn")
