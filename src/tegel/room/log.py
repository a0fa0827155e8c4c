"""The log of a room: rows that never change, each a move or an event.

An event is written with a `!`, its word and what it says, as in `!ask 0 10`; `parse` and `str`
are inverse. Rows name players by their ids; what people call each other is kept apart, so that
somebody can be forgotten. Rows of the first edition have the name too (`!sit 1 PLAYER NAME`):
`redacted` takes it out, the one change that a row may ever see."""

from dataclasses import dataclass, fields
from typing import Any, NamedTuple, get_args

from tegel.game import BadNotation, Seat


@dataclass(frozen=True)
class _Written:
    """An event as text: its word, then its fields in order, the last of which takes the rest."""

    def __str__(self) -> str:
        values = [getattr(self, field.name) for field in fields(self)]
        words = [" ".join(value) if isinstance(value, tuple) else str(value) for value in values]
        return " ".join([f"!{self.word}", *words]).rstrip(" ")

    @property
    def word(self) -> str:
        return type(self).__name__.lower()


@dataclass(frozen=True)
class Sit(_Written):
    """A player takes a seat."""

    seat: Seat
    player: str
    name: str = ""  # in rows of the first edition only


@dataclass(frozen=True)
class From(_Written):
    """From where the player comes who is about to take a seat at a rated table: a mark that all of
    one network have at this table. `named`: many people share the network, and the player keeps a
    name."""

    seat: Seat
    network: str
    named: str = ""


@dataclass(frozen=True)
class Bot(_Written):
    """A bot of ours plays a seat from now on."""

    seat: Seat
    level: int


@dataclass(frozen=True)
class Resign(_Written):
    seat: Seat


@dataclass(frozen=True)
class Flag(_Written):
    """The time of a seat is up."""

    seat: Seat


@dataclass(frozen=True)
class Absent(_Written):
    """The player of a seat was gone for too long, and another claimed the win."""

    seat: Seat


@dataclass(frozen=True)
class NoShow(_Written):
    """The player for whom a seat was kept did not come: the game is called off."""

    seat: Seat


@dataclass(frozen=True)
class Ask(_Written):
    """May the line be cut to so many moves?"""

    seat: Seat
    keep: int


@dataclass(frozen=True)
class Agree(_Written):
    seat: Seat


@dataclass(frozen=True)
class Refuse(_Written):
    seat: Seat


@dataclass(frozen=True)
class Takeback(_Written):
    """The line is cut to so many moves."""

    keep: int


@dataclass(frozen=True)
class Rematch(_Written):
    """The room in which the players go on."""

    room: str


@dataclass(frozen=True)
class Look(_Written):
    """Someone alone at a table looks at it: see `stopwatch`."""

    seat: Seat


@dataclass(frozen=True)
class Away(_Written):
    seat: Seat


@dataclass(frozen=True)
class Hint(_Written):
    """A hint led on."""

    seat: Seat


@dataclass(frozen=True)
class Reveal(_Written):
    """A solution is shown: the line cut to so many moves, and then these."""

    seat: Seat
    keep: int
    moves: tuple[str, ...] = ()


Event = (
    Sit | From | Bot | Resign | Flag | Absent | NoShow | Ask | Agree | Refuse | Takeback | Rematch
    | Look | Away | Hint | Reveal
)  # fmt: skip
_KINDS: dict[str, type[Event]] = {kind.__name__.lower(): kind for kind in get_args(Event)}


def is_event(text: str) -> bool:
    """Whether a row is an event; else it is a move."""
    return text.startswith("!")


def parse(text: str) -> Event:
    """The event that a row is; raises BadNotation.

    >>> parse("!ask 0 10")
    Ask(seat=0, keep=10)
    """
    word, _, rest = text[1:].partition(" ")
    kind = _KINDS.get(word)
    if not is_event(text) or kind is None:
        raise BadNotation(text, "not an event of a room's log")
    asked = fields(kind)
    words = rest.split(" ", len(asked) - 1)
    try:
        event: Event = kind(*map(_value, [field.name for field in asked], words))
    except (TypeError, ValueError):
        raise BadNotation(text, f"expected !{word} with {len(asked)} words more") from None
    return event


def _value(field: str, text: str) -> Any:
    if field in ("seat", "keep", "level"):
        if not (text.isascii() and text.isdecimal()):
            raise ValueError(text)
        return int(text)
    return tuple(text.split(" ")) if field == "moves" else text


def redacted(text: str) -> str:
    """The row without the name that somebody had."""
    if not is_event(text):
        return text
    event = parse(text)
    return str(Sit(event.seat, event.player)) if isinstance(event, Sit) else text


class Row(NamedTuple):
    seq: int
    at: int  # milliseconds
    text: str

    @property
    def event(self) -> Event | None:
        """The event that it is, if it is no move."""
        return parse(self.text) if is_event(self.text) else None
