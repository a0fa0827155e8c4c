"""The games that somebody has played to their end: found by what is asked for, counted, summed up.

All of it is read from the table `played`, a row a player and game, of which one player has an index
of their own; what a page shows besides comes for its games alone."""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, fields
from typing import Any

import sqlalchemy as sa

from tegel.place.history.ratings import Ratings, figure
from tegel.place.history.skill import Skill
from tegel.place.rooms.room_row import options
from tegel.place.wire import personal
from tegel.room.ending import Seated
from tegel.room.judge import is_bot
from tegel.room.refused import Refused
from tegel.server.storage import tables
from tegel.server.storage.database import Database
from tegel.server.storage.endings import seats as seats_of

MOST = 50  # games of one answer
_played, _endings, _names = tables.played.c, tables.endings.c, tables.names.c
_profiles, _rooms, _guests = tables.profiles.c, tables.rooms.c, tables.guests.c


@dataclass(frozen=True)
class Filters:
    """Which games are asked for; what is empty asks for nothing."""

    game: str = ""
    variant: str = ""
    how: str = ""
    against: str = ""  # people, bots
    level: int = 0  # of the strongest bot
    opponent: str = ""  # a part of what another was called
    since: int = 0  # milliseconds: from then,
    until: int = 0  # until before then

    def active(self) -> list[str]:
        return [field.name for field in fields(self) if getattr(self, field.name)]


class History:
    def __init__(self, store: Database, ratings: Ratings) -> None:
        self.store, self.ratings = store, ratings

    async def page(
        self, player: str, filters: Filters, before: str = "", most: int = 20, public: bool = False
    ) -> personal.History:
        """The games of a player from the latest on, or from `before` on, which an earlier page
        gave; `public`: as others may see them."""
        known = _known(player, public)
        chosen = [*known, *(_condition(key, player, filters) for key in filters.active())]
        found = await self.store.rows(_query([*chosen, *_after(before)], most + 1))
        games = await self._told(player, found[:most], public)
        last = found[most - 1] if len(found) > most else None
        counts = await self._counts(known)
        count = await self._count(chosen) if filters.active() else sum(one.n for one in counts)
        dropped = {} if count else await self._dropped(player, known, filters)
        return personal.History(
            games, count, counts, dropped, f"{last.at}.{last.room}" if last else ""
        )

    async def _count(self, where: Sequence[Any]) -> int:
        query = sa.select(sa.func.count()).select_from(tables.played).where(*where)
        return int((await self.store.rows(query))[0][0])

    async def _counts(self, where: Sequence[Any]) -> list[personal.Counted]:
        """How many games there are, by game and variant."""
        by = (_played.game, _played.variant)
        query = sa.select(*by, sa.func.count()).where(*where).group_by(*by).order_by(*by)
        return [personal.Counted(*row) for row in await self.store.rows(query)]

    async def _dropped(self, player: str, known: Sequence[Any], filters: Filters) -> dict[str, int]:
        """How many games there would be without each of the filters; those that would help."""
        found: dict[str, int] = {}
        for drop in filters.active():
            rest = (key for key in filters.active() if key != drop)
            count = await self._count([*known, *(_condition(k, player, filters) for k in rest)])
            found |= {drop: count} if count else {}
        return found

    async def _told(
        self, player: str, rows: Sequence[Any], public: bool
    ) -> list[personal.Finished]:
        rooms = [row.room for row in rows]
        names: dict[tuple[str, str], str] = {}
        skills: dict[tuple[str, str], Skill] = {}
        if rooms:
            query = sa.select(tables.names).where(_names.room.in_(rooms))
            names = {(r.room, r.player): r.name for r in await self.store.rows(query)}
            skills = await self.ratings.after([row.room for row in rows if row.rated])
            if public:
                shown = await self.ratings.shown({who for _, who in skills})
                skills = {key: skill for key, skill in skills.items() if key[1] in shown}
        query = sa.select(_guests.id).where(_guests.player == player)
        selves = {player, *(row.id for row in await self.store.rows(query))}
        return [_finished(row, selves, names, skills) for row in rows]

    async def statistics(self, player: str) -> personal.Statistics:
        """What the games of a player sum up to, by game and variant and by level of bots."""
        mine = _played.player == player
        all_ = sa.literal("").label("variant")
        whole = await self._sums(player, _played.game, all_)
        parts = await self._sums(player, _played.game, _played.variant)
        levels = (_played.game, _played.level)
        bots = sa.select(*levels, sa.func.count(), _sum(_played.how == "won")).where(
            mine, _played.against == "bots", _played.level > 0
        )
        against = await self.store.rows(bots.group_by(*levels).order_by(*levels))
        sums = sorted([*whole, *parts], key=lambda one: (one.game, one.variant))
        return personal.Statistics(sums, [personal.AgainstLevel(*row) for row in against])

    async def _sums(self, player: str, *by: Any) -> list[personal.Summed]:
        how = {key: _sum(_played.how == key) for key in ("won", "drawn", "lost")}
        query = sa.select(
            *by, sa.func.count().label("played"), *(n.label(key) for key, n in how.items()),
            sa.func.max(_played.points).label("best"), sa.func.avg(_played.points).label("mean"),
        )  # fmt: skip
        rows = await self.store.rows(query.where(_played.player == player).group_by(*by))
        streaks = {row[:2]: row[2:] for row in await self.store.rows(_streaks(player, *by))}
        return [
            personal.Summed(
                row.game, row.variant, row.played, row.won, row.drawn, row.lost, row.best,
                round(float(row.mean), 1), *streaks[row.game, row.variant],
            )
            for row in rows
        ]  # fmt: skip


