"""How fast the native engine is, for every game and variant that has a kernel.

    python bench/kernel.py [SECONDS] [GAME]

- random moves/s: a legal move, each with the same chance, played, to the end of the game;
- ratio: random moves/s by those of the law in Python, in the same run;
- rollouts/s: from the start of the game to its end, as the search plays them;
- simulations/s: of the search, in the first position in which somebody decides, and when
  each seat (in Blokus each colour) makes its 8th and its 12th move, after good play;
- AVX2: simulations/s at the start by those of the build for any processor.

One core; seconds are those of this process, so that a busy machine does less harm.
"""

import random
import sys
import time
from typing import Any

from rich.console import Console
from rich.table import Table

from tegel import games
from tegel.game import CHANCE, State, game_of
from tegel.search import _kernel
from tegel.search.chance import draw
from tegel.search.kernel import GAMES, MOST, Thinker, available


def by_law(start: State[Any], seconds: float) -> float:
    """Random moves a second of the rules in Python."""
    rng, plies, began = random.Random(1), 0, time.process_time()
    while (spent := time.process_time() - began) < seconds:
        state = start
        while moves := state.moves():
            state = state.play(draw(state, rng) if state.turn == CHANCE else rng.choice(moves))
            plies += 1
    return plies / spent


def searched(state: State[Any], seconds: float, native: Any = None) -> float:
    """Simulations a second in a position, by the engine chosen for this machine or another."""
    thinker = Thinker(state, seed=1)
    if native:
        thinker.engine = native(game_of(state).name, thinker.engine.packed, 1, {})
    began = time.process_time()
    made: int = thinker.engine.think(MOST, seconds)
    return made / (time.process_time() - began)


def advanced(state: State[Any], moves: int) -> State[Any]:
    """After each seat, or each colour, has made some moves of the engine; draws are by lot."""
    rng, made = random.Random(1), 0
    wanted = moves * len(getattr(state, "hands", state.scores))
    thinker = Thinker(state, seed=1)
    while not state.outcome and (made < wanted or state.turn == CHANCE):
        if state.turn == CHANCE:
            move = draw(state, rng)
        else:
            move, made = thinker.consider(100)[0].move, made + 1
        thinker.play(move)
        state = state.play(move)
    return state


def begun(start: State[Any]) -> State[Any]:
    """The first state from which the engine can play on."""
    rng, state = random.Random(1), start
    while not available(state):
        state = state.play(draw(state, rng) if state.turn == CHANCE else rng.choice(state.moves()))
    return state


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 2.0
    table = Table(
        "game", "variant", "random moves/s", "ratio", "plies a game", "rollouts/s",
        "simulations/s", "8th move", "12th move", "AVX2",
    )  # fmt: skip
    for name in sys.argv[2:] or games.names():
        for variant in games.load(name).variants:
            if name not in GAMES:
                continue
            start = begun(games.load(name).start(variant))
            engine = Thinker(start, seed=1).engine
            count, plies = engine.random_games(seconds, 1)
            opening = advanced(start, 0)
            simulations = searched(opening, seconds)
            late = [advanced(opening, moves) for moves in (7, 11)]
            table.add_row(
                name,
                variant,
                f"{plies / seconds:,.0f}",
                f"{plies / seconds / by_law(start, seconds):.1f}",
                f"{plies / count:.1f}",
                f"{engine.rollouts(seconds, 1) / seconds:,.0f}",
                f"{simulations:,.0f}",
                *(f"{searched(s, seconds):,.0f}" if not s.outcome else "over" for s in late),
                f"{simulations / searched(opening, seconds, _kernel.engine):.2f}",
            )
    Console(width=None if sys.stdout.isatty() else 120).print(table)


if __name__ == "__main__":
    main()
