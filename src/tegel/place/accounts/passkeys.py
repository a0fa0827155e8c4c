"""Passkeys: a key in somebody's device signs a challenge of ours, for our site only.

A **challenge** is a token that works once, within minutes, and says what it is for; the device
signs it as it is. Whether what comes back is right is judged by the library `webauthn`.

A device that can verify its user, by a finger, a face or a PIN, has to: the page asks for it, and
a passkey that was verified once lets nobody in without."""

from collections.abc import Callable
from importlib import import_module
from typing import Any, NamedTuple, TypeVar

from tegel.place.accounts.once import Once
from tegel.place.accounts.store import Passkey, PasskeyStore
from tegel.place.heartbeat import Heartbeat
from tegel.place.ports import KeyTaken
from tegel.room.refused import Refused

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
    def __init__(self, store: PasskeyStore, heartbeat: Heartbeat, once: Once) -> None:
        self.store, self.heartbeat, self.once = store, heartbeat, once

    def challenge(self, purpose: str, *words: str) -> str:
        return self.once.made(purpose, SECONDS, *words)

    async def of(self, player: str) -> list[Passkey]:
        """The passkeys of a player, the oldest first."""
        return await self.store.of(player)

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
        passkey = Passkey(
            text(made.credential_id), player, text(made.credential_public_key),
            made.sign_count, made.user_verified, at=now, used=now,
        )  # fmt: skip
        try:
            if not await self.store.add(passkey, MOST):
                raise Refused("many", f"More than {MOST} passkeys are not kept: remove one first.")
        except KeyTaken:
            raise Refused("passkey", UNKNOWN) from None

    async def player(self, site: Site, credential: dict[str, Any]) -> str:
        """Who signs in with a passkey; raises Refused."""
        challenge, _ = await self._answered(SIGN_IN, credential)
        known = await self.store.passkey(credential["id"])
        if known is None:
            raise Refused("passkey", UNKNOWN)
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
        now = self.heartbeat.now()
        await self.store.note_use(known.id, seen.new_sign_count, now, verified=seen.user_verified)
        return known.player

    async def remove(self, player: str, id: str) -> None:
        await self.store.remove(player, id)

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


def _library() -> Any:
    """`webauthn`, imported by whoever needs it first: that takes a while, and 14 MB."""
    return import_module("webauthn")
