"""The socket of somebody who watches a room, or plays in it."""

from functools import partial

from starlette.websockets import WebSocket

from tegel.place.accounts.identity import Session
from tegel.place.rooms.live_room import LiveRoom
from tegel.place.wire import messages
from tegel.server import metrics
from tegel.server.web.conversation import Socket, check, found, hear, look
from tegel.server.web.gate import payer
from tegel.server.worker import Worker


class Watcher(Socket):
    """Who watches a room at the other end of a socket."""

    def __init__(self, live: LiveRoom, socket: WebSocket, session: Session) -> None:
        super().__init__(socket, session)
        self.live = live

    @property
    def ply(self) -> int:
        return self.live.room.ply


async def serve(worker: Worker, socket: WebSocket, id: str, session: Session) -> None:
    """Talk with one client about one room, until it leaves."""
    live = await found(socket, worker.lobby.find(id, payer(socket.scope), session.player))
    if not live:
        return
    watcher = Watcher(live, socket, session)
    metrics.SOCKETS.inc()
    live.guests += 1
    try:
        await hear(worker, watcher, messages.decode, partial(_do, worker, live, watcher))
    finally:
        metrics.SOCKETS.dec()
        live.guests -= 1
        watcher.closed = True
        worker.house.leave(live, watcher)


async def _do(worker: Worker, live: LiveRoom, watcher: Socket, message: messages.Incoming) -> None:
    if isinstance(message, messages.Join):
        look(worker, watcher)
    elif not isinstance(message, messages.Ping):
        await check(worker, watcher)
    await worker.lobby.hear(live, watcher, message, payer(watcher.socket.scope))
