# ruff: noqa: RUF002 -- a letter that looks like another is what this is about
"""How a room begins: which game, who may sit where, and what time there is.

A **place** is a seat as the creator set it: for a `person` (known by identity), `open` to
whoever comes, or for a `bot`."""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from tegel import games, record
from tegel.game.chance import Chance
from tegel.room.clock import Clock

ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"  # no letters that look like others
KINDS = ("person", "open", "bot")
LEVELS = range(1, 10)
LONGEST_NAME = 40
KEPT = "@"  # how the name begins of a player who keeps it; no guest's does
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff"  # Unicode's Default_Ignorable_Code_Point
    "\u0488\u0489\u20dd-\u20e4\ua670-\ua672]"  # and marks that enclose a letter, as in an at-sign
)
_BLANK = "\u2800\ufffc\U0001d159"  # drawn as nothing, though they count as printable
_LIKE_AT = {KEPT, " ", *"©®℗\uaa5c\U0001f12f", *map(chr, range(0x1F150, 0x1F18A))}
"""What a guest's name doesn't begin with: at-signs, and letters in a circle or a square. NFKC makes
other forms of the at-sign into an at-sign."""


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


def name(chance: Chance, length: int = 14) -> str:
    """A name that nobody guesses: five bits a letter."""
    return "".join(chance.choice(ALPHABET) for _ in range(length))


def cleaned(text: str) -> str:
    """A display name: one line of visible characters, not too long. Letters that are only another
    form of others, as ＡＮＮ is of ANN, become these.

    >>> cleaned("  Ann\\n\\tde  Vries ")
    'Ann de Vries'
    """
    plain = _INVISIBLE.sub("", unicodedata.normalize("NFKC", text))
    shown = "".join(" " if c in _BLANK or not c.isprintable() else c for c in plain)
    return unicodedata.normalize("NFKC", " ".join(shown.split()))[:LONGEST_NAME].strip()


def guest_name(text: str) -> str:
    """A display name that can't be taken for one that somebody keeps: no at-sign in front, nor
    anything that looks like one or hides one.

    >>> guest_name(" @ @Ann"), guest_name("\\N{FULLWIDTH COMMERCIAL AT}Bob")
    ('Ann', 'Bob')
    """
    name = cleaned(text)
    while name and (name[0] in _LIKE_AT or unicodedata.category(name[0]).startswith("M")):
        name = name[1:]
    return name
