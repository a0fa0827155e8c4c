"""The world as services see it through their ports: real time and unpredictable chance; and what
this machine is called."""

import asyncio
import random
import time
from socket import gethostname

CHANCE = random.SystemRandom()
OWN_NAMES = {name for own in [gethostname().lower()] for name in (own, f"{own}.local")}


class RealClock:
    def wall(self) -> float:
        return time.time_ns() / 1e6

    def monotonic(self) -> float:
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)
