"""Processes, turns and budgets: what one asks for costs the others nothing."""

import asyncio
import os
import signal
import time
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from typing import Any

import pytest

from tegel.place.limits.limits import COSTS, Budget, Limits
from tegel.place.limits.networks import network
from tegel.place.ports import Broken
from tegel.room.refused import Refused
from tegel.server.compute.pool import Pool
from tegel.server.compute.turns import Turns


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(work, 60))


@asynccontextmanager
async def opened(pool: Pool) -> AsyncIterator[Pool]:
    try:
        yield pool
    finally:
        pool.close()


# Processes


@pytest.mark.slow
def test_a_task_that_hangs_costs_one_process() -> None:
    async def work() -> None:
        async with opened(Pool(2)) as pool:
            other = asyncio.create_task(pool.run(time.sleep, 4, payer="other", limit=30))
            with pytest.raises(Broken):
                await pool.run(time.sleep, 3600, payer="stuck", limit=2)
            await other
            assert await pool.run(pow, 2, 10, payer="next") == 1024

    run(work())


@pytest.mark.slow
def test_a_task_that_dies_costs_one_process() -> None:
    async def work() -> None:
        async with opened(Pool(2)) as pool:
            other = asyncio.create_task(pool.run(time.sleep, 4, payer="other"))
            for _ in range(2):
                with pytest.raises(Broken):
                    await pool.run(os._exit, 1, payer="dying")
            with pytest.raises(Broken):
                await pool.run(signal.raise_signal, signal.SIGKILL, payer="dying")
            await other
            assert await pool.run(pow, 2, 10, payer="next") == 1024

    run(work())


def test_what_a_task_raises_is_an_answer() -> None:
    async def work() -> None:
        async with opened(Pool(1)) as pool:
            before = await pool.run(os.getpid, payer="one")
            with pytest.raises(ZeroDivisionError):
                await pool.run(divmod, 1, 0, payer="one")
            assert await pool.run(os.getpid, payer="one") == before

    run(work())


@pytest.mark.slow
def test_a_quiet_pool_has_few_processes() -> None:
    async def work() -> None:
        async with opened(Pool(4)) as pool:
            assert not [slot for slot in pool.slots if slot.process]
            assert len({await pool.run(os.getpid, payer=str(i)) for i in range(4)}) == 1
            assert len([slot for slot in pool.slots if slot.process]) == 2, "and one to spare"

    run(work())


@pytest.mark.slow
def test_work_that_is_given_up_ends_at_once() -> None:
    async def work() -> None:
        async with opened(Pool(1)) as pool:
            task = asyncio.create_task(pool.run(time.sleep, 3600, payer="gone"))
            await asyncio.sleep(1)
            task.cancel()
            assert await pool.run(pow, 2, 10, payer="next") == 1024

    run(work())


@pytest.mark.slow
def test_a_process_that_dies_while_it_is_idle_is_no_matter() -> None:
    async def work() -> None:
        async with opened(Pool(1)) as pool:
            os.kill(await pool.run(os.getpid, payer="one"), signal.SIGKILL)
            await asyncio.sleep(1)
            assert await pool.run(pow, 2, 10, payer="one") == 1024

    run(work())


# Turns


def served(turns: Turns, *keys: str) -> list[str]:
    """In which order those go in who come one after the other, each for a moment."""
    found: list[str] = []

    async def one(key: str) -> None:
        async with turns.turn(key):
            found.append(key)
            await asyncio.sleep(0)

    async def all_() -> None:
        await asyncio.gather(*map(one, keys))

    run(all_())
    assert (turns.count, turns.waiting, turns.inside) == (0, {}, {})
    return found


def test_those_who_wait_take_turns() -> None:
    assert served(Turns(1, 1, 9), *"aaaabbc") == [*"abcabaa"]


def test_one_has_so_many_at_once() -> None:
    async def work() -> None:
        turns = Turns(2, 1, 9)
        async with turns.turn("a"):
            second = asyncio.create_task(turns._enter("a"))
            await asyncio.sleep(0.01)
            assert not second.done(), "one place is free, but not for the same"
            async with turns.turn("b"):
                pass
        await second

    run(work())


def test_so_many_of_one_wait() -> None:
    async def work() -> None:
        turns = Turns(1, 1, 2)
        async with turns.turn("a"):
            waiting = [asyncio.create_task(turns._enter("a")) for _ in range(2)]
            await asyncio.sleep(0)
            with pytest.raises(Refused, match="at once"):
                await turns._enter("a")
            other = asyncio.create_task(turns._enter("b"))
            for task in waiting:
                task.cancel()
        await other
        assert turns.count == 1, "those who went away hold no place"

    run(work())


# Budgets


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_work_is_charged_to_player_and_network() -> None:
    clock = Clock()
    budget = Budget(Limits(work=(20, 1), player_work=(10, 1)), clock)
    assert COSTS["room"] == 5
    budget.charge("home", "ann", "room")
    budget.charge("home", "ann", "room")
    with pytest.raises(Refused) as refused:
        budget.charge("home", "ann", "room")
    assert (refused.value.code, refused.value.args_by_name) == ("rate", {"seconds": 5})
    budget.charge("home", "bob", "room")
    budget.charge("home", "", "room")
    with pytest.raises(Refused, match="wait 5 seconds"):
        budget.charge("home", "eve", "room")
    budget.charge("away", "eve", "room")
    clock.now = 5
    budget.charge("home", "eve", "room")


def test_what_costs_more_than_all_is_allowed_when_nothing_was_asked_before() -> None:
    clock = Clock()
    budget = Budget(Limits(work=(1, 1), player_work=(1, 1)), clock)
    budget.charge("home", "ann", "room")
    with pytest.raises(Refused):
        budget.charge("home", "ann", "position")
    clock.now = 5
    budget.charge("home", "ann", "position")


def test_a_network_fills_only_so_much_of_the_disk_a_day() -> None:
    clock = Clock()
    budget, text, kept = Budget(Limits(), clock), "x" * 50_000, 0
    for _ in range(86_400):
        clock.now += 1
        try:
            budget.keep("home", text)
        except Refused:
            continue
        kept += len(text)
    assert 69e6 < kept < 70e6, "20 MB at once, and 50 MB a day"
    budget.keep("away", text)
    narrow = Budget(Limits(kept=(200, 1)), clock)
    narrow.keep("home", "🂡" * 25)
    with pytest.raises(Refused, match="much to keep: please wait 101 seconds"):
        narrow.keep("home", "x")  # bytes are counted, and what a row takes
    assert Limits().times(3).kept[0] == 60e6


def test_limits_are_widened_but_not_sizes() -> None:
    wide = Limits().times(2)
    assert (wide.work, wide.sockets, wide.bots) == ((600, 1.0), 400, 64)
    assert wide.body == Limits().body


def test_a_household_is_one_network() -> None:
    assert network("2001:db8::1") == network("2001:db8::ffff:1:2:3") != network("2001:db8:0:1::1")
    assert network("192.0.2.1") == network("::ffff:192.0.2.1") != network("192.0.2.2")
    assert network("fe80::1%eth0") == network("fe80::2")
    assert network("?") == "?"
