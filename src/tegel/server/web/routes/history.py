"""Games that are over, for those who played them: a list to search in, and what they sum up to."""

from datetime import UTC, date, datetime, timedelta
from typing import Annotated, Any, Literal

import msgspec
from fastapi import APIRouter, Depends, Query
from starlette.responses import Response

from tegel.place.history.history import MOST
from tegel.place.history.store import Filters
from tegel.place.wire import personal
from tegel.server.web import services
from tegel.server.web.routes import Reader, answer, charged, gives

router = APIRouter(tags=["you"])
COST: Any = charged("history")
FIRST, LAST = date(2000, 1, 1), date(2200, 1, 1)


def filters(
    game: Annotated[str, Query(max_length=40)] = "",
    variant: Annotated[str, Query(max_length=40)] = "",
    how: Literal["", "won", "lost", "drawn", "shared"] = "",
    against: Literal["", "people", "bots"] = "",
    level: Annotated[int, Query(ge=0, le=9)] = 0,
    opponent: Annotated[str, Query(max_length=80, description="A part of a name.")] = "",
    since: Annotated[date | None, Query(ge=FIRST, le=LAST, description="A day, in UTC.")] = None,
    until: Annotated[date | None, Query(ge=FIRST, le=LAST, description="The last day.")] = None,
) -> Filters:
    return Filters(
        game, variant, how, against, level, opponent.strip(),
        _instant(since) if since else 0, _instant(until + timedelta(1)) if until else 0,
    )  # fmt: skip


def _instant(day: date) -> int:
    return int(datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp()) * 1000


Asked = Annotated[Filters, Depends(filters)]
Before = Annotated[str, Query(max_length=48, description="The `next` of another page.")]
Most = Annotated[int, Query(ge=1, le=MOST)]


@router.get(
    "/api/me/games",
    dependencies=[COST],
    **gives(personal.History, what="Your games that are over, the latest first; no puzzles."),
)
async def my_games(
    history: services.History,
    settings: services.Settings,
    reader: Reader,
    asked: Asked,
    before: Before = "",
    most: Most = 20,
) -> Response:
    found = await history.page(reader, asked, before, most)
    return answer(msgspec.structs.replace(found, days=settings.keep_days))


@router.get(
    "/api/me/statistics",
    dependencies=[COST],
    **gives(personal.Statistics, what="What your games sum up to."),
)
async def my_statistics(history: services.History, reader: Reader) -> Response:
    return answer(await history.statistics(reader))
