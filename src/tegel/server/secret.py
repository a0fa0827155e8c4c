"""The secrets of a server: given by the environment, or made once into its data folder."""

import os
import secrets
from contextlib import suppress
from pathlib import Path

from tegel.game import BadNotation

SHORTEST = 32  # characters of a secret


def secret(data: Path, name: str = "secret") -> str:
    """Return a secret of this server: from the environment (TEGEL_SECRET), or from a file in the
    data folder, which is made if it is not there, readable by its owner only. One that is too
    short, as a full disk would leave it, is refused: with it, anybody could sign."""
    variable, file = f"TEGEL_{name.upper().replace('-', '_')}", data / name
    if given := os.environ.get(variable):
        return _long(given, variable, "use 32 random characters or more")
    if not file.exists():
        _made(file)
    found = file.read_text("ascii", "replace").strip()
    return _long(found, str(file), "delete the file, and a new one is made; all cookies end then")


def _long(found: str, where: str, remedy: str) -> str:
    if len(found) < SHORTEST:
        raise BadNotation(where, f"a secret of {len(found)} characters is too short: {remedy}")
    return found


def _made(file: Path) -> None:
    """Write a secret whole or not at all; if another process was faster, its secret stays."""
    aside = file.with_name(f"{file.name}.{os.getpid()}")
    handle = os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        with os.fdopen(handle, "w") as stream:
            stream.write(secrets.token_urlsafe(32))
            stream.flush()
            os.fsync(stream.fileno())
        with suppress(FileExistsError):
            os.link(aside, file)
    finally:
        aside.unlink()
