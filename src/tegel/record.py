"""A game as text: headers, a blank line, one move a line.

    game: blokus
    variant: two
    options: corners=fixed
    date: 2026-11-15

    F.0@a18   # a note on the move
    L5.2@s17

The same text is the file, the database row, the test case and the bug report. `game`
is the one header that must be there; others than game, variant and options are free and
kept. A line that begins with `#` is skipped. `games.replay` plays a record.

A text with variations and marks is a `tree`; read as a record it is its main line.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

LIMIT = 1_000_000  # characters: a hundred times the longest game we know
MOST_OPTIONS = 4_000  # characters of all options together
MARKS = ("!!", "!", "!?", "?!", "?", "??")  # what somebody thinks of a move


class BadNotation(ValueError):
    """The text can't be read: which text, and why."""

    def __init__(
        self, text: str, reason: str, line: int | None = None, node: int | None = None
    ) -> None:
        self.text, self.reason, self.line, self.node = text, reason, line, node
        super().__init__(text, reason, line, node)

    def __str__(self) -> str:
        line = f"line {self.line}: " if self.line else ""
        node = f"node {self.node}: " if self.node else ""
        return f"{line}{node}{shortened(self.text)}: {self.reason}"


def shortened(text: str, most: int = 60) -> str:
    """A text in quotes, safe to print on one line, cut if long."""
    text = str(text)  # whatever came instead of one is to be told as well
    return repr(text if len(text) <= most else text[: most - 3] + "...")


@dataclass(frozen=True)
class Record:
    """Moves are texts here: what they mean is the game's affair."""

    game: str
    variant: str = ""  # empty: the game's first
    options: Mapping[str, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    moves: tuple[str, ...] = ()
    notes: Mapping[int, str] = field(default_factory=dict)  # by ply, counted from 0

    def __post_init__(self) -> None:
        for key in ("options", "headers", "notes"):
            object.__setattr__(self, key, MappingProxyType(dict(getattr(self, key))))
        check_options(self.options)

    def __reduce__(self) -> tuple[object, ...]:
        mappings = dict(self.options), dict(self.headers)
        return Record, (self.game, self.variant, *mappings, self.moves, dict(self.notes))

    def __hash__(self) -> int:
        return hash(str(self))

    def __str__(self) -> str:
        lines = [f"game: {self.game}"]
        if self.variant:
            lines.append(f"variant: {self.variant}")
        if self.options:
            lines.append("options: " + " ".join(f"{k}={v}" for k, v in self.options.items()))
        lines += [f"{key}: {value}" for key, value in self.headers.items()]
        lines.append("")
        for ply, move in enumerate(self.moves):
            lines.append(f"{move}  # {self.notes[ply]}" if ply in self.notes else move)
        return "\n".join(lines) + "\n"


def parse(text: str) -> Record:
    """The record that a text is; the inverse of `str`."""
    if len(text) > LIMIT:
        raise BadNotation(text, f"longer than any record ({len(text):,} characters)")
    lines = text.removeprefix("\ufeff").splitlines()
    headers: dict[str, str] = {}
    body = len(lines)
    for number, line in enumerate(lines):
        if not line.strip():
            if headers:
                body = number
                break
        elif not line.startswith("#"):
            key, colon, value = line.partition(":")
            if not colon or not _is_key(key.strip()):
                raise BadNotation(line, "expected a header such as 'game: blokus'", number + 1)
            if key.strip() in headers:
                raise BadNotation(line, f"the header {key.strip()!r} is there twice", number + 1)
            headers[key.strip()] = value.strip()
    if not headers.get("game"):
        raise BadNotation(text, "no header 'game: ...', so this is not a record")
    moves, notes = _moves(lines, body)
    return Record(
        headers.pop("game"),
        headers.pop("variant", ""),
        options(headers.pop("options", "")),
        headers,
        moves,
        notes,
    )


def folded(text: str) -> str:
    """A text as one word, as an option may hold it: `|` ends a line, `_` is a space.

    >>> folded("puzzle: small\\n..\\n")
    'puzzle:_small|..'
    """
    lines = [line.rstrip() for line in text.replace("|", "/").splitlines()]
    return "|".join(lines).strip("|").replace(" ", "_").replace("\t", "_")


def unfolded(word: str) -> str:
    """The text that a word holds, without the spaces at the ends of its lines."""
    return word.replace("|", "\n").replace("_", " ")


def options(text: str) -> dict[str, str]:
    """Options as written in a header or on a command line.

    >>> options("corners=fixed shared=red")
    {'corners': 'fixed', 'shared': 'red'}
    """
    found: dict[str, str] = {}
    for word in text.split():
        key, equals, value = word.partition("=")
        if not (key and equals and value):
            raise BadNotation(word, "expected an option such as 'corners=fixed'")
        if key in found:
            raise BadNotation(word, f"the option {key!r} is there twice")
        found[key] = value
    return found


def check_options(options: Mapping[str, str]) -> None:
    """Refuses options that could not be written in a header and read again: each is one word,
    and together they are not long."""
    for key, value in options.items():
        if not (_is_word(key) and _is_word(value)) or "=" in key:
            reason = "an option is a word, '=' and a word: no white space, nothing invisible"
            raise BadNotation(f"{key}={value}", reason)
    if sum(map(len, [*options, *options.values()])) > MOST_OPTIONS:
        raise BadNotation(" ".join(options), f"options have at most {MOST_OPTIONS:,} characters")


def _is_word(text: str) -> bool:
    return isinstance(text, str) and bool(text) and text.isprintable() and " " not in text


def _moves(lines: list[str], body: int) -> tuple[tuple[str, ...], dict[int, str]]:
    moves: list[str] = []
    notes: dict[int, str] = {}
    depth = 0
    for line in lines[body:]:
        move, _, note = written(line)
        if move in ("(", ")"):
            depth += 1 if move == "(" else -1
        elif move and depth <= 0:
            if note:
                notes[len(moves)] = note
            moves.append(move)
    return tuple(moves), notes


def written(line: str) -> tuple[str, str, str]:
    """The move, the mark and the note of a line; `(` and `)` stand around a variation.

    >>> written("L5.2@s17 ?!  # too early")
    ('L5.2@s17', '?!', 'too early')
    """
    move, _, note = line.partition("#")
    move, _, mark = move.strip().rpartition(" ") if _is_marked(move) else (move.strip(), "", "")
    return move.strip(), mark, note.strip()


def _is_marked(text: str) -> bool:
    return len(words := text.split()) > 1 and words[-1] in MARKS


def _is_key(text: str) -> bool:
    return text.replace("-", "").isalnum() and len(text) <= 40
