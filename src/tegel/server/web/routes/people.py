"""Who you are; and programs: a token made once, streams of events as lines of JSON."""

from collections.abc import AsyncIterator
from typing import Annotated, Any, Literal

import msgspec
import sqlalchemy as sa
from fastapi import APIRouter, Path
from pydantic import BaseModel, Field
from starlette.responses import Response, StreamingResponse

from tegel.place.accounts.identity import new_bot, new_token, token_hash
from tegel.place.programs import Stream, event, happenings
from tegel.place.push.device import Device
from tegel.place.wire import personal, responses
from tegel.room.judge import is_bot
from tegel.room.refused import Refused
from tegel.room.setup import KEPT, guest_name
from tegel.server.storage import tables
from tegel.server.web import documentation
from tegel.server.web.page import VERSION
from tegel.server.web.routes import Here, Payer, Player, Program, answer, gives
from tegel.server.worker import Worker

router = APIRouter()
NDJSON = "application/x-ndjson"
STREAM: dict[int | str, dict[str, Any]] = {
    200: {"content": {NDJSON: {}}, "description": "A line of JSON for each event."}
}


class NameWish(BaseModel):
    name: str = Field(max_length=200)


@router.get("/api/me", tags=["you"], **gives(personal.Me, what="You; a new browser gets a cookie."))
async def me(here: Here, player: Player) -> Response:
    return answer(_you(here, player, await here.name(player)))


def _you(here: Worker, player: str, name: str) -> personal.Me:
    handle = name.removeprefix(KEPT) if name.startswith(KEPT) else ""
    push = here.push.public_key
    return personal.Me(player, name, is_bot(player), VERSION, push, handle, documentation.BUILT)


@router.put("/api/me", tags=["you"], **gives(personal.Me))
async def rename(wish: NameWish, here: Here, player: Player) -> Response:
    if is_bot(player):
        raise Refused("invalid", "A program keeps its name.")
    if (await here.name(player)).startswith(KEPT):
        raise Refused("named", "You keep a name already; it can be changed.")
    called = guest_name(wish.name)
    change = here.store.upsert(tables.players, id=player, name=called, at=here.heartbeat.now())
    await here.store.change(change)
    here.names[player] = called
    return answer(_you(here, player, called))


class DeviceWish(BaseModel):
    endpoint: str = Field(max_length=1000)
    key: str = Field(min_length=80, max_length=100, description="`p256dh`, base64url")
    auth: str = Field(min_length=20, max_length=32)
    language: Literal["en", "nl", "fr", "de", "it"] = "en"


class EndpointWish(BaseModel):
    endpoint: str = Field(max_length=1000)


@router.put("/api/me/devices", tags=["you"], **gives(personal.Me))
async def agree(wish: DeviceWish, here: Here, player: Player, payer: Payer) -> Response:
    """Have this browser told by web push when it is your turn in a game of days."""
    here.budget.charge(payer, player, "device")
    device = Device(wish.endpoint, wish.key, wish.auth, wish.language)
    await here.push.agree(player, device)
    return answer(_you(here, player, await here.name(player)))


@router.delete("/api/me/devices", tags=["you"], **gives(personal.Me))
async def refuse(wish: EndpointWish, here: Here, player: Player) -> Response:
    """Tell this browser no more."""
    await here.push.refuse(player, wish.endpoint)
    return answer(_you(here, player, await here.name(player)))


@router.get("/api/searches", tags=["you"], **gives(responses.Searches))
async def list_searches(here: Here) -> Response:
    """How many look for somebody to play with; the socket `/api/search` is where one looks."""
    games = await here.pairing.looking()
    return answer(responses.Searches(games.total(), dict(games)))


@router.post("/api/bots", tags=["programs"], **gives(responses.Token, 201, "Keep the token safe."))
async def create_bot(wish: NameWish, here: Here, payer: Payer) -> Response:
    """Make an identity for a program; it is shown as a bot. The token is told once."""
    if not here.new_tokens.take(payer):
        raise Refused("rate", "Too many tokens were made from here: please wait.")
    called = guest_name(wish.name)
    if not called:
        raise Refused("invalid", "A program needs a name.")
    id, token = new_bot(), new_token()
    change = sa.insert(tables.players).values(
        id=id, name=called, token=token_hash(token), at=here.heartbeat.now()
    )
    await here.store.change(change)
    return answer(responses.Token(id, called, token), 201)


@router.get("/api/bot/events", tags=["programs"], response_class=Response, responses=STREAM)
async def bot_events(here: Here, program: Program, payer: Payer) -> Response:
    """What happens to you: `start`, `turn`, `end`. Games that are on come first."""
    stream = Stream(program)
    return StreamingResponse(_events(here, stream, payer), media_type=NDJSON)


async def _events(here: Worker, stream: Stream, payer: str) -> AsyncIterator[bytes]:
    await here.programs.listen(stream)
    try:
        c = tables.rooms.c
        mine = sa.select(tables.seats.c.room).where(tables.seats.c.player == stream.player)
        on = sa.select(c.id).where(c.id.in_(mine), c.over.is_(False))
        for row in await here.store.rows(on):
            try:
                room = (await here.house.find(row.id, payer)).room
            except Refused:
                continue  # it is damaged, and reported
            for kind in happenings(None, room, stream.player):
                stream.send(msgspec.json.encode(event(kind, room, stream.player)))
        async for line in stream.lines(here.closing):
            yield line
    finally:
        await here.programs.leave(stream)


@router.get(
    "/api/bot/rooms/{room}/events", tags=["programs"], response_class=Response, responses=STREAM
)
async def bot_room(
    room: Annotated[str, Path(max_length=32)], here: Here, program: Program, payer: Payer
) -> Response:
    """What the socket tells about a room: `room`, `moved`, `happened`, `offer` and so on."""
    live = await here.find(room, payer, program)
    stream = Stream(program)

    async def lines() -> AsyncIterator[bytes]:
        await here.house.join(live, stream, -1)
        try:
            async for line in stream.lines(here.closing):
                yield line
        finally:
            here.house.leave(live, stream)

    return StreamingResponse(lines(), media_type=NDJSON)
