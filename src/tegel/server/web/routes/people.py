"""Who you are; and programs: a token made once, streams of events as lines of JSON."""

from collections.abc import AsyncIterator
from typing import Annotated, Any, Literal

import msgspec
from fastapi import APIRouter, Path
from pydantic import BaseModel, Field
from starlette.responses import Response, StreamingResponse

from tegel.place.programs import Stream, event, happenings
from tegel.place.push.device import Device
from tegel.place.wire import personal, responses
from tegel.room.judge import is_bot
from tegel.room.refused import Refused
from tegel.room.setup import KEPT, guest_name
from tegel.server.web import documentation, services
from tegel.server.web.page import VERSION
from tegel.server.web.routes import Payer, Player, Program, answer, gives

router = APIRouter()
NDJSON = "application/x-ndjson"
STREAM: dict[int | str, dict[str, Any]] = {
    200: {"content": {NDJSON: {}}, "description": "A line of JSON for each event."}
}


class NameWish(BaseModel):
    name: str = Field(max_length=200)


@router.get("/api/me", tags=["you"], **gives(personal.Me, what="You; a new browser gets a cookie."))
async def me(names: services.Names, push: services.Push, player: Player) -> Response:
    return answer(_you(push, player, await names.name(player)))


def _you(push: services.Push, player: str, name: str) -> personal.Me:
    handle = name.removeprefix(KEPT) if name.startswith(KEPT) else ""
    return personal.Me(
        player, name, is_bot(player), VERSION, push.public_key, handle, documentation.BUILT
    )


@router.put("/api/me", tags=["you"], **gives(personal.Me))
async def rename(
    wish: NameWish, names: services.Names, push: services.Push, player: Player
) -> Response:
    if is_bot(player):
        raise Refused("invalid", "A program keeps its name.")
    if (await names.name(player)).startswith(KEPT):
        raise Refused("named", "You keep a name already; it can be changed.")
    return answer(_you(push, player, await names.rename(player, wish.name)))


class DeviceWish(BaseModel):
    endpoint: str = Field(max_length=1000)
    key: str = Field(min_length=80, max_length=100, description="`p256dh`, base64url")
    auth: str = Field(min_length=20, max_length=32)
    language: Literal["en", "nl", "fr", "de", "it"] = "en"


class EndpointWish(BaseModel):
    endpoint: str = Field(max_length=1000)


@router.put("/api/me/devices", tags=["you"], **gives(personal.Me))
async def agree(
    wish: DeviceWish,
    budget: services.Budget,
    names: services.Names,
    push: services.Push,
    player: Player,
    payer: Payer,
) -> Response:
    """Have this browser told by web push when it is your turn in a game of days."""
    budget.charge(payer, player, "device")
    device = Device(wish.endpoint, wish.key, wish.auth, wish.language)
    await push.agree(player, device)
    return answer(_you(push, player, await names.name(player)))


@router.delete("/api/me/devices", tags=["you"], **gives(personal.Me))
async def refuse(
    wish: EndpointWish, names: services.Names, push: services.Push, player: Player
) -> Response:
    """Tell this browser no more."""
    await push.refuse(player, wish.endpoint)
    return answer(_you(push, player, await names.name(player)))


@router.get("/api/searches", tags=["you"], **gives(responses.Searches))
async def list_searches(pairing: services.Pairing) -> Response:
    """How many look for somebody to play with; the socket `/api/search` is where one looks."""
    games = await pairing.looking()
    return answer(responses.Searches(games.total(), dict(games)))


@router.post("/api/bots", tags=["programs"], **gives(responses.Token, 201, "Keep the token safe."))
async def create_bot(
    wish: NameWish, tokens: services.Tokens, rates: services.Rates, payer: Payer
) -> Response:
    """Make an identity for a program; it is shown as a bot. The token is told once."""
    if not rates.tokens.take(payer):
        raise Refused("rate", "Too many tokens were made from here: please wait.")
    called = guest_name(wish.name)
    if not called:
        raise Refused("invalid", "A program needs a name.")
    id, token = await tokens.create(called)
    return answer(responses.Token(id, called, token), 201)


@router.get("/api/bot/events", tags=["programs"], response_class=Response, responses=STREAM)
async def bot_events(
    programs: services.Programs,
    house: services.House,
    closing: services.Closing,
    program: Program,
    payer: Payer,
) -> Response:
    """What happens to you: `start`, `turn`, `end`. Games that are on come first."""
    events = _events(programs, house, closing, Stream(program), payer)
    return StreamingResponse(events, media_type=NDJSON)


async def _events(
    programs: services.Programs,
    house: services.House,
    closing: services.Closing,
    stream: Stream,
    payer: str,
) -> AsyncIterator[bytes]:
    await programs.listen(stream)
    try:
        for id in await house.store.running(stream.player):
            try:
                room = (await house.find(id, payer)).room
            except Refused:
                continue  # it is damaged, and reported
            for kind in happenings(None, room, stream.player):
                stream.send(msgspec.json.encode(event(kind, room, stream.player)))
        async for line in stream.lines(closing):
            yield line
    finally:
        await programs.leave(stream)


@router.get(
    "/api/bot/rooms/{room}/events", tags=["programs"], response_class=Response, responses=STREAM
)
async def bot_room(
    room: Annotated[str, Path(max_length=32)],
    closing: services.Closing,
    house: services.House,
    rooms: services.Rooms,
    program: Program,
    payer: Payer,
) -> Response:
    """What the socket tells about a room: `room`, `moved`, `happened`, `offer` and so on."""
    live = await rooms.find(room, payer, program)
    stream = Stream(program)

    async def lines() -> AsyncIterator[bytes]:
        await house.join(live, stream, -1)
        try:
            async for line in stream.lines(closing):
                yield line
        finally:
            house.leave(live, stream)

    return StreamingResponse(lines(), media_type=NDJSON)
