"""Ratings, as rows: one for each player after each game that counted.

They are a function of the games: those of one game and family, in the order of the time at which
they ended and, where that is the same, of their rooms' names, each rated by what its players had
before it. They are written in the transaction that ends a game. Whoever commits later but ended
earlier, on another worker, has the games behind it rated anew in the same transaction; so whatever
the order of commits, the rows are those that a recomputation finds.

To **rate** a game is the arithmetic of Weng and Lin (Plackett-Luce), by the library `openskill`: a
player has a mean `mu` and a doubt `sigma`. The more often two people play in a day, the less each
of their games counts, or two who agree could raise one of them: the first of a family within 24
hours counts whole, the second half, the third a quarter, and so on; of several at a table, those
two decide who met most often."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple
from zlib import crc32

import sqlalchemy as sa
from openskill.models import PlackettLuce

from tegel.room.clock import DAY
from tegel.room.ending import Ending, Seated
from tegel.server.storage import tables
from tegel.server.storage.dialect import is_sqlite
from tegel.server.storage.endings import seats

LOCK = 7_464_346  # any number, but the same for all who write ratings
_model = PlackettLuce()
_c = tables.ratings.c


class Skill(NamedTuple):
    """How well somebody plays, and how much that is in doubt."""

    mu: float = 25.0
    sigma: float = 25.0 / 3


NEW = Skill()  # of who has played no rated game


class Game(NamedTuple):
    """A game that counted: when it ended, in which room, and who came where."""

    at: int
    room: str
    seats: tuple[Seated, ...]


def rate(seats: Sequence[Seated], before: Mapping[str, Skill]) -> dict[str, Skill]:
    """What the players of a game have after it; a side is as good as the best rank in it."""
    sides = sorted({seat.side for seat in seats})
    teams = [[seat.player for seat in seats if seat.side == side] for side in sides]
    ranks = [float(min(seat.rank for seat in seats if seat.side == side)) for side in sides]
    known = [[_model.rating(*before[player]) for player in team] for team in teams]
    rated = _model.rate(known, ranks=ranks)
    return {
        player: Skill(after.mu, after.sigma)
        for team, afters in zip(teams, rated, strict=True)
        for player, after in zip(team, afters, strict=True)
    }


class Meetings:
    """When players met of late in rated games of a family, in the order of the games."""

    def __init__(self) -> None:
        self.ends: defaultdict[tuple[str, str], list[int]] = defaultdict(list)

    def add(self, players: Iterable[str], at: int) -> None:
        """Some players met in a game that ended at a time."""
        for pair in combinations(sorted(players), 2):
            self.ends[pair] = [*(end for end in self.ends[pair] if end > at - DAY), at]

    def weight(self, players: Iterable[str], at: int) -> float:
        """How much the next game of some players counts, if it ends at a time."""
        pairs = combinations(sorted(players), 2)
        met = (sum(end > at - DAY for end in self.ends.get(pair, ())) for pair in pairs)
        return float(2.0 ** -max(met, default=0))


def rated(
    games: Iterable[Game], skills: dict[str, Skill], meetings: Meetings
) -> Iterable[tuple[Game, str, Skill]]:
    """What each player has after each of some games, which are in order; `skills`: what they have
    before the first, and afterwards after the last; `meetings`: likewise."""
    for game in games:
        before = {seat.player: skills.get(seat.player, NEW) for seat in game.seats}
        weight = meetings.weight(before, game.at)
        meetings.add(before, game.at)
        for player, after in rate(game.seats, before).items():
            skills[player] = _part(before[player], after, weight)
        for player in before:
            yield game, player, skills[player]


def _part(before: Skill, after: Skill, weight: float) -> Skill:
    """A part of the way from one skill to another."""
    if weight == 1:
        return after
    return Skill(*(old + weight * (new - old) for old, new in zip(before, after, strict=True)))


def write_ratings(connection: sa.Connection, endings: Sequence[Ending]) -> None:
    """Rate the games that count. This comes last in a transaction: whoever waits here for another
    worker holds nothing that the other could wait for."""
    by: dict[tuple[str, str], list[Ending]] = {}
    for ending in endings:
        if ending.rated:
            by.setdefault((ending.game, ending.family), []).append(ending)
    for game, family in sorted(by):
        lock(connection, game, family)
        new = [Game(one.at, one.room, one.seats) for one in by[game, family]]
        _insert(connection, game, family, new)


def lock(connection: sa.Connection, game: str, family: str) -> None:
    """From now on until the end of the transaction nobody else rates games of this family."""
    if not is_sqlite(connection):  # which has one writer
        number = crc32(f"{game} {family}".encode()) - 2**31
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(LOCK, number)))


def _insert(connection: sa.Connection, game: str, family: str, new: list[Game]) -> None:
    at, room, _ = min(new)
    later = _games_after(connection, game, family, at, room)
    connection.execute(sa.delete(tables.ratings).where(*_of(game, family), _after(at, room)))
    inorder = sorted({one.room: one for one in [*later, *new]}.values(), key=lambda one: one[:2])
    players = {seat.player for one in inorder for seat in one.seats}
    skills = {
        player: found
        for player in sorted(players)
        if (found := skill(connection, player, game, family))
    }
    meetings = _meetings(connection, game, family, at, room, players)
    write_rows(connection, game, family, rated(inorder, skills, meetings))


def _meetings(
    connection: sa.Connection, game: str, family: str, at: int, room: str, players: set[str]
) -> Meetings:
    """When some players met within the day before a game."""
    before = sa.and_(_c.at > at - DAY, ~_after(at, room), _c.room != room)
    query = sa.select(_c.at, _c.room, _c.player).where(
        *_of(game, family), before, _c.player.in_(players)
    )
    return met((row.at, row.room, row.player) for row in connection.execute(query))


def met(rows: Iterable[tuple[int, str, str]]) -> Meetings:
    """The meetings that rows of the ratings tell of: when a game ended, its room, a player."""
    found, games = Meetings(), defaultdict[tuple[int, str], set[str]](set)
    for at, room, player in rows:
        games[at, room].add(player)
    for (at, _), players in sorted(games.items()):
        found.add(players, at)
    return found


def skill(connection: sa.Connection, player: str, game: str, family: str) -> Skill | None:
    """What a player has now, if there is a rated game of theirs."""
    row = connection.execute(latest(player, game, family)).first()
    return Skill(*row) if row else None


def latest(player: str, game: str, family: str) -> Any:
    query = sa.select(_c.mu, _c.sigma).where(_c.player == player, *_of(game, family))
    return query.order_by(_c.at.desc(), _c.room.desc()).limit(1)


def write_rows(
    connection: sa.Connection, game: str, family: str, rows: Iterable[tuple[Game, str, Skill]]
) -> None:
    values = [
        {"player": player, "game": game, "family": family, "at": one.at, "room": one.room,
         "mu": skill.mu, "sigma": skill.sigma}
        for one, player, skill in rows
    ]  # fmt: skip
    if values:
        connection.execute(sa.insert(tables.ratings), values)


def _games_after(
    connection: sa.Connection, game: str, family: str, at: int, room: str
) -> list[Game]:
    """The games of a family that are rated already and come after another."""
    rooms = sa.select(_c.room).where(*_of(game, family), _after(at, room)).distinct()
    e = tables.endings.c
    found = connection.execute(sa.select(e.at, e.room, e.seats).where(e.room.in_(rooms)))
    return [Game(row.at, row.room, seats(row.seats)) for row in found]


def _of(game: str, family: str) -> tuple[Any, Any]:
    return _c.game == game, _c.family == family


def _after(at: int, room: str) -> Any:
    return sa.or_(_c.at > at, sa.and_(_c.at == at, _c.room > room))


def forget_ratings(connection: sa.Connection) -> None:
    """After rooms were forgotten: of each player the latest rating of a game that is gone stays,
    for the next game is rated by it; earlier ones go. Of the last day before the latest game of a
    family that is gone all stay, for it matters who met then."""
    later = tables.ratings.alias("later").c
    rooms = tables.rooms.c
    known = sa.select(rooms.id).where(rooms.id == _c.room).correlate(tables.ratings)
    same = [later[key] == _c[key] for key in ("player", "game", "family")]
    gone = sa.select(rooms.id).where(rooms.id == later.room).correlate(later.player.table)
    behind = sa.or_(later.at > _c.at, sa.and_(later.at == _c.at, later.room > _c.room))
    after = sa.select(later.player).where(*same, behind, ~gone.exists()).correlate(tables.ratings)
    latest = sa.select(_c.game, _c.family, sa.func.max(_c.at)).where(~known.exists())
    for game, family, at in connection.execute(latest.group_by(_c.game, _c.family)).all():
        old = (*_of(game, family), _c.at <= at - DAY)
        connection.execute(sa.delete(tables.ratings).where(*old, ~known.exists(), after.exists()))
