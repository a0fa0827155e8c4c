"""Players of matches: who chooses, who is told what was played, and may remember it.

A player is named: `random`, `greedy`, a level `1` to `9`, or `x1000`, the engine with so many
simulations a move; `n100`, the same with the net that comes with the variant, or `n100:FILE` with
another. Outside engines are named by their command, `!other-engine --gtp`."""

import random
import threading
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from math import inf
from pathlib import Path
from typing import Any, Protocol

from tegel.game import CHANCE, BadNotation, State
from tegel.search import kernel, nets
from tegel.search.bot import BOTS, Bot, bot
from tegel.search.level import SKILLS, skill

PONDERED = 1_000_000  # simulations in the others' time: enough, and memory has an end
NetOf = Callable[[State[Any]], "nets.Net"]


class Player(Protocol):
    def begin(self, state: State[Any], seed: int) -> None:
        """A game begins, or goes on, in this state."""

    def choose(self, state: State[Any]) -> Any: ...

    def played(self, move: Any, after: State[Any]) -> None:
        """A move was made, by whomever."""

    def end(self) -> None: ...


class Simple:
    """A bot without memory."""

    def __init__(self, bot: Bot) -> None:
        self.bot, self.rng = bot, random.Random(0)

    def begin(self, state: State[Any], seed: int) -> None:  # noqa: ARG002
        self.rng = random.Random(seed)

    def choose(self, state: State[Any]) -> Any:
        return self.bot(state, self.rng)

    def played(self, move: Any, after: State[Any]) -> None: ...

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
        self.otherwise = bot(level, seconds)
        self.rng = random.Random(0)
        self.thinker: kernel.Thinker | None = None
        self.pondering: threading.Thread | None = None
        self.best: kernel.Opinion | None = None  # what it thinks of its latest choice

    def begin(self, state: State[Any], seed: int) -> None:  # noqa: ARG002
        self.rest()
        self.rng, self.thinker = random.Random(seed), None

    def choose(self, state: State[Any]) -> Any:
        self.rest()
        if not self.thinker and kernel.found(state):
            net = self.net and self.net(state)
            self.thinker = kernel.Thinker(state, self.rng.getrandbits(60), net)
        if not self.thinker:
            return self.otherwise(state, self.rng)
        simulations = self.simulations or self.skill.simulations(state)
        self.best = self.thinker.consider(simulations, self.seconds)[0]
        return self.best.move

    def played(self, move: Any, after: State[Any]) -> None:
        self.rest()
        if self.thinker:
            self.thinker.play(move)
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


def player(name: str, seconds: float = inf) -> Player:
    """The player of a name; with seconds, the engine thinks that long and does not count."""
    if name in BOTS:
        return Simple(BOTS[name])
    named, _, file = name.partition(":") if name.startswith("n") else (name, "", "")
    digits = named.removeprefix("x").removeprefix("n")
    if not (digits.isascii() and digits.isdecimal() and int(digits)):
        known = ", ".join(BOTS)
        raise BadNotation(
            name,
            f"a player is {known}, a level from 1 to 9, x1000 (simulations) or n100 (with a net)",
        )
    if name.startswith("x"):
        return Thinking(simulations=int(digits), seconds=seconds)
    if name.startswith("n"):
        return Thinking(simulations=int(digits), seconds=seconds, net=partial(net_of, file))
    return skilled(int(name), seconds)


def net_of(file: str, state: State[Any]) -> "nets.Net":
    """The net of a file, or the one that comes with the variant."""
    if not find_spec("onnxruntime"):
        raise ValueError("nets need ONNX Runtime: pip install 'tegel[net]'")
    if file:
        return nets.load(Path(file)).fits(kernel.shape(state))
    net = nets.shipped(kernel.game_of(state), state)
    if not net:
        raise ValueError(f"no net comes with this variant: {state.rules.variant}")
    return net


def skilled(level: int, seconds: float = inf, ponders: bool = False) -> Player:
    """The player of a level. With seconds level 9 thinks that long; the others no longer."""
    if not skill(level).whole:
        return Simple(bot(level, seconds))
    simulations = kernel.MOST if level == max(SKILLS) and seconds < inf else 0
    return Thinking(level, simulations, seconds, ponders)
