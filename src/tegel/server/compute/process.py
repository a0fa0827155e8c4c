"""A process of the pool: how it begins, and when it ends."""

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable
from typing import Any, TypeVar, TypeVarTuple

from tegel.place.tasks.tasks import STOPS

T = TypeVar("T")
Ts = TypeVarTuple("Ts")
NICE = 5  # how much the processes of bots and facts give way to those that serve


def settle_down(stops: Any = None, nice: int = NICE) -> None:
    """A process of the pool gives way to those who serve, and leaves with them."""
    STOPS[:] = [stops]
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the worker says when it is over
    if hasattr(os, "nice"):
        os.nice(nice)
    threading.Thread(target=_leave_with_parent, daemon=True).start()


def _leave_with_parent() -> None:
    """End this process when the worker is gone, even by kill -9."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(0)


def timed(task: Callable[[*Ts], T], *args: *Ts) -> tuple[T, float]:
    """What a task gives, and the seconds of the processor that it took."""
    start = time.process_time()
    return task(*args), time.process_time() - start
