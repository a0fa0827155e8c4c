"""Ratings, and what people show of themselves."""

from typing import Annotated

import msgspec
from fastapi import APIRouter, Path, Query
from pydantic import BaseModel
from starlette.responses import Response

from tegel import games
from tegel.place.wire import personal
from tegel.room.judge import is_bot
from tegel.room.refused import Refused
from tegel.server.web import services
from tegel.server.web.routes import Player, Reader, answer, gives
from tegel.server.web.routes.catalogue import known
from tegel.server.web.routes.history import COST, Asked, Before, Most

router = APIRouter()
Who = Annotated[str, Path(max_length=64, description="Somebody.")]


class ShownWish(BaseModel):
    """What others may see; what is missing they may not."""

    games: bool = False
    statistics: bool = False
    ratings: bool = False
    best: bool = False


@router.get(
    "/api/me/ratings",
    tags=["you"],
    dependencies=[COST],
    **gives(list[personal.Rated], what="Your ratings, and how they came about."),
)
async def my_ratings(
    heartbeat: services.Heartbeat, ratings: services.Ratings, reader: Reader
) -> Response:
    return answer(await ratings.of(reader, heartbeat.now()))


@router.get("/api/me/profile", tags=["you"], **gives(personal.Shown, what="What you show."))
async def my_profile(profiles: services.Profiles, reader: Reader) -> Response:
    return answer(await profiles.shown(reader))


@router.put("/api/me/profile", tags=["you"], **gives(personal.Shown))
async def show(
    wish: ShownWish, heartbeat: services.Heartbeat, profiles: services.Profiles, player: Player
) -> Response:
    if is_bot(player):
        raise Refused("invalid", "A program has no profile.")
    shown = personal.Shown(wish.games, wish.statistics, wish.ratings, wish.best)
    await profiles.show(player, shown, heartbeat.now())
    return answer(shown)


@router.get(
    "/api/players/{who}",
    tags=["people"],
    dependencies=[COST],
    **gives(personal.Profile, what="What somebody shows."),
)
async def profile(
    who: Who,
    heartbeat: services.Heartbeat,
    history: services.History,
    profiles: services.Profiles,
    ratings: services.Ratings,
    reader: Reader,
) -> Response:
    player, called = await profiles.find(who, reader)
    shown = await profiles.shown(player)
    statistics = await history.statistics(player) if shown.statistics else None
    rated = await ratings.of(player, heartbeat.now()) if shown.ratings else None
    if not shown.games and rated is not None:  # a room's name is a secret
        rated = [_unlinked(one) for one in rated]
    return answer(personal.Profile(who, called, shown.games, statistics, rated))


def _unlinked(rated: personal.Rated) -> personal.Rated:
    points = [msgspec.structs.replace(point, room="") for point in rated.points]
    return msgspec.structs.replace(rated, points=points)


@router.get(
    "/api/players/{who}/games",
    tags=["people"],
    dependencies=[COST],
    **gives(personal.History, what="Games that all who played them show, the latest first."),
)
async def their_games(
    who: Who,
    history: services.History,
    profiles: services.Profiles,
    settings: services.Settings,
    reader: Reader,
    asked: Asked,
    before: Before = "",
    most: Most = 20,
) -> Response:
    player, _ = await profiles.find(who, reader)
    if not (await profiles.shown(player)).games:
        raise Refused("hidden", "Their games are not shown.")
    found = await history.page(player, asked, before, most, public=True)
    return answer(msgspec.structs.replace(found, days=settings.keep_days))


@router.get(
    "/api/ratings/{game}",
    tags=["people"],
    dependencies=[COST],
    **gives(list[personal.Best], what="The best who want to be seen, at most 50."),
)
async def best(
    game: Annotated[str, Path(max_length=40)],
    ratings: services.Ratings,
    family: Annotated[str, Query(max_length=40, description="Missing: the first.")] = "",
) -> Response:
    families = games.load(known(game)).families
    chosen = family or next(iter(families), "")
    if chosen not in families:
        raise Refused("missing", "There is no such family of variants.")
    return answer(await ratings.best(game, chosen))
