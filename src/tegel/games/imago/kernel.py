"""Imago in numbers, as rules.hpp has it: codes of moves, packed positions."""

from typing import get_args

from tegel.games.imago.rules import Act, Move, State, Step
from tegel.games.imago.stones import GRID

ACTS: tuple[Act, ...] = get_args(Act)
STEPS: tuple[Step, ...] = get_args(Step)
MIDDLE = 8  # stock cells are counted from the first stone, both ways


def code(move: Move) -> int:
    """The act, a hollow or what was drawn, and a stock cell."""
    drawn = move.act in ("draw", "lot")
    first = move.drawn if drawn else GRID.offset(move.cell)
    x, y = move.place
    return ACTS.index(move.act) << 14 | first << 8 | x + MIDDLE << 4 | y + MIDDLE


def decode(code: int) -> Move:
    """The move of a code; the inverse of `code`."""
    act, first = ACTS[code >> 14], code >> 8 & 63
    if act in ("draw", "lot"):
        return Move(act, drawn=first)
    return Move(act, GRID.cell(first), ((code >> 4 & 15) - MIDDLE, (code & 15) - MIDDLE))


def pack(state: State) -> list[int]:
    table = state.table
    packed = [*table.kinds, *table.board, state.player, STEPS.index(state.step)]
    packed += [code(state.asked) if state.asked else 0, state.passes]
    for stock, aside in zip(table.stocks, table.aside, strict=True):
        claim = -1 if stock.claim is None else GRID.offset(stock.claim)
        packed += [claim, int(stock.out), len(stock.stones)]
        for (x, y), colour in stock.stones:
            packed += [x, y, colour]
        packed += aside
    return packed
