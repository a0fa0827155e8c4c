"""Our engine for other people's programs, by the protocol of docs/protocol.md: all games.

It thinks in a thread of its own, so that it hears `stop`. What it found out is kept from move to
move as long as the game goes on and the same is asked of it."""

import random
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from importlib.metadata import version
from math import inf
from typing import BinaryIO, TextIO

from tegel import games
from tegel.engines.program import LONGEST
from tegel.engines.protocol import Identity, Limits, Line, Option, told
from tegel.game import CHANCE, BadNotation, Move, State
from tegel.record import Record
from tegel.search.kernel import MOST
from tegel.search.players import PONDERED, Player, Thinking, player

PLIES = 8  # of a line, at most
FIRST = 1_000  # simulations after which an endless search first tells what it thinks
LEAVING = 5.0  # seconds to come to an end in, when nobody says more
# Of whom, for how many seconds and, of a level, simulations at most.
Asked = tuple[str, float, int]


class Engine:
    """The engine as a program that is spoken to, line by line; `say` takes what it answers."""

    def __init__(self, say: Callable[[str], None], name: str = "9", seed: int = 0) -> None:
        player(name)
        self.say = say
        self.options = {"player": name, "seed": str(seed)}
        self.record: Record | None = None
        self.state: State[Move] | None = None
        self.player: Player | None = None
        self.asked: Asked = ("", inf, 0)  # what the player is for
        self.thinking: threading.Thread | None = None
        self.busy = False  # from `go` until its answer
        self.endless = False
        self.stopped = threading.Event()
        self.ended = False

    def hear(self, line: str) -> None:
        """Do what a line says; whatever is wrong with it is told in a sentence."""
        command, *words = line.split() or [""]
        try:
            if len(line) > LONGEST:
                raise BadNotation(line, f"a line has at most {LONGEST:,} bytes")
            self._do(command, words)
        except ValueError as error:
            self.say(refusal(error))

    def _do(self, command: str, words: list[str]) -> None:
        if command in ("tegel", "setoption", "newgame", "position", "go"):
            self._idle(command)
        match command, words:
            case "", []:
                pass
            case "tegel", []:
                self.say(str(identity(self.options)))
            case "isready", []:
                self.say("readyok")
            case "setoption", [name, value]:
                self._set(name, value)
            case "newgame", []:
                self._forget()
            case "position", _:
                self._place(told(words))
            case "go", _:
                self._go(Limits.parse(words))
            case "stop", []:
                self.stop()
            case "quit", []:
                self.ended = True
                self.stop()
            case _:
                raise BadNotation(" ".join([command, *words]), "no such command")

    def _idle(self, command: str) -> None:
        if self.busy:
            raise BadNotation(command, "wait for bestmove, or say stop")

    def _set(self, name: str, value: str) -> None:
        known = identity(self.options).options
        if name not in known:
            raise BadNotation(name, f"no such option; there are {', '.join(known)}")
        known[name].checked(value)
        if name == "player":
            player(value)
        self.options[name] = value
        self._forget()

    def _forget(self) -> None:
        if self.player:
            self.player.end()
        self.player = None

    def _place(self, record: Record) -> None:
        """Go to the end of a record: on from where we are, if it goes on from there."""
        games.bounded(record)
        if games.load(record.game).solo:
            raise BadNotation(record.game, "is for one person")
        since = len(self.record.moves) if self.record else 0
        on = self.record == replace(record, moves=record.moves[:since])
        state = self.state if on and self.state else games.start(record)
        plies = list(games.replay(record, since if on else 0, state))  # all of it, or nothing
        if not on:
            self._forget()
        for ply in plies:
            state = ply.after
            if self.player:
                self.player.played(ply.move, ply.after)
        self.record, self.state = record, state

    def _go(self, limits: Limits) -> None:
        if not self.state:
            raise BadNotation("go", "there is no position yet")
        if self.state.outcome:
            raise BadNotation("go", "the game is over here")
        if self.state.turn == CHANCE:
            raise BadNotation("go", "chance decides here: go on with a draw")
        asked = self._asked(limits)
        if not self.player or asked != self.asked:
            self._forget()
            self.asked, self.player = asked, self._found(*asked)
            seed = int(self.options["seed"]) or random.SystemRandom().getrandbits(60)
            self.player.begin(self.state, seed)
        self.stopped.clear()
        self.busy, self.endless = True, limits.infinite
        self.thinking = threading.Thread(target=self._think, args=(self.state, limits))
        self.thinking.start()

    def _asked(self, limits: Limits) -> Asked:
        """Who thinks within some limits."""
        name, seconds = self.options["player"], limits.seconds or inf
        if limits.level:
            return str(limits.level), seconds, limits.simulations or MOST
        if simulations := FIRST if limits.infinite else limits.simulations:
            net, _, file = name.partition(":") if name.startswith("n") else ("x", "", "")
            name = f"{net[0]}{simulations}" + (f":{file}" if file else "")
        return name, seconds, 0

    def _found(self, name: str, seconds: float, most: int) -> Player:
        """A player; one of a level makes no more simulations than these, nor than its level."""
        found = player(name, seconds)
        if most and isinstance(found, Thinking):
            found.simulations, found.most = 0, most
        return found

    def _think(self, state: State[Move], limits: Limits) -> None:
        try:
            answer = f"bestmove {self._chosen(state, limits)}"
        except ValueError as error:
            answer = refusal(error)
        except OSError:  # nobody listens
            self.ended = True
            return
        self.busy = False
        self.say(answer)

    def _chosen(self, state: State[Move], limits: Limits) -> Move:
        assert self.player
        began = time.monotonic()
        move = self.player.choose(state)
        self._tell(limits, began)
        if limits.infinite and not limits.level and isinstance(self.player, Thinking):
            while not self.stopped.is_set() and self.player.simulations < PONDERED:
                self.player.simulations = min(PONDERED, 2 * self.player.simulations)
                move = self.player.choose(state)
                self._tell(limits, began)
            self.player.simulations = FIRST
        if limits.infinite:
            self.stopped.wait()
        return move

    def _tell(self, limits: Limits, began: float) -> None:
        """Say what the engine thinks of the best moves; weak players don't know."""
        thinker = self.player.thinker if isinstance(self.player, Thinking) else None
        if not thinker:
            return
        opinions = [one for one in thinker.opinions() if one.visits or one.exact]
        seconds, simulations = time.monotonic() - began, thinker.simulations
        for place, one in enumerate(opinions[: limits.lines], 1):
            moves = tuple(map(str, thinker.line(one.move, PLIES)))
            line = Line(
                moves, place, simulations, seconds, one.visits, one.wins, one.scores,
                one.exact,
            )  # fmt: skip
            self.say(str(line))

    def stop(self) -> None:
        """End the thinking, if there is any; the best move so far is said."""
        self.stopped.set()
        while self.thinking and self.thinking.is_alive():
            if isinstance(self.player, Thinking) and self.player.thinker:
                self.player.thinker.stop()  # again, if it had not begun yet
            self.thinking.join(0.01)

    def wait(self) -> None:
        """Let the thinking come to its end, if it does so soon."""
        if self.thinking and not self.endless:
            self.thinking.join(LEAVING)
        self.stop()


