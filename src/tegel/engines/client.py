"""Engines of other people that speak our protocol (docs/protocol.md): asked from a program, or as
players of matches.

    with Client("tegel engine") as engine:
        engine.position(record)
        answer = engine.go(Limits(seconds=1, lines=3))
        print(answer.move, answer.lines[0].wins)

Whatever an engine does wrong is a `ValueError` of one sentence that begins with its command."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from typing import Self, TypeVar

from tegel import games
from tegel.engines import protocol
from tegel.engines.program import PATIENCE, Program
from tegel.engines.protocol import Identity, Limits, Line
from tegel.game import State, game_of
from tegel.record import Record, shortened

M = TypeVar("M")
MOST_SAID = 10_000  # lines of an identity


@dataclass(frozen=True)
class Answer:
    """What an engine chose, and the last that it said of each line, best first."""

    move: str
    lines: tuple[Line, ...] = ()


class Client:
    """An engine by its command; it runs from `start` to `end`, or as long as `with` lasts."""

    identity: Identity

    def __init__(self, command: str, patience: float = PATIENCE) -> None:
        self.program = Program(command, patience)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def start(self) -> None:
        """Start the engine, and hear who it is."""
        try:
            self.program.start()
            self.program.say("tegel")
            self.meet(self.program.hear("tegel", self.program.soon()))
        except ValueError:
            self.end()
            raise

    def meet(self, first: str) -> None:
        """Hear who it is, from the first line of its answer on."""
        lines, end = [first], self.program.soon()
        while (lines[-1].split() or [""])[0] != "tegelok":
            known = lines[-1].split()[:1]
            if not known or known[0] not in ("id", "game", "option", "info"):
                raise self.program.wrong(f"'tegel' was answered {shortened(lines[-1])}")
            if len(lines) > MOST_SAID:
                raise self.program.wrong(f"says more than {MOST_SAID:,} lines about itself")
            lines.append(self.program.hear("tegel", end))
        try:
            self.identity = Identity.parse(lines)
        except ValueError as error:
            raise self.program.wrong(str(error)) from None

    def set(self, name: str, value: str) -> None:
        """Set an option that it has."""
        if name not in self.identity.options:
            known = ", ".join(self.identity.options) or "none"
            raise self.program.wrong(f"has no option {name}; it has {known}")
        try:
            self.identity.options[name].checked(value)
        except ValueError as error:
            raise self.program.wrong(str(error)) from None
        self.program.say(f"setoption {name} {value}")
        self.ready()

    def ready(self) -> None:
        """Come back when all that was said is done; what it refused is told now."""
        self.program.say("isready")
        end = self.program.soon()
        while (said := self.program.hear("isready", end)) != "readyok":
            self._heard(said, "isready")

    def position(self, record: Record) -> None:
        """Tell it a game, at the end of which it is to think."""
        record = Record(
            record.game, games.load(record.game).rules(record.variant).variant, record.options, {},
            record.moves,
        )  # fmt: skip
        if record.variant not in self.identity.games.get(record.game, ()):
            raise self.program.wrong(f"does not play {record.game} {record.variant}")
        self.program.say(protocol.position(record))
        self.ready()

    def go(self, limits: Limits, watch: Callable[[Line], None] | None = None) -> Answer:
        """What it chooses within some limits; `watch` is given its lines as they come, and may
        call `stop`."""
        asked = str(limits)
        self.program.say(asked)
        found: dict[int, Line] = {}
        end = inf if limits.infinite else time.monotonic() + self.program.patience
        while True:
            said = self.program.hear(asked, min(end, time.monotonic() + 10**6))
            words = said.split()
            if words[:1] == ["bestmove"]:
                break
            line = self._heard(said, asked)
            if line:
                found[line.line] = line
                if watch:
                    watch(line)
        if len(words) != 2:
            raise self.program.wrong(f"{shortened(said)} is no move")
        return Answer(words[1], tuple(found[key] for key in sorted(found)))

    def _heard(self, said: str, asked: str) -> Line | None:
        """What an engine may say while it thinks; anything else is wrong."""
        match said.split():
            case ["error", *_]:
                reason = said.removeprefix("error").strip()
                raise self.program.wrong(f"refused {shortened(asked)}: {shortened(reason, 200)}")
            case ["info", *words]:
                try:
                    return Line.parse(words)
                except ValueError as error:
                    raise self.program.wrong(str(error)) from None
        raise self.program.wrong(f"{shortened(asked)} was answered {shortened(said)}")

    def stop(self) -> None:
        """Ask it to say the best move that it knows."""
        self.program.say("stop")

    def end(self) -> None:
        """Let the engine go."""
        self.program.end()


class Remote:
    """An engine as a player of a match, told a game from its beginning on."""

    def __init__(self, client: Client, seconds: float = inf) -> None:
        self.client = client
        self.limits = Limits(seconds=seconds) if seconds < inf else Limits()
        self.record = Record("")

    def begin(self, state: State[M], seed: int) -> None:
        self.record = record(state)
        if "seed" in self.client.identity.options:
            option = self.client.identity.options["seed"]
            span = max(1, option.most - option.least)
            self.client.set("seed", str(option.least + 1 + seed % span))
        self.client.position(self.record)

    def choose(self, state: State[M]) -> M:
        self.client.position(self.record)
        said = self.client.go(self.limits).move
        wrong = self.client.program.wrong
        try:
            move = game_of(state).parse(said)
        except ValueError:
            raise wrong(f"{shortened(said)} is no move") from None
        try:
            state.play(move)
        except ValueError as error:
            raise wrong(f"{said} is not legal: {error}") from None
        return move

    def played(self, move: M, after: State[M]) -> None:  # noqa: ARG002
        moves = (*self.record.moves, str(move))
        self.record = Record(self.record.game, self.record.variant, self.record.options, {}, moves)


def record(state: State[M]) -> Record:
    """The record, without moves yet, of a game that begins in a state."""
    game = game_of(state)
    rules = state.rules
    if state != game.begin(rules):
        raise ValueError("an engine is told a game from its beginning on")
    options = {key: getattr(rules, key) for key in game.options_of(rules.variant)}
    return Record(game.name, rules.variant, options)
