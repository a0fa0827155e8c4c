"""Seats, states and outcomes: what the rules of every game speak of."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, NewType, Protocol, Self, TypeVar, cast

from tegel.lattice import Cell
from tegel.words import sentence

T = TypeVar("T")
Seat = int
CHANCE: Seat = -1


class IllegalMove(ValueError):
    """Readable but forbidden here: the rule broken (a key among the refusals of the
    game's words), the cells where, and what else the sentence speaks of. Raised by `play`, it
    has the `state` that refused."""

    state: "State[Move] | None" = None

    def __init__(self, game: str, rule: str, cells: Sequence[Cell] = (), **args: object) -> None:
        self.game, self.rule, self.cells, self.args_by_name = game, rule, tuple(cells), args
        super().__init__(game, rule, self.cells, args)

    def __str__(self) -> str:
        return sentence(self.game, "refusals", self.rule, self.args_by_name)

    def __reduce__(self) -> tuple[object, ...]:
        values = self.game, self.rule, self.cells, self.args_by_name
        return _illegal, values, {"state": self.state}

    def at(self, state: object) -> Self:
        """The same, of a move that was tried in this state."""
        self.state = cast("State[Move]", state)
        return self


def _illegal(game: str, rule: str, cells: Sequence[Cell], args: dict[str, object]) -> IllegalMove:
    return IllegalMove(game, rule, cells, **args)


@dataclass(frozen=True)
class Outcome:
    """How a game ended."""

    winners: tuple[Seat, ...]  # all who share the win
    reason: str  # a key among the reasons of the game's words


def leaders(scores: Sequence[int], among: Iterable[Seat] | None = None) -> tuple[Seat, ...]:
    """The seats with the best score, of all or of some.

    >>> leaders((3, 7, 7)), leaders((3, 7, 7), [0, 2])
    ((1, 2), (2,))
    """
    seats = range(len(scores)) if among is None else tuple(among)
    best = max((scores[seat] for seat in seats), default=0)
    return tuple(seat for seat in seats if scores[seat] == best)


def with_entry(values: tuple[T, ...], index: int, value: T) -> tuple[T, ...]:
    """A tuple with one entry replaced.

    >>> with_entry((5, 6, 7), 1, 0)
    (5, 0, 7)
    """
    return (*values[:index], value, *values[index + 1 :])


M = TypeVar("M", bound=Hashable)
Move = NewType("Move", object)
"""A move of a game that is known by its name only: what `moves()` lists and `parse` reads."""


class Rules(Protocol):
    """One way to play a game, as frozen data; a game's own have the options besides."""

    @property
    def variant(self) -> str:
        """The variant that they are of."""


class State(Protocol[M]):
    """A position and whose turn it is: immutable, hashable, picklable. `str` writes it
    as text, which the game's `read` takes back."""

    @property
    def rules(self) -> Rules:
        """What is played by."""

    @property
    def turn(self) -> Seat:
        """Who decides now; CHANCE: a draw. At the end, whoever would be next."""

    @property
    def scores(self) -> tuple[int, ...]:
        """The running score of each seat, as the rules define it."""

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended; None as long as it goes on."""

    def moves(self) -> Sequence[M]:
        """What may be played; empty exactly when there is an outcome."""

    def play(self, move: M) -> Self:
        """The state after a move; raises IllegalMove."""

    def odds(self) -> Mapping[M, float]:
        """The probability of each draw; empty unless `turn` is CHANCE."""


class Lean:
    """Values that are pickled and copied without their derived facts, the cached properties."""

    _derived: ClassVar[frozenset[str]] = frozenset()

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        found = {key for key, value in vars(cls).items() if isinstance(value, cached_property)}
        cls._derived |= found

    def __getstate__(self) -> dict[str, object]:
        found = vars(self).copy()
        for key in self._derived:
            found.pop(key, None)
        return found

    def __copy__(self) -> Self:
        made = object.__new__(type(self))
        vars(made).update(self.__getstate__())
        return made

    def having(self, **changes: object) -> Self:
        """The same but for some fields, as `dataclasses.replace` has it, in a third of the time."""
        made = object.__new__(type(self))
        vars(made).update(self.__getstate__(), **changes)
        return made

    def __deepcopy__(self, _: dict[int, object]) -> Self:
        return self  # it never changes


@dataclass(frozen=True)
class Option:
    """A choice in the rules that a table may make: a field of `Rules` that holds text."""

    values: tuple[str, ...]
    variants: tuple[str, ...] = ()  # empty: all
    open: bool = False  # besides `values`, any text that the game's `begin` accepts
    quick: str = ""  # what a table made by one click has, if not the default

    def concerns(self, variant: str) -> bool:
        """Whether a variant has this option."""
        return not self.variants or variant in self.variants


def heading(game: str, rules: Rules, options: Mapping[str, Option]) -> str:
    """The first line of a position as text: game, variant and options, as in
    `blokus two corners=fixed`."""
    chosen = [
        f"{key}={getattr(rules, key)}"
        for key, option in options.items()
        if option.concerns(rules.variant)
    ]
    return " ".join([game, rules.variant, *chosen])
