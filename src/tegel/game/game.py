"""A game as a value, and the game that a state belongs to."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic, Self, TypeVar, cast

from tegel.game.footprint import Footprint, Overlap
from tegel.game.material import Material
from tegel.game.state import IllegalMove, Lean, Move, Option, Outcome, Rules, Seat, State
from tegel.game.table import Event, Item, Offer, Start, Stop, Task, Title, Way
from tegel.lattice import Cell, name
from tegel.picture import Mark, Paint, Picture, Plane, Sprite, signed
from tegel.picture.styled import StyledText
from tegel.record import BadNotation, Record, check_options
from tegel.record import options as record_options
from tegel.tree import Tree
from tegel.words import enter, sentence, told

M = TypeVar("M", bound=Hashable)
S = TypeVar("S", bound=State[Any])  # of moves M: Python has no way to say it


@dataclass(frozen=True)
class Format:
    """Another program's file format: how to recognise, read and write it."""

    name: str
    suffix: str
    recognise: Callable[[str], bool]
    read: Callable[[str], Record]  # the main line
    read_tree: Callable[[str], Tree]  # with variations
    write: Callable[[Record | Tree], str]


def _moves(state: State[M]) -> Sequence[M]:
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
    text: Callable[[S, str], StyledText] | None = None
    # The marks after a move in terms of those before it (see `picture.Changes`), where a game
    # can tell without drawing both positions.
    changes: Callable[[S, S], Sequence[Mark | tuple[int, int]]] | None = None


@dataclass(frozen=True)
class Solo(Generic[S]):
    """What a game for one person has besides: advice and a way to its end, each asked for in so
    many seconds at most, and what there is to do. What a table is called is told by its variant
    and options alone: a puzzle need not be found for that."""

    hint: Callable[[S, float, Stop | None], Event]  # an event that advises
    solution: Callable[[S, float, Stop | None], Way | None]  # how it can be finished, if found
    task: Callable[[S], Task]
    title: Callable[[str, Mapping[str, str]], Title]


def _nothing(*_: object) -> tuple[()]:
    return ()


def _scores(state: State[M]) -> Sequence[int]:
    return state.scores


def _no_facts(_: object) -> Mapping[str, object]:
    return {}


