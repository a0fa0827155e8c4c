"""What a net sees of Forma, drawn by the law: planes.hpp says the same, faster.

Seats come in the order of turns, from the mover on; the board lies as it is."""

from tegel.cells import bits
from tegel.game import Seat
from tegel.games.forma.layout import DONE, OBSTACLES
from tegel.games.forma.rules import DECLINE, State
from tegel.games.forma.tiles import FORMS, Move, places

NAMES = tuple(FORMS)
NUMBERS = {form: number for number, form in enumerate(FORMS)}
PIECES = ("obstacle", "tower", "remove")
WORDS = (DECLINE, DONE)


def channels(state: State) -> list[str]:
    """For each seat its squares, its markers, on squares and obstacles, and the squares that one of
    its tiles could cover; obstacles, the tower, free squares; how many free squares are beside a
    square."""
    seats = range(state.rules.seats)
    own = [f"{kind} {step}" for step in seats for kind in ("tiles", "marked", "reach")]
    return [*own, "obstacles", "tower", "free", "open"]


def layers(state: State) -> list[list[list[int]]]:
    """The planes: by channel, row and column."""
    grid, sets = state.rules.grid, list[int]()
    for seat in _seats(state):
        reach = 0
        for form, fitting in places(grid, state.free, state.hands[seat]):
            for cell in FORMS[form]:
                reach |= fitting << grid.offset(cell)
        sets += [state.tiles[seat], state.markers[seat], reach]
    sets += [state.layout.obstacles, state.layout.tower, state.free]
    line = range(state.rules.size)
    found = [[[0 for _ in line] for _ in line] for _ in channels(state)]
    for plane, squares in zip(found, sets, strict=False):
        for x, y in grid.cells(squares):
            plane[y][x] = 1
    for offset in bits(grid.full):
        x, y = grid.cell(offset)
        found[-1][y][x] = (grid.beside(1 << offset) & state.free).bit_count()
    return found


def scalars(state: State) -> list[float]:
    """For each seat its hand and what it laid aside, 21 counts by 2 each, the part of its markers
    that is left, its score so far by 100, whether it closed the tower in; then whether there was a
    misfit, whether the board is being set up, obstacles by 25, whether the tower stands."""
    rules, layout, found = state.rules, state.layout, list[float]()
    for seat in _seats(state):
        found += [copies / 2 for copies in (*state.hands[seat], *state.aside[seat])]
        found.append(1 - state.markers[seat].bit_count() / rules.markers)
        found.append(state.scores[seat] / 100)
        found.append(float(state.closer == seat))
    found += [float(state.misfit), float(not state.ready)]
    return [*found, layout.count / OBSTACLES, float(layout.tower > 0)]


def labels(state: State) -> list[str]:
    """The names of the scalars."""
    tiles, found = range(len(state.hands[0])), list[str]()
    for step in range(len(state.hands)):
        found += [f"tile {tile} {where} {step}" for where in ("of", "aside") for tile in tiles]
        found += [f"{what} of {step}" for what in ("markers", "score", "tower")]
    return [*found, "misfit", "set-up", "obstacles", "tower"]


def action(state: State, move: Move) -> int:
    """The number of a move: squares x plane + square, a plane for each of the 91 forms, with the
    square of the lower left; then one each for obstacles put up, the tower, and pieces taken away;
    then one whose first squares are decline and done."""
    size = state.rules.size
    if move.cell is None:
        if move not in WORDS:
            raise ValueError(f"a draw has no number: {move}")
        return (len(FORMS) + len(PIECES)) * size**2 + WORDS.index(move)
    form = (move.what, move.turn)
    plane = NUMBERS[form] if form in FORMS else len(FORMS) + PIECES.index(move.what)
    column, row = move.cell
    return (plane * size + row) * size + column


def move_of(state: State, action: int) -> Move:
    """The move of a number, legal or not; the inverse of `action`."""
    size = state.rules.size
    plane, square = divmod(action, size**2)
    cell = square % size, square // size
    if plane < len(FORMS):
        tile, turn = NAMES[plane]
        return Move(tile, cell, turn)
    if plane < len(FORMS) + len(PIECES):
        return Move(PIECES[plane - len(FORMS)], cell)
    return WORDS[square % len(WORDS)]


def actions(state: State) -> int:
    """How many moves there are, legal or not."""
    return (len(FORMS) + len(PIECES) + 1) * state.rules.size**2


def _seats(state: State) -> list[Seat]:
    count = state.rules.seats
    return [(state.turn + step) % count for step in range(count)]
