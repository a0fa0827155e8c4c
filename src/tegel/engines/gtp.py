"""GTP, the dialect of Blokus engines: our engine for other people's match programs (theirs
for ours are in `outside`).

One command a line, an optional number in front; an answer begins with `=` or `?` and that
number, and ends with an empty line. The controller decides whose turn it is: any colour may
be played at any time, and one that can't place is skipped. Moves are lists of squares.
"""

import random
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from importlib.metadata import version
from math import inf
from pathlib import Path
from typing import TextIO, cast

from tegel import games
from tegel.game import BadNotation
from tegel.games.blokus.notation import parse
from tegel.games.blokus.rules import OPTIONS, SQUARES, VARIANTS, Move, State, begin
from tegel.games.blokus.sgf import GAMES, NAMES, SGF
from tegel.lattice import name as square_name
from tegel.record import Record
from tegel.search.players import Player, Thinking, skilled

COLOURS: Mapping[int, Mapping[str, int]] = {
    4: {"1": 0, "2": 1, "3": 2, "4": 3, "blue": 0, "yellow": 1, "red": 2, "green": 3},
    2: {"b": 0, "w": 1, "blue": 0, "green": 1, "black": 0, "white": 1, "1": 0, "2": 1},
}


class Refused(Exception):
    """What stands behind the question mark."""


class Engine:
    """The engine as a program that is spoken to."""

    state: State
    following: bool  # the player knows how the game stands

    def __init__(
        self,
        variant: str = "two",
        level: int = 9,
        seconds: float = inf,
        seed: int | None = None,
        ponders: bool = False,
    ) -> None:
        self.player: Player = skilled(level, seconds, ponders)
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
        self._lose()
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
            self._advance(cast(Move, ply.move))
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
        """How likely the seat that moved last by `genmove` is to win."""
        best = self.player.best if isinstance(self.player, Thinking) else None
        known = best and (best.visits or best.exact)
        return f"{best.wins[self.asked] if best and known else 0.5:.4f}"

    def do_param(self, _: list[str]) -> str:
        """Settings of other engines, and clocks: heard, and not needed."""
        return ""

    do_time_settings = do_time_left = do_param

    def do_set_random_seed(self, args: list[str]) -> str:
        try:
            self.rng.seed(int(args[0]))
        except (IndexError, ValueError):
            raise Refused("invalid argument") from None
        self._lose()
        return ""

    def do_cputime(self, _: list[str]) -> str:
        return f"{time.process_time():.3f}"

    def do_name(self, _: list[str]) -> str:
        return "Tegel"

    def do_version(self, _: list[str]) -> str:
        return version("tegel")

    def do_protocol_version(self, _: list[str]) -> str:
        return "2"

    def do_list_commands(self, _: list[str]) -> str:
        return "\n".join(sorted(self.commands))

    def do_known_command(self, args: list[str]) -> str:
        return "true" if args[:1] and args[0] in self.commands else "false"

    def do_quit(self, _: list[str]) -> str:
        self.end()
        return ""

    # What they share

    def end(self) -> None:
        """Stop thinking, and leave."""
        self.ended = True
        self._lose()

    def _lose(self) -> None:
        """The game did not go on from where the player is: it begins anew when asked."""
        self.following = False
        self.player.end()

    def _new(self, variant: str) -> None:
        if variant not in NAMES:
            raise BadNotation(variant, f"GTP plays {', '.join(NAMES)}")
        self.state = begin(replace(VARIANTS[variant], corners="fixed"))
        self.past: list[State] = []
        self.moves: list[Move] = []
        self.asked = 0
        self._lose()

    def _colour(self, name: str = "") -> int:
        if not name:
            return self.state.colour
        known = COLOURS[len(self.state.rules.colours)]
        if name.lower() not in known:
            raise Refused(f"invalid color argument '{name}'")
        return known[name.lower()]

    def _play(self, colour: int, text: str) -> None:
        if text.lower() == "pass" and not self.state.legal_for(colour):
            return  # whoever can't place is skipped; some say so
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
            self._lose()

    def _advance(self, move: Move) -> None:
        self.past.append(self.state)
        self.moves.append(move)
        self.state = self.state.play(move)
        if self.following:
            self.player.played(move, self.state)

    def _generated(self, colour: int, play: bool) -> str:
        if not self.state.legal_for(colour):
            return "pass"
        self._give_turn(colour)
        if not self.following:
            self.player.begin(self.state, self.rng.getrandbits(60))
            self.following = True
        self.asked = self.state.turn
        move: Move = self.player.choose(self.state)
        if play:
            self._advance(move)
        return cells(move)


def cells(move: Move) -> str:
    """A move as GTP has it: its squares."""
    return ",".join(map(square_name, move.cells))


def colour(state: State) -> str:
    """Who is to move, as GTP has it."""
    return "bw"[state.colour] if len(state.rules.colours) == 2 else str(state.colour + 1)


def serve(engine: Engine, source: TextIO, target: TextIO) -> None:
    """Answer until there are no more lines, or `quit`."""
    for line in source:
        answer = engine.answer(line)
        if answer is not None:
            target.write(answer + "\n")
            target.flush()
        if engine.ended:
            break
