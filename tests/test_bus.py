"""The bus of several workers, as one of them uses it."""

import asyncio
import logging
import time
from pathlib import Path

import pytest

from servers import redis
from tegel.place.bus import News
from tegel.server import redis_bus


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


def test_news_that_nobody_takes_do_not_pile_up(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bus that stands still costs no memory: after so many it counts as broken, until it is
    back."""
    monkeypatch.setattr(redis_bus, "MOST", 300)
    news = News("me", "rows")

    async def told(url: str) -> None:
        bus = redis_bus.RedisBus(url, "me")
        await bus.open(heard, missed)
        try:
            async with asyncio.timeout(20):
                while not bus.healthy:
                    await asyncio.sleep(0.01)
            for _ in range(301):  # faster than they are sent
                bus.tell("room", news)
            assert (bus.healthy, len(bus.waiting)) == (False, 0), "the logs are read instead"
            for _ in range(1_000):
                bus.tell("room", news)
            assert not bus.waiting
            async with asyncio.timeout(20):
                while not bus.healthy:
                    await asyncio.sleep(0.01)
            bus.tell("room", news)
            assert bus.waiting, "and when it is back news are sent again"
        finally:
            await bus.close()

    with redis(tmp_path / "redis") as url, caplog.at_level(logging.ERROR, "tegel.bus"):
        asyncio.run(told(url))
    assert [record.getMessage() for record in caplog.records] == [
        "the bus is out of reach: too much news waits"
    ]
