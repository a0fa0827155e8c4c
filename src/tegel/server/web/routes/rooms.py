"""Rooms over HTTP: make one, look at it, and all that the socket can do too."""

from typing import Annotated, Literal

from fastapi import APIRouter, Path, Query
from pydantic import BaseModel, Field
from starlette.responses import Response

from tegel.place.lobby import Lobby, NewRoom, Seat, played
from tegel.place.wire import messages, responses
from tegel.room import actions
from tegel.server.web import services
from tegel.server.web.routes import Payer, Player, Reader, answer, charged, gives, sent_games

router = APIRouter(tags=["rooms"])
Room = Annotated[str, Path(max_length=32, description="The name of a room.")]
SeatNumber = Annotated[int, Field(ge=0, le=31, description="Counted from 0.")]
Level = Annotated[int, Field(ge=1, le=9)]


class SeatWish(BaseModel):
    """A seat: for you (`person`), for whoever comes (`open`), or for a bot: one of ours
    with a level, or somebody's program by its id."""

    kind: Literal["person", "open", "bot"]
    level: Level = 4
    program: Annotated[str, Field(max_length=64)] = ""


class RoomWish(BaseModel):
    game: str = Field(max_length=40, examples=["blokus"])
    variant: str = Field("", max_length=40, examples=["duo"])
    options: dict[str, str] = Field(default_factory=dict, max_length=20)
    seats: list[SeatWish] | None = Field(
        None, max_length=32, description="Missing: the first for you, the others open."
    )
    shuffled: bool = Field(False, description="Seats are dealt at random.")
    listed: bool = Field(False, description="Strangers may find it.")
    hints: bool = Field(
        False, description="All who sit down agree that hints may be asked for; all see it."
    )
    rated: bool = Field(
        False,
        description="It counts for ratings: between people, with a clock, no hints, no takebacks.",
    )
    clock: str = Field("none", max_length=40, examples=["bank 300 5", "days 3", "none"])
    name: str = Field("", max_length=200, description="What to call you.")


class MoveWish(BaseModel):
    ply: int = Field(ge=0, le=1_000_000)
    move: str = Field(max_length=1000)


class SitWish(BaseModel):
    seat: SeatNumber
    name: str = Field("", max_length=200)


class SeatChoice(BaseModel):
    seat: SeatNumber | None = None


class ClaimWish(BaseModel):
    seat: SeatNumber


class BotWish(BaseModel):
    seat: SeatNumber
    level: Level = 4


class TakebackWish(BaseModel):
    do: Literal["ask", "agree", "refuse"]
    all: bool = Field(False, description="Of `ask`: take back all your moves.")


class TokenWish(BaseModel):
    token: str = Field(max_length=400)
    name: str = Field("", max_length=200)


@router.post("/api/rooms", **gives(messages.Room, 201, "The new room."))
async def create_room(
    wish: RoomWish, player: Player, rooms: services.Rooms, payer: Annotated[str, charged("room")]
) -> Response:
    seats = [Seat(seat.kind, seat.level, seat.program) for seat in wish.seats or ()]
    new = NewRoom(
        wish.game, wish.variant, wish.options, seats, wish.shuffled, wish.listed, wish.hints,
        wish.rated, wish.clock, wish.name,
    )  # fmt: skip
    live = await rooms.create(new, player, payer)
    return answer(await rooms.shown(live, player), 201)


@router.get(
    "/api/rooms", **gives(list[responses.Listed], what="Listed rooms, those with free seats first.")
)
async def list_rooms(rooms: services.Rooms, reader: Reader, game: str = "") -> Response:
    return answer(await rooms.listed(game, reader))


@router.get(
    "/api/my/rooms",
    **gives(list[responses.Listed], what="Your games, those waiting for you first; no puzzles."),
)
async def my_rooms(rooms: services.Rooms, reader: Reader, over: bool = False) -> Response:
    return answer(await rooms.mine(reader, over=over) if reader else [])


@router.get("/api/rooms/{room}", **gives(messages.Room))
async def show_room(room: Room, rooms: services.Rooms, reader: Reader, payer: Payer) -> Response:
    live = await rooms.find(room, payer, reader)
    newcomer = await rooms.newcomer(live, reader, payer)
    return answer(await rooms.shown(live, reader, newcomer))


@router.get("/api/rooms/{room}/offer", **gives(messages.Offer, what="What you may play now."))
async def show_offer(room: Room, rooms: services.Rooms, reader: Reader, payer: Payer) -> Response:
    return answer(await rooms.offer(await rooms.find(room, payer, reader), reader))


