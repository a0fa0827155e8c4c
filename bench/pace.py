"""How long a level thinks: the seconds of each move of a game against itself.

    python bench/pace.py [--game imago] [--variant imago] [--level 9] [--moves 100] [--seed 1]

Each seat has a bot of its own, which keeps its tree as on a server. Seconds are those of the clock:
run it alone."""

import argparse
import random
import time

from tegel import games
from tegel.game import CHANCE
from tegel.search.chance import draw
from tegel.search.players import skilled


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="imago")
    parser.add_argument("--variant", default="imago")
    parser.add_argument("--level", type=int, default=9)
    parser.add_argument("--moves", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    rng = random.Random(asked.seed)
    state = games.load(asked.game).start(asked.variant)
    players = [skilled(asked.level) for _ in state.scores]
    for seat, player in enumerate(players):
        player.begin(state, asked.seed + seat)
    made = 0
    while not state.outcome and made < asked.moves:
        if state.turn == CHANCE:
            move = draw(state, rng)
        else:
            began = time.monotonic()
            move = players[state.turn].choose(state)
            made += 1
            print(f"{made:3} seat {state.turn + 1} {time.monotonic() - began:6.2f} s", flush=True)
        state = state.play(move)
        for player in players:
            player.played(move, state)
    for player in players:
        player.end()


if __name__ == "__main__":
    main()
