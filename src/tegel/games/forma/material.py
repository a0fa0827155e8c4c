"""Forma on a real table: the board, tiles and markers of every colour, obstacles, and a tower
of paper to fold."""

from tegel.game import Board, Lot, Material, Piece, Side
from tegel.games.forma.layout import OBSTACLES
from tegel.games.forma.picture import FLAT, planes
from tegel.games.forma.rules import State
from tegel.games.forma.tiles import TILES, Hand
from tegel.lattice import outline
from tegel.picture import Layer, Sprite

CELL = 15.0  # millimetres
MARKER, OBSTACLE = 0.8, 0.9  # the sides of the squares that they are cut out as

# The tower, unfolded: four walls side by side, a tab to glue, and below the walls a floor and
# three more tabs. The battlements are those of the tower on the page.
WALL, HEIGHT, TAB = 0.72, 1.7, 0.26
TEETH = ((0.16, 0.12), (0.28, 0), (0.44, 0.12), (0.56, 0))  # along a wall, and how deep


def material(state: State) -> Material:
    rules = state.rules
    board = next(plane for plane in planes(state) if plane.main)
    tiles = [Lot("tiles", _tiles(colour, rules.hand), colour) for colour in rules.colours]
    markers = [
        Lot(
            "markers",
            (
                Piece(
                    Side("marker", f"{colour}.marker"), _square(MARKER), rules.markers, turns=True
                ),
            ),
            colour,
            how="strips",
            close=True,
            fresh=colour == rules.colours[0],
        )
        for colour in rules.colours
    ]
    stone = Piece(Side("obstacle.0", "stone"), _square(OBSTACLE), OBSTACLES, turns=True)
    tower = Piece(Side("tower.net", "white"), net())
    pieces = (
        Lot("obstacles", (stone,), how="strips", close=True, fresh=False),
        Lot("tower", (tower,), how="fold", fresh=False),
    )
    lots = (*tiles, *markers, *pieces)
    return Material(CELL, (Board(board),), lots, sprites={"tower.net": unfolded()})


def _tiles(colour: str, hand: Hand) -> tuple[Piece, ...]:
    return tuple(
        Piece(Side(f"{name}.{turn}", colour), outline(shape), count, turns=True)
        for name, (turn, shape), count in zip(TILES, FLAT, hand, strict=True)
    )


def _square(side: float) -> str:
    return f"M{-side / 2:g} {-side / 2:g}h{side:g}v{side:g}h{-side:g}Z"


def net() -> str:
    """The outline of the tower, unfolded, from the upper left of the first wall."""
    top = ""
    for wall in range(4):
        left = wall * WALL
        for along, deep in TEETH:
            top += f"H{left + along:g}V{deep:g}"
    right = 4 * WALL
    tab = f"H{right:g}L{right + TAB:g} {TAB:g}V{HEIGHT - TAB:g}L{right:g} {HEIGHT:g}"
    below = "".join(map(_foot, (3, 2))) + _floor(1) + _foot(0)
    return f"M0 0{top}{tab}{below}Z"


def _foot(wall: int) -> str:
    """A tab below a wall, from its right to its left."""
    left, right, low = wall * WALL, (wall + 1) * WALL, HEIGHT + TAB
    return f"L{right - 0.12:g} {low:g}H{left + 0.12:g}L{left:g} {HEIGHT:g}"


def _floor(wall: int) -> str:
    left, right = wall * WALL, (wall + 1) * WALL
    return f"H{right:g}V{HEIGHT + WALL:g}H{left:g}V{HEIGHT:g}"


def unfolded() -> Sprite:
    """The tower as a net, with the lines to fold along in dashes."""
    right, low = 4 * WALL, HEIGHT
    walls = range(4)
    slits = "".join(
        f"M{wall * WALL + x:g} {y:g}v.2" for wall in walls for x in (0.2, 0.52) for y in (0.34, 0.8)
    )
    doors = "".join(
        f"M{wall * WALL + 0.24:g} {low:g}v-.3a.12 .12 0 0 1 .24 0v.3Z" for wall in (0, 2)
    )
    folds = f"M0 {low:g}H{right:g}" + "".join(f"M{x * WALL:g} .12V{low:g}" for x in (1, 2, 3))
    folds += f"M{right:g} 0V{low:g}"
    return Sprite(
        (
            Layer(net(), width=0.02),
            Layer(f"M0 .62H{right:g}V{low:g}H0Z", fill="shade", opacity=0.1),
            Layer(f"M0 .62H{right:g}", fill="none", width=0.03, opacity=0.6),
            Layer(slits, fill="none", width=0.06, opacity=0.7),
            Layer(doors, fill="shade", opacity=0.55),
            Layer(folds, fill="none", width=0.02, dash=".09 .06"),
        ),
        name="tower",
    )
