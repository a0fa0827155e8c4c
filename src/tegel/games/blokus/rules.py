"""Blokus: the law.

- A **colour** plays 21 **tiles**: every polyomino of 1 to 5 squares, once.
- Its first tile covers a starting square; every further one touches an own tile at a
  corner and none along a side. So the tiles of a colour are the connected parts of its
  squares, and a state need not remember them.
- A colour that can't place is out; the game ends when all are.

A board is a set of squares in an integer (see `tegel.cells`): all legal places of a form
are the AND of its shifts of the free squares and the OR of its shifts of the open corners.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import NamedTuple

from tegel.cells import Grid, Placements, bits
from tegel.game import (
    IllegalMove,
    Lean,
    Option,
    Outcome,
    Position,
    Seat,
    heading,
    leaders,
    with_entry,
)
from tegel.lattice import POLYOMINOES, Cell, Shape, forms, name, names

TILES = tuple(POLYOMINOES)
SIZES = tuple(map(len, POLYOMINOES.values()))
FORMS: tuple[tuple[int, int, Shape], ...] = tuple(
    (tile, turn, shape)
    for tile, cells in enumerate(POLYOMINOES.values())
    for turn, shape in forms(cells).items()
)
"""The 91 forms: (number of the tile, turn, cells)."""
NUMBERS: Mapping[tuple[str, int], int] = {
    (TILES[tile], turn): number for number, (tile, turn, _) in enumerate(FORMS)
}
BY_SHAPE: Mapping[Shape, int] = {shape: number for number, (_, _, shape) in enumerate(FORMS)}
FULL_HAND = (1 << len(TILES)) - 1
SQUARES = sum(SIZES)


@dataclass(frozen=True)
class Rules(Lean):
    variant: str
    size: int
    colours: tuple[str, ...]  # in playing order
    starts: tuple[Cell, ...]  # the starting squares, in playing order
    seats: int
    sides: int  # seats with the same number modulo `sides` share their score
    corners: str = "free"  # free: any starting square; fixed: each colour has its own
    shared: str = ""  # the colour that all seats move in rotation, if any

    @cached_property
    def grid(self) -> Grid:
        return Grid(self.size, self.size)

    @cached_property
    def players(self) -> tuple[tuple[Seat, ...], ...]:
        """By colour, the seats that move it in rotation: all of them if it is shared,
        otherwise the one whose turn it is when colours are dealt in playing order."""
        dealt = [colour for colour in self.colours if colour != self.shared]
        owner = {colour: (index % self.seats,) for index, colour in enumerate(dealt)}
        return tuple(owner.get(colour, tuple(range(self.seats))) for colour in self.colours)


FOUR = ("blue", "yellow", "red", "green")
CORNERS = ((0, 19), (19, 19), (19, 0), (0, 0))  # clockwise from the top left

VARIANTS: Mapping[str, Rules] = {
    "classic": Rules("classic", 20, FOUR, CORNERS, seats=4, sides=4),
    "teams": Rules("teams", 20, FOUR, CORNERS, seats=4, sides=2),
    "two": Rules("two", 20, FOUR, CORNERS, seats=2, sides=2),
    "three": Rules("three", 20, FOUR, CORNERS, seats=3, sides=3, shared="green"),
    "duo": Rules(
        "duo", 14, ("first", "second"), ((4, 9), (9, 4)), seats=2, sides=2, corners="fixed"
    ),
}
OPTIONS: Mapping[str, Option] = {
    "corners": Option(("free", "fixed"), ("classic", "teams", "two", "three")),
    "shared": Option(FOUR, ("three",)),
}


class Move(NamedTuple):
    tile: str
    turn: int
    cell: Cell  # the lower left of the bounding box

    def __str__(self) -> str:
        return f"{self.tile}.{self.turn}@{name(self.cell)}"

    @property
    def cells(self) -> Shape:
        x, y = self.cell
        return tuple((x + c, y + r) for c, r in FORMS[NUMBERS[self.tile, self.turn]][2])


class Moves(Placements[int, Move]):
    """The legal moves of a colour, by the number of the form."""

    def move(self, form: int, cell: Cell) -> Move:
        tile, turn, _ = FORMS[form]
        return Move(TILES[tile], turn, cell)

    def place(self, move: object) -> tuple[int, Cell] | None:
        if not isinstance(move, Move):
            return None
        return NUMBERS.get((move.tile, move.turn), -1), move.cell


@cache
def _shifts(grid: Grid) -> tuple[list[int], list[list[tuple[int, ...]]]]:
    """The shifts that the forms need; and for each tile its forms, each as its number and
    the indices of its shifts: five, so that those of smaller forms come again."""
    shifts = sorted({grid.offset(cell) for _, _, shape in FORMS for cell in shape})
    tiles: list[list[tuple[int, ...]]] = [[] for _ in TILES]
    for number, (tile, _, shape) in enumerate(FORMS):
        indices = [shifts.index(grid.offset(cell)) for cell in shape]
        tiles[tile].append((number, *(indices * 5)[:5]))
    return shifts, tiles


def places(grid: Grid, free: int, open: int, hand: int, *, one: bool = False) -> dict[int, int]:
    """For each form of the tiles in hand, by its number, where it lies on free squares only
    and covers at least one open one; without empty sets. `one`: no more than one form."""
    shifts, tiles = _shifts(grid)
    frees = [free >> shift for shift in shifts]
    opens = [open >> shift for shift in shifts]
    found = {}
    for tile in bits(hand):
        for number, a, b, c, d, e in tiles[tile]:
            fitting = frees[a] & frees[b] & frees[c] & frees[d] & frees[e]
            fitting &= opens[a] | opens[b] | opens[c] | opens[d] | opens[e]
            if fitting:
                found[number] = fitting
                if one:
                    return found
    return found


@dataclass(frozen=True)
class State(Position):
    rules: Rules
    squares: tuple[int, ...]  # covered, by colour
    hands: tuple[int, ...]  # tiles left, by colour, a bit each
    colour: int  # the number of the colour to move
    single: int = 0  # the colours whose latest tile was the single square, a bit each
    last: Move | None = field(default=None, compare=False)

    @cached_property
    def turn(self) -> Seat:
        seats = self.rules.players[self.colour]
        return seats[self.placed(self.colour) % len(seats)]

    @cached_property
    def scores(self) -> tuple[int, ...]:
        rules = self.rules
        by_side = [0] * rules.sides
        for colour, seats in enumerate(rules.players):
            if rules.colours[colour] != rules.shared:
                by_side[seats[0] % rules.sides] += self.score(colour)
        return tuple(by_side[seat % rules.sides] for seat in range(rules.seats))

    @cached_property
    def outcome(self) -> Outcome | None:
        if self.legal:
            return None
        return Outcome(leaders(self.scores), "blocked")

    def moves(self) -> Sequence[Move]:
        return self.legal

    def play(self, move: Move) -> "State":
        if move not in self.legal:
            raise self.refusal(move).at(self)
        mine, tile = self.colour, TILES.index(move.tile)
        squares, hands = list(self.squares), list(self.hands)
        laid = self.rules.grid.mask(move.cells)
        squares[mine] |= laid
        hands[mine] ^= 1 << tile
        single = self.single & ~(1 << mine) | (tile == 0) << mine
        after = State(self.rules, tuple(squares), tuple(hands), mine, single, move).passed_on()
        vars(after)["laid"] = laid
        if "tiles" in vars(self):
            tiles = tuple(sorted((*self.tiles[mine], laid), key=_lowest))
            vars(after)["tiles"] = with_entry(self.tiles, mine, tiles)
        return after

    def odds(self) -> Mapping[Move, float]:
        return {}

    # Facts

    def placed(self, colour: int) -> int:
        """How many tiles of a colour lie on the board."""
        return len(TILES) - self.hands[colour].bit_count()

    def score(self, colour: int) -> int:
        """Minus the squares in hand; with an empty hand 15, or 20 if the single square
        came last."""
        if self.hands[colour]:
            return self.squares[colour].bit_count() - SQUARES
        return 20 if self.single >> colour & 1 else 15

    @cached_property
    def legal(self) -> Moves:
        return self.legal_for(self.colour)

    def legal_for(self, colour: int) -> Moves:
        """The moves that a colour would have if it were its turn."""
        grid, free = self.rules.grid, self.free(colour)
        return Moves(grid, places(grid, free, self.open(colour) & free, self.hands[colour]))

    @cached_property
    def corners(self) -> int:
        """The free squares one of which the next tile must cover."""
        return self.open(self.colour) & self.free(self.colour)

    def can_place(self, colour: int) -> bool:
        """Whether a colour would have a move if it were its turn."""
        if colour == self.colour:
            return bool(self.legal)
        grid, hand, free = self.rules.grid, self.hands[colour], self.free(colour)
        open = self.open(colour) & free
        if hand & 1 or not open:  # the single square fits on any open one
            return bool(open)
        return bool(places(grid, free, open, hand, one=True))

    @cached_property
    def tiles(self) -> tuple[tuple[int, ...], ...]:
        """By colour, the tiles on the board, each as its squares, the lowest first. Once asked
        for, the states that follow know theirs without looking."""
        return tuple(tuple(self.rules.grid.components(squares)) for squares in self.squares)

    @cached_property
    def laid(self) -> int:
        """The squares of the last tile."""
        return self.rules.grid.mask(self.last.cells) if self.last else 0

    def free(self, colour: int) -> int:
        """The squares that a colour may cover: empty ones not beside its own."""
        grid, taken = self.rules.grid, 0
        for squares in self.squares:
            taken |= squares
        return grid.full & ~taken & ~grid.sides(self.squares[colour])

    def open(self, colour: int) -> int:
        """The squares one of which a colour's next tile must cover, taken or not: corners of
        its tiles, or the starting squares."""
        rules, own = self.rules, self.squares[colour]
        if own:
            return rules.grid.diagonal(own)
        starts = rules.starts if rules.corners == "free" else [rules.starts[colour]]
        return rules.grid.mask(starts)

    def passed_on(self) -> "State":
        """The same board with the turn given to the next colour that can place; if none
        can, the game is over."""
        count = len(self.rules.colours)
        following = [(self.colour + step) % count for step in range(1, count + 1)]
        for colour in following:
            if legal := self.legal_for(colour):
                break
        else:
            colour = following[0]
        state = State(self.rules, self.squares, self.hands, colour, self.single, self.last)
        vars(state)["legal"] = legal
        return state

    def refusal(self, move: Move) -> IllegalMove:
        """Which rule a move breaks, and where."""
        grid, colour = self.rules.grid, self.rules.colours[self.colour]
        own = self.squares[self.colour]
        if self.outcome:
            return _illegal("over")
        if (move.tile, move.turn) not in NUMBERS:
            return _illegal("form", tile=move.tile, turn=move.turn)
        if not self.hands[self.colour] >> TILES.index(move.tile) & 1:
            return _illegal("used", tile=move.tile, colour=colour)
        if off := [cell for cell in move.cells if cell not in grid]:
            return _illegal("off", off)
        mask, taken = grid.mask(move.cells), sum(self.squares)
        if mask & taken:
            return _illegal("taken", grid.cells(mask & taken))
        if beside := mask & grid.sides(own):
            return _illegal("side", grid.cells(beside), colour=colour)
        opened = grid.cells(self.open(self.colour) & ~taken)
        return _illegal("corner" if own else "start", opened, colour=colour)

    def __str__(self) -> str:
        rules = self.rules
        lines = [heading("blokus", rules, OPTIONS)]
        lines += [f"turn: {rules.colours[self.colour]}"]
        singles = [colour for i, colour in enumerate(rules.colours) if self.single >> i & 1]
        lines += [f"single: {' '.join(singles)}"] if singles else []
        lines += [f"last: {self.last}"] if self.last else []
        letters = {
            cell: colour[0].upper()
            for colour, squares in zip(rules.colours, self.squares, strict=True)
            for cell in rules.grid.cells(squares)
        }
        for y in range(rules.size - 1, -1, -1):
            lines.append("".join(letters.get((x, y), ".") for x in range(rules.size)))
        return "\n".join(lines) + "\n"


def _lowest(squares: int) -> int:
    return squares & -squares


def _illegal(rule: str, cells: Sequence[Cell] = (), **args: object) -> IllegalMove:
    return IllegalMove("blokus", rule, cells, at=names(cells), **args)


def begin(rules: Rules) -> State:
    count = len(rules.colours)
    return State(rules, (0,) * count, (FULL_HAND,) * count, 0)
