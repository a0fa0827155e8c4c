"""Safety: whom one does not want to meet again, and what the host should know of a game."""

from typing import Annotated, Literal

from fastapi import APIRouter, Path
from pydantic import BaseModel, Field
from starlette.responses import Response

from tegel.place.safety.reports import report
from tegel.place.wire import personal
from tegel.room.refused import Refused
from tegel.server.web import services
from tegel.server.web.routes import Payer, Player, Reader, answer, gives
from tegel.server.web.routes.rooms import Room, SeatNumber

router = APIRouter(tags=["safety"])


class Unblock(BaseModel):
    key: str = Field(max_length=64, description="Of one of your blocks.")


class ReportWish(BaseModel):
    seat: SeatNumber
    reason: Literal["name", "phrases", "stalling", "cheating", "other"]


async def _blocked(blocks: services.Blocks, player: str) -> Response:
    found = await blocks.of(player)
    return answer([personal.Blocked(block.key, block.name, block.at) for block in found])


@router.get("/api/me/blocks", **gives(list[personal.Blocked], what="Whom you blocked."))
async def blocks(blocks: services.Blocks, reader: Reader) -> Response:
    return await _blocked(blocks, reader)


@router.post("/api/me/blocks/remove", **gives(list[personal.Blocked]))
async def unblock(wish: Unblock, blocks: services.Blocks, player: Player) -> Response:
    await blocks.remove(player, wish.key)
    return await _blocked(blocks, player)


@router.post(
    "/api/rooms/{room}/seats/{seat}/block",
    **gives(list[personal.Blocked], what="Whom you blocked."),
)
async def block(
    room: Room,
    seat: Annotated[int, Path(ge=0, le=31)],
    rooms: services.Rooms,
    blocks: services.Blocks,
    player: Player,
    payer: Payer,
) -> Response:
    """Meet the player of a seat at your table no more: no tables, no pairing, no phrases. They are
    not told."""
    live = await rooms.find(room, payer, player)
    if not live.room.seats_of(player):
        raise Refused("seat", "Only players at this table can do that.")
    other = live.room.chairs[seat].player if seat < len(live.room.chairs) else ""
    if not other:
        raise Refused("blocking", "Nobody sits there who could be blocked.")
    await blocks.add(player, other, room, rooms.heartbeat.now())
    return await _blocked(blocks, player)


@router.post("/api/rooms/{room}/report", **gives(personal.Done))
async def report_game(
    room: Room,
    wish: ReportWish,
    rates: services.Rates,
    rooms: services.Rooms,
    safety: services.Safety,
    player: Player,
    payer: Payer,
) -> Response:
    """Tell the host what another player at your table did."""
    if not rates.reports.take(payer):
        raise Refused("rate", "Too many reports came from here: please wait.")
    live = await rooms.find(room, payer, player)
    now = rooms.heartbeat.now()
    await report(safety, live.room, player, wish.seat, wish.reason, now)
    return answer(personal.Done())
