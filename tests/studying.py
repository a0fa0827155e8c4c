"""What the tests of studies share: a game that is over, a study, and a socket that follows one."""

import json
import time
from typing import Any

from playwright.sync_api import APIRequestContext
from websockets.sync.client import ClientConnection, connect

from servers import OPEN, Message, Person, Tegel, until

DUO = """game: blokus
variant: duo

F.0@d9
F.0@i3
"""


def study(person: Person, **wish: Any) -> Message:
    """A new study; without a wish of a short game of Duo."""
    made: Message = person.ok("POST", "/api/studies", wish or {"text": DUO})
    return made


def judged(request: APIRequestContext, text: str) -> str:
    """The name of a new study of a game, after its report was made."""
    id: str = request.post("/api/studies", data={"text": text}).json()["id"]
    until(lambda: request.post(f"/api/studies/{id}/report").json()["complete"], "a report", 90)
    return id


class Student:
    """Who follows a study over a socket, and remembers what was told."""

    def __init__(self, person: Person, id: str, server: Tegel | None = None) -> None:
        port = (server or person.server).port
        self.connection: ClientConnection = connect(
            f"ws://127.0.0.1:{port}/api/studies/{id}/socket",
            additional_headers={"Cookie": person.cookie()},
            compression=None, max_size=None, ping_interval=None, proxy=None, legacy=True,
        )  # fmt: skip
        OPEN.append(self)  # type: ignore[arg-type]
        self.rows = -1
        self.send(t="follow", rows=-1)

    def send(self, **message: Any) -> None:
        self.connection.send(json.dumps(message))

    def wait(self, *kinds: str, seconds: float = 30) -> Message:
        """The next message of one of these kinds."""
        end = time.monotonic() + seconds
        while True:
            message: Message = json.loads(self.connection.recv(max(0.01, end - time.monotonic())))
            self.rows = message.get("rows", self.rows)
            if message["t"] in kinds:
                return message

    def change(self, text: str) -> Message:
        """Change the study, and what comes of it."""
        self.send(t="change", rows=self.rows, text=text)
        return self.wait("study", "error")

    def close(self) -> None:
        self.connection.close()
