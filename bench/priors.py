"""Learns how promising moves of Blokus look, from the engine's own games.

    python bench/priors.py GAMES [SIMULATIONS] [JOBS] [CLUSTER]

plays so many games on each board (on 20 x 20 for two players and for four in turn), with so
many simulations a move, and writes weights.hpp. Run it again after building the engine anew,
and it learns from the better player it has become. CLUSTER is the address of a Dask cluster that
plays the games, if not processes of this machine.

A sample is a position: what is seen of each move, and how often the search tried it. The
weights are those of the softmax that foretells best what the search will try, one set for
each board and phase of the game (cross-entropy, Adam, a little decay). Needs numpy.
"""

import random
import sys
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from typing import Any

from rich.progress import track

from tegel import games
from tegel.executors import executor
from tegel.search.kernel import Thinker

np: Any = import_module("numpy")  # not among what the tests install
HEADER = Path("src/tegel/games/blokus/weights.hpp")
BOARDS: tuple[tuple[str, ...], ...] = (("two", "classic"), ("duo",))  # variants, by board
PHASES = 3
SHARPNESS = 1.5
HEAD = """\
// How promising a move of Blokus looks, learned from the engine's own games and written by
//     python bench/priors.py {games} {simulations}
// By board (20 x 20, 14 x 14), then by phase of the game; cross-entropies per position:
{notes}#pragma once

namespace tegel::blokus {{

inline const float WEIGHTS[{boards}][{phases}][{features}] = """

Sample = tuple[int, Any, Any]  # phase, what is seen by move, share of visits by move


def played(variant: str, number: int, simulations: int) -> list[Sample]:
    """A game of the engine against itself; some moves are drawn, so that all games differ."""
    rng = random.Random(f"{variant} {number}")
    state = games.load("blokus").start(variant)
    thinker = Thinker(state, rng.getrandbits(60))
    samples = []
    ply = 0
    while not state.outcome:
        engine = thinker.engine
        engine.think(simulations, 1e9)
        rows = engine.opinions()
        codes = [row[0] for row in rows]
        visits = np.array([row[2] for row in rows], np.float32)
        if len(rows) > 5 and visits.sum() > simulations / 2:
            seen = np.array(engine.features(codes), np.float16)
            samples.append((engine.phase, seen, visits / visits.sum()))
        loose = rng.random() < (0.5 if ply < 8 else 0.1)
        weights = visits**0.7 + 0.01 if loose else visits
        place = rng.choices(range(len(rows)), weights.tolist())[0] if loose else 0
        move = thinker.kernel.decode(codes[place])
        thinker.play(move)
        state = state.play(move)
        ply += 1
    return samples


def fitted(samples: list[Sample], rounds: int = 200) -> tuple[Any, float, float]:
    """The weights, and the cross-entropy of the uniform choice and of the fit."""
    seen = np.concatenate([seen for _, seen, _ in samples]).astype(np.float32)
    wanted = np.concatenate([sharpened(target) for _, _, target in samples])
    lengths = np.array([len(target) for _, _, target in samples])
    starts = np.concatenate([[0], np.cumsum(lengths)[:-1]])
    weights = np.zeros(seen.shape[1], np.float32)
    mean, square = np.zeros_like(weights), np.zeros_like(weights)

    def outlook(weights: Any) -> Any:
        logits = seen @ weights
        logits -= np.repeat(np.maximum.reduceat(logits, starts), lengths)
        chances = np.exp(logits)
        return chances / np.repeat(np.add.reduceat(chances, starts), lengths)

    def entropy(weights: Any) -> float:
        return float(-(wanted * np.log(outlook(weights) + 1e-12)).sum() / len(samples))

    before = entropy(weights)
    for step in range(1, rounds + 1):
        slope = seen.T @ (outlook(weights) - wanted) / len(samples) + 1e-3 * weights
        mean = 0.9 * mean + 0.1 * slope
        square = 0.99 * square + 0.01 * slope**2
        fixed = mean / (1 - 0.9**step), square / (1 - 0.99**step)
        weights -= 0.06 * fixed[0] / (np.sqrt(fixed[1]) + 1e-8)
    return weights, before, entropy(weights)


def sharpened(shares: Any) -> Any:
    """What a search with more simulations would come to try, more or less."""
    powers = shares**SHARPNESS
    return powers / powers.sum()


def text(tables: list[list[Any]]) -> str:
    body = "{\n"
    for rows in tables:
        body += "    {\n"
        for weights in rows:
            numbers = [f"{weight:.3f}f" for weight in weights]
            lines = [", ".join(numbers[i : i + 10]) for i in range(0, len(numbers), 10)]
            body += "        {" + ",\n         ".join(lines) + "},\n"
        body += "    },\n"
    return body + "};\n\n}  // namespace tegel::blokus\n"


def main(count: int, simulations: int, jobs: int, cluster: str) -> None:
    tables: list[list[Any]] = []
    notes = ""
    with executor(jobs, cluster) as pool:
        for variants in BOARDS:
            todo = [(variants[number % len(variants)], number) for number in range(count)]
            found: Iterable[list[Sample]] = pool.map(
                played, *zip(*todo, strict=True), [simulations] * count
            )
            samples = [s for game in track(found, "/".join(variants), count) for s in game]
            tables.append([])
            for phase in range(PHASES):
                chosen = [sample for sample in samples if sample[0] == phase]
                weights, before, after = fitted(chosen)
                tables[-1].append(weights)
                notes += (
                    f"//     {'/'.join(variants)}, phase {phase}: {len(chosen)} positions, "
                    f"{before:.3f} (uniform) to {after:.3f}\n"
                )
    head = HEAD.format(games=count, simulations=simulations, notes=notes, boards=len(BOARDS),
                       phases=PHASES, features=len(tables[0][0]))  # fmt: skip
    HEADER.write_text(head + text(tables), "utf-8")


if __name__ == "__main__":
    count, simulations, jobs, cluster = [*sys.argv[1:], *["", "500", "2", ""][len(sys.argv) - 1 :]]
    main(int(count), int(simulations), int(jobs), cluster)
