"""The games that somebody has played to their end: found by filters, counted, summed up."""

from collections.abc import Mapping, Sequence, Set
from dataclasses import replace

from tegel.place.history.ratings import Ratings, figure
from tegel.place.history.skill import Skill
from tegel.place.history.store import ALL, Cursor, Filters, HistoryStore, PlayedGame, Whose
from tegel.place.wire import personal
from tegel.room.ending import Seated
from tegel.room.judge import is_bot
from tegel.room.refused import Refused

MOST = 50  # games of one answer


class History:
    def __init__(self, store: HistoryStore, ratings: Ratings) -> None:
        self.store, self.ratings = store, ratings

    async def page(
        self, player: str, filters: Filters, before: str = "", most: int = 20, public: bool = False
    ) -> personal.History:
        """The games of a player from the latest on, or from `before` on, which an earlier page
        gave; `public`: as others may see them."""
        whose = Whose(player, public)
        found = await self.store.games(whose, filters, _cursor(before), most + 1)
        games = await self._told(whose, found[:most])
        last = found[most - 1] if len(found) > most else None
        counts = await self.store.counts(whose)
        if filters.active():
            count = await self.store.count(whose, filters)
        else:
            count = sum(one.n for one in counts)
        dropped = {} if count else await self._dropped(whose, filters)
        return personal.History(
            games, count, counts, dropped, f"{last.at}.{last.room}" if last else ""
        )

    async def _dropped(self, whose: Whose, filters: Filters) -> dict[str, int]:
        """How many games there would be without each of the filters; those that would help."""
        found: dict[str, int] = {}
        for drop in filters.active():
            rest = replace(filters, **{drop: getattr(ALL, drop)})
            count = await self.store.count(whose, rest)
            found |= {drop: count} if count else {}
        return found

    async def _told(self, whose: Whose, games: Sequence[PlayedGame]) -> list[personal.Finished]:
        names: Mapping[tuple[str, str], str] = {}
        skills: dict[tuple[str, str], Skill] = {}
        if games:
            names = await self.store.names([game.room for game in games])
            skills = await self.ratings.after([game.room for game in games if game.rated])
            if whose.public:
                shown = await self.ratings.shown({who for _, who in skills})
                skills = {key: skill for key, skill in skills.items() if key[1] in shown}
        selves = {whose.player, *await self.store.guests(whose.player)}
        return [_finished(game, selves, names, skills) for game in games]

    async def statistics(self, player: str) -> personal.Statistics:
        """What the games of a player sum up to, by game and variant and by level of bots."""
        sums = sorted(await self.store.sums(player), key=lambda one: (one.game, one.variant))
        return personal.Statistics(sums, await self.store.against_levels(player))


def _cursor(text: str) -> Cursor | None:
    """Where a page begins, from the `next` of the page before; raises Refused."""
    if not text:
        return None
    at, dot, room = text.partition(".")
    if not dot or not at.isdecimal() or len(at) > 15:
        raise Refused("invalid", "A page begins where another ended: use its `next`.")
    return Cursor(int(at), room)


def _finished(
    game: PlayedGame,
    selves: Set[str],
    names: Mapping[tuple[str, str], str],
    skills: Mapping[tuple[str, str], Skill],
) -> personal.Finished:
    """A game as somebody had it, who may have been a guest then."""
    seats = game.seats
    others = [seat for seat in seats if seat.player not in selves]
    points = {seat.side: seat.points for seat in seats}  # of a side: partners have the same
    mine = next(seat.side for seat in seats if seat.player in selves)
    rest = sorted((value for side, value in points.items() if side != mine), reverse=True)
    return personal.Finished(
        id=game.room,
        game=game.game,
        variant=game.variant,
        options=dict(game.options),
        clock=game.clock,
        rated=game.rated,
        at=game.at,
        moves=game.moves,
        how=game.how,
        reason=game.reason,
        by=game.by,
        rank=game.rank,
        sides=game.sides,
        points=(points[mine], *rest),
        others=[
            _opponent(seat, mine, names.get(key, ""), skills.get(key))
            for seat in others
            for key in [(game.room, seat.player)]
        ],
        left=next((seat.left for seat in seats if seat.player in selves), ""),
    )


def _opponent(seat: Seated, mine: int, called: str, skill: Skill | None) -> personal.Opponent:
    bot, rating = not seat.player or is_bot(seat.player), figure(skill) if skill else 0
    return personal.Opponent(called, bot, seat.level, seat.side == mine, seat.left, rating)
