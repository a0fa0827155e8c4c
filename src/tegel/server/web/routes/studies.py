"""Studies: made from a game, a text or an empty board; looked into, copied, taken along."""

from collections.abc import Mapping
from hashlib import blake2b
from typing import Annotated

from fastapi import APIRouter, Path, Query
from pydantic import BaseModel, Field
from starlette.responses import Response

from tegel import games, study
from tegel import record as records
from tegel.game import IllegalMove
from tegel.place.ports import Broken
from tegel.place.studies.store import UNKNOWN
from tegel.place.studies.studies import LiveStudy
from tegel.place.tasks import study_trees
from tegel.place.wire import studies, views
from tegel.record import Record
from tegel.room.judge import illegal
from tegel.room.keys import beginning
from tegel.room.refused import Refused
from tegel.server.web import services
from tegel.server.web.routes import Payer, Player, Reader, answer, charged, gives, sent_games
from tegel.server.web.routes.catalogue import SVG, Look, drawn

router = APIRouter(tags=["studies"])
Id = Annotated[str, Path(max_length=32)]
Where = Annotated[str, Path(max_length=500, description="A path such as 3.0.1, or - .")]
LONGEST = 50_000  # characters of a text that is brought
DEAREST = 10.0  # seconds of a processor that a film costs at most


class StudyWish(BaseModel):
    """What to look into: a `source` (`rooms/NAME` of a game that is over, `records/NAME`,
    `studies/NAME`), a `text` (a tree, a record, a position), or an empty board of a game."""

    source: str = Field("", pattern="^((rooms|records|studies)/[a-z0-9]{1,32})?$")
    text: str = Field("", max_length=LONGEST)
    game: str = Field("", max_length=40)
    variant: str = Field("", max_length=40)
    options: dict[str, str] = Field(default_factory=dict, max_length=20)


@router.post("/api/studies", **gives(studies.Study, 201, "A study; of a room the one you have."))
async def new_study(
    wish: StudyWish,
    budget: services.Budget,
    live_studies: services.Studies,
    rooms: services.Rooms,
    kept: services.Records,
    player: Player,
    payer: Annotated[str, charged("study")],
) -> Response:
    """Begin a study, or find the one that you have from the same game."""
    kind = wish.source.partition("/")[0]
    if kind == "rooms" and (own := await live_studies.of(player, wish.source)):
        return _told(await live_studies.find(own, payer), player)
    text = await _text(live_studies, rooms, kept, wish, payer)
    budget.keep(payer, text)
    source = "" if kind == "records" else wish.source
    live = await live_studies.create(player, text, source, payer)
    return _told(live, player, 201)


async def _text(
    live_studies: services.Studies,
    rooms: services.Rooms,
    kept: services.Records,
    wish: StudyWish,
    payer: str,
) -> str:
    """What a study begins with."""
    kind, _, id = wish.source.partition("/")
    if kind == "rooms":
        live = await rooms.find(id, payer)
        if not live.room.over:
            raise Refused("on", "The game is not over yet.")
        return str(live.room.setup.record([played.text for played in live.room.line]))
    if kind == "records":
        return str(await kept.find(id))
    if kind == "studies":
        return str((await live_studies.find(id, payer)).study.tree)
    if wish.text:
        return wish.text
    return str(Record(games.load(wish.game).name, wish.variant, _options(wish.options)))


def _told(live: LiveStudy, player: str, status: int = 200) -> Response:
    return Response(live.text(player), status, media_type="application/json")


def _options(options: Mapping[str, str]) -> Mapping[str, str]:
    records.check_options(options)
    return options


@router.get("/api/my/studies", **gives(list[studies.ListedStudy], what="The latest first."))
async def my_studies(live_studies: services.Studies, reader: Reader) -> Response:
    return answer(await live_studies.listed(reader))


@router.get("/api/studies/{id}", **gives(studies.Study))
async def show_study(
    id: Id, live_studies: services.Studies, reader: Reader, payer: Payer
) -> Response:
    live = await live_studies.find(id, payer)
    await live_studies.owns(live, reader)
    return _told(live, reader)


@router.delete("/api/studies/{id}", **gives(list[studies.ListedStudy], what="What is left."))
async def delete_study(
    id: Id, live_studies: services.Studies, player: Player, payer: Payer
) -> Response:
    await live_studies.delete(await live_studies.find(id, payer), player)
    return await my_studies(live_studies, player)


class StudyChange(BaseModel):
    rows: int = Field(ge=1, le=100_000, description="How many changes of the study you know.")
    text: str = Field(max_length=4_000, description="As in the socket: `delete 3.0.1`.")


@router.post("/api/studies/{id}/changes", **gives(studies.Study))
async def change_study(
    id: Id,
    wish: StudyChange,
    budget: services.Budget,
    live_studies: services.Studies,
    player: Player,
    payer: Annotated[str, charged("position")],
) -> Response:
    budget.keep(payer, wish.text)
    live = await live_studies.find(id, payer)
    await live_studies.change(live, player, wish.rows, wish.text, payer)
    return _told(live, player)


