"""Random plies a second through the public API, for every game and variant found:
`moves()`, `play` of a random one of them, to the end of the game; draws by their odds.

    python bench/plies.py [SECONDS] [GAME]

The yardstick is python-chess, the Python library for board games that people know best,
doing the same in the same run.
"""

import random
import sys
import time
from collections.abc import Callable
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from typing import Any

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


def measured_chess(seconds: float) -> tuple[int, int, float]:
    """The same for python-chess: legal moves listed, one played, to the end of the game."""
    chess: Any = import_module("chess")
    rng = random.Random(1)
    count = plies = listed = 0
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        board = chess.Board()
        while (moves := list(board.legal_moves)) and board.ply() < 200:  # random games drag on
            listed += len(moves)
            board.push(rng.choice(moves))
        plies += board.ply()
        count += 1
    return count, plies, listed / plies


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 2.0
    chosen = sys.argv[2:] or games.names()
    tables = [(name, variant) for name in chosen for variant in games.load(name).variants]
    runs: list[tuple[str, str, Callable[[], tuple[int, int, float]]]] = [
        (name, variant, partial(measured, name, variant, seconds)) for name, variant in tables
    ]
    if find_spec("chess"):
        runs.insert(0, ("python-chess", "", partial(measured_chess, seconds)))
    table = Table("game", "variant", "plies/s", "ratio", "plies a game", "legal moves")
    yardstick = 0.0
    for name, variant, run in runs:
        start = time.perf_counter()
        count, plies, legal = run()
        rate = plies / (time.perf_counter() - start)
        yardstick = yardstick or rate
        ratio = f"{rate / yardstick:.2f}"
        table.add_row(name, variant, f"{rate:,.0f}", ratio, f"{plies / count:.1f}", f"{legal:.1f}")
    Console().print(table)


if __name__ == "__main__":
    main()
