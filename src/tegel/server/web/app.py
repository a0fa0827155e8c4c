"""The app: a value built from settings. `docs/api.md` tells how to use it."""

import asyncio
import logging
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache
from hmac import compare_digest
from typing import Any

from fastapi import Depends, FastAPI, Request, WebSocket
from fastapi.exceptions import RequestValidationError
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest
from prometheus_client import REGISTRY as OWN
from prometheus_client.multiprocess import MultiProcessCollector
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.responses import Response

from tegel.game import BadNotation
from tegel.games import BadRecord
from tegel.place.accounts.identity import Session
from tegel.place.ports import AWAY, Broken
from tegel.room.refused import Refused
from tegel.server import process
from tegel.server.settings import Settings, settings
from tegel.server.web import documentation, page, services
from tegel.server.web.conversation import Conversation, put_off
from tegel.server.web.cookies import cookie_session
from tegel.server.web.gate import Gate, address
from tegel.server.web.routes import (
    ERRORS,
    accounts,
    answer,
    catalogue,
    error,
    history,
    leaving,
    legible_body,
    moments,
    people,
    profiles,
    puzzles,
    reading,
    records,
    rooms,
    safety,
    sheets,
    sign_in,
    studies,
)
from tegel.server.web.schema import described
from tegel.server.web.searches import SearchSockets
from tegel.server.web.sockets import RoomSockets
from tegel.server.web.studying import StudySockets
from tegel.server.worker import Worker

logger = logging.getLogger("tegel.app")
SETTINGS = "TEGEL_SETTINGS"  # how workers are told theirs
AILING: dict[int | str, dict[str, Any]] = {503: {**ERRORS["4XX"], "description": "Not now."}}


def worker() -> FastAPI:
    """The app of a worker process."""
    return app(settings(os.environ[SETTINGS]))


def app(chosen: Settings) -> FastAPI:
    @asynccontextmanager
    async def lifespan(made: FastAPI) -> AsyncIterator[dict[str, Any]]:
        here: Worker = made.state.worker
        with process.heard_signals(here.closing):
            process.settle()
            await here.open()
            logger.info("worker %s is ready (process %d)", here.ports.id, os.getpid())
            collecting = asyncio.create_task(process.collect_forever())
            yield {  # for the connections
                "timeout": chosen.timeout, "limits": chosen.limits,
                "refusals": here.rates.refusals, "connections": here.rates.connections,
            }  # fmt: skip
            collecting.cancel()
            await here.close()

    made = FastAPI(
        title="Tegel",
        version="1",
        description="Rooms in which people and programs play tile-laying games.",
        lifespan=lifespan,
        docs_url=None,  # they load scripts from elsewhere
        redoc_url=None,
        openapi_url="/api/openapi.json",
        responses=ERRORS,
    )
    made.state.worker = worker = Worker(chosen)
    made.add_middleware(Gate, settings=chosen, rates=worker.rates, clock=worker.ports.clock)
    _sockets(made, worker)  # first, as each passes all routes that come before its own
    for part in (
        reading, puzzles, catalogue, sheets, rooms, records, people, accounts, sign_in, leaving,
        safety, history, profiles, studies, moments,
    ):  # fmt: skip
        # What is brought to the records is text, and looked at as such.
        before = [] if part is records else [Depends(legible_body)]
        made.include_router(part.router, dependencies=before)
    _operation(made)
    _refusals(made)
    documentation.serve(made)
    page.serve(made)
    made.openapi = cache(lambda: described(made))  # type: ignore[method-assign]
    return made


