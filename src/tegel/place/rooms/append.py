"""The next rows of a room, and what else is written with them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from tegel.room.ending import Ending
from tegel.room.log import Row


@dataclass(frozen=True)
class Append:
    """The next rows of a room, and what its columns say after them; see `room_row.append`. All of
    it is written in one transaction, or nothing."""

    room: str
    rows: Sequence[Row]
    summary: Mapping[str, object]  # the columns that change
    setup: Mapping[str, object] | None = None  # the others, if the room is made with it
    sat: Sequence[str] = ()  # players who have a seat now
    names: Mapping[str, str] = field(default_factory=dict)  # what players are called from now on
    along: "Append | None" = None  # rows of another room, written in the same transaction
    tell: str = ""  # the player whose turn it is now, if their devices are to be told
    ending: Ending | None = None  # of the game, if it is over with these rows
