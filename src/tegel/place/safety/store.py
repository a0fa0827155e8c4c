"""What fair play, blocks and reports ask of storage, and what they change there."""

from collections.abc import Collection, Sequence
from typing import NamedTuple, Protocol


class RunningRow(NamedTuple):
    """A running game as a row. `footprint` is None where the room was last stored by an earlier
    edition; `places` is a text as it is stored."""

    room: str
    footprint: str | None
    places: str


class BlockRow(NamedTuple):
    """Whom somebody blocked, what that player is called at the table where it was done, and
    when."""

    blocked: str
    name: str
    at: int


class SafetyStore(Protocol):
    # Networks, as keyed hashes

    async def note_network(self, network: str, player: str, at: int) -> None:
        """Note that a player acted from a network."""

    async def forget_networks(self, before: int) -> None:
        """Delete the networks of players who did nothing since then and have no running game with
        others."""

    async def is_one_network(self, players: Collection[str]) -> bool:
        """Whether there is a network from which all of some players acted."""

    # Running games. `but` is a room that is left out, `most` bounds the answer.

    async def timed_games(
        self, players: Collection[str], game: str, but: str, most: int
    ) -> list[tuple[str, str]]:
        """The rated games and those by eye, with a clock of minutes and all seats taken, that some
        players play: rooms, each with a player."""

    async def games_by_eye(
        self, game: str, but: str, before: int | None, most: int
    ) -> list[RunningRow]:
        """The running games that people play by eye, the latest first; those that began before a
        time."""

    async def games_of(
        self, players: Collection[str], game: str, but: str, most: int, *, by_eye: bool
    ) -> list[RunningRow]:
        """The running games of some players; `by_eye`: only those that are played by eye."""

    async def games_beside(
        self, players: Collection[str], networks: Collection[str], game: str, but: str, most: int,
        *, by_eye: bool,
    ) -> list[RunningRow]:  # fmt: skip
        """The running games of all who act from some networks, or from those of some players."""

    # Blocks

    async def count_blocks(self, player: str) -> int:
        """How many a player has blocked."""

    async def add_block(self, player: str, blocked: str, room: str, at: int) -> None: ...

    async def remove_blocks(self, player: str, blocked: Collection[str]) -> None: ...

    async def blocks_of(self, player: str) -> list[BlockRow]:
        """Whom a player has blocked, the latest first. Of blocks of earlier editions the table is
        not known: the name is one from a table where both sat."""

    async def blockers_of(self, player: str, among: Collection[str]) -> set[str]:
        """Those among some players who blocked a player."""

    async def apart_from(self, player: str, among: Collection[str]) -> set[str]:
        """Those among some players who blocked a player, or whom that player blocked."""

    async def pairs_apart(self, players: Sequence[str]) -> set[frozenset[str]]:
        """Which two of some players have a block between them."""

    # Reports

    async def note_report(
        self, room: str, player: str, reported: str, reason: str, at: int
    ) -> None:
        """Note what a player says of another of their table, instead of what they said before."""
