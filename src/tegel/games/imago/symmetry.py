"""Imago positions that are the same: turned, flipped, with other colours or the players changed."""

from collections.abc import Iterator

from tegel.game import Seat
from tegel.games.imago.rules import State
from tegel.games.imago.stones import HOLLOWS, TOP
from tegel.lattice import SQUARE, Cell

Turn = tuple[int, int]  # how often it is flipped and turned


def alike(state: State) -> Iterator[str]:
    """The position with board and stocks turned and flipped together. Colours are numbered as
    they are met, for which is which is no matter, nor where a stock began, nor what was set
    aside, but how much; the player whose turn it is comes first."""
    for flips in range(2):
        for turns in range(4):
            yield _text(state, (flips, turns))


def _text(state: State, turn: Turn) -> str:
    table, first = state.table, max(state.player, 0)
    numbers: dict[int, int] = {}  # by kind

    def number(colour: int) -> int:
        return numbers.setdefault(table.kinds[colour], len(numbers))

    lying = {_on_board(cell, turn): colour for cell, colour in table.colour_at.items()}
    parts: list[object] = [state.player < 0, state.step, state.passes]
    parts.append([number(lying[cell]) if cell in lying else "." for cell in HOLLOWS])
    for seat in (first, 1 - first):
        stock, corner = table.stocks[seat], _corner(state, seat, turn)
        stones = sorted((_from(_moved(cell, turn), corner), c) for cell, c in stock.stones)
        parts.append([(cell, number(colour)) for cell, colour in stones])
        parts.append(stock.claim and _sum(_on_board(stock.claim, turn), corner))
        parts += [stock.out, sum(table.aside[seat])]
    if state.asked:
        place = _from(_moved(state.asked.place, turn), _corner(state, state.player, turn))
        parts += [_on_board(state.asked.cell, turn), place]
    return repr(parts)


def _corner(state: State, seat: Seat, turn: Turn) -> Cell:
    """The lower left of a stock's box, when it is turned."""
    cells = [_moved(cell, turn) for cell, _ in state.table.stocks[seat].stones] or [(0, 0)]
    return min(x for x, _ in cells), min(y for _, y in cells)


def _moved(cell: Cell, turn: Turn) -> Cell:
    """A cell flipped and turned about the origin."""
    flips, turns = turn
    for a, b, c, d in [SQUARE.mirror] * flips + [SQUARE.quarter] * turns:
        x, y = cell
        cell = a * x + b * y, c * x + d * y
    return cell


def _on_board(cell: Cell, turn: Turn) -> Cell:
    """A hollow flipped and turned about the middle of the board."""
    x, y = _moved((2 * cell[0] - TOP, 2 * cell[1] - TOP), turn)
    return (x + TOP) // 2, (y + TOP) // 2


def _sum(one: Cell, other: Cell) -> Cell:
    return one[0] + other[0], one[1] + other[1]


def _from(cell: Cell, corner: Cell) -> Cell:
    return cell[0] - corner[0], cell[1] - corner[1]
