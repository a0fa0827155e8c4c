"""GTP, the dialect of Blokus engines: our engine for other people's match programs, and
theirs for ours.

One command a line, an optional number in front; an answer begins with `=` or `?` and that
number, and ends with an empty line. The controller decides whose turn it is: any colour may
be played at any time, and one that can't place is skipped. Moves are lists of squares.
"""

import random
import shlex
import subprocess
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from math import inf
from pathlib import Path
from typing import Any, TextIO

from tegel import games
from tegel.game import BadNotation
from tegel.game import State as AnyState
from tegel.games.blokus.notation import parse
from tegel.games.blokus.rules import OPTIONS, SQUARES, VARIANTS, Move, State, begin
from tegel.games.blokus.sgf import GAMES, NAMES, SGF
from tegel.lattice import name as square_name
from tegel.record import Record
from tegel.search import bot, kernel
from tegel.search.level import skill

VERSION = "0.1.0"
COLOURS: Mapping[int, Mapping[str, int]] = {
    4: {"1": 0, "2": 1, "3": 2, "4": 3, "blue": 0, "yellow": 1, "red": 2, "green": 3},
    2: {"b": 0, "w": 1, "blue": 0, "green": 1, "black": 0, "white": 1, "1": 0, "2": 1},
}


class Refused(Exception):
    """What stands behind the question mark."""


class Engine:
    """The engine as a program that is spoken to."""

    state: State
    thinker: kernel.Thinker | None

    def __init__(
        self, variant: str = "two", level: int = 9, seconds: float = inf, seed: int | None = None
    ) -> None:
        self.skill, self.seconds = skill(level), seconds
        self.level = level
        self.rng = random.Random(seed)
        self.commands: Mapping[str, Callable[[list[str]], str]] = {
            key.removeprefix("do_"): getattr(self, key) for key in dir(self) if key[:3] == "do_"
        }
        self.ended = False
        self._new(variant)

    def answer(self, line: str) -> str | None:
        """The answer to a line, without its last newline; none to an empty one."""
        words = "".join(sign for sign in line.partition("#")[0] if sign >= " " or sign == "\t")
        command, *args = words.split() or [""]
        number = ""
        if command.isdecimal():
            number = command
            command, *args = args or [""]
        if not command:
            return None if not number else f"?{number} no command\n"
        try:
            if command not in self.commands:
                raise Refused("unknown command")
            return f"={number} {self.commands[command](args)}".rstrip() + "\n"
        except Refused as error:
            return f"?{number} {error}\n"
        except ValueError as error:
            return f"?{number} {' '.join(str(error).split())}\n"

    # The game

    def do_set_game(self, args: list[str]) -> str:
        title = " ".join(args)
        if title not in GAMES:
            raise Refused("invalid argument")
        self._new(GAMES[title])
        return ""

    def do_clear_board(self, _: list[str]) -> str:
        self._new(self.state.rules.variant)
        return ""

    def do_play(self, args: list[str]) -> str:
        if len(args) < 2:
            raise Refused("expected a colour and a move")
        self._play(self._colour(args[0]), "".join(args[1:]))
        return ""

    def do_p(self, args: list[str]) -> str:
        self._play(self.state.colour, "".join(args))
        return ""

    def do_genmove(self, args: list[str]) -> str:
        return self._generated(self._colour(*args[:1]), play=True)

    def do_reg_genmove(self, args: list[str]) -> str:
        return self._generated(self._colour(*args[:1]), play=False)

    def do_g(self, _: list[str]) -> str:
        return self._generated(self.state.colour, play=True)

    def do_all_legal(self, args: list[str]) -> str:
        moves = self.state.legal_for(self._colour(*args[:1]))
        return "\n".join(cells(move) for move in moves)

    def do_undo(self, _: list[str]) -> str:
        if not self.past:
            raise Refused("cannot undo")
        self.state = self.past.pop()
        self.moves.pop()
        self.thinker = None
        return ""

    def do_final_score(self, _: list[str]) -> str:
        rules, state = self.state.rules, self.state
        if rules.seats == 2:
            ahead = state.scores[0] - state.scores[1]
            return f"{'B' if ahead > 0 else 'W'}+{abs(ahead)}" if ahead else "0"
        return " ".join(str(state.score(i) + SQUARES) for i in range(len(rules.colours)))

    def do_showboard(self, _: list[str]) -> str:
        # An answer ends at an empty line, so there is none in it.
        return "\n" + "\n".join(line for line in str(self.state).splitlines() if line.strip())

    def do_loadsgf(self, args: list[str]) -> str:
        if not args:
            raise Refused("expected a file")
        plies = int(args[1]) - 1 if len(args) > 1 and args[1].isdecimal() else None
        try:
            record = SGF.read(Path(args[0]).read_text("utf-8"))
        except OSError as error:
            raise Refused(f"cannot read file: {error.strerror}") from None
        self._new(record.variant)
        for ply in games.replay(replace(record, moves=record.moves[:plies])):
            self._advance(ply.move)
        return ""

    def do_savesgf(self, args: list[str]) -> str:
        if not args:
            raise Refused("expected a file")
        rules = self.state.rules
        options = {"corners": "fixed"} if OPTIONS["corners"].concerns(rules.variant) else {}
        record = Record("blokus", rules.variant, options, {}, tuple(map(str, self.moves)))
        try:
            Path(args[0]).write_text(SGF.write(record), "utf-8")
        except OSError as error:
            raise Refused(f"cannot write file: {error.strerror}") from None
        return ""

    # The engine

    def do_get_value(self, _: list[str]) -> str:
        return f"{self.value:.4f}"

    def do_set_random_seed(self, args: list[str]) -> str:
        try:
            self.rng.seed(int(args[0]))
        except (IndexError, ValueError):
            raise Refused("invalid argument") from None
        self.thinker = None
        return ""

    def do_cputime(self, _: list[str]) -> str:
        return f"{time.process_time():.3f}"

    def do_name(self, _: list[str]) -> str:
        return "Tegel"

    def do_version(self, _: list[str]) -> str:
        return VERSION

    def do_protocol_version(self, _: list[str]) -> str:
        return "2"

    def do_list_commands(self, _: list[str]) -> str:
        return "\n".join(sorted(self.commands))

    def do_known_command(self, args: list[str]) -> str:
        return "true" if args[:1] and args[0] in self.commands else "false"

    def do_quit(self, _: list[str]) -> str:
        self.ended = True
        return ""

    # What they share

    def _new(self, variant: str) -> None:
        if variant not in NAMES:
            raise BadNotation(variant, f"GTP plays {', '.join(NAMES)}")
        self.state = begin(replace(VARIANTS[variant], corners="fixed"))
        self.past: list[State] = []
        self.moves: list[Move] = []
        self.thinker = None
        self.value = 0.5

    def _colour(self, name: str = "") -> int:
        if not name:
            return self.state.colour
        known = COLOURS[len(self.state.rules.colours)]
        if name.lower() not in known:
            raise Refused(f"invalid color argument '{name}'")
        return known[name.lower()]

    def _play(self, colour: int, text: str) -> None:
        if text.lower() in ("pass", ""):
            raise Refused("invalid move")
        try:
            move = parse(text.lower() if "@" not in text else text)
        except BadNotation:
            raise Refused("invalid move") from None
        if any(cell not in self.state.rules.grid for cell in move.cells):
            raise Refused("invalid move")
        self._give_turn(colour)
        if move not in self.state.legal:
            used = self.state.refusal(move).rule == "used"
            raise Refused("piece already played" if used else "illegal move")
        self._advance(move)

    def _give_turn(self, colour: int) -> None:
        if colour != self.state.colour:
            self.state = replace(self.state, colour=colour)
            self.thinker = None

    def _advance(self, move: Move) -> None:
        self.past.append(self.state)
        self.moves.append(move)
        self.state = self.state.play(move)
        if self.thinker:
            self.thinker.play(move)

    def _generated(self, colour: int, play: bool) -> str:
        self._give_turn(colour)
        if not self.state.legal:
            return "pass"
        move = self._chosen()
        if play:
            self._advance(move)
        return cells(move)

    def _chosen(self) -> Move:
        """The engine's move here; its tree is kept where the game goes on from it."""
        state: AnyState[Any] = self.state
        whole = not (self.skill.overlooked or self.skill.evenness)
        if not (whole and kernel.found(state)):
            move: Move = bot.bot(self.level, self.seconds)(state, self.rng)
            return move
        if not self.thinker:
            self.thinker = kernel.Thinker(state, self.rng.getrandbits(60))
        simulations = self.skill.simulations if self.seconds == inf else kernel.MOST
        best = self.thinker.consider(simulations, self.seconds)[0]
        if best.visits:
            self.value = best.wins[self.state.turn]
        found: Move = best.move
        return found


