"""Finished games, ratings and profiles, read as rows.

The questions about games go to the table `played`, a row a player and game, of which one player
has an index of their own; what a page shows besides comes for its games alone."""

from collections.abc import Collection, Sequence
from typing import Any

import msgspec
import sqlalchemy as sa

from tegel.place.history.skill import Skill
from tegel.place.history.store import (
    Cursor,
    Filters,
    PlayedGame,
    Ranked,
    RatedFamily,
    RatingAt,
    Whose,
)
from tegel.place.rooms.room_row import options
from tegel.place.rooms.store import Called
from tegel.place.wire import personal
from tegel.server.storage import tables
from tegel.server.storage.accounts import of_handle
from tegel.server.storage.endings import seats
from tegel.server.storage.ratings import latest
from tegel.server.storage.storage import Storage

_played, _endings, _names = tables.played.c, tables.endings.c, tables.names.c
_profiles, _rooms, _guests = tables.profiles.c, tables.rooms.c, tables.guests.c
_ratings, _players = tables.ratings.c, tables.players.c


class SqlHistory:
    def __init__(self, database: Storage) -> None:
        self.database = database

    async def games(
        self, whose: Whose, filters: Filters, after: Cursor | None, most: int
    ) -> list[PlayedGame]:
        kept = (_endings.clock, _endings.moves, _endings.reason, _endings.rated, _endings.sides)
        query = (
            sa.select(tables.played, *kept, _endings.seats, _rooms.options)
            .join(tables.endings, _endings.room == _played.room)
            .join(tables.rooms, _rooms.id == _played.room)
            .where(*_chosen(whose, filters), *_behind(after))
            .order_by(_played.at.desc(), _played.room.desc())
        )
        return [_game(row) for row in await self.database.rows(query.limit(most))]

    async def count(self, whose: Whose, filters: Filters) -> int:
        query = sa.select(sa.func.count()).select_from(tables.played)
        return int((await self.database.rows(query.where(*_chosen(whose, filters))))[0][0])

    async def counts(self, whose: Whose) -> list[personal.Counted]:
        by = (_played.game, _played.variant)
        query = sa.select(*by, sa.func.count()).where(*_known(whose)).group_by(*by).order_by(*by)
        return [personal.Counted(*row) for row in await self.database.rows(query)]

    async def names(self, rooms: Sequence[str]) -> dict[tuple[str, str], str]:
        query = sa.select(tables.names).where(_names.room.in_(rooms))
        return {(row.room, row.player): row.name for row in await self.database.rows(query)}

    async def guests(self, player: str) -> set[str]:
        query = sa.select(_guests.id).where(_guests.player == player)
        return {row.id for row in await self.database.rows(query)}

    async def sums(self, player: str) -> list[personal.Summed]:
        whole = await self._sums(player, _played.game, sa.literal("").label("variant"))
        return [*whole, *await self._sums(player, _played.game, _played.variant)]

    async def against_levels(self, player: str) -> list[personal.AgainstLevel]:
        by = (_played.game, _played.level)
        bots = sa.select(*by, sa.func.count(), _sum(_played.how == "won")).where(
            _played.player == player, _played.against == "bots", _played.level > 0
        )
        rows = await self.database.rows(bots.group_by(*by).order_by(*by))
        return [personal.AgainstLevel(*row) for row in rows]

    async def _sums(self, player: str, *by: sa.ColumnElement[str]) -> list[personal.Summed]:
        how = {key: _sum(_played.how == key) for key in ("won", "drawn", "lost")}
        query = sa.select(
            *by, sa.func.count().label("played"), *(n.label(key) for key, n in how.items()),
            sa.func.max(_played.points).label("best"), sa.func.avg(_played.points).label("mean"),
        )  # fmt: skip
        rows = await self.database.rows(query.where(_played.player == player).group_by(*by))
        streaks = {row[:2]: row[2:] for row in await self.database.rows(_streaks(player, *by))}
        return [
            personal.Summed(
                row.game, row.variant, row.played, row.won, row.drawn, row.lost, row.best,
                round(float(row.mean), 1), *streaks[row.game, row.variant],
            )
            for row in rows
        ]  # fmt: skip


