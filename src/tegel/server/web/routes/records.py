"""Records that people bring: checked, kept under an unguessable name, replayed."""

from typing import Annotated

from fastapi import APIRouter, Path, Request
from starlette.responses import Response

from tegel import record
from tegel.place.wire import responses
from tegel.place.wire.text import UNKEPT, kept
from tegel.room.refused import Refused
from tegel.server.web import services
from tegel.server.web.routes import Reader, answer, charged, gives, sent_games

router = APIRouter(tags=["records"])
Id = Annotated[str, Path(max_length=32)]
SHORT = 50_000  # bytes of a record, of which each costs as much as a short one


@router.post(
    "/api/records",
    openapi_extra={
        "requestBody": {
            "required": True,
            "content": {"text/plain": {"schema": {"type": "string", "maxLength": record.LIMIT}}},
        }
    },
    **gives(responses.Checked, 201, "The record is kept under `id`."),
)
async def upload_record(
    request: Request,
    records: services.Records,
    budget: services.Budget,
    uploads: services.Uploads,
    queues: services.Queues,
    reader: Reader,
    payer: Annotated[str, charged("upload")],
) -> Response:
    """A game as text, in our format or another program's: every move is checked."""
    async with uploads.turn(payer):  # those that wait are not in memory
        body = await request.body()
    budget.charge(payer, reader, *["upload"] * (len(body) // SHORT))
    budget.keep(payer, body)
    text = await queues.aside(_text, body)
    return answer(await records.keep(text, payer), 201)


@router.get(
    "/api/records/{id}",
    response_class=Response,
    responses={200: {"content": {"text/plain": {}}, "description": "The record."}},
)
async def show_record(id: Id, records: services.Records) -> Response:
    return Response(str(await records.find(id)), media_type="text/plain; charset=utf-8")


@router.get("/api/records/{id}/positions/{ply}", **gives(responses.Position))
async def record_position(
    id: Id,
    ply: Annotated[int, Path(ge=0, le=100_000)],
    queues: services.Queues,
    records: services.Records,
    payer: Annotated[str, charged("position")],
) -> Response:
    return await sent_games.position(await records.find(id), ply, queues, payer)


def _text(body: bytes) -> str:
    """A record as it was brought; raises Refused if it is no text, or too much of it."""
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Refused("record", f"Not text: byte {error.start + 1} is not UTF-8.") from None
    if len(text) > record.LIMIT:
        raise Refused("record", f"A record has {record.LIMIT:,} characters at most.")
    if not kept(text):
        raise Refused("record", UNKEPT)
    return text
