"""How much one connection, one player or one network may ask for. Each worker counts for itself.

What costs us work is paid from a **budget**: so much at once, so much more a second; one of the
player and one of the **network**, so that new cookies buy nothing. `COSTS` is the price list, in
seconds of one processor, more or less; a room is also kept on disk. Long texts that are kept
there are counted apart, by what they take. How limits of networks are counted: `buckets`."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import ceil

from tegel.place.limits.buckets import Bucket, Buckets, Counts, NetworkBuckets
from tegel.room.refused import Refused

ROW = 100  # bytes that a row takes beside its text
COSTS = {
    "room": 5.0,
    "search": 5.0,  # for somebody to play with: it ends in a room
    "bots": 5.0,  # in a new room, or one more in an old one
    "upload": 3.0,
    "hint": 3.0,
    "study": 2.0,
    "think": 0.5,  # a second of it, which gives way to everything else
    "report": 10.0,  # on a whole game, if nobody has asked for it before
    "reveal": 12.0,
    "sheets": 1.5,
    "day": 1.0,  # the puzzle of any day
    "position": 0.1,
    "picture": 0.1,
    "account": 0.1,
    "history": 0.1,  # a page of games that are over, or what they sum up to
    "device": 1.0,
    "rows": 0.5,  # a thousand of a room that is opened
    "export": 20.0,  # all that is stored about somebody
}
RATES = (
    "messages", "said", "phrases", "reads", "writes", "refusals", "tokens", "names", "sign_ins",
    "reports", "grades", "kept", "work", "player_work", "lines", "deletions",
)  # fmt: skip
SITE = 4  # times what a network may, all networks of a site may
CAPS = ("connections", "sockets", "bots", "wishes", "listed")


@dataclass(frozen=True)
class Limits:
    """`(burst, a second)` for rates; plain numbers for caps."""

    messages: tuple[float, float] = (30, 10)  # of one socket
    said: tuple[float, float] = (600, 100)  # on all sockets of a network
    phrases: tuple[float, float] = (6, 0.25)  # that a player says
    reads: tuple[float, float] = (300, 60)  # HTTP GET, a network
    writes: tuple[float, float] = (60, 5)  # other HTTP, a network
    refusals: tuple[float, float] = (300, 10)  # of these, before a network is not heard any more
    tokens: tuple[float, float] = (10, 10 / 86_400)  # made by a network
    names: tuple[float, float] = (30, 30 / 86_400)  # kept or changed by a network
    sign_ins: tuple[float, float] = (20, 1 / 30)  # tried by a network
    reports: tuple[float, float] = (10, 10 / 86_400)  # of games, by a network
    grades: tuple[float, float] = (3, 3 / 86_400)  # tries of a moment that count, by a network
    kept: tuple[float, float] = (20e6, 50e6 / 86_400)  # bytes on disk, a network
    work: tuple[float, float] = (300, 0.5)  # in COSTS, a network
    player_work: tuple[float, float] = (150, 0.4)  # in COSTS, a player
    lines: tuple[float, float] = (300, 1)  # of the log, about a network
    deletions: tuple[float, float] = (30, 30 / 86_400)  # of players, by a network
    connections: int = 400  # open at once, a network
    sockets: int = 200  # of them
    bots: int = 32  # rooms with bots of ours open at once, a network
    wishes: int = 8  # people who look for a player at once, a network
    listed: int = 5  # tables in the list of open tables at once, a network
    body: int = 65_536  # bytes of an HTTP body
    record: int = 4_200_000  # of the one that brings a record, the longest there is
    shared: tuple[str, ...] = ()  # networks that many people share: see `networks.allowance`

    def times(self, factor: float) -> "Limits":
        """The same limits, some times as wide."""
        rates = {key: tuple(n * factor for n in getattr(self, key)) for key in RATES}
        caps = {key: max(1, int(getattr(self, key) * factor)) for key in CAPS}
        return replace(self, **rates, **caps)  # type: ignore[arg-type]

    def buckets(self, rate: str, clock: Callable[[], float]) -> NetworkBuckets:
        """New buckets for one of the rates that networks have; `clock`: in seconds, and nobody can
        set it."""
        return NetworkBuckets(getattr(self, rate), clock, self.shared)

    def counts(self, cap: str) -> Counts:
        """A new count for one of the caps."""
        return Counts(getattr(self, cap), self.shared)


class Budget:
    """What players and networks may still cost us."""

    def __init__(self, limits: Limits, clock: Callable[[], float]) -> None:
        self.networks = limits.buckets("work", clock)
        self.players = Buckets(limits.player_work, clock)
        self.disks = limits.buckets("kept", clock)

    def charge(self, network: str, player: str, *what: str) -> None:
        """Take what some work costs from both; raises Refused if either has too little left."""
        cost = sum(COSTS[each] for each in what)
        _take(cost, self._paying(network, player), "That was much at once")

    def settle(self, network: str, player: str, seconds: float) -> None:
        """Take what some work cost beyond what was charged for it, also if too little is left: the
        next who asks waits until it is paid."""
        for bucket in self._paying(network, player):
            bucket.spend(seconds)

    def keep(self, network: str, *rows: str | bytes) -> None:
        """Take what rows with such texts need on disk; raises Refused if that is too much."""
        texts = (row.encode("utf-8", "replace") if isinstance(row, str) else row for row in rows)
        size = sum(len(text) + ROW for text in texts)
        _take(size, [self.disks.of(network)], "That was much to keep")

    def refund(self, network: str, player: str, *what: str) -> None:
        """Give back what was charged for work that was not done."""
        for bucket in self._paying(network, player):
            bucket.spend(-sum(COSTS[each] for each in what))

    def _paying(self, network: str, player: str) -> list[Bucket]:
        return [self.networks.of(network), *([self.players.of(player)] if player else [])]


def _take(amount: float, buckets: Sequence[Bucket], trouble: str) -> None:
    """Take so much from every bucket, or from none; raises Refused if any has too little left."""
    if wait := ceil(max(bucket.wait(amount) for bucket in buckets)):
        raise Refused("rate", f"{trouble}: please wait {wait} seconds.", seconds=wait)
    for bucket in buckets:
        bucket.take(amount)
