"""Puzzles by the rules of Blokus: the local search, and what is plainly impossible.

Every tile of every colour must lie; a colour's tiles touch each other at corners only, and
hang together by corners from a corner square. `packing.hpp` tells how it is searched.
"""

from collections.abc import Mapping

from tegel.cells import Grid
from tegel.game import BadNotation
from tegel.lattice import Cell, Shape, forms
from tegel.solver.check import missing
from tegel.solver.cover import Packing
from tegel.solver.puzzle import Placement, Position, Puzzle, Tile


def packing(puzzle: Puzzle, given: Position, seed: int) -> Packing:
    """A search that keeps what is given."""
    grid, shapes, hands = puzzle.grid, *_hands(puzzle)
    starts = _starts(puzzle, given)
    search = Packing(
        grid.width,
        grid.height,
        sorted(
            {_number(grid, cell) for cell in grid.cells(grid.full)} - _numbers(grid, puzzle.board)
        ),
        [list(forms(shape).values()) for shape in shapes],
        [list(hand) for hand in hands.values()],
        [_number(grid, starts[colour]) for colour in hands],
        puzzle.constraints.descending,
        seed,
    )
    colours = list(hands)
    left = {colour: dict(hand) for colour, hand in hands.items()}
    for placement in given:
        mine = left[placement.colour]
        kind = next(kind for kind, tile in mine.items() if tile.id == placement.id)
        del mine[kind]
        cells = sorted(_numbers(grid, placement.cells))
        search.fix(colours.index(placement.colour), kind, cells)
    return search


def position_of(puzzle: Puzzle, search: Packing) -> Position:
    """The best position of a search."""
    width, hands = puzzle.grid.width, list(_hands(puzzle)[1].values())
    position = []
    for colour, kind, numbers in search.best:
        tile = hands[colour][kind]
        cells = tuple(sorted(divmod(number, width)[::-1] for number in numbers))
        position.append(Placement(tile.name, tile.colour, cells))
    return tuple(position)


def _hands(puzzle: Puzzle) -> tuple[list[Shape], dict[str, dict[int, Tile]]]:
    """The shapes by kind, and the tiles of each colour by kind; two copies of a shape in one
    colour are two kinds."""
    kinds: dict[tuple[Shape, int], int] = {}
    hands: dict[str, dict[int, Tile]] = {}
    for tile in puzzle.tiles:
        hand = hands.setdefault(tile.colour, {})
        shape = min(forms(tile.shape).values())
        before = sum(min(forms(other.shape).values()) == shape for other in hand.values())
        for copy in range(before, before + tile.count):
            hand[kinds.setdefault((shape, copy), len(kinds))] = tile
    return [shape for shape, _ in kinds], hands


def _starts(puzzle: Puzzle, given: Position) -> Mapping[str, Cell]:
    """Where each colour begins: where it lies already, otherwise in playing order clockwise
    from the top left, as other programs do."""
    owner = {cell: placement.colour for placement in given for cell in placement.cells}
    colours = list(dict.fromkeys(tile.colour for tile in puzzle.tiles))
    if len(colours) > len(puzzle.corners):
        raise BadNotation(puzzle.name, "there are more colours than corner squares")
    begun = {owner[corner]: corner for corner in reversed(puzzle.corners) if corner in owner}
    free = [corner for corner in puzzle.corners if corner not in owner]
    own = {
        colour: corner
        for colour, corner in zip(colours, puzzle.corners, strict=False)
        if corner in free and colour not in begun
    }
    rest = iter(corner for corner in free if corner not in own.values())
    return {c: begun.get(c) or own.get(c) or next(rest, puzzle.corners[0]) for c in colours}


def _number(grid: Grid, cell: Cell) -> int:
    return cell[1] * grid.width + cell[0]


def _numbers(grid: Grid, cells: Shape) -> set[int]:
    return {_number(grid, cell) for cell in cells}


# What is plainly impossible


def hopeless(puzzle: Puzzle, given: Position) -> bool:
    """True only if there is no solution: too little room, a tile that fits nowhere, or a
    colour with tiles in hand none of which could come next."""
    grid, (empty, left) = puzzle.grid, missing(puzzle, given)
    if sum(len(puzzle.kinds[id].shape) * count for id, count in left.items()) > len(empty):
        return True
    free = grid.mask(empty)
    for colour in dict.fromkeys(puzzle.kinds[id].colour for id in left):
        own = [placement for placement in given if placement.colour == colour]
        shapes = [puzzle.kinds[id].shape for id in left if puzzle.kinds[id].colour == colour]
        room = free & ~grid.sides(grid.mask(cell for tile in own for cell in tile.cells))
        if not all(
            any(grid.fits(room, form) for form in forms(shape).values()) for shape in shapes
        ):
            return True
        size = max(map(len, shapes)) if puzzle.constraints.descending else 0
        open = grid.mask(puzzle.corners)
        if own:
            links = [tile for tile in own if len(tile.cells) >= size]
            open = 0
            for tile in links:
                open |= grid.diagonal(grid.mask(tile.cells))
        next_ones = [shape for shape in shapes if len(shape) >= size]
        if not any(_reaches(grid, room, open, shape) for shape in next_ones):
            return True
    return False


def _reaches(grid: Grid, room: int, open: int, shape: Shape) -> bool:
    """Whether a shape fits into the room and covers an open square."""
    for form in forms(shape).values():
        touching = 0
        for cell in form:
            touching |= (open & room) >> grid.offset(cell)
        if grid.fits(room, form) & touching:
            return True
    return False
