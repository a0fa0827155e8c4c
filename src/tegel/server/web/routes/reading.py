"""What people read: rule pages, pictures of positions, the account of a score, hints."""

import json
import re
from dataclasses import replace
from functools import cache
from importlib import resources
from typing import Annotated

from fastapi import APIRouter, Path, Query, Request
from pydantic import BaseModel, Field
from starlette.responses import Response

from tegel import games
from tegel import record as records
from tegel.cells import bits
from tegel.game import AnyGame, Move, State
from tegel.lattice import Cell
from tegel.place.lobby import played
from tegel.place.wire import messages, responses, views
from tegel.record import Record
from tegel.room.refused import Refused
from tegel.server.web import services
from tegel.server.web.routes import Player, Reader, answer, charged, gives
from tegel.server.web.routes.catalogue import (
    CACHED,
    SVG,
    Language,
    Look,
    Theme,
    drawn,
    known,
    spoken,
    starts,
)
from tegel.server.web.routes.puzzles import advised
from tegel.server.web.routes.rooms import Level, Room
from tegel.words import package

router = APIRouter(tags=["study"])
Ply = Annotated[int, Path(ge=0, le=100_000)]


@router.get(
    "/api/games/{game}/rules.html",
    response_class=Response,
    responses={200: {"content": {"text/html": {}}, "description": "The rules, a part of a page."}},
)
async def rules_page(game: str, language: Language = "en", theme: Theme = "light") -> Response:
    page = _html(known(game), spoken(game, language), theme)
    return Response(page, media_type="text/html", headers=CACHED)


@cache
def _html(game: str, language: str, theme: str) -> str:
    """A rule page, which is ours, as HTML; its pictures are ours too."""
    text = games.page(game, language)
    from markdown_it import MarkdownIt  # which takes long to import

    html: str = MarkdownIt("commonmark", {"html": False}).enable("table").render(text)
    where = f"/api/games/{game}/pictures"
    asked = f"language={language}&amp;theme={theme}"
    html = re.sub(r"<p>((?:<img [^>]*>\s*)+)</p>", r'<div class="figures">\1</div>', html)
    html = re.sub(r'<img src="pictures/([\w-]+)\.svg" alt="([^"]*)" />', _figure, html)
    return re.sub(r'src="pictures/([\w-]+\.svg)"', rf'src="{where}/\1?{asked}"', html)


def _figure(found: re.Match[str]) -> str:
    """A picture with its words below it; by its name one knows what may be, and what not."""
    name, words = found.groups()
    verdict = name.partition("-")[0]
    kind = f' class="{verdict}"' if verdict in ("yes", "no") else ""
    picture = f'<img src="pictures/{name}.svg" alt="" />'
    return f"<figure{kind}>{picture}<figcaption>{words}</figcaption></figure>"


@router.get("/api/games/{game}/front.svg", response_class=Response, responses=SVG)
async def front(
    game: str,
    queues: services.Queues,
    theme: Theme = "light",
    start: Annotated[str, Query(max_length=40, description="A key of its card.")] = "",
) -> Response:
    """A position that shows what the game looks like, by default as its card starts it first."""
    keys = [one.key for one in starts(games.load(known(game)))]
    if start and start not in keys:
        raise Refused("missing", f"The card of this game has {', '.join(keys) or 'no starts'}.")
    svg = await queues.aside(_front, game, start or next(iter(keys), ""), theme)
    return Response(svg, media_type="image/svg+xml", headers=CACHED)


@cache
def _front(game: str, start: str, theme: str) -> str:
    shown = games.load(game)
    folder = resources.files(package(game)) / "pictures"
    files = [folder / f"front-{start}.txt", folder / "front.txt"]
    text = next((file.read_text("utf-8") for file in files if file.is_file()), "")
    state = games.position(text) if text else shown.start()
    return shown.picture(state).only("board").svg(theme=theme, small=True)


@router.get(
    "/api/games/{game}/guide",
    **gives(list[responses.Lesson], what="A first game, step by step, on a real board."),
)
async def guide(game: str, language: Language = "en") -> Response:
    return answer(_lessons(known(game), spoken(game, language)), headers=CACHED)


@cache
def _lessons(name: str, language: str) -> list[responses.Lesson]:
    """The steps of `guide.txt`: the notes of its moves, and the header `end`, are keys of
    `guide.<language>.json`; the seat of the header `learner` is the reader's."""
    folder = resources.files(package(name))
    if not (folder / "guide.txt").is_file():
        raise Refused("missing", "There are no first steps yet.")
    record = records.parse((folder / "guide.txt").read_text("utf-8"))
    said: dict[str, str] = json.loads((folder / f"guide.{language}.json").read_text("utf-8"))
    game, learner = games.load(name), int(record.headers["learner"])
    found = []
    for ply in games.replay(record):
        if key := record.notes.get(ply.number - 1):
            at = ply.number - 1
            yours = ply.before.turn == learner
            offer = views.offered(game, ply.before, at) if yours else None
            position = views.position(record, at)
            shown = _pointed(game, ply.before, record.moves[at])
            found.append(responses.Lesson(said[key], record.moves[at], position, offer, *shown))
    last = views.position(record, len(record.moves))
    return [*found, responses.Lesson(said[record.headers["end"]], "", last)]


