"""The games found: every folder here, each with its `GAME`. There is no list to edit.

>>> game = load("blokus")
>>> state = game.start("duo")
>>> len(state.moves())
414
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module, resources
from pathlib import Path
from typing import Generic, TypeVar, cast

from tegel import record, tree
from tegel.game import AnyGame, BadNotation, Format, IllegalMove, Move, State, made
from tegel.lattice import Cell, Point, square
from tegel.picture import Mark, Picture
from tegel.record import Record, unfolded
from tegel.tree import Tree
from tegel.words import enter, package

M = TypeVar("M")
S = TypeVar("S")


# A folder in a folder is a game that shares the files around it, if it has rules of its own.
_HERE = Path(__file__).parent
PACKAGES: Mapping[str, str] = {
    file.parent.name: ".".join([__name__, *file.parent.relative_to(_HERE).parts])
    for file in sorted(_HERE.glob("*/**/rules.py"))
}
for _name, _package in PACKAGES.items():
    enter(_name, _package)


@cache
def every() -> tuple[str, ...]:
    """The names of all games."""
    return tuple(sorted(PACKAGES))


@cache
def names() -> tuple[str, ...]:
    """The names of the games that people play with each other."""
    return tuple(name for name in every() if not load(name).solo)


@cache
def solo() -> tuple[str, ...]:
    """The names of the games for one person."""
    return tuple(name for name in every() if load(name).solo)


def load(name: str) -> AnyGame:
    """The game of a name: one of ours, or one that somebody has made."""
    if name in PACKAGES:
        return _found(name)
    if own := made(name):
        return own
    raise BadNotation(name, f"no such game; there are {', '.join(every())}")


@cache
def _found(name: str) -> AnyGame:
    return cast(AnyGame, import_module(PACKAGES[name]).GAME)


class BadRecord(ValueError):
    """A record that can't be replayed: the ply, counted from 1, its move, why, and the state
    before it."""

    def __init__(
        self,
        ply: int,
        move: str,
        reason: BadNotation | IllegalMove,
        state: State[Move] | None = None,
    ) -> None:
        self.ply, self.move, self.reason, self.state = ply, move, reason, state
        super().__init__(ply, move, reason, state)

    def __str__(self) -> str:
        if isinstance(self.reason, IllegalMove):
            return f"ply {self.ply}, {self.move[:60]}: {self.reason} [{self.reason.rule}]"
        return f"ply {self.ply}, {self.reason}"


@dataclass(frozen=True)
class Ply(Generic[M, S]):
    """One step of a replay: a move, and the states around it."""

    number: int  # counted from 1
    move: M
    before: S
    after: S


def start(record: Record) -> State[Move]:
    """The state in which a record begins: that of its variant, or of a position as `str` writes
    it, folded into the header `start-position`."""
    game = load(record.game)
    if position := record.headers.get("start-position"):
        return game.read(unfolded(position))
    return game.begin(game.rules(record.variant, record.options))


def bounded(record: Record) -> Record:
    """The record, if it is no longer than its game can be; raises BadNotation."""
    most = load(record.game).longest
    if len(record.moves) > most:
        found = f"{len(record.moves):,} moves"
        raise BadNotation(found, f"a game of {record.game} has at most {most:,} moves")
    return record


def replay(
    record: Record, since: int = 0, state: State[Move] | None = None
) -> Iterator[Ply[Move, State[Move]]]:
    """The plies of a record, one by one; raises BadRecord at the first that can't be played.
    It may begin later, in the state after `since` moves."""
    game, state = load(record.game), start(record) if state is None else state
    for number, text in enumerate(record.moves[since:], since + 1):
        try:
            move = game.parse(text)
            after = state.play(move)
        except (BadNotation, IllegalMove) as error:
            raise BadRecord(number, text, error, state) from error
        yield Ply(number, move, state, after)
        state = after


def final(record: Record) -> State[Move]:
    """The state in which a record ends."""
    state = start(record)
    for ply in replay(record):
        state = ply.after
    return state


def position(text: str) -> State[Move]:
    """A position from its text: a record, of which it is the end, or what `str(state)` wrote."""
    word = text.split(maxsplit=1)[0] if text.strip() else ""
    if word in every():
        return load(word).read(text)
    return final(read(text))


def shown(text: str, language: str = "en") -> Picture:
    """The picture that a text describes: the board of a position as `str(state)` writes it, or
    the end of a record. Of that the header `show: board` names the planes to draw, if not all
    (without the board they are large, and need no titles),
    `tried: V3.0@g7 blue` adds a tile that may not lie there, and `within: d5 k11` cuts a board
    of squares to a part of it."""
    name = text.split(maxsplit=1)[0]
    if name in every():
        return load(name).picture(position(text), language).only("board")
    record = read(text)
    picture, asked = load(record.game).picture(final(record), language), record.headers
    if "tried" in asked:
        form, at, colour = re.split("[@ ]", asked["tried"])
        tried = Mark("board", form, square(at), colour, "ghost")
        picture = replace(picture, marks=(*picture.marks, tried))
    if "within" in asked:
        picture = _cut(picture, *map(square, asked["within"].split()))
    if "show" not in asked:
        return picture
    picture = picture.only(*asked["show"].split())
    if any(plane.main for plane in picture.planes):
        return picture
    untitled = (replace(plane, title="", note="", scale=1) for plane in picture.planes)
    return replace(picture, planes=tuple(untitled))


def _cut(picture: Picture, low: Cell, high: Cell) -> Picture:
    """The part of a board between two squares; tiles that begin elsewhere are left out."""

    def inside(cell: Point) -> bool:
        return low[0] <= cell[0] <= high[0] and low[1] <= cell[1] <= high[1]

    (board,) = (plane for plane in picture.planes if plane.main)
    box = (low[0] - 0.75, -high[1] - 0.75, high[0] + 0.75, 0.75 - low[1])
    part = replace(board, wells=tuple(filter(inside, board.wells)), box=box)
    planes = tuple(part if plane is board else plane for plane in picture.planes)
    marks = tuple(m for m in picture.marks if m.plane != board.name or inside(m.cell))
    return replace(picture, planes=planes, marks=marks)


def read(text: str) -> Record:
    """A record from its text, or from a text in any format that a game brings."""
    found = _format(text)
    return found.read(text) if found else record.parse(text)


def read_tree(text: str) -> Tree:
    """A tree from its text, or from a text in any format that a game brings; a record is a tree
    of one line."""
    found = _format(text)
    return found.read_tree(text) if found else tree.parse(text)


def _format(text: str) -> Format | None:
    """The format of another program that a text is in, if it is in one."""
    if len(text) > record.LIMIT:
        return None
    formats = (other for name in every() for other in load(name).formats)
    return next((other for other in formats if other.recognise(text)), None)


def page(name: str, language: str = "en") -> str:
    """The rules of a game as Markdown, in our own words."""
    return (resources.files(package(name)) / f"rules.{language}.md").read_text("utf-8")
