"""Forma as text: a move from its notation, a position from its rows."""

from dataclasses import replace

from tegel.game import BadNotation, Seat
from tegel.games.forma.layout import DONE, OBSTACLES, Layout
from tegel.games.forma.rules import DECLINE, VARIANTS, Rules, State, begin, left
from tegel.games.forma.tiles import TILES, Hand, Move, listed
from tegel.lattice import POLYOMINOES, forms, shape_of, square, turned
from tegel.record import shortened

WORDS = {
    str(move): move
    for move in (
        DONE,
        DECLINE,
        *(Move(f"+{colour}") for rules in VARIANTS.values() for colour in rules.colours),
        *(Move(f"+{count}") for count in range(OBSTACLES + 1)),
    )
}
SMALLEST = {
    (f"{tile}.{turn}"): next(t for t, form in forms(shape).items() if form == turned(shape, turn))
    for tile, shape in POLYOMINOES.items()
    for turn in range(8)
}
"""For each tile and turn the smallest turn that gives the same form."""
PIECES = ("obstacle", "tower", "remove", "+obstacle", "+tower")


def parse(text: str) -> Move:
    """A move from its text; the inverse of `str`.

    >>> [str(parse(text)) for text in ("F.3@-1,7", "obstacle.0@c4", "+tower@k11", "decline")]
    ['F.3@-1,7', 'obstacle@c4', '+tower@k11', 'decline']
    """
    text = text.strip()
    if text in WORDS:
        return WORDS[text]
    form, _, place = text.partition("@")
    what, _, turn = form.partition(".")
    try:
        if what in PIECES and turn in ("", "0"):
            return Move(what, square(place))
        if what not in POLYOMINOES:
            raise ValueError(f"there is no tile {shortened(what)}")
        if form not in SMALLEST:
            raise ValueError("a turn is 0 to 7, as in F.3@k10")
        return Move(what, square(place), SMALLEST[form])
    except ValueError as error:
        raise BadNotation(text, str(error)) from None


def restore(rules: Rules, text: str) -> State:
    """A position from the lines that `str` writes below the heading: facts such as
    `turn: blue`, then the rows from the top. Which tiles lie where (`laid blue: F.3@k10`)
    need not be told: a hand is full but for those and the ones laid `aside`, unless a line
    `hand blue: 1 1 F` says what it holds."""
    lines = text.splitlines()
    facts = dict(line.partition(": ")[::2] for line in lines if ":" in line)
    rows = [line.strip() for line in lines if ":" not in line]
    if len(rows) != rules.size or any(len(row) != rules.size for row in rows):
        raise BadNotation(text, f"a board has {rules.size} rows of {rules.size} squares")
    letters = _squares(rules, rows)
    digits = [letters.pop(str(seat), 0) for seat in range(rules.seats)]
    towers = letters.pop("*", 0)
    if towers.bit_count() > 1:
        raise BadNotation(text, "there is one tower, '*'")
    laid = [_moves(facts.get(f"laid {colour}", "")) for colour in rules.colours]
    aside = [_hand(facts.get(f"aside {colour}", "")) for colour in rules.colours]
    start = begin(rules)
    state = replace(
        start,
        layout=Layout(rules.size, towers, letters.pop("#", 0) | sum(digits)),
        tiles=tuple(letters.get(colour[0].upper(), 0) for colour in rules.colours),
        markers=tuple(
            letters.get(colour[0], 0) | digit
            for colour, digit in zip(rules.colours, digits, strict=True)
        ),
        hands=tuple(
            _hand(facts[key])
            if (key := f"hand {colour}") in facts
            else left(rules, [move.what for move in laid[seat]] + listed(aside[seat]))
            for seat, colour in enumerate(rules.colours)
        ),
        aside=tuple(aside),
        ready="set-up" not in facts,
        count=_count(facts["count"]) if "count" in facts else start.count,
        misfit="misfit" in facts,
        closer=_seat(rules, facts["tower"]) if "tower" in facts else None,
        laid=tuple(laid),
        last=parse(facts["last"]) if "last" in facts else None,
    )
    _check(state)
    if facts.get("turn") == "chance":
        return state
    seat = _seat(rules, facts.get("turn", rules.colours[0]))
    named = replace(state, seat=seat)
    # The turn goes to the colour named if it can place, otherwise to the next that can.
    return named if named.legal else replace(state, seat=(seat - 1) % rules.seats).passed_on()


def _squares(rules: Rules, rows: list[str]) -> dict[str, int]:
    """The squares of each letter in the rows."""
    colours = "".join(colour[0] for colour in rules.colours)
    digits = "".join(map(str, range(rules.seats)))
    known = set(".#*" + colours + colours.upper() + digits)
    if strange := set("".join(rows)) - known:
        letters = " ".join(sorted(known))
        raise BadNotation("".join(sorted(strange)), f"a square is one of {letters}")
    return {
        letter: rules.grid.mask(
            shape_of(*("".join("X" if x == letter else "." for x in row) for row in rows))
        )
        for letter in known - {"."}
    }


def _check(state: State) -> None:
    """Refuses tiles that are not there, and more of anything than there is."""
    rules, grid = state.rules, state.rules.grid
    for seat, colour in enumerate(rules.colours):
        cells = [cell for move in state.laid[seat] for cell in move.cells]
        on_board = all(cell in grid for cell in cells)
        if not on_board or grid.mask(cells) & ~state.tiles[seat] or len(set(cells)) < len(cells):
            raise BadNotation(f"laid {colour}", "these tiles are not on the board")
        if min(state.hands[seat]) < 0:
            raise BadNotation(f"laid {colour}", "more tiles than there are")
        if state.markers[seat].bit_count() > rules.markers:
            raise BadNotation(colour, f"there are {rules.markers} markers")
    if state.layout.count > OBSTACLES:
        raise BadNotation("#", f"there are {OBSTACLES} obstacles at most")


def _moves(text: str) -> tuple[Move, ...]:
    return tuple(parse(word) for word in text.split())


def _hand(text: str) -> Hand:
    """A hand from the names of its tiles; `nothing` is an empty one."""
    tiles = [word for word in text.split() if word != "nothing"]
    for tile in tiles:
        if tile not in TILES:
            raise BadNotation(tile, "there is no such tile")
    return tuple(map(tiles.count, TILES))


def _seat(rules: Rules, text: str) -> Seat:
    if text not in rules.colours:
        raise BadNotation(text, f"a colour is one of {', '.join(rules.colours)}")
    return rules.colours.index(text)


def _count(text: str) -> int:
    if Move(f"+{text}") not in WORDS.values():
        raise BadNotation(text, f"a number of obstacles is 0 to {OBSTACLES}")
    return int(text)
