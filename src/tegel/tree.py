"""A tree of moves: a game with variations, marks and notes, as a value and as text.

    game: blokus
    variant: duo
    note: Who wants the middle?

    F.0@e9
    L5.2@j5 ?!  # too far away
    (
    X.0@i4 !
    Z5.1@f6
    )
    N.3@c11

It is a record whose lines may carry a mark behind the move, and behind which **variations** stand
in parentheses, each on lines of their own: other moves instead of the one before, with what follows
them, and variations of their own. A **path** leads to a step: its number in the main line, then
perhaps which variation of that step and the number in it, and so on."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from tegel import record
from tegel.record import MARKS, BadNotation, Record

DEEPEST = 40  # variations within variations
MOST_STEPS = 40_000
LONGEST_NOTE = 2_000  # characters

Line = tuple["Step", ...]
Path = tuple[int, ...]


@dataclass(frozen=True)
class Step:
    """A move, what is thought of it, and other moves instead of it."""

    move: str
    mark: str = ""
    note: str = ""
    others: tuple[Line, ...] = ()

    def __post_init__(self) -> None:
        plain = (
            record.written(self.move) == (self.move, "", "") and len(self.move.splitlines()) == 1
        )
        if not plain or self.move in ("(", ")"):
            raise BadNotation(self.move, "not one move")
        if self.mark and self.mark not in MARKS:
            raise BadNotation(self.mark, f"a mark is one of {' '.join(MARKS)}")
        check_note(self.note)
        if not all(self.others):
            raise BadNotation(self.move, "a variation without a move")


@dataclass(frozen=True)
class Tree:
    """A game with variations, marks and notes."""

    game: str
    variant: str = ""
    options: Mapping[str, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    note: str = ""  # on the position before the first move
    line: Line = ()

    def __post_init__(self) -> None:
        for key in ("options", "headers"):
            object.__setattr__(self, key, MappingProxyType(dict(getattr(self, key))))
        record.check_options(self.options)
        check_note(self.note)

    def __reduce__(self) -> tuple[object, ...]:
        mappings = dict(self.options), dict(self.headers)
        return Tree, (self.game, self.variant, *mappings, self.note, self.line)

    def __hash__(self) -> int:
        return hash(str(self))

    def __str__(self) -> str:
        headers = {**self.headers, **({"note": self.note} if self.note else {})}
        head = str(Record(self.game, self.variant, self.options, headers))
        return head + "".join(f"{text}\n" for text in _texts(self.line))

    # Walking

    def step(self, path: Path) -> Step:
        """The step that a path leads to; raises LookupError if there is none."""
        return _line_of(self.line, path)[path[-1]]

    def moves(self, path: Path | None = None) -> tuple[str, ...]:
        """The moves from the beginning up to a step, with it; without a path the main line."""
        if path is None:
            return tuple(step.move for step in self.line)
        found: list[str] = []
        line: Line = self.line
        for index, choice in zip(path[::2], (*path[1::2], None), strict=True):
            here = line[index]  # which raises LookupError
            found += [step.move for step in line[:index]]
            if choice is None:
                return (*found, here.move)
            line = here.others[choice]
        raise LookupError(path)

    def record(self, path: Path | None = None) -> Record:
        """The moves up to a step, or the main line with its notes, as a record."""
        notes = {} if path else {i: step.note for i, step in enumerate(self.line) if step.note}
        return Record(self.game, self.variant, self.options, self.headers, self.moves(path), notes)

    # Changing: each gives a new tree

    def played(self, path: Path, move: str) -> tuple["Tree", Path]:
        """The tree with a move after a step, and the path to it; after the empty path it is a
        first move. A move that stands there already is only found."""
        line = _line_of(self.line, path) if path else self.line
        at = path[-1] + 1 if path else 0
        before = path[:-1]
        if at == len(line):
            return self._with(before, (*line, Step(move))), (*before, at)
        here = line[at]
        if here.move == move:
            return self, (*before, at)
        for choice, other in enumerate(here.others):
            if other[0].move == move:
                return self, (*before, at, choice, 0)
        new = replace(here, others=(*here.others, (Step(move),)))
        after = (*before, at, len(here.others), 0)
        return self._with(before, (*line[:at], new, *line[at + 1 :])), after

    def changed(self, path: Path, *, mark: str | None = None, note: str | None = None) -> "Tree":
        """The tree with another mark or note at a step; a note at the empty path is the tree's."""
        if not path:
            return replace(self, note=self.note if note is None else note)
        here = self.step(path)
        new = replace(
            here,
            mark=here.mark if mark is None else mark,
            note=here.note if note is None else note,
        )
        line, at = _line_of(self.line, path), path[-1]
        return self._with(path[:-1], (*line[:at], new, *line[at + 1 :]))

    def without(self, path: Path) -> "Tree":
        """The tree without a step and all that follows it. If others stand instead of it, the
        first of them takes its place."""
        line, at = _line_of(self.line, path), path[-1]
        here = line[at]
        if here.others:
            first, *others = here.others
            head = replace(first[0], others=(*first[0].others, *others))
            return self._with(path[:-1], (*line[:at], head, *first[1:]))
        if at or len(path) == 1:
            return self._with(path[:-1], line[:at])
        above = path[:-2]  # the whole variation goes
        step = self.step(above)
        others = [other for i, other in enumerate(step.others) if i != path[-2]]
        return self._stepped(above, replace(step, others=tuple(others)))

    def promoted(self, path: Path) -> tuple["Tree", Path]:
        """The tree in which the variation of a step changes places with the line it leaves, and
        the path to that step then; as it is, if it is in the main line."""
        if len(path) == 1:
            return self, path
        above, choice = path[:-2], path[-2]
        line, at = _line_of(self.line, above), above[-1]
        here = line[at]
        variation = here.others[choice]
        left = (replace(here, others=()), *line[at + 1 :])
        others = [left if i == choice else other for i, other in enumerate(here.others)]
        head = replace(variation[0], others=(*others, *variation[0].others))
        after = (*line[:at], head, *variation[1:])
        return self._with(above[:-1], after), (*above[:-1], at + path[-1])

    def _stepped(self, path: Path, step: Step) -> "Tree":
        line, at = _line_of(self.line, path), path[-1]
        return self._with(path[:-1], (*line[:at], step, *line[at + 1 :]))

    def _with(self, before: Path, line: Line) -> "Tree":
        """The tree with another line, where `before` leads to it: to a step, then which of its
        variations; the main line if it is empty."""
        if not before:
            return replace(self, line=line)
        path, choice = before[:-1], before[-1]
        step = self.step(path)
        others = (*step.others[:choice], line, *step.others[choice + 1 :])
        return self._stepped(path, replace(step, others=others))


