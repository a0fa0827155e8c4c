"""How much one connection or one address may ask for. Each worker counts for itself."""

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """`(burst, a second)` for rates; plain numbers for caps."""

    messages: tuple[float, float] = (30, 10)  # of one socket
    reads: tuple[float, float] = (300, 60)  # HTTP GET, an address
    writes: tuple[float, float] = (60, 5)  # other HTTP, an address
    rooms: tuple[float, float] = (60, 60 / 3600)  # made by an address
    tokens: tuple[float, float] = (10, 10 / 86_400)  # made by an address
    records: tuple[float, float] = (60, 60 / 3600)  # uploaded by an address
    sockets: int = 200  # open at once, an address
    bots: int = 32  # rooms with bots of ours open at once, an address
    body: int = 4_200_000  # bytes of an HTTP body: the longest record

    def times(self, factor: float) -> "Limits":
        """The same limits, some times as wide."""
        rates = {
            key: (burst * factor, rate * factor)
            for key in ("messages", "reads", "writes", "rooms", "tokens", "records")
            for burst, rate in [getattr(self, key)]
        }
        return Limits(**rates, sockets=int(self.sockets * factor), bots=int(self.bots * factor))  # type: ignore[arg-type]


class Bucket:
    """A rate: so many at once, so many a second."""

    def __init__(self, burst: float, rate: float, clock: Callable[[], float]) -> None:
        self.burst, self.rate, self.clock = burst, rate, clock
        self.level, self.at = burst, clock()

    def take(self) -> bool:
        """Whether one more is allowed now."""
        now = self.clock()
        self.level = min(self.burst, self.level + (now - self.at) * self.rate)
        self.at = now
        if self.level < 1:
            return False
        self.level -= 1
        return True


class Buckets:
    """A bucket for each key, the ones not used for longest forgotten."""

    def __init__(
        self, rate: tuple[float, float], most: int = 20_000,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:  # fmt: skip
        self.rate, self.most, self.clock = rate, most, clock
        self.buckets: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, key: str) -> bool:
        bucket = self.buckets.get(key)
        if bucket is None:
            bucket = self.buckets[key] = Bucket(*self.rate, self.clock)
            if len(self.buckets) > self.most:
                self.buckets.popitem(last=False)
        self.buckets.move_to_end(key)
        return bucket.take()
