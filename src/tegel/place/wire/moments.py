"""What HTTP answers about moments: positions in which one must find the move. Before a try is made
nothing tells which move that is. Grades and levels are from 1 to 5."""

import msgspec

from tegel.place.wire.studies import LineStep, StudyNode


class MomentStanding(msgspec.Struct, frozen=True):
    """How well you find moves in a game: how many moments you tried, and found at the first try;
    in a row now, and at most."""

    level: float
    tried: int
    first: int
    streak: int
    longest: int


class MomentAnswer(msgspec.Struct, frozen=True):
    """Which moves are right, the best first, and what probably follows the best; `gap`: of the
    chance to win, that any other move loses at least. How many found it at their first try, how
    many did not; the `record` leads to the position."""

    right: tuple[str, ...]
    steps: list[LineStep]
    gap: float
    solved: int
    failed: int
    record: str


class MomentTask(msgspec.Struct, frozen=True):
    """A moment to solve, for a `day` if it is that of one; how you did so far. The answer is told
    only if you know it."""

    game: str
    id: str
    variant: str
    options: dict[str, str]
    grade: int
    day: str
    node: StudyNode
    tries: int
    found: bool
    shown: bool
    you: MomentStanding
    answer: MomentAnswer | None = None


class MomentTried(msgspec.Struct, frozen=True):
    """Whether a move was right, and how you did so far."""

    right: bool
    tries: int
    found: bool
    shown: bool
    you: MomentStanding
    answer: MomentAnswer | None = None


class MomentDay(msgspec.Struct, frozen=True):
    """The moment of today, and how you did on it."""

    id: str
    grade: int
    tries: int
    found: bool
    shown: bool


class MomentGame(msgspec.Struct, frozen=True):
    """What there is of a game: how many moments of each grade; `days` of which you found the
    moment."""

    game: str
    grades: tuple[int, ...]
    you: MomentStanding
    today: MomentDay
    days: list[str]


class Moments(msgspec.Struct, frozen=True):
    today: str
    games: list[MomentGame]


class MomentResults(msgspec.Struct, frozen=True):
    """How everybody did on the moment of a day: how many tried it, found it at the first try, found
    it at last, and the median of their tries."""

    tried: int
    first: int
    found: int
    median: float
