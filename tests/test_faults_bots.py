"""A bot whose process dies, or has no memory left, is answered for by a weaker one."""

import asyncio
import logging
import os
import random
import resource
import signal

import pytest

from tegel import games
from tegel.room.refused import Refused
from tegel.server.compute.pool import Pool

pytestmark = pytest.mark.slow  # each starts processes, and some die
STATE = games.load("blokus").start("classic")


async def killed(pool: Pool, times: int) -> int:
    """Kill the processes of a pool while they work, so many times; how often."""
    done = 0
    before: set[int] = set()
    while done < times:
        await asyncio.sleep(0.05)
        processes = [slot.process for slot in pool.slots if slot.process]
        for process in processes:
            for pid in set(process._processes or {}) - before:
                os.kill(pid, signal.SIGKILL)
                before.add(pid)
                done += 1
    return done


def test_a_bot_killed_while_it_thinks_is_answered_by_a_weaker_one(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def work() -> str:
        pool = Pool(1)
        try:
            killer = asyncio.create_task(killed(pool, 2))
            text = await pool.thought(STATE, 9, 1, "room")
            assert await killer == 2
            return text
        finally:
            pool.close()

    with caplog.at_level(logging.WARNING, "tegel.pool"):
        text = asyncio.run(asyncio.wait_for(work(), 120))
    assert text in map(str, STATE.moves())
    said = [r.getMessage() for r in caplog.records if "broke off" in r.getMessage()]
    assert said == [
        "a bot of level 9 broke off: 4 is next",
        "a bot of level 4 broke off: 2 is next",
    ]


def test_a_bot_whose_processes_all_die_still_moves(caplog: pytest.LogCaptureFixture) -> None:
    async def work() -> str:
        pool = Pool(1)
        killer = asyncio.create_task(killed(pool, 100))
        try:
            return await pool.thought(STATE, 9, 1, "room")
        finally:
            killer.cancel()
            pool.close()

    with caplog.at_level(logging.WARNING, "tegel.pool"):
        assert asyncio.run(asyncio.wait_for(work(), 120)) in map(str, STATE.moves())
    said = [r.getMessage() for r in caplog.records if "broke off" in r.getMessage()]
    assert [line.split()[4] for line in said] == ["9", "4", "2", "1"]


def test_a_bot_that_fails_is_answered_by_a_weaker_one(caplog: pytest.LogCaptureFixture) -> None:
    async def work() -> str:
        pool = Pool(1)
        try:
            return await pool.thought(STATE, 10, 1, "room")  # there is no such level
        finally:
            pool.close()

    with caplog.at_level(logging.ERROR, "tegel.pool"):
        assert asyncio.run(asyncio.wait_for(work(), 120)) in map(str, STATE.moves())
    assert [r.getMessage() for r in caplog.records] == ["a bot of level 10 failed: 5 is next"]


def test_where_too_much_is_asked_for_no_weaker_bot_thinks_instead() -> None:
    async def work() -> None:
        pool = Pool(1, waiting=0)
        try:
            await pool.thought(STATE, 9, 1, "room")
        finally:
            pool.close()

    with pytest.raises(Refused, match="Too much is asked for"):
        asyncio.run(asyncio.wait_for(work(), 120))


@pytest.mark.parametrize("more", [0, 60, 165, None])
def test_a_bot_out_of_memory_is_answered_by_a_weaker_one(
    more: int | None, rng: random.Random
) -> None:
    """Wherever it runs out: while what plays its net is loaded, or while it thinks."""
    room = (rng.randrange(200) if more is None else more) << 20

    async def work() -> str:
        pool = Pool(1)
        try:
            used = await pool.run(_pages, payer="room")
            limit = (used + room, resource.RLIM_INFINITY)
            await pool.run(resource.setrlimit, resource.RLIMIT_AS, limit, payer="room")
            return await pool.thought(STATE, 9, 1, "room")
        finally:
            pool.close()

    assert asyncio.run(asyncio.wait_for(work(), 120)) in map(str, STATE.moves())


def _pages() -> int:
    """The bytes of addresses that this process has."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[0]) * resource.getpagesize()
