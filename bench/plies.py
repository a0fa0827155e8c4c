"""Random plies a second through the public API, for every game and variant found:
`moves()`, `play` of a random one of them, to the end of the game; draws by their odds.

    python bench/plies.py [SECONDS] [GAME]
"""

import random
import sys
import time

from rich.console import Console
from rich.table import Table

from tegel import games
from tegel.game import CHANCE


def measured(name: str, variant: str, seconds: float) -> tuple[int, int, float]:
    """Games and plies played within some seconds, and the mean number of legal moves."""
    game, rng = games.load(name), random.Random(1)
    count = plies = listed = 0
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        state = game.start(variant)
        while moves := state.moves():
            if state.turn == CHANCE:
                odds = state.odds()
                move = rng.choices(list(odds), list(odds.values()))[0]
            else:
                move = rng.choice(moves)
            listed += len(moves)
            state = state.play(move)
            plies += 1
        count += 1
    return count, plies, listed / plies


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 2.0
    chosen = sys.argv[2:] or games.names()
    table = Table("game", "variant", "plies/s", "plies a game", "legal moves", title="The law")
    for name in chosen:
        for variant in games.load(name).variants:
            start = time.perf_counter()
            count, plies, legal = measured(name, variant, seconds)
            rate = plies / (time.perf_counter() - start)
            row = (f"{rate:,.0f}", f"{plies / count:.1f}", f"{legal:.1f}")
            table.add_row(name, variant, *row)
    Console().print(table)


if __name__ == "__main__":
    main()
