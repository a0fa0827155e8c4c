"""What HTTP answers about people: their finished games and ratings, what they show, the names they
keep."""

import msgspec


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
    docs: bool = False  # whether the documentation lies here, on /docs/


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
    """Somebody whom you blocked: by what they are called at the table where you met, with a key to
    undo it by."""

    key: str
    name: str
    at: int


class Done(msgspec.Struct, frozen=True):
    ok: bool = True
