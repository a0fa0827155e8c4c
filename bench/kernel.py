"""How fast the native engine is, for every game and variant that has a kernel.

    python bench/kernel.py [SECONDS] [GAME]

- random moves/s: a legal move, each with the same chance, played, to the end of the game;
- rollouts/s: from the start of the game to its end, as the search plays them;
- simulations/s: of the search, in the first position in which somebody decides;
- ratio: random moves/s by those of the law in Python, in the same run.

One core; seconds are those of this process, so that a busy machine does less harm.
"""

import random
import sys
import time
from typing import Any

from rich.console import Console
from rich.table import Table

from tegel import games
from tegel.game import CHANCE, State
from tegel.search.bot import draw
from tegel.search.kernel import GAMES, Thinker, found


def by_law(start: State[Any], seconds: float) -> float:
    """Random moves a second of the rules in Python."""
    rng, plies, began = random.Random(1), 0, time.process_time()
    while (spent := time.process_time() - began) < seconds:
        state = start
        while moves := state.moves():
            state = state.play(draw(state, rng) if state.turn == CHANCE else rng.choice(moves))
            plies += 1
    return plies / spent


def searched(start: State[Any], seconds: float) -> float:
    """Simulations a second in the first position in which somebody decides."""
    rng, state = random.Random(1), start
    while state.turn == CHANCE:
        state = state.play(draw(state, rng))
    thinker, began = Thinker(state, seed=1), time.process_time()
    opinions = thinker.consider(seconds=seconds)
    return sum(opinion.visits for opinion in opinions) / (time.process_time() - began)


def begun(start: State[Any]) -> State[Any]:
    """The first state from which the engine can play on."""
    rng, state = random.Random(1), start
    while not found(state):
        state = state.play(draw(state, rng) if state.turn == CHANCE else rng.choice(state.moves()))
    return state


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 2.0
    table = Table(
        "game", "variant", "random moves/s", "ratio", "plies a game", "rollouts/s", "simulations/s"
    )
    for name in sys.argv[2:] or games.names():
        for variant in games.load(name).variants:
            if name not in GAMES:
                continue
            start = begun(games.load(name).start(variant))
            engine = Thinker(start, seed=1).engine
            count, plies = engine.random_games(seconds, 1)
            table.add_row(
                name,
                variant,
                f"{plies / seconds:,.0f}",
                f"{plies / seconds / by_law(start, seconds):.1f}",
                f"{plies / count:.1f}",
                f"{engine.rollouts(seconds, 1) / seconds:,.0f}",
                f"{searched(start, seconds):,.0f}",
            )
    Console().print(table)


if __name__ == "__main__":
    main()
