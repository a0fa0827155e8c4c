"""The vocabulary of every game: seats, states, moves, outcomes, and the game itself.

- a **player** is a person or a bot, a **seat** a chair at the table: `turn` speaks of
  seats; a **colour** is a game's own word;
- **chance** is a seat too: draws are moves, and stand in the record;
- a **state** is immutable; `moves()` lists what may be done, `play` gives the next state
  and refuses everything else with `IllegalMove`;
- a **game** is a value: its variants, its texts, its pictures.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Generic, Protocol, Self, TypeVar

from rich.text import Text

from tegel.lattice import Cell, name
from tegel.picture import Mark, Paint, Picture, Plane, Sprite, signed
from tegel.record import BadNotation, Record
from tegel.record import options as record_options
from tegel.words import enter, sentence, told, words

__all__ = [
    "CHANCE", "BadNotation", "Choice", "Drawing", "Event", "Format", "Game", "IllegalMove", "Item",
    "Kernel", "Lean", "Offer", "Option", "Outcome", "Position", "Seat", "Slot", "Solo", "State",
    "Stop", "Way", "game_of", "heading", "leaders", "made", "sentence", "with_entry", "words",
]  # fmt: skip

T = TypeVar("T")
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


def leaders(scores: Sequence[int], among: Iterable[Seat] | None = None) -> tuple[Seat, ...]:
    """The seats with the best score, of all or of some.

    >>> leaders((3, 7, 7)), leaders((3, 7, 7), [0, 2])
    ((1, 2), (2,))
    """
    seats = range(len(scores)) if among is None else tuple(among)
    best = max((scores[seat] for seat in seats), default=0)
    return tuple(seat for seat in seats if scores[seat] == best)


def with_entry(values: tuple[T, ...], index: int, value: T) -> tuple[T, ...]:
    """A tuple with one entry replaced.

    >>> with_entry((5, 6, 7), 1, 0)
    (5, 0, 7)
    """
    return (*values[:index], value, *values[index + 1 :])


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

    def __getstate__(self) -> dict[str, Any]:
        derived = {
            key
            for kind in type(self).__mro__
            for key, value in vars(kind).items()
            if isinstance(value, cached_property)
        }
        return {key: value for key, value in vars(self).items() if key not in derived}


class Position(Lean):
    """What all states do alike besides: notebooks draw them."""

    def _repr_svg_(self) -> str:
        return game_of(self).picture(self).svg()


S = TypeVar("S")


@dataclass(frozen=True)
class Option:
    """A choice in the rules that a table may make: a field of `Rules` that holds text."""

    values: tuple[str, ...]
    variants: tuple[str, ...] = ()  # empty: all
    open: bool = False  # besides `values`, any text that the game's `begin` accepts
    quick: str = ""  # what a table made by one click has, if not the default

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


@dataclass(frozen=True)
class Drawing(Generic[S]):
    """How a game looks."""

    planes: Callable[[S], Sequence[Plane]]
    marks: Callable[[S], Sequence[Mark]]
    sprites: Mapping[str, Sprite]
    sprites_of: Callable[[S], Mapping[str, Sprite]] = lambda _: {}  # more, of one table alone
    paints: Mapping[str, Paint] = field(default_factory=dict)  # beyond the common palette
    # In a language, for terminals, where what all games have in common won't do.
    text: Callable[[S, str], Text] | None = None


@dataclass(frozen=True)
class Solo(Generic[S]):
    """What a game for one person can be asked, in so many seconds at most."""

    hint: Callable[[S, float, Stop | None], Event]  # an event that advises
    solution: Callable[[S, float, Stop | None], Way | None]  # how it can be finished, if found


def _nothing(*_: object) -> tuple[()]:
    return ()


def _no_facts(_: object) -> Mapping[str, object]:
    return {}


def _alone(state: Any) -> Sequence[int]:
    return range(len(state.scores))


@dataclass(frozen=True, kw_only=True, eq=False)
class Game(Generic[M, S]):
    """A game as a value: there is one for each class of states, and `game_of` gives it.
    Functions that are not given do nothing; `variants` maps ids to frozen `Rules`, the
    default first."""

    name: str
    state: type[S]  # its words and pages lie in the package of this class
    variants: Mapping[str, Any]
    options: Mapping[str, Option] = field(default_factory=dict)
    begin: Callable[[Any], S]  # the first state under some Rules
    parse: Callable[[str], M]  # a move from its text; raises BadNotation
    restore: Callable[[Any, str], S]  # a position from Rules and the lines below the heading
    formats: Sequence[Format] = ()
    drawing: Drawing[S]
    offer: Callable[[S], Offer]
    placing: str = "{tile}.{turn}@{square}"  # how a tile put at a cell is written, see `placed`
    colour: Callable[[S], str] = lambda _: ""  # whose turn it is, as a colour
    sides: Callable[[S], Sequence[int]] = _alone  # by seat, its side: a team is one side
    attempts: Callable[[S, M], bool] = lambda *_: False  # may be tried though not in moves()
    slips: Callable[[S, M], Sequence[M]] = _nothing  # attempts that miss a move by a little
    events: Callable[[S, M, S], Sequence[Event]] = _nothing  # before, move, after
    account: Callable[[S], Sequence[Item]] = _nothing
    facts: Callable[[S], Mapping[str, object]] = _no_facts  # more for `check --json`
    solo: Solo[S] | None = None  # if it is for one person
    kernel: Kernel[M, S] | None = None  # how the native engine sees moves and states, if it does

    def __post_init__(self) -> None:
        _GAMES[self.state] = self
        if package := self.state.__module__.rpartition(".")[0]:
            enter(self.name, package)

    def __reduce__(self) -> tuple[object, ...]:
        return _game, (self.state,)

    @property
    def quick(self) -> dict[str, str]:
        """The options of a table made by one click."""
        return {key: option.quick for key, option in self.options.items() if option.quick}

    def read(self, text: str) -> S:
        """The position that a text is: a heading (see `heading`), then the game's own lines;
        the inverse of `str(state)`; raises BadNotation."""
        first, _, body = text.strip().partition("\n")
        words = first.split()
        if words[:1] != [self.name] or len(words) < 2:
            raise BadNotation(text, f"a position begins with '{self.name}' and a variant")
        rules = self.rules(words[1], record_options(" ".join(words[2:])))
        return self.restore(rules, body)

    def rules(self, variant: str = "", options: Mapping[str, str] | None = None) -> Any:
        """The rules of a variant with options; the first variant if none is named."""
        variant = variant or next(iter(self.variants))
        if variant not in self.variants:
            known = ", ".join(self.variants)
            raise BadNotation(variant, f"{self.name} has no such variant; it has {known}")
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
        drawing = self.drawing
        planes = tuple(self._ledger(plane, state, language) for plane in drawing.planes(state))
        sprites = {**drawing.sprites, **drawing.sprites_of(state)}
        picture = Picture(self.name, planes, tuple(drawing.marks(state)), sprites, drawing.paints)
        return told(picture, self.name, language)

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
        if self.drawing.text:
            return self.drawing.text(state, language)
        return self.picture(state, language).text()


_GAMES: dict[type, Game[Any, Any]] = {}


def _game(state: type[S]) -> Game[Any, S]:
    return _GAMES[state]


def game_of(state: object) -> Game[Any, Any]:
    """The game that a state belongs to."""
    if type(state) not in _GAMES:
        raise ValueError(f"no game has states like {type(state).__qualname__}")
    return _GAMES[type(state)]


def made(name: str) -> Game[Any, Any] | None:
    """The game of a name, if it has been made already."""
    return next((game for game in _GAMES.values() if game.name == name), None)
