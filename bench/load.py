"""How many moves a server stands: random legal moves in many rooms over real sockets.

    python bench/load.py [--rooms 500] [--rate 1000] [--seconds 20] [--database URL]

Starts `tegel serve` with one worker, opens two sockets a room, and lets each room play at
an even pace, so that all of them together make `rate` moves a second. Told are moves a
second, the time from sending a move to its own acknowledgement, and the shares of the
server's processor time. The client speaks just enough WebSocket by itself: it shares the
machine with the server."""

import argparse
import asyncio
import base64
import os
import random
import re
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Coroutine
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import msgspec
from rich.console import Console
from rich.progress import Progress
from rich.table import Table


class Slot(msgspec.Struct):
    tile: str
    turn: int
    box: tuple[int, int, int, int]
    cells: str


class Offer(msgspec.Struct):
    ply: int
    slots: list[Slot]


read_offer = msgspec.json.Decoder(Offer).decode


@dataclass
class Tally:
    """What was measured."""

    times: list[float] = field(default_factory=list)  # seconds to the acknowledgement
    sockets: int = 0
    games: int = 0
    errors: int = 0
    lost: int = 0  # sockets that the server closed


class Seat(asyncio.Protocol):
    """One socket: frames in, moves out."""

    def __init__(self, game: "Game", cookie: str) -> None:
        self.game, self.cookie = game, cookie
        self.buffer = b""
        self.open = False
        self.sent = 0.0
        self.ply = -1
        self.done = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        key = base64.b64encode(os.urandom(16)).decode()
        transport.write(
            f"GET /api/rooms/{self.game.room}/socket HTTP/1.1\r\nHost: localhost\r\n"
            f"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            f"Sec-WebSocket-Key: {key}\r\nCookie: {self.cookie}\r\n\r\n".encode()
        )

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        if not self.open:
            head, found, rest = self.buffer.partition(b"\r\n\r\n")
            if not found:
                return
            assert b" 101 " in head, head
            self.open, self.buffer = True, rest
            self.game.tally.sockets += 1
            self.send(b'{"t":"join"}')
        at = 0
        buffer = self.buffer
        while len(buffer) - at >= 2:
            size, start = buffer[at + 1], at + 2
            if size == 126:
                size, start = int.from_bytes(buffer[at + 2 : at + 4], "big"), at + 4
            elif size == 127:
                size, start = int.from_bytes(buffer[at + 2 : at + 10], "big"), at + 10
            if len(buffer) < start + size:
                break
            self.frame(buffer[at] & 15, buffer[start : start + size])
            at = start + size
        self.buffer = buffer[at:]

    def frame(self, kind: int, payload: bytes) -> None:
        if kind == 9:
            self.send(payload, 10)
        elif kind == 1:
            if payload.startswith(b'{"t":"moved"'):
                if self.sent:
                    self.game.tally.times.append(time.perf_counter() - self.sent)
                    self.sent = 0.0
                if b'"result":' in payload:
                    self.game.ended()
            elif payload.startswith(b'{"t":"offer"'):
                self.game.turn(self, payload)
            elif payload.startswith(b'{"t":"error"'):
                self.game.tally.errors += 1

    def send(self, payload: bytes, kind: int = 1) -> None:
        """A masked frame; the mask is zero, so the payload stays as it is."""
        size = len(payload)
        head = bytes([128 | kind, 128 | size]) if size < 126 else (
            bytes([128 | kind, 254]) + size.to_bytes(2, "big")
        )  # fmt: skip
        self.transport.write(head + bytes(4) + payload)

    def connection_lost(self, _: Exception | None) -> None:
        self.game.tally.sockets -= self.open
        self.game.tally.lost += not self.done


class Game:
    """One table after another: when a game is over the next room is taken."""

    def __init__(self, bench: "Bench", pace: float, first: float) -> None:
        self.bench, self.pace, self.next = bench, pace, first
        self.tally = bench.tally
        self.seats: list[Seat] = []
        self.room = ""

    async def begin(self) -> None:
        self.room = self.bench.rooms.pop()
        loop = asyncio.get_running_loop()
        self.seats = [Seat(self, cookie) for cookie in self.bench.cookies]
        for seat in self.seats:
            await loop.create_connection(lambda seat=seat: seat, "127.0.0.1", self.bench.port)  # type: ignore[misc]

    def turn(self, seat: Seat, payload: bytes) -> None:
        """Move when it is time."""
        loop = asyncio.get_running_loop()
        self.next = max(self.next + self.pace, loop.time())
        loop.call_at(self.next, self.move, seat, payload)

    def move(self, seat: Seat, payload: bytes) -> None:
        if seat.done or self.bench.stopped:
            return
        offer = read_offer(payload)
        slot = random.choice(offer.slots)
        bits = int(slot.cells, 16)
        for _ in range(random.randrange(bits.bit_count())):
            bits &= bits - 1
        row, column = divmod((bits & -bits).bit_length() - 1, slot.box[2])
        text = f"{slot.tile}.{slot.turn}@{chr(97 + column)}{row + 1}"
        seat.sent = time.perf_counter()
        seat.send(f'{{"t":"move","ply":{offer.ply},"move":"{text}"}}'.encode())

    def ended(self) -> None:
        if any(seat.done for seat in self.seats):
            return
        for seat in self.seats:
            seat.done = True
        self.tally.games += 1
        asyncio.get_running_loop().call_later(0.05, self.again)

    def again(self) -> None:
        for seat in self.seats:
            seat.transport.close()
        if self.bench.rooms and not self.bench.stopped:
            self.bench.task(self.begin())


