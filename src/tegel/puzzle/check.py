"""The checker: what is wrong with a position, finished or not, and what is missing."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from tegel.game import IllegalMove, sentence
from tegel.lattice import Cell, Shape, forms, names, turned
from tegel.puzzle.puzzle import Placement, Position, Puzzle


def faults(puzzle: Puzzle, position: Iterable[Placement]) -> Iterator[IllegalMove]:
    """All that is wrong with a position, finished or not; each says in a sentence what and
    where. Nothing of a partial position is wrong only because something is missing."""
    position = tuple(position)
    yield from _bad_tiles(puzzle, position)
    yield from _bad_squares(puzzle, position)
    if puzzle.law.apart:
        yield from _touching(position)
    if puzzle.law.linked:
        for colour in dict.fromkeys(tile.colour for tile in puzzle.tiles):
            yield from _loose(puzzle, colour, position)


def fault(puzzle: Puzzle, position: Iterable[Placement]) -> IllegalMove | None:
    """The first thing that is wrong with a position."""
    return next(faults(puzzle, position), None)


def solved(puzzle: Puzzle, position: Iterable[Placement]) -> bool:
    position = tuple(position)
    squares, tiles = missing(puzzle, position)
    return not (squares if puzzle.law.fill else tiles) and not fault(puzzle, position)


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


def verdict(puzzle: Puzzle, position: Iterable[Placement]) -> str:
    """What the checker says of a position, in a sentence."""
    position = tuple(position)
    if wrong := fault(puzzle, position):
        return str(wrong)
    squares, tiles = missing(puzzle, position)
    key = "solved" if solved(puzzle, position) else "good"
    args = {"tiles": tiles.total(), "squares": len(squares)}
    return sentence("puzzle", "verdicts", key, args)


def illegal(rule: str, cells: Iterable[Cell] = (), **args: object) -> IllegalMove:
    cells = tuple(sorted(cells))
    return IllegalMove("puzzle", rule, cells, at=names(cells), **args)


def _bad_tiles(puzzle: Puzzle, position: Position) -> Iterator[IllegalMove]:
    used: Counter[str] = Counter()
    for placement in position:
        tile = puzzle.kinds.get(placement.id)
        if tile is None:
            yield illegal("unknown", placement.cells, tile=placement.id)
            continue
        if not placement.cells or turned(placement.cells, 0) not in forms(tile.shape).values():
            yield illegal("form", placement.cells, tile=placement.id)
        used[placement.id] += 1
        if used[placement.id] == tile.count + 1:
            yield illegal("used", placement.cells, tile=placement.id, count=tile.count)


def _bad_squares(puzzle: Puzzle, position: Position) -> Iterator[IllegalMove]:
    board, covered = set(puzzle.board), set[Cell]()
    for placement in position:
        if off := set(placement.cells) - board:
            yield illegal("off", off, tile=placement.id)
        if twice := set(placement.cells) & covered:
            yield illegal("taken", twice, tile=placement.id)
        covered |= set(placement.cells)


def _touching(position: Position) -> Iterator[IllegalMove]:
    """Tiles of one colour that share a side; tiles without a colour are of none."""
    seen: dict[str, set[Cell]] = {}
    for placement in position:
        own = seen.setdefault(placement.colour, set())
        beside = {cell for cell in placement.cells if own & set(sides(cell))}
        if beside and placement.colour:
            yield illegal("side", beside, tile=placement.id, colour=placement.colour)
        own.update(placement.cells)


def sides(cell: Cell) -> Shape:
    x, y = cell
    return (x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)


def corners_of(cell: Cell) -> Shape:
    x, y = cell
    return (x + 1, y + 1), (x + 1, y - 1), (x - 1, y + 1), (x - 1, y - 1)


def _loose(puzzle: Puzzle, colour: str, position: Position) -> Iterator[IllegalMove]:
    """The tiles of a colour that can't be reached from a corner square, by corners.

    An order of play exists exactly if there are none, and no colour begins where another
    does: for no colour minds when the tiles of the others came."""
    own = [placement for placement in position if placement.colour == colour]
    reached = linked(puzzle, own)
    if own and not reached:
        rule = "biggest" if puzzle.law.descending else "start"
        yield illegal(rule, puzzle.corners, colour=colour)
        return
    for placement in own:
        if placement not in reached:
            rule = "smaller" if puzzle.law.descending else "loose"
            yield illegal(rule, placement.cells, tile=placement.id, colour=colour)


def linked(puzzle: Puzzle, own: Iterable[Placement]) -> list[Placement]:
    """Those tiles of one colour that can be laid, in such an order: the first on a corner
    square, each touching an earlier one at a corner; the biggest first, and each touching one
    that is no smaller, if sizes must descend."""
    grid, descending = puzzle.grid, puzzle.law.descending
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
    descending = puzzle.law.descending
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
