"""blksgf: the files of other Blokus programs.

    (;GM[Blokus Two-Player];1[a20,b20,b19];2[t20,s20])

SGF 4 syntax, UTF-8. A move is a property named after its colour, 1 to 4 (older files:
BLUE, YELLOW, RED, GREEN) or B and W in Duo, whose value is the squares covered; an empty
value is a pass, which our rules make by themselves. Starting squares are fixed. We read
the main line, keep comments and game information, and ignore what we do not know; a
position set up by AB, AW, A1 ... can't be a record, and is refused.
"""

from collections.abc import Iterator
from dataclasses import replace

from tegel.game import BadNotation, Format, IllegalMove
from tegel.games.blokus.notation import parse
from tegel.games.blokus.rules import VARIANTS, Rules, State, begin
from tegel.lattice import name
from tegel.record import Record

GAMES = {
    "Blokus": "classic",
    "Blokus Two-Player": "two",
    "Blokus Three-Player": "three",
    "Blokus Duo": "duo",
}
NAMES = {variant: name for name, variant in GAMES.items()} | {"teams": "Blokus"}
COLOURS = {
    "1": "blue", "2": "yellow", "3": "red", "4": "green",
    "BLUE": "blue", "YELLOW": "yellow", "RED": "red", "GREEN": "green",
    "B": "first", "W": "second",
}  # fmt: skip
KEYS = {colour: key for key, colour in reversed(COLOURS.items())}
SETUP = ("AB", "AW", "A1", "A2", "A3", "A4", "AE")
HEADERS = {
    "DT": "date", "EV": "event", "RE": "result", "RO": "round", "PC": "place", "AN": "annotator",
    "PB": "first", "PW": "second", "P1": "blue", "P2": "yellow", "P3": "red", "P4": "green",
}  # fmt: skip

Node = list[tuple[str, list[str]]]  # the properties of a node with their values, in order


def recognise(text: str) -> bool:
    return text.removeprefix("\ufeff").lstrip().startswith("(")


def read(text: str) -> Record:
    nodes = list(_main_line(text))
    root = dict(nodes[0]) if nodes else {}
    title = " ".join(root.get("GM", [""])[0].split())
    if title not in GAMES:
        known = ", ".join(GAMES)
        raise BadNotation(title, f"the property GM does not name a game we play: {known}")
    variant = GAMES[title]
    headers = {
        HEADERS[key]: value
        for key, values in root.items()
        if key in HEADERS and (value := " ".join(values[0].split()))
    }
    moves: list[str] = []
    notes: dict[int, str] = {}
    state: State | None = begin(_fixed(variant))
    for number, node in enumerate(nodes, 1):
        comment = ""
        placed = len(moves)
        for key, values in node:
            if key in SETUP:
                reason = f"{key} sets up a position, and a record begins with an empty board"
                raise BadNotation(values[0], reason, node=number)
            if key in COLOURS and values[0].strip():
                moves.append(_move(values[0], number))
                state = state and _played(state, moves[-1], key, number)
            elif key in COLOURS and state and _is_turn(state, key):
                raise BadNotation(key, "a pass, though this colour can place", node=number)
            elif key == "C":
                comment = " ".join(values[0].split())
        if comment and len(moves) > placed:
            notes[placed] = comment
    options = {"corners": "fixed"} if VARIANTS[variant].corners == "free" else {}
    return Record("blokus", variant, options, headers, tuple(moves), notes)


def write(record: Record) -> str:
    """A record as blksgf. That format has fixed starting squares, so the moves must be
    legal with them."""
    variant = record.variant or next(iter(VARIANTS))
    if variant not in NAMES or record.options.get("shared", "green") != "green":
        raise BadNotation(variant, "blksgf has no such variant")
    keyed = {header: key for key, header in HEADERS.items()}
    lines = [f"(;GM[{NAMES[variant]}]"]
    lines += [f"{keyed[k]}[{_escaped(v)}]" for k, v in record.headers.items() if k in keyed]
    state = begin(_fixed(variant))
    for ply, text in enumerate(record.moves):
        move = parse(text)
        key = KEYS[state.rules.colours[state.colour]]
        note = f"C[{_escaped(record.notes[ply])}]" if ply in record.notes else ""
        try:
            state = state.play(move)
        except IllegalMove as error:
            raise BadNotation(text, f"not legal with fixed corners: {error}") from None
        lines.append(f";{key}[{','.join(map(name, sorted(move.cells)))}]{note}")
    return "\n".join(lines) + ")\n"


SGF = Format("blksgf", ".blksgf", recognise, read, write)


def _fixed(variant: str) -> Rules:
    return replace(VARIANTS[variant], corners="fixed")


def _move(value: str, node: int) -> str:
    try:
        return str(parse(value))
    except BadNotation as error:
        raise BadNotation(value, error.reason, node=node) from None


def _is_turn(state: State, key: str) -> bool:
    return not state.outcome and state.rules.colours[state.colour] == COLOURS[key]


def _played(state: State, move: str, key: str, node: int) -> State | None:
    """The state after a move of the colour named; nothing if the move is illegal, which
    is for the replay to tell."""
    if not state.outcome and not _is_turn(state, key):
        due = KEYS[state.rules.colours[state.colour]]
        raise BadNotation(key, f"out of turn: it is the turn of {due}", node=node)
    try:
        return state.play(parse(move))
    except IllegalMove:
        return None


# Syntax


def _main_line(text: str) -> Iterator[Node]:
    """The nodes from the root, always into the first variation."""
    at = 0
    node: Node | None = None
    text = text.removeprefix("\ufeff")
    while at < len(text):
        sign = text[at]
        if sign == ")":
            break
        if sign == ";":
            if node is not None:
                yield node
            node = []
            at += 1
        elif sign == "(" or sign.isspace():
            at += 1
        elif node is None or not sign.isalnum():
            raise BadNotation(text[at : at + 20], f"unexpected at character {at + 1}")
        else:
            start = at
            while at < len(text) and text[at].isalnum():
                at += 1
            values, after = _values(text, at)
            node.append((text[start:at], values))
            at = after
    if node is None:
        raise BadNotation(text, "no node ';' in this SGF")
    yield node


def _values(text: str, at: int) -> tuple[list[str], int]:
    """The bracketed values from a place on, unescaped, and where they end."""
    values: list[str] = []
    while True:
        while at < len(text) and text[at].isspace():
            at += 1
        if at == len(text) or text[at] != "[":
            if not values:
                raise BadNotation(text[at : at + 20], f"expected '[' at character {at + 1}")
            return values, at
        start, value = at, []
        at += 1
        while at < len(text) and text[at] != "]":
            if text[at] == "\\":
                at += 1
            value.append(text[at : at + 1])
            at += 1
        if at >= len(text):
            raise BadNotation(
                text[start : start + 20], f"'[' at character {start + 1} is not closed"
            )
        values.append("".join(value))
        at += 1


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("]", "\\]")
