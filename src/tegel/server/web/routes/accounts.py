"""A name that lasts: keep one, change it, and have passkeys to come back to it."""

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field
from starlette.responses import Response

from tegel.place.accounts.passkeys import REGISTER
from tegel.place.limits.rates import Rates
from tegel.place.wire import personal
from tegel.room.judge import is_bot
from tegel.room.refused import Refused
from tegel.server.web import services
from tegel.server.web.routes import Payer, Player, Reader, answer, gives
from tegel.server.web.routes.sign_in import Base64, Id, as_credential, site

router = APIRouter(tags=["you"])


class HandleWish(BaseModel):
    handle: str = Field(max_length=200, examples=["Ann"])


class NewPasskey(BaseModel):
    """What `navigator.credentials.create` gave, in base64url."""

    id: Id
    client: Base64
    attestation: Base64


class PasskeyChoice(BaseModel):
    id: Id


# Keeping a name


async def _account(
    accounts: services.Accounts, passkeys: services.Passkeys, player: str
) -> personal.Account:
    found = await accounts.of(player)
    keys = [personal.Passkey(key.id, key.at, key.used) for key in await passkeys.of(player)]
    return personal.Account(found.handle, found.at, tuple(keys))


@router.get("/api/me/account", **gives(personal.Account))
async def account(
    accounts: services.Accounts, passkeys: services.Passkeys, reader: Reader
) -> Response:
    return answer(await _account(accounts, passkeys, reader))


@router.post("/api/me/account", **gives(personal.Kept, 201, "The code is told once: keep it."))
async def keep(
    wish: HandleWish,
    accounts: services.Accounts,
    rates: services.Rates,
    player: Player,
    payer: Payer,
) -> Response:
    """Keep a name, which nobody else then has, nor one that looks alike."""
    if is_bot(player):
        raise Refused("invalid", "A program keeps its name.")
    _check_names(rates, payer)
    handle, code = await accounts.keep(player, wish.handle)
    rates.names.take(payer)
    return answer(personal.Kept(handle, code), 201)


@router.put("/api/me/account", **gives(personal.Account))
async def change(
    wish: HandleWish,
    accounts: services.Accounts,
    passkeys: services.Passkeys,
    rates: services.Rates,
    player: Player,
    payer: Payer,
) -> Response:
    """Be called otherwise; the name before is reserved for you for 90 days."""
    _check_names(rates, payer)
    await accounts.rename(player, wish.handle)
    rates.names.take(payer)
    return answer(await _account(accounts, passkeys, player))


def _check_names(rates: Rates, payer: str) -> None:
    """Raise Refused where too many names were kept of late; what is refused costs nothing."""
    if rates.names.of(payer).wait():
        raise Refused("rate", "Too many names were kept from here: please wait.")


@router.post("/api/me/code", **gives(personal.Kept, what="The code before is good for nothing."))
async def code(accounts: services.Accounts, player: Player) -> Response:
    kept = await accounts.of(player)
    return answer(personal.Kept(kept.handle, await accounts.new_code(player)))


# Passkeys


@router.post("/api/me/passkeys/challenge", **gives(personal.Ceremony))
async def new_passkey(
    request: Request, accounts: services.Accounts, passkeys: services.Passkeys, player: Player
) -> Response:
    kept, where = await accounts.of(player), site(request)
    known = tuple(key.id for key in await passkeys.of(player))
    challenge = passkeys.challenge(REGISTER, player)
    return answer(personal.Ceremony(challenge, where.name, player, kept.handle, known))


@router.post("/api/me/passkeys", **gives(personal.Account, 201))
async def add_passkey(
    wish: NewPasskey,
    request: Request,
    accounts: services.Accounts,
    passkeys: services.Passkeys,
    player: Player,
) -> Response:
    where = site(request)
    parts = {"clientDataJSON": wish.client, "attestationObject": wish.attestation}
    await accounts.of(player)
    await passkeys.register(player, where, as_credential(wish.id, parts))
    return answer(await _account(accounts, passkeys, player), 201)


@router.post("/api/me/passkeys/remove", **gives(personal.Account))
async def remove_passkey(
    wish: PasskeyChoice, accounts: services.Accounts, passkeys: services.Passkeys, player: Player
) -> Response:
    await passkeys.remove(player, wish.id)
    return answer(await _account(accounts, passkeys, player))
