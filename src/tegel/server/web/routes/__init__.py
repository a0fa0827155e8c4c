"""The HTTP API, by subject, and what its parts share: who asks, and how answers look."""

from collections.abc import Callable, Iterable
from typing import Annotated, Any, TypeVar, get_args, get_origin

import msgspec
from fastapi import Depends, Request
from starlette.responses import Response

from tegel.place.accounts.identity import (
    BEFORE,
    COOKIE,
    HOST_ONLY,
    YEAR,
    Session,
    new_player,
    session,
)
from tegel.place.accounts.standing import BANNED
from tegel.place.lobby import Lobby
from tegel.place.ports import Work
from tegel.place.wire import messages
from tegel.place.wire.text import checked
from tegel.room.refused import Refused
from tegel.server.web.gate import SAFE, payer
from tegel.server.worker import Worker

T = TypeVar("T")
REF = "#/components/schemas/{name}"


def worker(request: Request) -> Worker:
    found: Worker = request.app.state.worker
    return found


async def cookie_session(
    worker: Worker, cookies: dict[str, str], name: str = COOKIE, purpose: str = "player"
) -> Session:
    """What a cookie says, if we signed it and it has not ended; or that it is nobody's."""
    seal = cookies.get(HOST_ONLY + name) or cookies.get(name, "")
    found = session(worker.seals.opened(purpose, seal) or "")
    return found if await worker.standing.holds(found) else Session("")


def set_cookie(request: Request, name: str, seal: str) -> None:
    """Give a browser a cookie; an empty one ends it. Over HTTPS one of an earlier version, which
    other sites of the domain could have set, is ended."""
    if request.scope["state"]["https"]:
        if name in request.cookies:
            _add_cookie(request, name, "", "; Secure")
        _add_cookie(request, HOST_ONLY + name, seal, "; Secure")
    else:
        _add_cookie(request, name, seal)


def _add_cookie(request: Request, name: str, seal: str, secure: str = "") -> None:
    age = YEAR if seal else 0
    cookie = f"{name}={seal}; Max-Age={age}; Path=/; HttpOnly; SameSite=Lax{secure}"
    request.scope["state"].setdefault("cookies", []).append(cookie)


def _replace_cookies(request: Request) -> None:
    """Give a browser that comes over HTTPS the cookies anew that an earlier version gave it. What
    we have not signed is not sent back: another site may have set it."""
    if request.scope["state"]["https"]:
        for name, purpose in ((COOKIE, "player"), (BEFORE, "before")):
            seal = request.cookies.get(name, "")
            ours = worker(request).seals.opened(purpose, seal) is not None
            if ours and HOST_ONLY + name not in request.cookies:
                set_cookie(request, name, seal)


async def legible_body(request: Request) -> None:
    """Refuse a body of JSON with text that can't be kept; what else it is, its reader says."""
    try:
        value = await request.json()  # read once, also by the app
    except (ValueError, RecursionError):
        return
    checked(value)


async def anyone(request: Request) -> str:
    """Who asks, or nobody; also who is banned."""
    here = worker(request)
    if token := request.headers.get("authorization", "").removeprefix("Bearer "):
        program = await here.program(token)
        if program is None:
            raise Refused("token", "This token is not known.")
        return program
    _replace_cookies(request)
    return (await cookie_session(here, request.cookies)).player


async def reader(request: Request) -> str:
    """Who asks, or nobody. Who is banned may look, and no more."""
    found = await anyone(request)
    if request.method not in SAFE and await worker(request).standing.is_banned(found):
        raise Refused("banned", BANNED)
    return found


async def player(request: Request) -> str:
    """Who asks; a browser that is nobody yet becomes someone."""
    found = await reader(request)
    if not found:
        found = new_player()
        set_cookie(request, COOKIE, worker(request).seals.sealed("player", found))
    return found


async def program(request: Request) -> str:
    """Which program asks."""
    if not request.headers.get("authorization"):
        raise Refused("token", "This needs a token: Authorization: Bearer ...")
    return await reader(request)


def charged(*what: str) -> Any:
    """Whoever asks for this pays for it, player and network; the latter is told."""

    async def pay(request: Request, reader: Annotated[str, Depends(reader)]) -> str:
        paying = payer(request.scope)
        worker(request).budget.charge(paying, reader, *what)
        return paying

    return Depends(pay)


def service(name: str) -> Any:
    """One of the services, by its name."""

    def given(request: Request) -> Any:
        return getattr(request.app.state.worker, name)

    return Depends(given)


def _payer(request: Request) -> str:
    return payer(request.scope)


Payer = Annotated[str, Depends(_payer)]
Rooms = Annotated[Lobby, service("lobby")]
Queues = Annotated[Work, service("pools")]
Here = Annotated[Worker, Depends(worker)]
Anyone = Annotated[str, Depends(anyone)]
Reader = Annotated[str, Depends(reader)]
Player = Annotated[str, Depends(player)]
Program = Annotated[str, Depends(program)]


def answer(value: Any, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    return Response(msgspec.json.encode(value), status, headers, "application/json")


def legible(here: Worker, rows: Iterable[Any], read: Callable[[Any], T]) -> list[T]:
    """What rows of the table `rooms` say; one that can't be read is reported and left out."""
    found = []
    for row in rows:
        try:
            found.append(read(row))
        except ValueError as error:
            here.house.report(row.id, error)
    return found


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