def _pointed(game: AnyGame, state: State[Move], move: str) -> tuple[str, str, tuple[Cell, ...]]:
    """What a move takes up, the plane where it goes, and the cells there."""
    offer = game.offer(state)
    for choice in offer.choices:
        if choice.move == move:
            return choice.tile, "board", choice.cells
    for slot in offer.slots:
        left, low, width, _ = slot.box
        for number in bits(slot.cells):
            cell = left + number % width, low + number // width
            if game.placed(slot.tile, slot.turn, cell) == move:
                sprite = game.drawing.sprites.get(f"{slot.tile}.{slot.turn}")
                cells = sprite.cells if sprite else ((0, 0),)
                return slot.tile, slot.plane, tuple((cell[0] + x, cell[1] + y) for x, y in cells)
    return "", "", ()


@router.get("/api/rooms/{room}/positions/{ply}.svg", response_class=Response, responses=SVG)
async def room_picture(
    room: Room,
    ply: Ply,
    rooms: services.Rooms,
    queues: services.Queues,
    payer: Annotated[str, charged("picture")],
    look: Look,
) -> Response:
    live = await rooms.find(room, payer)
    record = played(live.room)
    how = look.of(record.game)
    return drawn(await queues.facts.run(views.svg, record, ply, *how, payer=payer))


@router.get("/api/records/{id}/positions/{ply}.svg", response_class=Response, responses=SVG)
async def record_picture(
    id: Annotated[str, Path(max_length=32)],
    ply: Ply,
    kept: services.Records,
    queues: services.Queues,
    payer: Annotated[str, charged("picture")],
    look: Look,
) -> Response:
    record: Record = await kept.find(id)
    how = look.of(record.game)
    return drawn(await queues.facts.run(views.svg, record, ply, *how, payer=payer))


class Continuation(BaseModel):
    """Which game to go on with: `rooms/NAME` or `records/NAME`, after how many moves."""

    source: str = Field(pattern="^(rooms|records)/[a-z0-9]{1,32}$")
    ply: int = Field(ge=0, le=100_000)
    level: Level | None = Field(None, description="Of the bots; missing: as in that game, else 4.")
    name: str = Field("", max_length=200)


@router.post("/api/rooms/continued", **gives(messages.Room, 201, "A new room."))
async def continued(
    wish: Continuation,
    rooms: services.Rooms,
    kept: services.Records,
    player: Player,
    payer: Annotated[str, charged("room")],
) -> Response:
    """Play on from a position, you for the seat to move, our bots for the others."""
    kind, _, id = wish.source.partition("/")
    if kind == "rooms":
        live = await rooms.find(id, payer, player)
        record, levels = played(live.room), [chair.level for chair in live.room.chairs]
    else:
        record = await kept.find(id)
        levels = _levels(record)
    record = replace(record, moves=record.moves[: wish.ply])
    new = await rooms.play_on(record, levels, wish.level, player, wish.name, payer)
    return answer(await rooms.shown(new, player), 201)


def _levels(record: Record) -> list[int]:
    """By seat, the level of the bot that played there, as a record of ours tells; else 0."""
    called = [name for key, name in record.headers.items() if key.startswith("seat-")]
    return [int(name[4:]) if re.fullmatch("bot [1-9]", name) else 0 for name in called]


@router.get(
    "/api/rooms/{room}/account", **gives(list[responses.Item], what="Where points came from.")
)
async def account(
    room: Room,
    rooms: services.Rooms,
    queues: services.Queues,
    payer: Annotated[str, charged("account")],
) -> Response:
    live = await rooms.find(room, payer)
    return answer(await queues.facts.run(views.account, live.room, payer=payer))


HINT = gives(responses.Hint, what="The best moves, and what they are worth.")


@router.post("/api/rooms/{room}/hint", **HINT)
async def hint(
    room: Room,
    request: Request,
    rooms: services.Rooms,
    house: services.House,
    queues: services.Queues,
    settings: services.Settings,
    reader: Reader,
    payer: Annotated[str, charged("hint")],
) -> Response:
    """What to play, for whoever's turn it is."""
    live = await rooms.find(room, payer, reader)
    if not reader or live.room.waits_for != reader:
        raise Refused("turn", "It is not your turn.")
    if live.room.game.solo:
        return answer(await advised(house, queues, settings, live, reader, request, payer))
    return answer(await rooms.hint(live, reader, payer))


@router.post("/api/rooms/{room}/positions/{ply}/hint", **HINT)
async def room_hint(
    room: Room,
    ply: Ply,
    rooms: services.Rooms,
    reader: Reader,
    payer: Annotated[str, charged("hint")],
) -> Response:
    """What could have been played in a game that is over."""
    live = await rooms.find(room, payer, reader)
    if not live.room.over:
        raise Refused("on", "The game is not over yet.")
    return answer(await rooms.hint_at(played(live.room), ply, reader, payer))


@router.post("/api/records/{id}/positions/{ply}/hint", **HINT)
async def record_hint(
    id: Annotated[str, Path(max_length=32)],
    ply: Ply,
    rooms: services.Rooms,
    kept: services.Records,
    reader: Reader,
    payer: Annotated[str, charged("hint")],
) -> Response:
    """What could have been played."""
    return answer(await rooms.hint_at(await kept.find(id), ply, reader, payer))
