"""Puzzles of polyominoes, solved by hand: a game with one seat.

A move places a tile (`blue-F.3@k10`) or takes one up again (`lift@k10`); every position on
the way is good as far as it goes. Where colours take turns, the colour with the fewest tiles
is next, in playing order: so whoever lifts a tile owes one of that colour. The puzzle ends
when it is solved; the score is the number of squares covered.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from tegel.game import (
    BadNotation,
    IllegalMove,
    Lean,
    Option,
    Outcome,
    SoloPosition,
    heading,
)
from tegel.games.puzzle.moves import LIFT, LONGEST, Move, Moves, known, laid
from tegel.lattice import Cell, Shape, forms, names
from tegel.solver.check import Fault, Web, fault, hanging, solved, unused, web
from tegel.solver.puzzle import Placement, Puzzle, Tile, parse
from tegel.solver.tasks import TASKS, load

OWN = "own"  # the variant that takes a puzzle as text
LARGEST = 400  # squares of such a puzzle
MOST = 120  # tiles of it
BIGGEST = 20  # squares of one of its tiles
WIDE = 40  # squares, of its board or a tile, in width and in height
DRAWN = 240  # squares of all tiles that are drawn, for each of their forms is a picture
OPTIONS = {"text": Option((), (OWN,), open=True)}


@dataclass(frozen=True)
class Rules(Lean):
    variant: str  # the puzzle's name
    puzzle: Puzzle
    text: str = ""  # of one's own puzzle, packed into one word


class Variants(Mapping[str, Rules]):
    """Every puzzle by its name; those of a day and one's own are found but not listed."""

    def __iter__(self) -> Iterator[str]:
        return iter(TASKS)

    def __len__(self) -> int:
        return len(TASKS)

    def __getitem__(self, key: str) -> Rules:
        if key == OWN:
            return Rules(OWN, TASKS["tetra-8x10"])  # until its text is known: see `begin`
        try:
            return Rules(key, load(key))
        except BadNotation:
            raise KeyError(key) from None


