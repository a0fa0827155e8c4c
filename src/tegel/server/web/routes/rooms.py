"""Rooms over HTTP: make one, look at it, and all that the socket can do too."""

import json
import secrets
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

import sqlalchemy as sa
from fastapi import APIRouter, Path, Query
from pydantic import BaseModel, Field
from starlette.responses import Response

from tegel import games
from tegel.game import Game
from tegel.place.limits.limits import SITE, Limits
from tegel.place.rooms.live_room import LiveRoom
from tegel.place.rooms.room_row import options
from tegel.place.tasks.tasks import Seating
from tegel.place.wire import messages, responses, views
from tegel.record import Record, folded
from tegel.room import actions
from tegel.room.clock import DAY, clock
from tegel.room.judge import check_rated, is_bot
from tegel.room.refused import Refused
from tegel.room.result import result
from tegel.room.room import Origin
from tegel.room.setup import Place, Setup, guest_name, name, seats
from tegel.server.storage import tables
from tegel.server.web.routes import Here, Payer, Player, Reader, answer, charged, gives, legible
from tegel.server.worker import Worker

router = APIRouter(tags=["rooms"])
MOST_LISTED = 100  # tables
WEEK = 7 * DAY  # for which a table that nobody touches is listed
MANY_LISTED = (
    "{most} tables from your network are in the list already: join one of them, or invite somebody "
    "to this one by its link."
)
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
    wish: RoomWish, player: Player, here: Here, payer: Annotated[str, charged("room")]
) -> Response:
    game = games.load(wish.game)
    variant = wish.variant or next(iter(game.variants))
    chosen = {key: _word(game, key, value) for key, value in wish.options.items()}
    await here.pools.prepare(variant, payer)
    count = seats(wish.game, variant, chosen)
    if clock(wish.clock).up and not game.solo:
        raise Refused("invalid", "A clock counts up where there is one seat.")
    called = await here.called(player, wish.name)
    places, names = await _places(here, wish, count, player, called)
    if game.solo and any(place.kind == "bot" for place in places):
        raise Refused("invalid", "A puzzle is solved by a person; `reveal` shows a solution.")
    now = await here.heartbeat.fresh()
    setup = Setup(
        name(), wish.game, variant, places, chosen, clock(wish.clock), wish.listed, now,
        wish.hints, wish.rated,
    )  # fmt: skip
    check_rated(setup)
    bots = any(place.level for place in places)
    if wish.listed:
        await _check_listed(here, payer, player)
    if bots:
        here.charge(payer, player, "bots")
    here.fairness.met(player, payer)
    mine = [seat for seat, place in enumerate(places) if place.player == player]
    paying = payer if bots else ""
    come = (await here.origin(player, payer))(setup.id)
    seating = Seating(player, mine, names, come)
    live = await here.house.create(setup, seating, payer=paying, network=payer)
    return await shown(here, live, player, 201)


async def _check_listed(here: Worker, payer: str, player: str) -> None:
    """Raise Refused if so many tables of a network are in the list that one more can't be."""
    c, most = tables.rooms.c, here.settings.limits.listed
    sealed, recent = here.house.sealed(payer, player), here.heartbeat.now() - DAY
    caps = [(c.network == sealed.network, most)]
    caps += [(c.site == sealed.site, SITE * most)] if sealed.site else []
    on = sa.select(sa.func.count()).where(c.touched > recent, c.over.is_(False))
    for mine, limit in caps:
        if (await here.store.rows(on.where(mine)))[0][0] >= limit:
            raise Refused("listed", MANY_LISTED.format(most=limit), most=limit)


def _word(game: Game[Any, Any], key: str, value: str) -> str:
    """An option's value: a text of one's own may come with its lines and spaces."""
    option = game.options.get(key)
    return folded(value) if option and option.open and value.split() != [value] else value


