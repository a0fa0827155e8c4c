"""A source of random numbers, as whoever needs one asks for it. The rules never do: chance is a
seat, and its draws are moves."""

from collections.abc import MutableSequence, Sequence
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
