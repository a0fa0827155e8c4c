"""What is shown of a position as boards: in digits, where it is a number."""

from typing import Any

import triton
import triton.language as tl

from tegel.games.blokus.gpu import tables
from tegel.games.blokus.gpu.kernels.moves import AHEAD, FORMS, around, placed
from tegel.games.blokus.gpu.kernels.play import any_count
from tegel.games.blokus.gpu.kernels.words import (
    ACROSS,
    OFFSETS,
    UP,
    bit_count,
    ground,
    shifted,
    table_at,
)

DIGITS: Any = tl.constexpr(9)  # of how many moves cover a square, 414 at most
KEPT: Any = tl.constexpr(8)
SHOWN: Any = tl.constexpr(3 + 8)  # boards of a colour: tiles, closed, corners, then digits
COVERING: Any = tl.constexpr(
    tuple(
        tuple(form for form, cells in enumerate(tables.CELLS) if offset in cells)
        for offset in range(len(tables.OFFSETS))
    )
)
"""By offset: the forms that cover it."""


@triton.jit
def add_bits(a, b, c):
    """The sum of three bits in every place: its ones and its twos."""
    return a ^ b ^ c, (a & b) | (c & (a | b))


@triton.jit
def covering(found, OFFSET: tl.constexpr):
    """How many of the placements of all forms cover an offset, as six digits."""
    forms: tl.constexpr = COVERING[OFFSET]
    zero = tl.zeros_like(found[0])
    d0 = zero
    d1 = zero
    d2 = zero
    d3 = zero
    d4 = zero
    d5 = zero
    for k in tl.static_range(0, len(forms), 4):
        some = ()
        for more in tl.static_range(4):
            if k + more < len(forms):
                some = some + (found[forms[k + more]],)
            else:
                some = some + (zero,)
        d0, one = add_bits(d0, some[0], some[1])
        d0, two = add_bits(d0, some[2], some[3])
        d1, carry = add_bits(d1, one, two)
        d2, carry = add_bits(d2, carry, zero)
        d3, carry = add_bits(d3, carry, zero)
        d4, carry = add_bits(d4, carry, zero)
        d5 = d5 ^ carry
    return d0, d1, d2, d3, d4, d5


@triton.jit
def summed(digits, more):
    """Nine digits and six."""
    found = ()
    carry = tl.zeros_like(digits[0])
    zero = carry
    for k in tl.static_range(DIGITS):
        if k < 6:
            digit, carry = add_bits(digits[k], more[k], carry)
        else:
            digit, carry = add_bits(digits[k], zero, carry)
        found = found + (digit,)
    return found


@triton.jit
def moved(digits, SHIFT: tl.constexpr):
    """Six digits after a shift to higher places; or to lower ones."""
    found = ()
    for k in tl.static_range(6):
        if SHIFT >= 0:
            found = found + (digits[k] << SHIFT,)
        else:
            found = found + (digits[k] >> (0 - SHIFT),)
    return found


@any_count
def draw_boards(
    boards, starts, full, hands, colours, counts, shown, sight, games,
    STRIDE: tl.constexpr, WORDS: tl.constexpr, COLOURS: tl.constexpr, BLOCK: tl.constexpr,
):  # fmt: skip
    """What is shown of each colour, from the mover on, in the mover's frame, as boards: tiles,
    closed, corners, and how many moves cover a square, in eight digits."""
    g = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    on = g < games
    step = tl.program_id(1)
    frame = tl.load(colours + g, mask=on, other=0)
    colour = (frame + step) % COLOURS
    hand = table_at(hands, colour * games + g, on)
    sight += step * 2 * (WORDS + AHEAD) * games
    shown += step * SHOWN * WORDS * games
    for i in range(WORDS):
        own, free, met = ground(
            boards, starts, full, i, colour, frame, hand, g, on, games, STRIDE, WORDS, COLOURS
        )
        closed = table_at(full, i + g * 0, on) & ~free
        corners = met & free
        at = i * games + g
        tl.store(sight + at, free.to(tl.int32, bitcast=True), mask=on)
        tl.store(sight + (WORDS + AHEAD) * games + at, met.to(tl.int32, bitcast=True), mask=on)
        tl.store(shown + at, own.to(tl.int32, bitcast=True), mask=on)
        tl.store(shown + WORDS * games + at, closed.to(tl.int32, bitcast=True), mask=on)
        tl.store(shown + 2 * WORDS * games + at, corners.to(tl.int32, bitcast=True), mask=on)
    many = tl.zeros_like(hand)
    none = ()
    for k in tl.static_range(DIGITS):
        none = none + (many,)
    sum1 = none  # of the words after this one
    sum2 = none
    sum3 = none
    for i in range(WORDS):
        free, met = around(sight, i, g, on, games, WORDS)
        free = shifted(free, STRIDE)
        met = shifted(met, STRIDE)
        found = ()
        for form in tl.static_range(FORMS):
            placements = placed(free, met, hand, form)
            many += bit_count(placements)
            found = found + (placements,)
        sum0 = sum1
        sum1 = sum2
        sum2 = sum3
        sum3 = none
        for k in tl.static_range(OFFSETS):
            digits = covering(found, k)
            low = moved(digits, (UP[k] * STRIDE + ACROSS[k]) % 32)
            if (UP[k] * STRIDE + ACROSS[k]) // 32 == 0:
                sum0 = summed(sum0, low)
            elif (UP[k] * STRIDE + ACROSS[k]) // 32 == 1:
                sum1 = summed(sum1, low)
            else:
                sum2 = summed(sum2, low)
            if (UP[k] * STRIDE + ACROSS[k]) % 32 > 0:
                high = moved(digits, (UP[k] * STRIDE + ACROSS[k]) % 32 - 32)
                if (UP[k] * STRIDE + ACROSS[k]) // 32 == 0:
                    sum1 = summed(sum1, high)
                elif (UP[k] * STRIDE + ACROSS[k]) // 32 == 1:
                    sum2 = summed(sum2, high)
                else:
                    sum3 = summed(sum3, high)
        for k in tl.static_range(KEPT):
            digit = (sum0[k] | sum0[KEPT]).to(tl.int32, bitcast=True)
            tl.store(shown + ((3 + k) * WORDS + i) * games + g, digit, mask=on)
    tl.store(counts + step * games + g, many.to(tl.int32, bitcast=True), mask=on)
