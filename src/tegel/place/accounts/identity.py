"""Who someone is: a browser has a signed cookie, a program a token. Nobody needs an account; who
keeps a name is known by the same cookie.

A **seal** is a text with its signature: nobody else can make one, everybody can carry it."""

import base64
import hashlib
import hmac
from typing import NamedTuple

from tegel.place.ports import Chance
from tegel.room.setup import name


class Seals:
    def __init__(self, secret: str) -> None:
        self.key = secret.encode()

    def sealed(self, purpose: str, text: str) -> str:
        return f"{text}.{self.keyed_hash(purpose, text)}"

    def opened(self, purpose: str, seal: str) -> str | None:
        """The text of a seal, if it is ours and made for this purpose."""
        text, dot, signature = seal.rpartition(".")
        if dot and hmac.compare_digest(signature.encode(), self.keyed_hash(purpose, text).encode()):
            return text
        return None

    def keyed_hash(self, purpose: str, text: str) -> str:
        """What is stored of a text, such as a network: nobody else can compute it."""
        digest = hmac.digest(self.key, f"{purpose}\0{text}".encode(), "sha256")
        return base64.urlsafe_b64encode(digest[:24]).decode()


class Session(NamedTuple):
    """What a cookie says: who somebody is, and which generation of their cookies it is of."""

    player: str
    generation: int = 0

    def __str__(self) -> str:
        return f"{self.player}~{self.generation}" if self.generation else self.player


def session(text: str) -> Session:
    """The session that a text is; the inverse of `str`."""
    player, _, generation = text.partition("~")
    return Session(player, int(generation or 0))


def new_player(chance: Chance) -> str:
    return name(chance, 20)


def new_bot(chance: Chance) -> str:
    return f"bot-{name(chance, 12)}"


def new_token(chance: Chance) -> str:
    """A token of a program: 256 random bits."""
    bits = chance.getrandbits(256).to_bytes(32, "big")
    return f"tegel_{base64.urlsafe_b64encode(bits).rstrip(b'=').decode()}"


def new_code(chance: Chance) -> str:
    """A recovery code, to be written down: 123 random bits in five groups."""
    return "-".join(name(chance, 5) for _ in range(5))


def plain_code(text: str) -> str:
    """A code as it was given out, however it was typed.

    >>> plain_code(" ABCDE fghjk23456-mnpqr stuvw")
    'abcde-fghjk-23456-mnpqr-stuvw'
    """
    signs = "".join(char for char in text.lower() if char.isalnum())
    return "-".join(signs[at : at + 5] for at in range(0, len(signs), 5))


def token_hash(token: str) -> str:
    """What is stored of a token or a code: it is long and random, so one round suffices."""
    return hashlib.sha256(token.encode()).hexdigest()
