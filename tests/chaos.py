"""Trouble for servers: a proxy that cuts and holds connections, a clock that jumps, a disk that
is full, processes that stop and die. A **schedule** of it follows from chance alone."""

import asyncio
import mmap
import os
import random
import signal
import socket
import struct
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from preload import built
from servers import Tegel, free_port

PATIENCE = 180.0  # seconds for which a server is started again and again


class Proxy:
    """A way to a server that can be cut, or hold what passes: all of it, or only what comes
    back, so that the server does what it was asked and nobody hears of it."""

    def __init__(self, port: int) -> None:
        self.behind, self.port = port, free_port()
        self.loop = asyncio.new_event_loop()
        self.ways: set[asyncio.StreamWriter] = set()
        self.there, self.back = asyncio.Event(), asyncio.Event()
        self.open = True
        self.tasks: set[asyncio.Task[None]] = set()
        self.thread = threading.Thread(target=self._serve, daemon=True)
        self.thread.start()

    def _serve(self) -> None:
        asyncio.set_event_loop(self.loop)
        self.there.set()
        self.back.set()
        start = asyncio.start_server(self._connected, "127.0.0.1", self.port)
        server = self.loop.run_until_complete(start)
        self.loop.run_forever()
        server.close()
        for task in asyncio.all_tasks(self.loop):
            task.cancel()
        for writer in self.ways:
            writer.transport.abort()
        self.loop.run_until_complete(asyncio.sleep(0.1))
        self.loop.close()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            if not self.open:
                raise OSError
            far = await asyncio.open_connection("127.0.0.1", self.behind)
        except OSError:
            writer.transport.abort()
            return
        self.ways |= {writer, far[1]}
        for task in (self._pass(reader, far[1], self.there), self._pass(far[0], writer, self.back)):
            made = asyncio.create_task(task)
            self.tasks.add(made)
            made.add_done_callback(self.tasks.discard)

    async def _pass(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, gate: asyncio.Event
    ) -> None:
        with suppress(OSError, asyncio.CancelledError):
            while data := await reader.read(65536):
                await gate.wait()
                writer.write(data)
                await writer.drain()
        self.ways.discard(writer)
        writer.transport.abort()

    def _do(self, work: Callable[[], None]) -> None:
        self.loop.call_soon_threadsafe(work)

    def cut(self) -> None:
        """End all connections, and let none come."""

        def work() -> None:
            self.open = False
            for writer in tuple(self.ways):
                writer.transport.abort()

        self._do(work)

    def hold(self) -> None:
        self._do(self.there.clear)
        self._do(self.back.clear)

    def hold_answers(self) -> None:
        self._do(self.back.clear)

    def heal(self) -> None:
        def work() -> None:
            self.open = True
            self.there.set()
            self.back.set()

        self._do(work)

    def close(self) -> None:
        self._do(self.loop.stop)
        self.thread.join()


