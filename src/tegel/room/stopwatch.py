"""A clock that counts up: the time someone spends with a puzzle, pauses left out.

It runs from `!look` to `!away`, which the page says when it comes into sight and goes out of
it; a move shows that someone looks. What was not said, because a server died or a connection
broke, is not counted: `!look` begins anew and adds nothing."""

from typing import NamedTuple

Outages = tuple[tuple[int, int], ...]  # from, to: when no worker was alive


class Stopwatch(NamedTuple):
    spent: int = 0  # milliseconds, until `since`
    since: int = 0  # since when someone looks; 0: nobody does

    def at(self, now: int, outages: Outages = ()) -> int:
        """The milliseconds spent by then."""
        if not self.since:
            return self.spent
        gap = sum(max(0, min(end, now) - max(start, self.since)) for start, end in outages)
        return self.spent + max(0, now - self.since - gap)

    def after(self, text: str, now: int, over: bool, outages: Outages = ()) -> "Stopwatch":
        """As a row of the log leaves it."""
        word = text.split(" ")[0]
        spent = self.spent if word == "!look" else self.at(now, outages)
        seen = not word.startswith("!") or word in ("!look", "!takeback")
        stopped = over or word == "!away" or not (self.since or seen)
        return Stopwatch(spent, 0 if stopped else now)


UNUSED = Stopwatch()
