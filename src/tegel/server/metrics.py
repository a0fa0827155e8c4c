"""What Prometheus may ask about. With several workers the counts of all are added up,
through files in the folder that PROMETHEUS_MULTIPROC_DIR names."""

import itertools
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext

from prometheus_client import Counter, Gauge, Histogram

QUICK = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10)

ROWS = Counter("tegel_rows", "Rows appended to logs", ["kind"])
REFUSED = Counter("tegel_refused", "Actions refused", ["code"])
CONFLICTS = Counter("tegel_conflicts", "Appends that another worker forestalled")
DROPPED = Counter("tegel_dropped", "Sockets dropped because they were slow")
COMMIT = Histogram("tegel_commit_seconds", "Time of a transaction", buckets=QUICK)
BATCH = Histogram("tegel_commit_items", "Writes in a transaction", buckets=(1, 2, 4, 8, 16, 32, 64))
ACT = Histogram("tegel_act_seconds", "From an action to its broadcast", buckets=QUICK)
LAW = Histogram("tegel_law_seconds", "Processor time of the rules, an action", buckets=QUICK)
PICTURE = Histogram("tegel_picture_seconds", "Processor time of marks and offers", buckets=QUICK)
THINK = Histogram("tegel_think_seconds", "From a bot's turn to its move", buckets=QUICK)
WAITING = Gauge("tegel_bots_waiting", "Bots that wait to think", multiprocess_mode="livesum")
SOCKETS = Gauge("tegel_sockets", "Open sockets", multiprocess_mode="livesum")
ROOMS = Gauge("tegel_rooms", "Rooms open on a worker", multiprocess_mode="livesum")
LAG = Gauge("tegel_loop_lag_seconds", "How late the event loop is", multiprocess_mode="livemax")


SAMPLED = 251  # a prime, so that all kinds of calls are met
_calls = itertools.count()


def busy(kind: Histogram) -> AbstractContextManager[None]:
    """Count the processor time of this thread, one time in SAMPLED: to ask for it takes
    long. The mean is right, the sum is not."""
    return nullcontext() if next(_calls) % SAMPLED else _measured(kind)


@contextmanager
def _measured(kind: Histogram) -> Iterator[None]:
    start = time.thread_time()
    try:
        yield
    finally:
        kind.observe(time.thread_time() - start)


COUNTERS = {"rows": ROWS, "conflicts": CONFLICTS, "refused": REFUSED}
GAUGES = {"rooms": ROOMS, "loop_lag_seconds": LAG}
HISTOGRAMS = {"act_seconds": ACT, "law_seconds": LAW, "picture_seconds": PICTURE}


class PrometheusMeter:
    """Counts what services report, by the names above: those of the metrics without `tegel_`."""

    def count(self, what: str, label: str = "") -> None:
        counter = COUNTERS[what]
        (counter.labels(label) if label else counter).inc()

    def gauge(self, what: str, value: float) -> None:
        GAUGES[what].set(value)

    def timed(self, what: str) -> AbstractContextManager[object]:
        return HISTOGRAMS[what].time()

    def busy(self, what: str) -> AbstractContextManager[None]:
        return busy(HISTOGRAMS[what])
