"""What happens every day: which day it is, and how everybody did on one, kept for a while."""

import time
from collections.abc import Awaitable, Callable
from datetime import UTC, date, datetime
from typing import Any

from tegel.room.refused import Refused

FRESH = 15.0  # seconds for which is kept how everybody did on a day,
MOST = 400  # of so many
RESULTS: dict[str, tuple[float, Any]] = {}


def today() -> date:
    return datetime.now(UTC).date()


def come(day: date) -> date:
    """A day that has come; raises Refused."""
    if day > today():
        raise Refused("missing", "That day has not come yet.")
    return day


async def results(key: str, find: Callable[[], Awaitable[Any]]) -> Any:
    """How everybody did on something of a day, as of late."""
    kept = RESULTS.get(key)
    if kept is None or kept[0] < time.monotonic():
        while len(RESULTS) >= MOST:
            RESULTS.pop(next(iter(RESULTS)))
        kept = RESULTS[key] = (time.monotonic() + FRESH, await find())
    return kept[1]
