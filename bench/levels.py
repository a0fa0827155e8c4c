"""How the levels of the bots do against each other: games won, draws counting half.

python bench/levels.py [GAMES] [GAME VARIANT] [LEVEL LEVEL]
"""

import random
import sys
import time

from rich.console import Console
from rich.progress import track

from tegel import games
from tegel.game import CHANCE
from tegel.search.bot import bot, draw


def points(name: str, variant: str, levels: tuple[int, int], seed: int) -> float:
    """What the first level makes of one game: 1, 0.5 or 0; who begins alternates."""
    rng, state = random.Random(seed), games.load(name).start(variant)
    seats = levels if seed % 2 else levels[::-1]
    while not state.outcome:
        if state.turn == CHANCE:
            state = state.play(draw(state, rng))
        else:
            state = state.play(bot(seats[state.turn])(state, rng))
    first = seats.index(levels[0])
    winners = state.outcome.winners
    return (first in winners) / len(winners) if winners else 0.5


def main() -> None:
    words = sys.argv[1:]
    count = int(words[0]) if words else 10
    name, variant = words[1:3] if len(words) > 2 else ("blokus", "duo")
    pairs = [(3, 1), (4, 3), (6, 4)] if len(words) < 5 else [(int(words[3]), int(words[4]))]
    for levels in pairs:
        start = time.perf_counter()
        won = sum(
            points(name, variant, levels, seed)
            for seed in track(range(count), f"{levels}", transient=True)
        )
        spent = time.perf_counter() - start
        Console().print(
            f"{name} {variant}: level {levels[0]} against level {levels[1]}: "
            f"{won:g} of {count}, {spent / count:.1f} s a game"
        )


if __name__ == "__main__":
    main()
