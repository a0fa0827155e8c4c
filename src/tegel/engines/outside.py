"""Other people's engines as players of our matches: those that speak our protocol (see `client`)
play every game, those that speak GTP (see `gtp`) Blokus.

Which one an engine speaks shows in its answer to `tegel`, our greeting: in GTP whatever is not
known is answered with a question mark."""

from contextlib import suppress
from math import inf
from typing import TypeVar, cast

from tegel.engines.client import Client, Remote
from tegel.engines.gtp import cells, colour
from tegel.engines.program import PATIENCE, Program
from tegel.game import State as AnyState
from tegel.games.blokus.notation import parse
from tegel.games.blokus.rules import Move, State
from tegel.games.blokus.sgf import NAMES
from tegel.record import shortened
from tegel.search.players import Player, player

M = TypeVar("M")


class Outside:
    """An engine in a process of its own. With seconds, that is how long it is meant to think
    for a move: ten times as long, and half a minute, is too long."""

    def __init__(self, command: str, seconds: float = inf, patience: float = PATIENCE) -> None:
        self.client = Client(command, min(patience, 10 * seconds + 30))
        self.seconds = seconds
        self.speaks: Gtp | Remote | None = None

    @property
    def program(self) -> Program:
        """The process that is spoken to."""
        return self.client.program

    def begin(self, state: AnyState[M], seed: int) -> None:
        self.program.start()
        self.program.say("tegel")
        first, end = "", self.program.soon()
        while not first:
            first = self.program.hear("tegel", end)
        if first[0] in "=?":
            self.speaks = Gtp(self.program)
            self.speaks.skip(first)
        else:
            self.client.meet(first)
            self.speaks = Remote(self.client, self.seconds)
        self.speaks.begin(state, seed)

    def choose(self, state: AnyState[M]) -> M:
        assert self.speaks
        return self.speaks.choose(state)

    def played(self, move: M, after: AnyState[M]) -> None:
        assert self.speaks
        self.speaks.played(move, after)

    def end(self) -> None:
        """Ask it to leave, and see to it that it does."""
        self.program.end()


class Gtp:
    """An engine that speaks GTP."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.colour = ""
        self.own: Move | None = None

    def begin(self, state: AnyState[M], seed: int) -> None:
        if not isinstance(state, State):
            raise self.program.wrong("engines that speak GTP play Blokus only")
        self.colour = colour(state)
        self.ask(f"set_game {NAMES[state.rules.variant]}")
        self.ask("clear_board")
        with suppress(Refusal):  # not every engine has it
            self.ask(f"set_random_seed {seed % 2**31}")

    def skip(self, first: str) -> None:
        """Hear the rest of the answer to `tegel`."""
        end = self.program.soon()
        while first:
            first = self.program.hear("tegel", end)

    def ask(self, command: str) -> str:
        """The answer to a command; raises ValueError if it is refused, or none comes."""
        self.program.say(command)
        answer, end = list[str](), self.program.soon()
        while True:
            text = self.program.hear(command, end)
            if not answer and text and text[0] not in "=?":
                raise self.program.wrong(f"{command!r} was answered {shortened(text)}")
            if text:
                answer.append(text)
            elif answer:
                break
        said = " ".join(answer)
        if said.startswith("?"):
            raise Refusal(str(self.program.wrong(f"refused {command!r}: {said[1:].strip()}")))
        return said[1:].strip()

    def choose(self, state: AnyState[M]) -> M:
        return cast(M, self.generated(state))

    def generated(self, state: object) -> Move:
        """The move that it chooses."""
        assert isinstance(state, State)
        answer = self.ask(f"genmove {colour(state)}")
        try:
            move = parse(answer.lower())
        except ValueError:
            raise self.program.wrong(f"{shortened(answer)} is no move") from None
        if move not in state.legal:
            raise self.program.wrong(f"{answer} is not legal: {state.refusal(move)}")
        self.own = move
        return move

    def played(self, move: M, after: AnyState[M]) -> None:
        assert isinstance(after, State)
        if move != self.own:  # its own moves it has made already
            self.ask(f"play {self.colour} {cells(move)}")
        self.own, self.colour = None, colour(after)


class Refusal(ValueError):
    """The engine answered with a question mark."""


def find(name: str, seconds: float = inf) -> Player:
    """The player of a name, or of the command of an engine."""
    return player(name, seconds, Outside)
