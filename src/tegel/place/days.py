"""What happens every day: which day it is, and how everybody did on one, kept for a while."""

from collections.abc import Awaitable, Callable
from datetime import UTC, date, datetime
from typing import Any, TypeVar

from cachetools import TTLCache

from tegel.place.ports import Clock
from tegel.room.refused import Refused

FRESH = 15.0  # seconds for which is kept how everybody did on a day,
FEW = 100  # if they are more: who is among the first finds oneself counted
MOST = 400  # days that are kept
R = TypeVar("R")


class Days:
    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.known = TTLCache[str, Any](MOST, FRESH, timer=clock.monotonic)

    def today(self) -> date:
        return datetime.fromtimestamp(self.clock.wall() / 1000, UTC).date()

    def come(self, day: date, first: date = date.min) -> date:
        """A day that has come, and is not before the first; raises Refused."""
        if day > self.today():
            raise Refused("missing", "That day has not come yet.")
        if day < min(first, self.today()):
            raise Refused("missing", f"The first day is {first}.")
        return day

    async def results(
        self, key: str, find: Callable[[], Awaitable[R]], count: Callable[[R], int]
    ) -> R:
        """How everybody did on something of a day, as of late; `count`: how many they are."""
        kept: R | None = self.known.get(key)
        if kept is not None:
            return kept
        found = await find()
        if count(found) > FEW:
            self.known[key] = found
        return found
