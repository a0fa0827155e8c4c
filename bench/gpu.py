"""Blokus on a GPU: moves and steps a second, by variant and by how many games are played at once.

    python bench/gpu.py [--variant duo ...] [--games 65536 ...] [--seconds 1] [--device cuda]

Random legal play, every game begun anew when it ends, from games at all stages. All legal moves of
who moves are found before each, and one of them is drawn.

- `moves/s`: `roll`, many moves in every game, shown at the end;
- `steps/s`: `step(sample())` with nothing shown, with planes and scalars, and with the mask too.

The kernels are compiled first, which takes minutes, once. Seconds are those of the clock,
with the device idle before and after; the best of three runs."""

import argparse
import time
from collections.abc import Callable

import torch

from tegel.env.gpu import Batch

VARIANTS = ("duo", "two", "three", "teams", "classic")
RUNS = 3
MOVES = 100  # of a roll
WARM = 150  # moves until games are at all stages


def rate(work: Callable[[Batch], int], batch: Batch, seconds: float) -> float:
    """How much work is done a second, the best of some runs."""

    def idle() -> float:
        if batch.device.type == "cuda":
            torch.cuda.synchronize(batch.device)
        return time.perf_counter()

    work(batch)
    best = 0.0
    for _ in range(RUNS):
        began, done = idle(), 0
        while idle() - began < seconds / RUNS:
            done += work(batch)
        best = max(best, done / (idle() - began))
    return best


def rolling(batch: Batch) -> int:
    batch.roll(MOVES)
    return MOVES * batch.count


def stepping(batch: Batch) -> int:
    for _ in range(10):
        batch.step(batch.sample())
    return 10 * batch.count


def measured(variant: str, count: int, device: str, seconds: float) -> list[float]:
    found = []
    for number, (work, planes, mask) in enumerate(
        (
            (rolling, False, False),
            (stepping, False, False),
            (stepping, True, False),
            (stepping, True, True),
        )
    ):
        batch = Batch(variant, count, device=device, planes=planes, mask=mask)
        batch.reset(number)
        batch.roll(WARM)
        found.append(rate(work, batch, seconds))
        del batch
    return found


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--variant", nargs="+", default=VARIANTS)
    parser.add_argument("--games", nargs="+", type=int, default=(4096, 65536, 262144))
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--device", default="cuda")
    asked = parser.parse_args()
    print(f"{'':18} {'moves/s':>14} {'steps/s':>14} {'with planes':>14} {'and mask':>14}")
    for variant in asked.variant:
        for count in asked.games:
            found = measured(variant, count, asked.device, asked.seconds)
            print(f"{variant:8} {count:>9}", *(f"{one:>14,.0f}" for one in found), flush=True)


if __name__ == "__main__":
    main()
