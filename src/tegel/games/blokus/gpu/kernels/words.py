"""Boards as words: bits, shifts, and the squares that a colour may cover."""

from typing import Any

import triton
import triton.language as tl
from triton.language.extra import libdevice

from tegel.games.blokus.gpu import tables
from tegel.games.blokus.rules import FULL_HAND

INTERPRETED: Any = tl.constexpr(triton.knobs.runtime.interpret)
ACROSS: Any = tl.constexpr(tuple(x for x, _ in tables.OFFSETS))
UP: Any = tl.constexpr(tuple(y for _, y in tables.OFFSETS))
OFFSETS: Any = tl.constexpr(len(tables.OFFSETS))
HAND: Any = tl.constexpr(FULL_HAND)


@triton.jit
def bit_count(x):
    if INTERPRETED:  # which knows no instructions of a GPU
        x = x - ((x >> 1) & 0x55555555)
        x = (x & 0x33333333) + ((x >> 2) & 0x33333333)
        x = (x + (x >> 4)) & 0x0F0F0F0F
        found = (x * 0x01010101) >> 24
    else:
        found = libdevice.popc(x.to(tl.int32, bitcast=True)).to(tl.uint32, bitcast=True)
    return found


@triton.jit
def nth_bit(x, n):
    """The place of the n-th bit set, counted from 0."""
    at = tl.zeros_like(n)
    for step in tl.static_range(5):
        low = bit_count(x & ((1 << (16 >> step)) - 1)).to(tl.int32)
        beyond = n >= low
        n = tl.where(beyond, n - low, n)
        x = tl.where(beyond, x >> (16 >> step), x)
        at += tl.where(beyond, 16 >> step, 0)
    return at


@triton.jit
def table_at(table, at, on):
    return tl.load(table + at, mask=on, other=0).to(tl.uint32, bitcast=True)


@triton.jit
def word_at(boards, i, colour, frame, g, on, games, WORDS: tl.constexpr, COLOURS: tl.constexpr):
    at = ((colour * COLOURS + frame) * WORDS + i) * games + g
    inside = on & (i >= 0) & (i < WORDS)
    return tl.load(boards + at, mask=inside, other=0).to(tl.uint32, bitcast=True)


@triton.jit
def down(words, SHIFT: tl.constexpr):
    """The first of some words after a shift to lower places."""
    WORD: tl.constexpr = SHIFT // 32
    REST: tl.constexpr = SHIFT % 32
    if REST == 0:
        found = words[WORD]
    else:
        found = (words[WORD] >> REST) | (words[WORD + 1] << (32 - REST))
    return found


@triton.jit
def shifted(words, STRIDE: tl.constexpr):
    """By offset: the board seen from there."""
    found = ()
    for k in tl.static_range(OFFSETS):
        found = found + (down(words, UP[k] * STRIDE + ACROSS[k]),)
    return found


@triton.jit
def ground(
    boards, starts, full, i, colour, frame, hand, g, on, games,
    STRIDE: tl.constexpr, WORDS: tl.constexpr, COLOURS: tl.constexpr,
):  # fmt: skip
    """Word i of the squares that a colour covers, may cover, and one of which it must cover."""
    below = word_at(boards, i - 1, colour, frame, g, on, games, WORDS, COLOURS)
    own = word_at(boards, i, colour, frame, g, on, games, WORDS, COLOURS)
    above = word_at(boards, i + 1, colour, frame, g, on, games, WORDS, COLOURS)
    closed = own
    for step in tl.static_range(1, COLOURS):
        other = (colour + step) % COLOURS
        closed |= word_at(boards, i, other, frame, g, on, games, WORDS, COLOURS)
    closed |= (own << 1) | (below >> 31) | (own >> 1) | (above << 31)
    closed |= (own << STRIDE) | (below >> (32 - STRIDE))
    closed |= (own >> STRIDE) | (above << (32 - STRIDE))
    met = (own << (STRIDE + 1)) | (below >> (31 - STRIDE))
    met |= (own >> (STRIDE + 1)) | (above << (31 - STRIDE))
    met |= (own << (STRIDE - 1)) | (below >> (33 - STRIDE))
    met |= (own >> (STRIDE - 1)) | (above << (33 - STRIDE))
    inside = on & (i < WORDS)
    first = inside & (hand == HAND)
    met |= table_at(starts, (colour * COLOURS + frame) * WORDS + i, first)
    return own, table_at(full, i + g * 0, inside) & ~closed, met