def _known(player: str, public: bool) -> list[Any]:
    """The games of a player that may be seen: by others only where all people who played there
    show theirs."""
    if not public:
        return [_played.player == player]
    other = tables.played.alias("other").c
    shy = (
        sa.select(other.player)
        .outerjoin(tables.profiles, _profiles.player == other.player)
        .where(
            other.room == _played.room,
            other.player != player,
            other.player.not_like("bot-%"),
            sa.or_(_profiles.games.is_(None), _profiles.games.is_(False)),
        )
    )
    return [_played.player == player, ~shy.correlate(tables.played).exists()]


def _condition(key: str, player: str, filters: Filters) -> Any:
    value = getattr(filters, key)
    if key == "since":
        return _played.at >= value
    if key == "until":
        return _played.at < value
    if key == "opponent":
        called = sa.select(_names.room).where(
            _names.room == _played.room,
            _names.player != player,
            # SQLite knows the case of plain letters only
            sa.or_(
                _names.name.icontains(value, autoescape=True),
                _names.name.contains(value, autoescape=True),
            ),
        )
        return called.correlate(tables.played).exists()
    return _played[key] == value


def _after(before: str) -> list[Any]:
    if not before:
        return []
    at, dot, room = before.partition(".")
    if not dot or not at.isdecimal() or len(at) > 15:
        raise Refused("invalid", "A page begins where another ended: use its `next`.")
    return [sa.or_(_played.at < int(at), sa.and_(_played.at == int(at), _played.room < room))]


def _query(where: Sequence[Any], most: int) -> Any:
    kept = (_endings.clock, _endings.moves, _endings.reason, _endings.rated, _endings.sides)
    return (
        sa.select(tables.played, *kept, _endings.seats, _rooms.options)
        .join(tables.endings, _endings.room == _played.room)
        .join(tables.rooms, _rooms.id == _played.room)
        .where(*where)
        .order_by(_played.at.desc(), _played.room.desc())
        .limit(most)
    )


def _finished(
    row: Any,
    selves: Set[str],
    names: Mapping[tuple[str, str], str],
    skills: Mapping[tuple[str, str], Skill],
) -> personal.Finished:
    """A game as somebody had it, who may have been a guest then."""
    seats = seats_of(row.seats)
    others = [seat for seat in seats if seat.player not in selves]
    points = {seat.side: seat.points for seat in seats}  # of a side: partners have the same
    mine = next(seat.side for seat in seats if seat.player in selves)
    rest = sorted((value for side, value in points.items() if side != mine), reverse=True)
    return personal.Finished(
        id=row.room,
        game=row.game,
        variant=row.variant,
        options=options(row.options),
        clock=row.clock,
        rated=row.rated,
        at=row.at,
        moves=row.moves,
        how=row.how,
        reason=row.reason,
        by=row.by,
        rank=row.rank,
        sides=row.sides,
        points=(points[mine], *rest),
        others=[
            _opponent(seat, mine, names.get(key, ""), skills.get(key))
            for seat in others
            for key in [(row.room, seat.player)]
        ],
        left=next((seat.left for seat in seats if seat.player in selves), ""),
    )


def _opponent(seat: Seated, mine: int, called: str, skill: Skill | None) -> personal.Opponent:
    bot, rating = not seat.player or is_bot(seat.player), figure(skill) if skill else 0
    return personal.Opponent(called, bot, seat.level, seat.side == mine, seat.left, rating)


def _sum(condition: Any) -> Any:
    return sa.func.sum(sa.case((condition, 1), else_=0))


def _streaks(player: str, *group: Any) -> Any:
    """By group, the games won in a row until now, and the most that ever were."""
    order = (_played.at.desc(), _played.room.desc())
    won = sa.case((_played.how == "won", 1), else_=0)
    place = sa.func.row_number().over(partition_by=group, order_by=order)
    apart = sa.func.row_number().over(partition_by=(*group, won), order_by=order)
    # Games of one kind without one of the other in between have the same difference.
    rows = sa.select(
        *group, won.label("won"), place.label("place"), (place - apart).label("run")
    ).where(_played.player == player)
    each = rows.subquery()
    runs = (
        sa.select(
            each.c.game,
            each.c.variant,
            sa.func.min(each.c.place).label("first"),
            sa.func.count().label("long"),
        )
        .where(each.c.won == 1)
        .group_by(each.c.game, each.c.variant, each.c.run)
        .subquery()
    )
    all_ = sa.select(each.c.game, each.c.variant).distinct().subquery()
    now = sa.func.max(sa.case((runs.c.first == 1, runs.c.long), else_=0))
    same = sa.and_(runs.c.game == all_.c.game, runs.c.variant == all_.c.variant)
    return (
        sa.select(
            all_.c.game,
            all_.c.variant,
            sa.func.coalesce(now, 0),
            sa.func.coalesce(sa.func.max(runs.c.long), 0),
        )
        .select_from(all_.outerjoin(runs, same))
        .group_by(all_.c.game, all_.c.variant)
    )
