"""What a worker does by itself, again and again."""

import logging
from collections.abc import Awaitable, Callable, Sequence
from math import inf
from typing import NamedTuple

from tegel.place.ports import AWAY, Clock

logger = logging.getLogger("tegel.sweep")
PAUSE = 1.0  # seconds between sweeps


class Part(NamedTuple):
    """Something to do: at every sweep, or when so many seconds have passed."""

    do: Callable[[], Awaitable[object]]
    every: float = 0


async def sweep_forever(clock: Clock, parts: Sequence[Part]) -> None:
    """Do what is due, each part for itself: one that fails holds up no other."""
    begun = [-inf] * len(parts)
    while True:
        for place, part in enumerate(parts):
            if clock.monotonic() - begun[place] < part.every:
                continue
            begun[place] = clock.monotonic()
            try:
                await part.do()
            except AWAY as away:
                logger.error("storage is away: %s", away)
            except Exception:
                logger.exception("the sweep failed")
        await clock.sleep(PAUSE)
