"""How often positions of unrelated games count as near each other, and what comparing them costs.

    python bench/nearness.py [GAMES [PAIRS [RUNNING]]]

For each variant, bots of level 2 play some games, whose openings are alike as those of people are.
Then positions of different games are compared in pairs, as `tegel serve` compares a position that
somebody asks about with the running games on their network. At last the whole line of a game is
compared with so many running games, as for a report or an uploaded record. Times are those of the
processor, without what a process computes once and keeps."""

import random
import sys
import time
from typing import Any

import tegel
from tegel import games
from tegel.room.fairness import Running, asked_line, is_near, nearest

VARIANTS = [
    ("blokus", "duo"), ("blokus", "two"), ("blokus", "classic"), ("forma", "two"),
    ("imago", "imago"), ("imago", "shapes"), ("tantrix", "two"),
]  # fmt: skip
OPTIONS = {"forma": {"layout": "random", "assist": "on"}}


def played(game: str, variant: str, rng: random.Random) -> list[Any]:
    """The positions of a game between two bots."""
    state: Any = games.load(game).start(variant, **OPTIONS.get(game, {}))
    bot, found = tegel.bot(2, seed=rng.getrandbits(32)), [state]
    while moves := state.moves():
        state = state.play(rng.choice(moves) if state.turn < 0 else bot(state))
        found.append(state)
    return found


def main(count: int = 20, pairs: int = 1000, running: int = 25) -> None:
    what = f"s a line, {running} games"
    print(f"{'':18}{'pairs':>8}{'near':>6}{'ms a comparison':>18}{what:>24}")
    for game, variant in VARIANTS:
        rng, footprint = random.Random(f"{game} {variant}"), games.load(game).footprint
        assert footprint
        lines = [played(game, variant, rng) for _ in range(count)]
        near, spent = 0, 0.0
        for _ in range(pairs):
            one, other = (footprint(rng.choice(line)) for line in rng.sample(lines, 2))
            start = time.process_time()
            near += is_near(one, other, game, "network")
            spent += time.process_time() - start
        asked, *others = lines
        texts = [str(footprint(rng.choice(rng.choice(others)))) for _ in range(running)]
        there = [Running("network", game, text) for text in texts]
        start = time.process_time()
        line = asked_line(asked)
        near += line is not None and nearest(line, there) is not None
        whole = time.process_time() - start
        print(
            f"{game + ' ' + variant:18}{pairs:8,}{near:6}{1000 * spent / pairs:18.2f}{whole:24.2f}"
        )


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
