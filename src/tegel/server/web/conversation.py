"""What all sockets have in common: who is at the other end, and how they are heard. One that reads
too slowly is cut off, never waited for; one that says too much, or nonsense, is closed."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import NoReturn, TypeVar

from starlette.websockets import WebSocket, WebSocketDisconnect

from tegel.game import BadNotation
from tegel.place.accounts.identity import Session
from tegel.place.accounts.standing import BANNED, Standing
from tegel.place.limits.buckets import Bucket
from tegel.place.limits.limits import Limits
from tegel.place.limits.rates import Rates
from tegel.place.ports import AWAY, Clock
from tegel.place.wire import copies, messages
from tegel.room.refused import Refused
from tegel.server import metrics
from tegel.server.web.gate import payer
from tegel.server.web.transport import Socket as Wire

logger = logging.getLogger("tegel.sockets")
MOST_RUDE = 50  # messages over the rate, or unreadable, before the socket is closed
UNSAVED = "That could not be saved just now; what you see is safe. Please try again."
POLICY, LATER = 1008, 1013

T = TypeVar("T")  # what is talked about, or said


class Socket:
    """Somebody at the other end of a socket, in whatever is talked about."""

    def __init__(self, socket: WebSocket, session: Session) -> None:
        self.socket, self.session, self.player = socket, session, session.player
        self.wire: Wire = socket.scope["state"]["wire"]
        self.seats: tuple[int, ...] = ()
        self.closed = False
        self.looked = False  # whether all of it was told already

    @property
    def ply(self) -> int:
        """Where the game stands that they look at, for who is told that something went wrong."""
        return -1

    def send(self, *messages: bytes) -> None:
        """Past the layers between: a message to everybody should cost nobody a task."""
        if not self.closed and not self.wire.say(messages):
            metrics.DROPPED.inc()
            self.closed = True


async def found(socket: WebSocket, finding: Awaitable[T]) -> T | None:
    """Accept a socket, and what it is about; if that can't be had, say why, and close it."""
    await socket.accept()
    try:
        return await finding
    except Refused as refused:
        wrong, code = error(refused), POLICY
    except AWAY as away:
        logger.error("storage is away: %s", away)
        wrong, code = messages.Error("storage", UNSAVED), LATER
    await socket.send_text(messages.encode(wrong).decode())
    await socket.close(code)
    return None


async def put_off(socket: WebSocket, away: Exception) -> NoReturn:
    """Ask somebody to come back later who can't be known while storage is away."""
    logger.error("storage is away: %s", away)
    await socket.accept()
    await socket.send_text(messages.encode(messages.Error("storage", UNSAVED)).decode())
    await socket.close(LATER)
    raise WebSocketDisconnect(LATER)


@dataclass(frozen=True)
class Conversation:
    """What every socket needs to hear somebody: what they may say, and whether they still may."""

    limits: Limits
    clock: Clock
    rates: Rates
    standing: Standing

    async def hear(
        self,
        watcher: Socket,
        decode: Callable[[bytes | str], T],
        do: Callable[[T], Awaitable[None]],
        longest: int = messages.LONGEST,
    ) -> None:
        """Do what somebody says, one message after the other, until they leave. In a task of its
        own: whatever waits around this one, twenty layers deep, is passed through at each of its
        steps."""
        await asyncio.create_task(self._hear(watcher, decode, do, longest))

    async def _hear(
        self,
        watcher: Socket,
        decode: Callable[[bytes | str], T],
        do: Callable[[T], Awaitable[None]],
        longest: int,
    ) -> None:
        bucket = Bucket(*self.limits.messages, self.clock.monotonic)
        shared, rude = self.rates.said.of(payer(watcher.socket.scope)), 0
        while rude < MOST_RUDE:
            message = await watcher.wire.hear()
            if message is None or watcher.closed:
                return
            try:
                if not (bucket.take() and shared.take()):
                    raise Refused("rate", "Slower, please: too many messages.")
                await do(_read(message, decode, longest))
            except Refused as refused:
                rude += refused.code in ("rate", "unreadable", "size")
                metrics.REFUSED.labels(refused.code).inc()
                wrong = error(refused, watcher.ply)
            except BadNotation as bad:
                wrong = messages.Error("notation", str(bad), watcher.ply)
            except AWAY as away:
                logger.error("storage is away: %s", away)
                wrong = messages.Error("storage", UNSAVED, watcher.ply)
            except Exception:
                logger.exception("a message could not be served")
                wrong = messages.Error("failed", "Something went wrong here.", watcher.ply)
            else:
                continue
            watcher.send(messages.encode(wrong))
        with suppress(Exception):
            await watcher.socket.close(POLICY, "too many bad messages")

    async def check(self, watcher: Socket) -> None:
        """Raise Refused for who may not act any more since the socket was opened."""
        if not await self.standing.holds(watcher.session):
            raise Refused(
                "ended", "You were signed out, here and everywhere: please sign in again."
            )
        if await self.standing.is_banned(watcher.player):
            raise Refused("banned", BANNED)

    def look(self, watcher: Socket) -> None:
        """Whoever wants to be told all of something again pays for it as one who asks over HTTP:
        the first time was paid for with the socket. Raises Refused."""
        if watcher.looked and not self.rates.reads.take(payer(watcher.socket.scope)):
            raise Refused("rate", "Slower, please: too much is asked for.")
        watcher.looked = True


def _read(data: str | bytes, decode: Callable[[bytes | str], T], longest: int) -> T:
    if len(data) > longest:
        raise Refused("size", f"A message has at most {longest} bytes.")
    try:
        return decode(data)
    except ValueError as wrong:
        raise Refused("unreadable", f"The message can't be read: {wrong}") from None


def error(refused: Refused, ply: int = -1) -> messages.Error:
    return messages.Error(
        code=refused.code,
        text=refused.text,
        ply=ply,
        rule=refused.rule,
        args=copies.plain(refused.args_by_name),
        cells=refused.cells,
    )
