"""blksgf: the files of other Blokus programs.

    (;GM[Blokus Two-Player];1[a20,b20,b19](;2[t20,s20]C[a corner])(;2[t20]BM[1]))

SGF 4 syntax, UTF-8. A move is a property named after its colour, 1 to 4 (older files:
BLUE, YELLOW, RED, GREEN) or B and W in Duo, whose value is the squares covered; an empty
value is a pass, which our rules make by themselves. Starting squares are fixed. We keep
variations, comments, what is thought of moves and game information, and ignore what we do
not know; a position set up by AB, AW, A1 ... can't be a record, and is refused. Whoever wants
the record alone is told nothing of what stands in variations.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from tegel import tree
from tegel.game import BadNotation, Format, IllegalMove
from tegel.games.blokus.notation import parse
from tegel.games.blokus.rules import VARIANTS, Rules, State, begin
from tegel.lattice import name
from tegel.record import Record
from tegel.tree import Line, Step, Tree

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

MARKS = {
    "BM": ("?", "??"), "TE": ("!", "!!"), "DO": ("?!", "?!"), "IT": ("!?", "!?"),
}  # fmt: skip
"""Properties that judge a move, and what they say with the values 1 and 2."""
DEEPEST = 200  # parentheses within parentheses: more than a game has moves

Node = list[tuple[str, list[str]]]  # the properties of a node with their values, in order


@dataclass
class Branch:
    """What stands in parentheses: nodes one after the other, then ways to go on."""

    nodes: list[tuple[int, Node]] = field(default_factory=list)  # with their numbers
    ways: list["Branch"] = field(default_factory=list)


def recognise(text: str) -> bool:
    return text.removeprefix("\ufeff").lstrip().startswith("(")


def read(text: str) -> Record:
    """The main line of a file."""
    return _read(Branch(list(enumerate(_main_line(text), 1)))).record()


def read_tree(text: str) -> Tree:
    """A file with all its variations."""
    return _read(_branch(text))


def _read(root: Branch) -> Tree:
    first = dict(root.nodes[0][1]) if root.nodes else {}
    title = " ".join(first.get("GM", [""])[0].split())
    if title not in GAMES:
        known = ", ".join(GAMES)
        raise BadNotation(title, f"the property GM does not name a game we play: {known}")
    variant = GAMES[title]
    headers = {
        HEADERS[key]: value
        for key, values in first.items()
        if key in HEADERS and (value := " ".join(values[0].split()))
    }
    note = "" if COLOURS.keys() & first.keys() else _note(first.get("C", [""])[0])
    line = _joined(_lines(root, begin(_fixed(variant)), 0))
    options = {"corners": "fixed"} if VARIANTS[variant].corners == "free" else {}
    return Tree("blokus", variant, options, headers, note, line)


def _lines(branch: Branch, state: State | None, deep: int) -> list[Line]:
    """The lines that a branch begins with: one, or several if it has no move of its own."""
    if deep > tree.DEEPEST:
        raise BadNotation("(", f"more than {tree.DEEPEST} variations deep")
    steps: list[Step] = []
    for number, node in branch.nodes:
        found, state = _steps(node, number, state)
        steps += found
    ways = [_lines(way, state, deep + bool(i)) for i, way in enumerate(branch.ways)]
    lines = [line for way in ways for line in way]
    return [(*steps, *_joined(lines))] if steps else lines


def _joined(lines: list[Line]) -> Line:
    """One line, of which the others are variations."""
    if not lines:
        return ()
    (first, *rest), *others = lines
    return (replace(first, others=(*first.others, *others)), *rest)


def _steps(node: Node, number: int, state: State | None) -> tuple[list[Step], State | None]:
    """The moves of a node, as a rule one, and the state after them; no state if a move was
    illegal, which is for the replay to tell."""
    moves: list[str] = []
    comment = mark = ""
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
            comment = _note(values[0])
        elif key in MARKS:
            mark = MARKS[key][values[0].strip() == "2"]
    firsts = [(mark, comment), *[("", "")] * len(moves)]
    return [Step(move, *said) for move, said in zip(moves, firsts, strict=False)], state


def _note(text: str) -> str:
    """A comment as one line, cut if it is longer than a note may be."""
    line = " ".join(text.split())
    return line if len(line) <= tree.LONGEST_NOTE else line[: tree.LONGEST_NOTE - 3] + "..."


def write(game: Record | Tree) -> str:
    """A game as blksgf. That format has fixed starting squares, so the moves must be
    legal with them."""
    game = tree.of(game) if isinstance(game, Record) else game
    variant = game.variant or next(iter(VARIANTS))
    if variant not in NAMES or game.options.get("shared", "green") != "green":
        raise BadNotation(variant, "blksgf has no such variant")
    keyed = {header: key for key, header in HEADERS.items()}
    lines = [f"(;GM[{NAMES[variant]}]"]
    lines += [f"{keyed[k]}[{_escaped(v)}]" for k, v in game.headers.items() if k in keyed]
    lines += [f"C[{_escaped(game.note)}]"] if game.note else []
    lines += _texts(game.line, begin(_fixed(variant)))
    return "\n".join(lines) + ")\n"


def _texts(line: Line, state: State) -> Iterator[str]:
    """A line with its variations, which stand behind all that follows the move they replace."""
    left: list[tuple[tuple[Line, ...], State]] = []
    for step in line:
        if step.others:
            left.append((step.others, state))
            yield "("
        text, state = _written(step, state)
        yield text
    for others, before in reversed(left):
        yield ")"
        for other in _flat(others):
            yield "("
            yield from _texts(other, before)
            yield ")"


def _flat(lines: tuple[Line, ...]) -> Iterator[Line]:
    """Variations, none of which begins with a choice of its own."""
    for first, *rest in lines:
        yield (replace(first, others=()), *rest)
        yield from _flat(first.others)


def _written(step: Step, state: State) -> tuple[str, State]:
    move = parse(step.move)
    key = KEYS[state.rules.colours[state.colour]]
    note = f"C[{_escaped(step.note)}]" if step.note else ""
    mark = f"{_JUDGED[step.mark]}" if step.mark else ""
    try:
        after = state.play(move)
    except IllegalMove as error:
        raise BadNotation(step.move, f"not legal with fixed corners: {error}") from None
    return f";{key}[{','.join(map(name, sorted(move.cells)))}]{mark}{note}", after


_JUDGED = {"?": "BM[1]", "??": "BM[2]", "!": "TE[1]", "!!": "TE[2]", "?!": "DO[]", "!?": "IT[]"}
SGF = Format("blksgf", ".blksgf", recognise, read, read_tree, write)


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
    found = False
    for sign in _signs(text):
        if sign == ")":
            break
        if not isinstance(sign, str):
            found = True
            yield sign
    if not found:
        raise BadNotation(text, "no node ';' in this SGF")


def _branch(text: str) -> Branch:
    """The nodes of a file with all its variations."""
    root = Branch()
    open = [root]
    number = steps = 0
    for sign in _signs(text):
        if sign == "(":
            if len(open) > DEEPEST:
                raise BadNotation(sign, f"more than {DEEPEST} parentheses deep")
            open.append(Branch())
            open[-2].ways.append(open[-1])
        elif isinstance(sign, str):
            open.pop()
            if len(open) < 2:
                break
        else:
            number += 1
            steps += sum(key in COLOURS for key, _ in sign)
            if steps > tree.MOST_STEPS:
                raise BadNotation(text, f"more than {tree.MOST_STEPS:,} moves")
            if open[-1].ways:
                raise BadNotation(text, "a node stands behind a variation", node=number)
            open[-1].nodes.append((number, sign))
    if not number:
        raise BadNotation(text, "no node ';' in this SGF")
    return root.ways[0] if root.ways else root


def _signs(text: str) -> Iterator[str | Node]:
    """Parentheses and nodes, one after the other; after the end come parentheses that close."""
    at = 0
    node: Node | None = None
    text = text.removeprefix("\ufeff")
    while at < len(text):
        sign = text[at]
        if sign in "();":
            if node is not None:
                yield node
            node = [] if sign == ";" else None
            if sign != ";":
                yield sign
            at += 1
        elif sign.isspace():
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
    if node is not None:
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
