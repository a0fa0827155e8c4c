"""The socket of somebody who looks for a player: the search lasts as long as it is open."""

import logging
from dataclasses import dataclass
from functools import partial

from starlette.websockets import WebSocket

from tegel.place.accounts.identity import Session
from tegel.place.accounts.names import Names
from tegel.place.limits.limits import Budget
from tegel.place.pairing.pairing import Pairing, said
from tegel.place.ports import AWAY
from tegel.place.rooms.house import House
from tegel.place.safety.fairness import Fairness
from tegel.place.wire import messages
from tegel.place.wire import pairing as wire
from tegel.room.judge import is_bot
from tegel.room.refused import Refused
from tegel.server import metrics
from tegel.server.web.conversation import Conversation, Socket
from tegel.server.web.gate import payer

logger = logging.getLogger("tegel.searches")


@dataclass(frozen=True)
class SearchSockets:
    """Serves the sockets of people who look for a player."""

    conversation: Conversation
    pairing: Pairing
    names: Names
    budget: Budget
    fairness: Fairness
    house: House

    async def serve(self, socket: WebSocket, session: Session) -> None:
        """Look for somebody for one client, until it leaves."""
        await socket.accept()
        seeker = Socket(socket, session)
        metrics.SOCKETS.inc()
        try:
            await self.conversation.hear(seeker, wire.decode, partial(self._do, seeker))
        finally:
            metrics.SOCKETS.dec()
            seeker.closed = True
            self.house.background.start(self._end(seeker))

    async def _end(self, seeker: Socket) -> None:
        try:
            await self.pairing.end(seeker)
        except AWAY as away:
            logger.error("storage is away: %s", away)

    async def _do(self, seeker: Socket, message: wire.Seek | messages.Ping) -> None:
        if isinstance(message, messages.Ping):
            seeker.send(said(messages.Pong(self.house.heartbeat.now())))
            return
        if not seeker.player or is_bot(seeker.player):
            raise Refused("seat", "People are paired, by the cookie of their browser.")
        paying = payer(seeker.socket.scope)
        await self.conversation.check(seeker)
        self.budget.charge(paying, seeker.player, "search")
        self.fairness.met(seeker.player, paying)
        message.name = await self.names.called(seeker.player, message.name)
        await self.pairing.begin(seeker, message, paying)
