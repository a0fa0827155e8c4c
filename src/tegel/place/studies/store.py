"""What studies, analyses and reports ask of storage, and what they change there."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from tegel.place.wire.studies import Analysed, Judged, ListedStudy


class Origin(NamedTuple):
    """Who made a study, and from what: `rooms/ID`, `studies/ID`, or nothing."""

    player: str
    source: str


class StudyStore(Protocol):
    async def create(self, study: ListedStudy, player: str, text: str, most: int) -> bool:
        """Make a study of a player, with its first row; False if they have too many already."""

    async def latest(self, player: str, source: str) -> str:
        """The latest study of a player from a source; empty if there is none."""

    async def listed(self, player: str, most: int) -> list[ListedStudy]:
        """The studies of a player, the latest first."""

    async def origin(self, study: str) -> Origin | None: ...

    async def rows(self, study: str, since: int = 0) -> list[str]:
        """The rows of a study from `since` on."""

    async def append(self, study: str, seq: int, at: int, text: str) -> bool:
        """Write the next row of a study; False if there is no such study any more. Raises
        KeyTaken if another row has this place."""

    async def delete(self, study: str) -> None: ...

    async def lengths(self, studies: Sequence[str]) -> dict[str, int]:
        """How many rows each study has; those that are gone are left out."""


class AnalysisStore(Protocol):
    async def analysis(self, key: str) -> Analysed | None:
        """What is kept of a position."""

    async def keep(self, key: str, found: Analysed, at: int) -> None:
        """Keep what was thought of a position, unless more is known."""


UNKNOWN = Judged(
    sides=(), plies=0, points=[], verdicts=[], tallies=[], turning=(), part=0.0, complete=False
)
"""A report that somebody asked for, and of which nothing is known yet."""


class ReportStore(Protocol):
    async def report(self, key: str) -> Judged | None:
        """As much as is kept of a report: UNKNOWN if that is nothing, None if nobody has asked
        for it."""

    async def ask(self, key: str, record: str, at: int) -> None:
        """See to it that somebody thinks about a game; once, however many ask. Of several times
        `at` which it would be its turn the first counts."""

    async def due(self, now: int, most: int) -> list[str]:
        """Games about which nobody thinks who should, those whose turn it is first."""

    async def lease(self, key: str, worker: str, now: int) -> str | None:
        """The record of a game, if a worker may think about it from now on. One that was begun
        too often is given up."""

    async def keep(self, key: str, worker: str, now: int, found: Judged) -> bool:
        """Keep what is known of a game so far; False if another worker thinks about it now."""

    async def release(self, worker: str) -> None:
        """Leave a worker's reports to others; that they were begun there is no fault of theirs."""
