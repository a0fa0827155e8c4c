"""Puzzles by hand as text: moves, positions, and solutions as records."""

from collections.abc import Iterable

from tegel.cells import Grid
from tegel.game import BadNotation
from tegel.games.puzzle.moves import LIFT, LONGEST, Move, covering, known, laid
from tegel.games.puzzle.rules import Rules, State, begin, refusal
from tegel.lattice import Shape, forms, square, turned
from tegel.record import Record, shortened
from tegel.solver.check import faults, linked
from tegel.solver.puzzle import COLOURS, Placement, Position, Puzzle


def parse(text: str) -> Move:
    """A move from `blue-F.3@k10`, from tile and squares `blue-V3 a20,b20,b19`, or `lift@k10`."""
    try:
        return _placed(text.strip()) if "@" in text else _covering(text)
    except ValueError as error:
        raise BadNotation(text, str(error)) from None


def _placed(text: str) -> Move:
    form, _, place = text.partition("@")
    tile, dot, turn = form.partition(".")
    if form == LIFT:
        return Move(LIFT, 0, square(place))
    if not dot or turn not in tuple("01234567"):
        raise ValueError("a turn is 0 to 7, as in blue-F.3@k10")
    if not tile.replace("-", "").isalnum() or len(tile) > LONGEST:
        raise ValueError(f"there is no tile {shortened(tile)}")
    shape = known(tile)
    return Move(tile, _least_turn(shape, int(turn)) if shape else int(turn), square(place))


def _covering(text: str) -> Move:
    tile, _, rest = text.strip().partition(" ")
    cells = [square(word.strip()) for word in rest.split(",")]
    shape = known(tile)
    if shape is None:
        raise ValueError(f"there is no tile {shortened(tile)} that all puzzles know")
    return covering(tile, shape, cells)


def _least_turn(shape: Shape, turn: int) -> int:
    form = turned(shape, turn)
    return next(least for least, other in forms(shape).items() if other == form)


def restore(rules: Rules, text: str) -> State:
    """A position from the lines that `str` writes below the heading."""
    rules = begin(rules).rules
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    last = parse(lines.pop(0)[5:].strip()) if lines and lines[0].startswith("last:") else None
    lying = []
    for line in lines:
        move = parse(line)
        tile = rules.puzzle.kinds.get(move.tile)
        if tile is None:
            raise BadNotation(line, f"{rules.variant} has no such tile")
        form = forms(tile.shape).get(move.turn)
        if form is None:
            raise BadNotation(line, "the tile has no such turn")
        x, y = move.cell
        cells = sorted((x + u, y + v) for u, v in form)
        lying.append(Placement(tile.name, tile.colour, tuple(cells)))
    for wrong in faults(rules.puzzle, lying):
        raise BadNotation(text, str(refusal(wrong)))
    return State(rules, tuple(sorted(lying)), last)


def record(puzzle: Puzzle, position: Iterable[Placement]) -> Record:
    """A solution as a record: a game of Blokus where its rules hold, otherwise the puzzle by
    hand."""
    position = tuple(position)
    if puzzle.constraints.linked:
        return _order_of_play(puzzle, position)
    kinds = puzzle.kinds
    moves = tuple(str(laid(placement, kinds[placement.id].shape)) for placement in position)
    return Record("puzzle", puzzle.name, {}, {}, moves)


def _order_of_play(puzzle: Puzzle, position: Position) -> Record:
    """A solution played as a game of Blokus, colours in turn. Its moves name a tile without
    its colour."""
    if {tile.colour for tile in puzzle.tiles} != set(COLOURS) or puzzle.grid != Grid(20, 20):
        raise BadNotation(puzzle.name, "is not played with the tiles and the board of Blokus")
    orders = [linked(puzzle, [p for p in position if p.colour == c]) for c in COLOURS]
    moves = [
        str(laid(placement)._replace(tile=placement.tile))
        for turn in zip(*orders, strict=True)
        for placement in turn
    ]
    return Record("blokus", "classic", {}, {"puzzle": puzzle.name}, tuple(moves))
