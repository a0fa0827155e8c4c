"""What the networks that ask a worker have left, by what they ask for."""

from collections.abc import Callable

from tegel.place.limits.buckets import NetworkBuckets
from tegel.place.limits.limits import Limits

MOST_GRADES = 100_000  # buckets of networks and moments


class Rates:
    """The rates and caps of networks, as they are counted by one worker."""

    def __init__(self, limits: Limits, clock: Callable[[], float]) -> None:
        self.reads, self.writes = limits.buckets("reads", clock), limits.buckets("writes", clock)
        self.watched = limits.buckets("reads", clock)  # by whoever looks after the server
        self.refusals = limits.buckets("refusals", clock)
        self.lines = limits.buckets("lines", clock)
        self.said = limits.buckets("said", clock)
        self.tokens, self.names = limits.buckets("tokens", clock), limits.buckets("names", clock)
        self.sign_ins = limits.buckets("sign_ins", clock)
        self.reports = limits.buckets("reports", clock)
        self.deletions = limits.buckets("deletions", clock)
        # By network and moment, whether one more try counts.
        self.grades = NetworkBuckets(limits.grades, clock, limits.shared, MOST_GRADES)
        self.connections, self.sockets = limits.counts("connections"), limits.counts("sockets")
