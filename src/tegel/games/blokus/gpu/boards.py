"""Many games of Blokus as tensors, and what the law says of them, in plain PyTorch.

This is what runs on a processor, and what the kernels of `fast` are checked against. Tensors end
with the games: so neighbours in memory are the same word of neighbouring games."""

import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor

from tegel.cells import bits as set_bits
from tegel.games.blokus.gpu.tables import (
    BITS,
    CELLS,
    FORM_COUNT,
    HEIGHTS,
    OFFSETS,
    TILE_OF,
    TURNED,
    WIDTHS,
    Tables,
)
from tegel.games.blokus.kernel import STRIDE
from tegel.games.blokus.kernel import number as kernel_number
from tegel.games.blokus.rules import FULL_HAND, SIZES, SQUARES, TILES

REACH = 5  # a form covers so many squares at most, and its box is as wide at most
MOST = 255  # of what a byte of the planes says
FACTOR, SUMMAND = 6364136223846793005, 1442695040888963407  # of the generator of lots


class Boards:
    """So many games of a variant."""

    def __init__(self, tables: Tables, count: int, device: torch.device) -> None:
        self.tables, self.count, self.device = tables, count, device
        t, colours = tables, tables.colours
        self.seats, self.planes = t.rules.seats, (t.channels, t.size, t.size)
        self.scalars, self.actions = t.scalars, t.actions
        self.squares = self.zeros(colours, colours, t.words, count)
        """Covered squares, by colour, frame and word."""
        self.hands = self.zeros(colours, count)
        self.colour = self.zeros(count)  # that moves
        self.single = self.zeros(count)  # whose latest tile was the single square, a bit each
        self.over = self.zeros(count, dtype=torch.bool)
        self.lots = self.zeros(count, dtype=torch.int64)  # a generator for each game

        line = torch.arange(t.squares, device=device)
        bits = line // t.size * t.stride + line % t.size
        self.word_of, self.bit_of = bits // BITS, (bits % BITS).to(torch.int32)
        self.starts = self.numbers(t.starts)
        self.tile_of, self.turned = self.numbers(TILE_OF), self.numbers(TURNED)
        self.widths, self.heights = self.numbers(WIDTHS), self.numbers(HEIGHTS)
        cells = [[OFFSETS[cell] for cell in (cells * REACH)[:REACH]] for cells in CELLS]
        self.cells = self.numbers(cells)  # by form: five squares, of a smaller one some again
        self.lengths = self.numbers([len(cells) for cells in CELLS])
        self.sizes = self.numbers(SIZES)
        self.weights = self.zeros(FORM_COUNT, 1, REACH, REACH, dtype=torch.float32)
        for form, covered in enumerate(CELLS):
            for cell in covered:
                x, y = OFFSETS[cell]
                self.weights[form, 0, y, x] = 1
        self.games = torch.arange(count, device=device)

    def zeros(self, *shape: int, dtype: torch.dtype = torch.int32) -> Tensor:
        return torch.zeros(shape, dtype=dtype, device=self.device)

    def numbers(self, values: object) -> Tensor:
        return torch.tensor(values, dtype=torch.int32, device=self.device)

    # What is done

    def begin(self, which: Tensor) -> None:
        """Begin those games anew that are True."""
        for tensor, value in (
            (self.squares, 0),
            (self.hands, FULL_HAND),
            (self.colour, 0),
            (self.single, 0),
            (self.over, False),
        ):
            tensor.masked_fill_(which, value)

    def seed(self, seeds: Tensor, which: Tensor) -> None:
        """Lots anew, so that seeds beside each other have nothing in common."""
        mixed = seeds
        for factor in (-4658895280553007687, -7723592293110705685):  # of splitmix64
            mixed = (mixed ^ mixed >> 30 & 2**34 - 1) * factor
        self.lots.copy_(torch.where(which, mixed, self.lots))

    def lot(self, below: Tensor) -> Tensor:
        """A number from 0 to below each number, all with the same chance but for one in millions;
        games whose number is 0 draw nothing."""
        drawn = self.lots * FACTOR + SUMMAND
        self.lots.copy_(torch.where(below > 0, drawn, self.lots))
        return (drawn >> BITS & 2**BITS - 1) * below >> BITS

    def play(self, actions: Tensor) -> None:
        """Lay tiles, where an action is not negative: it must be legal."""
        t = self.tables
        form, place = actions.clamp(min=0) // t.squares, actions.clamp(min=0) % t.squares
        laid, mine = (actions >= 0).to(torch.int32), self.colour.long()
        for frame in range(t.colours):
            turns = ((self.colour - frame) * (4 // t.colours)).long() % 4
            x, y = self._turned(turns, form, place % t.size, place // t.size)
            turned = self.turned[turns, form].long()
            for number in range(REACH):
                cell = self.cells[turned, number]
                at = (y + cell[:, 1]) * t.stride + x + cell[:, 0]
                value = laid * (number < self.lengths[turned])
                word, bit = (at // BITS).long(), (at % BITS).to(torch.int32)
                self.squares[mine, frame, word, self.games] |= value << bit
        tile, bit = self.tile_of[form], laid << self.colour
        self.hands[mine, self.games] ^= laid << tile
        self.single.copy_(self.single & ~bit | torch.where(tile == 0, bit, 0))

    def _turned(self, turns: Tensor, form: Tensor, x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
        """The lower left of a form after so many quarter turns of the board."""
        size = self.tables.size
        across, up = size - self.widths[form] - x, size - self.heights[form] - y
        return _pick(turns, x, y, across, up), _pick(turns, y, across, up, x)

    def settle(self, stepped: Tensor, autoreset: bool) -> tuple[Tensor, Tensor]:
        """Give the turn to the next colour that can place, in the games that were stepped: which
        of them ended, and what that brought, by seat. With `autoreset` these begin anew."""
        colours, counts = self.tables.colours, self.counts()
        found = torch.zeros_like(stepped)
        following = (self.colour + 1) % colours
        for step in range(colours, 0, -1):
            colour = (self.colour + step) % colours
            can = counts.gather(0, colour.long()[None])[0] > 0
            found |= can
            following = torch.where(can, colour, following)
        self.colour.copy_(torch.where(stepped, following, self.colour))
        ended = stepped & ~found
        self.over |= ended
        rewards = torch.where(ended[:, None], self.rewards(), 0.0)
        if autoreset:
            self.begin(ended)
        return ended, rewards

    def roll(self, moves: int, autoreset: bool) -> tuple[Tensor, Tensor]:
        """Make so many random legal moves in every game that is not over, one after the other:
        which games ended, and what these ends brought together, by seat."""
        done = torch.zeros_like(self.over)
        rewards = self.zeros(self.count, self.tables.rules.seats, dtype=torch.float32)
        for _ in range(moves):
            actions = self.sample()
            self.play(actions)
            ended, brought = self.settle(actions >= 0, autoreset)
            done |= ended
            rewards += brought
        return done, rewards

    # What is true

    def hand_bits(self) -> Tensor:
        """By colour, game and tile."""
        return self.hands[:, :, None] >> torch.arange(len(TILES), device=self.device) & 1

    def left(self) -> Tensor:
        """By colour and game: squares in hand."""
        return (self.hand_bits() * self.sizes).sum(2)

    def rewards(self) -> Tensor:
        """By game and seat, if all games ended now."""
        rules, left = self.tables.rules, self.left()
        by_side = self.zeros(rules.sides, self.count)
        for colour, side in enumerate(self.tables.side_of):
            if side >= 0:
                bonus = torch.where(self.single >> colour & 1 > 0, 20, 15)
                by_side[side] += torch.where(self.hands[colour] == 0, bonus, -left[colour])
        best = (by_side == by_side.amax(0)).float()
        values = (rules.sides * best / best.sum(0) - 1) / (rules.sides - 1)
        return values[[seat % rules.sides for seat in range(rules.seats)]].T

    def mover(self) -> Tensor:
        """By game: the seat that moves, -1 where it is over."""
        return torch.where(self.over, -1, self.movers().gather(0, self.colour.long()[None])[0])

    def movers(self) -> Tensor:
        """By colour and game: the seat that moves it next."""
        t = self.tables
        found = self.numbers(t.seat_of)[:, None].repeat(1, self.count)
        if t.shared >= 0:
            placed = len(TILES) - self.hand_bits()[t.shared].sum(1)
            found[t.shared] = placed % t.rules.seats
        return found

    def ground(self, step: int) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Of the colour so many steps from the mover on, in the mover's frame, by game, row and
        column: the squares it covers, those it may cover, those one of which the next tile must
        cover; and its hand."""
        t, frame = self.tables, self.colour.long()
        colour = (frame + step) % t.colours
        all = [self._cells(self.squares[of, frame, :, self.games]) for of in range(t.colours)]
        own = self._cells(self.squares[colour, frame, :, self.games])
        taken = torch.stack(all).any(0)
        wide = F.pad(own, (1, 1, 1, 1))
        beside = wide[:, 1:-1, 2:] | wide[:, 1:-1, :-2] | wide[:, 2:, 1:-1] | wide[:, :-2, 1:-1]
        met = wide[:, 2:, 2:] | wide[:, 2:, :-2] | wide[:, :-2, 2:] | wide[:, :-2, :-2]
        hand = self.hands[colour, self.games]
        starts = self._cells(self.starts[colour, frame])
        met = torch.where((hand == FULL_HAND)[:, None, None], starts, met)
        free = ~taken & ~beside
        return own, free, met & free, hand

    def _cells(self, words: Tensor) -> Tensor:
        """Boards, by game and word, as squares by game, row and column."""
        size = self.tables.size
        return (words[:, self.word_of] >> self.bit_of & 1).bool().unflatten(1, (size, size))

    def placements(self, free: Tensor, met: Tensor, hand: Tensor) -> Tensor:
        """By game, form, row and column: whether it may lie there."""
        size, found = self.tables.size, []
        free, met = (F.pad(board, (0, REACH - 1, 0, REACH - 1)) for board in (free, met))
        frees = [free[:, y : y + size, x : x + size] for x, y in OFFSETS]
        mets = [met[:, y : y + size, x : x + size] for x, y in OFFSETS]
        held = (hand[:, None] >> torch.arange(len(TILES), device=self.device) & 1).bool()
        for form, (first, *others) in enumerate(CELLS):
            fits, touches = frees[first], mets[first]
            for cell in others:
                fits, touches = fits & frees[cell], touches | mets[cell]
            found.append(fits & touches & held[:, TILE_OF[form], None, None])
        return torch.stack(found, 1)

    def legal(self) -> Tensor:
        """By game and action: whether who moves may make it; none where a game is over."""
        _, free, met, hand = self.ground(0)
        return self.placements(free, met, hand).flatten(1) & ~self.over[:, None]

    def counts(self) -> Tensor:
        """By colour and game: how many legal moves it would have if it were its turn."""
        found = self.zeros(self.tables.colours, self.count)
        for step in range(self.tables.colours):
            _, free, met, hand = self.ground(step)
            colour = (self.colour.long() + step) % self.tables.colours
            many = self.placements(free, met, hand).flatten(1).sum(1)
            found[colour, self.games] = many.to(torch.int32)
        return found

    def may(self, actions: Tensor) -> Tensor:
        """Whether each is a legal action of its game."""
        known = (actions >= 0) & (actions < self.tables.actions)
        return known & self.legal().gather(1, torch.where(known, actions, 0)[:, None])[:, 0]

    def sample(self) -> Tensor:
        """A legal action of every game, each with the same chance; -1 where it is over."""
        t = self.tables
        legal = self.legal().unflatten(1, (FORM_COUNT, t.size, t.size))
        by_bit = F.pad(legal, (0, 1)).flatten(2)  # a lot counts word by word, then by forms
        by_bit = F.pad(by_bit, (0, t.words * BITS - by_bit.shape[2]))
        by_word = by_bit.unflatten(2, (t.words, BITS)).transpose(1, 2).flatten(1)
        many = by_word.sum(1)
        upto = by_word.to(torch.int32).cumsum(1)
        at = torch.searchsorted(upto, self.lot(many)[:, None].to(upto.dtype), right=True)[:, 0]
        word, form, bit = at // (FORM_COUNT * BITS), at // BITS % FORM_COUNT, at % BITS
        place = word * BITS + bit
        action = (form * t.size + place // t.stride) * t.size + place % t.stride
        return torch.where(many > 0, action, -1)

    def packed(self, game: int) -> list[int]:
        """The position of a game in numbers, as `pack` in kernel.py gives it."""
        t, rules = self.tables, self.tables.rules
        starts = [kernel_number(cell) for cell in rules.starts]
        found = [t.size, t.colours, rules.seats, rules.sides, t.shared]
        found += [int(rules.corners == "fixed"), *starts, *[0] * (4 - len(starts))]
        found += [int(self.colour[game]), int(self.single[game])]
        for colour in range(t.colours):
            words = self.squares[colour, 0, :, game].tolist()  # upright
            covered = [
                BITS * word + bit
                for word, value in enumerate(words)
                for bit in set_bits(value % 2**BITS)
            ]
            squares = [place // t.stride * STRIDE + place % t.stride for place in covered]
            found += [int(self.hands[colour, game]), len(squares), *squares]
        return found

    # What is shown

    def show(self, planes: Tensor, scalars: Tensor) -> None:
        """Write planes and scalars, all 0 where a game is over."""
        self.show_scalars(scalars, self.show_planes(planes))

    def show_mask(self, mask: Tensor) -> None:
        """Write what `legal` says."""
        mask.copy_(self.legal())

    def show_planes(self, planes: Tensor) -> Tensor:
        """Write the planes, all 0 where a game is over; how many legal moves each colour has, by
        steps from the mover on and by game."""
        counts, size = [], self.tables.size
        for step in range(self.tables.colours):
            own, free, met, hand = self.ground(step)
            fits = self.placements(free, met, hand)
            counts.append(fits.flatten(1).sum(1))
            covered = F.conv_transpose2d(fits.float(), self.weights)[:, 0, :size, :size]
            shown = (own, ~free, met, covered > 0, covered.clamp(max=MOST))
            for kind, plane in enumerate(shown):
                planes[:, kind * self.tables.colours + step] = plane.to(torch.uint8)
        planes.masked_fill_(self.over[:, None, None, None], 0)
        return torch.stack(counts)

    def show_scalars(self, scalars: Tensor, counts: Tensor) -> None:
        """Write the scalars, with the counts of `show_planes`."""
        t, sides = self.tables, self.tables.rules.sides
        bits, left, movers = self.hand_bits(), self.left(), self.movers()
        mover = movers.gather(0, self.colour.long()[None])[0]
        scorers, line = self.numbers(t.side_of), torch.arange(sides, device=self.device)
        rows = scalars.unflatten(1, (t.colours, -1))
        tiles = len(TILES)
        for step in range(t.colours):
            colour = (self.colour.long() + step) % t.colours
            row = rows[:, step]
            row[:, :tiles] = bits[colour, self.games]
            row[:, tiles] = torch.log1p(counts[step]) / 8
            row[:, tiles + 1] = (SQUARES - left[colour, self.games]) / SQUARES
            row[:, tiles + 2] = self.single >> colour & 1
            for number, seat in enumerate((scorers[colour], movers[colour, self.games])):
                first = tiles + 3 + number * sides
                side = torch.where(seat < 0, -1, (seat - mover) % sides)
                row[:, first : first + sides] = side[:, None] == line
        scalars.masked_fill_(self.over[:, None], 0)


def _pick(turns: Tensor, *values: Tensor) -> Tensor:
    """By game: the value of its number of turns."""
    return torch.stack(values).gather(0, turns[None])[0]
