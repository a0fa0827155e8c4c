"""What happens every day: which day it is, and how everybody did on one, kept for a while."""

import time
from collections.abc import Awaitable, Callable
from datetime import UTC, date, datetime
from typing import Any, TypeVar

from tegel.room.refused import Refused

FRESH = 15.0  # seconds for which is kept how everybody did on a day,
FEW = 100  # if they are more: who is among the first finds oneself counted
MOST = 400  # days that are kept
RESULTS: dict[str, tuple[float, Any]] = {}
R = TypeVar("R")


def today() -> date:
    return datetime.now(UTC).date()


def come(day: date, first: date = date.min) -> date:
    """A day that has come, and is not before the first; raises Refused."""
    if day > today():
        raise Refused("missing", "That day has not come yet.")
    if day < min(first, today()):
        raise Refused("missing", f"The first day is {first}.")
    return day


async def results(key: str, find: Callable[[], Awaitable[R]], count: Callable[[R], int]) -> R:
    """How everybody did on something of a day, as of late; `count`: how many they are."""
    kept = RESULTS.get(key)
    if kept and kept[0] >= time.monotonic():
        found: R = kept[1]
        return found
    found = await find()
    if count(found) > FEW:
        while len(RESULTS) >= MOST:
            RESULTS.pop(next(iter(RESULTS)))
        RESULTS[key] = (time.monotonic() + FRESH, found)
    return found
