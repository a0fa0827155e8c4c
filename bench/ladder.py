"""The ladder of levels: each against the one two below, weak ones and the strongest also
against random and greedy.

    python bench/ladder.py                            prints the table
    python bench/ladder.py --write                    writes it into docs/engine.md
    python bench/ladder.py --play                     plays what is missing, and adds to it
        [--only blokus/duo,imago] [--levels 1-6] [--games 200] [--jobs 2]
        [--cluster tcp://HOST:8786]

Results are kept in bench/ladder.txt, a line a rung: game, variant, the two players, the
number of games, the sum of the first player's margins, and how many pairs of games gave it
which share of the wins. Games that are there are not played again: the ladder can be stopped
at any time and goes on where it was. If the engine changes, delete the lines that are no
longer true. Tables are those of one click: `Game.quick`, so Forma's layout is drawn, and
played by eye."""

import argparse
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from rich.console import Console
from rich.table import Table

from tegel import games
from tegel.executors import executor
from tegel.game import words
from tegel.search.match import Pairing, doubt, elo, pairings, played

FILE = Path(__file__).parent / "ladder.txt"
PAGE = Path(__file__).parent.parent / "docs" / "engine.md"
BEGIN, END = "<!-- ladder -->\n", "<!-- end of ladder -->\n"
AGAINST = [
    ("1", "random"), ("1", "greedy"), ("2", "greedy"), ("3", "greedy"),
    ("3", "1"), ("4", "2"), ("5", "3"), ("6", "4"), ("7", "5"), ("8", "6"), ("9", "7"),
    ("9", "greedy"),
]  # fmt: skip
Rung = tuple[str, str, str, str]  # game, variant, players


@dataclass
class Score:
    """How the games of a rung went for its first player."""

    games: int = 0
    margins: float = 0.0
    pairs: Counter[float] = field(default_factory=Counter)  # by share of the wins

    @property
    def shares(self) -> list[float]:
        """As many games with these shares as there were, a pair after the other."""
        return [share for share, count in sorted(self.pairs.items()) for _ in range(2 * count)]

    @property
    def rate(self) -> float:
        return sum(self.shares) / self.games

    @property
    def interval(self) -> tuple[float, float]:
        half = doubt(self.shares)
        return max(0.0, self.rate - half), min(1.0, self.rate + half)

    def __str__(self) -> str:
        pairs = " ".join(f"{share:g}:{count}" for share, count in sorted(self.pairs.items()))
        return f"{self.games} {self.margins:.6g} {pairs}"


def kept() -> dict[Rung, Score]:
    """The results in the file."""
    found = {}
    for line in FILE.read_text("utf-8").splitlines() if FILE.exists() else []:
        game, variant, first, second, number, margins, *pairs = line.split()
        counts = Counter({float(s): int(n) for s, _, n in (pair.partition(":") for pair in pairs)})
        found[game, variant, first, second] = Score(int(number), float(margins), counts)
    return found


def keep(scores: dict[Rung, Score]) -> None:
    lines = [" ".join([*rung, str(score)]) for rung, score in sorted(scores.items(), key=_place)]
    spare = FILE.with_suffix(".new")
    spare.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    spare.replace(FILE)


def _place(item: tuple[Rung, Score]) -> tuple[int, int, int]:
    """In the order of games, variants and rungs."""
    (game, variant, first, second), _ = item
    variants = list(games.load(game).variants)
    return games.names().index(game), variants.index(variant), AGAINST.index((first, second))


def rungs(only: str, levels: str) -> list[Rung]:
    """The rungs of some games or variants whose first player is of some levels."""
    low, _, high = levels.partition("-")
    wanted = only.split(",") if only else games.names()
    return [
        (game, variant, *pair)
        for game in games.names()
        for variant in games.load(game).variants
        if game in wanted or f"{game}/{variant}" in wanted
        for pair in AGAINST
        if int(low) <= int(pair[0]) <= int(high or low)
    ]