async def _act(
    rooms: Lobby, room: str, player: str, action: actions.Action, payer: str
) -> Response:
    live = await rooms.find(room, payer, player)
    await rooms.act(live, player, action, payer)
    return answer(await rooms.shown(live, player))


@router.post("/api/rooms/{room}/sit", **gives(messages.Room))
async def sit(
    room: Room, wish: SitWish, rooms: services.Rooms, player: Player, payer: Payer
) -> Response:
    return await _act(rooms, room, player, actions.Sit(wish.seat, wish.name), payer)


@router.post("/api/rooms/{room}/move", **gives(messages.Room))
async def move(
    room: Room, wish: MoveWish, rooms: services.Rooms, player: Player, payer: Payer
) -> Response:
    return await _act(rooms, room, player, actions.Move(wish.ply, wish.move), payer)


@router.post("/api/rooms/{room}/resign", **gives(messages.Room))
async def resign(
    room: Room, wish: SeatChoice, rooms: services.Rooms, player: Player, payer: Payer
) -> Response:
    return await _act(rooms, room, player, actions.Resign(wish.seat), payer)


@router.post("/api/rooms/{room}/takeback", **gives(messages.Room))
async def takeback(
    room: Room, wish: TakebackWish, rooms: services.Rooms, player: Player, payer: Payer
) -> Response:
    wishes: dict[str, actions.Action] = {
        "ask": actions.Ask(wish.all), "agree": actions.Agree(), "refuse": actions.Refuse(),
    }  # fmt: skip
    return await _act(rooms, room, player, wishes[wish.do], payer)


@router.post("/api/rooms/{room}/claim", **gives(messages.Room))
async def claim(
    room: Room, wish: ClaimWish, rooms: services.Rooms, player: Player, payer: Payer
) -> Response:
    """Claim the win over the player of a seat, who is absent."""
    return await _act(rooms, room, player, actions.Claim(wish.seat), payer)


@router.post("/api/rooms/{room}/replace", **gives(messages.Room))
async def replace(
    room: Room, wish: BotWish, rooms: services.Rooms, player: Player, payer: Payer
) -> Response:
    """Let a bot play an open seat, or that of a player who is absent."""
    return await _act(rooms, room, player, actions.Replace(wish.seat, wish.level), payer)


@router.post(
    "/api/rooms/{room}/rematch", **gives(messages.Room, what="The old room; see `rematch`.")
)
async def rematch(room: Room, rooms: services.Rooms, player: Player, payer: Payer) -> Response:
    return await _act(rooms, room, player, actions.Rematch(), payer)


@router.post(
    "/api/rooms/{room}/seats/{seat}/link",
    **gives(responses.Link, what="For your other device only."),
)
async def link(
    room: Room,
    seat: Annotated[int, Path(ge=0, le=31)],
    rooms: services.Rooms,
    player: Player,
    payer: Payer,
) -> Response:
    live = await rooms.find(room, payer, player)
    return answer(responses.Link(seat, rooms.link(live, seat, player)))


@router.post("/api/rooms/{room}/take", **gives(messages.Room, what="The seat is yours now."))
async def take(
    room: Room, wish: TokenWish, rooms: services.Rooms, player: Player, payer: Payer
) -> Response:
    live = await rooms.take(room, wish.token, player, wish.name, payer)
    return answer(await rooms.shown(live, player))


# The game so far


@router.get(
    "/api/rooms/{room}/record",
    response_class=Response,
    responses={200: {"content": {"text/plain": {}}, "description": "The game as text."}},
)
async def room_record(
    room: Room,
    rooms: services.Rooms,
    queues: services.Queues,
    payer: Annotated[str, charged("position")],
    format: Annotated[str, Query(max_length=20)] = "",
) -> Response:
    live = await rooms.find(room, payer)
    found = await rooms.record(live, payer)
    return await sent_games.file(found, room, queues, payer, live.room.game.formats, format)


@router.get("/api/rooms/{room}/positions/{ply}", **gives(responses.Position))
async def room_position(
    room: Room,
    ply: Annotated[int, Path(ge=0, le=100_000)],
    rooms: services.Rooms,
    queues: services.Queues,
    payer: Annotated[str, charged("position")],
) -> Response:
    live = await rooms.find(room, payer)
    return await sent_games.position(played(live.room), ply, queues, payer)