async def _places(
    here: Worker, wish: RoomWish, count: int, player: str, called: str
) -> tuple[tuple[Place, ...], dict[str, str]]:
    """The places that are wished for, and what those who have one are called."""
    wishes = wish.seats or [SeatWish(kind="person"), *[SeatWish(kind="open")] * (count - 1)]
    if len(wishes) != count:
        raise Refused("invalid", f"This game has {count} seats, not {len(wishes)}.")
    places, names = [], {player: called} if called else {}
    for seat in wishes:
        if seat.kind == "person":
            places.append(Place("person", 0, player))
        elif seat.kind == "open":
            places.append(Place("open"))
        elif seat.program:
            found = await here.name(seat.program) if is_bot(seat.program) else ""
            if not found:
                raise Refused("missing", "There is no such program.")
            places.append(Place("bot", 0, seat.program))
            names[seat.program] = found
        else:
            places.append(Place("bot", seat.level))
    if wish.shuffled:
        secrets.SystemRandom().shuffle(places)
    return tuple(places), names


@router.get(
    "/api/rooms", **gives(list[responses.Listed], what="Listed rooms, those with free seats first.")
)
async def list_rooms(here: Here, reader: Reader, game: str = "") -> Response:
    found = await here.store.rows(open_tables(game, here.heartbeat.now(), here.settings.limits))
    names = await _named(here, found)
    rated = {row.id for row in found if row.rated}
    people = {name.player for id in rated for name in names.get(id, ())}
    figures = await here.ratings.figures(await here.ratings.shown(people))
    return answer(
        legible(here, found, lambda row: _listed(row, reader, names.get(row.id, ()), figures))
    )


def open_tables(game: str, now: int, limits: Limits) -> Any:
    """The tables that strangers may find, as a query: those with free seats first, of each network
    the latest few, and the first of every site before the second of any."""
    c, number = tables.rooms.c, sa.func.row_number()
    listed = [c.listed.is_(True), c.over.is_(False), c.touched > now - WEEK]
    listed += [c.game == game] if game else []
    network = sa.case((c.network != "", c.network), else_=c.id)  # of earlier editions: its own
    latest = (c.open == 0, c.touched.desc(), c.id)
    place = number.over(partition_by=network, order_by=latest).label("place")
    found = sa.select(tables.rooms, place).where(*listed).subquery().c
    few = found.place <= limits.listed
    site = sa.case((found.site != "", found.site), (found.network != "", found.network),
                   else_=found.id)  # fmt: skip
    last = (found.open == 0, found.place, found.touched.desc(), found.id)
    turn = number.over(partition_by=site, order_by=last).label("turn")
    all_ = sa.select(*found, turn).where(few).subquery().c
    order = (all_.open == 0, all_.turn, all_.touched.desc(), all_.id)
    return (
        sa.select(*all_)
        .where(all_.turn <= SITE * limits.listed)
        .order_by(*order)
        .limit(MOST_LISTED)
    )


@router.get(
    "/api/my/rooms",
    **gives(list[responses.Listed], what="Your games, those waiting for you first; no puzzles."),
)
async def my_rooms(here: Here, reader: Reader, over: bool = False) -> Response:
    c = tables.rooms.c
    mine = sa.select(tables.seats.c.room).where(tables.seats.c.player == reader)
    query = sa.select(tables.rooms).where(
        c.id.in_(mine), c.over.is_(over), c.game.not_in(games.solo())
    )
    first = sa.case((c.waiting == reader, 0), else_=1)
    found = await here.store.rows(query.order_by(first, c.touched.desc()).limit(200))
    if not reader:
        return answer([])
    names = await _named(here, found, reader)
    return answer(legible(here, found, lambda row: _listed(row, reader, names.get(row.id, ()))))


async def _named(
    here: Worker, found: Sequence[sa.Row[tuple[object]]], but: str = ""
) -> dict[str, list[Any]]:
    """What the players of some rooms are called, by room; one is left out."""
    c, names = tables.names.c, dict[str, list[Any]]()
    query = sa.select(tables.names).where(c.room.in_([row.id for row in found]), c.player != but)
    for row in await here.store.rows(query.order_by(c.player)):
        names.setdefault(row.room, []).append(row)
    return names


