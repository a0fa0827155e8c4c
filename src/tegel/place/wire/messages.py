"""The messages of the socket. Each is a JSON object whose `t` says which it is.

`ply` is always the number of rows in the room's log, so also the ply of the next move; a
move says for which ply it is meant. `docs/api.md` describes them one by one."""

from typing import Literal, TypeAlias

import msgspec

from tegel.place.wire.text import checked
from tegel.room.actions import Action, Tagged
from tegel.room.refused import Refused

Cell = tuple[int, int]
Point = tuple[float, float]
Args = dict[str, str | int | float | bool | None]  # what a sentence speaks of
LONGEST = 4096  # bytes of a message to the server
ChairKind: TypeAlias = Literal["person", "open", "held", "bot"]
REACTIONS = (
    "hello", "luck", "nice", "wow", "oops", "thinking", "moment", "back", "sorry", "thanks",
    "well-played", "bye",
)  # fmt: skip
"""What players may say to each other; the page has the words, in every language."""


# From players


class Join(Tagged):
    """Watch the room; `since` is the ply up to which its rows are known here."""

    since: int = -1


class React(Tagged):
    key: str


class Ping(Tagged):
    pass


Incoming: TypeAlias = Action | Join | React | Ping


# To players


class Mark(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    plane: str
    sprite: str
    cell: Point
    colour: str = ""
    role: str = ""
    label: str = ""
    path: str = ""
    tile: str = ""


class Plane(msgspec.Struct, frozen=True, omit_defaults=True):
    name: str
    lattice: str
    box: tuple[float, float, float, float]
    wells: tuple[Cell, ...] = ()
    x: float = 0.0
    y: float = 0.0
    scale: float = 1.0
    coordinates: bool = False
    framed: bool = False
    title: str = ""
    note: str = ""
    colour: str = ""
    seats: tuple[int, ...] = ()
    main: bool = False
    tray: bool = False
    active: bool = False
    out: bool = False


class Event(msgspec.Struct, frozen=True, omit_defaults=True):
    key: str
    cells: tuple[Cell, ...] = ()
    args: Args = msgspec.field(default_factory=dict)


class Chair(msgspec.Struct, frozen=True, omit_defaults=True):
    """A seat: `kind` is person, open, held (for someone who has not come yet) or bot;
    `level` that of our bot which plays it now."""

    kind: ChairKind
    side: int
    name: str = ""
    level: int = 0
    left: str = ""
    yours: bool = False  # in answers over HTTP; the socket says `you`
    handle: str = ""  # of a player who keeps a name, which then is this one after an @


class Clocks(msgspec.Struct, frozen=True):
    """Milliseconds left by seat at the moment of sending, or spent if the clock counts `up`;
    `turn` is the seat whose time runs, -1 if none."""

    left: tuple[int, ...]
    turn: int = -1
    up: bool = False


class Wish(msgspec.Struct, frozen=True):
    """A wish to take back: whose, and how many moves would stand."""

    seat: int
    keep: int


class Result(msgspec.Struct, frozen=True):
    winners: tuple[int, ...]
    reason: str
    ranks: tuple[int, ...]


class Played(msgspec.Struct, frozen=True):
    ply: int
    seat: int
    move: str


class Task(msgspec.Struct, frozen=True, kw_only=True):
    """A puzzle: which table it is, and what there is to do. `whole`: the score that solves it;
    `name`, `rule`, `group`: keys among the variants, the goals and the groups of the words."""

    game: str
    variant: str
    name: str
    own: str = ""  # what its maker calls it
    day: str = ""  # of the puzzle of a day
    rule: str
    tiles: int
    whole: int
    colour: str = ""
    group: str = ""  # of those listed together
    stars: int = 0  # how hard that of a day is, 1 to 5; where puzzles are listed


class Room(Tagged, kw_only=True):
    """All about a room."""

    ply: int
    id: str
    game: str
    variant: str
    options: dict[str, str]
    clock: str
    listed: bool
    hinting: bool = False  # hints may be asked for, and all see it
    rated: bool = False  # it counts for the ratings of those who play
    unrated: str = ""  # why not, though: network, if two of them play from the same
    eye: bool = False  # played by eye: nobody says what fits
    seats: tuple[Chair, ...]
    begun: bool
    over: bool
    turn: int  # -1: nobody's
    colour: str
    scores: tuple[int, ...]
    gained: tuple[int, ...] = ()  # by seat, what play brought so far; none: the scores
    planes: list[Plane]
    marks: list[Mark]
    moves: list[Played]
    clocks: Clocks | None = None
    ask: Wish | None = None
    result: Result | None = None
    hints: int = 0
    rematch: str = ""
    task: Task | None = None  # of a table for one
    you: tuple[int, ...]
    held: tuple[int, ...] = ()  # seats that are kept for you, after a rematch


class Moved(Tagged, kw_only=True):
    """A move was made. `marks` and `planes` say the new list in terms of the old: `[i, n]`
    stands for n entries of the old list from the i-th on, an object is new."""

    ply: int
    move: str
    seat: int
    events: list[Event]
    marks: list[Mark | tuple[int, int]]
    planes: list[Plane | tuple[int, int]]
    turn: int
    colour: str
    scores: tuple[int, ...]
    gained: tuple[int, ...] = ()
    clocks: Clocks | None = None
    result: Result | None = None


class Happened(Tagged, kw_only=True):
    """Something else than a move: `event` is the row without its `!`, by its word."""

    ply: int
    event: str
    seat: int
    seats: tuple[Chair, ...]
    begun: bool
    over: bool
    turn: int
    clocks: Clocks | None = None
    ask: Wish | None = None
    result: Result | None = None
    hints: int = 0
    rematch: str = ""
    unrated: str = ""  # as of `Room`


class You(Tagged):
    """The seats that are yours."""

    seats: tuple[int, ...]


class Slot(msgspec.Struct, frozen=True, gc=False):
    """Where a form of a tile may go: bits as hexadecimal text, row by row over `box`."""

    tile: str
    turn: int
    plane: str
    box: tuple[int, int, int, int]
    cells: str


class Choice(msgspec.Struct, frozen=True, omit_defaults=True):
    """A move that is a word; with a tile, that comes to hand by it. `key`: what it is called,
    if the move itself is not that key among the choices of the game's words."""

    move: str
    cells: tuple[Cell, ...] = ()
    tile: str = ""
    key: str = ""


class Piece(msgspec.Struct, frozen=True):
    """What is put on the board before the play: how many of a tile lie there, may and must."""

    tile: str
    laid: int
    most: int
    least: int


class Offer(Tagged):
    """What the seat to move may do; sent to its player alone. `lifting`: how the move is
    written that picks up the tile on a cell, where tiles can be picked up. `pieces`: while a
    board is set up, what there is to put on it; `begin` is the move that ends that."""

    ply: int
    seat: int
    slots: list[Slot] = msgspec.field(default_factory=list)
    choices: list[Choice] = msgspec.field(default_factory=list)
    any: bool = False
    lifting: str = ""
    pieces: list[Piece] = msgspec.field(default_factory=list)
    begin: str = ""


class Presence(Tagged):
    """Which seats' players are here, since when others are gone (milliseconds), after how
    long one who is gone may be replaced, and how many watch."""

    here: tuple[int, ...]
    watchers: int
    gone: dict[int, int] = msgspec.field(default_factory=dict)
    grace: int = 0


class Reaction(Tagged):
    seat: int
    key: str


class Resting(Tagged):
    """Why our bot does not move, or why nobody is shown what fits, while another game runs; with no
    code, the room goes on."""

    code: str = ""
    text: str = ""
    args: Args = msgspec.field(default_factory=dict)


class Error(Tagged):
    """Why something was not done; `rule` is a key of the game's refusals when the code is
    `illegal`."""

    code: str
    text: str
    ply: int = -1
    rule: str = ""
    args: Args = msgspec.field(default_factory=dict)
    cells: tuple[Cell, ...] = ()


class Pong(Tagged):
    at: int


Outgoing: TypeAlias = (
    Room | Moved | Happened | You | Offer | Presence | Reaction | Resting | Error | Pong
)  # what a server sends

encode = msgspec.json.Encoder().encode
_decoder = msgspec.json.Decoder(Incoming)


def decode(data: bytes | str) -> Incoming:
    """The message that a text is; raises ValueError."""
    try:
        message: Incoming = _decoder.decode(data)
        raw = data.encode() if isinstance(data, str) else data
        if b"\\u" in raw:  # only so are odd characters said
            checked(msgspec.json.decode(data))
    except (msgspec.MsgspecError, RecursionError, UnicodeError, Refused) as error:
        raise ValueError(str(error)) from None
    return message
