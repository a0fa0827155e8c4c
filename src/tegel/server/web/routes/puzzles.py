"""Puzzles for one: which there are, how far you are, pictures of them, hints and solutions."""

from datetime import UTC, date, datetime, timedelta
from typing import Annotated, Any, Literal

import sqlalchemy as sa
from fastapi import APIRouter, Path, Query, Request
from starlette.responses import Response

from tegel.puzzle import TASKS, Puzzle, daily
from tegel.puzzle.discovery.hand import VARIANTS as DISCOVERY
from tegel.room.judge import check_rows
from tegel.room.refused import Refused
from tegel.server.compute import tasks
from tegel.server.rooms.live_room import LiveRoom
from tegel.server.storage import tables
from tegel.server.storage.room_row import options
from tegel.server.web.routes import Here, Player, Reader, answer, charged, gives, legible
from tegel.server.web.routes.catalogue import CACHED, drawn
from tegel.server.web.routes.rooms import Room, shown
from tegel.server.wire import messages, responses, views
from tegel.server.worker import Worker
from tegel.words import ASIDE

router = APIRouter(tags=["puzzles"])
DAYS = 13  # before today, that are listed
OURS = ""  # who pays for the days that are listed
MOST_PICTURES = 200
PICTURES: dict[tuple[str, str, str], str] = {}  # of puzzles: game, variant, theme
SOLVING = 24.0  # seconds that a whole solution may take
Theme = Annotated[Literal["light", "dark"], Query()]
SVG: dict[int | str, dict[str, Any]] = {
    200: {"content": {"image/svg+xml": {}}, "description": "A picture."}
}


@router.get("/api/puzzles", **gives(responses.Puzzles, what="Every puzzle, today's first."))
async def list_puzzles(here: Here) -> Response:
    today, seconds = datetime.now(UTC).date(), responses.Seconds(here.settings.hint, SOLVING)
    days = [await _day(here, today - timedelta(days), OURS) for days in range(DAYS + 1)]
    discovery = [
        responses.Task("discovery", key, rules.count, rules.count, "tiles", rules.colour)
        for key, rules in DISCOVERY.items()
    ]
    named = [_task(task) for task in TASKS.values()]
    return answer(responses.Puzzles(days[0], days[1:], named, discovery, seconds))


@router.get("/api/puzzles/days/{day}", **gives(responses.Task, what="The puzzle of a day."))
async def show_day(day: date, here: Here, payer: Annotated[str, charged("day")]) -> Response:
    if day > datetime.now(UTC).date():
        raise Refused("missing", "That day has not come yet.")
    return answer(await _day(here, day, payer))


async def _day(here: Worker, day: date, payer: str) -> responses.Task:
    stars = await here.pools.day(day, payer)
    return _task(daily.daily(day), day.isoformat(), stars)


def _task(puzzle: Puzzle, day: str = "", stars: int = 0) -> responses.Task:
    tiles = sum(tile.count for tile in puzzle.tiles)
    whole = len(puzzle.board) if puzzle.law.fill else puzzle.area
    return responses.Task("puzzle", puzzle.name, tiles, whole, puzzle.rule, "", day, stars)


@router.get("/api/my/puzzles", **gives(list[responses.Sitting], what="Your tables, latest first."))
async def my_puzzles(here: Here, reader: Reader) -> Response:
    c = tables.rooms.c
    mine = sa.select(tables.seats.c.room).where(tables.seats.c.player == reader)
    query = sa.select(tables.rooms).where(c.id.in_(mine), c.game.in_(list(ASIDE)))
    found = await here.store.rows(query.order_by(c.touched.desc()).limit(500))
    return answer(legible(here, found if reader else (), _sitting))


def _sitting(row: sa.Row[tuple[object]]) -> responses.Sitting:
    return responses.Sitting(
        row.id, row.game, row.variant, options(row.options), row.over, row.closed, row.score,
        row.spent, row.hints, row.touched,
    )  # fmt: skip


# Pictures


@router.get("/api/puzzles/{game}/{variant}.svg", response_class=Response, responses=SVG)
async def puzzle_picture(
    game: Annotated[str, Path(max_length=40)],
    variant: Annotated[str, Path(max_length=40)],
    here: Here,
    payer: Annotated[str, charged("picture")],
    theme: Theme = "light",
) -> Response:
    """A puzzle before it is begun: its board and its tiles; of a task, a beginning."""
    if game not in ASIDE:
        raise Refused("missing", "There is no such puzzle.")
    key = (game, variant, theme)
    if key not in PICTURES:
        found = await here.pools.facts.run(tasks.puzzle_picture, *key, payer=payer)
        while len(PICTURES) >= MOST_PICTURES:
            PICTURES.pop(next(iter(PICTURES)))
        PICTURES[key] = found
    return Response(PICTURES[key], media_type="image/svg+xml", headers=CACHED)


@router.get("/api/rooms/{room}/board.svg", response_class=Response, responses=SVG)
async def board_picture(
    room: Room, here: Here, payer: Annotated[str, charged("picture")], theme: Theme = "light"
) -> Response:
    """The board of a table as it is now."""
    live = await here.house.find(room)
    text = await here.pools.facts.run(views.board, live.room, theme, payer=payer)
    return Response(text, media_type="image/svg+xml", headers={"cache-control": "no-cache"})


@router.get(
    "/api/rooms/{room}/sprites",
    **gives(
        responses.Sprites, what="The drawings that only this table has: of tiles drawn by hand."
    ),
)
async def room_sprites(room: Room, here: Here) -> Response:
    live = await here.house.find(room)
    return answer(responses.Sprites(drawn(live.room.game.drawn(live.room.state)), {}))


# Hints and solutions


async def advised(
    here: Worker, live: LiveRoom, player: str, request: Request, payer: str
) -> responses.Hint:
    """What a search for the next tile found out; one that leads on is counted."""
    check_rows(live.room)
    setup, position, seconds = live.room.setup, live.room.position, here.settings.hint
    found = await here.pools.solvers.find(
        setup.id, payer, request.is_disconnected,
        tasks.next_tile, setup.game, live.room.state, seconds,
    )  # fmt: skip
    move = str(found.args.get("move", ""))
    if move and live.room.position == position:
        await here.house.hinted(live, player)
    return responses.Hint(move, event=views.event(found))


@router.post("/api/rooms/{room}/reveal", **gives(messages.Room, what="Solved, but not by you."))
async def reveal(
    room: Room, request: Request, here: Here, player: Player,
    payer: Annotated[str, charged("reveal")],
) -> Response:  # fmt: skip
    """Give up and see a solution: one that keeps what lies, if there is one."""
    live = await here.house.find(room)
    setup, position = live.room.setup, live.room.position
    if not live.room.seats_of(player):
        raise Refused("seat", "Only players at this table can do that.")
    if not live.room.game.solution:
        raise Refused("invalid", "Only puzzles have solutions.")
    if live.room.over:
        raise Refused("over", "The game is over.")
    way = await here.pools.solvers.find(
        setup.id, payer, request.is_disconnected,
        tasks.solution, setup.game, live.room.state, SOLVING,
    )  # fmt: skip
    if way is None:
        raise Refused("unsolved", f"No solution was found in {SOLVING:g} seconds.")
    if not way.moves:
        raise Refused("impossible", "There is no solution: that is proved.")
    await here.house.reveal(live, player, position, way)
    return await shown(here, live, player)
