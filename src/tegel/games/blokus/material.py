"""Blokus on a real table: the board, and the tiles of every colour, which may be turned over."""

from tegel.game import Board, Lot, Material, Piece, Side
from tegel.games.blokus.picture import FLAT, paint, planes
from tegel.games.blokus.rules import TILES, State
from tegel.lattice import outline
from tegel.picture import Mark

CELL = 15.0  # millimetres


def material(state: State) -> Material:
    rules = state.rules
    board = next(plane for plane in planes(state) if plane.main)
    own = rules.corners == "fixed"
    starts = tuple(
        Mark("board", "start", cell, paint(colour) if own else "")
        for cell, colour in zip(rules.starts, rules.colours, strict=True)
    )
    lots = tuple(Lot("tiles", tiles(paint(colour)), colour) for colour in rules.colours)
    return Material(CELL, (Board(board, starts),), lots)


def tiles(colour: str) -> tuple[Piece, ...]:
    """The tiles of a colour, lying down."""
    return tuple(
        Piece(Side(f"{TILES[tile]}.{turn}", colour), outline(shape), turns=True)
        for tile, turn, shape in FLAT
    )
