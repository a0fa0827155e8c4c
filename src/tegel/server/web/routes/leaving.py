"""Everything about you: take it along, or leave."""

from typing import Annotated

from fastapi import APIRouter
from pydantic import BaseModel
from starlette.responses import Response, StreamingResponse

from tegel.place.wire import personal
from tegel.room.judge import is_bot
from tegel.room.refused import Refused
from tegel.server.web import services
from tegel.server.web.cookies import Asking
from tegel.server.web.routes import Anyone, Payer, answer, charged, gives

router = APIRouter(tags=["you"])


class Sure(BaseModel):
    sure: bool


@router.get(
    "/api/me/export",
    response_class=Response,
    responses={
        200: {
            "content": {"application/json": {"schema": {"type": "object"}}},
            "description": "All that is stored about you, games with their logs.",
        }
    },
)
async def export_me(
    leaving: services.Leaving, anyone: Anyone, _: Annotated[str, charged("export")]
) -> Response:
    if not anyone:
        raise Refused("nameless", "Nothing is stored about you: you have not been here before.")
    headers = {"content-disposition": 'attachment; filename="tegel.json"'}
    pieces = await leaving.export(anyone)
    return StreamingResponse(pieces, media_type="application/json", headers=headers)


@router.post("/api/me/delete", **gives(personal.Done))
async def delete_me(
    wish: Sure,
    leaving: services.Leaving,
    rates: services.Rates,
    browser: Asking,
    anyone: Anyone,
    payer: Payer,
) -> Response:
    """Forget who you are, here and everywhere; games stay, without your name."""
    if not wish.sure or not anyone or is_bot(anyone):
        raise Refused("invalid", "This can't be undone: say that you are sure.")
    if await leaving.is_stored(anyone):
        if not rates.deletions.take(payer):
            raise Refused("rate", "Too many people deleted themselves from here: please wait.")
        await leaving.delete(anyone)
    await browser.leave()
    return answer(personal.Done())
