"""The messages between the server and somebody who looks for a player to play with."""

from typing import TypeAlias

import msgspec

from tegel.place.wire.messages import Error, Ping, Pong
from tegel.place.wire.text import checked
from tegel.room.actions import Tagged
from tegel.room.refused import Refused


class Seek(Tagged):
    """Look for somebody, until the connection closes. `ticket`: any word of one's own, another for
    every search."""

    game: str
    ticket: str
    variant: str = ""
    options: dict[str, str] = msgspec.field(default_factory=dict)
    clock: str = "bank 300 5"
    name: str = ""


class Looking(Tagged, kw_only=True):
    """How the search stands: milliseconds so far, how far from your own rating others may be,
    now and soon (-1: anybody), how many others look for the same, the ratings of those of them who
    show theirs, and how many look for anything."""

    waited: int
    rating: float
    reach: float
    soon: float
    others: tuple[float, ...] = ()
    same: int = 0
    all: int = 0


class Paired(Tagged):
    """Somebody was found; the seat in that room is kept for you. If you sit down there and somebody
    else does not, the game is called off (`noshow`): seek again, and the time you waited counts."""

    room: str


class Stopped(Tagged):
    """The search goes on in another window of yours."""


Seeking: TypeAlias = Seek | Ping  # to the server,
Found: TypeAlias = Looking | Paired | Stopped | Error | Pong  # and from it

_decoder = msgspec.json.Decoder(Seeking)


def decode(data: bytes | str) -> Seek | Ping:
    """The message that a text is; raises ValueError."""
    try:
        message: Seek | Ping = _decoder.decode(data)
        checked(msgspec.json.decode(data))
    except (msgspec.MsgspecError, RecursionError, UnicodeError, Refused) as error:
        raise ValueError(str(error)) from None
    return message
