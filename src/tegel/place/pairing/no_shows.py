"""People who were paired and did not sit down. For a while they, and whoever looks from the same
network or, if that happens more often, from the same site, are **behind** everybody else (see
`matching`): at first they must wait half a minute before they meet others again, each time twice as
long."""

from tegel.room.clock import SECOND

HOLD, LONGEST = 30 * SECOND, 600 * SECOND
REMEMBERED = 1800 * SECOND


def hold(times: int) -> int:
    """For how many milliseconds somebody meets nobody else after having stayed away so often.

    >>> [hold(times) // 1000 for times in (1, 2, 3, 9)]
    [30, 60, 120, 600]
    """
    return int(min(HOLD * 2 ** min(times - 1, 10), LONGEST))
