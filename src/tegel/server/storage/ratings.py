"""Ratings, as rows: one for each player after each game that counted.

They are a function of the games: those of one game and family, in the order of the time at which
they ended and, where that is the same, of their rooms' names, each rated by what its players had
before it. They are written in the transaction that ends a game. Whoever commits later but ended
earlier, on another worker, has the games behind it rated anew in the same transaction; so whatever
the order of commits, the rows are those that a recomputation finds. How a game
is rated: `place.history.skill`."""

from collections.abc import Iterable, Sequence
from zlib import crc32

import sqlalchemy as sa

from tegel.place.history.skill import Meetings, RatedGame, Skill, met, rated
from tegel.room.clock import DAY
from tegel.room.ending import Ending
from tegel.server.storage import tables
from tegel.server.storage.dialect import is_sqlite
from tegel.server.storage.endings import seats

LOCK = 7_464_346  # any number, but the same for all who write ratings
_c = tables.ratings.c


def write_ratings(connection: sa.Connection, endings: Sequence[Ending]) -> None:
    """Rate the games that count. This comes last in a transaction: whoever waits here for another
    worker holds nothing that the other could wait for."""
    by: dict[tuple[str, str], list[Ending]] = {}
    for ending in endings:
        if ending.rated:
            by.setdefault((ending.game, ending.family), []).append(ending)
    for game, family in sorted(by):
        lock(connection, game, family)
        new = [RatedGame(one.at, one.room, one.seats) for one in by[game, family]]
        _insert(connection, game, family, new)


def lock(connection: sa.Connection, game: str, family: str) -> None:
    """From now on until the end of the transaction nobody else rates games of this family."""
    if not is_sqlite(connection):  # which has one writer
        number = crc32(f"{game} {family}".encode()) - 2**31
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(LOCK, number)))


def _insert(connection: sa.Connection, game: str, family: str, new: list[RatedGame]) -> None:
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


def skill(connection: sa.Connection, player: str, game: str, family: str) -> Skill | None:
    """What a player has now, if there is a rated game of theirs."""
    row = connection.execute(latest(player, game, family)).first()
    return Skill(row.mu, row.sigma) if row else None


def latest(player: str, game: str, family: str) -> sa.Select[tuple[float, float]]:
    query = sa.select(_c.mu, _c.sigma).where(_c.player == player, *_of(game, family))
    return query.order_by(_c.at.desc(), _c.room.desc()).limit(1)


def write_rows(
    connection: sa.Connection, game: str, family: str, rows: Iterable[tuple[RatedGame, str, Skill]]
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
) -> list[RatedGame]:
    """The games of a family that are rated already and come after another."""
    rooms = sa.select(_c.room).where(*_of(game, family), _after(at, room)).distinct()
    e = tables.endings.c
    found = connection.execute(sa.select(e.at, e.room, e.seats).where(e.room.in_(rooms)))
    return [RatedGame(row.at, row.room, seats(row.seats)) for row in found]


def _of(game: str, family: str) -> tuple[sa.ColumnElement[bool], sa.ColumnElement[bool]]:
    return _c.game == game, _c.family == family


def _after(at: int, room: str) -> sa.ColumnElement[bool]:
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
