"""Thinking in studies on a real server: how soon, how often, and what it costs a bot.
Needs `make setup`; Linux.

    python bench/studies.py [--reports 4] [--moves 5]

Told are:

- how soon the first graph of a Duo game comes and how soon its report is complete, and how deep;
- how long a position that was thought about before takes to be answered again;
- how often lines are told while the engine thinks;
- how long a bot of level 7 takes for a move at a table, alone and with so many reports running."""

import argparse
import random
import statistics
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from rich.console import Console  # noqa: E402
from rich.table import Table as Shown  # noqa: E402

from servers import Person, Tegel, tegel  # noqa: E402
from studying import Student, study  # noqa: E402
from tegel import games  # noqa: E402
from tegel.record import Record  # noqa: E402
from tegel.search.bot import bot  # noqa: E402

LEVEL = 7
AGAIN = 20  # times that a known position is asked for


def game(seed: int, level: int = 3) -> str:
    """A Duo game of two bots."""
    rng, state = random.Random(seed), games.load("blokus").start("duo")
    moves: list[str] = []
    while not state.outcome:
        move = bot(level)(state, rng) if len(moves) > 3 else rng.choice(state.moves())
        moves.append(str(move))
        state = state.play(move)
    return str(Record("blokus", "duo", moves=tuple(moves)))


def report(ann: Person, text: str) -> tuple[float, float, int]:
    """Seconds until the first graph and until all of it; simulations of a decision then."""
    own = Student(ann, study(ann, text=text)["id"])
    own.wait("study")
    start, first = time.monotonic(), 0.0
    own.send(t="judge")
    while True:
        found = own.wait("judged", seconds=300)
        first = first or time.monotonic() - start
        if found["complete"]:
            deep = [point["simulations"] for point in found["points"] if not point["exact"]]
            return first, time.monotonic() - start, int(statistics.median(deep))


def answered(ann: Person, text: str) -> tuple[float, float]:
    """The median milliseconds in which a known position is answered; lines told a second."""
    made = study(ann, text=text)
    own = Student(ann, made["id"])
    own.wait("study")
    there = str(len(made["line"]) // 2)
    own.send(t="think", path=there)
    own.wait("thought")
    start, count = time.monotonic(), 0
    while time.monotonic() - start < 5:
        own.wait("thought")
        count += 1
    often = count / (time.monotonic() - start)
    times = []
    for _ in range(AGAIN):
        own.send(t="rest")
        own.send(t="ping")
        own.wait("pong")
        time.sleep(0.4)  # until the slice is over
        start = time.monotonic()
        own.send(t="think", path=there)
        own.wait("thought")
        times.append(1000 * (time.monotonic() - start))
    own.send(t="rest")
    return statistics.median(times), often


def bots(server: Tegel, moves: int) -> float:
    """The median seconds that a bot takes for a move at a table."""
    ann = Person(server)
    room = ann.room(seats=[{"kind": "person"}, {"kind": "bot", "level": LEVEL}])["id"]
    socket, times = ann.socket(room), []
    for pick in range(moves):
        offer = socket.wait("offer", seconds=60)
        start = time.monotonic()
        socket.move(offer, 7 * pick)
        socket.wait("moved")
        socket.wait("moved", seconds=60)
        times.append(time.monotonic() - start)
    return statistics.median(times)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--reports", type=int, default=4)
    parser.add_argument("--moves", type=int, default=5)
    asked = parser.parse_args()
    texts = [game(seed) for seed in range(asked.reports + 1)]
    options = ("--analyses", str(asked.reports), "--bots", "1")
    with tempfile.TemporaryDirectory() as folder, tegel(Path(folder), *options) as server:
        ann = Person(server)
        bots(server, 1)  # so that the processes are there
        first, whole, deep = report(ann, texts[0])
        again, often = answered(ann, texts[0])
        alone = bots(server, asked.moves)
        for text in texts[1:]:
            ann.ok("POST", f"/api/studies/{study(ann, text=text)['id']}/report")
        beside = bots(server, asked.moves)
    shown = Shown("", "", title="Studies, one worker")
    shown.add_row("first graph", f"{first:.2f} s")
    shown.add_row("report complete", f"{whole:.1f} s, {deep:,} simulations a decision")
    shown.add_row("a known position", f"{again:.1f} ms")
    shown.add_row("lines told", f"{often:.1f} a second")
    shown.add_row("a bot's move, alone", f"{alone:.2f} s")
    shown.add_row(f"with {asked.reports} reports running", f"{beside:.2f} s")
    Console().print(shown)


if __name__ == "__main__":
    main()
