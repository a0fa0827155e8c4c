"""The HTTP API, by subject, and what its parts share: who asks, and how answers look."""

from collections.abc import Callable, Iterable
from typing import Annotated, Any, TypeVar

import msgspec
from fastapi import Depends, Request
from starlette.responses import Response

from tegel.room.refused import Refused
from tegel.server.people.identity import COOKIE, YEAR, new_player
from tegel.server.web.gate import payer
from tegel.server.wire import messages
from tegel.server.wire.text import checked
from tegel.server.worker import Worker

T = TypeVar("T")
REF = "#/components/schemas/{name}"


def worker(request: Request) -> Worker:
    found: Worker = request.app.state.worker
    return found


def cookie_player(worker: Worker, cookies: dict[str, str]) -> str:
    """The player a cookie speaks of, if we signed it."""
    return worker.seals.opened("player", cookies.get(COOKIE, "")) or ""


async def legible_body(request: Request) -> None:
    """Refuse a body of JSON with text that can't be kept; what else it is, its reader says."""
    try:
        value = await request.json()  # read once, also by the app
    except (ValueError, RecursionError):
        return
    checked(value)


async def reader(request: Request) -> str:
    """Who asks, or nobody."""
    here = worker(request)
    if token := request.headers.get("authorization", "").removeprefix("Bearer "):
        program = await here.program(token)
        if program is None:
            raise Refused("token", "This token is not known.")
        return program
    return cookie_player(here, request.cookies)


async def player(request: Request) -> str:
    """Who asks; a browser that is nobody yet becomes someone."""
    found = await reader(request)
    if not found:
        found = new_player()
        seal = worker(request).seals.sealed("player", found)
        request.scope.setdefault("state", {})["cookie"] = (
            f"{COOKIE}={seal}; Max-Age={YEAR}; Path=/; HttpOnly; SameSite=Lax"
        )
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


def _payer(request: Request) -> str:
    return payer(request.scope)


Payer = Annotated[str, Depends(_payer)]
Here = Annotated[Worker, Depends(worker)]
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


def gives(kind: Any, status: int = 200, what: str = "") -> dict[str, Any]:
    """How OpenAPI describes an answer that is a struct of the wire."""
    (schema,), _ = msgspec.json.schema_components([kind], ref_template=REF)
    return {
        "response_class": Response,
        "status_code": status,
        "responses": {
            status: {
                "description": what or "Done.",
                "content": {"application/json": {"schema": plain(schema)}},
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
    "missing": 404, "seat": 403, "held": 403, "link": 403, "rate": 429, "busy": 429, "token": 401,
    "illegal": 422, "notation": 422, "level": 422, "invalid": 422, "record": 422, "origin": 403,
    "hidden": 403,
}  # fmt: skip
"""By code of a refusal; others are conflicts: 409."""

Handler = Callable[[Request, Exception], Response]


def error(code: str, text: str, status: int | None = None, **more: Any) -> Response:
    return answer(messages.Error(code, text, **more), status or STATUS.get(code, 409))