@dataclass(frozen=True)
class State(SoloPosition[Move]):
    rules: Rules
    lying: tuple[Placement, ...] = ()  # sorted
    last: Move | None = field(default=None, compare=False)

    @property
    def puzzle(self) -> Puzzle:
        return self.rules.puzzle

    @property
    def scores(self) -> tuple[int, ...]:
        return (sum(len(placement.cells) for placement in self.lying),)

    @cached_property
    def outcome(self) -> Outcome | None:
        return Outcome((0,), "solved") if self.full and solved(self.puzzle, self.lying) else None

    def moves(self) -> Moves:
        return self.legal

    def after(self, move: Move) -> "State":
        if move.tile == LIFT:
            lifted = self.liftable(move.cell)
            rest = tuple(placement for placement in self.lying if placement is not lifted)
            return State(self.rules, rest, move)
        return State(self.rules, tuple(sorted((*self.lying, self.placement(move)))), move)

    # Facts

    @cached_property
    def latest(self) -> Placement | None:
        """The tile that the last move laid."""
        if self.last is None or self.last.tile == LIFT:
            return None
        x, y = self.last.cell
        form = forms(self.puzzle.kinds[self.last.tile].shape)[self.last.turn]
        cells = {(x + u, y + v) for u, v in form}
        return next((tile for tile in self.lying if set(tile.cells) == cells), None)

    @cached_property
    def full(self) -> bool:
        """Whether so much lies that nothing is missing; before that nothing is solved."""
        if self.puzzle.constraints.fill:
            return self.scores[0] >= len(self.puzzle.board)
        return len(self.lying) >= sum(tile.count for tile in self.puzzle.tiles)

    @cached_property
    def left(self) -> list[Tile]:
        """The tiles in hand, one entry for all copies."""
        return [tile for tile in self.puzzle.tiles if tile.id in self.unused]

    @cached_property
    def unused(self) -> Mapping[str, int]:
        """How often each tile is in hand, by its id."""
        return unused(self.puzzle, self.lying)

    @cached_property
    def colour(self) -> str:
        """The colour whose turn it is, where colours take turns: that with the fewest tiles."""
        if not self.puzzle.constraints.linked or not self.left:
            return ""
        counts = dict.fromkeys((tile.colour for tile in self.puzzle.tiles), 0)
        for placement in self.lying:
            counts[placement.colour] += 1
        return min(dict.fromkeys(tile.colour for tile in self.left), key=counts.__getitem__)

    @cached_property
    def size(self) -> int:
        """How big a tile must be, where sizes descend."""
        if not self.puzzle.constraints.descending:
            return 0
        return max((len(tile.shape) for tile in self.left if tile.colour == self.colour), default=0)

    @cached_property
    def legal(self) -> Moves:
        if self.outcome:
            return Moves(self.puzzle.grid, {}, [])
        grid, places = self.puzzle.grid, dict[tuple[str, int], int]()
        rooms: dict[str, tuple[int, int]] = {}
        for tile in self.left:
            if (self.colour and tile.colour != self.colour) or len(tile.shape) < self.size:
                continue
            if tile.colour not in rooms:
                rooms[tile.colour] = self.room(tile.colour), self.open(tile.colour)
            room, open = rooms[tile.colour]
            for turn, form in forms(tile.shape).items():
                squares = grid.fits(room, form)
                if self.puzzle.constraints.linked:
                    touching = 0
                    for cell in form:
                        touching |= open >> grid.offset(cell)
                    squares &= touching
                if squares:
                    places[tile.id, turn] = squares
        return Moves(grid, places, [tile.cells for tile in self.free])

    def room(self, colour: str) -> int:
        """The squares that a tile of a colour may cover."""
        grid = self.puzzle.grid
        taken = grid.mask(cell for tile in self.lying for cell in tile.cells)
        own = self.covered(colour) if colour and self.puzzle.constraints.apart else 0
        return self.puzzle.squares & ~taken & ~grid.sides(own)

    def open(self, colour: str) -> int:
        """The squares one of which the next tile of a colour must cover, where tiles hang
        together."""
        grid, own = self.puzzle.grid, [tile for tile in self.lying if tile.colour == colour]
        if not own:
            return grid.mask(self.puzzle.corners)
        return grid.diagonal(
            grid.mask(cell for tile in own if len(tile.cells) >= self.size for cell in tile.cells)
        )

    def covered(self, colour: str) -> int:
        return self.puzzle.grid.mask(
            cell for tile in self.lying if tile.colour == colour for cell in tile.cells
        )

    @cached_property
    def free(self) -> tuple[Placement, ...]:
        """The tiles that may be lifted: no other hangs on them."""
        if not self.puzzle.constraints.linked:
            return self.lying
        webs = {colour: self.web(colour) for colour in {tile.colour for tile in self.lying}}
        return tuple(tile for tile in self.lying if not hanging(webs[tile.colour], tile))

    def hanging(self, lifted: Placement) -> Sequence[Placement]:
        """The tiles that would hang in the air without one of them."""
        return hanging(self.web(lifted.colour), lifted) if self.puzzle.constraints.linked else ()

    def web(self, colour: str) -> Web:
        return web(self.puzzle, [tile for tile in self.lying if tile.colour == colour])

    # Moves, checked

    def placement(self, move: Move) -> Placement:
        """What a move lays; refused if it breaks a rule."""
        tile = self.puzzle.kinds.get(move.tile)
        if tile is None:
            raise illegal("unknown", tile=move.tile)
        form = forms(tile.shape).get(move.turn)
        if form is None:
            raise illegal("form", [move.cell], tile=move.tile)
        x, y = move.cell
        cells = tuple(sorted((x + u, y + v) for u, v in form))
        placement = Placement(tile.name, tile.colour, cells)
        if self.fits(tile, cells):
            return placement
        if wrong := fault(self.puzzle, (*self.lying, placement)):
            raise refusal(wrong)
        if self.colour and tile.colour != self.colour:
            raise illegal("turn", colour=self.colour)
        own = [other for other in self.left if other.colour == tile.colour]
        bigger = [other.name for other in own if len(other.shape) >= self.size]
        raise illegal("bigger", colour=tile.colour, tiles=" ".join(bigger))

    def fits(self, tile: Tile, cells: Shape) -> bool:
        """Whether a tile may be laid on squares now: the same as `legal`, for one place."""
        grid = self.puzzle.grid
        if tile.id not in self.unused or not all(cell in grid for cell in cells):
            return False
        if (self.colour and tile.colour != self.colour) or len(tile.shape) < self.size:
            return False
        squares = grid.mask(cells)
        touching = not self.puzzle.constraints.linked or squares & self.open(tile.colour)
        return not squares & ~self.room(tile.colour) and bool(touching)

    def liftable(self, cell: Cell) -> Placement:
        """The tile on a square; refused if there is none or others hang on it."""
        for placement in self.lying:
            if cell in placement.cells:
                if loose := self.hanging(placement):
                    cells = [cell for tile in loose for cell in tile.cells]
                    tiles = " ".join(tile.tile for tile in loose)
                    raise illegal(
                        "stays", cells, tile=placement.id, colour=placement.colour, tiles=tiles
                    )
                return placement
        raise illegal("nothing", [cell])

    def __str__(self) -> str:
        lines = [heading("puzzle", self.rules, OPTIONS)]
        lines += [f"last: {self.last}"] if self.last else []
        kinds = self.puzzle.kinds
        lines += [str(laid(placement, kinds[placement.id].shape)) for placement in self.lying]
        return "\n".join(lines) + "\n"


