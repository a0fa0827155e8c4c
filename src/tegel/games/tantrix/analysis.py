"""What players of Tantrix want to know about a position: which spaces are forced, which
tiles fit where and who has them, how long each line is and where it can go on."""

from dataclasses import dataclass

from tegel.cells import bits
from tegel.games.tantrix.field import Field
from tegel.games.tantrix.lines import Line, lines
from tegel.games.tantrix.rules import ALL_TILES, State, names
from tegel.games.tantrix.tiles import LETTERS, NAMES, NOTHING, fitting, forms, tile_of
from tegel.lattice import Cell


@dataclass(frozen=True)
class Fits:
    """The tiles that fit an empty cell by rule a, by where they are."""

    cell: Cell
    faces: str  # the edges that look at the cell, clockwise from east
    hands: tuple[tuple[int, ...], ...]  # by seat
    bag: tuple[int, ...]
    gone: tuple[int, ...]  # on the table, or out of the game
    barred: tuple[int, ...]  # those in hands that rules b, c, d keep out as things stand

    @property
    def left(self) -> int:
        """How many fitting tiles may still come."""
        return sum(map(len, self.hands)) + len(self.bag)


def fits(state: State, cell: Cell) -> Fits:
    """The tiles that fit an empty cell, wherever they are now."""
    if cell in state.field.laid:
        raise ValueError(f"a tile lies on {names([cell])}")
    faces = state.field.faces.get(cell, NOTHING)
    fit = tiles(fitting(faces))
    held = 0
    for hand in state.hands:
        held |= hand
    barred = 0
    if state.bound and cell in state.field.faces:
        mine = fitting(faces) & forms(held)
        barred = tiles(mine) & ~tiles(state.field.lawful(cell, mine))
    return Fits(
        cell,
        faces,
        tuple(tuple(bits(fit & hand)) for hand in state.hands),
        tuple(bits(fit & state.bag)),
        tuple(bits(fit & ALL_TILES & ~state.bag & ~held)),
        tuple(bits(barred)),
    )


def tiles(forms: int) -> int:
    """The tiles of a set of forms, as a set of tiles: bit t for tile t."""
    found = 0
    for number in bits(forms):
        found |= 1 << tile_of(number)[0]
    return found


def forced_spaces(state: State) -> list[Fits]:
    """Every forced space with the tiles that fit it."""
    return [fits(state, cell) for cell in state.field.forced]


def all_lines(field: Field) -> list[Line]:
    """Every line and loop of every colour, by colour, those that score most first."""
    return [
        line
        for letter in LETTERS
        for line in sorted(lines(field, letter), key=lambda line: (-line.points, line.cells))
    ]


def longest(field: Field) -> dict[str, tuple[int, int]]:
    """By colour, the tiles of its longest open line and of its largest loop."""
    found = dict.fromkeys(NAMES.values(), (0, 0))
    for line in all_lines(field):
        open, loop = found[NAMES[line.letter]]
        length = len(line.cells)
        longer = (open, max(loop, length)) if line.loop else (max(open, length), loop)
        found[NAMES[line.letter]] = longer
    return found