class Bench:
    def __init__(self, port: int) -> None:
        self.port = port
        self.tally = Tally()
        self.cookies: list[str] = []
        self.rooms: list[str] = []
        self.tasks: set[asyncio.Task[None]] = set()
        self.stopped = False

    def task(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def prepare(self, count: int, progress: Progress) -> None:
        """Make rooms with two players in each."""
        url = f"http://127.0.0.1:{self.port}"
        people = [httpx.AsyncClient(base_url=url, timeout=60) for _ in range(2)]
        for person in people:
            await person.get("/api/me")
            self.cookies.append("; ".join(f"{k}={v}" for k, v in person.cookies.items()))
        bar = progress.add_task("rooms", total=count)

        async def make() -> None:
            wish = {"game": "blokus", "variant": "duo"}
            room = (await people[0].post("/api/rooms", json=wish)).json()["id"]
            (await people[1].post(f"/api/rooms/{room}/sit", json={"seat": 1})).raise_for_status()
            self.rooms.append(room)
            progress.advance(bar)

        while len(self.rooms) < count:
            await asyncio.gather(*[make() for _ in range(min(20, count - len(self.rooms)))])
        for person in people:
            await person.aclose()


TOKEN = "a token that only this benchmark has to know"


def metrics(port: int) -> dict[str, float]:
    url, headers = f"http://127.0.0.1:{port}/metrics", {"Authorization": f"Bearer {TOKEN}"}
    with urllib.request.urlopen(urllib.request.Request(url, headers=headers)) as answer:
        text = answer.read().decode()
    return {m[1]: float(m[2]) for m in re.finditer(r"^(\w+) ([\d.e+-]+)$", text, re.M)}


async def measure(port: int, rooms: int, rate: float, seconds: float, console: Console) -> None:
    bench, pace = Bench(port), rooms / rate
    with Progress(console=console, transient=True) as progress:
        spare = int(rate * (seconds + 5) / 20)
        await bench.prepare(rooms + spare, progress)
        loop = asyncio.get_running_loop()
        games = []
        connecting = progress.add_task("sockets", total=rooms)
        for number in range(rooms):
            game = Game(bench, pace, loop.time() + 3 + pace * number / rooms)
            games.append(game)
            await game.begin()
            progress.advance(connecting)
        await asyncio.sleep(5)
        bench.tally.times.clear()
        bench.tally.errors = bench.tally.lost = bench.tally.games = 0
        before, start = metrics(port), time.perf_counter()
        playing = progress.add_task("moves", total=rate * seconds)
        fewest = bench.tally.sockets
        while (spent := time.perf_counter() - start) < seconds:
            await asyncio.sleep(0.25)
            fewest = min(fewest, bench.tally.sockets)
            progress.update(playing, completed=len(bench.tally.times))
        times, after = sorted(bench.tally.times), metrics(port)
        bench.stopped = True
    report(bench, rooms, rate, spent, times, fewest, before, after, console)


def report(
    bench: Bench, rooms: int, rate: float, spent: float, times: list[float], sockets: int,
    before: dict[str, float], after: dict[str, float], console: Console,
) -> None:  # fmt: skip
    def grown(key: str) -> float:
        return after.get(key, 0.0) - before.get(key, 0.0)

    cpu = grown("process_cpu_seconds_total")
    table = Table("what", "measured", title="Load: Blokus Duo, one worker")
    table.add_row("rooms at once", f"{rooms:,}")
    table.add_row("sockets at once, at least", f"{sockets:,}")
    table.add_row("moves a second", f"{len(times) / spent:,.0f} (asked for {rate:,.0f})")
    for part in (50, 95, 99):
        at = times[min(len(times) - 1, len(times) * part // 100)] if times else 0.0
        table.add_row(f"p{part} to the acknowledgement", f"{1000 * at:.1f} ms")
    table.add_row("games ended", f"{bench.tally.games:,}")
    table.add_row("errors, sockets lost", f"{bench.tally.errors}, {bench.tally.lost}")
    table.add_row("server's processor time", f"{100 * cpu / spent:.0f} % of a core")

    def share(kind: str, times_a_move: int) -> str:
        """Only some calls are measured: their mean, times the moves."""
        mean = grown(f"tegel_{kind}_seconds_sum") / (grown(f"tegel_{kind}_seconds_count") or 1)
        return f"{100 * mean * times_a_move * len(times) / (cpu or 1):.0f} %"

    table.add_row("  of it the rules", share("law", 1))
    table.add_row("  of it marks, events, offers", share("picture", 2))
    commits = grown("tegel_commit_items_count") or 1
    table.add_row("commits a second", f"{commits / spent:.0f}")
    table.add_row("writes a commit", f"{grown('tegel_commit_items_sum') / commits:.1f}")
    console.print(table)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rooms", type=int, default=500)
    parser.add_argument("--rate", type=float, default=1000)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--database", default="")
    parser.add_argument("--port", type=int, default=8765)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, (Path(folder) / "log").open("w") as log:
        words = [sys.executable, "-m", "tegel", "serve", "--data", folder, "--limits", "100000"]
        words += ["--port", str(asked.port), "--log", "text", "--database", asked.database]
        env = {**os.environ, "TEGEL_METRICS_TOKEN": TOKEN}
        server = subprocess.Popen(words, stderr=log, env=env)
        try:
            while True:
                assert server.poll() is None, (Path(folder) / "log").read_text()
                try:
                    metrics(asked.port)
                    break
                except OSError:
                    time.sleep(0.2)
            asyncio.run(measure(asked.port, asked.rooms, asked.rate, asked.seconds, Console()))
        finally:
            server.terminate()
            server.wait(30)
            print((Path(folder) / "log").read_text()[-2000:], file=sys.stderr)


if __name__ == "__main__":
    main()
