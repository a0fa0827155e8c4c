"""The sockets. One that reads too slowly is cut off, never waited for."""

import logging
import time
from contextlib import suppress
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from tegel.room import actions
from tegel.room.refused import Refused
from tegel.server import metrics
from tegel.server.limits import Bucket
from tegel.server.people.identity import Session
from tegel.server.people.standing import BANNED
from tegel.server.rooms.broadcast import said
from tegel.server.rooms.live_room import LiveRoom
from tegel.server.storage.store import AWAY
from tegel.server.web.gate import payer
from tegel.server.web.transport import Socket as Wire
from tegel.server.wire import copies, messages
from tegel.server.worker import Worker

logger = logging.getLogger("tegel.sockets")
MOST_RUDE = 50  # messages over the rate, or unreadable, before the socket is closed
UNSAVED = "That could not be saved just now; what you see is safe. Please try again."
POLICY, LATER = 1008, 1013


class Socket:
    """A watcher of rooms at the other end of a socket."""

    def __init__(self, socket: WebSocket, session: Session) -> None:
        self.socket, self.session, self.player = socket, session, session.player
        self.wire: Wire = socket.scope["state"]["wire"]
        self.seats: tuple[int, ...] = ()
        self.closed = False

    def send(self, *messages: bytes) -> None:
        """Past the layers between: a message to everybody should cost nobody a task."""
        if not self.closed and not self.wire.say(messages):
            metrics.DROPPED.inc()
            self.closed = True


async def serve(worker: Worker, socket: WebSocket, id: str, session: Session) -> None:
    """Talk with one client about one room, until it leaves."""
    await socket.accept()
    try:
        live = await worker.find(id, payer(socket.scope), session.player)
    except Refused as refused:
        await socket.send_text(said(error(refused)).decode())
        await socket.close(POLICY)
        return
    except AWAY as away:
        logger.error("storage is away: %s", away)
        await socket.send_text(said(messages.Error("storage", UNSAVED)).decode())
        await socket.close(LATER)
        return
    watcher = Socket(socket, session)
    metrics.SOCKETS.inc()
    live.guests += 1
    try:
        await _hear(worker, live, watcher)
    finally:
        metrics.SOCKETS.dec()
        live.guests -= 1
        watcher.closed = True
        worker.house.leave(live, watcher)


async def _hear(worker: Worker, live: LiveRoom, watcher: Socket) -> None:
    bucket = Bucket(*worker.settings.limits.messages, time.monotonic)
    rude = 0
    while rude < MOST_RUDE:
        try:
            message = await watcher.socket.receive()
        except (WebSocketDisconnect, RuntimeError):
            return
        if message["type"] == "websocket.disconnect":
            return
        if watcher.closed:
            return
        try:
            if not bucket.take():
                raise Refused("rate", "Slower, please: too many messages.")
            await _do(worker, live, watcher, _read(message))
        except Refused as refused:
            rude += refused.code in ("rate", "unreadable", "size")
            metrics.REFUSED.labels(refused.code).inc()
            watcher.send(said(error(refused, live)))
        except AWAY as away:
            logger.error("storage is away: %s", away)
            watcher.send(said(messages.Error("storage", UNSAVED, live.room.ply)))
        except Exception:
            logger.exception("a message could not be served")
            watcher.send(
                said(messages.Error("failed", "Something went wrong here.", live.room.ply))
            )
    with suppress(Exception):
        await watcher.socket.close(POLICY, "too many bad messages")


def _read(message: Any) -> messages.Incoming:
    data: str | bytes = message.get("text") or message.get("bytes") or b""
    if len(data) > messages.LONGEST:
        raise Refused("size", f"A message has at most {messages.LONGEST} bytes.")
    try:
        return messages.decode(data)
    except ValueError as error:
        raise Refused("unreadable", f"The message can't be read: {error}") from None


async def _do(worker: Worker, live: LiveRoom, watcher: Socket, message: messages.Incoming) -> None:
    house = worker.house
    match message:
        case messages.Ping():
            watcher.send(said(messages.Pong(worker.heartbeat.now())))
        case messages.Join():
            await house.join(live, watcher, message.since)
        case messages.React():
            check(worker, watcher)
            await worker.react(live, watcher.player, message.key)
        case _:
            check(worker, watcher)
            if not watcher.player:
                raise Refused("seat", "Only players at this table can do that.")
            if isinstance(message, actions.Sit):
                message.name = await worker.called(watcher.player, message.name)
            await worker.act(live, watcher.player, message, payer(watcher.socket.scope))


def check(worker: Worker, watcher: Socket) -> None:
    """Raise Refused for who may not act any more since the socket was opened."""
    if not worker.standing.holds(watcher.session):
        raise Refused("ended", "You were signed out, here and everywhere: please sign in again.")
    if worker.standing.is_banned(watcher.player):
        raise Refused("banned", BANNED)


def error(refused: Refused, live: LiveRoom | None = None) -> messages.Error:
    return messages.Error(
        code=refused.code,
        text=refused.text,
        ply=live.room.ply if live else -1,
        rule=refused.rule,
        args=copies.plain(refused.args_by_name),
        cells=refused.cells,
    )
