"""What `boards` does, written for Triton: a game is a lane, its boards are words in registers.

All placements of a form are the AND of its shifts of the free squares and the OR of its shifts of
the open ones, as in the law, for 32 squares at a time. Boards lie in memory by colour, frame, word
and game, so that neighbouring lanes read neighbouring words."""

from typing import Any

import triton
import triton.language as tl
from triton.language.extra import libdevice

from tegel.env.gpu import tables
from tegel.env.gpu.boards import FACTOR as LOT_FACTOR
from tegel.env.gpu.boards import SUMMAND as LOT_SUMMAND
from tegel.games.blokus.rules import FULL_HAND

INTERPRETED: Any = tl.constexpr(triton.knobs.runtime.interpret)
CELLS: Any = tl.constexpr(tables.CELLS)
TILE_OF: Any = tl.constexpr(tables.TILE_OF)
LENGTHS: Any = tl.constexpr(tables.LENGTHS)
ACROSS: Any = tl.constexpr(tuple(x for x, _ in tables.OFFSETS))
UP: Any = tl.constexpr(tuple(y for _, y in tables.OFFSETS))
AHEAD: Any = tl.constexpr(3)  # so many words may a form reach into
OFFSETS: Any = tl.constexpr(len(tables.OFFSETS))
FORMS: Any = tl.constexpr(tables.FORM_COUNT)
HAND: Any = tl.constexpr(FULL_HAND)
FACTOR: Any = tl.constexpr(LOT_FACTOR)
SUMMAND: Any = tl.constexpr(LOT_SUMMAND)
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


# Words


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
def word_at(boards, i, colour, frame, g, on, games, WORDS: tl.constexpr, COLOURS: tl.constexpr):
    at = ((colour * COLOURS + frame) * WORDS + i) * games + g
    inside = on & (i >= 0) & (i < WORDS)
    return tl.load(boards + at, mask=inside, other=0).to(tl.uint32, bitcast=True)


@triton.jit
def table_at(table, at, on):
    return tl.load(table + at, mask=on, other=0).to(tl.uint32, bitcast=True)


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


# Moves


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


@triton.jit
def left(hand):
    """The squares of the tiles in a hand."""
    hand = hand.to(tl.uint32, bitcast=True)
    found = tl.zeros_like(hand)
    for k in tl.static_range(5):
        found += bit_count(hand & LENGTHS[k]) * (k + 1)
    return found.to(tl.int32, bitcast=True)


@triton.jit
def reward(
    hands, single, rewards, g, on, games,
    COLOURS: tl.constexpr, SIDE_OF: tl.constexpr, SIDES: tl.constexpr, SEATS: tl.constexpr,
):  # fmt: skip
    """Add what the end of a game brings, by seat."""
    scores = ()
    best = tl.zeros_like(single) - 1000
    for side in tl.static_range(SIDES):
        score = tl.zeros_like(single)
        for colour in tl.static_range(COLOURS):
            if SIDE_OF[colour] == side:
                hand = tl.load(hands + colour * games + g, mask=on, other=0)
                bonus = tl.where(((single >> colour) & 1) != 0, 20, 15)
                score += tl.where(hand == 0, bonus, 0 - left(hand))
        scores = scores + (score,)
        best = tl.maximum(best, score)
    winners = tl.zeros_like(single)
    for side in tl.static_range(SIDES):
        winners += (scores[side] == best).to(tl.int32)
    for seat in tl.static_range(SEATS):
        won = (scores[seat % SIDES] == best).to(tl.float32)
        value = (SIDES * won / winners.to(tl.float32) - 1) / (SIDES - 1)
        at = rewards + g * SEATS + seat
        tl.store(at, tl.load(at, mask=on, other=0.0) + value, mask=on)


# Kernels


