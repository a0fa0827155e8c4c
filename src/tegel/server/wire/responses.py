"""What HTTP answers with, besides the structs that the socket sends too."""

import msgspec

from tegel.server.wire.messages import Args, Cell, Event, Mark, Offer, Plane, Point, Task


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
    ratings: tuple[int, ...] = ()  # there, of those with names, in their order; 0: none yet
    deadline: int = 0  # when a flag falls, if one will


class Searches(msgspec.Struct, frozen=True):
    """How many people look for somebody to play with: all, and by game."""

    all: int
    games: dict[str, int]


class Opponent(msgspec.Struct, frozen=True):
    """Another at the table of a game that is over; a bot of ours has a level."""

    name: str
    bot: bool
    level: int = 0
    partner: bool = False  # on your side
    left: str = ""  # why they were out before the end
    rating: int = 0  # after it, if it counted


class Finished(msgspec.Struct, frozen=True, kw_only=True):
    """A game that is over, for one who played it. `how`: won, lost, drawn, or shared, if one
    player had all sides; `by` how much, 0 if points are not why; `rank` of `sides`; `points` of
    your side, then of the others, the most first."""

    id: str
    game: str
    variant: str
    options: dict[str, str]
    clock: str
    rated: bool  # it counted for ratings
    at: int  # when it ended
    moves: int  # of players
    how: str
    reason: str
    by: int
    rank: int
    sides: int
    points: tuple[int, ...]
    others: list[Opponent]
    left: str = ""  # why you were out before the end


class Counted(msgspec.Struct, frozen=True):
    game: str
    variant: str
    n: int


class History(msgspec.Struct, frozen=True):
    """Some games that are over, the latest first, of `found`. `counts` are of all that are kept;
    `dropped`: if none was found, how many there would be without each filter that hides some."""

    games: list[Finished]
    found: int
    counts: list[Counted]
    dropped: dict[str, int] = {}
    next: str = ""  # `before` of the next page, if there is one
    days: int = 0  # how long the host keeps games; 0: for ever


class Summed(msgspec.Struct, frozen=True):
    """What games sum up to: results, the most and the mean points, games won in a row."""

    game: str
    variant: str
    played: int
    won: int
    drawn: int
    lost: int
    best: int
    mean: float
    streak: int  # until now
    longest: int


class AgainstLevel(msgspec.Struct, frozen=True):
    game: str
    level: int
    played: int
    won: int


class Statistics(msgspec.Struct, frozen=True):
    games: list[Summed]
    levels: list[AgainstLevel]


class RatingPoint(msgspec.Struct, frozen=True):
    """A rating after a game; `doubt` is one standard deviation."""

    at: int
    rating: int
    doubt: int
    provisional: bool
    room: str


class Rated(msgspec.Struct, frozen=True):
    """A rating in a family of variants (a key among the families of the game's words), after so
    many rated games; `month`: the change of late; `points`: its way, the last hundred."""

    game: str
    family: str
    rating: int
    doubt: int
    provisional: bool
    games: int
    month: int
    points: list[RatingPoint]


class Best(msgspec.Struct, frozen=True):
    """One of the best, who wants to be seen; `who`: as in `/api/players/{who}`."""

    who: str
    name: str
    rating: int
    doubt: int


class Shown(msgspec.Struct, frozen=True):
    """What others may see of somebody: nothing, unless they say so. `games`: those in which all
    who played show theirs; `best`: the own name in the tables of the best."""

    games: bool = False
    statistics: bool = False
    ratings: bool = False
    best: bool = False


class Profile(msgspec.Struct, frozen=True):
    """What somebody shows; of the games there is a list of its own, if they are shown."""

    who: str
    name: str
    games: bool
    statistics: Statistics | None = None
    ratings: list[Rated] | None = None


class Me(msgspec.Struct, frozen=True):
    id: str
    name: str
    bot: bool = False
    page: str = ""  # which page is served now: one that is another should load itself again
    push: str = ""  # the key of web push, where people who are away can be told
    handle: str = ""  # of who keeps a name, which then is this one after an @


class Kept(msgspec.Struct, frozen=True):
    """A name that is kept, and the code to come back with: it is told once."""

    handle: str
    code: str


class Passkey(msgspec.Struct, frozen=True):
    id: str
    at: int
    used: int  # when last


class Account(msgspec.Struct, frozen=True):
    """What belongs to a name that is kept."""

    handle: str
    at: int
    passkeys: tuple[Passkey, ...]


class Ceremony(msgspec.Struct, frozen=True):
    """What a browser needs to make or use a passkey: a challenge to sign, as text, for which
    site; of a new one also for whom, and the keys that there are."""

    challenge: str
    site: str
    user: str = ""
    handle: str = ""
    keys: tuple[str, ...] = ()


class DeviceLink(msgspec.Struct, frozen=True):
    """A token that lets another device be you; it works once, and not for long."""

    token: str
    seconds: int


class Invited(msgspec.Struct, frozen=True):
    """Who a device may become."""

    handle: str


class SignedIn(msgspec.Struct, frozen=True):
    """Who you are now, and how many running games came along from this browser."""

    handle: str
    games: int


class Blocked(msgspec.Struct, frozen=True):
    player: str
    name: str
    at: int


class Done(msgspec.Struct, frozen=True):
    ok: bool = True


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
