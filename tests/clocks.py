"""Clocks that a test sets."""

import asyncio


class HandClock:
    """A clock on the wall that can be set, and one that can't; both stand still by themselves."""

    def __init__(self) -> None:
        self.time, self.steady = 1_700_000_000_000.0, 5000.0

    def wall(self) -> float:
        return self.time

    def monotonic(self) -> float:
        return self.steady / 1000

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)

    def passes(self, milliseconds: float) -> None:
        self.time += milliseconds
        self.steady += milliseconds

    def jumps(self, milliseconds: float) -> None:
        self.time += milliseconds