def cells(move: Move) -> str:
    return ",".join(map(square_name, move.cells))


def serve(engine: Engine, source: TextIO, target: TextIO) -> None:
    """Answer until there are no more lines, or `quit`."""
    for line in source:
        answer = engine.answer(line)
        if answer is not None:
            target.write(answer + "\n")
            target.flush()
        if engine.ended:
            break


# Other people's engines


@dataclass
class Outside:
    """An engine in a process of its own, as a player of a match (see `match`)."""

    command: str
    own: Move | None = None

    def begin(self, state: AnyState[Any], seed: int) -> None:
        assert isinstance(state, State)
        self.process = subprocess.Popen(
            shlex.split(self.command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.ask(f"set_game {NAMES[state.rules.variant]}")
        self.ask("clear_board")
        with suppress(ValueError):  # not every engine has it
            self.ask(f"set_random_seed {seed % 2**31}")

    def ask(self, command: str) -> str:
        """The answer to a command; raises ValueError if it is refused, or none comes."""
        assert self.process.stdin
        assert self.process.stdout
        try:
            self.process.stdin.write(command + "\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            raise ValueError(f"{self.command}: ended before {command!r}") from None
        lines: list[str] = []
        for line in self.process.stdout:
            if line.strip():
                lines.append(line.strip())
            elif lines:
                break
        if not lines or not lines[0].startswith("="):
            raise ValueError(f"{self.command}: {command!r} was answered {' '.join(lines)!r}")
        return " ".join([lines[0][1:].strip(), *lines[1:]]).strip()

    def choose(self, state: AnyState[Any]) -> Move:
        assert isinstance(state, State)
        answer = self.ask(f"genmove {colour(state)}")
        move = self.own = parse(answer.lower())
        if move not in state.legal:
            raise ValueError(f"{self.command}: {answer} is not legal: {state.refusal(move)}")
        return move

    def played(self, state: AnyState[Any], move: Any, after: AnyState[Any]) -> None:  # noqa: ARG002
        assert isinstance(state, State)
        if move != self.own:  # its own moves it has made already
            self.ask(f"play {colour(state)} {cells(move)}")
        self.own = None

    def end(self) -> None:
        process = self.process
        with suppress(ValueError):
            self.ask("quit")
        for pipe in (process.stdin, process.stdout):
            with suppress(OSError):
                if pipe:
                    pipe.close()
        try:
            process.wait(5)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def colour(state: State) -> str:
    """Who is to move, as GTP has it."""
    return "bw"[state.colour] if len(state.rules.colours) == 2 else str(state.colour + 1)