class Faults:
    """The clock and the disk of some processes: see faults.c."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / "faults"
        path.write_bytes(bytes(16))
        path.chmod(0o644)
        with path.open("r+b") as file:
            self.memory = mmap.mmap(file.fileno(), 16)
        self.env = {**built("faults.c", folder), "TEGEL_FAULTS": str(path)}
        self.ahead = 0  # milliseconds

    def jump(self, seconds: float) -> None:
        self.ahead += round(1000 * seconds)
        self.memory[:8] = struct.pack("<q", self.ahead)

    def fill(self, full: bool) -> None:
        self.memory[8:] = struct.pack("<q", full)

    def now(self) -> float:
        """The time as those processes see it."""
        return time.time() + self.ahead / 1000


def postgres_chief(folder: Path) -> int:
    """The first process of a PostgreSQL, 0 if it has ended."""
    with suppress(OSError):
        pid = int((folder / "postgres" / "data" / "postmaster.pid").read_text().split()[0])
        if Path(f"/proc/{pid}/cmdline").read_bytes():  # the dead have none
            return pid
    return 0


def postgres_processes(folder: Path) -> list[int]:
    """The processes of a PostgreSQL that serve a connection."""
    chief = postgres_chief(folder)
    return [pid for pid in _children(chief) if chief and b"127.0.0.1" in _title(pid)]


def _children(parent: int) -> list[int]:
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            if int(path.read_text().rpartition(")")[2].split()[1]) == parent:
                found.append(int(path.parent.name))
    return found


def _title(pid: int) -> bytes:
    with suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    return b""


def redis_process(port: int) -> int:
    with socket.create_connection(("127.0.0.1", port), 5) as asked:
        asked.sendall(b"INFO server\r\n")
        answer = b""
        while b"process_id:" not in answer or not answer.endswith(b"\r\n"):
            answer += asked.recv(65536)
    return int(answer.partition(b"process_id:")[2].split()[0])


def signalled(pids: list[int], number: signal.Signals) -> None:
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, number)


class Worker:
    """A server that is started again when it dies, as hosts do: until it serves, for it refuses
    to start while its database is in trouble."""

    def __init__(self, server: Tegel) -> None:
        self.server, self.name = server, server.folder.name
        self.starting: threading.Thread | None = None

    @property
    def down(self) -> bool:
        """Whether it has ended, and nobody is starting it again."""
        assert self.server.process
        starting = self.starting is not None and self.starting.is_alive()
        return not starting and self.server.process.poll() is not None

    def kill(self) -> None:
        """kill -9, unless it is only just starting."""
        if not self.starting or not self.starting.is_alive():
            with suppress(ProcessLookupError):
                self.server.kill()

    def restart(self) -> None:
        if self.down:
            self.starting = threading.Thread(target=self._start)
            self.starting.start()

    def _start(self) -> None:
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            with suppress(AssertionError):  # it could not, or not in time
                self.server.start()
                return
            with suppress(ProcessLookupError):
                self.server.kill()
            time.sleep(0.5)

    def join(self) -> None:
        if self.starting:
            self.starting.join()

    def stop(self, on: bool) -> None:
        """Stop it, or let it go on."""
        assert self.server.process
        with suppress(ProcessLookupError):
            number = signal.SIGSTOP if on else signal.SIGCONT
            os.killpg(self.server.process.pid, number)


class Trouble(NamedTuple):
    """Something that goes wrong with one of the workers' things for a while."""

    at: float  # seconds from the beginning
    lasts: float
    kind: str
    target: int  # which worker's


def schedule(rng: random.Random, seconds: float, kinds: list[str], workers: int) -> list[Trouble]:
    """What goes wrong, in order: every kind before any comes again, some at the same time."""
    found: list[Trouble] = []
    at, bag = 1.0, list[str]()
    while at < seconds:
        if not bag:
            bag = rng.sample(kinds, len(kinds))
        lasts = rng.choice([rng.uniform(0.2, 2), rng.uniform(2, 8)])
        found.append(Trouble(at, min(lasts, seconds - at), bag.pop(), rng.randrange(workers)))
        at += rng.choice([rng.uniform(0.2, 1), rng.uniform(1, 4)])
    return found


@dataclass
class Chaos:
    """Makes a schedule come true. `begin` and `end` say how for each kind of trouble."""

    begin: dict[str, Callable[[int], None]]
    end: dict[str, Callable[[int], None]] = field(default_factory=dict)
    done: list[str] = field(default_factory=list)

    def run(self, troubles: list[Trouble]) -> None:
        """One thing after the other, each for its while; at the end nothing is wrong. Of the
        same kind at the same target, one goes on at a time."""
        start = time.monotonic()
        steps = sorted(
            [(t.at, False, t) for t in troubles] + [(t.at + t.lasts, True, t) for t in troubles]
        )
        going: dict[tuple[str, int], Trouble] = {}
        try:
            for at, over, trouble in steps:
                time.sleep(max(0.0, start + at - time.monotonic()))
                key = (trouble.kind, trouble.target)
                if not over and key not in going:
                    going[key] = trouble
                    self.done.append(f"{at:.1f} s: {trouble.kind} {trouble.target}")
                    self.begin[trouble.kind](trouble.target)
                elif over and going.get(key) is trouble:
                    self._end(going.pop(key))
        finally:
            for trouble in going.values():
                self._end(trouble)

    def _end(self, trouble: Trouble) -> None:
        if trouble.kind in self.end:
            self.end[trouble.kind](trouble.target)
