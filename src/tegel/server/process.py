"""The process of a worker: what it does besides serving."""

import asyncio
import gc
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

MINUTE, HOUR = 60.0, 3600.0


def settle() -> None:
    """Prepare a process for a worker whose rooms live long."""
    # The writer's thread asks for the interpreter while the event loop has it.
    sys.setswitchinterval(0.001)
    # Neither rooms nor sockets hold cycles: the garbage collector, which stops everything, looks
    # at what is new alone, some at a time, and at the rest now and then.
    gc.freeze()
    gc.set_threshold(3_000, 1_000_000)


async def collect_forever() -> None:
    """Collect garbage now and then: statements for the database, for one, leave cycles, and those
    under way when the youngest generation was looked at would stay."""
    for minute in range(1, sys.maxsize):
        await asyncio.sleep(MINUTE)
        gc.collect(1 if minute % (HOUR // MINUTE) else 2)


@contextmanager
def heard_signals(closing: asyncio.Event) -> Iterator[None]:
    """Set an event when the process is told to stop: streams must end before the server can. What
    heard the signals before hears them too, and afterwards alone."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    loop = asyncio.get_running_loop()
    earlier = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}

    def heard(number: int, frame: FrameType | None) -> None:
        loop.call_soon_threadsafe(closing.set)
        before = earlier[signal.Signals(number)]
        if callable(before):
            before(number, frame)

    for number in earlier:
        signal.signal(number, heard)
    try:
        yield
    finally:
        for number, before in earlier.items():
            signal.signal(number, before)
