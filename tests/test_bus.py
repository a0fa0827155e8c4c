"""The bus of several workers, as one of them uses it."""

import asyncio
import logging
import time
from pathlib import Path

import pytest

from servers import redis
from tegel.server.workers import redis_bus
from tegel.server.workers.bus import News


async def heard(_: str, __: News) -> None:
    pass


async def missed() -> None:
    pass


def test_who_has_much_to_do_does_not_take_the_bus_for_broken(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(redis_bus, "PATIENCE", 0.4)

    async def busy(url: str) -> None:
        bus = redis_bus.RedisBus(url, "me")
        await bus.open(heard, missed)
        try:
            waiting = [asyncio.create_task(bus.listen(str(number))) for number in range(12)]
            async with asyncio.timeout(30):
                while not all(task.done() for task in waiting):
                    time.sleep(0.05)
                    await asyncio.sleep(0)
            assert not bus.confirmed, "all are heard"
        finally:
            await bus.close()

    with redis(tmp_path / "redis") as url, caplog.at_level(logging.ERROR, "tegel.bus"):
        asyncio.run(busy(url))
    assert not caplog.records
