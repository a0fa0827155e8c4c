"""The socket of somebody who looks for a player: the search lasts as long as it is open."""

import logging
from functools import partial

from starlette.websockets import WebSocket

from tegel.place.accounts.identity import Session
from tegel.place.pairing.pairing import said
from tegel.place.ports import AWAY
from tegel.place.wire import messages, pairing
from tegel.room.judge import is_bot
from tegel.room.refused import Refused
from tegel.server import metrics
from tegel.server.web.conversation import Socket, check, hear
from tegel.server.web.gate import payer
from tegel.server.worker import Worker

logger = logging.getLogger("tegel.searches")


async def serve(worker: Worker, socket: WebSocket, session: Session) -> None:
    """Look for somebody for one client, until it leaves."""
    await socket.accept()
    seeker = Socket(socket, session)
    metrics.SOCKETS.inc()
    try:
        await hear(worker, seeker, pairing.decode, partial(_do, worker, seeker))
    finally:
        metrics.SOCKETS.dec()
        seeker.closed = True
        worker.house.background.start(_end(worker, seeker))


async def _end(worker: Worker, seeker: Socket) -> None:
    try:
        await worker.pairing.end(seeker)
    except AWAY as away:
        logger.error("storage is away: %s", away)


async def _do(worker: Worker, seeker: Socket, message: pairing.Seek | messages.Ping) -> None:
    if isinstance(message, pairing.Seek):
        if not seeker.player or is_bot(seeker.player):
            raise Refused("seat", "People are paired, by the cookie of their browser.")
        paying = payer(seeker.socket.scope)
        await check(worker, seeker)
        worker.budget.charge(paying, seeker.player, "search")
        worker.fairness.met(seeker.player, paying)
        message.name = await worker.called(seeker.player, message.name)
        await worker.pairing.begin(seeker, message, paying)
    else:
        seeker.send(said(messages.Pong(worker.heartbeat.now())))