def _operation(made: FastAPI) -> None:
    @made.get("/healthz", tags=["operation"], responses=AILING)
    async def healthz(health: services.Health) -> Response:
        """200 while what happens can be saved, 503 when not; within two seconds."""
        if trouble := await health.trouble():
            return error("storage", trouble, 503)
        return answer({"ok": True, "bus": health.bus.healthy})

    @made.get("/readyz", tags=["operation"], responses=AILING)
    async def readyz(health: services.Health, closing: services.Closing) -> Response:
        """200 once this worker may be asked, 503 before that, and when it is about to end."""
        ending = "This worker is about to end." if closing.is_set() else ""
        if trouble := ending or await health.unready():
            return error("unready", trouble, 503)
        return answer({"ok": True})

    @made.get("/metrics", include_in_schema=False)
    async def metrics(request: Request, settings: services.Settings) -> Response:
        token = request.headers.get("authorization", "").removeprefix("Bearer ")
        known = bool(token) and compare_digest(token.encode(), settings.metrics_token.encode())
        if not known or address(request.scope) not in settings.scrapers:
            return error("missing", "Not found.")
        registry: CollectorRegistry = OWN
        if os.environ.get("PROMETHEUS_MULTIPROC_DIR"):
            registry = CollectorRegistry()
            MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
        return Response(generate_latest(registry), media_type=CONTENT_TYPE_LATEST)


def _refusals(made: FastAPI) -> None:
    """Whatever people do wrong is answered in a sentence."""

    @made.exception_handler(Refused)
    async def refused(_: Request, error_: Refused) -> Response:
        found = error(
            error_.code, error_.text, 503 if isinstance(error_, Broken) else None,
            rule=error_.rule, args=error_.args_by_name, cells=error_.cells,
        )  # fmt: skip
        if found.status_code in (429, 503):
            found.headers["retry-after"] = str(error_.args_by_name.get("seconds", 10))
        return found

    @made.exception_handler(BadNotation)
    async def unreadable(_: Request, error_: BadNotation) -> Response:
        return error("notation", str(error_))

    @made.exception_handler(BadRecord)
    async def bad_record(_: Request, error_: BadRecord) -> Response:
        return error("record", str(error_))

    @made.exception_handler(RequestValidationError)
    async def invalid(_: Request, error_: RequestValidationError) -> Response:
        first: dict[str, Any] = dict(error_.errors()[0]) if error_.errors() else {}
        place = ".".join(map(str, first.get("loc", ())))
        return error("invalid", f"{place}: {first.get('msg', 'not valid')}")

    @made.exception_handler(ClientDisconnect)
    async def left(_: Request, __: ClientDisconnect) -> Response:
        return Response(status_code=400)  # nobody reads it

    async def away(_: Request, error_: Exception) -> Response:
        logger.error("storage is away: %s", error_)
        return error("storage", "The database does not answer; please try again.", 503)

    for kind in AWAY:
        made.add_exception_handler(kind, away)

    @made.exception_handler(Exception)
    async def failed(_: Request, error_: Exception) -> Response:
        logger.error("a request failed", exc_info=error_)
        return error("failed", "Something went wrong here.", 500)

    @made.exception_handler(HTTPException)
    async def http(_: Request, error_: HTTPException) -> Response:
        found = error("http", str(error_.detail), error_.status_code)
        found.headers.update(error_.headers or {})
        return found


def _sockets(made: FastAPI, worker: Worker) -> None:
    people, house, study = worker.people, worker.house, worker.studies
    conversation = Conversation(
        worker.settings.limits, worker.ports.clock, worker.rates, people.standing
    )
    watching = RoomSockets(conversation, worker.lobby)
    seeking = SearchSockets(
        conversation, worker.pairing, people.names, worker.budget, worker.safety.fairness, house
    )
    studying = StudySockets(
        conversation, study.trees, study.analyses, study.reports, worker.budget, house
    )

    @made.websocket("/api/rooms/{room}/socket")
    async def socket(websocket: WebSocket, room: str) -> None:
        await watching.serve(websocket, room, await who(websocket))

    @made.websocket("/api/search")
    async def search(websocket: WebSocket) -> None:
        await seeking.serve(websocket, await who(websocket))

    @made.websocket("/api/studies/{id}/socket")
    async def look_into(websocket: WebSocket, id: str) -> None:
        await studying.serve(websocket, id, await who(websocket))

    async def who(websocket: WebSocket) -> Session:
        token = websocket.headers.get("authorization", "").removeprefix("Bearer ")
        try:
            if token and (program := await people.tokens.program(token)):
                return Session(program)
            return await cookie_session(people.sessions, websocket.cookies)
        except AWAY as away:
            await put_off(websocket, away)
