"""What rooms ask of storage, and what they change there."""

from collections.abc import Awaitable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from tegel.place.rooms.append import Append
from tegel.place.rooms.room_row import SealedNetwork
from tegel.room.ending import Ending
from tegel.room.log import Row
from tegel.room.setup import Setup


class Sighting(NamedTuple):
    """What a worker sees of a room: its players with 0, or since when they are gone; and how many
    others watch."""

    worker: str
    players: dict[str, int]
    watchers: int


class Called(NamedTuple):
    player: str
    name: str


@dataclass(frozen=True)
class Listing:
    """A room as lists show it. `options` and `places` are texts as they are stored, which may be
    damaged."""

    id: str
    game: str
    variant: str
    options: str
    places: str
    clock: str
    open: int
    ply: int
    over: bool
    waiting: str
    at: int
    touched: int
    moves: int
    deadline: int | None
    rated: bool
    spent: int
    score: int
    hints: int
    closed: str
    names: Sequence[Called] = ()


class Solved(NamedTuple):
    """How somebody solved a puzzle: in how many milliseconds, with how many hints, at best."""

    spent: int
    hints: int


class RoomStore(Protocol):
    def append(self, append: Append) -> Awaitable[bool]:
        """Write the next rows of a room. True once they are on disk; False if other rows have
        their places. Begins at once, whether it is awaited or not."""

    async def setup(self, room: str) -> Setup | None:
        """How a room begins; raises ValueError if that can't be read."""

    async def tail(self, room: str, since: int = 0, most: int | None = None) -> list[Row]:
        """The rows of a room from `since` on, `most` at most."""

    async def names(self, room: str) -> dict[str, str]:
        """What players are called in a room."""

    async def lengths(self, rooms: Sequence[str]) -> dict[str, int]:
        """How many rows each room has."""

    async def due(self, now: int, but: Collection[str] = (), most: int = 200) -> list[str]:
        """Rooms, some left out, where a bot should think or a flag has fallen, and no worker that
        is alive sees to it."""

    async def lease(self, room: str, worker: str, now: int) -> bool:
        """Let a worker think for the bot of a room from now on; whether it may."""

    async def release(self, worker: str) -> None:
        """Leave all bots for which a worker thinks to other workers."""

    async def put_off(self, room: str, ply: int, deadline: int) -> None:
        """Note a later time at which a flag falls, if the room still has `ply` rows."""

    # Who watches

    async def note_sighting(self, room: str, sighting: Sighting) -> None: ...

    async def sightings(self, rooms: Sequence[str], but: str) -> list[Sighting]:
        """What workers see of some rooms, one worker left out."""

    # Endings that are not kept yet

    async def unkept(self, most: int) -> list[str]:
        """Some rooms whose games were over before endings were kept."""

    async def keep_endings(
        self,
        rooms: Sequence[str],
        endings: Sequence[Ending],
        names: Mapping[str, Mapping[str, str]],
    ) -> None:
        """Write the endings of some rooms and, by room, what their players are called; from now on
        none of these rooms is unkept."""

    # Lists

    async def listed(self, game: str, since: int, most: int) -> list[Listing]:
        """The tables that strangers may find, touched since then: those with free seats first, of
        each network the latest `most`, and the first of every site before the second of any."""

    async def listed_by(self, network: SealedNetwork, since: int) -> tuple[int, int]:
        """How many tables of a network, and of its site, are listed and not over."""

    async def running(self, player: str, most: int | None = None) -> list[str]:
        """The rooms of a player whose games are on, the latest first; also puzzles."""

    async def rooms_of(self, player: str, *, over: bool) -> list[Listing]:
        """The games of a player, those that wait for them first; no puzzles. Their own name is
        left out."""

    async def puzzles_of(self, player: str, most: int) -> list[Listing]:
        """The puzzles of a player, the latest first, without names."""

    async def solved(self, variant: str, most: int) -> list[Solved]:
        """How each of those did who solved a puzzle; nobody is named."""
