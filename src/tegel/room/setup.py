"""How a room begins: which game, who may sit where, and what time there is.

- a **place** is a seat as the creator set it: for a `person` (known by identity), `open`
  to whoever comes, or for a `bot`;
- a **clock** is none, a bank of time with an increment a turn, days a move, or counts up:
  the time that someone spends alone with a puzzle."""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tegel import games, record
from tegel.game import BadNotation, Game

ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"  # no letters that look like others
KINDS = ("person", "open", "bot")
LEVELS = range(1, 10)
LONGEST_NAME = 40
SECOND, DAY = 1000, 86_400_000  # in milliseconds, as all times here


@dataclass(frozen=True)
class Clock:
    """Milliseconds: a bank and what each turn adds to it, or what each move has."""

    bank: int = 0
    increment: int = 0
    days: int = 0
    up: bool = False

    def __post_init__(self) -> None:
        fits = 0 <= self.bank <= 86_400 * SECOND and 0 <= self.increment <= 3600 * SECOND
        if not fits or not 0 <= self.days <= 30 or (self.days and self.bank):
            raise BadNotation(str(self), "a clock has a bank of up to a day, or 1 to 30 days")
        if self.up and (self.bank or self.days):
            raise BadNotation(str(self), "a clock counts up or down")
        if self.increment and not self.bank:
            raise BadNotation(str(self), "an increment needs a bank")

    def __str__(self) -> str:
        if self.days:
            return f"days {self.days}"
        if self.bank:
            return f"bank {self.bank / SECOND:g} {self.increment / SECOND:g}"
        return "up" if self.up else "none"

    def __bool__(self) -> bool:
        """Whether time can run out."""
        return bool(self.bank or self.days)


def clock(text: str) -> Clock:
    """The clock that a text is; the inverse of `str`.

    >>> clock("bank 300 5")
    Clock(bank=300000, increment=5000, days=0, up=False)
    """
    word, *numbers = text.split() or ["none"]
    try:
        values = [float(number) for number in numbers]
        match word, values:
            case "none", []:
                return Clock()
            case "up", []:
                return Clock(up=True)
            case "bank", [bank, increment] if bank > 0:
                return Clock(bank=int(bank * SECOND), increment=int(increment * SECOND))
            case "days", [days] if days >= 1:
                return Clock(days=int(days))
    except (ValueError, OverflowError) as error:
        raise BadNotation(text, "a clock is 'none', 'bank 300 5', 'days 3' or 'up'") from error
    raise BadNotation(text, "a clock is 'none', 'bank 300 5', 'days 3' or 'up'")


@dataclass(frozen=True)
class Place:
    """A seat as it was set out."""

    kind: str
    level: int = 0  # of a bot of ours
    player: str = ""  # whom a person's seat waits for; a bot of someone else's
    name: str = ""


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

    @property
    def law(self) -> Game[Any, Any]:
        return games.load(self.game)

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
