"""What HTTP answers with, besides the structs that the socket sends too."""

import msgspec

from tegel.place.wire.messages import Args, Cell, Event, Mark, Offer, Plane, Point, Task


class Item(msgspec.Struct, frozen=True, omit_defaults=True):
    """A line in the account of a seat's score; `path` draws what it counts over the board, where
    that is a line."""

    seat: int
    key: str
    points: int
    cells: tuple[Cell, ...] = ()
    args: Args = {}
    path: str = ""


class Position(msgspec.Struct, frozen=True):
    """A position of a game after `ply` of its moves."""

    game: str
    variant: str
    ply: int
    plies: int
    move: str
    events: list[Event]
    turn: int
    colour: str
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    reason: str
    account: list[Item]
    planes: list[Plane]
    marks: list[Mark]


class Opinion(msgspec.Struct, frozen=True):
    """A move, and what a search thinks follows from it. `wins` and `scores` are by seat: the
    chance to win (equal winners share), the score expected at the end; empty if the search
    does not know. `exact`: solved, this follows if all play their best."""

    move: str
    part: float  # of the simulations that tried it
    wins: tuple[float, ...]
    scores: tuple[float, ...]
    exact: bool


class Hint(msgspec.Struct, frozen=True):
    """The best move and the next best, best first. `search` is `engine`, or `plain`: the
    search in Python, where the engine was not built or does not play. A position that was
    solved had no simulations. For a puzzle there is a move or none, and `event` says what was
    found out."""

    move: str
    moves: list[Opinion] = []
    search: str = ""
    simulations: int = 0
    event: Event | None = None


class Seconds(msgspec.Struct, frozen=True):
    """How long searches may take."""

    hint: float
    reveal: float


class Group(msgspec.Struct, frozen=True):
    """Tasks that are listed together, under a key among the groups of their game's words."""

    key: str
    tasks: list[Task]


class Puzzles(msgspec.Struct, frozen=True):
    today: Task
    days: list[Task]  # before, the latest first
    tasks: list[Task]
    discovery: list[Task]
    groups: list[Group]  # the same tasks again, in the order in which they are shown
    seconds: Seconds


class DayResults(msgspec.Struct, frozen=True):
    """How everybody did on the puzzle of a day, each at their best: how many solved it, how many
    of them without hints, and the median of milliseconds spent."""

    solved: int
    unaided: int
    median: int


class Sitting(msgspec.Struct, frozen=True):
    """A table of yours with a puzzle. `closed`: `reveal` if you had it solved."""

    id: str
    game: str
    variant: str
    options: dict[str, str]
    over: bool
    closed: str
    score: int
    spent: int  # milliseconds
    hints: int
    touched: int
    name: str  # as in a task, and so are
    own: str
    day: str


class Lesson(msgspec.Struct, frozen=True):
    """A step of a guide: what is said, where, and the move that is asked for or comes next;
    with an offer if it is the learner's. `tile` is what the move takes up, `cells` of `plane`
    are where it goes, or what it is about."""

    text: str
    move: str
    position: Position
    offer: Offer | None = None
    tile: str = ""
    plane: str = ""
    cells: tuple[Cell, ...] = ()


class Checked(msgspec.Struct, frozen=True):
    """A record that was uploaded, and how its game stands."""

    id: str
    game: str
    variant: str
    options: dict[str, str]
    headers: dict[str, str]
    plies: int
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    reason: str


class Listed(msgspec.Struct, frozen=True):
    """A room in a list."""

    id: str
    game: str
    variant: str
    options: dict[str, str]
    clock: str
    seats: int
    open: int
    ply: int
    over: bool
    yours: bool  # it waits for you
    at: int
    touched: int
    moves: int = -1  # that players made; -1: not known yet
    names: tuple[str, ...] = ()  # of those at the table; in your own list, of the others
    levels: tuple[int, ...] = ()  # of our bots, as the table was made
    rated: bool = False  # it counts for ratings
    ratings: tuple[int, ...] = ()  # there, of those with names, in order; 0: none yet, or not shown
    deadline: int = 0  # when a flag falls, if one will


class Searches(msgspec.Struct, frozen=True):
    """How many people look for somebody to play with: all, and by game."""

    all: int
    games: dict[str, int]


class Link(msgspec.Struct, frozen=True):
    """A private token that gives a seat to another device; it works once."""

    seat: int
    token: str


class Token(msgspec.Struct, frozen=True):
    """A program's identity; the token is told once."""

    id: str
    name: str
    token: str


class Variant(msgspec.Struct, frozen=True):
    id: str
    seats: int
    options: dict[str, tuple[str, ...]]  # the values, the default first; none: any text


class Own(msgspec.Struct, frozen=True):
    """A variant that people write themselves: its text goes into an option."""

    variant: str
    option: str


class Start(msgspec.Struct, frozen=True):
    """A table that one click on a game's card makes: what it is called (a key among the starts
    and the abouts of the words), and the level of the bots that a newcomer meets."""

    key: str
    variant: str
    options: dict[str, str]
    level: int


class Print(msgspec.Struct, frozen=True):
    """Something to print: a variant, and what it is called in the reader's language."""

    variant: str
    name: str


class GameInfo(msgspec.Struct, frozen=True):
    name: str
    language: str
    languages: tuple[str, ...]
    words: dict[str, dict[str, str]]
    placing: str  # how the move is written that puts a tile of the offer at a cell
    variants: list[Variant]
    quick: dict[str, str]  # options of a table made by one click
    card: list[Start]  # main ways to play, a newcomer's first
    solo: bool = False  # whether it is for one person
    own: Own | None = None
    prints: list[Print] = []  # what there is to print of it


class Layer(msgspec.Struct, frozen=True, omit_defaults=True):
    d: str = ""
    fill: str = ""
    stroke: str = ""
    width: float = 0.0
    opacity: float = 1.0
    text: str = ""
    at: Point = (0.0, 0.0)
    size: float = 0.4
    dash: str = ""
    sign: bool = False


class Sprite(msgspec.Struct, frozen=True, omit_defaults=True):
    layers: list[Layer]
    cells: tuple[Cell, ...]
    name: str = ""


class Paint(msgspec.Struct, frozen=True):
    fill: tuple[str, str]
    edge: tuple[str, str]
    pattern: str
    letter: str


class Sprites(msgspec.Struct, frozen=True):
    sprites: dict[str, Sprite]
    paints: dict[str, Paint]