def begin(rules: Rules) -> State:
    if rules.variant == OWN:
        rules = replace(rules, puzzle=unpacked(rules.text))
    return State(rules)


def packed(puzzle: Puzzle) -> str:
    """A puzzle as one word, for the option `text`: `|` ends a line, `_` is a space.

    >>> packed(TASKS["pentominoes-3x20"])[:50]
    'puzzle:_pentominoes-3x20|rule:_cover|tiles:_blue_F'
    """
    return str(puzzle).strip().replace("\n", "|").replace(" ", "_")


def unpacked(text: str) -> Puzzle:
    """The puzzle that a word is, if a table can hold it; the inverse of `packed`."""
    if not text:
        raise BadNotation(OWN, "one's own puzzle needs its text, as the option text=...")
    puzzle = parse(text.replace("|", "\n").replace("_", " "))
    if len(puzzle.board) > LARGEST or sum(tile.count for tile in puzzle.tiles) > MOST:
        raise BadNotation(puzzle.name, f"a table holds {LARGEST} squares and {MOST} tiles at most")
    if puzzle.widest >= WIDE:
        raise BadNotation(puzzle.name, f"a table is {WIDE} squares wide and high at most")
    if sum(len(tile.shape) for tile in puzzle.tiles if known(tile.name) is None) > DRAWN:
        raise BadNotation(puzzle.name, f"the tiles drawn have {DRAWN} squares together at most")
    for tile in puzzle.tiles:
        if known(tile.name) not in (None, tile.shape) or len(tile.id) > LONGEST:
            raise BadNotation(tile.name, "is the name of another tile, or too long")
        if len(tile.shape) > BIGGEST:
            raise BadNotation(tile.name, f"a tile has {BIGGEST} squares at most at a table")
    return puzzle


def illegal(rule: str, cells: Iterable[Cell] = (), **args: object) -> IllegalMove:
    cells = tuple(sorted(cells))
    return IllegalMove("puzzle", rule, cells, at=names(cells), **args)


def refusal(wrong: Fault) -> IllegalMove:
    """What the checker finds wrong, in the words of this game."""
    return illegal(wrong.rule, wrong.cells, **wrong.details)
