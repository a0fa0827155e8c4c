"""Learns how promising moves of Blokus look, from the engine's own games.

    python bench/priors.py VARIANT GAMES [SIMULATIONS]      plays, and writes samples
    python bench/priors.py fit                              writes weights.hpp from all samples

A sample is a position: what is seen of each move, and how often the search tried it. The
weights are those of the softmax that foretells best what the search will try, one set for
each board and phase of the game (cross-entropy, Adam, a little decay). Needs numpy.
"""

import pickle
import random
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

from tegel import games
from tegel.search.kernel import Thinker

np: Any = import_module("numpy")  # not among what the tests install
SAMPLES = Path("build/priors")
HEADER = Path("src/tegel/games/blokus/weights.hpp")
BOARDS, PHASES = ("20", "14"), 3
SHARPNESS = 1.5


def play(variant: str, count: int, simulations: int) -> None:
    """Games of the engine against itself; some moves are drawn, so that all games differ."""
    SAMPLES.mkdir(parents=True, exist_ok=True)
    rng = random.Random()
    samples = []
    for number in range(count):
        state = games.load("blokus").start(variant)
        thinker = Thinker(state, rng.getrandbits(60))
        ply = 0
        while not state.outcome:
            engine = thinker.engine
            engine.think(simulations, 60)
            rows = engine.opinions()
            codes = [row[0] for row in rows]
            visits = np.array([row[2] for row in rows], np.float32)
            if len(rows) > 5 and visits.sum() > simulations / 2:
                seen = np.array(engine.features(codes), np.float32)
                size = 1 if state.rules.size < 20 else 0
                samples.append((size, engine.phase, seen, visits / visits.sum()))
            loose = rng.random() < (0.5 if ply < 8 else 0.1)
            weights = visits**0.7 + 0.01 if loose else visits
            place = rng.choices(range(len(rows)), weights.tolist())[0] if loose else 0
            move = thinker.kernel.decode(codes[place])
            thinker.play(move)
            state = state.play(move)
            ply += 1
        print(f"{variant} {number + 1}/{count} {state.scores}", flush=True)
    with (SAMPLES / f"{variant}-{rng.getrandbits(40):x}.pickle").open("wb") as file:
        pickle.dump(samples, file)


def fit() -> None:
    samples: list[Any] = []
    for path in sorted(SAMPLES.glob("*.pickle")):
        samples += pickle.loads(path.read_bytes())
    tables = []
    for board in range(len(BOARDS)):
        rows = []
        for phase in range(PHASES):
            chosen = [s[2:] for s in samples if s[0] == board and s[1] == phase]
            weights, before, after = fitted(chosen)
            print(f"board {BOARDS[board]} phase {phase}: {len(chosen)} positions, "
                  f"cross-entropy {before:.3f} -> {after:.3f}")  # fmt: skip
            rows.append(weights)
        tables.append(rows)
    write(tables)


def fitted(samples: list[tuple[Any, Any]], rounds: int = 40) -> tuple[Any, float, float]:
    """The weights, and the cross-entropy of the uniform choice and of the fit."""
    seen = np.concatenate([seen for seen, _ in samples])
    wanted = np.concatenate([sharpened(target) for _, target in samples])
    lengths = np.array([len(target) for _, target in samples])
    starts = np.concatenate([[0], np.cumsum(lengths)[:-1]])
    weights = np.zeros(seen.shape[1])
    mean, square = np.zeros_like(weights), np.zeros_like(weights)

    def outlook(weights: Any) -> Any:
        logits = seen @ weights
        logits -= np.repeat(np.maximum.reduceat(logits, starts), lengths)
        chances = np.exp(logits)
        return chances / np.repeat(np.add.reduceat(chances, starts), lengths)

    def entropy(weights: Any) -> float:
        return float(-(wanted * np.log(outlook(weights) + 1e-12)).sum() / len(samples))

    before = entropy(weights)
    for step in range(1, rounds * 10 + 1):
        slope = seen.T @ (outlook(weights) - wanted) / len(samples) + 1e-3 * weights
        mean = 0.9 * mean + 0.1 * slope
        square = 0.99 * square + 0.01 * slope**2
        fixed = mean / (1 - 0.9**step), square / (1 - 0.99**step)
        weights -= 0.05 * fixed[0] / (np.sqrt(fixed[1]) + 1e-8)
    return weights, before, entropy(weights)


def sharpened(shares: Any) -> Any:
    """What a search with more simulations would come to try, more or less."""
    powers = shares**SHARPNESS
    return powers / powers.sum()


def write(tables: list[list[Any]]) -> None:
    text = HEADER.read_text("utf-8")
    head, tail = text[: text.index("= {")], text[text.index("};") :]
    body = "= {\n"
    for rows in tables:
        body += "    {\n"
        for weights in rows:
            numbers = [f"{weight:.3f}f" for weight in weights]
            lines = [", ".join(numbers[i : i + 10]) for i in range(0, len(numbers), 10)]
            body += "        {" + ",\n         ".join(lines) + "},\n"
        body += "    },\n"
    HEADER.write_text(head + body + tail, "utf-8")


if __name__ == "__main__":
    if sys.argv[1:] == ["fit"]:
        fit()
    else:
        variant, count, *more = sys.argv[1:]
        play(variant, int(count), int(more[0]) if more else 600)
