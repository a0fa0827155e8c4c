"""A name that lasts: keep one, come back to it on another device, take everything along, leave."""

from ipaddress import ip_address
from typing import Annotated, Any
from urllib.parse import urlsplit

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field
from starlette.responses import Response, StreamingResponse

from tegel.place.accounts.identity import BEFORE, COOKIE, Session
from tegel.place.accounts.leaving import delete, export, is_stored
from tegel.place.accounts.moving import bring_along
from tegel.place.accounts.passkeys import REGISTER, SIGN_IN, Site
from tegel.place.accounts.standing import end_cookies
from tegel.place.wire import personal
from tegel.room.judge import is_bot
from tegel.room.refused import Refused
from tegel.room.setup import KEPT
from tegel.server.web.routes import (
    Anyone,
    Here,
    Payer,
    Player,
    Reader,
    answer,
    charged,
    cookie_session,
    gives,
    set_cookie,
)
from tegel.server.worker import Worker

router = APIRouter(tags=["you"])
LINK = "device"  # the purpose of links to another device
LINK_SECONDS = 300
USED = "This link has been used, or is no longer valid."
INSECURE = "Passkeys need HTTPS, or localhost; the recovery code works everywhere."
Base64 = Annotated[str, Field(max_length=12_000)]
Id = Annotated[str, Field(min_length=1, max_length=1400)]
Along = Annotated[bool, Field(description="Games that this browser played come along.")]


class HandleWish(BaseModel):
    handle: str = Field(max_length=200, examples=["Ann"])


class CodeWish(BaseModel):
    code: str = Field(max_length=100)
    along: Along = True


class NewPasskey(BaseModel):
    """What `navigator.credentials.create` gave, in base64url."""

    id: Id
    client: Base64
    attestation: Base64


class UsedPasskey(BaseModel):
    """What `navigator.credentials.get` gave, in base64url."""

    id: Id
    client: Base64
    authenticator: Base64
    signature: Base64
    along: Along = True


class PasskeyChoice(BaseModel):
    id: Id


class LinkWish(BaseModel):
    token: str = Field(max_length=400)
    along: Along = True


class SignOutWish(BaseModel):
    everywhere: bool = Field(False, description="All other browsers, and not this one.")


class Sure(BaseModel):
    sure: bool


# Keeping a name


@router.get("/api/me/account", **gives(personal.Account))
async def account(here: Here, reader: Reader) -> Response:
    found = await here.accounts.of(reader)
    keys = [personal.Passkey(*row) for row in await here.passkeys.of(reader)]
    return answer(personal.Account(found.handle, found.at, tuple(keys)))


@router.post("/api/me/account", **gives(personal.Kept, 201, "The code is told once: keep it."))
async def keep(wish: HandleWish, here: Here, player: Player, payer: Payer) -> Response:
    """Keep a name, which nobody else then has, nor one that looks alike."""
    if is_bot(player):
        raise Refused("invalid", "A program keeps its name.")
    _check_names(here, payer)
    handle, code = await here.accounts.keep(player, wish.handle)
    here.new_names.take(payer)
    await here.standing.look_at(player)
    return answer(personal.Kept(handle, code), 201)


@router.put("/api/me/account", **gives(personal.Account))
async def change(wish: HandleWish, here: Here, player: Player, payer: Payer) -> Response:
    """Be called otherwise; the name before is reserved for you for 90 days."""
    _check_names(here, payer)
    await here.accounts.rename(player, wish.handle)
    here.new_names.take(payer)
    await here.standing.look_at(player)
    return await account(here, player)


def _check_names(here: Worker, payer: str) -> None:
    """Raise Refused where too many names were kept of late; what is refused costs nothing."""
    if here.new_names.of(payer).wait():
        raise Refused("rate", "Too many names were kept from here: please wait.")


@router.post("/api/me/code", **gives(personal.Kept, what="The code before is good for nothing."))
async def code(here: Here, player: Player) -> Response:
    kept = await here.accounts.of(player)
    return answer(personal.Kept(kept.handle, await here.accounts.new_code(player)))


# Passkeys


@router.post("/api/me/passkeys/challenge", **gives(personal.Ceremony))
async def new_passkey(request: Request, here: Here, player: Player) -> Response:
    kept, where = await here.accounts.of(player), site(request)
    known = tuple(row.id for row in await here.passkeys.of(player))
    challenge = here.passkeys.challenge(REGISTER, player)
    return answer(personal.Ceremony(challenge, where.name, player, kept.handle, known))


@router.post("/api/me/passkeys", **gives(personal.Account, 201))
async def add_passkey(wish: NewPasskey, request: Request, here: Here, player: Player) -> Response:
    where = site(request)
    parts = {"clientDataJSON": wish.client, "attestationObject": wish.attestation}
    await here.accounts.of(player)
    await here.passkeys.register(player, where, _credential(wish.id, parts))
    found = await account(here, player)
    found.status_code = 201
    return found


@router.post("/api/me/passkeys/remove", **gives(personal.Account))
async def remove_passkey(wish: PasskeyChoice, here: Here, player: Player) -> Response:
    await here.passkeys.remove(player, wish.id)
    return await account(here, player)


def site(request: Request) -> Site:
    """The page that asks, which the gate has let in; raises Refused where there are no
    passkeys."""
    origin = request.headers.get("origin", "")
    parts = urlsplit(origin)
    name = parts.hostname or ""
    local = name == "localhost" or name.endswith(".localhost")
    if not name or _is_number(name) or not (local or parts.scheme == "https"):
        raise Refused("secure", INSECURE)
    return Site(origin, name)


