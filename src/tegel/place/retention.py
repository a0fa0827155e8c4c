"""What is forgotten in time: what is of no use any more, and what nobody has touched for as many
days as the host keeps things."""

import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import Protocol

from tegel.place.heartbeat import Heartbeat
from tegel.room.clock import DAY

logger = logging.getLogger("tegel.retention")


class RetentionStore(Protocol):
    async def forget_thoughts(self) -> None:
        """Forget analyses and reports beyond the number that is kept."""

    async def forget_before(self, limit: int) -> tuple[int, bool]:
        """Delete some rooms, records, studies and guests that nobody touched since a time; how
        many rooms, and whether there may be more to delete."""


class Retention:
    def __init__(
        self, store: RetentionStore, heartbeat: Heartbeat, keep_days: int,
        others: Sequence[Callable[[], Awaitable[None]]],
    ) -> None:  # fmt: skip
        """`others`: services that forget something of their own."""
        self.store, self.heartbeat, self.keep_days = store, heartbeat, keep_days
        self.others = others

    async def forget(self) -> int:
        """Delete rooms and records that nobody touched for long; how many rooms. Some at a time:
        meanwhile nothing else is written."""
        for other in self.others:
            await other()
        await self.store.forget_thoughts()
        if not self.keep_days:
            return 0
        limit, count, more = self.heartbeat.now() - self.keep_days * DAY, 0, True
        while more:
            gone, more = await self.store.forget_before(limit)
            count += gone
        if count:
            logger.info("forgot %d rooms that were older than %d days", count, self.keep_days)
        return count
