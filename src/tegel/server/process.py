"""The process of a worker: what it does besides serving."""

import asyncio
import gc
import signal
import sys
import threading

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


def hear_signals(closing: asyncio.Event) -> None:
    """Set an event when the process is told to stop: streams must end before the server can."""
    if threading.current_thread() is not threading.main_thread():
        return
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        before = signal.getsignal(number)

        def heard(number: int, frame: object, before: object = before) -> None:
            loop.call_soon_threadsafe(closing.set)
            if callable(before):
                before(number, frame)

        signal.signal(number, heard)
