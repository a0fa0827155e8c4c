"""The world as services see it through their ports: real time and unpredictable chance."""

import asyncio
import random
import time

CHANCE = random.SystemRandom()


class RealClock:
    def wall(self) -> float:
        return time.time_ns() / 1e6

    def monotonic(self) -> float:
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)
