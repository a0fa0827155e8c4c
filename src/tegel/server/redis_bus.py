"""The bus of several workers, over Valkey or Redis.

Nobody waits for the bus: news is put on a list, which one task sends. Every second a worker also
tells itself something; if it does not hear it, or if anything takes longer than `PATIENCE`, the
bus counts as broken. Then nothing is sent, the logs are read every second instead, and it is tried
every now and then whether the bus is back."""

import asyncio
import logging
import time
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

import msgspec
import redis.asyncio as redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from tegel.place.bus import ALL, Bus, Heard, News
from tegel.place.ports import AWAY

logger = logging.getLogger("tegel.bus")
PREFIX = "tegel:"
PATIENCE = 1.0  # seconds that the bus has for an answer
MOMENT = 0.05
PULSE = 1.0  # seconds between what a worker tells itself
SILENCE = 3.0  # seconds without hearing anything after which the bus is broken
TOGETHER = 256  # news that are sent in one go
MOST = 10_000  # news that may wait


class RedisBus(Bus):
    alone = False

    def __init__(self, url: str, worker: str) -> None:
        self.worker = worker
        self.client: redis.Redis = redis.Redis.from_url(
            url, socket_timeout=PATIENCE, socket_connect_timeout=PATIENCE,
            retry=Retry(NoBackoff(), 0),
        )  # fmt: skip
        self.pubsub = self.client.pubsub()
        self.wanted: set[str] = {PREFIX + worker, PREFIX + ALL}
        self.confirmed: dict[str, asyncio.Event] = {}
        self.waiting: deque[tuple[str, bytes]] = deque()  # news to be sent
        self.wake = asyncio.Event()
        self.tasks: list[asyncio.Task[None]] = []
        self.healthy, self.answered = False, False
        self.last = 0.0  # when something was heard
        self.lock = asyncio.Lock()

    async def open(self, heard: Heard, missed: Callable[[], Awaitable[None]]) -> None:
        self.heard, self.missed = heard, missed
        try:
            await self._repair()
        except (RedisError, OSError) as error:
            logger.error("the bus is out of reach: %s", error)
        forever = (self._read_forever, self._send_forever, self._pulse_forever)
        self.tasks = [asyncio.create_task(task()) for task in forever]

    async def close(self) -> None:
        for task in self.tasks:
            task.cancel()
        with suppress(RedisError, OSError):
            async with asyncio.timeout(PATIENCE):
                await self.pubsub.aclose()  # type: ignore[no-untyped-call]
                await self.client.aclose()

    async def listen(self, channel: str) -> None:
        self.wanted.add(PREFIX + channel)
        if not self.healthy:
            return  # when the bus is back all that is wanted is heard again
        confirmed = self.confirmed.setdefault(PREFIX + channel, asyncio.Event())
        asked = False
        while self.healthy and not confirmed.is_set():
            began = time.monotonic()
            try:
                async with asyncio.timeout(PATIENCE):
                    if not asked:
                        async with self.lock:
                            await self.pubsub.subscribe(PREFIX + channel)
                        asked = True
                    await confirmed.wait()
            except TimeoutError as error:
                await asyncio.sleep(MOMENT)  # for what came while we had other things to do
                if self.last < began:
                    self._broken(error)
            except (RedisError, OSError) as error:
                self._broken(error)

    async def leave(self, channel: str) -> None:
        self.wanted.discard(PREFIX + channel)
        if not self.healthy:
            return
        try:
            async with asyncio.timeout(PATIENCE), self.lock:
                await self.pubsub.unsubscribe(PREFIX + channel)
        except (RedisError, OSError) as error:
            self._broken(error)

    def tell(self, channel: str, news: News) -> None:
        if not self.healthy:
            return
        if len(self.waiting) >= MOST:
            self._broken(TimeoutError("too much news waits"))
            return
        self.waiting.append((PREFIX + channel, msgspec.msgpack.encode(news)))
        self.wake.set()

    def _broken(self, error: Exception) -> None:
        if self.healthy:
            logger.error("the bus is out of reach: %s", error or type(error).__name__)
        self.healthy = False
        self.waiting.clear()  # the others read the logs

    async def _send_forever(self) -> None:
        while True:
            await self.wake.wait()
            self.wake.clear()
            while self.waiting:
                count = min(len(self.waiting), TOGETHER)
                batch = [self.waiting.popleft() for _ in range(count)]
                try:
                    pipeline = self.client.pipeline(transaction=False)
                    for channel, data in batch:
                        pipeline.publish(channel, data)
                    await pipeline.execute()
                except (RedisError, OSError) as error:
                    self._broken(error)

    async def _pulse_forever(self) -> None:
        while True:
            await asyncio.sleep(PULSE)
            self.tell(self.worker, News(self.worker, "pulse"))

    async def _read_forever(self) -> None:
        while True:
            try:
                if not self.healthy:
                    await self._repair()
                    logger.warning("the bus is back")
                message = await self.pubsub.get_message(timeout=PULSE)
                if message:
                    self.last = time.monotonic()
                    await self._take(message)
                elif time.monotonic() - self.last > SILENCE:
                    raise TimeoutError(f"nothing was heard for {SILENCE:g} s")
            except (RedisError, *AWAY) as error:
                self._broken(error)
                await asyncio.sleep(PULSE / 2)
            except Exception:
                logger.exception("news could not be taken")

    async def _repair(self) -> None:
        """Hear all that is wanted, over a new connection; raises if the bus does not answer."""
        await self.client.ping()
        async with asyncio.timeout(PATIENCE), self.lock:
            await self.pubsub.aclose()  # type: ignore[no-untyped-call]
            self.pubsub = self.client.pubsub()
            await self.pubsub.subscribe(*self.wanted)
        self.healthy, self.answered, self.last = True, True, time.monotonic()

    async def _take(self, message: dict[str, Any]) -> None:
        channel = message["channel"].decode()
        if message["type"] == "subscribe" and (confirmed := self.confirmed.pop(channel, None)):
            confirmed.set()
        elif message["type"] == "subscribe" and channel == PREFIX + ALL:
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
        self.tell(ALL, News(self.worker, "missed"))  # what was not sent meanwhile
        await self.missed()
