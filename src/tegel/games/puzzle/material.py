"""A puzzle on a real table: the board and the tiles; a small one is a single sheet."""

from tegel.game import Board, Lot, Material, Piece, Side
from tegel.games.puzzle.picture import PLAIN, flat, planes
from tegel.games.puzzle.rules import State
from tegel.lattice import outline
from tegel.solver.puzzle import Tile

CELL = 15.0  # millimetres
SMALL = 40  # squares of the board of a puzzle that is a single sheet


def material(state: State) -> Material:
    puzzle = state.puzzle
    board = Board(next(plane for plane in planes(state) if plane.main))
    whole = len(puzzle.board) <= SMALL
    colours = [""] if whole else list(dict.fromkeys(tile.colour for tile in puzzle.tiles))
    lots = []
    for colour in colours:
        tiles = [tile for tile in puzzle.tiles if whole or tile.colour == colour]
        title = "colour" if colour else "tiles"
        lots.append(Lot(title, tuple(map(_piece, tiles)), colour, fresh=len(tiles) > 12))
    return Material(CELL, (board,), tuple(lots), whole=whole)


def _piece(tile: Tile) -> Piece:
    turn, shape = flat(tile)
    side = Side(f"{tile.id}.{turn}", tile.colour or PLAIN)
    return Piece(side, outline(shape), tile.count, turns=True)
