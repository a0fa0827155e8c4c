"""Moments: positions in which one must find the move, one after another or one a day. We judge what
is tried, so that nothing that is sent before tells the answer."""

from dataclasses import replace
from datetime import date
from typing import Annotated

from fastapi import APIRouter, Path, Query
from pydantic import BaseModel, Field
from starlette.responses import Response

from tegel import games
from tegel.game import IllegalMove
from tegel.place.moments.moments import named, record_of, shown, with_moments
from tegel.place.moments.store import Counts, Tries, Which
from tegel.place.tasks import study_trees
from tegel.place.wire import moments as wire
from tegel.place.wire import responses, trees, views
from tegel.record import Record
from tegel.room.judge import illegal
from tegel.room.refused import Refused
from tegel.search import grades
from tegel.search.moments import Moment
from tegel.server.web import services
from tegel.server.web.routes import Player, Reader, answer, charged, gives
from tegel.server.web.routes.catalogue import CACHED, SVG, Theme

router = APIRouter(tags=["moments"])
Game = Annotated[str, Path(max_length=40)]
Name = Annotated[str, Path(max_length=16, description="Ten letters and digits.")]
Paid = Annotated[str, charged("position")]
FIRST = date(2026, 11, 15)  # of the first edition: there are moments of days since then
UNTRIED = "You have not found the move yet, nor asked to see it."


@router.get("/api/moments", **gives(wire.Moments, what="Games, and how you do."))
async def list_moments(
    days: services.Days,
    moments: services.Moments,
    reader: Reader,
    _: Annotated[str, charged("history")],
) -> Response:
    return answer(await moments.overview(reader, days.today()))


@router.get("/api/moments/{game}/next", **gives(wire.MomentTask, what="One to try next."))
async def next_moment(
    game: Game,
    days: services.Days,
    fairness: services.Fairness,
    moments: services.Moments,
    queues: services.Queues,
    reader: Reader,
    payer: Paid,
    grade: Annotated[int, Query(ge=0, le=5, description="0: at your level.")] = 0,
) -> Response:
    """A moment that you have not tried yet, as long as there are such."""
    name = await moments.next(_known(game), reader, days.today(), grade)
    return answer(
        await _task(fairness, moments, queues, Which(reader, game, name, ""), payer, anew=True)
    )


@router.get("/api/moments/{game}/days/{day}", **gives(wire.MomentTask, what="Of a day."))
async def moment_of_day(
    game: Game,
    day: date,
    days: services.Days,
    fairness: services.Fairness,
    moments: services.Moments,
    queues: services.Queues,
    reader: Reader,
    payer: Paid,
) -> Response:
    """The same for everybody."""
    name = grades.of_day(_known(game), days.come(day, FIRST))
    return answer(
        await _task(fairness, moments, queues, Which(reader, game, name, day.isoformat()), payer)
    )


@router.get("/api/moments/{game}/days/{day}/results", **gives(wire.MomentResults))
async def moment_results(
    game: Game,
    day: date,
    days: services.Days,
    moments: services.Moments,
    _: Annotated[str, charged("history")],
) -> Response:
    """How everybody did; nobody is named."""
    _known(game)
    key = f"{game} {days.come(day, FIRST)}"
    found = await days.results(key, lambda: moments.results(game, day), lambda one: one.tried)
    return answer(found)


@router.get("/api/moments/{game}/{moment}", **gives(wire.MomentTask, what="By its name."))
async def show_moment(
    game: Game,
    moment: Name,
    fairness: services.Fairness,
    moments: services.Moments,
    queues: services.Queues,
    reader: Reader,
    payer: Paid,
) -> Response:
    return answer(
        await _task(fairness, moments, queues, Which(reader, _known(game), moment, ""), payer)
    )


@router.get("/api/moments/{game}/{moment}/board.svg", response_class=Response, responses=SVG)
async def moment_picture(
    game: Game,
    moment: Name,
    queues: services.Queues,
    payer: Annotated[str, charged("picture")],
    theme: Theme = "light",
) -> Response:
    """The board, small."""
    _, at = _found(game, moment)
    svg = await queues.facts.run(views.small, at, theme, payer=payer)
    return Response(svg, media_type="image/svg+xml", headers=CACHED)


class MomentMove(BaseModel):
    """A move that is tried; `day`, if it is for the moment of one."""

    move: str = Field(max_length=200)
    day: date | None = None


