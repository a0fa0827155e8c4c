"""Moments and people: what a moment is called, which is a day's, how hard people find one, and how
well somebody finds them.

- a **name** is ten letters and digits, which follow from the position alone: a moment keeps it,
  and what people made of it, when others are added or it is judged anew;
- a **level** is somebody's, on the scale of the grades: of moments of that grade they find two of
  three. One that is found at the first try raises it by a quarter of a grade, one that is not
  lowers it by half a grade: so it comes to rest there;
- a **grade** begins as the engine's, as if that were the mean of so many tries (`IMAGINED`), and
  moves towards what people make of it: every first try says how hard it **felt**. Of a moment that
  was found, half a grade below the level of who tried; of one that was not, a grade above it.
"""

import hashlib
from datetime import date
from functools import cache, lru_cache

from tegel.search import moments
from tegel.search.moments import Moment

LOWEST, HIGHEST = 1.0, 5.0  # grades and levels
BEGIN = 2.0  # the level of who has tried none
UP, DOWN = 0.25, 0.5  # grades, by one that is found and one that is not
BEYOND = 1.0  # grades: a moment moves a level no further past its own grade
EASIER, HARDER = 0.5, 1.0  # than one's level, which a moment felt like
IMAGINED = 20  # tries that the engine's grade counts for


@cache
def named(game: str) -> dict[str, Moment]:
    """The moments of a game by their names."""
    return {name(moment): moment for moment in moments.of(game)}


def name(moment: Moment) -> str:
    """What a moment of a game is called."""
    options = [f"{key}={value}" for key, value in sorted(moment.options.items())]
    position = " ".join([moment.variant, *options, *moment.moves])
    return hashlib.blake2b(position.encode(), digest_size=5).hexdigest()


def of_day(game: str, day: date) -> str:
    """The name of the moment of a day: the same for everybody; each comes once in a round. A game
    that has none has an empty one."""
    count = len(named(game))
    if not count:
        return ""
    number, at = divmod(day.toordinal(), count)
    return _round(game, number)[at]


@lru_cache(100)
def _round(game: str, number: int) -> list[str]:
    """All moments of a game, in an order drawn by lot."""

    def lot(name: str) -> bytes:
        return hashlib.blake2b(f"{game} {number} {name}".encode(), digest_size=8).digest()

    return sorted(named(game), key=lot)


def level_after(level: float, grade: float, found: bool) -> float:
    """Somebody's level after they tried a moment. One that is far too easy to tell raises it no
    more, and one that is far too hard does not lower it.

    >>> level_after(2.0, 2, True), level_after(2.0, 2, False)
    (2.25, 1.5)
    >>> level_after(4.0, 1, True), level_after(2.0, 5, False)
    (4.0, 2.0)
    """
    if found:
        return min(HIGHEST, max(level, min(level + UP, grade + BEYOND)))
    return max(LOWEST, min(level, max(level - DOWN, grade - BEYOND)))


def felt(level: float, found: bool) -> float:
    """How hard a moment felt to somebody of a level."""
    return level - EASIER if found else level + HARDER


def graded(grade: int, tries: int, felt: float) -> float:
    """The grade of a moment after so many first tries, by the sum of how hard it felt; at first it
    is the engine's.

    >>> graded(3, 0, 0.0), graded(3, 20, 20 * 4.0)
    (3.0, 3.5)
    """
    mean = (IMAGINED * grade + felt) / (IMAGINED + tries)
    return min(HIGHEST, max(LOWEST, mean))
