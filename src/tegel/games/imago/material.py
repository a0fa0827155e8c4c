"""Imago on a real table: the board, the stones, all with the same back, and seals for claims."""

from tegel.game import Board, Lot, Material, Piece, Side
from tegel.games.imago.picture import planes
from tegel.games.imago.rules import SIDES, State
from tegel.games.imago.stones import COLOURS, COUNTS, HOLLOWS
from tegel.picture import Mark

CELL = 22.5  # millimetres: the board is one sheet
STONE, SEAL = 0.4, 0.3  # radii to cut along


def material(state: State) -> Material:
    board = next(plane for plane in planes(state) if plane.main)
    marks = (Mark("board", "wood", (0, 0)), *(Mark("board", "hollow", cell) for cell in HOLLOWS))
    back = Side("hollow", ground="hollow")
    stones = tuple(
        Piece(Side(letter, letter), _disc(STONE), count, back)
        for letter, count in zip(COLOURS, COUNTS, strict=True)
    )
    seals = tuple(Piece(Side("seal", side, "card"), _disc(SEAL)) for side in SIDES)
    lots = Lot("stones", stones, how="mixing"), Lot("seals", seals, how="claiming", fresh=False)
    return Material(CELL, (Board(board, marks),), lots)


def _disc(radius: float) -> str:
    arc = f"a{radius:g} {radius:g} 0 1 1"
    return f"M{-radius:g} 0{arc} {2 * radius:g} 0{arc} {-2 * radius:g} 0Z"
