"""The ports: what a host gives to the services, besides storage and the bus.

A service reads nothing of the world by itself. Time, chance, long work and counters come in
here, so that the same services run in `tegel serve`, in a browser, and in a simulation with
virtual time and one seed. The port of storage stands beside the service that uses it, in a file
named `store`.

Tasks, locks and events are asyncio's, and so are the timers of the running loop: `call_later` for
what may be cancelled, `asyncio.timeout` and `wait` for what takes too long. A simulation brings its
own loop, whose time is virtual. Everything else that waits, waits with `Clock.sleep`; whoever
measures time asks `Clock.monotonic`, and whoever writes it down the `SteadyClock` of the house."""

from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager, AbstractContextManager
from datetime import date
from typing import Protocol, TypeVar, TypeVarTuple

from tegel.game import Move, State
from tegel.game.chance import Chance as Chance
from tegel.room.refused import Refused

T = TypeVar("T")
Ts = TypeVarTuple("Ts")


class StorageAway(OSError):
    """Storage does not answer, or takes too long. What was asked may be done or not."""


AWAY = (OSError,)
"""What is raised while storage is away: StorageAway, and time-outs of ours."""


class KeyTaken(Exception):
    """Another row has this key, so nothing was written."""


class Broken(Refused):
    """The process that did the work died, or took too long."""

    def __init__(self) -> None:
        super().__init__("busy", "The computation broke off: please try again.")


class Clock(Protocol):
    def wall(self) -> float:
        """Milliseconds since 1970, by a clock that people can set."""

    def monotonic(self) -> float:
        """Seconds, by a clock that nobody can set."""

    async def sleep(self, seconds: float) -> None:
        """Wait, by the timers of the running loop."""


class Meter(Protocol):
    """Counts what happens. `what` is the name of a metric without its prefix `tegel_`."""

    def count(self, what: str, label: str = "") -> None: ...

    def gauge(self, what: str, value: float) -> None: ...

    def timed(self, what: str) -> AbstractContextManager[object]:
        """Measure how long a block takes."""

    def busy(self, what: str) -> AbstractContextManager[None]:
        """Measure the processor time of a block."""


# Long work. A task is a function of the top level of a module in `place` or `room`: its name is
# how a host knows it, and its arguments are values.

LIMIT = 30.0  # seconds after which something is wrong with a process,
LONG = 120.0  # where one gives way to all others


class Slot(Protocol):
    """A process that is held for several tasks, each of which may leave something for the next."""

    async def run(self, limit: float, task: Callable[[*Ts], T], *args: *Ts) -> T: ...


class Queue(Protocol):
    """Long work of one kind. A payer's tasks wait for each other, and payers take turns."""

    @property
    def size(self) -> int:
        """How many tasks run at once."""

    @property
    def busy(self) -> int:
        """How many tasks run or wait."""

    @property
    def crowded(self) -> bool:
        """Whether a task waits that could run if another gave way."""

    async def run(
        self, task: Callable[[*Ts], T], *args: *Ts, payer: str, limit: float = LIMIT
    ) -> T:
        """What a task returns; raises Broken if it did not end well."""

    async def timed(
        self, task: Callable[[*Ts], T], *args: *Ts, payer: str, limit: float = LIMIT
    ) -> tuple[T, float]:
        """What a task returns, and the seconds of a processor that it took."""

    async def in_turn(self, task: Callable[[*Ts, float], T], *args: *Ts, payer: str) -> T:
        """What a task returns whose last argument is how many seconds it may think."""

    def held(self, payer: str) -> AbstractAsyncContextManager[Slot]: ...


class Bots(Queue, Protocol):
    async def thought(self, state: State[Move], level: int, seed: int, payer: str) -> str:
        """The move that a bot of a level chooses."""


class Solvers(Protocol):
    """Searches for which somebody waits. A table has one at a time."""

    async def find(
        self, table: str, payer: str, gone: Callable[[], Awaitable[bool]],
        task: Callable[[str, State[Move], float, int], T], game: str, state: State[Move],
        seconds: float,
    ) -> T:  # fmt: skip
        """What a search returns; raises Refused if nobody waits for it any more."""

    async def advise(self, task: Callable[[*Ts, float], T], *args: *Ts, payer: str) -> T:
        """What a task returns whose last argument is how many seconds it may think."""


class Work(Protocol):
    """All queues of a host."""

    @property
    def bots(self) -> Bots: ...

    @property
    def facts(self) -> Queue:
        """Positions, pictures, long logs."""

    @property
    def lines(self) -> Queue:
        """Live lines of studies."""

    @property
    def reports(self) -> Queue:
        """Reports on whole games."""

    @property
    def solvers(self) -> Solvers:
        """Hints and solutions."""

    async def aside(self, task: Callable[[*Ts], T], *args: *Ts) -> T:
        """What a task returns, computed on this worker but not on its event loop: for what must
        be done even if the queues can't."""

    async def day(self, day: date, payer: str) -> int:
        """How hard the puzzle of a day is; from now on it is at hand here."""

    def close(self) -> None:
        """End all processes, whatever they do."""

    async def prepare(self, variant: str, payer: str) -> None:
        """Make a game ready to begin, also one that has to be found first."""
