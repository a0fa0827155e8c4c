"""What time a room gives: none, a bank of time with an increment a turn, days a move, or a
clock that counts up, the time that someone spends alone with a puzzle."""

from dataclasses import dataclass

from tegel.game import BadNotation

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
