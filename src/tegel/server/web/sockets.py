"""The socket of somebody who watches a room, or plays in it."""

from functools import partial

from starlette.websockets import WebSocket

from tegel.place.accounts.identity import Session
from tegel.place.rooms.broadcast import said
from tegel.place.rooms.live_room import LiveRoom
from tegel.place.wire import messages
from tegel.room import actions
from tegel.room.refused import Refused
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
    live = await found(socket, worker.find(id, payer(socket.scope), session.player))
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
    house = worker.house
    match message:
        case messages.Ping():
            watcher.send(said(messages.Pong(worker.heartbeat.now())))
        case messages.Join():
            look(worker, watcher)
            newcomer = await worker.newcomer(live, watcher.player, payer(watcher.socket.scope))
            await house.join(live, watcher, message.since, newcomer)
        case messages.React():
            await check(worker, watcher)
            await worker.react(live, watcher.player, message.key)
        case _:
            await check(worker, watcher)
            if not watcher.player:
                raise Refused("seat", "Only players at this table can do that.")
            if isinstance(message, actions.Sit):
                message.name = await worker.called(watcher.player, message.name)
            await worker.act(live, watcher.player, message, payer(watcher.socket.scope))
