"""Games as they are sent: a file, in our format or another program's, and a position on its own."""

from collections.abc import Sequence

from starlette.responses import Response

from tegel.game import Format
from tegel.place.wire import views
from tegel.record import Record
from tegel.room.refused import Refused
from tegel.server.web import services
from tegel.server.web.routes import answer
from tegel.tree import Tree


async def file(
    one: Record | Tree, id: str, queues: services.Queues, payer: str,
    formats: Sequence[Format] = (), format: str = "", kind: str = "game",
) -> Response:  # fmt: skip
    """A game or a study as a file to keep, in one of some formats, or else in ours."""
    text, suffix = str(one), "txt"
    if format:
        other = {known.name: known for known in formats}.get(format)
        if other is None:
            raise Refused("missing", f"This {kind} has no such format.")
        text = await queues.facts.run(other.write, one, payer=payer)
        suffix = other.suffix.lstrip(".")
    headers = {"content-disposition": f'attachment; filename="{id}.{suffix}"'}
    return Response(text, media_type="text/plain; charset=utf-8", headers=headers)


async def position(record: Record, ply: int, queues: services.Queues, payer: str) -> Response:
    """The position after so many moves."""
    if ply > len(record.moves):
        raise Refused("missing", f"The game has 0 to {len(record.moves)} moves.")
    return answer(await queues.facts.run(views.position, record, ply, payer=payer))
