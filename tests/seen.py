"""Games and variants as nets see them, and nets that know nothing, for tests."""

import random
from collections.abc import Callable
from importlib import import_module
from typing import Any

from tegel import games
from tegel.game import CHANCE, State, game_of
from tegel.search.chance import draw

Table = tuple[str, str, dict[str, str]]

TABLES: list[Table] = [
    ("blokus", "duo", {}),
    ("blokus", "two", {}),
    ("blokus", "two", {"corners": "fixed"}),
    ("blokus", "classic", {}),
    ("blokus", "teams", {}),
    ("blokus", "three", {}),
    ("blokus", "three", {"shared": "blue"}),
    ("imago", "imago", {}),
    ("imago", "shapes", {}),
    ("tantrix", "two", {}),
    ("tantrix", "two", {"colours": "chosen"}),
    ("tantrix", "three", {}),
    ("tantrix", "four", {"colours": "chosen"}),
    ("tantrix", "doubles", {}),
    ("tantrix", "doubles", {"colours": "chosen"}),
    ("forma", "two", {}),
    ("forma", "two", {"layout": "random", "assist": "on"}),
    ("forma", "four", {"layout": "none"}),
    ("forma", "four", {"layout": "k11:c4,e9,p15"}),
]


def named(table: Table) -> str:
    game, variant, options = table
    return " ".join([game, variant, *options.values()])


def start(table: Table) -> Any:
    game, variant, options = table
    return games.load(game).start(variant, **options)


def planes_of(table: Table) -> Any:
    """The planes of a game as the law draws them."""
    return import_module(f"tegel.games.{table[0]}.planes")


def guide(state: State[Any], seed: int = 1, **tuning: float) -> Any:
    """The native search with a net, in a state."""
    from tegel.search import _nets

    game = game_of(state)
    assert game.kernel
    return _nets.guide(game.name, list(game.kernel.pack(state)), seed, tuning)


def uniform(state: State[Any]) -> Callable[..., Any]:
    """A net that knows nothing."""
    import numpy as np

    shape = guide(state).shape

    def net(planes: Any, scalars: Any) -> Any:
        count = len(planes)
        assert planes.shape == (count, shape.channels, shape.height, shape.width)
        assert scalars.shape == (count, shape.scalars)
        values = np.full((count, shape.sides, 3), 1 / shape.sides, np.float32)
        return np.zeros((count, shape.actions), np.float32), values

    return net


def any_move(state: State[Any], rng: random.Random) -> Any:
    """A move by lot, a draw by its odds; the last of the moves, which may be a word, rather often,
    so that a set-up comes to an end."""
    if state.turn == CHANCE:
        return draw(state, rng)
    moves = state.moves()
    return moves[-1] if rng.random() < 0.05 else rng.choice(moves)