@router.get("/api/studies/{id}/nodes/{path}", **gives(studies.StudyNode))
async def study_node(
    id: Id,
    path: Where,
    live_studies: services.Studies,
    reader: Reader,
    payer: Annotated[str, charged("position")],
) -> Response:
    """The position after a move, and what may be done there."""
    live = await live_studies.find(id, payer)
    return answer(await live_studies.node(live, path, reader, payer))


@router.get("/api/studies/{id}/nodes/{path}/picture.svg", response_class=Response, responses=SVG)
async def study_picture(
    id: Id,
    path: Where,
    live_studies: services.Studies,
    queues: services.Queues,
    payer: Annotated[str, charged("picture")],
    look: Look,
) -> Response:
    """The position after a move."""
    record = (await live_studies.find(id, payer)).record(path)
    how = look.of(record.game)
    svg = await queues.facts.run(views.svg, record, len(record.moves), *how, payer=payer)
    return drawn(svg)


@router.get("/api/studies/{id}/nodes/{path}/line.svg", response_class=Response, responses=SVG)
async def study_film(
    id: Id,
    path: Where,
    budget: services.Budget,
    films: services.Films,
    live_studies: services.Studies,
    queues: services.Queues,
    reader: Reader,
    payer: Annotated[str, charged("picture")],
    look: Look,
) -> Response:
    """The moves up to a position, one after another, as a picture that moves. Besides the price
    of a picture it costs what it takes to draw, which is known afterwards."""
    record = (await live_studies.find(id, payer)).record(path)
    how = look.of(record.game)
    key = blake2b(str(record).encode(), digest_size=20).digest(), how
    film = films.found(key)
    if film is None:
        try:
            text, seconds = await queues.facts.timed(study_trees.film, record, *how, payer=payer)
        except Broken:
            budget.settle(payer, reader, DEAREST)
            raise
        budget.settle(payer, reader, min(seconds, DEAREST))
        film = text.encode()
        films.keep(key, film)
    return drawn(film)


@router.get(
    "/api/studies/{id}/text",
    response_class=Response,
    responses={200: {"content": {"text/plain": {}}, "description": "The study as text."}},
)
async def study_text(
    id: Id,
    live_studies: services.Studies,
    queues: services.Queues,
    payer: Annotated[str, charged("position")],
    format: Annotated[str, Query(max_length=20)] = "",
) -> Response:
    """The study as a tree of moves, or in another program's format."""
    live = await live_studies.find(id, payer)
    tree = live.study.tree
    formats = () if beginning(tree) else games.load(tree.game).formats
    return await sent_games.file(tree, id, queues, payer, formats, format, "study")


@router.post("/api/studies/{id}/report", **gives(studies.Judged, what="As much as is known."))
async def study_report(
    id: Id,
    budget: services.Budget,
    live_studies: services.Studies,
    reports: services.Reports,
    player: Player,
    payer: Annotated[str, charged("position")],
) -> Response:
    """Judge the main line of a study, move by move; ask again to hear more."""
    live = await live_studies.find(id, payer)
    return answer(await reported(budget, reports, live, player, payer) or UNKNOWN)


async def reported(
    budget: services.Budget,
    reports: services.Reports,
    live: LiveStudy,
    player: str,
    payer: str,
    begin: bool = True,
) -> studies.Judged | None:
    """What is known of the game of a study; to `begin`, thinking about it does, if nobody has
    asked for it yet. Raises Refused."""
    record = main_line(live)
    await reports.permit(record, player, payer)
    found = await reports.read(reports.key(record))
    if begin and (found is None or found is UNKNOWN):
        if found is None:
            budget.charge(payer, player, "report")
        await reports.ask(record, payer, anew=found is None)
    return found


def main_line(live: LiveStudy) -> Record:
    tree = live.study.tree
    if not tree.line:
        raise Refused("nothing", "There are no moves to judge yet.")
    return live.record(study.written((len(tree.line) - 1,)))


class Try(BaseModel):
    """A move to try instead of the one that was played, counted from 1."""

    ply: int = Field(ge=1, le=100_000)
    move: str = Field(max_length=200)


@router.post("/api/studies/{id}/tries", **gives(studies.Tried))
async def try_move(
    id: Id,
    wish: Try,
    analyses: services.Analyses,
    live_studies: services.Studies,
    reports: services.Reports,
    player: Player,
    payer: Annotated[str, charged("hint")],
) -> Response:
    """What is thought of another move than the one that was played, in a game that was judged."""
    live = await live_studies.find(id, payer)
    record = main_line(live)
    report = await reports.read(reports.key(record))
    judged = next((v for v in report.verdicts if v.ply == wish.ply), None) if report else None
    if judged is None:
        raise Refused("early", "That move was not judged yet.")
    before = live.record(study.written((wish.ply - 2,) if wish.ply > 1 else ()))
    try:
        found = await analyses.tried(before, wish.move, judged, player, payer)
    except IllegalMove as wrong:
        raise illegal(wrong) from None
    return answer(found)
