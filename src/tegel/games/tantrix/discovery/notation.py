"""Discovery as text: moves and positions."""

import re

from tegel.game import BadNotation
from tegel.games.tantrix.discovery.rules import LIFT, Lift, Move, Rules, State
from tegel.games.tantrix.field import laid_out
from tegel.games.tantrix.moves import Place
from tegel.games.tantrix.notation import parse as tantrix_move
from tegel.games.tantrix.tiles import tile_of
from tegel.lattice import Cell

LIFTED = re.compile(LIFT + r"@(-?[0-9]{1,3}),(-?[0-9]{1,3})", re.ASCII)


def parse(text: str) -> Move:
    """A move from `14.2@1,-2` (tile, turn, cell) or `lift@1,-2`."""
    if lifted := LIFTED.fullmatch(text.strip()):
        return Lift((int(lifted[1]), int(lifted[2])))
    move = tantrix_move(text)
    if not isinstance(move, Place):
        raise BadNotation(text, "a move is a tile, a turn 0 to 5 and a cell, as in 14.2@1,-2")
    return move


def restore(rules: Rules, text: str) -> State:
    """A position from the lines that `str` writes below the heading."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    last = parse(lines.pop(0)[5:].strip()) if lines and lines[0].startswith("last:") else None
    tiles: dict[Cell, int] = {}
    for line in lines:
        move = parse(line)
        if isinstance(move, Lift) or move.tile > rules.count:
            raise BadNotation(line, f"Discovery {rules.count} has no such tile")
        if move.cell in tiles or move.tile in {tile_of(number)[0] for number in tiles.values()}:
            raise BadNotation(line, "a tile is there twice, or two on one cell")
        tiles[move.cell] = move.form
    found = laid_out(tiles.items())
    if clashes := found.clashes():
        raise BadNotation(text, f"touching edges do not match at {clashes[0]}")
    return State(rules, found, last)
