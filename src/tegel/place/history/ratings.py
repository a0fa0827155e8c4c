"""How well people play, by game and family of variants: what is shown of ratings.

A rating is shown as a **figure**, 1500 for who is new; 120 more wins two games in three, or about
that. Its **doubt** is one standard deviation. It is **provisional** until that is small enough,
after twenty games or so. How ratings come about: `skill`."""

from collections.abc import Collection, Sequence

from cachetools import TTLCache

from tegel.place.history.skill import NEW, Skill
from tegel.place.history.store import RatedFamily, RatingAt, RatingStore
from tegel.place.ports import Clock
from tegel.place.wire import personal
from tegel.room.clock import DAY

SURE = 5.0  # a sigma up to which a rating is not provisional
POINTS = 100  # of a graph
BEST = 50  # of a table
MONTH = 30 * DAY
STALE = 60.0  # seconds that a table of the best is kept
TABLES = 200  # that are kept


def figure(skill: Skill) -> int:
    return round(1500 + 30 * (skill.mu - NEW.mu))


def doubt(skill: Skill) -> int:
    return round(30 * skill.sigma)


def provisional(skill: Skill) -> bool:
    return skill.sigma > SURE


class Ratings:
    def __init__(self, store: RatingStore, clock: Clock) -> None:
        self.store = store
        self.tables = TTLCache[tuple[str, str], list[personal.Best]](
            TABLES, STALE, timer=clock.monotonic
        )

    async def rating(self, player: str, game: str, family: str) -> Skill:
        """What somebody has now (mu, sigma) in a family of variants, as `Game.family` names it;
        who has played no rated game has `NEW`: 25 and 25/3."""
        return await self.store.latest(player, game, family) or NEW

    async def shown(self, players: Collection[str]) -> set[str]:
        """Those among some players whose ratings others may see."""
        return await self.store.showing(players) if players else set()

    async def figures(self, players: Collection[str]) -> dict[tuple[str, str, str], int]:
        """What some players have now, by player, game and family."""
        found = await self.store.latest_of(players) if players else {}
        return {key: figure(skill) for key, skill in found.items()}

    async def of(self, player: str, now: int) -> list[personal.Rated]:
        """All ratings of a player, each with its way."""
        found = []
        for one in await self.store.families(player):
            way = await self.store.course(player, one.game, one.family, POINTS)
            found.append(_rated(one, way, now))
        return found

    async def best(self, game: str, family: str) -> list[personal.Best]:
        """The best of a family: of those who want to be seen there and are sure enough. It is
        up to a minute old."""
        kept = self.tables.get((game, family))
        if kept is not None:
            return kept
        found = [
            personal.Best(one.player, one.name, figure(one.skill), doubt(one.skill))
            for one in await self.store.best(game, family, SURE, BEST)
        ]
        self.tables[game, family] = found
        return found

    async def after(self, rooms: Sequence[str]) -> dict[tuple[str, str], Skill]:
        """By room and player, what players had after some games."""
        return await self.store.after(rooms)


def _rated(family: RatedFamily, way: Sequence[RatingAt], now: int) -> personal.Rated:
    points = [
        personal.RatingPoint(at, figure(skill), doubt(skill), provisional(skill), room)
        for at, room, skill in way
    ]
    last = points[-1]
    before = [point for point in points if point.at < now - MONTH]
    was = before[-1] if before else points[0]
    return personal.Rated(
        *family[:2], last.rating, last.doubt, last.provisional, family.games,
        last.rating - was.rating, points,
    )  # fmt: skip
