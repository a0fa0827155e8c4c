"""Moves as words: where forms may lie, how many places these are, one of them, and laying it."""

from typing import Any

import triton
import triton.language as tl

from tegel.games.blokus.gpu import boards, tables
from tegel.games.blokus.gpu.kernels.words import bit_count, ground, nth_bit, shifted, table_at

CELLS: Any = tl.constexpr(tables.CELLS)
TILE_OF: Any = tl.constexpr(tables.TILE_OF)
FORMS: Any = tl.constexpr(tables.FORM_COUNT)
AHEAD: Any = tl.constexpr(3)  # so many words may a form reach into
FACTOR: Any = tl.constexpr(boards.FACTOR)
SUMMAND: Any = tl.constexpr(boards.SUMMAND)


@triton.jit
def placed(free, met, hand, FORM: tl.constexpr):
    """Where a form may lie, of 32 squares."""
    cells: tl.constexpr = CELLS[FORM]
    fits = free[cells[0]]
    touches = met[cells[0]]
    for k in tl.static_range(1, len(cells)):
        fits = fits & free[cells[k]]
        touches = touches | met[cells[k]]
    held = 0 - ((hand >> TILE_OF[FORM]) & 1)
    return fits & touches & held


@triton.jit
def counted(free, met, hand, STRIDE: tl.constexpr):
    """How many placements begin on 32 squares."""
    free = shifted(free, STRIDE)
    met = shifted(met, STRIDE)
    many = tl.zeros_like(hand)
    for form in tl.static_range(FORMS):
        many += bit_count(placed(free, met, hand, form))
    return many


@triton.jit
def survey(
    boards, starts, full, sight, colour, frame, hand, g, on, games,
    STRIDE: tl.constexpr, WORDS: tl.constexpr, COLOURS: tl.constexpr,
):  # fmt: skip
    """Note the squares that a colour may cover, word by word, and those one of which it must."""
    for i in range(WORDS):
        _, free, met = ground(
            boards, starts, full, i, colour, frame, hand, g, on, games, STRIDE, WORDS, COLOURS
        )
        tl.store(sight + i * games + g, free.to(tl.int32, bitcast=True), mask=on)
        at = sight + (WORDS + AHEAD + i) * games + g
        tl.store(at, met.to(tl.int32, bitcast=True), mask=on)


@triton.jit
def around(sight, i, g, on, games, WORDS: tl.constexpr):
    """What was noted, from word i on: as much as a form may cover."""
    free = ()
    met = ()
    for k in tl.static_range(AHEAD + 1):
        free = free + (table_at(sight, (i + k) * games + g, on),)
        met = met + (table_at(sight, (WORDS + AHEAD + i + k) * games + g, on),)
    return free, met


@triton.jit
def moves_of(
    sight, by_word, hand, g, on, games, STRIDE: tl.constexpr, WORDS: tl.constexpr
):  # fmt: skip
    """How many moves a colour has; and, noted by word, how many begin there."""
    many = tl.zeros_like(hand)
    for i in range(WORDS):
        free, met = around(sight, i, g, on, games, WORDS)
        here = counted(free, met, hand, STRIDE)
        tl.store(by_word + i * games + g, here.to(tl.int32, bitcast=True), mask=on)
        many += here
    return many.to(tl.int32, bitcast=True)


@triton.jit
def move_at(
    sight, by_word, hand, rest, g, on, games, STRIDE: tl.constexpr, WORDS: tl.constexpr
):  # fmt: skip
    """The form and the place of the move of a number, word by word and then by forms."""
    i = tl.zeros_like(rest)
    going = on
    for k in range(WORDS):
        here = tl.load(by_word + k * games + g, mask=on, other=0)
        going = going & (rest >= here)
        rest = tl.where(going, rest - here, rest)
        i = tl.where(going, k + 1, i)
    free, met = around(sight, i, g, on, games, WORDS)
    free = shifted(free, STRIDE)
    met = shifted(met, STRIDE)
    form = tl.zeros_like(rest)
    squares = tl.zeros_like(hand)
    kept = tl.zeros_like(rest)
    for number in tl.static_range(FORMS):
        found = placed(free, met, hand, number)
        many = bit_count(found).to(tl.int32)
        here = (rest >= 0) & (rest < many)
        form = tl.where(here, number, form)
        squares = tl.where(here, found, squares)
        kept = tl.where(here, rest, kept)
        rest -= many
    return form, i * 32 + nth_bit(squares, kept)


@triton.jit
def lot(lots, many, on):
    """The generator after a draw, and a number below another."""
    drawn = lots * FACTOR + SUMMAND
    lots = tl.where(on & (many > 0), drawn, lots)
    return lots, ((((drawn >> 32) & 0xFFFFFFFF) * many) >> 32).to(tl.int32)


@triton.jit
def lay(
    boards, forms, turned, widths, heights, colour, form, x, y, g, on, games,
    SIZE: tl.constexpr, STRIDE: tl.constexpr, WORDS: tl.constexpr, COLOURS: tl.constexpr,
):  # fmt: skip
    """Cover squares of a form that lies at (x, y) in the frame of its colour, in every frame."""
    across = SIZE - x - tl.load(widths + form, mask=on, other=0)
    up = SIZE - y - tl.load(heights + form, mask=on, other=0)
    for frame in tl.static_range(COLOURS):
        turns = ((colour - frame) * (4 // COLOURS)) & 3
        column = tl.where(turns == 0, x, tl.where(turns == 1, y, tl.where(turns == 2, across, up)))
        row = tl.where(turns == 0, y, tl.where(turns == 1, across, tl.where(turns == 2, up, x)))
        shape = tl.load(turned + turns * FORMS + form, mask=on, other=0)
        place = row * STRIDE + column
        shift = (place & 31).to(tl.uint32)
        before = tl.zeros_like(shift)
        for k in tl.static_range(4):
            part = before
            if k < 3:
                before = table_at(forms, shape * 3 + k, on)
            part = (part >> 1) >> (31 - shift)
            if k < 3:
                part |= before << shift
            i = place // 32 + k
            at = boards + ((colour * COLOURS + frame) * WORDS + i) * games + g
            some = on & (part != 0) & (i < WORDS)
            old = tl.load(at, mask=some, other=0)
            tl.store(at, old | part.to(tl.int32, bitcast=True), mask=some)
