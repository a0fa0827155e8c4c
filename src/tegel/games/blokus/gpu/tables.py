"""Blokus in numbers for boards of bits: forms, turns and starting squares.

A **board** is a set of squares, bit `y * stride + x` for the square (x, y), cut into **words** of
32 bits. As in `tegel.cells` a row has one bit more than squares, so that no shift wraps.
**Offsets** are the fifteen squares that forms cover, seen from the lower left of their boxes.

Each colour has a **frame**: the board turned as that colour sees it when it moves."""

from dataclasses import dataclass
from functools import cached_property

from tegel.games.blokus.rules import BY_SHAPE, FORMS, SIZES, Rules
from tegel.lattice import Cell, turned

BITS = 32  # of a word
FORM_COUNT = len(FORMS)
OFFSETS: tuple[Cell, ...] = tuple(
    sorted({cell for _, _, shape in FORMS for cell in shape}, key=lambda cell: cell[::-1])
)
CELLS = tuple(tuple(sorted(OFFSETS.index(cell) for cell in shape)) for _, _, shape in FORMS)
"""By form, the numbers of the offsets that it covers."""
TILE_OF = tuple(tile for tile, _, _ in FORMS)
WIDTHS = tuple(1 + max(x for x, _ in shape) for _, _, shape in FORMS)
HEIGHTS = tuple(1 + max(y for _, y in shape) for _, _, shape in FORMS)
LENGTHS = tuple(
    sum(1 << tile for tile, size in enumerate(SIZES) if size == length) for length in range(1, 6)
)
"""The tiles of one square, of two and so on: sets of tiles as integers."""


def _turned(form: int) -> int:
    """The form after a quarter turn as `seen` in planes.py makes it."""
    cells = [(y, -x) for x, y in FORMS[form][2]]
    return BY_SHAPE[turned(cells, 0)]


def _turns() -> tuple[tuple[int, ...], ...]:
    turns = [tuple(range(FORM_COUNT))]
    for _ in range(3):
        turns.append(tuple(_turned(form) for form in turns[-1]))
    return tuple(turns)


TURNED = _turns()
"""By quarter turns, 0 to 3, and form: the form that it becomes."""


@dataclass(frozen=True)
class Tables:
    """What is the same in all positions of a variant."""

    rules: Rules

    @cached_property
    def size(self) -> int:
        return self.rules.size

    @cached_property
    def squares(self) -> int:
        return self.size**2

    @cached_property
    def stride(self) -> int:
        return self.size + 1

    @cached_property
    def words(self) -> int:
        return -(-(self.size * self.stride - 1) // BITS)

    @cached_property
    def colours(self) -> int:
        return len(self.rules.colours)

    @cached_property
    def channels(self) -> int:
        return 5 * self.colours

    @cached_property
    def scalars(self) -> int:
        return self.colours * (len(SIZES) + 3 + 2 * self.rules.sides)

    @cached_property
    def actions(self) -> int:
        return FORM_COUNT * self.squares

    @cached_property
    def shared(self) -> int:
        """The colour that all seats move in rotation, or -1."""
        rules = self.rules
        return rules.colours.index(rules.shared) if rules.shared else -1

    @cached_property
    def seat_of(self) -> tuple[int, ...]:
        """By colour, the seat that moves it; of a shared one, the first."""
        return tuple(seats[0] for seats in self.rules.players)

    @cached_property
    def side_of(self) -> tuple[int, ...]:
        """By colour, the side that scores with it, or -1."""
        return tuple(
            -1 if colour == self.shared else seat % self.rules.sides
            for colour, seat in enumerate(self.seat_of)
        )

    def quarters(self, frame: int) -> int:
        """How often the board is turned in the frame of a colour."""
        return (4 - frame * 4 // self.colours) % 4

    def word(self, bits: int) -> list[int]:
        """A set of bits as words, each a signed number."""
        found = [bits >> BITS * i & 2**BITS - 1 for i in range(self.words)]
        return [word - 2**BITS if word >> BITS - 1 else word for word in found]

    def board(self, cells: list[Cell]) -> list[int]:
        return self.word(sum(1 << y * self.stride + x for x, y in set(cells)))

    @cached_property
    def full(self) -> list[int]:
        line = range(self.size)
        return self.board([(x, y) for y in line for x in line])

    @cached_property
    def starts(self) -> list[list[list[int]]]:
        """By colour and frame: the squares one of which its first tile must cover."""
        rules, found = self.rules, []
        for colour in range(self.colours):
            own = rules.starts if rules.corners == "free" else (rules.starts[colour],)
            frames = []
            for frame in range(self.colours):
                cells = list(own)
                for _ in range(self.quarters(frame)):
                    cells = [(y, self.size - 1 - x) for x, y in cells]
                frames.append(self.board(cells))
            found.append(frames)
        return found

    @cached_property
    def forms(self) -> list[list[int]]:
        """By form: its squares at the lower left of the board, the first three words."""
        return [(self.board([OFFSETS[cell] for cell in cells]))[:3] for cells in CELLS]
