"""Puzzles for one: which there are, how far you are, pictures of them, hints and solutions."""

from datetime import date, timedelta
from functools import cache
from typing import Annotated

from cachetools import LRUCache
from fastapi import APIRouter, Path, Request
from msgspec import structs
from starlette.responses import Response

from tegel import games
from tegel.game import BadNotation
from tegel.place.rooms.live_room import LiveRoom
from tegel.place.tasks import tasks
from tegel.place.wire import copies, messages, responses, views
from tegel.room.judge import check_rows
from tegel.room.refused import Refused
from tegel.server.web import services
from tegel.server.web.routes import (
    Payer,
    Player,
    Reader,
    answer,
    charged,
    gives,
)
from tegel.server.web.routes.catalogue import CACHED, SVG, Theme, drawings
from tegel.server.web.routes.rooms import Room
from tegel.solver import daily

router = APIRouter(tags=["puzzles"])
DAYS = 13  # before today, that are listed
OURS = ""  # who pays for the days that are listed
PICTURES = LRUCache[tuple[str, str, str], str](200)  # of puzzles: game, variant, theme
SHOWN = ["tasks", "discovery", "pentominoes"]  # groups, in the order of the page
SOLVING = 24.0  # seconds that a whole solution may take


@router.get("/api/puzzles", **gives(responses.Puzzles, what="Every puzzle, today's first."))
async def list_puzzles(
    days: services.Days, queues: services.Queues, settings: services.Settings
) -> Response:
    today, seconds = days.today(), responses.Seconds(settings.hint, SOLVING)
    latest = [await _day(queues, today - timedelta(ago), OURS) for ago in range(DAYS + 1)]
    named, discovery = _listed("puzzle"), _listed("discovery")
    groups = [
        responses.Group(key, [task for task in (*named, *discovery) if task.group == key])
        for key in SHOWN
    ]
    return answer(responses.Puzzles(latest[0], latest[1:], named, discovery, groups, seconds))


@router.get("/api/puzzles/today", **gives(messages.Task, what="The puzzle of the day."))
async def show_today(days: services.Days, queues: services.Queues) -> Response:
    return answer(await _day(queues, days.today(), OURS))


@cache
def _listed(game: str) -> list[messages.Task]:
    return [_task(game, variant) for variant in games.load(game).variants]


@router.get("/api/puzzles/days/{day}", **gives(messages.Task, what="The puzzle of a day."))
async def show_day(
    day: date,
    days: services.Days,
    queues: services.Queues,
    payer: Annotated[str, charged("day")],
) -> Response:
    return answer(await _day(queues, days.come(day), payer))


@router.get(
    "/api/puzzles/days/{day}/results", **gives(responses.DayResults, what="How everybody did.")
)
async def day_results(
    day: date,
    days: services.Days,
    puzzles: services.Puzzles,
    _: Annotated[str, charged("history")],
) -> Response:
    """Of those who solved the puzzle of a day; nobody is named."""
    variant = daily.name(day)
    found = await days.results(variant, lambda: puzzles.results(variant), lambda one: one.solved)
    return answer(found)


async def _day(queues: services.Queues, day: date, payer: str) -> messages.Task:
    stars = await queues.day(day, payer)
    return structs.replace(_task("puzzle", daily.name(day)), stars=stars)


def _task(name: str, variant: str) -> messages.Task:
    game = games.load(name)
    found = copies.task(game, game.start(variant), variant, {})
    assert found, "it is for one"
    return found


@router.get("/api/my/puzzles", **gives(list[responses.Sitting], what="Your tables, latest first."))
async def my_puzzles(puzzles: services.Puzzles, reader: Reader) -> Response:
    return answer(await puzzles.sittings(reader) if reader else [])


# Pictures


