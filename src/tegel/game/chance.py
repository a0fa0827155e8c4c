"""A source of random numbers, as whoever needs one asks for it. The rules never do: chance is a
seat, and its draws are moves."""

from collections.abc import MutableSequence, Sequence
from random import Random
from typing import Protocol, TypeVar

T = TypeVar("T")


class Chance(Protocol):
    """What `random.Random` offers of it. A server's must be unpredictable: names of rooms are
    secrets."""

    def random(self) -> float: ...

    def getrandbits(self, k: int, /) -> int: ...

    def choice(self, seq: Sequence[T], /) -> T: ...

    def choices(self, population: Sequence[T], weights: Sequence[float]) -> list[T]: ...

    def shuffle(self, x: MutableSequence[T], /) -> None: ...


def new_seed(chance: Chance) -> int:
    """A random seed, for a search or a process of its own."""
    return chance.getrandbits(60)


def seeded(seed: int) -> Random:
    """A source of random numbers that follows from a seed."""
    return Random(seed)
