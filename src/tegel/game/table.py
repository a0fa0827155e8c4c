"""What is offered and told at a table: to a hand that knows no rules, and to everybody."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from tegel.game.state import Seat
from tegel.lattice import Cell


@dataclass(frozen=True)
class Start:
    """A table that one click on the card of a game makes, for newcomers too: a variant with
    options, and the level of the bots that one meets first. `key` is what it is called, one
    among the starts of the game's words; a sentence on it is among their abouts."""

    key: str
    variant: str
    options: Mapping[str, str] = field(default_factory=dict)
    level: int = 2


class Slot(NamedTuple):  # and no dataclass: there may be a hundred in an offer
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
    it: the page makes such a choice when the tile is picked up where it lies. `key` is one
    among the choices of the game's words, if the move itself is not."""

    move: str
    cells: tuple[Cell, ...] = ()
    tile: str = ""
    key: str = ""


@dataclass(frozen=True)
class Supply:
    """What is put on the board before the play: how many of a tile lie there, how many may, and
    how many must. What there is to know of it is said in the group `setup` of the game's words."""

    tile: str
    laid: int
    most: int
    least: int = 0


@dataclass(frozen=True)
class Offer:
    """All that the seat to move may do, for a hand that knows no rules. `any`: tiles may
    be tried anywhere, and nobody says whether they fit. `lifting`: how the move is written
    that picks up the tile on a cell, as `Game.placing` is; the answer to one that is not
    among the choices says why not. `pieces`: while a board is set up, what there is to put on
    it; a hand keeps such a tile until there are no more. `begin` is the move that ends that."""

    slots: tuple[Slot, ...] = ()
    choices: tuple[Choice, ...] = ()
    any: bool = False
    lifting: str = ""
    pieces: tuple[Supply, ...] = ()
    begin: str = ""


@dataclass(frozen=True)
class Event:
    """What a move brought about: a key among the events of the game's words."""

    key: str
    cells: tuple[Cell, ...] = ()
    args: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class Item:
    """One line in the account of a seat's score: a key among the game's words' items. `path`:
    what it counts as a line over the board, where it is one."""

    seat: Seat
    key: str
    points: int
    cells: tuple[Cell, ...] = ()
    args: Mapping[str, object] = field(default_factory=dict)
    path: str = ""


@dataclass(frozen=True)
class Way:
    """Moves that lead to the end of a puzzle, from here or, if `fresh`, from its beginning;
    none if it is proved that there are none."""

    moves: tuple[str, ...]
    fresh: bool = False


@dataclass(frozen=True)
class Task:
    """What there is to do at a table for one: `rule` is a key among the goals of the words,
    `group` one among the groups, of tasks that are listed together; `whole` is the score that
    ends it."""

    rule: str
    tiles: int
    whole: int
    colour: str = ""
    group: str = ""


@dataclass(frozen=True)
class Title:
    """What a table for one is called: a key among the variants of the words, what its maker
    calls it if it is somebody's own, and the day if it is the puzzle of a day."""

    name: str
    own: str = ""
    day: str = ""


Stop = Callable[[], bool]  # asked now and then by what takes long: whether to give up
