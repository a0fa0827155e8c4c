"""Other people's engines, which speak GTP (see `gtp`), as players of our matches.

Whatever such a program does wrong, it is said in one sentence that begins with its command."""

import queue
import shlex
import subprocess
import threading
from contextlib import suppress
from math import inf
from typing import Any

from tegel.engines.gtp import cells, colour
from tegel.game import BadNotation
from tegel.game import State as AnyState
from tegel.games.blokus.notation import parse
from tegel.games.blokus.rules import Move, State
from tegel.games.blokus.sgf import NAMES
from tegel.search.players import Player, player

PATIENCE = 300.0  # seconds that an answer may take


class Outside:
    """An engine in a process of its own. With seconds, that is how long it is meant to think
    for a move: ten times as long, and half a minute, is too long."""

    def __init__(self, command: str, seconds: float = inf, patience: float = PATIENCE) -> None:
        try:
            self.words = shlex.split(command)
        except ValueError as error:
            raise BadNotation(command, f"is no command: {str(error).lower()}") from None
        if not self.words:
            raise BadNotation(command, "is no command: it is empty")
        self.command = command
        self.patience = min(patience, 10 * seconds + 30)
        self.process: subprocess.Popen[bytes] | None = None
        self.lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self.colour = ""
        self.own: Move | None = None

    def begin(self, state: AnyState[Any], seed: int) -> None:
        if not isinstance(state, State):
            raise ValueError(f"{self.command}: other engines play Blokus only")
        try:
            self.process = subprocess.Popen(
                self.words, stdin=subprocess.PIPE, stdout=subprocess.PIPE
            )
        except OSError as error:
            raise ValueError(f"{self.command}: can't be started: {error.strerror}") from None
        threading.Thread(target=self._listen, args=(self.process,), daemon=True).start()
        self.colour = colour(state)
        self.ask(f"set_game {NAMES[state.rules.variant]}")
        self.ask("clear_board")
        with suppress(Refusal):  # not every engine has it
            self.ask(f"set_random_seed {seed % 2**31}")

    def _listen(self, process: "subprocess.Popen[bytes]") -> None:
        assert process.stdout
        with process.stdout as lines:
            for line in lines:
                self.lines.put(line)
        self.lines.put(None)

    def ask(self, command: str) -> str:
        """The answer to a command; raises ValueError if it is refused, or none comes."""
        assert self.process
        assert self.process.stdin
        try:
            self.process.stdin.write(f"{command}\n".encode())
            self.process.stdin.flush()
        except OSError:
            raise ValueError(f"{self.command}: ended before {command!r}") from None
        answer: list[str] = []
        while True:
            try:
                line = self.lines.get(timeout=self.patience)
            except queue.Empty:
                waited = f"{self.patience:g} s"
                raise ValueError(f"{self.command}: no answer to {command!r} in {waited}") from None
            if line is None:
                raise ValueError(f"{self.command}: ended instead of answering {command!r}")
            text = line.decode("utf-8", "replace").strip()
            if not answer and text and text[0] not in "=?":
                raise ValueError(f"{self.command}: {command!r} was answered {text!r}")
            if text:
                answer.append(text)
            elif answer:
                break
        said = " ".join(answer)
        if said.startswith("?"):
            raise Refusal(f"{self.command}: refused {command!r}: {said[1:].strip()}")
        return said[1:].strip()

    def choose(self, state: AnyState[Any]) -> Move:
        assert isinstance(state, State)
        answer = self.ask(f"genmove {colour(state)}")
        try:
            move = parse(answer.lower())
        except ValueError:
            raise ValueError(f"{self.command}: {answer!r} is no move") from None
        if move not in state.legal:
            raise ValueError(f"{self.command}: {answer} is not legal: {state.refusal(move)}")
        self.own = move
        return move

    def played(self, move: Any, after: AnyState[Any]) -> None:
        assert isinstance(after, State)
        if move != self.own:  # its own moves it has made already
            self.ask(f"play {self.colour} {cells(move)}")
        self.own, self.colour = None, colour(after)

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


class Refusal(ValueError):
    """The engine answered with a question mark."""


def find(name: str, seconds: float = inf) -> Player:
    """The player of a name, or of the command of an engine."""
    return player(name, seconds, Outside)
