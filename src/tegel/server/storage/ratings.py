"""Ratings, as rows: one for each player after each game that counted.

They are a function of the games: those of one game and family, in the order of the time at which
they ended and, where that is the same, of their rooms' names, each rated by what its players had
before it. They are written in the transaction that ends a game. Whoever commits later but ended
earlier, on another worker, has the games behind it rated anew in the same transaction; so whatever
the order of commits, the rows are those that a recomputation finds.

To **rate** a game is the arithmetic of Weng and Lin (Plackett-Luce), by the library `openskill`: a
player has a mean `mu` and a doubt `sigma`."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple
from zlib import crc32

import sqlalchemy as sa
from openskill.models import PlackettLuce

from tegel.room.ending import Ending, Seated
from tegel.server.storage import tables
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


def rated(games: Iterable[Game], skills: dict[str, Skill]) -> Iterable[tuple[Game, str, Skill]]:
    """What each player has after each of some games, which are in order; `skills`: what they have
    before the first, and afterwards after the last."""
    for game in games:
        before = {seat.player: skills.get(seat.player, NEW) for seat in game.seats}
        skills.update(rate(game.seats, before))
        for player in before:
            yield game, player, skills[player]


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
    if connection.dialect.name != "sqlite":  # which has one writer
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
    write_rows(connection, game, family, rated(inorder, skills))


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
    for the next game is rated by it; earlier ones go."""
    later = tables.ratings.alias("later").c
    rooms = tables.rooms.c
    known = sa.select(rooms.id).where(rooms.id == _c.room).correlate(tables.ratings)
    same = [later[key] == _c[key] for key in ("player", "game", "family")]
    gone = sa.select(rooms.id).where(rooms.id == later.room).correlate(later.player.table)
    behind = sa.or_(later.at > _c.at, sa.and_(later.at == _c.at, later.room > _c.room))
    after = sa.select(later.player).where(*same, behind, ~gone.exists()).correlate(tables.ratings)
    connection.execute(sa.delete(tables.ratings).where(~known.exists(), after.exists()))
