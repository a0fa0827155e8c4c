"""Names that are reserved: nobody is taken for the one who had such a name until lately, and a name
that the host took away stays away.

A name that somebody gave up is reserved for `DAYS`, and its last owner may take it back. The name
of a banned player who deletes themselves, and one that the host changed, is reserved until the host
lifts that. What is stored is a keyed hash of the folded name: it does not say what the name was."""

from tegel.place.accounts.identity import Seals
from tegel.room.clock import DAY
from tegel.room.lookalikes import folded
from tegel.room.refused import Refused

DAYS = 90
RESERVED = "This name is reserved, because somebody had it until lately: please choose another."


class Reserved(Refused):
    """A name is reserved for somebody else."""

    def __init__(self) -> None:
        super().__init__("reserved", RESERVED)


class Reservations:
    """By what names are reserved: only who knows the secret of the server can say."""

    def __init__(self, seals: Seals) -> None:
        self.seals = seals

    def key(self, handle: str) -> str:
        """The key of a name and of all that look alike."""
        return self.seals.keyed_hash("name", folded(handle))


def until(now: int) -> int:
    """Until when a name is reserved that is given up now."""
    return now + DAYS * DAY
