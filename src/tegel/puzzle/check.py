"""The checker: what is wrong with a position, finished or not, and what is missing."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

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
    left = Counter({tile.id: tile.count for tile in puzzle.tiles})
    left.subtract(placement.id for placement in position)
    return tuple(cell for cell in puzzle.board if cell not in covered), +left


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


def hanging(puzzle: Puzzle, own: Sequence[Placement]) -> dict[Placement, list[Placement]]:
    """For each tile of a colour that hangs together, those that would hang in the air
    without it: what `linked` would leave out, for all tiles at once."""
    grid, descending = puzzle.grid, puzzle.law.descending
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
