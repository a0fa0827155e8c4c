"""The only place where tests wait: for a condition, which is asked again and again."""

import asyncio
import time
from collections.abc import Callable
from typing import Any

STEP = 0.05  # seconds between two looks


def until(true: Callable[[], Any], what: str, seconds: float = 20, step: float = STEP) -> Any:
    """What a condition gives when it becomes true; it fails if that takes too long."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if found := true():
            return found
        time.sleep(step)
    raise AssertionError(f"{what} did not happen within {seconds} s")


async def until_then(true: Callable[[], Any], what: str, seconds: float = 20) -> Any:
    """The same in an event loop, whose other tasks go on."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if found := true():
            return found
        await asyncio.sleep(STEP)
    raise AssertionError(f"{what} did not happen within {seconds} s")