def refusal(error: ValueError) -> str:
    """What is wrong, in one line."""
    return f"error {' '.join(str(error).split())}"


def identity(values: dict[str, str]) -> Identity:
    """What we say of ourselves, with the options as they stand."""
    options = [
        Option("player", "word", values["player"]),
        Option("seed", "number", values["seed"], 0, 2**31 - 1),
    ]
    return Identity(
        f"Tegel {version('tegel')}",
        "the Tegel team",
        {name: tuple(games.load(name).variants) for name in games.names()},
        {option.name: option for option in options},
    )


def serve(source: BinaryIO, target: TextIO, name: str = "9", seed: int = 0) -> None:
    """Be the engine until there are no more lines, or `quit`. What is no text is no command
    either, and no reason to leave; a line that is too long is refused, and never kept whole."""
    lock = threading.Lock()

    def say(text: str) -> None:
        with lock:
            target.write(f"{text}\n")
            target.flush()

    engine = Engine(say, name, seed)
    try:
        for line in lines(source):
            engine.hear(line)
            if engine.ended:
                break
        engine.wait()
    finally:
        engine.stop()


def lines(source: BinaryIO) -> Iterator[str]:
    """The lines of a stream; of one that is too long the beginning, which is too long as well."""
    rest = False
    while piece := source.readline(LONGEST + 2):
        if not rest:
            yield piece.decode("utf-8", "replace")
        rest = not piece.endswith(b"\n")
