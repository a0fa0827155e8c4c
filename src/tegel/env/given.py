"""Numbers that somebody gives an environment: whole ones, of whatever library, or a sentence."""

from collections.abc import Iterable
from operator import index
from typing import SupportsIndex


def whole(value: SupportsIndex, least: int, most: int, wanted: str) -> int:
    """A whole number within bounds; what is wanted is said otherwise.

    >>> whole(2.5, 1, 9, "a batch has 1 to 9 games")
    Traceback (most recent call last):
    ValueError: a batch has 1 to 9 games, not 2.5
    """
    try:
        found = index(value)
    except TypeError:
        found = least - 1
    if not least <= found <= most:
        raise ValueError(f"{wanted}, not {value!r}")
    return found


def seeds(given: SupportsIndex | Iterable[SupportsIndex], count: int) -> list[int]:
    """So many seeds of 64 bits: those given or, of a single one, it and the numbers after it.

    >>> seeds(-1, 2), seeds([3, 4], 2)
    ([18446744073709551615, 0], [3, 4])
    """
    several: Iterable[SupportsIndex]
    try:
        first = index(given)  # type: ignore[arg-type]
        several = range(first, first + count)
    except TypeError:
        several = given  # type: ignore[assignment]
    try:
        found = [index(one) % 2**64 for one in several]
    except TypeError:
        raise ValueError("seeds are whole numbers") from None
    if len(found) != count:
        raise ValueError(f"there are {len(found)} seeds, not {count}")
    return found