def _alone(state: State[M]) -> Sequence[int]:
    return range(len(state.scores))


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Game(Generic[M, S]):
    """A game as a value: there is one for each class of states, and `game_of` gives it.
    Functions that are not given do nothing; `variants` maps ids to frozen `Rules`, the
    default first.

    `footprint` says what lies on the board, and `overlap` how much two footprints share, see
    `tegel.game.footprint`. A game for one person has neither: it has no opponent to be helped
    against."""

    name: str
    state: type[S]  # its words and pages lie in the package of this class
    variants: Mapping[str, Rules]
    options: Mapping[str, Option] = field(default_factory=dict)
    begin: Callable[[Any], S]  # the first state under some of the game's own Rules
    parse: Callable[[str], M]  # a move from its text; raises BadNotation
    restore: Callable[[Any, str], S]  # a position from Rules and the lines below the heading
    formats: Sequence[Format] = ()
    longest: int = 2_000  # moves of a game, draws too: more than anybody plays
    drawing: Drawing[S]
    offer: Callable[[S], Offer]
    placing: str = "{tile}.{turn}@{square}"  # how a tile put at a cell is written, see `placed`
    colour: Callable[[S], str] = lambda _: ""  # whose turn it is, as a colour
    sides: Callable[[S], Sequence[int]] = _alone  # by seat, its side: a team is one side
    attempts: Callable[[S, M], bool] = lambda *_: False  # may be tried though not in moves()
    slips: Callable[[S, M], Sequence[M]] = _nothing  # attempts that miss a move by a little
    by_eye: Callable[[S], bool] | None = None  # whether nobody may say here what fits
    footprint: Callable[[S], Footprint] | None = None
    overlap: Callable[[Footprint, Footprint], Overlap] | None = None
    lasting: bool = True  # what lies on the board stays there
    events: Callable[[S, M, S], Sequence[Event]] = _nothing  # before, move, after
    account: Callable[[S], Sequence[Item]] = _nothing
    brief: bool = False  # whether what is told of its end is found at once, not searched for
    gained: Callable[[S], Sequence[int]] = _scores  # by seat, what play brought so far, from 0 on
    facts: Callable[[S], Mapping[str, object]] = _no_facts  # more for `check --json`
    solo: Solo[S] | None = None  # if it is for one person
    material: Callable[[S], Material] | None = None  # what it takes on a real table
    kernel: Kernel[M, S] | None = None  # how the native engine sees moves and states, if it does
    card: Sequence[Start] = ()  # main ways to play, a newcomer's first; none: every variant
    # By a key of the words, the variants in which one skill is measured; else each is its own.
    families: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        _GAMES[self.state] = cast(AnyGame, self)
        if package := self.state.__module__.rpartition(".")[0]:
            enter(self.name, package)

    def __reduce__(self) -> tuple[object, ...]:
        return _game, (self.state,)

    def __repr__(self) -> str:
        return f"<{self.name}>"

    def __str__(self) -> str:
        return self.name

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

    def rules(self, variant: str = "", options: Mapping[str, str] | None = None) -> Rules:
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
        found: Any = self.variants[variant]  # of the game's own frozen dataclass
        rules: Rules = replace(found, **(options or {}))
        return rules

    def options_of(self, variant: str) -> dict[str, Option]:
        """The options that a variant has."""
        return {key: option for key, option in self.options.items() if option.concerns(variant)}

    def start(self, variant: str = "", **options: str) -> S:
        """The first state of a game."""
        return self.begin(self.rules(variant, options))

    def family(self, variant: str) -> str:
        """The family that a variant belongs to: whoever plays one well plays the others well."""
        found = (key for key, variants in self.families.items() if variant in variants)
        return next(found, variant)

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

    def text(self, state: S, language: str = "en") -> StyledText:
        """A position for a terminal."""
        if self.drawing.text:
            return self.drawing.text(state, language)
        return self.picture(state, language).text()


AnyGame = Game[Move, State[Move]]
"""A game that was found by its name."""
_GAMES: dict[type, AnyGame] = {}


def _game(state: type) -> AnyGame:
    return _GAMES[state]


def game_of(state: State[M]) -> Game[M, State[M]]:
    """The game that a state belongs to."""
    if type(state) not in _GAMES:
        raise ValueError(f"no game has states like {type(state).__qualname__}")
    return cast(Game[M, State[M]], _GAMES[type(state)])


def made(name: str) -> AnyGame | None:
    """The game of a name, if it has been made already."""
    return next((game for game in _GAMES.values() if game.name == name), None)


class Position(Lean):
    """What all states do alike besides: notebooks draw them."""

    def _repr_svg_(self) -> str:
        state = cast(State[Move], self)
        return game_of(state).picture(state).svg()


class SoloPosition(Position, ABC, Generic[M]):
    """What the states of all games for one person do alike: the one seat decides until the game
    is over, and chance never does."""

    turn: Seat = 0

    @property
    @abstractmethod
    def outcome(self) -> Outcome | None:
        """How the game ended, as `State` has it."""

    @abstractmethod
    def after(self, move: M) -> Self:
        """The state after a move, before the end; raises IllegalMove."""

    def play(self, move: M) -> Self:
        """The state after a move; raises IllegalMove."""
        try:
            if self.outcome:
                raise IllegalMove(game_of(cast(State[M], self)).name, "over")
            return self.after(move)
        except IllegalMove as error:
            raise error.at(self) from None

    def odds(self) -> Mapping[M, float]:
        """No draws: chance never decides."""
        return {}
