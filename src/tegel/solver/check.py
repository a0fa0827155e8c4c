"""The checker: what is wrong with a position, finished or not, and what is missing."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

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
    """Whether nothing is missing and no rule is broken."""
    position = tuple(position)
    squares, tiles = missing(puzzle, position)
    return not (squares if puzzle.constraints.fill else tiles) and not fault(puzzle, position)


def missing(puzzle: Puzzle, position: Iterable[Placement]) -> tuple[Shape, Counter[str]]:
    """The squares not covered, and the tiles not used, by their ids."""
    position = tuple(position)
    covered = {cell for placement in position for cell in placement.cells}
    return tuple(cell for cell in puzzle.board if cell not in covered), unused(puzzle, position)


def unused(puzzle: Puzzle, position: Iterable[Placement]) -> Counter[str]:
    """How often each tile is left, by its id."""
    left = Counter({id: tile.count for id, tile in puzzle.kinds.items()})
    left.subtract(placement.id for placement in position)
    return +left


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


def corners_of(cell: Cell) -> Shape:
    x, y = cell
    return (x + 1, y + 1), (x + 1, y - 1), (x - 1, y + 1), (x - 1, y - 1)


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


class Web(NamedTuple):
    """How the tiles of one colour hang together: by tile the numbers of those that hang on
    it, and the first that may lie without any."""

    tiles: Sequence[Placement]
    holds: Sequence[set[int]]
    firsts: Sequence[int]


def web(puzzle: Puzzle, own: Iterable[Placement]) -> Web:
    """The web of tiles that break no rule: so whatever they touch, they touch at a corner."""
    descending = puzzle.constraints.descending
    tiles = sorted(own, key=lambda placement: -len(placement.cells))
    corners, biggest = set(puzzle.corners), max(len(tile.shape) for tile in puzzle.tiles)
    lying = {cell: number for number, tile in enumerate(tiles) for cell in tile.cells}
    # A tile may hang on any that it touches, or on those that are no smaller.
    holds = [
        {
            other
            for other in {lying[x] for cell in tile.cells for x in corners_of(cell) if x in lying}
            if not (descending and len(tiles[other].cells) > len(tile.cells))
        }
        for tile in tiles
    ]
    firsts = [
        number
        for number, tile in enumerate(tiles)
        if corners & set(tile.cells) and not (descending and len(tile.cells) < biggest)
    ]
    return Web(tiles, holds, firsts)


def hanging(web: Web, lifted: Placement) -> list[Placement]:
    """The tiles that would hang in the air without one of them: what `linked` would leave
    out."""
    tiles, holds, firsts = web
    without = tiles.index(lifted)
    reached = {without, *[n for n in firsts if n != without][:1]}
    waiting = list(reached - {without})
    while waiting:
        new = holds[waiting.pop()] - reached
        reached |= new
        waiting += new
    return [tile for n, tile in enumerate(tiles) if n not in reached]
