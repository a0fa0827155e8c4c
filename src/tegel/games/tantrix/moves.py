"""What can be done in Tantrix: draw, choose a colour, place a tile."""

from typing import NamedTuple

from tegel.games.tantrix.tiles import COUNT, TURNS, form
from tegel.lattice import Cell


class Draw(NamedTuple):
    """Chance gives a tile to the hand that is due."""

    tile: int

    def __str__(self) -> str:
        return f"+{self.tile}"


class Choose(NamedTuple):
    """A side names its colour."""

    colour: str

    def __str__(self) -> str:
        return self.colour


class Place(NamedTuple):
    tile: int
    turn: int
    cell: Cell

    def __str__(self) -> str:
        return f"{self.tile}.{self.turn}@{self.cell[0]},{self.cell[1]}"

    @property
    def form(self) -> int:
        return form(self.tile, self.turn)

    @property
    def exists(self) -> bool:
        """Whether there is such a tile with such a turn."""
        return 1 <= self.tile <= COUNT and 0 <= self.turn < TURNS


Move = Draw | Choose | Place
DRAWS = tuple(Draw(tile) for tile in range(COUNT + 1))
