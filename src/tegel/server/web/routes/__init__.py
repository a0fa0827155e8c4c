"""The HTTP API, by subject, and what its parts share: who asks, and how answers look."""

from collections.abc import Callable
from typing import Annotated, Any, get_args, get_origin

import msgspec
from fastapi import Depends, Request
from starlette.responses import Response

from tegel.place.accounts.standing import BANNED
from tegel.place.wire import messages
from tegel.place.wire.text import checked
from tegel.room.refused import Refused
from tegel.server.web import services
from tegel.server.web.cookies import cookie_session, renew_cookies, set_cookie
from tegel.server.web.gate import SAFE, payer

REF = "#/components/schemas/{name}"


async def legible_body(request: Request) -> None:
    """Refuse a body of JSON with text that can't be kept; what else it is, its reader says."""
    try:
        value = await request.json()  # read once, also by the app
    except (ValueError, RecursionError):
        return
    checked(value)


async def anyone(request: Request, tokens: services.Tokens, sessions: services.Sessions) -> str:
    """Who asks, or nobody; also who is banned."""
    if token := request.headers.get("authorization", "").removeprefix("Bearer "):
        program = await tokens.program(token)
        if not program:
            raise Refused("token", "This token is not known.")
        return program
    renew_cookies(request, sessions)
    return (await cookie_session(sessions, request.cookies)).player


async def reader(
    request: Request, anyone: Annotated[str, Depends(anyone)], standing: services.Standing
) -> str:
    """Who asks, or nobody. Who is banned may look, and no more."""
    if request.method not in SAFE and await standing.is_banned(anyone):
        raise Refused("banned", BANNED)
    return anyone


async def player(
    request: Request, reader: Annotated[str, Depends(reader)], sessions: services.Sessions
) -> str:
    """Who asks; a browser that is nobody yet becomes someone."""
    if reader:
        return reader
    found = sessions.new()
    set_cookie(request, "player", sessions.sealed(found))
    return found.player


async def _has_token(request: Request) -> None:
    if not request.headers.get("authorization"):
        raise Refused("token", "This needs a token: Authorization: Bearer ...")


async def program(
    _: Annotated[None, Depends(_has_token)], reader: Annotated[str, Depends(reader)]
) -> str:
    """Which program asks."""
    return reader


def charged(*what: str) -> Any:
    """Whoever asks for this pays for it, player and network; the latter is told."""

    async def pay(
        request: Request, reader: Annotated[str, Depends(reader)], budget: services.Budget
    ) -> str:
        paying = payer(request.scope)
        budget.charge(paying, reader, *what)
        return paying

    return Depends(pay)


async def _payer(request: Request) -> str:
    return payer(request.scope)


Payer = Annotated[str, Depends(_payer)]
Anyone = Annotated[str, Depends(anyone)]
Reader = Annotated[str, Depends(reader)]
Player = Annotated[str, Depends(player)]
Program = Annotated[str, Depends(program)]


def answer(value: object, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    return Response(msgspec.json.encode(value), status, headers, "application/json")


def plain(schema: Any) -> Any:
    """A schema without `prefixItems`, which not every tool understands: all our tuples have
    entries of one kind, so a fixed length says as much."""
    if isinstance(schema, list | tuple):
        return [plain(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    found = {key: plain(value) for key, value in schema.items()}
    if kinds := found.pop("prefixItems", None):
        assert all(kind == kinds[0] for kind in kinds)
        found["items"] = kinds[0]
    return found


def reference(kind: Any) -> Any:
    """Where OpenAPI describes a struct, or several: there (see `schema`) all are described in one
    go, and only if somebody asks."""
    if isinstance(kind, msgspec.StructMeta):
        return {"$ref": REF.format(name=kind.__name__)}
    if get_origin(kind) is list:
        return {"type": "array", "items": reference(*get_args(kind))}
    (schema,), _ = msgspec.json.schema_components([kind], ref_template=REF)
    return plain(schema)


def gives(kind: Any, status: int = 200, what: str = "") -> dict[str, Any]:
    """How OpenAPI describes an answer that is a struct of the wire."""
    return {
        "response_class": Response,
        "status_code": status,
        "responses": {
            status: {
                "description": what or "Done.",
                "content": {"application/json": {"schema": reference(kind)}},
            }
        },
    }


ERRORS: dict[int | str, dict[str, Any]] = {
    "4XX": {
        "description": "Refused, in a sentence.",
        "content": {"application/json": {"schema": {"$ref": REF.format(name="Error")}}},
    }
}
STATUS: dict[str, int] = {
    "storage": 503,
    "missing": 404, "seat": 403, "held": 403, "link": 403, "rate": 429, "busy": 429, "token": 401,
    "illegal": 422, "notation": 422, "level": 422, "invalid": 422, "record": 422, "origin": 403,
    "length": 422, "letters": 422, "digits": 422, "scripts": 422, "hyphens": 422, "reserved": 422,
    "code": 403, "passkey": 403, "unverified": 403, "late": 403, "banned": 403, "blocked": 403,
    "hidden": 403, "owner": 403,
}  # fmt: skip
"""By code of a refusal; others are conflicts: 409."""

Handler = Callable[[Request, Exception], Response]


def error(code: str, text: str, status: int | None = None, **more: Any) -> Response:
    return answer(messages.Error(code, text, **more), status or STATUS.get(code, 409))
