"""The ladder of levels: each plays the one below and the one two below, and greedy.

    python bench/ladder.py GAME VARIANT [GAMES] [JOBS]      plays on, and adds to the results
    python bench/ladder.py                                  prints the table

Results are kept in bench/ladder.txt, one line a game: game, variant, the two players, the
number of the game, the first player's share of the win and its margin. What is there is
not played again, so the ladder can be stopped at any time and goes on where it was; if the
engine changes, delete the lines that are no longer true.
"""

import sys
from collections import defaultdict
from pathlib import Path

from rich.console import Console
from rich.table import Table

from tegel.record import Record
from tegel.search.match import Result, Tally, elo, pairings, run

FILE = Path(__file__).parent / "ladder.txt"
Rung = tuple[str, str, str, str]  # game, variant, players


def rungs(game: str, variant: str) -> list[Rung]:
    found = [(game, variant, "1", "random"), (game, variant, "1", "greedy")]
    for level in range(2, 10):
        found += [(game, variant, str(level), str(low)) for low in (level - 2, level - 1) if low]
    return [*found, (game, variant, "9", "greedy")]


def kept() -> dict[Rung, Tally]:
    """The results in the file."""
    tallies: dict[Rung, Tally] = defaultdict(Tally)
    for line in FILE.read_text("utf-8").splitlines() if FILE.exists() else []:
        game, variant, first, second, number, share, margin = line.split()
        result = Result(int(number), float(share), float(margin), Record(game, variant))
        tallies[game, variant, first, second].add(result)
    return tallies


def play(game: str, variant: str, count: int, jobs: int) -> None:
    """Play what is missing, a pair on every rung and then another, weak levels first."""
    for sofar in range(2, count + 1, 2):
        for rung in rungs(game, variant):
            done = kept()[rung].results
            players = (rung[2], rung[3])
            todo = [
                pairing
                for pairing in pairings(game, variant, {}, players, sofar, seed=1)
                if pairing.number not in done
            ]
            for result in run(todo, jobs) if todo else ():
                with FILE.open("a", encoding="utf-8") as file:
                    words = (*rung, result.number, f"{result.share:g}", f"{result.margin:g}")
                    print(*words, file=file)
                print(*words, flush=True)


def table() -> Table:
    found = Table("game", "variant", "A", "B", "games", "A wins", "95 %", "Elo", "margin")
    for rung, tally in sorted(kept().items()):
        low, high = tally.interval
        found.add_row(
            *rung,
            str(tally.games),
            f"{tally.rate:.0%}",
            f"{low:.0%} to {high:.0%}",
            f"{elo(tally.rate):+.0f}",
            f"{tally.margin:+.1f}",
        )
    return found


if __name__ == "__main__":
    if len(sys.argv) > 2:
        game, variant, *rest = sys.argv[1:]
        numbers = [int(word) for word in rest]
        play(game, variant, numbers[0] if numbers else 20, numbers[1] if rest[1:] else 1)
    else:
        Console().print(table())
