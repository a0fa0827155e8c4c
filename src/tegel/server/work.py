"""What the processes of the pool do. They import no more than it takes."""

import multiprocessing
import os
import random
import signal
import threading
from typing import Any

from tegel.game import State
from tegel.search.bot import bot


def settle_down() -> None:
    """A process of the pool gives way to those who serve, and leaves with them."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the worker says when it is over
    if hasattr(os, "nice"):
        os.nice(5)
    threading.Thread(target=_leave_with_parent, daemon=True).start()


def _leave_with_parent() -> None:
    """End this process when the worker is gone, even by kill -9."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(0)


def thought(state: State[Any], level: int, seconds: float) -> str:
    return str(bot(level, seconds)(state, random.Random()))
