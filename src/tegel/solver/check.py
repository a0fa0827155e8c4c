"""The checker: what is wrong with a position, finished or not, and what is missing."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from tegel.lattice import Cell, Shape, forms, names, turned
from tegel.solver.puzzle import Placement, Position, Puzzle


class Fault(ValueError):
    """What is wrong with a position: the rule broken, the squares where, and what else is to be
    said of it."""

    def __init__(self, rule: str, cells: Iterable[Cell] = (), **args: object) -> None:
        self.rule, self.cells, self.details = rule, tuple(sorted(cells)), args
        super().__init__(rule, self.cells, args)

    def __str__(self) -> str:
        at = f" at {names(self.cells)}" if self.cells else ""
        return f"the position breaks the rule {self.rule!r}{at}"

    def __reduce__(self) -> tuple[object, ...]:
        return _fault, (self.rule, self.cells, self.details)


def _fault(rule: str, cells: Shape, details: dict[str, object]) -> Fault:
    return Fault(rule, cells, **details)


def faults(puzzle: Puzzle, position: Iterable[Placement]) -> Iterator[Fault]:
    """All that is wrong with a position, finished or not. Nothing of a partial position is
    wrong only because something is missing."""
    position = tuple(position)
    yield from _bad_tiles(puzzle, position)
    yield from _bad_squares(puzzle, position)
    if puzzle.constraints.apart:
        yield from _touching(position)
    if puzzle.constraints.linked:
        for colour in dict.fromkeys(tile.colour for tile in puzzle.tiles):
            yield from _loose(puzzle, colour, position)


def fault(puzzle: Puzzle, position: Iterable[Placement]) -> Fault | None:
    """The first thing that is wrong with a position."""
    return next(faults(puzzle, position), None)


def solved(puzzle: Puzzle, position: Iterable[Placement]) -> bool:
    position = tuple(position)
    squares, tiles = missing(puzzle, position)
    return not (squares if puzzle.constraints.fill else tiles) and not fault(puzzle, position)


def missing(puzzle: Puzzle, position: Iterable[Placement]) -> tuple[Shape, Counter[str]]:
    """The squares not covered, and the tiles not used, by their ids."""
    position = tuple(position)
    covered = {cell for placement in position for cell in placement.cells}
    left = Counter({tile.id: tile.count for tile in puzzle.tiles})
    left.subtract(placement.id for placement in position)
    return tuple(cell for cell in puzzle.board if cell not in covered), +left


def _bad_tiles(puzzle: Puzzle, position: Position) -> Iterator[Fault]:
    used: Counter[str] = Counter()
    for placement in position:
        tile = puzzle.kinds.get(placement.id)
        if tile is None:
            yield Fault("unknown", placement.cells, tile=placement.id)
            continue
        if not placement.cells or turned(placement.cells, 0) not in forms(tile.shape).values():
            yield Fault("form", placement.cells, tile=placement.id)
        used[placement.id] += 1
        if used[placement.id] == tile.count + 1:
            yield Fault("used", placement.cells, tile=placement.id, count=tile.count)


def _bad_squares(puzzle: Puzzle, position: Position) -> Iterator[Fault]:
    board, covered = set(puzzle.board), set[Cell]()
    for placement in position:
        if off := set(placement.cells) - board:
            yield Fault("off", off, tile=placement.id)
        if twice := set(placement.cells) & covered:
            yield Fault("taken", twice, tile=placement.id)
        covered |= set(placement.cells)


def _touching(position: Position) -> Iterator[Fault]:
    """Tiles of one colour that share a side; tiles without a colour are of none."""
    seen: dict[str, set[Cell]] = {}
    for placement in position:
        own = seen.setdefault(placement.colour, set())
        beside = {cell for cell in placement.cells if own & set(sides(cell))}
        if beside and placement.colour:
            yield Fault("side", beside, tile=placement.id, colour=placement.colour)
        own.update(placement.cells)


def sides(cell: Cell) -> Shape:
    x, y = cell
    return (x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)


def _loose(puzzle: Puzzle, colour: str, position: Position) -> Iterator[Fault]:
    """The tiles of a colour that can't be reached from a corner square, by corners.

    An order of play exists exactly if there are none, and no colour begins where another
    does: for no colour minds when the tiles of the others came."""
    own = [placement for placement in position if placement.colour == colour]
    reached = linked(puzzle, own)
    if own and not reached:
        rule = "biggest" if puzzle.constraints.descending else "start"
        yield Fault(rule, puzzle.corners, colour=colour)
        return
    for placement in own:
        if placement not in reached:
            rule = "smaller" if puzzle.constraints.descending else "loose"
            yield Fault(rule, placement.cells, tile=placement.id, colour=colour)


def linked(puzzle: Puzzle, own: Iterable[Placement]) -> list[Placement]:
    """Those tiles of one colour that can be laid, in such an order: the first on a corner
    square, each touching an earlier one at a corner; the biggest first, and each touching one
    that is no smaller, if sizes must descend."""
    grid, descending = puzzle.grid, puzzle.constraints.descending
    waiting = sorted(own, key=lambda placement: -len(placement.cells))
    biggest = max(len(tile.shape) for tile in puzzle.tiles)
    order: list[Placement] = []
    open = {size: grid.mask(puzzle.corners) for size in range(biggest + 1)}
    if descending:
        open |= dict.fromkeys(range(biggest), 0)
    while True:
        for placement in waiting:
            mask = grid.mask(cell for cell in placement.cells if cell in grid)
            if mask & open.get(len(placement.cells), 0):
                break
        else:
            return order
        for size in open:
            touching = size <= len(placement.cells) or not descending
            open[size] = (open[size] if order else 0) | (grid.diagonal(mask) if touching else 0)
        waiting.remove(placement)
        order.append(placement)


def hanging(puzzle: Puzzle, own: Sequence[Placement]) -> dict[Placement, list[Placement]]:
    """For each tile of a colour that hangs together, those that would hang in the air
    without it: what `linked` would leave out, for all tiles at once."""
    grid, descending = puzzle.grid, puzzle.constraints.descending
    tiles = sorted(own, key=lambda placement: -len(placement.cells))
    masks = [grid.mask(placement.cells) for placement in tiles]
    corners, biggest = grid.mask(puzzle.corners), max(len(tile.shape) for tile in puzzle.tiles)
    near = [grid.diagonal(mask) for mask in masks]
    # A tile may hang on any that it touches, or on those that are no smaller.
    held = [
        [
            below
            for below, mask in enumerate(masks)
            if near[above] & mask
            and not (descending and len(tiles[below].cells) > len(tiles[above].cells))
        ]
        for above in range(len(tiles))
    ]
    firsts = [
        n
        for n, mask in enumerate(masks)
        if mask & corners and not (descending and len(tiles[n].cells) < biggest)
    ]
    found = {}
    for lifted, placement in enumerate(tiles):
        reached = set(next(([n] for n in firsts if n != lifted), []))
        waiting = list(reached)
        while waiting:
            new = [n for n in held[waiting.pop()] if n != lifted and n not in reached]
            reached.update(new)
            waiting += new
        found[placement] = [
            tile for n, tile in enumerate(tiles) if n != lifted and n not in reached
        ]
    return found