def todo(chosen: list[Rung], scores: dict[Rung, Score], count: int) -> Iterator[list[Pairing]]:
    """Pairs of games that are missing: one on every rung, then another."""
    for number in range(0, count, 2):
        for rung in chosen:
            game, variant, *players = rung
            if scores.get(rung, Score()).games <= number:
                options = games.load(game).quick
                allowed = games.load(game).options_of(variant)
                options = {key: value for key, value in options.items() if key in allowed}
                first, second = players
                found = pairings(game, variant, options, (first, second), number + 2, seed=1)
                yield found[number:]


def pair(both: list[Pairing]) -> tuple[float, float, float]:
    """Of two games, the first player's share of the wins, its margins, and what they took."""
    began = time.process_time()
    one, other = map(played, both)
    taken = time.process_time() - began
    return (one.share + other.share) / 2, one.margin + other.margin, taken


def play(chosen: list[Rung], count: int, jobs: int, cluster: str = "") -> None:
    scores = kept()
    missing = list(todo(chosen, scores, count))
    with executor(jobs, cluster) as pool:
        saved = time.monotonic()
        try:
            for both, (share, margins, taken) in zip(missing, pool.map(pair, missing), strict=True):
                rung = (str(both[0].game), both[0].variant, *both[0].players)
                score = scores.setdefault(rung, Score())
                score.games, score.margins = score.games + 2, score.margins + margins
                score.pairs[round(share, 4)] += 1
                print(*rung, score.games, f"{score.rate:.0%}", f"{taken / 2:.1f} s", flush=True)
                if time.monotonic() > saved + 10:
                    keep(scores)
                    saved = time.monotonic()
        finally:
            keep(scores)


def table() -> Table:
    found = Table("game", "variant", "A", "B", "games", "A wins", "95 %", "Elo", "95 %", "margin")
    for rung, score in sorted(kept().items(), key=_place):
        low, high = score.interval
        found.add_row(
            *rung,
            str(score.games),
            f"{score.rate:.0%}",
            f"{low:.0%} to {high:.0%}",
            f"{elo(score.rate):+.0f}",
            f"{elo(low):+.0f} to {elo(high):+.0f}",
            f"{score.margins / score.games:+.1f}",
        )
    return found


def page() -> str:
    """The ladder for the documentation: a row a variant, a column a rung."""
    scores = kept()
    heads = [f"{first} : {second}" for first, second in AGAINST]
    lines = [f"| | {' | '.join(heads)} |", f"| --- |{' --- |' * len(heads)}"]
    for game in games.names():
        said = words(game)
        for variant in games.load(game).variants:
            found = [scores.get((game, variant, *players)) for players in AGAINST]
            if any(found):
                title = f"{said['game']['name']}: {said['variants'][variant]}"
                lines.append(f"| {title} | {' | '.join(map(_cell, found))} |")
    return "".join(f"{line}\n" for line in lines)


def _cell(score: Score | None) -> str:
    if score is None:
        return ""
    low, high = score.interval
    step = f"{elo(score.rate):+.0f}".replace("inf", "∞")
    return f"**{score.rate:.0%}** ({low:.0%} to {high:.0%})<br>{step} Elo, {score.games}"


def written(text: str) -> str:
    """The documentation with the ladder as it is now."""
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    return before + BEGIN + "\n" + page() + "\n" + END + after


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="The ladder of levels.")
    parser.add_argument("--play", action="store_true", help="play what is missing")
    parser.add_argument("--only", default="", help="games or variants: blokus/duo,imago")
    parser.add_argument("--levels", default="1-9", help="of the first player: 1-6")
    parser.add_argument("--games", type=int, default=20, help="on every rung")
    parser.add_argument("--jobs", type=int, default=1, help="games at a time")
    parser.add_argument("--cluster", default="", help="the address of a Dask cluster that plays")
    parser.add_argument("--write", action="store_true", help="write the table into the page")
    chosen = parser.parse_args()
    if chosen.play:
        play(rungs(chosen.only, chosen.levels), chosen.games, chosen.jobs, chosen.cluster)
    if chosen.write:
        PAGE.write_text(written(PAGE.read_text("utf-8")), "utf-8")
    if not chosen.play:
        Console(width=max(100, Console().width)).print(table())
