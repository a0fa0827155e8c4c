"""Who someone is, without accounts: a browser has a signed cookie, a program a token.

A **seal** is a text with its signature: nobody else can make one, everybody can carry it."""

import base64
import hashlib
import hmac
import os
import secrets
from pathlib import Path

from tegel.room.setup import name

COOKIE = "tegel"
YEAR = 365 * 86_400


def secret(data: Path) -> str:
    """The secret of this place: from the environment, or made once into the data folder,
    readable by its owner only."""
    if given := os.environ.get("TEGEL_SECRET"):
        if len(given) < 16:
            raise ValueError("TEGEL_SECRET is too short: use 32 random characters or more")
        return given
    file = data / "secret"
    try:
        handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return file.read_text("ascii").strip()
    with os.fdopen(handle, "w") as stream:
        stream.write(secrets.token_urlsafe(32))
    return file.read_text("ascii").strip()


class Seals:
    def __init__(self, secret: str) -> None:
        self.key = secret.encode()

    def sealed(self, purpose: str, text: str) -> str:
        return f"{text}.{self._signature(purpose, text)}"

    def opened(self, purpose: str, seal: str) -> str | None:
        """The text of a seal, if it is ours and made for this purpose."""
        text, dot, signature = seal.rpartition(".")
        if dot and hmac.compare_digest(signature.encode(), self._signature(purpose, text).encode()):
            return text
        return None

    def _signature(self, purpose: str, text: str) -> str:
        digest = hmac.digest(self.key, f"{purpose}\0{text}".encode(), "sha256")
        return base64.urlsafe_b64encode(digest[:24]).decode()


def new_player() -> str:
    return name(20)


def new_bot() -> str:
    return f"bot-{name(12)}"


def new_token() -> str:
    return f"tegel_{secrets.token_urlsafe(32)}"


def token_hash(token: str) -> str:
    """What is stored of a token: it has 256 random bits, so one round suffices."""
    return hashlib.sha256(token.encode()).hexdigest()
