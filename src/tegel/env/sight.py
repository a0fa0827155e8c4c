"""A position in numbers, as who moves sees it: what all environments show.

>>> from tegel import games
>>> state = games.load("blokus").start("duo")
>>> seen = sight(state)
>>> seen.planes.shape, len(seen.moves), sizes(state).actions
((10, 14, 14), 414, 17836)
"""

import random
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Generic, TypeVar

try:
    import numpy as np
    from numpy.typing import NDArray
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        f"positions in numbers need {error.name}: pip install 'tegel[net]'", name=error.name
    ) from None

from tegel import games
from tegel.game import CHANCE, State, game_of
from tegel.search import kernel, nets
from tegel.search.chance import draw

M = TypeVar("M")


@dataclass(frozen=True)
class Sight(Generic[M]):
    """What is seen of a position."""

    planes: NDArray[np.uint8]  # by channel, row, column
    scalars: NDArray[np.float32]
    moves: Mapping[int, M]  # the legal moves by their numbers

    def __deepcopy__(self, _: dict[int, object]) -> "Sight[M]":
        return self  # it never changes


@dataclass(frozen=True)
class Sizes:
    """What is the same in all positions of a variant."""

    planes: tuple[int, int, int]
    scalars: int
    actions: int


def sight(state: State[M]) -> Sight[M]:
    """A position in which somebody is to move: by the kernel, or without it by the law."""
    game = game_of(state)
    if game.name in nets.GAMES and kernel.available(state):
        assert game.kernel
        native = import_module("tegel.search._nets")
        guide = native.guide(game.name, list(game.kernel.pack(state)), 0, {})
        (planes, scalars, actions, _), codes = guide.look()
        moves = {int(a): game.kernel.decode(c) for a, c in zip(actions, codes, strict=True)}
        return Sight(planes[0], scalars[0], moves)
    own = law(game.name)
    return Sight(
        np.array(own.layers(state), np.uint8),
        np.array(own.scalars(state), np.float32),
        {own.action(state, move): move for move in state.moves()},
    )


def sizes(state: State[M]) -> Sizes:
    """The sizes of what is seen in the variant of a state."""
    first = game_of(state).begin(state.rules)
    lot = random.Random(0)
    while first.turn == CHANCE:
        first = first.play(draw(first, lot))
    seen = sight(first)
    channels, height, width = seen.planes.shape
    return Sizes(
        (channels, height, width), len(seen.scalars), law(game_of(state).name).actions(first)
    )


def law(name: str) -> Any:
    """A game's planes as the law draws them."""
    module = f"{games.PACKAGES.get(name, name)}.planes"
    try:
        return import_module(module)
    except ModuleNotFoundError:
        raise ValueError(f"{name} has no planes yet: no environment can show it") from None


def rewards(state: State[M]) -> list[float]:
    """By seat, what the end of a game is worth; nothing before."""
    outcome = state.outcome
    if not outcome or not outcome.winners:
        return [0.0] * len(state.scores)
    sides = game_of(state).sides(state)
    count, winning = max(sides) + 1, {sides[seat] for seat in outcome.winners}
    shares = [1 / len(winning) if side in winning else 0.0 for side in sides]
    return [(count * share - 1) / (count - 1) for share in shares]
