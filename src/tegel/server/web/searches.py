"""The socket of somebody who looks for a player: the search lasts as long as it is open."""

import logging
import time
from contextlib import suppress

from starlette.websockets import WebSocket, WebSocketDisconnect

from tegel.game import BadNotation
from tegel.room.judge import is_bot
from tegel.room.refused import Refused
from tegel.server import metrics
from tegel.server.limits import Bucket
from tegel.server.people.identity import Session
from tegel.server.people.pairing import said
from tegel.server.storage.store import AWAY
from tegel.server.web.gate import payer
from tegel.server.web.sockets import MOST_RUDE, POLICY, UNSAVED, Socket, check, error
from tegel.server.wire import messages, pairing
from tegel.server.worker import Worker

logger = logging.getLogger("tegel.searches")


async def serve(worker: Worker, socket: WebSocket, session: Session) -> None:
    """Look for somebody for one client, until it leaves."""
    await socket.accept()
    seeker = Socket(socket, session)
    metrics.SOCKETS.inc()
    try:
        await _hear(worker, seeker)
    finally:
        metrics.SOCKETS.dec()
        seeker.closed = True
        worker.house.background.start(_end(worker, seeker))


async def _end(worker: Worker, seeker: Socket) -> None:
    try:
        await worker.pairing.end(seeker)
    except AWAY as away:
        logger.error("storage is away: %s", away)


async def _hear(worker: Worker, seeker: Socket) -> None:
    bucket = Bucket(*worker.settings.limits.messages, time.monotonic)
    rude = 0
    while rude < MOST_RUDE:
        try:
            message = await seeker.socket.receive()
        except (WebSocketDisconnect, RuntimeError):
            return
        if message["type"] == "websocket.disconnect" or seeker.closed:
            return
        try:
            if not bucket.take():
                raise Refused("rate", "Slower, please: too many messages.")
            await _do(worker, seeker, message.get("text") or message.get("bytes") or b"")
        except Refused as refused:
            rude += refused.code in ("rate", "unreadable", "size")
            seeker.send(said(error(refused)))
        except BadNotation as wrong:
            seeker.send(said(messages.Error("notation", str(wrong))))
        except AWAY as away:
            logger.error("storage is away: %s", away)
            seeker.send(said(messages.Error("storage", UNSAVED)))
    with suppress(Exception):
        await seeker.socket.close(POLICY, "too many bad messages")


async def _do(worker: Worker, seeker: Socket, data: str | bytes) -> None:
    if len(data) > messages.LONGEST:
        raise Refused("size", f"A message has at most {messages.LONGEST} bytes.")
    try:
        message = pairing.decode(data)
    except ValueError as wrong:
        raise Refused("unreadable", f"The message can't be read: {wrong}") from None
    if isinstance(message, pairing.Seek):
        if not seeker.player or is_bot(seeker.player):
            raise Refused("seat", "People are paired, by the cookie of their browser.")
        paying = payer(seeker.socket.scope)
        check(worker, seeker)
        worker.budget.charge(paying, seeker.player, "search")
        worker.fairness.met(seeker.player, paying)
        message.name = await worker.called(seeker.player, message.name)
        await worker.pairing.begin(seeker, message)
    else:
        seeker.send(said(messages.Pong(worker.heartbeat.now())))
