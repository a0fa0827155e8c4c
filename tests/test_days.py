"""What happens every day, as one worker tells it."""

import asyncio
from datetime import UTC, date, datetime

import pytest

from tegel.place.days import FEW, FRESH, MOST, Days
from tegel.room.refused import Refused


class At:
    """A clock that stands still until it is set."""

    def __init__(self, at: datetime) -> None:
        self.at, self.since = at, 0.0

    def wall(self) -> float:
        return self.at.timestamp() * 1000

    def monotonic(self) -> float:
        return self.since

    async def sleep(self, seconds: float) -> None:
        self.since += seconds


def asked(days: Days, key: str, found: list[int], many: int) -> int:
    """What is told of a key; `found`: what was looked up so far."""

    async def find() -> int:
        found.append(many)
        return many

    return asyncio.run(days.results(key, find, lambda count: count))


def test_a_day_begins_at_midnight_of_utc_and_comes_once() -> None:
    clock = At(datetime(2026, 11, 18, 23, 59, 59, tzinfo=UTC))
    days = Days(clock)
    assert days.come(date(2026, 11, 18)) == days.today() == date(2026, 11, 18)
    with pytest.raises(Refused, match="That day has not come yet"):
        days.come(date(2026, 11, 19))
    clock.at = datetime(2026, 11, 19, tzinfo=UTC)
    assert days.come(date(2026, 11, 19)) == date(2026, 11, 19)
    with pytest.raises(Refused, match="The first day is 2026-11-19"):
        days.come(date(2026, 11, 18), first=date(2026, 11, 19))


def test_results_of_many_are_kept_for_a_while() -> None:
    clock, found = At(datetime(2026, 11, 18, tzinfo=UTC)), list[int]()
    days = Days(clock)
    assert asked(days, "day", found, FEW + 1) == asked(days, "day", found, FEW + 2) == FEW + 1
    clock.since = FRESH
    assert asked(days, "day", found, FEW + 3) == FEW + 3
    assert found == [FEW + 1, FEW + 3]


def test_results_of_few_are_counted_each_time() -> None:
    found, days = list[int](), Days(At(datetime(2026, 11, 18, tzinfo=UTC)))
    for many in (1, 2, FEW):
        assert asked(days, "day", found, many) == many


def test_the_days_that_are_kept_are_bounded() -> None:
    found, days = list[int](), Days(At(datetime(2026, 11, 18, tzinfo=UTC)))
    for number in range(MOST + 1):
        asked(days, str(number), found, FEW + 1)
    assert len(days.known) == MOST
    asked(days, "0", found, FEW + 2)
    assert found[-1] == FEW + 2, "the oldest was forgotten"
