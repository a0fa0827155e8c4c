"""A study: a tree of moves that somebody changes, as the rows of a log.

The first row is the text of a tree (see `tree`), every other one a **change**: moves are played
after a step, a variation is promoted, a step deleted, a note or a mark written, the latest change
undone. Rows never change; a study is what they make, one after another.

    play 3.0.1
    F.3@k10
    note 3.0.1 too far away
    undo

A path is written with points; `-` is the empty one, before the first move."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TypeAlias

from tegel import tree
from tegel.record import BadNotation
from tegel.tree import DEEPEST, Path, Tree

MOST_ROWS = 4_000  # changes of a study
MOST_STEPS = 3_000  # moves in it, all variations together
MOST_UNDONE = 100  # changes that can be undone
MOST_MOVES = 40  # played by one change: a move, and what chance drew after it
LONGEST = 100_000  # characters of its text


@dataclass(frozen=True)
class Play:
    path: Path
    moves: tuple[str, ...]

    def __str__(self) -> str:
        return "\n".join([f"play {written(self.path)}", *self.moves])


@dataclass(frozen=True)
class Promote:
    path: Path

    def __str__(self) -> str:
        return f"promote {written(self.path)}"


@dataclass(frozen=True)
class Delete:
    path: Path

    def __str__(self) -> str:
        return f"delete {written(self.path)}"


@dataclass(frozen=True)
class Note:
    path: Path
    text: str

    def __str__(self) -> str:
        return f"note {written(self.path)} {self.text}".rstrip()


@dataclass(frozen=True)
class Mark:
    path: Path
    mark: str

    def __str__(self) -> str:
        return f"mark {written(self.path)} {self.mark}".rstrip()


@dataclass(frozen=True)
class Undo:
    def __str__(self) -> str:
        return "undo"


Change: TypeAlias = Play | Promote | Delete | Note | Mark | Undo


@dataclass(frozen=True)
class Study:
    """What the rows so far have made."""

    tree: Tree
    rows: int = 1
    before: tuple[Tree, ...] = ()  # what can be undone, the latest last


def begun(text: str) -> Study:
    """The study that begins with the text of a tree; raises BadNotation."""
    if len(text) > LONGEST:
        raise BadNotation(text, f"a study has at most {LONGEST:,} characters")
    study = Study(tree.parse(text))
    _bounded(study.tree)
    return study


def folded(rows: Iterable[str]) -> Study:
    """The study that rows make, the first of which is a tree."""
    first, *others = rows
    return grown(begun(first), others)


def grown(study: Study, rows: Iterable[str]) -> Study:
    """The study after more rows. That each was within bounds was seen to when it was written: to
    look again would take as long for each row as the whole tree is."""
    for row in rows:
        study = _changed(study, parse(row))
    return study


def changed(study: Study, change: Change) -> Study:
    """The study after a change; raises BadNotation if it can't be made."""
    if study.rows >= MOST_ROWS:
        raise BadNotation(str(change), f"a study has at most {MOST_ROWS:,} changes")
    after = _changed(study, change)
    if isinstance(change, Play | Promote | Note) and after.tree is not study.tree:
        _bounded(after.tree)
    return after


def _changed(study: Study, change: Change) -> Study:
    if isinstance(change, Undo):
        if not study.before:
            raise BadNotation("undo", "there is nothing to undo")
        return Study(study.before[-1], study.rows + 1, study.before[:-1])
    try:
        after = _after(study.tree, change)
    except LookupError:
        raise BadNotation(written(change.path), "leads to no move of this study") from None
    if after is study.tree:
        return replace(study, rows=study.rows + 1)
    before = (*study.before, study.tree)[-MOST_UNDONE:]
    return Study(after, study.rows + 1, before)


def _after(before: Tree, change: Play | Promote | Delete | Note | Mark) -> Tree:
    match change:
        case Play(path, moves):
            after = before
            for move in moves:
                after, path = after.played(path, move)
            return after
        case Promote(path):
            return before.promoted(path)[0]
        case Delete(path):
            return before.without(path)
        case Note(path, text):
            return before.changed(path, note=text)
        case Mark(path, mark):
            return before.changed(path, mark=mark)


def _bounded(one: Tree) -> None:
    depths = list(steps(one.line))
    if max(depths, default=0) > DEEPEST:
        raise BadNotation(one.game, f"more than {DEEPEST} variations deep")
    if len(depths) > MOST_STEPS:
        raise BadNotation(one.game, f"a study has at most {MOST_STEPS:,} moves")
    if len(str(one)) > LONGEST:
        raise BadNotation(one.game, f"a study has at most {LONGEST:,} characters")


def steps(line: tree.Line, deep: int = 0) -> Iterable[int]:
    """How deep each step of a line and of its variations lies."""
    for step in line:
        yield deep
        for other in step.others:
            yield from steps(other, deep + 1)


# Text


def written(path: Path) -> str:
    """A path as text.

    >>> written((3, 0, 1)), written(())
    ('3.0.1', '-')
    """
    return ".".join(map(str, path)) or "-"


def path(text: str) -> Path:
    """The path that a text is; the inverse of `written`."""
    if text == "-":
        return ()
    words = text.split(".")
    plain = all(word.isascii() and word.isdigit() and len(word) < 6 for word in words)
    if not plain or len(words) > 2 * DEEPEST + 1 or len(words) % 2 == 0:
        raise BadNotation(text, "a path is numbers with points between them, such as 3.0.1")
    return tuple(map(int, words))


def parse(text: str) -> Change:
    """The change that a row is; the inverse of `str`."""
    head, *moves = text.split("\n")
    word, _, rest = head.partition(" ")
    where, _, more = rest.partition(" ")
    if text == "undo":
        return Undo()
    match word:
        case "play" if 0 < len(moves) <= MOST_MOVES and not more:
            return Play(path(where), tuple(moves))
        case "promote" if not (moves or more):
            return Promote(path(where))
        case "delete" if not (moves or more):
            return Delete(path(where))
        case "note" if not moves:
            return Note(path(where), more)
        case "mark" if not moves:
            return Mark(path(where), more)
    raise BadNotation(text, "no change of a study")