class SqlRatings:
    def __init__(self, database: Storage) -> None:
        self.database = database

    async def latest(self, player: str, game: str, family: str) -> Skill | None:
        found = await self.database.rows(latest(player, game, family))
        return Skill(*found[0]) if found else None

    async def showing(self, players: Collection[str]) -> set[str]:
        visible = (_profiles.player.in_(list(players)), _profiles.ratings.is_(True))
        query = sa.select(_profiles.player).where(*visible)
        return {row.player for row in await self.database.rows(query)}

    async def latest_of(self, players: Collection[str]) -> dict[tuple[str, str, str], Skill]:
        query = sa.select(tables.ratings).where(_ratings.player.in_(players), ~_later().exists())
        return {
            (row.player, row.game, row.family): Skill(row.mu, row.sigma)
            for row in await self.database.rows(query)
        }

    async def families(self, player: str) -> list[RatedFamily]:
        count = sa.func.count()
        query = sa.select(_ratings.game, _ratings.family, count).where(_ratings.player == player)
        query = query.group_by(_ratings.game, _ratings.family).order_by(
            count.desc(), _ratings.game, _ratings.family
        )
        return [RatedFamily(*row) for row in await self.database.rows(query)]

    async def course(self, player: str, game: str, family: str, most: int) -> list[RatingAt]:
        query = sa.select(_ratings.at, _ratings.room, _ratings.mu, _ratings.sigma).where(
            _ratings.player == player, _ratings.game == game, _ratings.family == family
        )
        query = query.order_by(_ratings.at.desc(), _ratings.room.desc()).limit(most)
        rows = reversed(await self.database.rows(query))
        return [RatingAt(row.at, row.room, Skill(row.mu, row.sigma)) for row in rows]

    async def best(self, game: str, family: str, sigma: float, most: int) -> list[Ranked]:
        query = (
            sa.select(_ratings.player, _ratings.mu, _ratings.sigma, _players.name)
            .select_from(tables.profiles)
            .join(
                tables.ratings,
                sa.and_(
                    _ratings.player == _profiles.player,
                    _ratings.game == game,
                    _ratings.family == family,
                ),
            )
            .outerjoin(tables.players, _players.id == _ratings.player)
            .where(_profiles.best.is_(True), _ratings.sigma <= sigma, ~_later().exists())
            .order_by(_ratings.mu.desc(), _ratings.player)
            .limit(most)
        )
        return [
            Ranked(row.player, row.name or "", Skill(row.mu, row.sigma))
            for row in await self.database.rows(query)
        ]

    async def after(self, rooms: Sequence[str]) -> dict[tuple[str, str], Skill]:
        query = sa.select(_ratings.room, _ratings.player, _ratings.mu, _ratings.sigma).where(
            _ratings.room.in_(rooms)
        )
        rows = await self.database.rows(query)
        return {(row.room, row.player): Skill(row.mu, row.sigma) for row in rows}


class SqlProfiles:
    def __init__(self, database: Storage) -> None:
        self.database = database

    async def player(self, id: str) -> Called | None:
        c = tables.players.c
        return await self._called(sa.select(c.id, c.name).where(c.id == id))

    async def keeper(self, handle: str) -> Called | None:
        return await self._called(of_handle(handle))

    async def _called(self, query: sa.Executable) -> Called | None:
        found = await self.database.rows(query)
        return Called(*found[0]) if found else None

    async def shown(self, player: str) -> personal.Shown | None:
        c = tables.profiles.c
        query = sa.select(c.games, c.statistics, c.ratings, c.best).where(c.player == player)
        found = await self.database.rows(query)
        return personal.Shown(*found[0]) if found else None

    async def show(self, player: str, shown: personal.Shown, now: int) -> None:
        values = {"player": player, "at": now, **msgspec.structs.asdict(shown)}
        await self.database.change(self.database.upsert(tables.profiles, **values))


def _game(row: Any) -> PlayedGame:
    return PlayedGame(
        room=row.room,
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
        seats=seats(row.seats),
    )


def _known(whose: Whose) -> list[sa.ColumnElement[bool]]:
    """The games of a player that may be seen: by others only where all people who played there
    show theirs."""
    player = whose.player
    if not whose.public:
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


def _chosen(whose: Whose, filters: Filters) -> list[sa.ColumnElement[bool]]:
    conditions = (_condition(key, whose.player, filters) for key in filters.active())
    return [*_known(whose), *conditions]


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


def _behind(cursor: Cursor | None) -> list[sa.ColumnElement[bool]]:
    if cursor is None:
        return []
    at, room = cursor
    return [sa.or_(_played.at < at, sa.and_(_played.at == at, _played.room < room))]


def _sum(condition: sa.ColumnElement[bool]) -> sa.ColumnElement[int]:
    return sa.func.sum(sa.case((condition, 1), else_=0))


def _streaks(player: str, *group: sa.ColumnElement[str]) -> sa.Select[Any]:
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


def _later() -> sa.Select[tuple[str]]:
    """The ratings of the same player and family that came after one, as a subquery."""
    last = tables.ratings.alias("last").c
    same = (last[key] == _ratings[key] for key in ("player", "game", "family"))
    behind = sa.or_(
        last.at > _ratings.at, sa.and_(last.at == _ratings.at, last.room > _ratings.room)
    )
    return sa.select(last.player).where(*same, behind).correlate(tables.ratings)
