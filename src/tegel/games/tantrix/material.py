"""Tantrix on a real table: the tiles with their backs, and a list of what is in the bag."""

from collections.abc import Iterable, Mapping

from tegel.game import Lot, Material, Piece, Side, Tally
from tegel.games.tantrix.field import CENTRE
from tegel.games.tantrix.picture import BAND, HEX, PAINTS, SIGNS
from tegel.games.tantrix.rules import State
from tegel.games.tantrix.tiles import BACKS, COUNT, NAMES
from tegel.lattice import HEXAGON, outline
from tegel.picture import Layer, Sprite

CELL = 34.0  # millimetres from side to side
RING = outline([CENTRE], HEXAGON, inset=0.12, radius=0.06)
TILES = range(1, COUNT + 1)


def material(_: State) -> Material:
    bag = Tally("bag", tuple(f"{tile}.0" for tile in TILES))
    return Material(CELL, lots=(Lot("tiles", tiles(TILES)),), tallies=(bag,), sprites=backs(TILES))


def tiles(numbers: Iterable[int]) -> tuple[Piece, ...]:
    cut = outline([CENTRE], HEXAGON)
    return tuple(
        Piece(Side(f"{number}.0", ground="tile"), cut, back=Side(f"back.{number}", ground="tile"))
        for number in numbers
    )


def backs(numbers: Iterable[int]) -> Mapping[str, Sprite]:
    """The backs of tiles: their number and, where the makers gave them one, a ring in the colour
    of the loop that Discovery asks for."""
    return {f"back.{number}": _back(number) for number in numbers}


def _back(number: int) -> Sprite:
    layers = [Layer(HEX, fill="tile", stroke="rim", width=0.03)]
    colour = NAMES[BACKS[number]] if number in BACKS else "number"
    if number in BACKS:
        layers.append(Layer(RING, fill="none", stroke=colour, width=BAND / 2))
        dash = SIGNS[PAINTS[colour].pattern]
        if dash is not None:
            layers.append(
                Layer(RING, fill="none", stroke="tile", width=BAND / 6, dash=dash, sign=True)
            )
    layers.append(Layer(text=str(number), fill=colour, size=0.38))
    return Sprite(tuple(layers), name=str(number))
