"""The search with a net: any function can be one; what it finds, and what it may not do."""

import random
from collections.abc import Callable
from typing import Any

import pytest

from tegel import games
from tegel.game import State
from tegel.search import nets
from tegel.search.kernel import Thinker, game_of

np = pytest.importorskip("numpy")
pytestmark = pytest.mark.skipif(not nets.GAMES, reason="the native engine was not built")

VARIANTS = ["duo", "two", "classic", "teams", "three"]


def uniform(state: State[Any]) -> Callable[..., Any]:
    """A net that knows nothing."""
    shape = guide(state).shape

    def net(planes: Any, scalars: Any) -> Any:
        count = len(planes)
        assert planes.shape == (count, shape.channels, shape.height, shape.width)
        assert scalars.shape == (count, shape.scalars)
        values = np.full((count, shape.sides, 3), 1 / shape.sides, np.float32)
        return np.zeros((count, shape.actions), np.float32), values

    return net


def guide(state: State[Any]) -> Any:
    from tegel.search import _nets

    kernel = game_of(state).kernel
    assert kernel
    return _nets.guide("blokus", list(kernel.pack(state)), 1, {})


def later(variant: str, left: int, seed: int = 1) -> State[Any]:
    """A position of a random game with at most so many moves to choose from."""
    rng, state = random.Random(seed), games.load("blokus").start(variant)
    while len(state.moves()) > left:
        state = state.play(rng.choice(state.moves()))
    return state


@pytest.mark.parametrize("variant", VARIANTS)
def test_only_legal_moves_and_all_of_them(variant: str) -> None:
    rng, state = random.Random(2), games.load("blokus").start(variant)
    thinker = Thinker(state, 1, uniform(state))
    while not state.outcome:
        opinions = thinker.consider(12)
        told = [opinion.move for opinion in opinions]
        assert set(told) == set(state.moves())
        assert len(told) == len(state.moves())
        move = rng.choice(told)
        thinker.play(move)
        state = state.play(move)


@pytest.mark.parametrize("batch", [1, 4])
def test_the_same_again(batch: int) -> None:
    state = games.load("blokus").start("duo")

    def told() -> list[Any]:
        thinker = Thinker(state, 7, uniform(state), batch)
        first = thinker.consider(40)
        thinker.play(first[0].move)
        return [first, thinker.consider(40)]

    assert told() == told()


@pytest.mark.parametrize("batch", [1, 3, 8])
def test_as_many_simulations_as_asked_for(batch: int) -> None:
    state = games.load("blokus").start("two")
    thinker = Thinker(state, 1, uniform(state), batch)
    assert sum(opinion.visits for opinion in thinker.consider(50)) == 50
