"""Safety: whom one does not want to meet again, and what the host should know of a game."""

from typing import Annotated, Literal

from fastapi import APIRouter, Path
from pydantic import BaseModel, Field
from starlette.responses import Response

from tegel.place.safety.reports import report
from tegel.place.wire import personal
from tegel.room.refused import Refused
from tegel.server.web.routes import Here, Payer, Player, Reader, answer, gives
from tegel.server.web.routes.rooms import Room, SeatNumber

router = APIRouter(tags=["safety"])


class Unblock(BaseModel):
    key: str = Field(max_length=64, description="Of one of your blocks.")


class ReportWish(BaseModel):
    seat: SeatNumber
    reason: Literal["name", "phrases", "stalling", "cheating", "other"]


@router.get("/api/me/blocks", **gives(list[personal.Blocked], what="Whom you blocked."))
async def blocks(here: Here, reader: Reader) -> Response:
    found = await here.blocks.of(reader)
    return answer([personal.Blocked(block.key, block.name, block.at) for block in found])


@router.post("/api/me/blocks/remove", **gives(list[personal.Blocked]))
async def unblock(wish: Unblock, here: Here, player: Player) -> Response:
    await here.blocks.remove(player, wish.key)
    return await blocks(here, player)


@router.post(
    "/api/rooms/{room}/seats/{seat}/block",
    **gives(list[personal.Blocked], what="Whom you blocked."),
)
async def block(
    room: Room, seat: Annotated[int, Path(ge=0, le=31)], here: Here, player: Player, payer: Payer
) -> Response:
    """Meet the player of a seat at your table no more: no tables, no pairing, no phrases. They are
    not told."""
    live = await here.find(room, payer, player)
    if not live.room.seats_of(player):
        raise Refused("seat", "Only players at this table can do that.")
    blocked = live.room.chairs[seat].player if seat < len(live.room.chairs) else ""
    if not blocked:
        raise Refused("blocking", "Nobody sits there who could be blocked.")
    await here.blocks.add(player, blocked, room, here.heartbeat.now())
    return await blocks(here, player)


@router.post("/api/rooms/{room}/report", **gives(personal.Done))
async def report_game(
    room: Room, wish: ReportWish, here: Here, player: Player, payer: Payer
) -> Response:
    """Tell the host what another player at your table did."""
    if not here.reports.take(payer):
        raise Refused("rate", "Too many reports came from here: please wait.")
    live = await here.find(room, payer, player)
    now = here.heartbeat.now()
    await report(here.safety, live.room, player, wish.seat, wish.reason, now)
    return answer(personal.Done())
