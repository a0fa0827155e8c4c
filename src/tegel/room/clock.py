"""What time a room gives: none, a bank of time with an increment a turn, days a move, or a
clock that counts up, the time that someone spends alone with a puzzle."""

import re
from dataclasses import dataclass

from tegel.game import BadNotation

SECOND, DAY = 1000, 86_400_000  # in milliseconds, as all times here
_SECONDS = re.compile(r"[0-9]{1,6}(\.[0-9]{1,3})?")
_DAYS = re.compile("[1-9][0-9]?")


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
            limits = "a bank of up to a day, to which a turn adds up to an hour, or 1 to 30 days"
            raise BadNotation(str(self), f"a clock has {limits}")
        if self.up and (self.bank or self.days):
            raise BadNotation(str(self), "a clock counts up or down")
        if self.increment and not self.bank:
            raise BadNotation(str(self), "an increment needs a bank")

    def __str__(self) -> str:
        if self.days:
            return f"days {self.days}"
        if self.bank:
            return f"bank {_seconds(self.bank)} {_seconds(self.increment)}"
        return "up" if self.up else "none"

    def __bool__(self) -> bool:
        """Whether time can run out."""
        return bool(self.bank or self.days)


def clock(text: str) -> Clock:
    """The clock that a text is; the inverse of `str`.

    >>> clock("bank 300 5")
    Clock(bank=300000, increment=5000, days=0, up=False)
    """
    match text.split() or ["none"]:
        case ["none"]:
            return Clock()
        case ["up"]:
            return Clock(up=True)
        case ["bank", bank, increment]:
            if not (held := _milliseconds(text, bank)):
                raise BadNotation(text, "a bank without time is no clock: write 'none' for none")
            return Clock(held, _milliseconds(text, increment))
        case ["days", days] if _DAYS.fullmatch(days):
            return Clock(days=int(days))
    raise BadNotation(text, "a clock is 'none', 'bank 300 5', 'days 3' or 'up'")


def _milliseconds(text: str, seconds: str) -> int:
    """Seconds, as they stand in the text of a clock."""
    if not _SECONDS.fullmatch(seconds):
        remedy = "write seconds as 300 or 0.5, with three decimals at most"
        raise BadNotation(text, f"{seconds!r} is no time: {remedy}")
    whole, _, part = seconds.partition(".")
    return int(whole) * SECOND + int(part.ljust(3, "0"))


def _seconds(milliseconds: int) -> str:
    return f"{milliseconds / SECOND:.3f}".rstrip("0").rstrip(".")
