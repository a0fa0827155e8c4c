"""The words of our protocol for engines, which docs/protocol.md specifies: what a controller and
an engine say to each other, as values; `str` writes each, and its `parse` reads it back.

- **limits** say how long an engine may think about a move;
- a **line** is what it thinks of a way to go on;
- an **option** is a setting that it has.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from math import isfinite
from typing import Literal, Self

from tegel.game import BadNotation
from tegel.record import Record
from tegel.record import options as record_options

VERSION = 1
MOST = {"level": 9, "simulations": 10_000_000, "seconds": 3_600, "lines": 100}
"""The most that may be asked for; the least is more than nothing."""


def position(record: Record) -> str:
    """The line that tells a game.

    >>> position(Record("blokus", "duo", {}, {}, ("F.0@d9", "1.0@j5")))
    'position blokus duo moves F.0@d9 1.0@j5'
    """
    chosen = [f"{key}={value}" for key, value in record.options.items()]
    moves = ["moves", *record.moves] if record.moves else []
    return " ".join(["position", record.game, record.variant, *chosen, *moves])


def told(words: list[str]) -> Record:
    """The game that the words after `position` tell.

    >>> told("blokus two corners=fixed moves 1.0@a20".split()).moves
    ('1.0@a20',)
    """
    cut = words.index("moves") if "moves" in words else len(words)
    if cut < 2 or "=" in words[1]:
        raise BadNotation(" ".join(words), "a position is a game, a variant, options and moves")
    chosen = record_options(" ".join(words[2:cut]))
    return Record(words[0], words[1], chosen, {}, tuple(words[cut + 1 :]))


@dataclass(frozen=True)
class Limits:
    """How long to think: as a level does, so many simulations or seconds, until `stop`
    (`infinite`), or, with none of them, as the engine's options say. And how many lines to tell.

    >>> str(Limits(simulations=500, lines=3))
    'go simulations 500 lines 3'
    >>> Limits.parse("seconds 1.5".split())
    Limits(level=0, simulations=0, seconds=1.5, infinite=False, lines=1)
    """

    level: int = 0
    simulations: int = 0
    seconds: float = 0.0
    infinite: bool = False
    lines: int = 1

    def __str__(self) -> str:
        words = ["go"]
        for key in ("level", "simulations", "seconds"):
            if value := getattr(self, key):
                words += [key, f"{value:g}" if key == "seconds" else str(value)]
        words += ["infinite"] if self.infinite else []
        words += ["lines", str(self.lines)] if self.lines != 1 else []
        return " ".join(words)

    @classmethod
    def parse(cls, words: list[str]) -> Self:
        """The limits that the words after `go` say."""
        found: dict[str, float] = {}
        rest = iter(words)
        for key in rest:
            if key in found:
                raise BadNotation(" ".join(words), f"{key} is there twice")
            if key == "infinite":
                found[key] = True
            elif key in MOST:
                found[key] = number(key, next(rest, ""), 0, MOST[key], key == "seconds")
                if not found[key]:
                    raise BadNotation("0", f"{key} is more than nothing")
            else:
                known = ", ".join([*MOST, "infinite"])
                raise BadNotation(key, f"no such limit; there are {known}")
        return cls(**found)  # type: ignore[arg-type]


def number(key: str, text: str, least: float, most: float, broken: bool = False) -> float:
    """The number that a word is, whole unless it may be broken, within its bounds."""
    try:
        found = float(text) if broken else int(text)
    except ValueError:
        found = least - 1
    if not (isfinite(found) and least <= found <= most):
        raise BadNotation(text, f"{key} is a number from {least:,} to {most:,}")
    return found


@dataclass(frozen=True)
class Line:
    """What an engine thinks of a way to go on. What it doesn't know it leaves out.

    >>> line = Line(("F.0@d9", "1.0@j5"), visits=120, wins=(0.61, 0.39))
    >>> str(line)
    'info line 1 visits 120 wins 0.61,0.39 moves F.0@d9 1.0@j5'
    >>> Line.parse(str(line).split()[1:]) == line
    True
    """

    moves: tuple[str, ...]  # from the position on
    line: int = 1  # the best is the first
    simulations: int | None = None  # of the position
    seconds: float | None = None
    visits: int | None = None  # simulations of this line
    wins: tuple[float, ...] | None = None  # by seat, the chance to win
    scores: tuple[float, ...] | None = None  # by seat, the expected score
    exact: bool = False  # proved

    def __str__(self) -> str:
        words = ["info"]
        for key in ("line", "simulations", "seconds", "visits", "wins", "scores"):
            value = getattr(self, key)
            if isinstance(value, tuple):
                words += [key, ",".join(f"{one:.6g}" for one in value)]
            elif value is not None:
                words += [key, f"{value:.6g}" if key == "seconds" else str(value)]
        words += ["exact"] if self.exact else []
        return " ".join([*words, "moves", *self.moves])

    @classmethod
    def parse(cls, words: list[str]) -> Self | None:
        """The line that the words after `info` say; none if they are about something else.
        Words that nobody knows are skipped: engines may say more."""
        if words[:1] == ["text"] or "moves" not in words:
            return None
        cut = words.index("moves")
        found: dict[str, object] = {"moves": tuple(words[cut + 1 :])}
        rest = iter(words[:cut])
        try:
            for key in rest:
                if key == "exact":
                    found[key] = True
                elif key in ("wins", "scores"):
                    found[key] = tuple(map(float, next(rest, "").split(",")))
                elif key in {field.name for field in fields(cls)}:
                    found[key] = (float if key == "seconds" else int)(next(rest, ""))
                else:
                    next(rest, "")
        except ValueError:
            raise BadNotation(" ".join(words), f"what follows {key!r} is no number") from None
        return cls(**found)  # type: ignore[arg-type]


@dataclass(frozen=True)
class Option:
    """A setting of an engine: a number between bounds, or a word.

    >>> str(Option("seed", "number", "0", 0, 9)), str(Option("player", "word", "9"))
    ('option seed number 0 0 9', 'option player word 9')
    """

    name: str
    kind: Literal["number", "word"]
    default: str
    least: int = 0
    most: int = 0

    def __str__(self) -> str:
        bounds = [str(self.least), str(self.most)] if self.kind == "number" else []
        return " ".join(["option", self.name, self.kind, self.default, *bounds])

    @classmethod
    def parse(cls, words: list[str]) -> Self:
        """The option that the words after `option` describe."""
        match words:
            case [name, "word"]:
                return cls(name, "word", "")
            case [name, "word", default]:
                return cls(name, "word", default)
            case [name, "number", default, least, most]:
                with_bounds = cls(name, "number", default, _whole(least), _whole(most))
                with_bounds.checked(default)
                return with_bounds
        raise BadNotation(" ".join(words), "an option is a name, 'word' or 'number', and bounds")

    def checked(self, value: str) -> str:
        """The value, if it may be set."""
        if self.kind == "number":
            number(self.name, value, self.least, self.most)
        elif not value or len(value.split()) != 1:
            raise BadNotation(value, f"{self.name} is one word")
        return value


def _whole(text: str) -> int:
    return int(number("a bound", text, -(2**63), 2**63))


@dataclass(frozen=True)
class Identity:
    """What an engine says of itself: `tegelok` ends it."""

    name: str
    author: str
    games: Mapping[str, tuple[str, ...]]  # the variants that it plays
    options: Mapping[str, Option]

    def __str__(self) -> str:
        return "\n".join(
            [
                f"id name {self.name}",
                f"id author {self.author}",
                *(f"game {' '.join([game, *found])}" for game, found in self.games.items()),
                *map(str, self.options.values()),
                f"tegelok {VERSION}",
            ]
        )

    @classmethod
    def parse(cls, lines: list[str]) -> Self:
        """The identity that lines tell; those that nobody knows are skipped."""
        said: dict[str, str] = {}
        games: dict[str, tuple[str, ...]] = {}
        options: dict[str, Option] = {}
        for line in lines:
            match line.split():
                case ["id", ("name" | "author") as key, *rest]:
                    said[key] = " ".join(rest)
                case ["game", game, *variants]:
                    games[game] = tuple(variants)
                case ["option", *rest]:
                    option = Option.parse(rest)
                    options[option.name] = option
                case ["tegelok", number] if number != str(VERSION):
                    raise BadNotation(line, f"this is version {VERSION} of the protocol")
        return cls(said.get("name", "?"), said.get("author", "?"), games, options)
