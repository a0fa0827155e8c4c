"""`python -m universe SEED [SEED ...]`: replay seeds and print what happened. `FIRST:LAST` runs a
range and prints what failed. `--planted NAME [FIRST:LAST]` plants a fault first, and stops at the
first seed that finds it; `--planted all` looks for all of them, one after the other."""

import sys
import time

from .planted import PLANTED, planted
from .run import Result, run


def main(*words: str) -> int:
    """How many seeds, or planted faults, did not turn out as they should."""
    if words[0] == "--planted":
        names = PLANTED if words[1] == "all" else [words[1]]
        return sum(not sought(name, *words[2:]) for name in names)
    return sum(swept(seeds(word)) if ":" in word else replayed(int(word)) for word in words)


def seeds(word: str) -> range:
    first, last = map(int, word.split(":"))
    return range(first, last)


def replayed(seed: int) -> int:
    found = run(seed)
    print("\n".join(found.log))
    print("\n".join([found.faults, f"digest {found.digest}", *found.problems]))
    return min(1, len(found.problems))


def swept(some: range) -> int:
    """Run seeds, print those that failed and what it cost; how many did."""
    wrong, moves, start = 0, 0, time.process_time()
    for seed in some:
        found = run(seed)
        moves += found.acknowledged
        if found.problems:
            wrong += 1
            print(told(found), flush=True)
    spent = time.process_time() - start
    print(f"{len(some)} seeds, {moves} moves in {spent:.1f} s: {60 * moves / spent:.0f} a minute")
    return wrong


def told(found: Result) -> str:
    """What a seed found, and how to see it again."""
    shown = [f"  {one[:300]}" for one in found.problems[:6]]
    again = f"  python -m universe {found.seed}"
    return "\n".join([f"seed {found.seed}: {found.faults}", *shown, again])


def sought(name: str, some: str = "0:500") -> bool:
    """Whether some seed of a range finds a planted fault; the first is printed."""
    with planted(name):
        for seed in seeds(some):
            if problems := run(seed).problems:
                print(f"{name}: seed {seed}: {problems[0][:160]}", flush=True)
                return True
    print(f"{name}: not found in {some}", flush=True)
    return False


if __name__ == "__main__":
    sys.exit(min(1, main(*sys.argv[1:])))
