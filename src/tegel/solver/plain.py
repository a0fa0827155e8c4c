"""Exact cover in plain Python, for machines without a compiler: the same search as
`cover.hpp`, node by node, some sixty times slower."""

from collections.abc import Iterator, Sequence
from enum import Enum

from tegel.cells import bits
from tegel.game import BadNotation


class Status(Enum):
    PAUSED = 0
    FOUND = 1
    DONE = 2


class Cover:
    def __init__(
        self,
        least: Sequence[int],
        most: Sequence[int],
        options: Sequence[Sequence[tuple[int, int]]],
    ) -> None:
        if len(least) != len(most):
            raise ValueError("as many least as most")
        if any(not 0 <= item < len(least) for option in options for item, _ in option):
            raise ValueError("there is no such item")
        self.options = options
        self.holders = [0] * len(least)
        self.painters: dict[tuple[int, int], int] = {}
        size = [0] * len(least)
        for number, option in enumerate(options):
            for item, colour in option:
                self.holders[item] |= 1 << number
                size[item] += 1
                if colour:
                    key = item, colour
                    self.painters[key] = self.painters.get(key, 0) | 1 << number
        self.wanting = [item for item, count in enumerate(least) if count > 0]
        self.root = Frame((1 << len(options)) - 1, size, list(least), list(most), [0] * len(least))
        self.weights: Sequence[float] = [0.0] * len(options)
        self.nodes = self.solutions = 0
        self.solution: list[int] = []
        self.restart(0)

    def restart(self, seed: int) -> None:
        self.chance = Chance(seed)
        self.shuffled = seed != 0
        self.solution = []
        self.walk = self.steps()

    def weigh(self, weights: Sequence[float]) -> None:
        if len(weights) != len(self.options):
            raise ValueError("a weight an option")
        self.weights = weights

    def run(self, nodes: int) -> Status:
        end = self.nodes + nodes
        for found in self.walk:
            if found:
                self.solutions += 1
                return Status.FOUND
            if self.nodes >= end:
                return Status.PAUSED
        return Status.DONE

    def count(self, nodes: int) -> Status:
        end = self.nodes + nodes
        while self.nodes < end:
            status = self.run(end - self.nodes)
            if status is not Status.FOUND:
                return status
        return Status.PAUSED

    def dive(self, seed: int) -> float:
        self.restart(seed)
        ways = total = 1.0
        frame: Frame | None = self.root.copy()
        while frame and self.feasible(frame):
            tries = self.tries(frame)
            if tries is None:
                break
            ways *= len(tries)
            total += ways
            chosen = self.chance.below(len(tries))
            for option in tries[:chosen]:
                self.remove(frame, option)
            frame = self.chosen(frame, tries[chosen])
        return total

    def feasible(self, frame: "Frame") -> bool:
        return all(
            least <= min(size, room)
            for least, size, room in zip(frame.least, frame.size, frame.room, strict=True)
            if least > 0
        )

    def steps(self) -> Iterator[bool]:
        """The search: true at a solution, false at any other node."""
        if self.feasible(self.root):
            yield from self.below(self.root.copy())

    def below(self, frame: "Frame") -> Iterator[bool]:
        tries = self.tries(frame)
        if tries is None:
            yield True
            return
        for option in tries:
            if not frame.alive >> option & 1:
                continue
            self.nodes += 1
            self.solution.append(option)
            after = self.chosen(frame, option)
            yield from self.below(after) if after else (False,)
            self.solution.pop()
            if not self.remove(frame, option):
                return

    def tries(self, frame: "Frame") -> list[int] | None:
        """The options of the item with the fewest ways left, one of which must be chosen;
        None if no item is in want."""
        best, fewest = -1, 0
        for item in self.wanting:
            if (least := frame.least[item]) > 0:
                ways = frame.size[item] - least
                if best < 0 or ways < fewest:
                    best, fewest = item, ways
        if best < 0:
            return None
        found = list(bits(self.holders[best] & frame.alive))
        if self.shuffled:
            keys = {option: -self.weights[option] - self.chance.unit() for option in found}
            found.sort(key=lambda option: (keys[option], option))
        return found[: fewest + 1]

    def chosen(self, before: "Frame", option: int) -> "Frame | None":
        """The frame after a choice, or None if it leaves an item in want."""
        frame = before.copy()
        clash = 1 << option
        for item, colour in self.options[option]:
            if frame.colour[item]:
                continue
            frame.least[item] -= 1
            frame.room[item] -= 1
            frame.colour[item] = colour
            if colour:
                clash |= self.holders[item] & ~self.painters[item, colour]
            elif not frame.room[item]:
                clash |= self.holders[item]
        dying = clash & frame.alive
        frame.alive ^= dying
        for other in bits(dying):
            if not self.leave(frame, other):
                return None
        return frame

    def remove(self, frame: "Frame", option: int) -> bool:
        frame.alive &= ~(1 << option)
        return self.leave(frame, option)

    def leave(self, frame: "Frame", option: int) -> bool:
        good = True
        for item, _ in self.options[option]:
            frame.size[item] -= 1
            good = good and frame.size[item] >= frame.least[item]
        return good


class Frame:
    """What changes in a search."""

    __slots__ = ("alive", "colour", "least", "room", "size")

    def __init__(
        self, alive: int, size: list[int], least: list[int], room: list[int], colour: list[int]
    ) -> None:
        self.alive, self.size, self.least = alive, size, least
        self.room, self.colour = room, colour

    def copy(self) -> "Frame":
        return Frame(self.alive, self.size[:], self.least[:], self.room[:], self.colour[:])


class Chance:
    """SplitMix64, as in `chance.hpp`."""

    MASK = (1 << 64) - 1

    def __init__(self, seed: int) -> None:
        self.state = seed * 0x2545F4914F6CDD1D & self.MASK

    def __call__(self) -> int:
        self.state = (self.state + 0x9E3779B97F4A7C15) & self.MASK
        z = self.state
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & self.MASK
        z = (z ^ z >> 27) * 0x94D049BB133111EB & self.MASK
        return z ^ z >> 31

    def below(self, n: int) -> int:
        return (self() >> 32) * n >> 32

    def unit(self) -> float:
        return (self() >> 11) * 2.0**-53


class Packing:
    """Not to be had in plain Python: local search needs tens of thousands of tries."""

    best: list[tuple[int, int, list[int]]]
    missing: int
    tries: int

    def __init__(self, *_: object) -> None:
        raise BadNotation(
            "puzzle", "rules of Blokus need the compiled solver: install with a C++ compiler"
        )

    def fix(self, colour: int, tile: int, cells: Sequence[int]) -> None: ...
    def run(self, tries: int) -> Status:
        raise NotImplementedError
