"""The vocabulary of every game: seats, states, moves, outcomes, and the game itself.

- a **player** is a person or a bot, a **seat** a chair at the table: `turn` speaks of
  seats; a **colour** is a game's own word;
- **chance** is a seat too: draws are moves, and stand in the record;
- a **state** is immutable; `moves()` lists what may be done, `play` gives the next state
  and refuses everything else with `IllegalMove`;
- a **game** is a value: its variants, its texts, its pictures.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from importlib import import_module
from typing import Any, ClassVar, Generic, Protocol, Self, TypeVar

from rich.text import Text

from tegel.lattice import Cell, name
from tegel.picture import Mark, Paint, Picture, Plane, Sprite, signed
from tegel.record import BadNotation, Record, check_options
from tegel.record import options as record_options
from tegel.words import sentence, told, words

__all__ = [
    "CHANCE", "BadNotation", "Choice", "Event", "Format", "Game", "IllegalMove", "Item", "Kernel",
    "Lean", "Offer", "Option", "Outcome", "Position", "Seat", "Slot", "State", "Stop", "Way",
    "heading", "sentence", "words",
]  # fmt: skip

Seat = int
CHANCE: Seat = -1


class IllegalMove(ValueError):
    """Readable but forbidden here: the rule broken (a key among the refusals of the
    game's words), the cells where, and what else the sentence speaks of."""

    def __init__(self, game: str, rule: str, cells: Sequence[Cell] = (), **args: object) -> None:
        self.game, self.rule, self.cells, self.args_by_name = game, rule, tuple(cells), args
        super().__init__(game, rule, self.cells, args)

    def __str__(self) -> str:
        return sentence(self.game, "refusals", self.rule, self.args_by_name)

    def __reduce__(self) -> tuple[object, ...]:
        return _illegal, (self.game, self.rule, self.cells, self.args_by_name)


def _illegal(game: str, rule: str, cells: Sequence[Cell], args: dict[str, object]) -> IllegalMove:
    return IllegalMove(game, rule, cells, **args)


@dataclass(frozen=True)
class Outcome:
    winners: tuple[Seat, ...]  # all who share the win
    reason: str  # a key among the reasons of the game's words


M = TypeVar("M", bound=Hashable)


class State(Protocol[M]):
    """A position and whose turn it is: immutable, hashable, picklable. `str` writes it
    as text, which the game's `read` takes back."""

    @property
    def turn(self) -> Seat:
        """Who decides now; CHANCE: a draw. At the end, whoever would be next."""

    @property
    def scores(self) -> tuple[int, ...]:
        """The running score of each seat, as the rules define it."""

    @property
    def outcome(self) -> Outcome | None: ...

    def moves(self) -> Sequence[M]:
        """What may be played; empty exactly when there is an outcome."""

    def play(self, move: M) -> Self:
        """The state after a move; raises IllegalMove."""

    def odds(self) -> Mapping[M, float]:
        """The probability of each draw; empty unless `turn` is CHANCE."""


class Lean:
    """Values that are pickled without their derived facts, the cached properties."""

    _derived: ClassVar[frozenset[str]] = frozenset()

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        found = {key for key, value in vars(cls).items() if isinstance(value, cached_property)}
        cls._derived |= found

    def __getstate__(self) -> dict[str, Any]:
        return {key: value for key, value in vars(self).items() if key not in self._derived}


class Position(Lean):
    """What all states do alike besides: notebooks draw them."""

    def _repr_svg_(self) -> str:
        # The rules know no pictures; the game that stands in the same folder does.
        game: Game[Any, Any] = import_module(type(self).__module__.rpartition(".")[0]).GAME
        return game.picture(self).svg()


S = TypeVar("S")


@dataclass(frozen=True)
class Option:
    """A choice in the rules that a table may make: a field of `Rules` that holds text."""

    values: tuple[str, ...]
    variants: tuple[str, ...] = ()  # empty: all
    open: bool = False  # besides `values`, any text that the game's `begin` accepts

    def concerns(self, variant: str) -> bool:
        return not self.variants or variant in self.variants


def heading(game: str, rules: Any, options: Mapping[str, Option]) -> str:
    """The first line of a position as text: game, variant and options, as in
    `blokus two corners=fixed`."""
    chosen = [
        f"{key}={getattr(rules, key)}"
        for key, option in options.items()
        if option.concerns(rules.variant)
    ]
    return " ".join([game, rules.variant, *chosen])


@dataclass(frozen=True)
class Slot:
    """Where one form of a tile may go: a set of cells of a plane, as bits of an integer,
    row by row over `box` (column, row, width, height)."""

    tile: str
    turn: int
    plane: str
    box: tuple[int, int, int, int]
    cells: int


@dataclass(frozen=True)
class Choice:
    """A move that is a word, and the cells it concerns; with a tile, that comes to hand by
    it: the page makes such a choice when the tile is picked up where it lies."""

    move: str
    cells: tuple[Cell, ...] = ()
    tile: str = ""


@dataclass(frozen=True)
class Offer:
    """All that the seat to move may do, for a hand that knows no rules. `any`: tiles may
    be tried anywhere, and nobody says whether they fit."""

    slots: tuple[Slot, ...] = ()
    choices: tuple[Choice, ...] = ()
    any: bool = False


@dataclass(frozen=True)
class Event:
    """What a move brought about: a key among the events of the game's words."""

    key: str
    cells: tuple[Cell, ...] = ()
    args: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class Item:
    """One line in the account of a seat's score: a key among the game's words' items."""

    seat: Seat
    key: str
    points: int
    cells: tuple[Cell, ...] = ()
    args: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class Way:
    """Moves that lead to the end of a puzzle, from here or, if `fresh`, from its beginning;
    none if it is proved that there are none."""

    moves: tuple[str, ...]
    fresh: bool = False


Stop = Callable[[], bool]  # asked now and then by what takes long: whether to give up


@dataclass(frozen=True)
class Format:
    """Another program's file format: how to recognise, read and write it."""

    name: str
    suffix: str
    recognise: Callable[[str], bool]
    read: Callable[[str], Record]
    write: Callable[[Record], str]


def _moves(state: Any) -> Any:
    return state.moves()


@dataclass(frozen=True)
class Kernel(Generic[M, S]):
    """Moves and states as integers, the same on the side of the native engine."""

    code: Callable[[M], int]
    decode: Callable[[int], M]  # the inverse of `code`
    pack: Callable[[S], Sequence[int]]
    covers: Callable[[S], bool] = lambda _: True  # whether the engine can play on from here
    setup: Callable[[S], Sequence[M]] = _moves  # what bots choose among elsewhere
    effort: int = 20_000  # simulations of the highest level: about 5 s a move on one core
    silent: bool = False  # whether scores say nothing of how it stands before the end


def _nothing(*_: object) -> tuple[()]:
    return ()


def _no_facts(_: object) -> Mapping[str, object]:
    return {}


def _alone(state: Any) -> Sequence[int]:
    return range(len(state.scores))


@dataclass(frozen=True, kw_only=True)
class Game(Generic[M, S]):
    """A game as a value. Functions that are not given do nothing; `variants` maps ids to
    frozen `Rules`, the default first."""

    name: str
    variants: Mapping[str, Any]
    begin: Callable[[Any], S]  # the first state under some Rules
    parse: Callable[[str], M]  # a move from its text; raises BadNotation
    restore: Callable[[Any, str], S]  # a position from Rules and the lines below the heading
    planes: Callable[[S], Sequence[Plane]]
    sprites: Mapping[str, Sprite]
    marks: Callable[[S], Sequence[Mark]]
    offer: Callable[[S], Offer]
    placing: str = "{tile}.{turn}@{square}"  # how a tile put at a cell is written, see `placed`
    drawn: Callable[[S], Mapping[str, Sprite]] = lambda _: {}  # sprites of one table alone
    options: Mapping[str, Option] = field(default_factory=dict)
    quick: Mapping[str, str] = field(default_factory=dict)  # options of a table made by one click
    paints: Mapping[str, Paint] = field(default_factory=dict)  # beyond the common palette
    colour: Callable[[S], str] = lambda _: ""  # whose turn it is, as a colour
    attempts: Callable[[S, M], bool] = lambda *_: False  # may be tried though not in moves()
    slips: Callable[[S, M], Sequence[M]] = _nothing  # attempts that miss a move by a little
    sides: Callable[[S], Sequence[int]] = _alone  # by seat, its side: a team is one side
    events: Callable[[S, M, S], Sequence[Event]] = _nothing  # before, move, after
    account: Callable[[S], Sequence[Item]] = _nothing
    facts: Callable[[S], Mapping[str, object]] = _no_facts  # more for `check --json`
    formats: Sequence[Format] = ()
    longest: int = 2_000  # moves of a game, draws too: more than anybody plays
    # An event that advises, in so many seconds at most; None: ask a bot.
    hint: Callable[[S, float, Stop | None], Event] | None = None
    # How it can be finished; None: nobody knows, it is a game.
    solution: Callable[[S, float, Stop | None], Way | None] | None = None
    kernel: Kernel[M, S] | None = None  # how the native engine sees moves and states, if it does
    drawing: Callable[[S, str], Text] | None = None  # in a language, for terminals, where the
    # common one won't do

    def read(self, text: str) -> S:
        """The position that a text is: a heading (see `heading`), then the game's own lines;
        the inverse of `str(state)`; raises BadNotation."""
        first, _, body = text.strip().partition("\n")
        words = first.split()
        if words[:1] != [self.name]:
            raise BadNotation(text, f"a position begins with '{self.name}' and a variant")
        variant, options = " ".join(words[1:2]), record_options(" ".join(words[2:]))
        rules = self.rules(variant, options)
        return self.restore(rules, body)

    def rules(self, variant: str = "", options: Mapping[str, str] | None = None) -> Any:
        """The rules of a variant with options; the first variant if none is named."""
        variant = variant or next(iter(self.variants))
        if variant not in self.variants:
            known = ", ".join(self.variants)
            raise BadNotation(variant, f"{self.name} has no such variant; it has {known}")
        check_options(options or {})
        for key, value in (options or {}).items():
            allowed = self.options_of(variant)
            if key not in allowed:
                known = ", ".join(allowed) or "none"
                raise BadNotation(key, f"{self.name} {variant} has no such option; it has {known}")
            if not allowed[key].open and value not in allowed[key].values:
                known = ", ".join(allowed[key].values)
                raise BadNotation(value, f"the option {key} is one of {known}")
        return replace(self.variants[variant], **(options or {}))

    def options_of(self, variant: str) -> dict[str, Option]:
        """The options that a variant has."""
        return {key: option for key, option in self.options.items() if option.concerns(variant)}

    def start(self, variant: str = "", **options: str) -> S:
        """The first state of a game."""
        return self.begin(self.rules(variant, options))

    def placed(self, tile: str, turn: int, cell: Cell) -> str:
        """The text of the move that puts a tile of the offer at a cell: what the page
        sends. `down` counts rows downward."""
        column, row = cell
        spots = {"square": name(cell), "column": column, "row": row, "down": -row}
        return self.placing.format(tile=tile, turn=turn, **spots)

    def picture(self, state: S, language: str = "en") -> Picture:
        """A position with its titles and labels in a language."""
        planes = [self._ledger(plane, state, language) for plane in self.planes(state)]
        marks = tuple(self.marks(state))
        sprites = {**self.sprites, **self.drawn(state)}
        return told(
            Picture(self.name, tuple(planes), marks, sprites, self.paints), self.name, language
        )

    def _ledger(self, plane: Plane, state: S, language: str) -> Plane:
        if not plane.account:
            return plane
        lines = [
            (sentence(self.name, "items", item.key, item.args, language), signed(item.points))
            for item in self.account(state)
            if item.seat in plane.seats
        ]
        return replace(plane, lines=tuple(lines))

    def text(self, state: S, language: str = "en") -> Text:
        """A position for a terminal."""
        if self.drawing:
            return self.drawing(state, language)
        return self.picture(state, language).text()
