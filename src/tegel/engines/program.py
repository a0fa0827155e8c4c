"""Other people's programs that speak in lines: each in a process of its own.

Whatever such a program does wrong is a `ValueError` of one sentence, which begins with its
command. It may not speak longer than it may think, nor in lines without end; what it says before
it is listened to waits in its own pipe."""

import queue
import shlex
import subprocess
import threading
import time
from contextlib import suppress

from tegel.game import BadNotation
from tegel.record import shortened

PATIENCE = 300.0  # seconds that an answer may take
LONGEST = 100_000  # bytes of a line: more than any game takes
WAITING = 1_000  # lines that are kept for whoever listens next


class Program:
    """A program by its command; it runs from `start` to `end`."""

    def __init__(self, command: str, patience: float = PATIENCE) -> None:
        try:
            self.words = shlex.split(command)
        except ValueError as error:
            raise BadNotation(command, f"is no command: {str(error).lower()}") from None
        if not self.words:
            raise BadNotation(command, "is no command: it is empty")
        self.command, self.patience = command, patience
        self.process: subprocess.Popen[bytes] | None = None
        self.lines: queue.Queue[bytes | None] = queue.Queue(WAITING)
        self.ended = False

    def start(self) -> None:
        """Start the process, and listen to it."""
        try:
            self.process = subprocess.Popen(
                self.words, stdin=subprocess.PIPE, stdout=subprocess.PIPE
            )
        except OSError as error:
            raise self.wrong(f"can't be started: {error.strerror}") from None
        threading.Thread(target=self._listen, args=(self.process,), daemon=True).start()

    def _listen(self, process: "subprocess.Popen[bytes]") -> None:
        assert process.stdout
        with process.stdout as pipe:
            while not self.ended and (line := pipe.readline(LONGEST + 1)):
                self.lines.put(line)
        self.lines.put(None)

    def say(self, line: str) -> None:
        """Send it a line."""
        assert self.process
        assert self.process.stdin
        try:
            self.process.stdin.write(f"{line}\n".encode())
            self.process.stdin.flush()
        except OSError:
            raise self.wrong(f"ended before {shortened(line)}") from None

    def hear(self, asked: str, end: float) -> str:
        """The next line, without spaces around it, of an answer to what was asked, that must be
        there at a time of the monotonic clock."""
        try:
            line = self.lines.get(timeout=max(0.0, end - time.monotonic()))
        except queue.Empty:
            waited = f"{self.patience:g} s"
            raise self.wrong(f"no answer to {shortened(asked)} in {waited}") from None
        if line is None:
            self.lines.put(None)
            raise self.wrong(f"ended instead of answering {shortened(asked)}")
        if len(line) > LONGEST:
            raise self.wrong(f"{shortened(asked)} was answered by a line of over {LONGEST:,} bytes")
        return line.decode("utf-8", "replace").strip()

    def soon(self) -> float:
        """The time at which patience with an answer to what is said now ends."""
        return time.monotonic() + self.patience

    def wrong(self, what: str) -> ValueError:
        """The error that tells what the program did wrong."""
        return ValueError(f"{self.command}: {what}")

    def end(self) -> None:
        """Ask it to leave, and see to it that it does."""
        if not self.process:
            return
        with suppress(OSError):
            assert self.process.stdin
            self.process.stdin.write(b"quit\n")
            self.process.stdin.close()
        try:
            self.process.wait(2)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.ended = True
        with suppress(queue.Empty):
            while True:  # whoever listens to it may be waiting for room
                self.lines.get_nowait()
