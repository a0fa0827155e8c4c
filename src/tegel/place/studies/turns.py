"""Who thinks first: bots, for whom somebody waits at a table."""

from tegel.place.ports import Clock, Work

BREATH, PATIENCE = 0.05, 2.0  # seconds between looks whether bots wait, and for how long at most


async def after_bots(work: Work, clock: Clock) -> None:
    """Wait while bots think, but not for ever."""
    end = clock.monotonic() + PATIENCE
    while work.bots.busy and clock.monotonic() < end:
        await clock.sleep(BREATH)
