"""Signing in and out: by a code, a passkey or a link from another device."""

from ipaddress import ip_address
from typing import Annotated, Any
from urllib.parse import urlsplit

from fastapi import APIRouter, Depends, Request
from pydantic import BaseModel, Field
from starlette.responses import Response

from tegel.place.accounts.device_links import SECONDS
from tegel.place.accounts.passkeys import SIGN_IN, Site
from tegel.place.rooms.live_room import LiveRoom
from tegel.place.wire import personal
from tegel.room.refused import Refused
from tegel.room.setup import KEPT
from tegel.server.web import services
from tegel.server.web.cookies import Asking
from tegel.server.web.routes import Anyone, Payer, Player, answer, gives

router = APIRouter(tags=["you"])
INSECURE = "Passkeys need HTTPS, or localhost; the recovery code works everywhere."
Base64 = Annotated[str, Field(max_length=12_000)]
Id = Annotated[str, Field(min_length=1, max_length=1400)]
Along = Annotated[bool, Field(description="Games that this browser played come along.")]


class CodeWish(BaseModel):
    code: str = Field(max_length=100)
    along: Along = True


class UsedPasskey(BaseModel):
    """What `navigator.credentials.get` gave, in base64url."""

    id: Id
    client: Base64
    authenticator: Base64
    signature: Base64
    along: Along = True


class LinkWish(BaseModel):
    token: str = Field(max_length=400)
    along: Along = True


class SignOutWish(BaseModel):
    everywhere: bool = Field(False, description="All other browsers, and not this one.")


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


def as_credential(id: str, parts: dict[str, str]) -> dict[str, Any]:
    """A credential as the library reads it."""
    return {"id": id, "rawId": id, "type": "public-key", "response": parts}


class Door:
    """Where a browser asks to be somebody who keeps a name."""

    def __init__(
        self,
        browser: Asking,
        accounts: services.Accounts,
        names: services.Names,
        standing: services.Standing,
        moving: services.Moving,
        rooms: services.Rooms,
        rates: services.Rates,
        payer: Payer,
    ) -> None:
        self.browser, self.accounts, self.names = browser, accounts, names
        self.standing, self.moving, self.rooms = standing, moving, rooms
        self.rates, self.payer = rates, payer

    def knock(self) -> None:
        """Raise Refused if there were too many tries from there."""
        if not self.rates.sign_ins.take(self.payer):
            raise Refused("rate", "Too many tries to sign in from here: please wait.")

    async def enter(self, player: str, *, along: bool) -> Response:
        """Let a browser be a player. Who it was before as a guest is kept in a cookie of its own,
        for when they sign out; what the guest played comes along, if it shall."""
        kept = await self.accounts.of(player)
        before, games = await self.browser.session(), 0
        guest = before.player
        if guest and not (await self.names.name(guest)).startswith(KEPT):
            self.browser.remember(before)
            if along and not await self.standing.is_banned(guest):

                async def find(room: str) -> LiveRoom:
                    return await self.rooms.find(room, self.payer, guest)

                name = KEPT + kept.handle
                games = await self.moving.bring_along(guest, player, name, find)
        self.browser.become(await self.browser.sessions.current(player))
        return answer(personal.SignedIn(kept.handle, games))


Asked = Annotated[Door, Depends()]


@router.post("/api/sign-in/code", **gives(personal.SignedIn))
async def by_code(wish: CodeWish, accounts: services.Accounts, door: Asked) -> Response:
    door.knock()
    return await door.enter(await accounts.by_code(wish.code), along=wish.along)


@router.post("/api/sign-in/challenge", **gives(personal.Ceremony))
async def passkey_challenge(request: Request, passkeys: services.Passkeys) -> Response:
    return answer(personal.Ceremony(passkeys.challenge(SIGN_IN), site(request).name))


@router.post("/api/sign-in/passkey", **gives(personal.SignedIn))
async def by_passkey(
    wish: UsedPasskey, request: Request, passkeys: services.Passkeys, door: Asked
) -> Response:
    door.knock()
    parts = {
        "clientDataJSON": wish.client, "authenticatorData": wish.authenticator,
        "signature": wish.signature,
    }  # fmt: skip
    player = await passkeys.player(site(request), as_credential(wish.id, parts))
    return await door.enter(player, along=wish.along)


@router.post("/api/me/link", **gives(personal.DeviceLink, what="For your other device only."))
async def link(accounts: services.Accounts, links: services.Links, player: Player) -> Response:
    await accounts.of(player)
    return answer(personal.DeviceLink(await links.made(player), SECONDS))


@router.post("/api/sign-in/look", **gives(personal.Invited, what="Who a link would make you."))
async def look(
    wish: LinkWish, accounts: services.Accounts, links: services.Links, door: Asked
) -> Response:
    door.knock()
    player = await links.read(wish.token)
    return answer(personal.Invited((await accounts.of(player)).handle))


@router.post("/api/sign-in/link", **gives(personal.SignedIn))
async def by_link(wish: LinkWish, links: services.Links, door: Asked) -> Response:
    door.knock()
    return await door.enter(await links.used(wish.token), along=wish.along)


@router.post("/api/me/sign-out", **gives(personal.Done))
async def sign_out(
    wish: SignOutWish, accounts: services.Accounts, browser: Asking, anyone: Anyone
) -> Response:
    """Sign out of this browser, which is the guest again that it was; or `everywhere` else: all
    cookies and links of before are nobody's from then on."""
    await accounts.of(anyone)  # or nobody could come back to what a guest plays
    if wish.everywhere:
        browser.become(await browser.sessions.end_all(anyone))
    else:
        await browser.leave()
    return answer(personal.Done())
