"""What pairing asks of storage, and what it changes there.

A wish is **open** while it has no room and its worker is alive. When it is paired it has a room;
whether its player **came** is noted with the row of the log by which they sit down there. Given
back, it has neither room nor worker."""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple, Protocol

from tegel.place.pairing.matching import Wish
from tegel.place.rooms.append import Append


class Paired(NamedTuple):
    """Where somebody plays who looked with a ticket."""

    player: str
    ticket: str
    room: str


class PairingStore(Protocol):
    async def open_wish(self, wish: Wish, alive: Sequence[str], most: int) -> str | None:
        """Write a wish: empty if it is open now, else the room in which somebody waits for its
        player; None if so many look from its network already. One that was given back goes on."""

    async def close_wish(self, player: str, ticket: str) -> None:
        """Delete a wish, unless it is paired."""

    async def close_wishes(self, worker: str) -> None:
        """Delete the wishes of a worker that are not paired."""

    async def open_wishes(self, sought: str, alive: Sequence[str], now: int) -> list[Wish]:
        """The open wishes for something, the oldest first. Of many, the oldest and the newest: so
        nobody who can't be paired is in the way of everybody else."""

    async def count(self, alive: Sequence[str]) -> Mapping[str, int]:
        """How many look for somebody, by game; of very many, some are counted."""

    async def make_if_claimed(self, append: Append, group: Sequence[Wish], now: int) -> bool:
        """Make a room for a group, and note in all their wishes that it is theirs; False, with
        nothing written, if one of them looks no more or is being paired by another worker."""

    async def paired_of(self, worker: str) -> list[Paired]:
        """The wishes of a worker that are paired, and whose players have not come yet."""

    async def late(self, before: int, most: int) -> list[str]:
        """Some rooms that were made before a time, and that somebody may not have come to."""

    async def settle(self, room: str) -> None:
        """Forget who was paired to play in a room: all came, or it can't be opened."""

    async def give_back(self, room: str, came: Collection[str], now: int) -> None:
        """Note who did not come to a table that was called off, and give the others their wishes
        back. The table leaves all lists: there is nothing to see."""

    async def forget(self, alive: Sequence[str], now: int) -> None:
        """Forget the wishes of workers that died, what was given back and not taken, and who did
        not come long ago."""
