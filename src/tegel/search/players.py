"""Players of matches: who chooses, who is told what was played, and may remember it.

A player is named: `random`, `greedy`, a level `1` to `9`, or `x1000`, the engine with so many
simulations a move; `n100`, the same with the net that comes with the variant, or `n100:FILE` with
another; an engine from outside by its command, `!other-engine --gtp`. Names are read here and
nowhere else."""

import random
import threading
from collections.abc import Callable, Mapping
from functools import partial
from importlib.util import find_spec
from math import inf
from pathlib import Path
from typing import Protocol, TypeVar, cast

from tegel.game import CHANCE, BadNotation, Move, State, game_of
from tegel.search import kernel, nets
from tegel.search.bot import Bot, bot, greedy, uniform
from tegel.search.level import SKILLS, decided, skill

BOTS: Mapping[str, Bot] = {"random": uniform, "greedy": greedy}
M = TypeVar("M")
OUTSIDE = "!"  # before the command of an engine from outside
PONDERED = 1_000_000  # simulations in the others' time: enough, and memory has an end
NetOf = Callable[[State[Move]], "nets.Net | None"]


class Player(Protocol):
    """Who plays games, one after the other, and may remember them."""

    def begin(self, state: State[M], seed: int) -> None:
        """A game begins, or goes on, in this state."""

    def choose(self, state: State[M]) -> M:
        """A legal move of a state in which it is the player's turn."""

    def played(self, move: M, after: State[M]) -> None:
        """A move was made, by whomever."""

    def end(self) -> None:
        """The game is over: let go of everything."""


class Simple:
    """A bot without memory."""

    def __init__(self, bot: Bot) -> None:
        self.bot, self.rng = bot, random.Random(0)

    def begin(self, state: State[M], seed: int) -> None:  # noqa: ARG002
        self.rng = random.Random(seed)

    def choose(self, state: State[M]) -> M:
        return self.bot(state, self.rng)

    def played(self, move: M, after: State[M]) -> None: ...

    def end(self) -> None: ...


class Thinking:
    """The engine at its best, which keeps its tree from move to move and, if it ponders,
    thinks on while others do."""

    def __init__(
        self,
        level: int = 9,
        simulations: int = 0,  # 0: the level's
        seconds: float = inf,
        ponders: bool = False,
        net: NetOf | None = None,  # without one rollouts judge
    ) -> None:
        self.skill, self.simulations, self.seconds = skill(level), simulations, seconds
        self.ponders, self.net = ponders, net
        self.most = kernel.MOST  # simulations, whatever else is asked for
        self.otherwise = bot(level, seconds)
        self.rng = random.Random(0)
        self.thinker: kernel.Thinker[Move] | None = None
        self.pondering: threading.Thread | None = None
        self.best: kernel.Opinion[Move] | None = None  # what it thinks of its latest choice

    def begin(self, state: State[M], seed: int) -> None:  # noqa: ARG002
        self.rest()
        self.rng, self.thinker = random.Random(seed), None

    def choose(self, state: State[M]) -> M:
        self.rest()
        if not self.thinker and kernel.available(state):
            begun = cast(State[Move], state)
            net = self.net and self.net(begun)
            self.thinker = kernel.Thinker(begun, self.rng.getrandbits(60), net)
        if not self.thinker:
            return self.otherwise(state, self.rng)
        simulations = self.simulations or self.skill.simulations(state)
        opinions = self.thinker.consider(min(simulations, self.most), self.seconds)
        self.best = decided(self.thinker, opinions, self.rng)
        return cast(M, self.best.move)

    def played(self, move: M, after: State[M]) -> None:
        self.rest()
        if self.thinker:
            self.thinker.play(cast(Move, move))
            if self.ponders and after.turn != CHANCE and not after.outcome:
                self.ponder()

    def ponder(self) -> None:
        """Think on until `rest`, or until enough is known."""
        assert self.thinker
        self.pondering = threading.Thread(target=self.thinker.think, args=(PONDERED,))
        self.pondering.start()

    def rest(self) -> None:
        """Stop pondering; what was found out is kept."""
        while self.pondering and self.thinker and self.pondering.is_alive():
            self.thinker.stop()  # again, if it had not begun yet
            self.pondering.join(0.01)
        self.pondering = None

    def end(self) -> None:
        self.rest()


Find = Callable[[str, float], Player]


def player(name: str, seconds: float = inf, outside: Find | None = None) -> Player:
    """The player of a name; with seconds, the engine thinks that long and does not count.
    `outside` gives the player of a command."""
    if outside and name.startswith(OUTSIDE):
        return outside(name.removeprefix(OUTSIDE), seconds)
    if name in BOTS:
        return Simple(BOTS[name])
    netted = name.startswith("n")
    digits, _, file = name[1:].partition(":") if netted else (name.removeprefix("x"), "", "")
    number = _number(digits)
    if not number:
        known = f"{', '.join(BOTS)}, a level from 1 to 9, x1000 (simulations) or n100 (with a net)"
        raise BadNotation(name, f"a player is {known}")
    if netted:
        return Thinking(simulations=number, seconds=seconds, net=partial(net_of, file))
    if name.startswith("x"):
        return Thinking(simulations=number, seconds=seconds)
    return skilled(number, seconds)


def net_of(file: str, state: State[M]) -> "nets.Net":
    """The net of a file, or the one that comes with the variant."""
    if not find_spec("onnxruntime"):
        raise ValueError("nets need ONNX Runtime: pip install 'tegel[net]'")
    if file:
        return nets.load(Path(file)).fits(kernel.shape(state))
    net = nets.shipped(game_of(state), state.rules)
    if not net:
        raise ValueError(f"no net comes with this variant: {state.rules.variant}")
    return net


def named(name: str, seconds: float = inf) -> Bot:
    """The bot of a name, for those who keep no memory: `random`, `greedy`, or a level."""
    if name in BOTS:
        return BOTS[name]
    number = _number(name)
    if not number:
        raise BadNotation(name, f"no such bot; there are {', '.join(BOTS)} and the levels 1 to 9")
    return bot(number, seconds)


def _number(digits: str) -> int:
    """What digits say; 0 if they are none."""
    return int(digits) if digits.isascii() and digits.isdecimal() else 0


def skilled(level: int, seconds: float = inf, ponders: bool = False) -> Player:
    """The player of a level. With seconds level 9 thinks that long; the others no longer."""
    if not skill(level).whole:
        return Simple(bot(level, seconds))
    simulations = kernel.MOST if level == max(SKILLS) and seconds < inf else 0
    return Thinking(level, simulations, seconds, ponders, skill(level).net)
