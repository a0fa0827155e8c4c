"""Work that is begun and not waited for."""

import asyncio
import logging
from collections.abc import Coroutine
from typing import Any

from tegel.place.ports import AWAY

logger = logging.getLogger("tegel.background")


class Background:
    def __init__(self) -> None:
        self.tasks: set[asyncio.Task[None]] = set()  # the event loop itself would forget them

    def start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        """Log why a task failed: nobody else asks."""
        self.tasks.discard(task)
        if task.cancelled() or (error := task.exception()) is None:
            return
        if isinstance(error, AWAY):
            logger.error("storage is away: %s", error)
        else:
            logger.error("background work failed", exc_info=error)
