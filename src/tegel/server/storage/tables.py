"""The tables. `log` is the truth: append-only, its key (room, seq). Columns of `rooms`
after `at` sum it up for lists and for whoever looks what waits; they change with it, in
the same transaction. `endings`, `played` and `ratings` follow from the logs too: they are written
with the row that ends a game. `study_rows` is the log of the studies, and as `log` is. `analyses`
and `game_reports` keep what was thought, and can be thought again. `moment_counts` sums up
`moment_tries`, and stays when those are forgotten. There are no foreign keys: an
append would have to look them up."""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Double,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    false,
    text,
)

metadata = MetaData()

rooms = Table(
    "rooms",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("game", String(40), nullable=False),
    Column("variant", String(40), nullable=False),
    Column("options", Text, nullable=False),
    Column("places", Text, nullable=False),  # JSON
    Column("clock", String(40), nullable=False),
    Column("listed", Boolean, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("touched", BigInteger, nullable=False),
    Column("ply", Integer, nullable=False),
    Column("open", Integer, nullable=False),  # seats that wait for someone
    Column("over", Boolean, nullable=False),
    Column("waiting", String(64), nullable=False),  # the player to move, or ''
    Column("bot", Boolean, nullable=False),  # one of our bots is to move
    Column("deadline", BigInteger),  # when a flag falls
    Column("lease", String(32), nullable=False),  # the worker that thinks
    Column("leased", BigInteger, nullable=False),  # until when
    Column("closed", String(16), nullable=False, server_default=""),  # why it ended early
    Column("score", Integer, nullable=False, server_default="0"),  # alone with a puzzle, as are
    Column("spent", BigInteger, nullable=False, server_default="0"),  # the milliseconds spent
    Column("hints", Integer, nullable=False, server_default="0"),
    Column("eye", Boolean, nullable=False, server_default=false()),  # people play it by eye
    Column("footprint", Text),  # what lies on its board while people play it; none: not known yet
    Column("hinting", Boolean, nullable=False, server_default=false()),  # all agreed to hints
    Column("moves", Integer, nullable=False, server_default="-1"),  # of players; -1: not known yet
    Column("rated", Boolean, nullable=False, server_default=false()),
    Column("network", String(64), nullable=False, server_default=""),  # a seal: who listed it,
    Column("site", String(64), nullable=False, server_default=""),  # and where that belongs to
    Index("rooms_bot", "bot", "leased"),
    Index("rooms_deadline", "deadline"),
    Index("rooms_listed", "listed", "over", "touched"),
    Index("rooms_touched", "touched"),
    Index("rooms_eye", "game", sqlite_where=text("eye = 1"), postgresql_where=text("eye")),
    # The puzzles of days: of other games nobody asks how everybody did.
    Index(
        "rooms_daily",
        "variant",
        sqlite_where=text("game = 'puzzle'"),
        postgresql_where=text("game = 'puzzle'"),
    ),
    *(
        Index(
            f"rooms_{key}",
            key,
            "touched",
            sqlite_where=text(f"{key} != ''"),
            postgresql_where=text(f"{key} != ''"),
        )
        for key in ("network", "site")
    ),
)

log = Table(
    "log",
    metadata,
    Column("room", String(32), primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("at", BigInteger, nullable=False),
    Column("text", Text, nullable=False),
    sqlite_with_rowid=False,
)

seats = Table(
    "seats",
    metadata,
    Column("player", String(64), primary_key=True),
    Column("room", String(32), primary_key=True),
    sqlite_with_rowid=False,
)

playing = Table(  # of the seats those in games that are not over: few, whatever somebody played
    "playing",
    metadata,
    Column("player", String(64), primary_key=True),
    Column("room", String(32), primary_key=True),
    Index("playing_room", "room"),
    sqlite_with_rowid=False,
)

names = Table(  # what players are called in a room; the log knows them by id only
    "names",
    metadata,
    Column("room", String(32), primary_key=True),
    Column("player", String(64), primary_key=True),
    Column("name", String(80), nullable=False),
    Index("names_player", "player"),
    sqlite_with_rowid=False,
)

networks = Table(  # where players act from while their games run, as a keyed hash
    "networks",
    metadata,
    Column("network", String(64), primary_key=True),
    Column("player", String(64), primary_key=True),
    Column("at", BigInteger, nullable=False),
    Index("networks_player", "player"),
    sqlite_with_rowid=False,
)

players = Table(
    "players",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("name", String(80), nullable=False),  # of who keeps one, `@` and the handle
    Column("token", String(64), unique=True),  # hash, of programs only
    Column("at", BigInteger, nullable=False),
    Column("handle", String(80)),  # as written, of who keeps a name
    Column("folded", String(80)),  # what is alike in all handles that look alike
    Column("recovery", String(64)),  # hash of a code
    Index("players_folded", "folded", unique=True),
    Index("players_recovery", "recovery", unique=True),
)

reserved = Table(  # names that nobody can keep but their last owner; see `accounts.reservations`
    "reserved",
    metadata,
    Column("name", String(64), primary_key=True),  # a keyed hash of what it is folded to
    Column("player", String(64), nullable=False),  # who may take it back, or ''
    Column("until", BigInteger),  # none: until the host lifts it
    Index("reserved_player", "player"),
    Index("reserved_until", "until"),
    sqlite_with_rowid=False,
)

passkeys = Table(
    "passkeys",
    metadata,
    Column("id", String(1400), primary_key=True),  # as the key says it, base64url, and so is
    Column("player", String(64), nullable=False),
    Column("key", Text, nullable=False),  # the public half
    Column("counter", BigInteger, nullable=False),  # of its signatures, where it counts them
    Column("at", BigInteger, nullable=False),
    Column("used", BigInteger, nullable=False),  # when last
    Column("verified", Boolean, nullable=False, server_default=false()),  # it can verify its user
    Index("passkeys_player", "player"),
)

guests = Table(  # who somebody was in a browser before they signed in there
    "guests",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("player", String(64), nullable=False),
    Index("guests_player", "player"),
)

spent = Table(  # links and challenges that were used: each may be once
    "spent",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("until", BigInteger, nullable=False),  # when it would be too old anyway
)

standing = Table(  # of whom there is something to know before they act; see `accounts.standing`
    "standing",
    metadata,
    Column("player", String(64), primary_key=True),
    Column("generation", Integer, nullable=False, server_default="0"),  # cookies before it ended
    Column("banned", Boolean, nullable=False, server_default=false()),
    Column("at", BigInteger, nullable=False),  # when something about them last changed
    Index("standing_at", "at"),
)

blocks = Table(
    "blocks",
    metadata,
    Column("player", String(64), primary_key=True),
    Column("blocked", String(64), primary_key=True),
    Column("at", BigInteger, nullable=False),
    Column("room", String(32), nullable=False, server_default=""),  # where they met
    Index("blocks_blocked", "blocked"),
    sqlite_with_rowid=False,
)

reports = Table(
    "reports",
    metadata,
    Column("room", String(32), primary_key=True),
    Column("player", String(64), primary_key=True),  # who reports
    Column("reported", String(64), nullable=False),
    Column("reason", String(16), nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("settled", Boolean, nullable=False, server_default=false()),
    Index("reports_player", "player"),
    sqlite_with_rowid=False,
)

records = Table(
    "records",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("text", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
)

presence = Table(
    "presence",
    metadata,
    Column("room", String(32), primary_key=True),
    Column("worker", String(32), primary_key=True),
    Column("players", Text, nullable=False),  # JSON: player -> when gone, 0 while here
    Column("watchers", Integer, nullable=False),
)

wishes = Table(  # who looks for somebody to play with, or was paired just now
    "wishes",
    metadata,
    Column("player", String(64), primary_key=True),
    Column("ticket", String(32), nullable=False),  # of one search: another ends it
    Column("worker", String(32), nullable=False),  # that has the connection: its wishes die with it
    Column("game", String(40), nullable=False),
    Column("variant", String(40), nullable=False),
    Column("options", Text, nullable=False),  # JSON, sorted
    Column("clock", String(40), nullable=False),
    Column("name", String(80), nullable=False),  # what to call them
    Column("rating", Double, nullable=False),
    Column("at", BigInteger, nullable=False),  # when it was begun, paired or given back
    Column("room", String(32), nullable=False, server_default=""),  # where they play
    Column("since", BigInteger, nullable=False, server_default="0"),  # since when they look
    Column("sought", String(32), nullable=False, server_default=""),  # a hash of game to clock
    Column("network", String(64), nullable=False, server_default=""),  # a seal, and so is
    Column("site", String(64), nullable=False, server_default=""),  # where that belongs to
    Column("came", Boolean, nullable=False, server_default=false()),  # they sat down there
    Index("wishes_open", "room", "at"),
    Index("wishes_sought", "sought", "room", "since"),
    Index("wishes_network", "network", "room"),
    Index("wishes_site", "site", "room"),
    sqlite_with_rowid=False,
)

no_shows = Table(  # who was paired and did not sit down, of late
    "no_shows",
    metadata,
    Column("who", String(64), primary_key=True),  # a player, or a network or site as a seal
    Column("times", Integer, nullable=False),
    Column("free", BigInteger, nullable=False),  # when they may meet others again
    Column("until", BigInteger, nullable=False),  # when it is forgotten
    sqlite_with_rowid=False,
)

workers = Table(
    "workers",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("beat", BigInteger, nullable=False),
)

outages = Table(
    "outages",
    metadata,
    Column("start", BigInteger, primary_key=True, autoincrement=False),
    Column("end", BigInteger, nullable=False),
)

endings = Table(  # games that are over
    "endings",
    metadata,
    Column("room", String(32), primary_key=True),
    Column("game", String(40), nullable=False),
    Column("variant", String(40), nullable=False),
    Column("family", String(40), nullable=False),
    Column("clock", String(40), nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("moves", Integer, nullable=False),
    Column("reason", String(40), nullable=False),
    Column("rated", Boolean, nullable=False),  # whether it counted
    Column("sides", Integer, nullable=False),
    Column("seats", Text, nullable=False),  # JSON, see `room.ending`
)

played = Table(  # the part of each player in them
    "played",
    metadata,
    Column("player", String(64), primary_key=True),
    Column("room", String(32), primary_key=True),
    Column("at", BigInteger, nullable=False),
    Column("game", String(40), nullable=False),
    Column("variant", String(40), nullable=False),
    Column("how", String(8), nullable=False),
    Column("rank", Integer, nullable=False),
    Column("by", Integer, nullable=False),
    Column("points", Integer, nullable=False),
    Column("against", String(8), nullable=False),
    Column("level", Integer, nullable=False),
    Index("played_at", "player", "at", "room"),
    Index("played_room", "room"),
    sqlite_with_rowid=False,
)

unkept = Table(  # rooms that were over before there were `endings`, until those are written
    "unkept",
    metadata,
    Column("room", String(32), primary_key=True),
    sqlite_with_rowid=False,
)

profiles = Table(  # what players show to everybody
    "profiles",
    metadata,
    Column("player", String(64), primary_key=True),
    Column("games", Boolean, nullable=False, server_default=false()),
    Column("statistics", Boolean, nullable=False, server_default=false()),
    Column("ratings", Boolean, nullable=False, server_default=false()),
    Column("best", Boolean, nullable=False, server_default=false()),  # among the best
    Column("at", BigInteger, nullable=False),  # when that was said
)

ratings = Table(  # after each game that counted
    "ratings",
    metadata,
    Column("player", String(64), primary_key=True),
    Column("game", String(40), primary_key=True),
    Column("family", String(40), primary_key=True),
    Column("at", BigInteger, primary_key=True, autoincrement=False),
    Column("room", String(32), primary_key=True),
    Column("mu", Double, nullable=False),
    Column("sigma", Double, nullable=False),
    Index("ratings_at", "game", "family", "at", "room"),
    Index("ratings_room", "room"),
    sqlite_with_rowid=False,
)

devices = Table(  # that are told when it is their player's turn, by web push
    "devices",
    metadata,
    Column("id", String(64), primary_key=True),  # a hash of the endpoint
    Column("player", String(64), nullable=False),
    Column("endpoint", Text, nullable=False),
    Column("key", String(128), nullable=False),
    Column("auth", String(64), nullable=False),
    Column("language", String(8), nullable=False),
    Column("at", BigInteger, nullable=False),
    Index("devices_player", "player"),
)

outbox = Table(  # what they have yet to be told: the latest turn of a room
    "outbox",
    metadata,
    Column("room", String(32), primary_key=True),
    Column("device", String(64), primary_key=True),
    Column("player", String(64), nullable=False),
    Column("ply", Integer, nullable=False),
    Column("due", BigInteger, nullable=False),  # also until when a worker has it in hand
    Column("tries", Integer, nullable=False),
    Index("outbox_due", "due"),
    sqlite_with_rowid=False,
)

studies = Table(  # trees of moves that somebody looks into
    "studies",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("player", String(64), nullable=False),  # whose it is
    Column("game", String(40), nullable=False),
    Column("variant", String(40), nullable=False),
    Column("source", String(48), nullable=False),  # where it is from: rooms/ID, studies/ID, or ''
    Column("at", BigInteger, nullable=False),
    Column("touched", BigInteger, nullable=False),
    Index("studies_player", "player", "touched"),
    Index("studies_touched", "touched"),
)

study_rows = Table(  # append-only: the text it began with, then changes; see `tegel.study`
    "study_rows",
    metadata,
    Column("study", String(32), primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("at", BigInteger, nullable=False),
    Column("text", Text, nullable=False),
    sqlite_with_rowid=False,
)

analyses = Table(  # what was thought of positions, the deepest of each
    "analyses",
    metadata,
    Column("key", String(64), primary_key=True),  # of the position, the engine and its net
    Column("simulations", BigInteger, nullable=False),
    Column("exact", Boolean, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("text", Text, nullable=False),  # JSON
    Index("analyses_at", "at"),
)

game_reports = Table(  # what was thought of whole games, or has yet to be
    "game_reports",
    metadata,
    Column("key", String(64), primary_key=True),  # of the moves, the engine and its net
    Column("record", Text, nullable=False),
    Column("done", Boolean, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("text", Text, nullable=False),  # JSON: as far as it is known
    Column("lease", String(32), nullable=False),  # the worker that thinks
    Column("leased", BigInteger, nullable=False),  # until when
    Column("tries", Integer, nullable=False),  # how often it was begun
    Index("game_reports_due", "done", "leased"),
    Index("game_reports_at", "at"),
)

moment_tries = Table(  # how players did on moments: positions in which one must find the move
    "moment_tries",
    metadata,
    Column("player", String(64), primary_key=True),
    Column("game", String(40), primary_key=True),
    Column("moment", String(16), primary_key=True),  # its name
    Column("day", String(10), primary_key=True),  # of which it was the moment, or ''
    Column("at", BigInteger, nullable=False),  # when it was tried first
    Column("tries", Integer, nullable=False),
    Column("found", Boolean, nullable=False),
    Column("first", Boolean, nullable=False),  # found at the first try
    Column("shown", Boolean, nullable=False),  # they asked to see it
    Column("level", Double),  # of the player after it; none if they had tried it before
    Index("moment_tries_day", "game", "day"),
    Index("moment_tries_at", "at"),
    sqlite_with_rowid=False,
)

moment_counts = Table(  # how everybody did on a moment, when they first tried it
    "moment_counts",
    metadata,
    Column("game", String(40), primary_key=True),
    Column("moment", String(16), primary_key=True),
    Column("solved", Integer, nullable=False),
    Column("failed", Integer, nullable=False),
    Column("felt", Double, nullable=False),  # the sum of how hard it felt: see `search.grades`
    sqlite_with_rowid=False,
)
