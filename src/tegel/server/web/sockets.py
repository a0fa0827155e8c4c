"""The socket of somebody who watches a room, or plays in it."""

from dataclasses import dataclass
from functools import partial

from starlette.websockets import WebSocket

from tegel.place.accounts.identity import Session
from tegel.place.lobby import Lobby
from tegel.place.rooms.live_room import LiveRoom
from tegel.place.wire import messages
from tegel.server import metrics
from tegel.server.web.conversation import Conversation, Socket, found
from tegel.server.web.gate import payer


class Watcher(Socket):
    """Who watches a room at the other end of a socket."""

    def __init__(self, live: LiveRoom, socket: WebSocket, session: Session) -> None:
        super().__init__(socket, session)
        self.live = live

    @property
    def ply(self) -> int:
        return self.live.room.ply


@dataclass(frozen=True)
class RoomSockets:
    """Serves the sockets of people who watch rooms."""

    conversation: Conversation
    lobby: Lobby

    async def serve(self, socket: WebSocket, id: str, session: Session) -> None:
        """Talk with one client about one room, until it leaves."""
        live = await found(socket, self.lobby.find(id, payer(socket.scope), session.player))
        if not live:
            return
        watcher = Watcher(live, socket, session)
        metrics.SOCKETS.inc()
        live.guests += 1
        try:
            do = partial(self._do, live, watcher)
            await self.conversation.hear(watcher, messages.decode, do)
        finally:
            metrics.SOCKETS.dec()
            live.guests -= 1
            watcher.closed = True
            self.lobby.house.leave(live, watcher)

    async def _do(self, live: LiveRoom, watcher: Socket, message: messages.Incoming) -> None:
        if isinstance(message, messages.Join):
            self.conversation.look(watcher)
        elif not isinstance(message, messages.Ping):
            await self.conversation.check(watcher)
        await self.lobby.hear(live, watcher, message, payer(watcher.socket.scope))
