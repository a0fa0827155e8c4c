"""`python -m universe SEED [SEED ...]`: replay seeds and print what happened; `FIRST:LAST` runs a
range and prints what failed."""

import sys
import time

from .run import run


def main(*words: str) -> int:
    wrong = 0
    for word in words:
        if ":" in word:
            first, last = map(int, word.split(":"))
            wrong += swept(range(first, last))
            continue
        found = run(int(word))
        print("\n".join(found.log))
        print("\n".join([found.faults, f"digest {found.digest}", *found.problems]))
        wrong += bool(found.problems)
    return wrong


def swept(seeds: range) -> int:
    wrong, moves, start = 0, 0, time.process_time()
    for seed in seeds:
        found = run(seed)
        moves += found.acknowledged
        if found.problems:
            wrong += 1
            print(f"seed {seed}: {found.faults}")
            print("\n".join(f"  {one[:300]}" for one in found.problems[:6]), flush=True)
    spent = time.process_time() - start
    print(f"{len(seeds)} seeds, {moves} moves in {spent:.1f} s: {60 * moves / spent:.0f} a minute")
    return wrong


if __name__ == "__main__":
    sys.exit(min(1, main(*sys.argv[1:])))
