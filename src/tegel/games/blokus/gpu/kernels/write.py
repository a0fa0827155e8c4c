"""Kernels that write what is shown: boards as bytes, four squares at a time, and scalars."""

import triton
import triton.language as tl

from tegel.games.blokus.gpu.kernels.moves import AHEAD, FORMS, around, placed
from tegel.games.blokus.gpu.kernels.play import any_count, left
from tegel.games.blokus.gpu.kernels.show import KEPT, SHOWN
from tegel.games.blokus.gpu.kernels.words import bit_count, ground, shifted, table_at


@any_count
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


@any_count
def note_moves(
    hands, colours, sight, found, games, FIRST: tl.constexpr, MANY: tl.constexpr,
    STRIDE: tl.constexpr, WORDS: tl.constexpr, BLOCK: tl.constexpr,
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
    COLOURS: tl.constexpr, SEAT_OF: tl.constexpr,
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
