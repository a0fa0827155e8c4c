"""What goes wrong in a run. Each seed draws which faults are switched on, and how often they
strike: all of them at once would hide what a few at a time bring out."""

from dataclasses import dataclass, fields, replace
from random import Random

KINDS = (
    "crashes", "restarts", "blackouts", "commit_lost", "commit_refused", "store_hangs",
    "read_fails", "news_lost", "news_late", "bus_down", "clock_jumps", "sockets_break", "slow_work",
)  # fmt: skip


@dataclass
class Faults:
    """How often something goes wrong: a chance for each occasion, or a number in a run."""

    crashes: int = 0  # workers that die and come back, in a run
    restarts: int = 0  # workers that stop in an orderly way and come back
    blackouts: int = 0  # times that no worker runs for a while
    commit_lost: float = 0.0  # transactions that are committed, and the answer is lost
    commit_refused: float = 0.0  # transactions that fail at one of their statements
    store_hangs: float = 0.0  # writes and reads that take seconds
    read_fails: float = 0.0
    news_lost: float = 0.0
    news_late: float = 0.0  # news that take up to seconds
    bus_down: int = 0  # times that the bus is away for a while
    clock_jumps: int = 0  # wall clocks that are set while people play
    sockets_break: float = 0.0  # messages after which the connection is gone
    slow_work: float = 0.0  # tasks that take long, or break off

    @property
    def any(self) -> bool:
        """Whether anything goes wrong in this run."""
        return self != Faults()

    def heal(self) -> None:
        """Nothing goes wrong any more."""
        for field in fields(self):
            setattr(self, field.name, field.default)


def drawn(rng: Random) -> Faults:
    """The faults of a seed: none in one of eight, else each with a chance of its own."""
    if rng.random() < 0.125:
        return Faults()
    often = rng.choice((0.2, 0.4, 0.7))
    on = [kind for kind in KINDS if rng.random() < often]
    much = {
        "crashes": rng.randint(1, 4),
        "restarts": rng.randint(1, 3),
        "blackouts": 1,
        "commit_lost": rng.choice((0.003, 0.02)),
        "commit_refused": rng.choice((0.003, 0.02)),
        "store_hangs": rng.choice((0.002, 0.01)),
        "read_fails": rng.choice((0.002, 0.01)),
        "news_lost": rng.choice((0.01, 0.2)),
        "news_late": rng.choice((0.05, 0.5)),
        "bus_down": rng.randint(1, 2),
        "clock_jumps": rng.randint(1, 3),
        "sockets_break": rng.choice((0.003, 0.03)),
        "slow_work": rng.choice((0.02, 0.2)),
    }
    return replace(Faults(), **{kind: much[kind] for kind in on})  # type: ignore[arg-type]