@triton.jit
def count_moves(
    boards, starts, full, hands, colours, counts, sight, by_word, games,
    STRIDE: tl.constexpr, WORDS: tl.constexpr, COLOURS: tl.constexpr, BLOCK: tl.constexpr,
):  # fmt: skip
    """How many moves each colour has; one after the other, from the mover on."""
    g = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    on = g < games
    step = tl.program_id(1)
    colour = (tl.load(colours + g, mask=on, other=0) + step) % COLOURS
    hand = table_at(hands, colour * games + g, on)
    sight += step * 2 * (WORDS + AHEAD) * games
    by_word += step * WORDS * games
    survey(
        boards, starts, full, sight, colour, colour, hand, g, on, games, STRIDE, WORDS, COLOURS
    )
    many = moves_of(sight, by_word, hand, g, on, games, STRIDE, WORDS)
    tl.store(counts + colour * games + g, many, mask=on)


@triton.jit
def draw_lots(
    boards, starts, full, hands, colours, over, lots, actions, sight, by_word, games,
    SIZE: tl.constexpr, STRIDE: tl.constexpr, WORDS: tl.constexpr, COLOURS: tl.constexpr,
    BLOCK: tl.constexpr,
):  # fmt: skip
    """A random legal action of every game, -1 where it is over."""
    g = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = g < games
    on = inside & (tl.load(over + g, mask=inside, other=1) == 0)
    colour = tl.load(colours + g, mask=on, other=0)
    hand = table_at(hands, colour * games + g, on)
    survey(
        boards, starts, full, sight, colour, colour, hand, g, on, games, STRIDE, WORDS, COLOURS
    )
    many = moves_of(sight, by_word, hand, g, on, games, STRIDE, WORDS)
    after, rest = lot(tl.load(lots + g, mask=on, other=0), many, on)
    tl.store(lots + g, after, mask=on)
    form, place = move_at(sight, by_word, hand, rest, g, on, games, STRIDE, WORDS)
    action = (form * SIZE + place // STRIDE) * SIZE + place % STRIDE
    tl.store(actions + g, tl.where(on & (many > 0), action, -1), mask=inside)


@triton.jit
def lay_tiles(
    boards, forms, turned, widths, heights, tile_of, hands, colours, single, actions, games,
    SIZE: tl.constexpr, STRIDE: tl.constexpr, WORDS: tl.constexpr, COLOURS: tl.constexpr,
    BLOCK: tl.constexpr,
):  # fmt: skip
    """Lay tiles, where an action is not negative."""
    g = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = g < games
    action = tl.load(actions + g, mask=inside, other=-1).to(tl.int32)
    on = action >= 0
    action = tl.maximum(action, 0)
    colour = tl.load(colours + g, mask=on, other=0)
    form = action // (SIZE * SIZE)
    square = action % (SIZE * SIZE)
    lay(
        boards, forms, turned, widths, heights, colour, form, square % SIZE, square // SIZE,
        g, on, games, SIZE, STRIDE, WORDS, COLOURS,
    )  # fmt: skip
    tile = tl.load(tile_of + form, mask=on, other=0)
    hand = tl.load(hands + colour * games + g, mask=on, other=0)
    tl.store(hands + colour * games + g, hand ^ (1 << tile), mask=on)
    singles = tl.load(single + g, mask=on, other=0) & ~(1 << colour)
    tl.store(single + g, singles | ((tile == 0).to(tl.int32) << colour), mask=on)


@triton.jit
def judge(
    boards, starts, full, forms, tile_of, hands, colours, over, actions, may, games,
    SIZE: tl.constexpr, STRIDE: tl.constexpr, WORDS: tl.constexpr, COLOURS: tl.constexpr,
    BLOCK: tl.constexpr,
):  # fmt: skip
    """Whether each action is legal."""
    g = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = g < games
    action = tl.load(actions + g, mask=inside, other=-1)
    on = (action >= 0) & (action < FORMS * SIZE * SIZE)
    on = on & (tl.load(over + g, mask=inside, other=1) == 0)
    action = tl.where(on, action, 0).to(tl.int32)
    colour = tl.load(colours + g, mask=on, other=0)
    hand = table_at(hands, colour * games + g, on)
    form = action // (SIZE * SIZE)
    square = action % (SIZE * SIZE)
    place = square // SIZE * STRIDE + square % SIZE
    shift = (place % 32).to(tl.uint32)
    on = on & (((hand >> tl.load(tile_of + form, mask=on, other=0).to(tl.uint32)) & 1) == 1)
    touches = tl.zeros_like(hand)
    before = tl.zeros_like(hand)
    for k in tl.static_range(4):
        part = (before >> 1) >> (31 - shift)
        if k < 3:
            before = table_at(forms, form * 3 + k, on)
            part |= before << shift
        _, free, met = ground(
            boards, starts, full, place // 32 + k, colour, colour, hand, g, on, games,
            STRIDE, WORDS, COLOURS,
        )  # fmt: skip
        on = on & ((part & ~free) == 0)
        touches |= part & met
    tl.store(may + g, (on & (touches != 0)).to(tl.int8), mask=inside)


@triton.jit
def begin_anew(
    boards, hands, g, on, games, WORDS: tl.constexpr, COLOURS: tl.constexpr
):  # fmt: skip
    for k in range(COLOURS * COLOURS * WORDS):
        tl.store(boards + k * games + g, g * 0, mask=on)
    for k in tl.static_range(COLOURS):
        tl.store(hands + k * games + g, g * 0 + HAND, mask=on)


@triton.jit
def settle(
    boards, hands, colours, single, over, counts, stepped, done, rewards, games,
    WORDS: tl.constexpr, STRIDE: tl.constexpr, COLOURS: tl.constexpr, SIDE_OF: tl.constexpr,
    SIDES: tl.constexpr, SEATS: tl.constexpr, AUTORESET: tl.constexpr, BLOCK: tl.constexpr,
):  # fmt: skip
    """Give the turn on in games that were stepped, or end them."""
    g = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = g < games
    on = inside & (tl.load(stepped + g, mask=inside, other=0) != 0)
    colour = tl.load(colours + g, mask=on, other=0)
    following = (colour + 1) % COLOURS
    some = tl.zeros_like(colour)
    for back in tl.static_range(COLOURS):
        candidate = (colour + COLOURS - back) % COLOURS
        many = tl.load(counts + candidate * games + g, mask=on, other=0)
        following = tl.where(many > 0, candidate, following)
        some |= many
    ended = on & (some == 0)
    tl.store(done + g, ended.to(tl.int8), mask=inside)
    for seat in tl.static_range(SEATS):
        tl.store(rewards + g * SEATS + seat, g * 0.0, mask=inside)
    if tl.max(ended.to(tl.int32), 0) > 0:
        singles = tl.load(single + g, mask=ended, other=0)
        reward(hands, singles, rewards, g, ended, games, COLOURS, SIDE_OF, SIDES, SEATS)
        if AUTORESET:
            begin_anew(boards, hands, g, ended, games, WORDS, COLOURS)
            tl.store(single + g, g * 0, mask=ended)
            following = tl.where(ended, 0, following)
        else:
            tl.store(over + g, (g * 0 + 1).to(tl.int8), mask=ended)
    tl.store(colours + g, following, mask=on)


@triton.jit
def roll(
    boards, starts, full, forms, turned, widths, heights, tile_of,
    hands, colours, single, over, lots, done, rewards, sight, by_word, moves, games,
    SIZE: tl.constexpr, STRIDE: tl.constexpr, WORDS: tl.constexpr, COLOURS: tl.constexpr,
    SIDE_OF: tl.constexpr, SIDES: tl.constexpr, SEATS: tl.constexpr, AUTORESET: tl.constexpr,
    BLOCK: tl.constexpr,
):  # fmt: skip
    """Random legal moves in every game until it has made so many, and the turn is given on.

    In a round a lane looks at one colour: it makes a move, or is out for good."""
    g = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = g < games
    on = inside & (tl.load(over + g, mask=inside, other=1) == 0)
    colour = tl.load(colours + g, mask=inside, other=0)
    singles = tl.load(single + g, mask=inside, other=0)
    generator = tl.load(lots + g, mask=inside, other=0)
    mover = colour  # who moved last
    out = tl.zeros_like(colour)
    to_do = tl.zeros_like(colour) + moves
    while tl.max(on.to(tl.int32), 0) > 0:
        hand = table_at(hands, colour * games + g, on)
        survey(
            boards, starts, full, sight, colour, colour, hand, g, on, games, STRIDE, WORDS, COLOURS
        )
        many = moves_of(sight, by_word, hand, g, on, games, STRIDE, WORDS)
        can = on & (many > 0)
        on = on & ((many == 0) | (to_do > 0))
        going = can & on
        generator, rest = lot(generator, many, going)
        form, place = move_at(sight, by_word, hand, rest, g, going, games, STRIDE, WORDS)
        lay(
            boards, forms, turned, widths, heights, colour, form, place % STRIDE, place // STRIDE,
            g, going, games, SIZE, STRIDE, WORDS, COLOURS,
        )  # fmt: skip
        tile = tl.load(tile_of + form, mask=going, other=0)
        after = hand.to(tl.int32, bitcast=True) ^ (1 << tile)
        tl.store(hands + colour * games + g, after, mask=going)
        alone = (singles & ~(1 << colour)) | ((tile == 0).to(tl.int32) << colour)
        singles = tl.where(going, alone, singles)
        to_do = tl.where(going, to_do - 1, to_do)
        mover = tl.where(going, colour, mover)
        out = tl.where(on & ~can, out | (1 << colour), out)
        ended = on & (out == (1 << COLOURS) - 1)
        following = colour
        for back in tl.static_range(COLOURS):
            candidate = (colour + COLOURS - back) % COLOURS
            following = tl.where(((out >> candidate) & 1) == 0, candidate, following)
        colour = tl.where(on, following, colour)
        if tl.max(ended.to(tl.int32), 0) > 0:
            reward(hands, singles, rewards, g, ended, games, COLOURS, SIDE_OF, SIDES, SEATS)
            tl.store(done + g, (g * 0 + 1).to(tl.int8), mask=ended)
            if AUTORESET:
                begin_anew(boards, hands, g, ended, games, WORDS, COLOURS)
                singles = tl.where(ended, 0, singles)
                out = tl.where(ended, 0, out)
                colour = tl.where(ended, 0, colour)
            else:
                tl.store(over + g, (g * 0 + 1).to(tl.int8), mask=ended)
                colour = tl.where(ended, (mover + 1) % COLOURS, colour)
                on = on & ~ended
    tl.store(colours + g, colour, mask=inside)
    tl.store(single + g, singles, mask=inside)
    tl.store(lots + g, generator, mask=inside)


# What is shown


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


@triton.jit
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


@triton.jit
def note_sight(
    boards, starts, full, hands, colours, over, sight, games,
    STRIDE: tl.constexpr, WORDS: tl.constexpr, COLOURS: tl.constexpr, BLOCK: tl.constexpr,
):  # fmt: skip
    """What who moves may cover; nothing where a game is over."""
    g = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    on = g < games
    alive = on & (tl.load(over + g, mask=on, other=1) == 0)
    colour = tl.load(colours + g, mask=on, other=0)
    hand = table_at(hands, colour * games + g, alive)
    for i in range(WORDS):
        _, free, met = ground(
            boards, starts, full, i, colour, colour, hand, g, alive, games, STRIDE, WORDS, COLOURS
        )
        free = free.to(tl.int32, bitcast=True)
        tl.store(sight + i * games + g, tl.where(alive, free, 0), mask=on)
        at = sight + (WORDS + AHEAD + i) * games + g
        tl.store(at, met.to(tl.int32, bitcast=True), mask=on)


@triton.jit
def note_moves(
    hands, colours, sight, found, games, FIRST: tl.constexpr, MANY: tl.constexpr,
    STRIDE: tl.constexpr, WORDS: tl.constexpr, COLOURS: tl.constexpr, BLOCK: tl.constexpr,
):  # fmt: skip
    """The placements of some forms, a board for each."""
    g = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    on = g < games
    colour = tl.load(colours + g, mask=on, other=0)
    hand = table_at(hands, colour * games + g, on)
    for i in range(WORDS):
        free, met = around(sight, i, g, on, games, WORDS)
        free = shifted(free, STRIDE)
        met = shifted(met, STRIDE)
        for form in tl.static_range(FIRST, FIRST + MANY):
            squares = placed(free, met, hand, form).to(tl.int32, bitcast=True)
            tl.store(found + (form * WORDS + i) * games + g, squares, mask=on)


@triton.jit
def four_squares(board, m, g, on, games, SIZE: tl.constexpr, WORDS: tl.constexpr):
    """Squares 4 m to 4 m + 3 of a board, in four bits."""
    row = (4 * m) // SIZE
    place = 4 * m + row  # a row has a bit more than squares
    i = place // 32
    low = table_at(board, i * games + g, on)
    high = table_at(board, (i + 1) * games + g, on & (i + 1 < WORDS))
    shift = (place % 32).to(tl.uint32)
    squares = (low >> shift) | ((high << 1) << (31 - shift))
    if SIZE % 4 != 0:  # some of the next row
        here = SIZE - (4 * m) % SIZE
        mask = (1 << tl.minimum(here, 4).to(tl.uint32)) - 1
        squares = (squares & mask) | ((squares >> 1) & ~mask)
    return squares & 15


@triton.jit
def spread(bits):
    """Four bits as four bytes."""
    return (bits * 0x00204081) & 0x01010101


@triton.jit
def write_mask(
    found, mask, games,
    SIZE: tl.constexpr, WORDS: tl.constexpr, GAMES: tl.constexpr, QUADS: tl.constexpr,
):  # fmt: skip
    """The boards of all forms as bytes, by game, form, row and column."""
    g = (tl.program_id(0) * GAMES + tl.arange(0, GAMES))[:, None]
    m = tl.arange(0, QUADS)[None, :]
    on = (g < games) & (m < SIZE * SIZE // 4)
    form = tl.program_id(1)
    bits = four_squares(found + form * WORDS * games, m, g, on, games, SIZE, WORDS)
    at = (g.to(tl.int64) * FORMS + form) * (SIZE * SIZE // 4) + m
    tl.store(mask + at, spread(bits).to(tl.int32, bitcast=True), mask=on)


@triton.jit
def write_planes(
    shown, over, planes, games,
    SIZE: tl.constexpr, WORDS: tl.constexpr, COLOURS: tl.constexpr,
    GAMES: tl.constexpr, QUADS: tl.constexpr,
):  # fmt: skip
    """What is shown of each colour as bytes, by game, plane, row and column."""
    g = (tl.program_id(0) * GAMES + tl.arange(0, GAMES))[:, None]
    m = tl.arange(0, QUADS)[None, :]
    on = (g < games) & (m < SIZE * SIZE // 4)
    seen = on & (tl.load(over + g, mask=g < games, other=1) == 0)
    step = tl.program_id(1)
    shown += step * SHOWN * WORDS * games
    squares = SIZE * SIZE // 4
    at = planes + (g.to(tl.int64) * (5 * COLOURS) + step) * squares + m
    for kind in tl.static_range(3):
        bits = four_squares(shown + kind * WORDS * games, m, g, seen, games, SIZE, WORDS)
        tl.store(at + kind * COLOURS * squares, spread(bits).to(tl.int32, bitcast=True), mask=on)
    some = tl.zeros_like(bits)
    many = tl.zeros_like(bits)
    for k in tl.static_range(KEPT):
        bits = four_squares(shown + (3 + k) * WORDS * games, m, g, seen, games, SIZE, WORDS)
        some |= bits
        many |= spread(bits) << k
    tl.store(at + 3 * COLOURS * squares, spread(some).to(tl.int32, bitcast=True), mask=on)
    tl.store(at + 4 * COLOURS * squares, many.to(tl.int32, bitcast=True), mask=on)


@triton.jit
def seat_of(
    hands, colour, g, on, games,
    COLOURS: tl.constexpr, SEAT_OF: tl.constexpr, SHARED: tl.constexpr, SEATS: tl.constexpr,
):  # fmt: skip
    """The seat that moves a colour next."""
    seat = tl.zeros_like(colour)
    for k in tl.static_range(COLOURS):
        if k == SHARED:
            hand = table_at(hands, k * games + g, on)
            placed_tiles = 21 - bit_count(hand).to(tl.int32, bitcast=True)
            seat = tl.where(colour == k, placed_tiles % SEATS, seat)
        else:
            seat = tl.where(colour == k, SEAT_OF[k], seat)
    return seat


@triton.jit
def write_movers(
    hands, colours, over, movers, games,
    WORDS: tl.constexpr, STRIDE: tl.constexpr, COLOURS: tl.constexpr, SEAT_OF: tl.constexpr,
    SHARED: tl.constexpr, SEATS: tl.constexpr, BLOCK: tl.constexpr,
):  # fmt: skip
    """The seat that moves, -1 where a game is over."""
    g = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = g < games
    alive = inside & (tl.load(over + g, mask=inside, other=1) == 0)
    colour = tl.load(colours + g, mask=alive, other=0)
    seat = seat_of(hands, colour, g, alive, games, COLOURS, SEAT_OF, SHARED, SEATS)
    tl.store(movers + g, tl.where(alive, seat, -1), mask=inside)


@triton.jit
def write_scalars(
    hands, colours, single, over, counts, scalars, games,
    COLOURS: tl.constexpr, SEAT_OF: tl.constexpr, SIDE_OF: tl.constexpr, SHARED: tl.constexpr,
    SIDES: tl.constexpr, SEATS: tl.constexpr, GAMES: tl.constexpr,
):  # fmt: skip
    """The scalars of each colour, from the mover on."""
    g = (tl.program_id(0) * GAMES + tl.arange(0, GAMES))[:, None]
    j = tl.arange(0, 32)[None, :]
    step = tl.program_id(1)
    inside = g < games
    alive = inside & (tl.load(over + g, mask=inside, other=1) == 0)
    mine = tl.load(colours + g, mask=alive, other=0)
    colour = (mine + step) % COLOURS
    turn = seat_of(hands, mine, g, alive, games, COLOURS, SEAT_OF, SHARED, SEATS)
    following = seat_of(hands, colour, g, alive, games, COLOURS, SEAT_OF, SHARED, SEATS)
    scorer = tl.zeros_like(colour)
    for k in tl.static_range(COLOURS):
        scorer = tl.where(colour == k, SIDE_OF[k], scorer)
    hand = tl.load(hands + colour * games + g, mask=alive, other=0)
    many = tl.load(counts + step * games + g, mask=alive, other=0)
    alone = (tl.load(single + g, mask=alive, other=0) >> colour) & 1
    value = ((hand >> tl.minimum(j, 20)) & 1).to(tl.float32)
    value = tl.where(j == 21, tl.log(1.0 + many.to(tl.float32)) / 8, value)
    value = tl.where(j == 22, (89 - left(hand)).to(tl.float32) / 89, value)
    value = tl.where(j == 23, alone.to(tl.float32), value)
    scores = (scorer >= 0) & ((scorer + 4 * SIDES - turn) % SIDES == j - 24)
    moves = (following + 4 * SIDES - turn) % SIDES == j - 24 - SIDES
    value = tl.where((j >= 24) & (j < 24 + SIDES), scores.to(tl.float32), value)
    value = tl.where(j >= 24 + SIDES, moves.to(tl.float32), value)
    at = (g.to(tl.int64) * COLOURS + step) * (24 + 2 * SIDES) + j
    tl.store(scalars + at, tl.where(alive, value, 0.0), mask=inside & (j < 24 + 2 * SIDES))