def _is_number(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


def _credential(id: str, parts: dict[str, str]) -> dict[str, Any]:
    """A credential as the library reads it."""
    return {"id": id, "rawId": id, "type": "public-key", "response": parts}


# Signing in and out


@router.post("/api/sign-in/code", **gives(personal.SignedIn))
async def by_code(wish: CodeWish, request: Request, here: Here, payer: Payer) -> Response:
    _try(here, payer)
    player = await here.accounts.by_code(wish.code)
    return await _signed_in(request, here, player, wish.along, payer)


@router.post("/api/sign-in/challenge", **gives(personal.Ceremony))
async def passkey_challenge(request: Request, here: Here) -> Response:
    return answer(personal.Ceremony(here.passkeys.challenge(SIGN_IN), site(request).name))


@router.post("/api/sign-in/passkey", **gives(personal.SignedIn))
async def by_passkey(wish: UsedPasskey, request: Request, here: Here, payer: Payer) -> Response:
    _try(here, payer)
    parts = {
        "clientDataJSON": wish.client, "authenticatorData": wish.authenticator,
        "signature": wish.signature,
    }  # fmt: skip
    player = await here.passkeys.player(site(request), _credential(wish.id, parts))
    return await _signed_in(request, here, player, wish.along, payer)


@router.post("/api/me/link", **gives(personal.DeviceLink, what="For your other device only."))
async def link(here: Here, player: Player) -> Response:
    await here.accounts.of(player)
    generation = str((await here.standing.of(player)).generation)
    token = here.once.made(LINK, LINK_SECONDS, player, generation)
    return answer(personal.DeviceLink(token, LINK_SECONDS))


@router.post("/api/sign-in/look", **gives(personal.Invited, what="Who a link would make you."))
async def look(wish: LinkWish, here: Here, payer: Payer) -> Response:
    _try(here, payer)
    player = await _linked(here, here.once.read(LINK, wish.token))
    return answer(personal.Invited((await here.accounts.of(player)).handle))


@router.post("/api/sign-in/link", **gives(personal.SignedIn))
async def by_link(wish: LinkWish, request: Request, here: Here, payer: Payer) -> Response:
    _try(here, payer)
    player = await _linked(here, await here.once.used(LINK, wish.token))
    return await _signed_in(request, here, player, wish.along, payer)


async def _linked(here: Worker, words: Any) -> str:
    """The player whom a link makes one, unless they have signed out everywhere since."""
    if not words or not await here.standing.holds(Session(words[0], int(words[1]))):
        raise Refused("link", USED)
    return str(words[0])


def _try(here: Worker, payer: str) -> None:
    if not here.sign_ins.take(payer):
        raise Refused("rate", "Too many tries to sign in from here: please wait.")


async def _signed_in(
    request: Request, here: Worker, player: str, along: bool, payer: str
) -> Response:
    """Let a browser be a player. Who it was before as a guest is kept in a cookie of its own, for
    when they sign out; what the guest played comes along, if it shall."""
    kept = await here.accounts.of(player)
    before, games = await cookie_session(here, request.cookies), 0
    if before.player and not (await here.name(before.player)).startswith(KEPT):
        set_cookie(request, BEFORE, here.seals.sealed("before", str(before)))
        if along and not await here.standing.is_banned(before.player):
            name = KEPT + kept.handle
            guest = before.player
            games = await bring_along(
                here.house, guest, player, name, lambda room: here.find(room, payer, guest)
            )
    _become(request, here, Session(player, (await here.standing.of(player)).generation))
    return answer(personal.SignedIn(kept.handle, games))


def _become(request: Request, here: Worker, session: Session) -> None:
    set_cookie(request, COOKIE, here.seals.sealed("player", str(session)))


@router.post("/api/me/sign-out", **gives(personal.Done))
async def sign_out(wish: SignOutWish, request: Request, here: Here, anyone: Anyone) -> Response:
    """Sign out of this browser, which is the guest again that it was; or `everywhere` else: all
    cookies and links of before are nobody's from then on."""
    await here.accounts.of(anyone)  # or nobody could come back to what a guest plays
    if wish.everywhere:
        now = here.heartbeat.now()
        next = await here.store.write(lambda connection: end_cookies(connection, anyone, now))
        await here.standing.look_at(anyone)
        _become(request, here, Session(anyone, next))
        return answer(personal.Done())
    await _leave(request, here)
    return answer(personal.Done())


async def _leave(request: Request, here: Worker) -> None:
    """Let a browser be who it was before, or nobody."""
    before = await cookie_session(here, request.cookies, BEFORE, "before")
    set_cookie(request, BEFORE, "")
    if before.player:
        _become(request, here, before)
    else:
        set_cookie(request, COOKIE, "")


# Everything about me


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
async def export_me(here: Here, anyone: Anyone, _: Annotated[str, charged("export")]) -> Response:
    if not anyone:
        raise Refused("nameless", "Nothing is stored about you: you have not been here before.")
    headers = {"content-disposition": 'attachment; filename="tegel.json"'}
    pieces = await export(here.store, anyone)
    return StreamingResponse(pieces, media_type="application/json", headers=headers)


@router.post("/api/me/delete", **gives(personal.Done))
async def delete_me(
    wish: Sure, request: Request, here: Here, anyone: Anyone, payer: Payer
) -> Response:
    """Forget who you are, here and everywhere; games stay, without your name."""
    if not wish.sure or not anyone or is_bot(anyone):
        raise Refused("invalid", "This can't be undone: say that you are sure.")
    if await is_stored(here.store, anyone):
        if not here.deletions.take(payer):
            raise Refused("rate", "Too many people deleted themselves from here: please wait.")
        now, names = here.heartbeat.now(), here.reservations
        await here.store.write(lambda connection: delete(connection, names, anyone, now))
        await here.standing.look_at(anyone)
    await _leave(request, here)
    return answer(personal.Done())
