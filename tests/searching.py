"""People who look for somebody to play with, over the socket of searches."""

import json
from typing import Any

from websockets.sync.client import connect

from servers import OPEN, Message, Person, Tegel

DUO = {"game": "blokus", "variant": "duo", "clock": "bank 300 5"}


class Search:
    """A window in which somebody looks for a player."""

    def __init__(
        self, person: Person, ticket: str = "one", server: Tegel | None = None, **wish: Any
    ) -> None:
        self.person, self.wish = person, wish
        self.connect(person, server)
        self.seek(ticket, **wish)

    def connect(self, person: Person, server: Tegel | None = None) -> None:
        port = (server or person.server).port
        self.connection = connect(
            f"ws://127.0.0.1:{port}/api/search", additional_headers={"Cookie": person.cookie()},
            compression=None, ping_interval=None, proxy=None, legacy=True,
        )  # fmt: skip
        OPEN.append(self)  # type: ignore[arg-type]

    def seek(self, ticket: str, **wish: Any) -> None:
        self.send(t="seek", ticket=ticket, **{**DUO, **wish})

    def send(self, **message: Any) -> None:
        self.connection.send(json.dumps(message))

    def wait(self, *kinds: str, seconds: float = 20) -> Message:
        while True:
            message: Message = json.loads(self.connection.recv(seconds))
            if message["t"] in kinds:
                return message

    def close(self) -> None:
        self.connection.close()