def _listed(
    row: sa.Row[tuple[object]],
    reader: str,
    names: Sequence[Any] = (),
    figures: Mapping[tuple[str, str, str], int] | None = None,
) -> responses.Listed:
    places = json.loads(row.places)
    family = games.load(row.game).family(row.variant) if row.rated and figures else ""
    ratings = [figures.get((n.player, row.game, family), 0) for n in names] if figures else ()
    return responses.Listed(
        row.id, row.game, row.variant, options(row.options), row.clock,
        len(places), row.open, row.ply, row.over,
        bool(reader) and row.waiting == reader, row.at, row.touched,
        moves=row.moves, names=tuple(one.name for one in names), deadline=row.deadline or 0,
        levels=tuple(place["level"] for place in places if place.get("level")),
        rated=row.rated, ratings=tuple(ratings) if family else (),
    )  # fmt: skip


@router.get("/api/rooms/{room}", **gives(messages.Room))
async def show_room(room: Room, here: Here, reader: Reader, payer: Payer) -> Response:
    live = await here.find(room, payer, reader)
    return await shown(here, live, reader, newcomer=await here.newcomer(live, reader, payer))


async def shown(
    here: Worker, live: LiveRoom, player: str, status: int = 200, newcomer: Origin | None = None
) -> Response:
    here.house.presence.seen(live, player)
    seen = await here.house.broadcast.seen(live)
    now = here.heartbeat.now()
    return answer(views.snapshot(live.room, seen, now, player, newcomer), status)


@router.get("/api/rooms/{room}/offer", **gives(messages.Offer, what="What you may play now."))
async def show_offer(room: Room, here: Here, reader: Reader, payer: Payer) -> Response:
    live = await here.find(room, payer, reader)
    here.house.presence.seen(live, reader)
    if not reader or live.room.waits_for != reader:
        raise Refused("turn", "It is not your turn.")
    await here.house.look_after(live)
    if live.resting:
        raise live.resting
    return answer(views.offer(live.room))


async def _act(
    here: Worker, room: str, player: str, action: actions.Action, payer: str
) -> Response:
    live = await here.find(room, payer, player)
    await here.act(live, player, action, payer)
    return await shown(here, live, player)


@router.post("/api/rooms/{room}/sit", **gives(messages.Room))
async def sit(room: Room, wish: SitWish, here: Here, player: Player, payer: Payer) -> Response:
    called = await here.called(player, wish.name)
    return await _act(here, room, player, actions.Sit(wish.seat, called), payer)


@router.post("/api/rooms/{room}/move", **gives(messages.Room))
async def move(room: Room, wish: MoveWish, here: Here, player: Player, payer: Payer) -> Response:
    return await _act(here, room, player, actions.Move(wish.ply, wish.move), payer)


@router.post("/api/rooms/{room}/resign", **gives(messages.Room))
async def resign(
    room: Room, wish: SeatChoice, here: Here, player: Player, payer: Payer
) -> Response:
    return await _act(here, room, player, actions.Resign(wish.seat), payer)


@router.post("/api/rooms/{room}/takeback", **gives(messages.Room))
async def takeback(
    room: Room, wish: TakebackWish, here: Here, player: Player, payer: Payer
) -> Response:
    wishes: dict[str, actions.Action] = {
        "ask": actions.Ask(wish.all), "agree": actions.Agree(), "refuse": actions.Refuse(),
    }  # fmt: skip
    return await _act(here, room, player, wishes[wish.do], payer)


@router.post("/api/rooms/{room}/claim", **gives(messages.Room))
async def claim(room: Room, wish: ClaimWish, here: Here, player: Player, payer: Payer) -> Response:
    """Claim the win over the player of a seat, who is absent."""
    return await _act(here, room, player, actions.Claim(wish.seat), payer)


