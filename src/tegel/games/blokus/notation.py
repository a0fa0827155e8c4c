"""Blokus as text: a move from its notation or its squares, a position from its rows."""

from collections.abc import Sequence
from functools import cache

from tegel.game import BadNotation
from tegel.games.blokus.rules import BY_SHAPE, FORMS, FULL_HAND, TILES, Move, Rules, State
from tegel.lattice import POLYOMINOES, Cell, bounds, shape_of, square, turned
from tegel.record import shortened


def parse(text: str) -> Move:
    """A move from `F.3@k10` or from its squares in any order, `a20,b20,b19`.

    >>> str(parse("b19,a20,b20"))
    'V3.2@a19'
    """
    try:
        return _placed(text) if "@" in text else covering(_squares(text))
    except ValueError as error:
        raise BadNotation(text, str(error)) from None


def covering(cells: Sequence[Cell]) -> Move:
    """The move that covers exactly these squares."""
    if len(set(cells)) < len(cells):
        raise ValueError("a square is there twice")
    number = BY_SHAPE.get(turned(cells, 0)) if len(cells) <= 5 else None
    if number is None:
        raise ValueError("these squares are not a tile")
    tile, turn, _ = FORMS[number]
    return Move(TILES[tile], turn, bounds(cells)[:2])


def _squares(text: str) -> list[Cell]:
    return [square(word.strip()) for word in text.split(",")]


def _placed(text: str) -> Move:
    form, _, place = text.strip().partition("@")
    tile, dot, turn = form.partition(".")
    if tile not in POLYOMINOES:
        raise ValueError(f"there is no tile {shortened(tile)}")
    if not dot or turn not in tuple("01234567"):
        raise ValueError("a turn is 0 to 7, as in F.3@k10")
    return Move(tile, _turn(tile, int(turn)), square(place))


@cache
def _turn(tile: str, turn: int) -> int:
    """The smallest turn among those that give the same form."""
    return FORMS[BY_SHAPE[turned(POLYOMINOES[tile], turn)]][1]


def restore(rules: Rules, text: str) -> State:
    """A position from the lines that `str` writes below the heading: `turn:`, `single:`,
    `last:`, then the rows from the top."""
    lines = text.splitlines()
    facts = dict(line.partition(": ")[::2] for line in lines if ": " in line)
    rows = [line.strip() for line in lines if ":" not in line]
    if len(rows) != rules.size or any(len(row) != rules.size for row in rows):
        raise BadNotation(text, f"a board has {rules.size} rows of {rules.size} squares")
    squares = [_squares_of(rows, colour, rules) for colour in rules.colours]
    if sum(mask.bit_count() for mask in squares) != sum(len(row) - row.count(".") for row in rows):
        raise BadNotation(
            text, f"a square is '.' or the first letter of {', '.join(rules.colours)}"
        )
    hands = [_hand(mask, rules) for mask in squares]
    turn = _colour(facts.get("turn", rules.colours[0]), rules)
    single = sum(1 << _colour(word, rules) for word in facts.get("single", "").split())
    last = parse(facts["last"]) if "last" in facts else None
    # The turn goes to the colour named if it can place, otherwise to the next that can.
    before = (turn - 1) % len(rules.colours)
    return State(rules, tuple(squares), tuple(hands), before, single, last).passed_on()


def _squares_of(rows: list[str], colour: str, rules: Rules) -> int:
    letter = colour[0].upper()
    return rules.grid.mask(
        shape_of(*("".join(x if x == letter else "." for x in row) for row in rows))
    )


def _hand(mask: int, rules: Rules) -> int:
    """The tiles left when those that make up these squares are on the board."""
    hand = FULL_HAND
    for part in rules.grid.components(mask):
        try:
            tile = 1 << TILES.index(covering(rules.grid.cells(part)).tile)
        except ValueError as error:
            raise BadNotation(rules.grid.text(part), str(error)) from None
        if not hand & tile:
            raise BadNotation(rules.grid.text(part), "this tile is on the board twice")
        hand ^= tile
    return hand


def _colour(text: str, rules: Rules) -> int:
    if text not in rules.colours:
        raise BadNotation(text, f"a colour is one of {', '.join(rules.colours)}")
    return rules.colours.index(text)
