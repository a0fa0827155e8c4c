"""The start of a server: it says when it serves or, in a sentence and not a traceback, why it
can't."""

import sys
from collections.abc import Callable
from pathlib import Path
from socket import socket
from traceback import extract_tb
from typing import Any

import uvicorn
from uvicorn.lifespan.on import LifespanOn

from tegel.server.storage.first_use import is_trouble, reason


class Unstarted(ValueError):
    """Why a server could not start, in a sentence."""


class Server(uvicorn.Server):
    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self.ready = ready

    async def startup(self, sockets: list[socket] | None = None) -> None:
        self.lifespan = lifespan = Lifespan(self.config)
        try:
            await super().startup(sockets)
        except SystemExit:
            if lifespan.trouble:
                raise Unstarted(lifespan.trouble) from None
            raise
        if self.started:
            self.ready()


class Lifespan(LifespanOn):
    trouble = ""  # why the app could not start

    async def send(self, message: Any) -> None:
        if message["type"] == "lifespan.startup.failed" and (error := sys.exception()):
            self.trouble = sentence(error)
            message = {**message, "message": ""}  # it would be the traceback
        await super().send(message)


def sentence(error: BaseException) -> str:
    """What kept an app from starting. If it is no error of the database, what is stored may make
    no sense: where we met that helps to find out."""
    if isinstance(error, Exception) and is_trouble(error):
        return f"the server can't start: {reason(error)}"
    place = extract_tb(error.__traceback__)[-1]
    where = f"{Path(place.filename).name}:{place.lineno}"
    said = " ".join(f"{type(error).__name__} in {where}: {error}".split())
    return f"the server can't start, perhaps because what is stored is damaged: {said}"
