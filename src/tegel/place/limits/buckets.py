"""Rates and counts, by key or by network.

A network has what all prefixes around it have left: a **bucket** knows the one of the next wider
prefix, and takes from it too. So whoever has a /48 gains nothing by using one /64 after another,
and a bucket that was forgotten and made anew gives no more than the wider ones around it have."""

from collections import Counter, OrderedDict
from collections.abc import Callable
from typing import Optional

from tegel.place.limits.networks import allowance, prefixes

MOST = 20_000  # buckets of one kind
WITHIN = 16  # buckets inside one /48


class Bucket:
    """A rate: so much at once, so much a second."""

    __slots__ = ("at", "burst", "clock", "level", "rate", "wider")

    def __init__(
        self, burst: float, rate: float, clock: Callable[[], float],
        wider: Optional["Bucket"] = None,
    ) -> None:  # fmt: skip
        self.burst, self.rate, self.clock, self.wider = burst, rate, clock, wider
        self.level, self.at = burst, clock()

    def wait(self, amount: float = 1) -> float:
        """Seconds until so much is allowed; what is over the burst is, when it is full."""
        now, longest = self.clock(), 0.0
        bucket: Bucket | None = self
        while bucket is not None:
            level = min(bucket.burst, bucket.level + (now - bucket.at) * bucket.rate)
            bucket.level, bucket.at = level, now
            if level < amount:
                longest = max(longest, (min(amount, bucket.burst) - level) / bucket.rate)
            bucket = bucket.wider
        return longest

    def take(self, amount: float = 1) -> bool:
        """Whether so much is allowed now; if so, it is taken."""
        if self.wait(amount):
            return False
        self.spend(amount)
        return True

    def spend(self, amount: float) -> None:
        """Take so much, whether it is there or not."""
        bucket: Bucket | None = self
        while bucket is not None:
            bucket.level -= amount
            bucket = bucket.wider


class Buckets:
    """A bucket for each key, the ones not used for longest forgotten."""

    def __init__(
        self, rate: tuple[float, float], clock: Callable[[], float], most: int = MOST
    ) -> None:
        self.rate, self.most, self.clock = rate, most, clock
        self.buckets: OrderedDict[str, Bucket] = OrderedDict()

    def of(self, key: str) -> Bucket:
        bucket = self.buckets.get(key)
        if bucket is None:
            bucket = self.buckets[key] = Bucket(*self.rate, self.clock)
            if len(self.buckets) > self.most:
                self.buckets.popitem(last=False)
        self.buckets.move_to_end(key)
        return bucket

    def take(self, key: str) -> bool:
        return self.of(key).take()


class Widest(Bucket):
    """The bucket of a widest prefix, and those inside it, the ones used last at the end."""

    __slots__ = ("inside",)

    def __init__(self, burst: float, rate: float, clock: Callable[[], float]) -> None:
        super().__init__(burst, rate, clock)
        self.inside: OrderedDict[str, Bucket] = OrderedDict()


class NetworkBuckets:
    """A bucket for each network, inside those of the wider prefixes. A key may say what it is
    about besides, as in `192.0.2.1 blokus`.

    A /48 has `WITHIN` buckets at most besides its own: when it needs more it loses its own, never
    those of others. When there are `most` in all, those of the prefix not used for longest go."""

    def __init__(
        self, rate: tuple[float, float], clock: Callable[[], float],
        shared: tuple[str, ...] = (), most: int = MOST,
    ) -> None:  # fmt: skip
        self.rate, self.shared, self.most, self.clock = rate, shared, most, clock
        self.sites: OrderedDict[str, Widest] = OrderedDict()
        self.size = 0

    def of(self, key: str) -> Bucket:
        network, blank, about = key.partition(" ")
        *inside, widest = prefixes(network)
        top = f"{widest}{blank}{about}"
        site = self.sites.get(top)
        if site is None:
            site = self.sites[top] = Widest(*self._rate(widest), self.clock)
            self.size += 1
        self.sites.move_to_end(top)
        found = self._inside(site, inside) if inside else site
        while self.size > self.most:
            _, gone = self.sites.popitem(last=False)
            self.size -= 1 + len(gone.inside)
        return found

    def take(self, key: str) -> bool:
        return self.of(key).take()

    def exhausted(self, network: str) -> str:
        """The widest prefix around a network that has nothing left; the network if none is."""
        bucket: Bucket | None = self.of(network)
        found = network
        for prefix in prefixes(network):
            assert bucket
            found = prefix if bucket.level < 1 else found
            bucket = bucket.wider
        return found

    def _inside(self, site: Widest, inside: list[str]) -> Bucket:
        """The bucket of the first of some prefixes, the narrowest; all of them are made."""
        found: Bucket = site
        for prefix in reversed(inside):
            wider, bucket = found, site.inside.get(prefix)
            if bucket is None:
                bucket = site.inside[prefix] = Bucket(*self._rate(prefix), self.clock, wider)
                self.size += 1
            found = bucket
        for prefix in inside:  # so that a wider one is never forgotten before those inside it
            site.inside.move_to_end(prefix)
        while len(site.inside) > WITHIN:
            site.inside.popitem(last=False)
            self.size -= 1
        return found

    def _rate(self, prefix: str) -> tuple[float, float]:
        times = allowance(prefix, self.shared)
        return self.rate[0] * times, self.rate[1] * times


class Counts:
    """How much each network has of something at once, and the wider prefixes around it."""

    def __init__(self, most: int, shared: tuple[str, ...] = ()) -> None:
        self.most, self.shared = most, shared
        self.open: Counter[str] = Counter()

    def add(self, network: str) -> None:
        self.open.update(prefixes(network))

    def remove(self, network: str) -> None:
        for prefix in prefixes(network):
            self.open[prefix] -= 1
            if self.open[prefix] <= 0:
                del self.open[prefix]

    def over(self, network: str, more: int = 0) -> bool:
        """Whether a network, or a prefix around it, has too much, or would have with some more."""
        return any(
            self.open[prefix] + more > self.most * allowance(prefix, self.shared)
            for prefix in prefixes(network)
        )
