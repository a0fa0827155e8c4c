"""A clock that counts up: the time someone spends with a puzzle, pauses left out.

It runs from `!look` to `!away`, which the page says when it comes into sight and goes out of
it; a move shows that someone looks. What was not said, because a server died or a connection
broke, is not counted: `!look` begins anew and adds nothing."""

from collections.abc import Iterable
from typing import NamedTuple

from tegel.room.log import Away, Event, Look, Takeback

Outages = tuple[tuple[int, int], ...]  # from, to: when no worker was alive; apart, in order


def apart(spans: Iterable[tuple[int, int]]) -> Outages:
    """Outages, in order, with those that overlap or touch made one: two workers that come back
    at the same time may each write down the same silence, from a beat of its own.

    >>> apart([(5, 9), (1, 3), (2, 4), (6, 7)])
    ((1, 4), (5, 9))
    """
    found: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], end))
        else:
            found.append((start, end))
    return tuple(found)


class Stopwatch(NamedTuple):
    spent: int = 0  # milliseconds, until `since`
    since: int = 0  # since when someone looks; 0: nobody does

    def at(self, now: int, outages: Outages = ()) -> int:
        """The milliseconds spent by then."""
        if not self.since:
            return self.spent
        gap = sum(max(0, min(end, now) - max(start, self.since)) for start, end in outages)
        return self.spent + max(0, now - self.since - gap)

    def after(
        self, event: Event | None, now: int, over: bool, outages: Outages = ()
    ) -> "Stopwatch":
        """As a row of the log leaves it: an event or, if it is None, a move."""
        spent = self.spent if isinstance(event, Look) else self.at(now, outages)
        seen = event is None or isinstance(event, Look | Takeback)
        stopped = over or isinstance(event, Away) or not (self.since or seen)
        return Stopwatch(spent, 0 if stopped else now)


UNUSED = Stopwatch()
