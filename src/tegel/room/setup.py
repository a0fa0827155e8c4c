"""How a room begins: which game, who may sit where, and what time there is.

A **place** is a seat as the creator set it: for a `person` (known by identity), `open` to
whoever comes, or for a `bot`."""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from tegel import games, record
from tegel.room.clock import Clock

ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"  # no letters that look like others
KINDS = ("person", "open", "bot")
LEVELS = range(1, 10)
LONGEST_NAME = 40
KEPT = "@"  # how the name begins of a player who keeps it; no guest's does


@dataclass(frozen=True)
class Place:
    """A seat as it was set out."""

    kind: Literal["person", "open", "bot"]
    level: int = 0  # of a bot of ours
    player: str = ""  # whom a person's seat waits for; a bot of someone else's
    name: str = ""  # in rooms of the first edition only, as in rows of the log


@dataclass(frozen=True)
class Setup:
    """All that never changes about a room."""

    id: str
    game: str
    variant: str
    places: tuple[Place, ...]
    options: Mapping[str, str] = field(default_factory=dict)
    clock: Clock = field(default_factory=Clock)
    listed: bool = False
    at: int = 0  # when it was made
    hinting: bool = False  # all who sit down agree that hints may be asked for, seen by all
    rated: bool = False  # it counts for the ratings of those who play

    def record(self, moves: Sequence[str] = (), **headers: str) -> record.Record:
        return record.Record(self.game, self.variant, self.options, headers, tuple(moves))


def seats(game: str, variant: str, options: Mapping[str, str]) -> int:
    """How many seats a table has; raises BadNotation for what no game knows."""
    return len(games.start(record.Record(game, variant, options)).scores)


def name(length: int = 14) -> str:
    """A name that nobody guesses: five bits a letter."""
    return "".join(secrets.choice(ALPHABET) for _ in range(length))


def cleaned(text: str) -> str:
    """A display name: one line of printable characters, not too long.

    >>> cleaned("  Ann\\n\\tde  Vries ")
    'Ann de Vries'
    """
    printable = "".join(c if c.isprintable() else " " for c in text)
    return " ".join(printable.split())[:LONGEST_NAME].strip()


def guest_name(text: str) -> str:
    """A display name that can't be taken for one that somebody keeps.

    >>> guest_name(" @ @Ann")
    'Ann'
    """
    return cleaned(text).lstrip(f"{KEPT} ")
