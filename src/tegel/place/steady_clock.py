"""The time of the house, in milliseconds since 1970.

The clock on the wall can be set, and then time would stand still or run an hour in a moment.
So the time of the house goes on by a clock that nobody can set, and

- never goes back: if the wall clock falls behind, the time goes on ahead of it, and is drawn to it
  by a hundredth of what passes;
- follows a wall clock that is `STEP` or more ahead at once, for a computer that slept looks the
  same. Nobody served in between as far as anybody can tell, so the first beat after it writes an
  outage, and banks are not charged;
- is the same for all workers, but for moments: whoever finds a beat ahead of its own time, of
  another worker or from before a restart, goes on from there."""

from tegel.place.ports import Clock

SILENCE = 6000  # milliseconds without a beat, after which a worker counts as dead
STEP = SILENCE  # a step over which is an outage
PULL = 0.01  # how much slower or faster time may run to come back to the wall clock


class SteadyClock:
    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.time, self.at = clock.wall(), clock.monotonic()  # the time, and when it was so

    def __call__(self) -> int:
        at = self.clock.monotonic()
        passed, self.at = 1000 * (at - self.at), at
        self.time += passed
        off = self.clock.wall() - self.time
        self.time += off if off > STEP else max(-PULL * passed, min(PULL * passed, off))
        return int(self.time)

    def forward(self, to: int) -> None:
        """Go on from a time that others know already."""
        self.time = max(self.time, float(to))
