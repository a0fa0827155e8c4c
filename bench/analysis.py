"""Measures analysis: how long a report takes, and whether its doubts are honest.

    python bench/analysis.py [GAMES] [SIMULATIONS] [GAME]

plays so many games of each game, or of one, between two bots of level 5, after some moves by lot,
and reports on each with so many simulations a decision (those of `tegel analyse` if missing) and
again with ten times as many and another seed. Told are: seconds a report, and marks a player and
game; of all losses that both reports know, how many of a hundred differ by more than two standard
errors, and by how much they differ in the middle.
"""

import sys
import time
from math import hypot
from statistics import median

from tegel import games
from tegel.search import match
from tegel.search.report import Report, Verdict, report, usual

TABLES: tuple[tuple[str, str, dict[str, str]], ...] = (
    ("blokus", "duo", {}),
    ("tantrix", "two", {}),
    ("imago", "imago", {}),
    ("forma", "two", {"layout": "random"}),
)


def lost(verdict: Verdict) -> float:
    """What a decision lost, noise or not."""
    return verdict.best.chance[verdict.side] - verdict.played.chance[verdict.side]


def differences(first: Report, second: Report) -> list[tuple[float, float]]:
    """Of the decisions that both reports have, by how much the losses differ, and the standard
    error of that."""
    known = {verdict.ply: verdict for verdict in second.verdicts}
    pairs = [(verdict, known[verdict.ply]) for verdict in first.verdicts if verdict.ply in known]
    return [(lost(a) - lost(b), hypot(a.doubt, b.doubt)) for a, b in pairs if a.doubt or b.doubt]


def main(number: int, simulations: int, only: str) -> None:
    for name, variant, options in TABLES:
        if only not in (name, ""):
            continue
        effort = simulations or usual(games.load(name).start(variant, **options))
        found: list[tuple[float, float]] = []
        took, decisions, marks = 0.0, 0, 0
        for pairing in match.pairings(name, variant, options, ("5", "5"), number, seed=1):
            record = match.played(pairing).record
            began = time.process_time()
            first = report(record, simulations=effort)
            took += time.process_time() - began
            decisions += len(first.verdicts)
            marks += sum(sum(tally.marks.values()) for tally in first.tallies)
            found += differences(first, report(record, simulations=10 * effort, seed=2))
        beyond = sum(abs(difference) > 2 * doubt for difference, doubt in found)
        print(
            f"{name} {variant}: {effort:,} simulations, {took / number:.1f} s a report of "
            f"{decisions / number:.0f} decisions, {marks / number / 2:.1f} marks a player; "
            f"{100 * beyond / len(found):.0f} of 100 losses differ by more than two standard "
            f"errors, half of them by less than {100 * median(abs(d) for d, _ in found):.1f} %",
            flush=True,
        )


if __name__ == "__main__":
    words = [*sys.argv[1:], *("2", "0", "")[len(sys.argv) - 1 :]]
    main(int(words[0]), int(words[1]), words[2])
