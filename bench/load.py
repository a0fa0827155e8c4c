"""How many moves a server stands, beside boardgame.io: many tables for two over real sockets.
Needs `make setup`; Linux.

    python bench/load.py [--rooms 500] [--rate 1000] [--seconds 20] [--database URL]
                         [--alone] [--workers 2]

One server after the other gets the same load: two sockets a room, and each room plays at an even
pace, so that all of them together make `rate` moves a second.

- Tegel, one worker: random legal moves of Blokus Duo, every one on disk before it is shown;
- boardgame.io, which npm brings into `build/`: a game without rules, of about as many moves, its
  store in memory; left out by `--alone`;
- with `--workers 2`, Tegel once more with so many workers, a PostgreSQL and a Redis of their own.

Told are moves a second, the time from sending a move to its own acknowledgement, and the
processor time of the server, which means something on a busy machine too."""

import argparse
import asyncio
import os
import random
import re
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tests"))

import uvloop  # noqa: E402
from rich.console import Console  # noqa: E402
from rich.progress import Progress  # noqa: E402
from rich.table import Table as Shown  # noqa: E402

from load_crowds import BoardgameCrowd, Crowd, Table, Tally, TegelCrowd  # noqa: E402
from servers import Tegel, answers, free_port, postgres, redis, tegel, until  # noqa: E402

BOARDGAME = "boardgame.io@0.50.2"
MOVES = 28  # of its games: as many as random Blokus Duo has
WARM = 5.0  # seconds before it counts
PARTS = (50, 95, 99)


@dataclass
class Asked:
    """The load: the same for all servers."""

    rooms: int
    rate: float
    seconds: float


