"""News between workers: rows that one of them stored, who is here, reactions.

The bus only hurries things up. Whether a row counts is decided by the database; a worker
that missed news finds a gap, or is told to look again, and reads the log. One that could not
tell its news has everybody look again when it can."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec
import redis.asyncio as redis
from redis.exceptions import RedisError

from tegel.server.storage.store import AWAY

logger = logging.getLogger("tegel.bus")
PREFIX = "tegel:"
EVERYBODY = "everybody"  # the channel that every worker hears


class News(msgspec.Struct, array_like=True):
    worker: str
    kind: str  # rows, presence, reaction, missed, or a word for a player's stream
    rows: list[tuple[int, int, str]] = []
    data: str = ""


Heard = Callable[[str, News], Awaitable[None]]


class Bus:
    """The bus of a single worker: there is nobody to tell."""

    healthy = True

    async def open(self, heard: Heard, missed: Callable[[], Awaitable[None]]) -> None:
        """Tell `heard` of news on the channels listened to; `missed` when some were lost."""

    async def close(self) -> None: ...

    async def listen(self, channel: str) -> None:
        """Hear a channel from now on; true when it returns."""

    async def leave(self, channel: str) -> None: ...

    async def tell(self, channel: str, news: News) -> None: ...


class RedisBus(Bus):
    def __init__(self, url: str, worker: str) -> None:
        self.worker = worker
        self.client: redis.Redis = redis.Redis.from_url(url, health_check_interval=15)
        self.pubsub = self.client.pubsub()
        self.wanted: set[str] = {PREFIX + EVERYBODY}
        self.confirmed: dict[str, asyncio.Event] = {}
        self.task: asyncio.Task[None] | None = None
        self.healthy = True
        self.untold = False  # whether news were lost that others should have heard
        self.lock = asyncio.Lock()

    async def open(self, heard: Heard, missed: Callable[[], Awaitable[None]]) -> None:
        self.heard, self.missed = heard, missed
        await self.pubsub.subscribe(*self.wanted)
        self.task = asyncio.create_task(self._read_forever())

    async def close(self) -> None:
        if self.task:
            self.task.cancel()
        await self.pubsub.aclose()  # type: ignore[no-untyped-call]
        await self.client.aclose()

    async def listen(self, channel: str) -> None:
        self.wanted.add(PREFIX + channel)
        if not self.healthy:
            return  # when the bus is back all that is wanted is heard again
        confirmed = self.confirmed[PREFIX + channel] = asyncio.Event()
        try:
            async with self.lock:
                await self.pubsub.subscribe(PREFIX + channel)
            await asyncio.wait_for(confirmed.wait(), 3)
        except (RedisError, OSError, TimeoutError) as error:
            self._broken(error)

    async def leave(self, channel: str) -> None:
        self.wanted.discard(PREFIX + channel)
        try:
            async with self.lock:
                await self.pubsub.unsubscribe(PREFIX + channel)
        except (RedisError, OSError) as error:
            self._broken(error)

    async def tell(self, channel: str, news: News) -> None:
        try:
            await self.client.publish(PREFIX + channel, msgspec.msgpack.encode(news))
        except (RedisError, OSError) as error:
            self.untold = True
            self._broken(error)

    def _broken(self, error: Exception) -> None:
        if self.healthy:
            logger.error("the bus is out of reach: %s", error)
        self.healthy = False

    async def _read_forever(self) -> None:
        while True:
            try:
                message = await self.pubsub.get_message(timeout=5)
                if not self.healthy:
                    await self.client.ping()
                    async with self.lock:
                        await self.pubsub.subscribe(*self.wanted)
                    self.healthy = True
                    logger.warning("the bus is back")
                if message:
                    await self._take(message)
            except (RedisError, *AWAY) as error:
                self._broken(error)
                await asyncio.sleep(0.5)
            except Exception:
                logger.exception("news could not be taken")

    async def _take(self, message: dict[str, Any]) -> None:
        channel = message["channel"].decode()
        if message["type"] == "subscribe" and (confirmed := self.confirmed.pop(channel, None)):
            confirmed.set()
        elif message["type"] == "subscribe" and channel == PREFIX + EVERYBODY:
            await self._again()
        elif message["type"] == "message":
            news = msgspec.msgpack.decode(message["data"], type=News)
            if news.worker == self.worker:
                return
            if news.kind == "missed":
                await self.missed()
            else:
                await self.heard(channel.removeprefix(PREFIX), news)

    async def _again(self) -> None:
        """All channels are heard again, after a break that perhaps only the client noticed."""
        if self.untold:
            self.untold = False
            await self.tell(EVERYBODY, News(self.worker, "missed"))
        await self.missed()


def bus(url: str, worker: str) -> Bus:
    return RedisBus(url, worker) if url else Bus()