@router.post("/api/rooms/{room}/replace", **gives(messages.Room))
async def replace(room: Room, wish: BotWish, here: Here, player: Player, payer: Payer) -> Response:
    """Let a bot play an open seat, or that of a player who is absent."""
    return await _act(here, room, player, actions.Replace(wish.seat, wish.level), payer)


@router.post(
    "/api/rooms/{room}/rematch", **gives(messages.Room, what="The old room; see `rematch`.")
)
async def rematch(room: Room, here: Here, player: Player, payer: Payer) -> Response:
    return await _act(here, room, player, actions.Rematch(), payer)


@router.post(
    "/api/rooms/{room}/seats/{seat}/link",
    **gives(responses.Link, what="For your other device only."),
)
async def link(
    room: Room, seat: Annotated[int, Path(ge=0, le=31)], here: Here, player: Player, payer: Payer
) -> Response:
    live = await here.find(room, payer, player)
    if seat not in live.room.seats_of(player):
        raise Refused("seat", f"Seat {seat + 1} is not yours.")
    until, since = here.heartbeat.now() + DAY, live.room.chairs[seat].since
    seal = here.seals.sealed("seat", f"{room} {seat} {player} {until} {since}")
    return answer(responses.Link(seat, seal))


@router.post("/api/rooms/{room}/take", **gives(messages.Room, what="The seat is yours now."))
async def take(room: Room, wish: TokenWish, here: Here, player: Player, payer: Payer) -> Response:
    words = (here.seals.opened("seat", wish.token) or "").split()
    if len(words) != 5 or words[0] != room or int(words[3]) < here.heartbeat.now():
        raise Refused("link", "This link has been used, or is no longer valid.")
    live = await here.find(room, payer, player)
    called = await here.called(player, wish.name) or guest_name(live.room.names.get(words[2], ""))
    await here.house.take_over(live, int(words[1]), int(words[4]), player, called)
    return await shown(here, live, player)


# The game so far


@router.get(
    "/api/rooms/{room}/record",
    response_class=Response,
    responses={200: {"content": {"text/plain": {}}, "description": "The game as text."}},
)
async def room_record(
    room: Room,
    here: Here,
    payer: Annotated[str, charged("position")],
    format: Annotated[str, Query(max_length=20)] = "",
) -> Response:
    live = await here.find(room, payer)
    found = await _record(here, live, payer)
    text, suffix = str(found), "txt"
    if format:
        other = {f.name: f for f in live.room.game.formats}.get(format)
        if other is None:
            raise Refused("missing", "This game has no such format.")
        text = await here.pools.facts.run(other.write, found, payer=payer)
        suffix = other.suffix.lstrip(".")
    headers = {"content-disposition": f'attachment; filename="{room}.{suffix}"'}
    return Response(text, media_type="text/plain; charset=utf-8", headers=headers)


async def _record(here: Worker, live: LiveRoom, payer: str) -> Record:
    room = live.room
    headers = {f"seat-{i + 1}": _called(chair) for i, chair in enumerate(views.chairs(room))}
    if room.over:
        ended = (await here.house.broadcast.seen(live)).result
        ended = ended or await here.pools.facts.run(result, room, payer=payer)
        assert ended is not None
        headers["result"] = f"{ended.reason} {' '.join(str(s + 1) for s in ended.winners)}".strip()
    return room.setup.record([played.text for played in room.line], **headers)


def _called(chair: messages.Chair) -> str:
    level = f"bot {chair.level}" if chair.level else ""
    return chair.name or level or chair.kind


@router.get("/api/rooms/{room}/positions/{ply}", **gives(responses.Position))
async def room_position(
    room: Room,
    ply: Annotated[int, Path(ge=0, le=100_000)],
    here: Here,
    payer: Annotated[str, charged("position")],
) -> Response:
    live = await here.find(room, payer)
    found = live.room.setup.record([played.text for played in live.room.line])
    if ply > len(found.moves):
        raise Refused("missing", f"The game has 0 to {len(found.moves)} moves.")
    return answer(await here.pools.facts.run(views.position, found, ply, payer=payer))
