"""The messages between the server and somebody who looks into a study, and what HTTP answers
about studies. Paths are texts such as `3.0.1`, as in `tegel.study`; chances are by side, scores by
seat."""

from typing import TypeAlias

import msgspec

from tegel.place.wire.messages import Args, Error, Mark, Offer, Ping, Pong
from tegel.place.wire.responses import Position
from tegel.place.wire.text import checked
from tegel.room.actions import Tagged
from tegel.room.refused import Refused
from tegel.search.report import Tally

LONGEST = 8_192  # bytes of a message to the server: a note may be long


class StudyStep(msgspec.Struct, frozen=True, omit_defaults=True):
    """A move of a tree: who made it (-1: chance), in which colour, and what stands beside it."""

    move: str
    seat: int
    colour: str = ""
    mark: str = ""
    note: str = ""
    others: list[list["StudyStep"]] = []


class Study(Tagged, kw_only=True):
    """All about a study. `rows`: how many changes it has seen, the first text too."""

    id: str
    rows: int
    game: str
    variant: str
    options: dict[str, str]
    headers: dict[str, str]
    note: str = ""
    line: list[StudyStep]
    source: str = ""  # where it is from: rooms/ID, studies/ID
    yours: bool = False  # you may change it
    undo: bool = False  # there is something to undo
    formats: tuple[str, ...] = ()  # in which it can be had besides


class StudyNode(msgspec.Struct, frozen=True):
    """The position after a step, and what may be done there."""

    path: str
    position: Position
    sides: tuple[int, ...]  # by seat
    offer: Offer | None = None  # none if it is over, or chance decides


class ListedStudy(msgspec.Struct, frozen=True):
    id: str
    game: str
    variant: str
    source: str
    touched: int


# To the server


class Follow(Tagged):
    """Watch the study; `rows` of it are known here."""

    rows: int = -1


class Change(Tagged):
    """Change the study, as a row of its log says it: `play 3.0.1`, a line break, and a move.
    `rows`: as it was known here."""

    rows: int
    text: str


class Think(Tagged):
    """Think about the position after a step; what was thought about before ends."""

    path: str


class Rest(Tagged):
    """Think no more."""


class Judge(Tagged):
    """Judge the game, the main line of the study, move by move; without `begin`, tell what is
    known of it."""

    begin: bool = True


Studying: TypeAlias = Follow | Change | Think | Rest | Judge | Ping


# From the server


class LineStep(msgspec.Struct, frozen=True, omit_defaults=True):
    """A move of a line, and what it would put on the table."""

    move: str
    seat: int
    colour: str = ""
    marks: list[Mark] = []


class ThoughtLine(msgspec.Struct, frozen=True):
    """A move and what would probably follow. `margin`: points by which who decides would lead."""

    steps: list[LineStep]
    chance: tuple[float, ...]
    scores: tuple[float, ...]
    margin: float
    simulations: int
    exact: bool
    doubt: float


class Analysed(msgspec.Struct, frozen=True):
    """What is thought of a position so far, the best line first. `seat`: who decides there, -1 if
    nobody does; `margin`: points by which the first side would lead."""

    seat: int
    side: int
    lines: list[ThoughtLine]
    chance: tuple[float, ...]
    scores: tuple[float, ...]
    margin: float
    doubt: float
    exact: bool
    simulations: int


class Thought(Tagged, kw_only=True):
    """What is thought after a step. `done`: no more comes."""

    path: str
    found: Analysed
    done: bool = False


class Rested(Tagged):
    """The thinking about a step ended before its time: `text` says why."""

    path: str
    code: str
    text: str
    args: Args = msgspec.field(default_factory=dict)


class JudgedLine(msgspec.Struct, frozen=True):  # a line of the search, without `margin_doubt`
    moves: tuple[str, ...]
    chance: tuple[float, ...]
    scores: tuple[float, ...]
    margin: float
    simulations: int
    exact: bool
    doubt: float


class Verdict(msgspec.Struct, frozen=True):
    """A decision, `ply` counted from 1: what was played, what was best, and what was lost by it:
    of the chance to win, and in points. `mark`: `??`, `?`, `?!` or nothing."""

    ply: int
    seat: int
    side: int
    played: JudgedLine
    best: JudgedLine
    loss: float
    points: float
    doubt: float
    mark: str


class JudgedPoint(msgspec.Struct, frozen=True):
    """How it stood after so many moves."""

    ply: int
    chance: tuple[float, ...]
    scores: tuple[float, ...]
    margin: float
    doubt: float
    exact: bool
    simulations: int


class Judged(Tagged, kw_only=True):
    """The report on a game, or as much of it as there is. `part`: how much of the work is done,
    from 0 to 1; `points` not judged well yet come from a first look."""

    sides: tuple[int, ...]
    plies: int
    points: list[JudgedPoint]
    verdicts: list[Verdict]
    tallies: list[Tally]
    turning: tuple[int, ...]
    part: float
    complete: bool


Studied: TypeAlias = Study | Thought | Rested | Judged | Error | Pong


class Tried(msgspec.Struct, frozen=True):
    """What is thought of a move that was tried instead of another: `right` if it is as good as
    the best, within the noise; `better` than what was played, beyond the noise."""

    right: bool
    better: bool
    tried: ThoughtLine
    best: ThoughtLine
    played: ThoughtLine


encode = msgspec.json.Encoder().encode
_decoder = msgspec.json.Decoder(Studying)


def decode(data: bytes | str) -> Studying:
    """The message that a text is; raises ValueError."""
    try:
        message: Studying = _decoder.decode(data)
        checked(msgspec.json.decode(data))
    except (msgspec.MsgspecError, RecursionError, UnicodeError, Refused) as error:
        raise ValueError(str(error)) from None
    return message
