"""Bots on a real server: how soon they move, and what their processes take.
Needs `make setup`; Linux.

    python bench/bots.py [--levels 5,7,9] [--moves 6]

One process plays for one table, first of a new server and then on: told are the seconds until the
first move of a bot on a server that has just begun (the process starts, and loads the net where
there is one), the median of the moves after it and the longest, and the memory that is the
process's own (RSS, and without what it shares with others: USS) after the first move and at the
end."""

import argparse
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

VARIANTS = ("duo", "two", "classic")


def memory(pid: int) -> tuple[float, float]:
    """Megabytes that a process holds: in all, and its own alone."""
    rows = dict(
        line.split(":")
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text("ascii").splitlines()[1:]
    )
    held = {name: int(rows[name].split()[0]) for name in ("Rss", "Private_Clean", "Private_Dirty")}
    return held["Rss"] / 1024, (held["Private_Clean"] + held["Private_Dirty"]) / 1024


def processes(pid: int) -> set[int]:
    """The processes under one, and under those."""
    found = set()
    for child in Path(f"/proc/{pid}/task/{pid}/children").read_text("ascii").split():
        found |= {int(child), *processes(int(child))}
    return found


def largest(server: Tegel) -> tuple[float, float]:
    """The memory of the largest process under the server: the one that plays."""
    assert server.process
    alive = [pid for pid in processes(server.process.pid) if Path(f"/proc/{pid}/cmdline").exists()]
    return max(map(memory, alive), default=(0.0, 0.0))


def played(variant: str, level: int, moves: int) -> list[str]:
    """A row: one bot at one table."""
    with tempfile.TemporaryDirectory() as folder, tegel(Path(folder), "--bots", "1") as server:
        ann = Person(server)
        seats = {"duo": 2, "two": 2, "classic": 4}[variant]
        bot = {"kind": "bot", "level": level}
        wish = {
            "game": "blokus",
            "variant": variant,
            "seats": [{"kind": "person"}] + [bot] * (seats - 1),
        }
        socket = ann.socket(ann.room(**wish)["id"])
        times, held = [], []
        for pick in range(moves):
            offer = socket.wait("offer", seconds=120)
            start = time.monotonic()
            socket.move(offer, 7 * pick)
            socket.wait("moved")
            socket.wait("moved", seconds=120)  # the first bot after the person
            times.append(time.monotonic() - start)
            for _ in range(seats - 2):
                socket.wait("moved", seconds=120)
            held.append(largest(server))
    first, *rest = times
    told = [f"{all:.0f} ({own:.0f})" for all, own in (held[0], held[-1])]
    shown = [f"{seconds:.2f}" for seconds in (first, statistics.median(rest), max(rest))]
    return [f"{variant} {level}", *shown, *told]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--levels", default="5,7,9")
    parser.add_argument("--moves", type=int, default=6)
    asked = parser.parse_args()
    head = ("first move, s", "median", "longest", "MB after it (own)", "at the end")
    shown = Shown("", *head, title="Bots of Blokus, one process")
    for variant in VARIANTS:
        for level in map(int, asked.levels.split(",")):
            shown.add_row(*played(variant, level, max(2, asked.moves)))
    Console().print(shown)


if __name__ == "__main__":
    main()
