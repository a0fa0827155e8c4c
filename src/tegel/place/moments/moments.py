"""Moments for people: which comes next, how hard each is by now, and how everybody does.

Nobody can bring a position here: moments are ours, from games of the engine with itself. So there
is nothing to forbid while somebody plays, unlike with studies."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date
from math import inf

from cachetools import TTLCache

from tegel import games
from tegel.place.heartbeat import Heartbeat
from tegel.place.moments.store import Counts, MomentStore, Past, Tries, Which
from tegel.place.ports import Chance
from tegel.place.wire import moments as wire
from tegel.record import Record
from tegel.room.refused import Refused
from tegel.search import grades
from tegel.search.moments import Moment

FRESH = 30.0  # seconds for which is kept how everybody did
AROUND = 0.7  # grades around one's level, within which the next moment is drawn at random
MOST_DAYS = 500  # of which is told that somebody found the moment
UNTRIED = wire.MomentStanding(grades.BEGIN, 0, 0, 0, 0)  # of who has tried none


class Moments:
    def __init__(
        self,
        store: MomentStore,
        heartbeat: Heartbeat,
        chance: Chance,
        counts: Callable[[str], bool],
    ) -> None:
        """`counts`: whether one more try counts, of one network and for one moment."""
        self.store, self.heartbeat, self.chance = store, heartbeat, chance
        self.may_count = counts
        self.kept = TTLCache[str, dict[str, Counts]](inf, FRESH, timer=heartbeat.clock.monotonic)

    async def counts(self, game: str) -> dict[str, Counts]:
        """How everybody did on the moments of a game, as of late."""
        found = self.kept.get(game)
        if found is None:
            found = self.kept[game] = await self.store.counts(game)
        return found

    async def grades(self, game: str) -> dict[str, float]:
        """How hard each moment of a game is by now."""
        counts = await self.counts(game)
        return {name: graded(one, counts.get(name)) for name, one in grades.named(game).items()}

    async def standing(self, player: str, game: str) -> wire.MomentStanding:
        """How well somebody finds moves in a game; who is nobody yet, as who has tried none."""
        return await self.store.standing(player, game) if player else UNTRIED

    async def tries(self, which: Which) -> Tries:
        """How somebody did on a moment, for a day or for none."""
        found = await self.store.tries(which) if which.player else None
        return found or Tries(which.game, which.moment, which.day, 0, 0, False, False, False, None)

    async def next(self, game: str, player: str, today: date, grade: int = 0) -> str:
        """The name of the moment to try next: of a grade, or about one's level. One that was not
        tried yet, else one that was not found at once; never that of today."""
        found, before = await self.grades(game), await self.past(player, game)
        names = [*found.keys() - {grades.of_day(game, today), before.last}] or [*found]
        if grade and (same := [name for name in names if shown(found[name]) == grade]):
            names = same
        fresh = [name for name in names if name not in before.met]
        missed = [name for name in names if not before.met.get(name)]
        wanted = grade or (await self.standing(player, game)).level

        def far(name: str) -> float:
            return abs(found[name] - wanted) + AROUND * self.chance.random()

        return min(fresh or missed or names, key=far)

    async def past(self, player: str, game: str) -> Past:
        """Which moments of a game somebody met; who is nobody yet, none."""
        return await self.store.past(player, game) if player else Past()

    async def knows(self, which: Which) -> bool:
        """Whether somebody knows the answer, whatever day they tried it for."""
        return bool(which.player) and await self.store.has_met(which, over=True)

    async def keep(self, which: Which, found: bool | None, payer: str) -> Tries:
        """Keep what somebody tried; None: that they asked to see it. For the grade of a moment a
        network counts as few people, or one with many cookies could set it."""
        grade = (await self.grades(which.game))[which.moment]
        counts = not await self.store.has_met(which) and self.may_count(
            f"{payer} {which.game} {which.moment}"
        )
        return await self.store.keep(which, grade, self.heartbeat.now(), found, counts=counts)

    async def overview(self, player: str, today: date) -> wire.Moments:
        """What there is of each game, and how somebody does."""
        told = []
        for game in with_moments():
            found = await self.grades(game)
            count = [sum(shown(grade) == n for grade in found.values()) for n in range(1, 6)]
            id = grades.of_day(game, today)
            row = await self.tries(Which(player, game, id, today.isoformat()))
            now = wire.MomentDay(id, shown(found[id]), row.tries, row.found, row.shown)
            days = await self.store.days_found(player, game, MOST_DAYS) if player else []
            you = await self.standing(player, game)
            told.append(wire.MomentGame(game, tuple(count), you, now, days))
        return wire.Moments(today.isoformat(), told)

    async def results(self, game: str, day: date) -> wire.MomentResults:
        """How everybody did on the moment of a day."""
        return await self.store.results(game, day.isoformat())


def with_moments() -> Sequence[str]:
    """The games that have moments."""
    return [game for game in games.names() if grades.named(game)]


def named(game: str, name: str) -> Moment:
    """A moment by its name; raises Refused."""
    found = grades.named(game).get(name) if game in with_moments() else None
    if found is None:
        raise Refused("missing", "There is no such moment.")
    return found


def record_of(game: str, one: Moment) -> Record:
    """The game up to a moment, at such a table as the card of the game makes first: where a game
    can be played by eye or with help, with help."""
    card = [start for start in games.load(game).card if start.variant == one.variant]
    options = {**(card[0].options if card else {}), **one.options}
    return replace(one.record(game), options=options)


def graded(one: Moment, counts: Counts | None) -> float:
    solved, failed, felt = counts or Counts()
    return grades.graded(one.grade, solved + failed, felt)


def shown(grade: float) -> int:
    """A grade as it is told."""
    return int(grade + 0.5)