def parse(text: str) -> Tree:
    """The tree that a text is; the inverse of `str`. A record is a tree of one line."""
    plain = record.parse(text)
    headers = dict(plain.headers)
    note = headers.pop("note", "")
    return Tree(plain.game, plain.variant, plain.options, headers, note, _read(text))


def check_note(text: str) -> None:
    """Raises BadNotation for a note that is not one line."""
    if len(text) > LONGEST_NOTE:
        raise BadNotation(text, f"a note has at most {LONGEST_NOTE:,} characters")
    if text != text.strip() or len(text.splitlines()) > 1:
        raise BadNotation(text, "a note is one line")


def of(plain: Record) -> Tree:
    """A record as a tree."""
    line = tuple(Step(move, note=plain.notes.get(ply, "")) for ply, move in enumerate(plain.moves))
    headers = dict(plain.headers)
    note = headers.pop("note", "")
    return Tree(plain.game, plain.variant, plain.options, headers, note, line)


def _texts(line: Line) -> Iterator[str]:
    for step in line:
        mark = f" {step.mark}" if step.mark else ""
        note = f"  # {step.note}" if step.note else ""
        yield f"{step.move}{mark}{note}"
        for other in step.others:
            yield "("
            yield from _texts(other)
            yield ")"


def _read(text: str) -> Line:
    """The steps of a text whose headers are right."""
    lines = text.removeprefix("\ufeff").splitlines()
    body = _body(lines)
    open: list[list[Step]] = [[]]
    count = 0
    for number, written in enumerate(lines[body:], body + 1):
        move, mark, note = record.written(written)
        if move == "(":
            if not open[-1]:
                raise BadNotation(written, "a variation stands behind a move", number)
            if len(open) > DEEPEST:
                raise BadNotation(written, f"more than {DEEPEST} variations deep", number)
            open.append([])
        elif move == ")":
            if len(open) == 1 or not open[-1]:
                raise BadNotation(written, "no variation to close", number)
            other = tuple(open.pop())
            last = open[-1][-1]
            open[-1][-1] = replace(last, others=(*last.others, other))
        elif move:
            count += 1
            if count > MOST_STEPS:
                raise BadNotation(written, f"more than {MOST_STEPS:,} moves", number)
            try:
                open[-1].append(Step(move, mark, note))
            except BadNotation as error:
                raise BadNotation(error.text, error.reason, number) from None
    if len(open) > 1:
        raise BadNotation(lines[-1], "a variation is not closed", len(lines))
    return tuple(open[0])


def _body(lines: Sequence[str]) -> int:
    """Where the moves begin: behind the blank line after the headers."""
    headers = False
    for number, line in enumerate(lines):
        if not line.strip():
            if headers:
                return number
        elif not line.startswith("#"):
            headers = True
    return len(lines)


def _line_of(line: Line, path: Path) -> Line:
    """The line in which the step of a path stands; raises LookupError if there is none."""
    if len(path) % 2 == 0 or min(path) < 0:
        raise LookupError(path)
    for index, choice in zip(path[:-1:2], path[1::2], strict=True):
        line = line[index].others[choice]
    if path[-1] >= len(line):
        raise LookupError(path)
    return line