@router.get("/api/puzzles/{game}/{variant}.svg", response_class=Response, responses=SVG)
async def puzzle_picture(
    game: Annotated[str, Path(max_length=40)],
    variant: Annotated[str, Path(max_length=40)],
    queues: services.Queues,
    payer: Annotated[str, charged("picture")],
    theme: Theme = "light",
) -> Response:
    """A puzzle before it is begun: its board and its tiles; of a task, a beginning."""
    if game not in games.solo():
        raise Refused("missing", "There is no such puzzle.")
    key = (game, variant, theme)
    if (picture := PICTURES.get(key)) is None:
        picture = await queues.facts.run(tasks.puzzle_picture, *key, payer=payer)
        PICTURES[key] = picture
    return Response(picture, media_type="image/svg+xml", headers=CACHED)


@router.get("/api/puzzles/{game}/{variant}", **gives(messages.Task, what="A puzzle by its name."))
async def show_puzzle(
    game: Annotated[str, Path(max_length=40)],
    variant: Annotated[str, Path(max_length=40)],
    days: services.Days,
    queues: services.Queues,
    payer: Annotated[str, charged("day")],
) -> Response:
    if game not in games.solo():
        raise Refused("missing", "There is no such puzzle.")
    solo = games.load(game).solo
    if solo and (day := solo.title(variant, {}).day):
        return await show_day(date.fromisoformat(day), days, queues, payer)
    try:
        return answer(_task(game, variant))
    except BadNotation:
        raise Refused("missing", "There is no such puzzle.") from None


@router.get("/api/rooms/{room}/board.svg", response_class=Response, responses=SVG)
async def board_picture(
    room: Room,
    queues: services.Queues,
    rooms: services.Rooms,
    payer: Annotated[str, charged("picture")],
    theme: Theme = "light",
) -> Response:
    """The board of a table as it is now."""
    live = await rooms.find(room, payer)
    text = await queues.facts.run(views.board, live.room, theme, payer=payer)
    kept = "private, max-age=604800" if live.room.over else "no-cache"
    return Response(text, media_type="image/svg+xml", headers={"cache-control": kept})


@router.get(
    "/api/rooms/{room}/sprites",
    **gives(
        responses.Sprites, what="The drawings that only this table has: of tiles drawn by hand."
    ),
)
async def room_sprites(room: Room, rooms: services.Rooms, payer: Payer) -> Response:
    live = await rooms.find(room, payer)
    return answer(
        responses.Sprites(drawings(live.room.game.drawing.sprites_of(live.room.state)), {})
    )


# Hints and solutions


async def advised(
    house: services.House,
    queues: services.Queues,
    settings: services.Settings,
    live: LiveRoom,
    player: str,
    request: Request,
    payer: str,
) -> responses.Hint:
    """What a search for the next tile found out; one that leads on is counted."""
    check_rows(live.room)
    setup, position, seconds = live.room.setup, live.room.position, settings.hint
    found = await queues.solvers.find(
        setup.id, payer, request.is_disconnected,
        tasks.next_tile, setup.game, live.room.state, seconds,
    )  # fmt: skip
    move = str(found.args.get("move", ""))
    if move and live.room.position == position:
        await house.hinted(live, player)
    return responses.Hint(move, event=copies.event(found))


@router.post("/api/rooms/{room}/reveal", **gives(messages.Room, what="Solved, but not by you."))
async def reveal(
    room: Room,
    request: Request,
    house: services.House,
    queues: services.Queues,
    rooms: services.Rooms,
    player: Player,
    payer: Annotated[str, charged("reveal")],
) -> Response:
    """Give up and see a solution: one that keeps what lies, if there is one."""
    live = await rooms.find(room, payer, player)
    setup, position = live.room.setup, live.room.position
    if not live.room.seats_of(player):
        raise Refused("seat", "Only players at this table can do that.")
    if not live.room.game.solo:
        raise Refused("invalid", "Only puzzles have solutions.")
    if live.room.over:
        raise Refused("over", "The game is over.")
    way = await queues.solvers.find(
        setup.id, payer, request.is_disconnected,
        tasks.solution, setup.game, live.room.state, SOLVING,
    )  # fmt: skip
    if way is None:
        raise Refused("unsolved", f"No solution was found in {SOLVING:g} seconds.")
    if not way.moves:
        raise Refused("impossible", "There is no solution: that is proved.")
    await house.reveal(live, player, position, way)
    return answer(await rooms.shown(live, player))
