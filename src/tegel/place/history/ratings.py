"""How well people play, by game and family of variants: what is shown of ratings.

A rating is shown as a **figure**, 1500 for who is new; 120 more wins two games in three, or about
that. Its **doubt** is one standard deviation. It is **provisional** until that is small enough,
after twenty games or so. How ratings come about: `skill`."""

import time
from collections.abc import Collection, Sequence
from typing import Any

import sqlalchemy as sa

from tegel.place.history.skill import NEW, Skill
from tegel.place.wire import personal
from tegel.room.clock import DAY
from tegel.server.storage import tables
from tegel.server.storage.database import Database
from tegel.server.storage.ratings import latest

SURE = 5.0  # a sigma up to which a rating is not provisional
POINTS = 100  # of a graph
BEST = 50  # of a table
MONTH = 30 * DAY
STALE = 60.0  # seconds that a table of the best is kept
_c, _players, _profiles = tables.ratings.c, tables.players.c, tables.profiles.c


def figure(skill: Skill) -> int:
    return round(1500 + 30 * (skill.mu - NEW.mu))


def doubt(skill: Skill) -> int:
    return round(30 * skill.sigma)


def provisional(skill: Skill) -> bool:
    return skill.sigma > SURE


class Ratings:
    def __init__(self, store: Database) -> None:
        self.store = store
        self.tables: dict[tuple[str, str], tuple[float, list[personal.Best]]] = {}

    async def rating(self, player: str, game: str, family: str) -> Skill:
        """What somebody has now (mu, sigma) in a family of variants, as `Game.family` names it;
        who has played no rated game has `NEW`: 25 and 25/3."""
        found = await self.store.rows(latest(player, game, family))
        return Skill(*found[0]) if found else NEW

    async def shown(self, players: Collection[str]) -> set[str]:
        """Those among some players whose ratings others may see."""
        visible = (_profiles.player.in_(list(players)), _profiles.ratings.is_(True))
        query = sa.select(_profiles.player).where(*visible)
        return {row.player for row in await self.store.rows(query)} if players else set()

    async def figures(self, players: Collection[str]) -> dict[tuple[str, str, str], int]:
        """What some players have now, by player, game and family."""
        last = tables.ratings.alias("last").c
        later = sa.select(last.player).where(
            last.player == _c.player, last.game == _c.game, last.family == _c.family,
            sa.or_(last.at > _c.at, sa.and_(last.at == _c.at, last.room > _c.room)),
        )  # fmt: skip
        query = sa.select(tables.ratings).where(
            _c.player.in_(players), ~later.correlate(tables.ratings).exists()
        )
        return {
            (row.player, row.game, row.family): figure(Skill(row.mu, row.sigma))
            for row in (await self.store.rows(query) if players else ())
        }

    async def of(self, player: str, now: int) -> list[personal.Rated]:
        """All ratings of a player, each with its way."""
        counts = (
            sa.select(_c.game, _c.family, sa.func.count().label("n"))
            .where(_c.player == player)
            .group_by(_c.game, _c.family)
            .order_by(sa.func.count().desc(), _c.game, _c.family)
        )
        found = []
        for game, family, n in await self.store.rows(counts):
            way = (
                sa.select(_c.at, _c.mu, _c.sigma, _c.room)
                .where(_c.player == player, _c.game == game, _c.family == family)
                .order_by(_c.at.desc(), _c.room.desc())
                .limit(POINTS)
            )
            rows = list(reversed(await self.store.rows(way)))
            found.append(_rated(game, family, n, rows, now))
        return found

    async def best(self, game: str, family: str) -> list[personal.Best]:
        """The best of a family: of those who want to be seen there and are sure enough. It is
        up to a minute old."""
        kept = self.tables.get((game, family))
        if kept and time.monotonic() - kept[0] < STALE:
            return kept[1]
        mine = [_c.player == _profiles.player, _c.game == game, _c.family == family]
        last = tables.ratings.alias("last").c
        later = sa.select(last.player).where(
            last.player == _c.player, last.game == game, last.family == family,
            sa.or_(last.at > _c.at, sa.and_(last.at == _c.at, last.room > _c.room)),
        )  # fmt: skip
        query = (
            sa.select(_c.player, _c.mu, _c.sigma, _players.name)
            .select_from(tables.profiles)
            .join(tables.ratings, sa.and_(*mine))
            .outerjoin(tables.players, _players.id == _c.player)
            .where(_profiles.best.is_(True), _c.sigma <= SURE)
            .where(~later.correlate(tables.ratings).exists())
            .order_by(_c.mu.desc(), _c.player)
            .limit(BEST)
        )
        rows = await self.store.rows(query)
        found = [
            personal.Best(
                row.player, row.name or "", figure(s := Skill(row.mu, row.sigma)), doubt(s)
            )
            for row in rows
        ]
        if len(self.tables) > 200:
            self.tables.clear()
        self.tables[game, family] = time.monotonic(), found
        return found

    async def after(self, rooms: Sequence[str]) -> dict[tuple[str, str], Skill]:
        """By room and player, what players had after some games."""
        query = sa.select(_c.room, _c.player, _c.mu, _c.sigma).where(_c.room.in_(rooms))
        return {(r.room, r.player): Skill(r.mu, r.sigma) for r in await self.store.rows(query)}


def _rated(game: str, family: str, n: int, rows: Sequence[Any], now: int) -> personal.Rated:
    points = [
        personal.RatingPoint(row.at, figure(s := Skill(row.mu, row.sigma)), doubt(s),
                              provisional(s), row.room)
        for row in rows
    ]  # fmt: skip
    last = points[-1]
    before = [point for point in points if point.at < now - MONTH]
    was = before[-1] if before else points[0]
    return personal.Rated(
        game, family, last.rating, last.doubt, last.provisional, n, last.rating - was.rating, points
    )
