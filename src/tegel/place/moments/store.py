"""What moments ask of storage, and what they change there."""

from collections.abc import Mapping
from typing import NamedTuple, Protocol

from tegel.place.wire.moments import MomentResults, MomentStanding


class Which(NamedTuple):
    """What somebody tries: a moment, and for which day, if any."""

    player: str
    game: str
    moment: str
    day: str


class Tries(NamedTuple):
    """How somebody did so far."""

    game: str
    moment: str
    day: str
    at: int
    tries: int
    found: bool
    first: bool
    shown: bool
    level: float | None

    @property
    def over(self) -> bool:
        """Whether they know the answer."""
        return self.found or self.shown


class Past(NamedTuple):
    """Which moments of a game somebody met, and whether they found the move at the first try; the
    latest of them."""

    met: Mapping[str, bool] = {}
    last: str = ""


class Counts(NamedTuple):
    """How everybody did."""

    solved: int = 0
    failed: int = 0
    felt: float = 0.0


class MomentStore(Protocol):
    async def tries(self, which: Which) -> Tries | None:
        """How somebody did on a moment, for a day or for none."""

    async def standing(self, player: str, game: str) -> MomentStanding:
        """How well somebody finds moves in a game. Only first tries of a moment count."""

    async def past(self, player: str, game: str) -> Past:
        """Which moments of a game somebody met."""

    async def has_met(self, which: Which, *, over: bool = False) -> bool:
        """Whether somebody has tried a moment, for whatever day; or knows the answer."""

    async def days_found(self, player: str, game: str, most: int) -> list[str]:
        """The latest days of which somebody found the moment, the latest last."""

    async def counts(self, game: str) -> dict[str, Counts]:
        """How everybody did on the moments of a game."""

    async def results(self, game: str, day: str) -> MomentResults:
        """How everybody did on the moment of a day."""

    async def keep(
        self, which: Which, grade: float, at: int, found: bool | None, *, counts: bool = True
    ) -> Tries:
        """Keep that somebody tried a moment of a grade, and whether they found the move; None:
        that they asked to see it. What is over does not change any more. Whether it `counts`: for
        the grade of the moment, if it is their first."""
