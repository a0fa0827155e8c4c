"""Kernels that play: counts, lots, steps, and many random moves in one go."""

from typing import Any

import triton
import triton.language as tl

from tegel.games.blokus.gpu import tables
from tegel.games.blokus.gpu.kernels.moves import AHEAD, FORMS, lay, lot, move_at, moves_of, survey
from tegel.games.blokus.gpu.kernels.words import HAND, bit_count, ground, table_at

LENGTHS: Any = tl.constexpr(tables.LENGTHS)
any_count: Any = triton.jit(do_not_specialize=["games", "moves"])
"""A kernel that is compiled once for all numbers of games and moves."""


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


@triton.jit
def begin_anew(
    boards, hands, g, on, games, WORDS: tl.constexpr, COLOURS: tl.constexpr
):  # fmt: skip
    for k in range(COLOURS * COLOURS * WORDS):
        tl.store(boards + k * games + g, g * 0, mask=on)
    for k in tl.static_range(COLOURS):
        tl.store(hands + k * games + g, g * 0 + HAND, mask=on)


@any_count
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
    survey(boards, starts, full, sight, colour, colour, hand, g, on, games, STRIDE, WORDS, COLOURS)
    many = moves_of(sight, by_word, hand, g, on, games, STRIDE, WORDS)
    tl.store(counts + colour * games + g, many, mask=on)


@any_count
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
    survey(boards, starts, full, sight, colour, colour, hand, g, on, games, STRIDE, WORDS, COLOURS)
    many = moves_of(sight, by_word, hand, g, on, games, STRIDE, WORDS)
    after, rest = lot(tl.load(lots + g, mask=on, other=0), many, on)
    tl.store(lots + g, after, mask=on)
    form, place = move_at(sight, by_word, hand, rest, g, on, games, STRIDE, WORDS)
    action = (form * SIZE + place // STRIDE) * SIZE + place % STRIDE
    tl.store(actions + g, tl.where(on & (many > 0), action, -1), mask=inside)


@any_count
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


@any_count
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


@any_count
def settle(
    boards, hands, colours, single, over, counts, stepped, done, rewards, games,
    WORDS: tl.constexpr, COLOURS: tl.constexpr, SIDE_OF: tl.constexpr,
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


@any_count
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
