"""Games to print and play with on a real table, as PDFs."""

from typing import Annotated, Literal

from cachetools import LRUCache
from fastapi import APIRouter, Path, Query
from starlette.responses import Response

from tegel import games, solver
from tegel.place.tasks import tasks
from tegel.room.refused import Refused
from tegel.server.web import services
from tegel.server.web.routes import charged
from tegel.server.web.routes.catalogue import CACHED, Language, known, spoken
from tegel.sheets import AVAILABLE, LARGEST, MISSING, Wish

router = APIRouter(tags=["games"])
# Files of a few hundred kilobytes each.
KEPT = LRUCache[tuple[str, str, Wish], bytes](40)


@router.get(
    "/api/games/{game}/sheets/{variant}.pdf",
    response_class=Response,
    responses={200: {"content": {"application/pdf": {}}, "description": "Sheets to print."}},
)
async def show_sheets(
    game: str,
    variant: Annotated[str, Path(max_length=40, description="`daily`: the puzzle of today.")],
    queues: services.Queues,
    days: services.Days,
    payer: Annotated[str, charged("sheets")],
    language: Language = "en",
    paper: Annotated[Literal["a4", "letter"], Query()] = "a4",
    cell: Annotated[
        float, Query(ge=0, le=LARGEST, description="Millimetres; 0: as the game has it.")
    ] = 0.0,
    mono: Annotated[bool, Query(description="Greys and patterns instead of colours.")] = False,
    sides: Annotated[int, Query(ge=1, le=2, description="1: no backs.")] = 2,
) -> Response:
    """Board, pieces and rules at true scale; the first page says how to print and cut."""
    today = days.today()
    variant, played = solver.named(variant, today), games.load(known(game))
    if not AVAILABLE:
        raise Refused("missing", f"This server can't print: {MISSING}.")
    if played.solo and played.solo.title(variant, {}).day > today.isoformat():
        raise Refused("missing", "That day has not come yet.")
    key = game, variant, Wish(paper, spoken(game, language), cell, mono, sides)
    if (pdf := KEPT.get(key)) is None:
        pdf = KEPT[key] = await queues.facts.run(tasks.sheets, *key, payer=payer)
    name = f'attachment; filename="{game}-{variant}-{paper}.pdf"'
    headers = {"content-disposition": name, **CACHED}
    return Response(pdf, media_type="application/pdf", headers=headers)