@router.post("/api/moments/{game}/{moment}/tries", **gives(wire.MomentTried))
async def try_moment(
    game: Game,
    moment: Name,
    wish: MomentMove,
    days: services.Days,
    fairness: services.Fairness,
    moments: services.Moments,
    queues: services.Queues,
    player: Player,
    payer: Paid,
) -> Response:
    """Try a move. What can't be played is refused, and is no try; your first try counts for the
    grade of the moment, and for your level."""
    one, at = _found(game, moment)
    await fairness.permit_game(player, game)
    which = Which(player, game, moment, _day(days, game, moment, wish.day))
    try:
        right = await queues.facts.run(study_trees.among, at, wish.move, one.right, payer=payer)
    except IllegalMove as wrong:
        raise illegal(wrong) from None
    row = await moments.keep(which, right, payer)
    return answer(await _tried(moments, queues, which, row, payer, right, right))


class MomentShown(BaseModel):
    """For the moment of a day, which."""

    day: date | None = None


@router.post("/api/moments/{game}/{moment}/answer", **gives(wire.MomentTried))
async def show_answer(
    game: Game,
    moment: Name,
    wish: MomentShown,
    days: services.Days,
    fairness: services.Fairness,
    moments: services.Moments,
    queues: services.Queues,
    player: Player,
    payer: Paid,
) -> Response:
    """See which move it was; unless you found it, it counts as not found."""
    _found(game, moment)
    await fairness.permit_game(player, game)
    which = Which(player, game, moment, _day(days, game, moment, wish.day))
    row = await moments.keep(which, None, payer)
    return answer(await _tried(moments, queues, which, row, payer, False, True))


@router.get("/api/moments/{game}/{moment}/line/{step}", **gives(responses.Position))
async def moment_line(
    game: Game,
    moment: Name,
    step: Annotated[int, Path(ge=1, le=20)],
    fairness: services.Fairness,
    moments: services.Moments,
    queues: services.Queues,
    reader: Reader,
    payer: Paid,
) -> Response:
    """The position after some moves of the answer, once you know it."""
    one, at = _found(game, moment)
    if not await moments.knows(Which(reader, game, moment, "")):
        raise Refused("untried", UNTRIED)
    await fairness.permit_game(reader, game)
    after = replace(at, moves=(*at.moves, *one.line[:step]))
    return answer(await queues.facts.run(views.position, after, len(after.moves), payer=payer))


def _known(game: str) -> str:
    if game not in (there := with_moments()):
        raise Refused("missing", f"There are moments of {', '.join(there)}.")
    return game


def _found(game: str, name: str) -> tuple[Moment, Record]:
    one = named(game, name)
    return one, record_of(game, one)


def _day(days: services.Days, game: str, name: str, day: date | None) -> str:
    """The day that a moment is tried for; raises Refused if it is not that day's."""
    if day is None:
        return ""
    if grades.of_day(game, days.come(day, FIRST)) != name:
        raise Refused("invalid", "That is not the moment of this day.")
    return day.isoformat()


async def _task(
    fairness: services.Fairness,
    moments: services.Moments,
    queues: services.Queues,
    which: Which,
    payer: str,
    anew: bool = False,
) -> wire.MomentTask:
    """A moment as somebody sees it; `anew`: as if they had not tried it."""
    _, at = _found(which.game, which.moment)
    if games.load(which.game).by_eye:  # what fits is shown
        await fairness.permit_game(which.player, which.game, by_eye=True)
    node = await queues.facts.run(trees.node, at, "-", payer=payer)
    grade = (await moments.grades(which.game))[which.moment]
    row = await moments.tries(which._replace(player="") if anew else which)
    return wire.MomentTask(
        which.game, which.moment, at.variant, dict(at.options), shown(grade), which.day, node,
        row.tries, row.found, row.shown, await moments.standing(which.player, which.game),
        await _answer(moments, queues, which, payer) if row.over else None,
    )  # fmt: skip


async def _tried(
    moments: services.Moments,
    queues: services.Queues,
    which: Which,
    row: Tries,
    payer: str,
    right: bool,
    told: bool,
) -> wire.MomentTried:
    """What came of a try; the answer, if it is to be told."""
    known = await _answer(moments, queues, which, payer) if told else None
    you = await moments.standing(which.player, which.game)
    return wire.MomentTried(right, row.tries, row.found, row.shown, you, known)


async def _answer(
    moments: services.Moments, queues: services.Queues, which: Which, payer: str
) -> wire.MomentAnswer:
    one, at = _found(which.game, which.moment)
    steps = await queues.facts.run(trees.line, at, one.line, payer=payer)
    solved, failed, _ = (await moments.counts(which.game)).get(which.moment, Counts())
    return wire.MomentAnswer(one.right, steps, one.gap, solved, failed, str(at))