@dataclass
class Measured:
    title: str
    tally: Tally
    spent: float  # seconds
    sockets: int  # open at once, at least
    server: float  # seconds of a processor
    loops: float  # of them the first threads, where the event loops run
    beside: float  # those of a database and a bus
    memory: float  # bytes of the server, at the end
    grown: dict[str, float] = field(default_factory=dict)  # our own metrics

    @property
    def moves(self) -> int:
        return len(self.tally.times) or 1

    @property
    def a_move(self) -> float:
        """Milliseconds of the server's processor time."""
        return 1000 * self.server / self.moves

    def figure(self, key: str, by: str, form: str, times: float = 1) -> str:
        """One of our metrics divided by another; nothing if there are none."""
        return form.format(times * self.grown[key] / self.grown[by]) if self.grown.get(by) else ""

    def part(self, percent: int) -> float:
        """Milliseconds within which so many are acknowledged."""
        times = sorted(self.tally.times)
        return 1000 * times[min(len(times) - 1, len(times) * percent // 100)] if times else 0.0


# Processes


def family(pid: int) -> list[int]:
    """A process and all that it started."""
    found = [pid]
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        with suppress(OSError):  # it has just ended
            for child in task.read_text().split():
                found += family(int(child))
    return found


def processor(pids: list[int]) -> float:
    """The seconds that processes have used, with those of their children that ended."""
    ticks = 0
    for pid in pids:
        with suppress(OSError):
            after_name = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            ticks += sum(map(int, after_name[11:15]))
    return ticks / os.sysconf("SC_CLK_TCK")


def first_threads(pids: list[int]) -> float:
    """The seconds that the first threads of processes have used."""
    spent = 0
    for pid in pids:
        with suppress(OSError):
            spent += int(Path(f"/proc/{pid}/task/{pid}/schedstat").read_text().split()[0])
    return spent / 1e9


def memory(pids: list[int]) -> float:
    """The bytes that processes hold."""
    pages = 0
    for pid in pids:
        with suppress(OSError):
            pages += int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


# The measurement


async def measured(
    title: str, crowd: Crowd, server: int, asked: Asked, metrics: Callable[[], dict[str, float]]
) -> Measured:
    """Let a crowd play at a server, which is the process of a number."""
    pace, tally = asked.rooms / asked.rate, crowd.tally
    with Progress(transient=True) as progress:
        count = 2 * asked.rooms + int(asked.rate * (asked.seconds + WARM) / 20)
        making = progress.add_task(f"{title}: rooms", total=count)
        await crowd.prepare(count, lambda: progress.advance(making))
        loop = asyncio.get_running_loop()
        connecting = progress.add_task("sockets", total=asked.rooms)
        for number in range(asked.rooms):
            first = loop.time() + 3 + pace * number / asked.rooms
            table = Table(crowd, pace, first, random.randint(1, MOVES))
            await table.begin()
            progress.advance(connecting)
        await asyncio.sleep(WARM)
        tally.times.clear()
        tally.errors = tally.lost = tally.games = 0
        before, used, start = metrics(), spent_by(server), time.perf_counter()
        playing = progress.add_task("moves", total=asked.rate * asked.seconds)
        fewest = tally.sockets
        while (spent := time.perf_counter() - start) < asked.seconds:
            await asyncio.sleep(0.25)
            fewest = min(fewest, tally.sockets)
            progress.update(playing, completed=len(tally.times))
        crowd.stopped = True
        own, loops, beside = (now - then for now, then in zip(spent_by(server), used, strict=True))
        held, after = memory(family(server)), metrics()
    grown = {key: value - before.get(key, 0.0) for key, value in after.items()}
    return Measured(title, tally, spent, fewest, own, loops, beside, held, grown)


def spent_by(server: int) -> tuple[float, float, float]:
    """The processor time of a server, of its first threads, and of what else we started."""
    own = family(server)
    others = [pid for pid in family(os.getpid()) if pid not in own and pid != os.getpid()]
    return processor(own), first_threads(own), processor(others)


def run(
    title: str, crowd: Crowd, server: int, asked: Asked,
    metrics: Callable[[], dict[str, float]] = dict,
) -> Measured:  # fmt: skip
    return uvloop.run(measured(title, crowd, server, asked, metrics))


# The servers


def ours(title: str, folder: Path, asked: Asked, *options: str) -> Measured:
    wide = ("--limits", "100000", "--log", "text")
    with tegel(folder, *wide, *options) as server:
        assert server.process
        found = run(title, TegelCrowd(server.port), server.process.pid, asked, lambda: told(server))
    print(server.log.read_text()[-2000:], file=sys.stderr)
    return found


def told(server: Tegel) -> dict[str, float]:
    """Our metrics, those without labels."""
    token = (server.folder / "metrics-token").read_text().strip()
    headers = {"Authorization": f"Bearer {token}"}
    with urllib.request.urlopen(
        urllib.request.Request(f"{server.url}/metrics", headers=headers)
    ) as answer:
        text = answer.read().decode()
    return {m[1]: float(m[2]) for m in re.finditer(r"^(\w+) ([\d.e+-]+)$", text, re.M)}


def theirs(asked: Asked) -> Measured:
    with boardgame() as (port, pid):
        return run("boardgame.io, in memory", BoardgameCrowd(port), pid, asked)


@contextmanager
def boardgame() -> Iterator[tuple[int, int]]:
    """A server of boardgame.io: its port and its process."""
    home, port = ROOT / "build" / "boardgame", free_port()
    if not (home / "node_modules" / "boardgame.io").exists():
        home.mkdir(parents=True, exist_ok=True)
        quiet = ["--no-audit", "--no-fund", "--loglevel=error"]
        subprocess.run(["npm", "install", "--prefix", str(home), *quiet, BOARDGAME], check=True)
    with (home / "log").open("w") as log:
        server = subprocess.Popen(
            ["node", str(ROOT / "bench" / "boardgame.cjs"), str(port), str(MOVES)],
            stdout=log, stderr=log,
            env={**os.environ, "NODE_PATH": str(home / "node_modules"), "NODE_ENV": "production"},
        )  # fmt: skip
    try:
        until(lambda: answers(port), "the start of boardgame.io")
        yield port, server.pid
    finally:
        server.kill()
        server.wait()


# The report


def report(found: list[Measured], asked: Asked, console: Console) -> None:
    table = Shown("what", *(one.title for one in found), title="Load: the same for all")

    def row(what: str, said: Callable[[Measured], str]) -> None:
        table.add_row(what, *map(said, found))

    def sampled(kind: str, a_move: int) -> Callable[[Measured], str]:
        """Only some calls are measured: their mean, times those of a move."""
        key = f"tegel_{kind}_seconds"
        return lambda one: one.figure(f"{key}_sum", f"{key}_count", "{:.3f} ms", 1000 * a_move)

    items = "tegel_commit_items"
    row("rooms at once", lambda _: f"{asked.rooms:,}")
    row("sockets at once, at least", lambda one: f"{one.sockets:,}")
    row(f"moves a second, of {asked.rate:,.0f}", lambda one: f"{one.moves / one.spent:,.0f}")
    for part in PARTS:
        row(f"p{part} to the acknowledgement", lambda one, part=part: f"{one.part(part):.1f} ms")  # type: ignore[misc]
    row("server's processor time", lambda one: f"{100 * one.server / one.spent:.0f} % of a core")
    row("a move", lambda one: f"{one.a_move:.3f} ms")
    row("  of it the event loop's thread", lambda one: f"{1000 * one.loops / one.moves:.3f} ms")
    row("  of it the rules", sampled("law", 1))
    row("  of it marks, events, offers", sampled("picture", 2))
    row("database and bus, a move", lambda one: f"{1000 * one.beside / one.moves:.3f} ms")
    row("writes a commit", lambda one: one.figure(f"{items}_sum", f"{items}_count", "{:.1f}"))
    row("memory", lambda one: f"{one.memory / 1e6:.0f} MB")
    row("games ended", lambda one: f"{one.tally.games:,}")
    row("errors, sockets lost", lambda one: f"{one.tally.errors}, {one.tally.lost}")
    console.print(table)


def ratio(found: list[Measured]) -> str:
    first, *others = found
    for other in others:
        if other.title.startswith("boardgame"):
            times = first.a_move / other.a_move
            return f"Processor time a move: {times:.2f} times that of boardgame.io."
    return "boardgame.io was not measured."


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rooms", type=int, default=500)
    parser.add_argument("--rate", type=float, default=1000)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--database", default="")
    parser.add_argument("--alone", action="store_true", help="without boardgame.io")
    parser.add_argument("--workers", type=int, default=1, help="then also so many, on PostgreSQL")
    given = parser.parse_args()
    asked, console = Asked(given.rooms, given.rate, given.seconds), Console()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        one = ["--database", given.database] if given.database else []
        found = [ours("Tegel, one worker", folder / "one", asked, *one)]
        if not given.alone:
            try:
                found.append(theirs(asked))
            except (OSError, subprocess.CalledProcessError) as error:
                console.print(f"npm can't give boardgame.io here: {error}")
        if given.workers > 1:
            database = stack.enter_context(postgres(folder / "many"))
            bus = stack.enter_context(redis(folder / "many"))
            many = ["--workers", str(given.workers), "--database", database, "--bus", bus]
            title = f"Tegel, {given.workers} workers, PostgreSQL"
            found.append(ours(title, folder / "many" / "data", asked, *many))
    report(found, asked, console)
    console.print(ratio(found))
    console.print(f"Load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors.")


if __name__ == "__main__":
    main()
