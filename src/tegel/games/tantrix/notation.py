"""Tantrix as text: a move from its notation, a position from its lines."""

import re

from tegel.game import BadNotation
from tegel.games.tantrix.field import laid_out
from tegel.games.tantrix.moves import Choose, Draw, Move, Place
from tegel.games.tantrix.rules import HAND, Rules, State, begin, names
from tegel.games.tantrix.tiles import COLOURS, COUNT

PLACE = re.compile(r"([0-9]{1,2})\.([0-5])@(-?[0-9]{1,3}),(-?[0-9]{1,3})", re.ASCII)
DRAW = re.compile(r"\+([0-9]{1,2})", re.ASCII)


def parse(text: str) -> Move:
    """A move from `14.2@1,-2` (tile, turn, cell), a draw `+14` or a colour.

    >>> parse("14.2@1,-2"), parse("+14"), parse("red")
    (Place(tile=14, turn=2, cell=(1, -2)), Draw(tile=14), Choose(colour='red'))
    """
    word = text.strip()
    if word in COLOURS:
        return Choose(word)
    if drawn := DRAW.fullmatch(word):
        return Draw(_tile(drawn[1], text))
    if placed := PLACE.fullmatch(word):
        return Place(_tile(placed[1], text), int(placed[2]), (int(placed[3]), int(placed[4])))
    raise BadNotation(text, "a move is a tile, a turn 0 to 5 and a cell, as in 14.2@1,-2")


def _tile(number: str, text: str) -> int:
    if not 1 <= int(number) <= COUNT:
        raise BadNotation(text, f"tiles are numbered 1 to {COUNT}")
    return int(number)


def restore(rules: Rules, text: str) -> State:
    """A position from the lines that `str` writes below the heading: `seat:`, `step:`,
    `colours:` if they are chosen, `bag:`, a `hand N:` for each seat, `last:`, then the tiles
    on the table. Tiles may be missing: they are out of the game."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    facts = dict(line.split(": ", 1) for line in lines if ": " in line)
    placed = [_placed(line) for line in lines if ": " not in line]
    hands = tuple(_tiles(_fact(facts, f"hand {seat}")) for seat in range(rules.seats))
    bag = _tiles(_fact(facts, "bag"))
    if any(hand.bit_count() > HAND for hand in hands):
        raise BadNotation(text, f"a hand has at most {HAND} tiles")
    parts = [bag, *hands, *(1 << place.tile for place in placed)]
    if sum(part.bit_count() for part in parts) > _union(parts).bit_count():
        raise BadNotation(text, "a tile is there twice")
    if len({place.cell for place in placed}) < len(placed):
        raise BadNotation(text, "two tiles lie on one cell")
    field = laid_out((place.cell, place.form) for place in placed)
    if clashes := field.clashes():
        raise BadNotation(text, f"touching edges do not match: {names(clashes)}")
    return State(
        rules,
        field,
        hands,
        bag,
        _colours(facts, rules),
        _number(facts, "seat", range(rules.seats)),
        _number(facts, "step", range(1, 4)),
        _placed(facts["last"]) if "last" in facts else None,
    ).settled()


def _fact(facts: dict[str, str], key: str) -> str:
    if key not in facts:
        raise BadNotation(" ".join(facts), f"a position needs a line '{key}: ...'")
    return facts[key]


def _number(facts: dict[str, str], key: str, known: range) -> int:
    text = _fact(facts, key)
    if text not in map(str, known):
        raise BadNotation(text, f"a {key} is {known[0]} to {known[-1]}")
    return int(text)


def _placed(text: str) -> Place:
    move = parse(text)
    if not isinstance(move, Place):
        raise BadNotation(text, "a tile on the table is a tile, a turn and a cell")
    return move


def _tiles(text: str) -> int:
    words = text.split() if text != "-" else []
    if not all(word.isascii() and word.isdecimal() and len(word) <= 2 for word in words):
        raise BadNotation(text, "expected the numbers of tiles, or '-' for none")
    tiles = [1 << _tile(word, text) for word in words]
    if len(set(tiles)) < len(tiles):
        raise BadNotation(text, "a tile is there twice")
    return sum(tiles)


def _union(parts: list[int]) -> int:
    found = 0
    for part in parts:
        found |= part
    return found


def _colours(facts: dict[str, str], rules: Rules) -> tuple[str, ...]:
    if rules.colours == "fixed":
        return begin(rules).colours
    text = _fact(facts, "colours")
    words = tuple(word.replace("-", "") for word in text.split())
    chosen = [word for word in words if word]
    if len(words) != rules.sides or len({*chosen} & {*COLOURS}) != len(chosen):
        known = ", ".join(COLOURS)
        raise BadNotation(text, f"{rules.sides} different colours of {known}, or '-' if not chosen")
    return words
