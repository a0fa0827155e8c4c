"""What history, ratings and profiles ask of storage, and what they change there."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import NamedTuple, Protocol

from tegel.place.history.skill import Skill
from tegel.place.rooms.store import Called
from tegel.place.wire import personal
from tegel.room.ending import Seated


@dataclass(frozen=True)
class Filters:
    """Which games are asked for; what is empty asks for nothing."""

    game: str = ""
    variant: str = ""
    how: str = ""
    against: str = ""  # people, bots
    level: int = 0  # of the strongest bot
    opponent: str = ""  # a part of what another was called
    since: int = 0  # milliseconds: from then,
    until: int = 0  # until before then

    def active(self) -> list[str]:
        return [field.name for field in fields(self) if getattr(self, field.name)]


ALL = Filters()


class Whose(NamedTuple):
    """Whose games are asked for; `public`: only those that others may see too, because all
    people who played them show theirs."""

    player: str
    public: bool = False


class Cursor(NamedTuple):
    """The place of a game in a list that begins with the latest."""

    at: int
    room: str


@dataclass(frozen=True)
class PlayedGame:
    """A game that is over, and how it came out for one of its players."""

    room: str
    game: str
    variant: str
    options: Mapping[str, str]
    clock: str
    rated: bool
    at: int
    moves: int
    how: str
    reason: str
    by: int
    rank: int
    sides: int
    seats: tuple[Seated, ...]


class HistoryStore(Protocol):
    async def games(
        self, whose: Whose, filters: Filters, after: Cursor | None, most: int
    ) -> list[PlayedGame]:
        """Games, the latest first, at most so many; those behind a cursor, if one is given."""

    async def count(self, whose: Whose, filters: Filters) -> int:
        """How many games there are."""

    async def counts(self, whose: Whose) -> list[personal.Counted]:
        """How many games there are, by game and variant."""

    async def names(self, rooms: Sequence[str]) -> dict[tuple[str, str], str]:
        """What players were called, by room and player."""

    async def guests(self, player: str) -> set[str]:
        """The ids of the guests that a player was before signing in."""

    async def sums(self, player: str) -> list[personal.Summed]:
        """What the games of a player sum up to, by game and variant, in no order. The sums over
        all variants of a game have an empty variant."""

    async def against_levels(self, player: str) -> list[personal.AgainstLevel]:
        """How many games a player had against bots alone, by game and level."""


class RatingAt(NamedTuple):
    """What a player had after a game."""

    at: int
    room: str
    skill: Skill


class Ranked(NamedTuple):
    player: str
    name: str
    skill: Skill


class RatedFamily(NamedTuple):
    """A family of variants in which somebody has played so many rated games."""

    game: str
    family: str
    games: int


class RatingStore(Protocol):
    async def latest(self, player: str, game: str, family: str) -> Skill | None:
        """What a player has now; None without a rated game."""

    async def showing(self, players: Collection[str]) -> set[str]:
        """Those among some players whose ratings others may see."""

    async def latest_of(self, players: Collection[str]) -> dict[tuple[str, str, str], Skill]:
        """What some players have now, by player, game and family."""

    async def families(self, player: str) -> list[RatedFamily]:
        """The families in which a player has ratings, the most played first."""

    async def course(self, player: str, game: str, family: str, most: int) -> list[RatingAt]:
        """The latest ratings of a player in a family, in the order of the games."""

    async def best(self, game: str, family: str, sigma: float, most: int) -> list[Ranked]:
        """The best players of a family among those who want to be listed and whose sigma is not
        above a bound."""

    async def after(self, rooms: Sequence[str]) -> dict[tuple[str, str], Skill]:
        """What players had after some games, by room and player."""


class ProfileStore(Protocol):
    async def player(self, id: str) -> Called | None: ...

    async def keeper(self, handle: str) -> Called | None:
        """Who keeps a handle, or else one that looks like it."""

    async def shown(self, player: str) -> personal.Shown | None: ...

    async def show(self, player: str, shown: personal.Shown, now: int) -> None: ...
