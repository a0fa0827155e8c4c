"""The table of Imago: which stones lie where, and what that allows, whoever's turn it is."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from tegel.cells import bits
from tegel.game import Lean, Seat, with_entry
from tegel.games.imago.stones import COLOURS, COUNTS, GRID, HOLLOWS, Image, Stock, images
from tegel.lattice import Cell

NOTHING = (0,) * len(COLOURS)


@dataclass(frozen=True)
class Table(Lean):
    kinds: tuple[int, ...]  # by colour: colours of one kind count as the same
    board: tuple[int, ...] = NOTHING  # by colour, the hollows where its stones lie
    stocks: tuple[Stock, ...] = (Stock(), Stock())  # by seat
    aside: tuple[tuple[int, ...], ...] = (NOTHING, NOTHING)  # by seat, stones of each colour

    # Stones

    @cached_property
    def stones(self) -> int:
        """The hollows that hold a stone."""
        return sum(self.board)

    @cached_property
    def colour_at(self) -> Mapping[Cell, int]:
        """The colour of the stone in each hollow that holds one."""
        return {
            GRID.cell(offset): colour
            for colour, hollows in enumerate(self.board)
            for offset in bits(hollows)
        }

    @cached_property
    def undrawn(self) -> tuple[int, ...]:
        """How many stones of each colour lie neither on the board, nor in a stock, nor aside."""
        left = list(COUNTS)
        for colour, hollows in enumerate(self.board):
            left[colour] -= hollows.bit_count() + sum(aside[colour] for aside in self.aside)
        for stock in self.stocks:
            for _, colour in stock.stones:
                left[colour] -= 1
        return tuple(left)

    @cached_property
    def groups(self) -> tuple[int, ...]:
        """The isolated groups: sets of hollows whose stones hang together side by side."""
        return tuple(GRID.components(self.stones))

    # Images

    def images(self, seat: Seat) -> tuple[Image, ...]:
        """Where a stock matches, by shifts from the lower left; with a claim, only there;
        nowhere for a player who is out."""
        return self._images[seat]

    @cached_property
    def _images(self) -> tuple[tuple[Image, ...], ...]:
        kind_at = {GRID.offset(cell): self.kinds[colour] for cell, colour in self.colour_at.items()}
        found = []
        for stock in self.stocks:
            stones = [(cell, self.kinds[colour]) for cell, colour in stock.stones]
            everywhere = () if stock.out else images(stones, self.stones, kind_at)
            found.append(tuple(i for i in everywhere if stock.claim in (None, i.shift)))
        return tuple(found)

    def image(self, seat: Seat, shift: Cell) -> Image | None:
        return next((image for image in self.images(seat) if image.shift == shift), None)

    def needed(self, seat: Seat) -> int:
        """The hollows that every image of a stock holds: without such a stone it would have
        none left."""
        common = self.stones if self.images(seat) else 0
        for image in self.images(seat):
            common &= image.hollows
        return common

    # What may be done

    def takes(self, seat: Seat) -> Mapping[Cell, int]:
        """For each stock cell beside the stock, the hollows of the stones that may go there:
        afterwards both stocks have an image.

        An image of the larger stock is one of the stock with one stone more, and that stone
        answers to a kind that is new in both or known in both."""
        stock = self.stocks[seat]
        of_kind = [0] * len(COLOURS)
        for colour, hollows in enumerate(self.board):
            of_kind[self.kinds[colour]] |= hollows
        new = self.stones
        for _, colour in stock.stones:
            new &= ~of_kind[self.kinds[colour]]
        found = dict.fromkeys(stock.edge, 0)
        for image in self.images(seat):
            for cell in stock.edge:
                hollow = image.shift[0] + cell[0], image.shift[1] + cell[1]
                colour_there = self.colour_at.get(hollow)
                if colour_there is not None:
                    kind = image.kinds.get(self.kinds[colour_there])
                    fitting = new if kind is None else of_kind[kind]
                    found[cell] |= fitting & ~image.hollows & ~GRID.mask([hollow])
        spared = ~self.needed(1 - seat)
        return {cell: hollows & spared for cell, hollows in found.items() if hollows & spared}

    def captures(self, seat: Seat) -> tuple[Image, ...]:
        """The images of a stock that are isolated groups of at least two stones and leave the
        opponent an image, or are the very image that the opponent has claimed."""
        return tuple(
            image
            for image in self.images(seat)
            if len(self.stocks[seat].stones) >= 2
            and image.hollows in self.groups
            and self.spares(1 - seat, image.hollows)
        )

    def spares(self, seat: Seat, group: int) -> bool:
        """Whether a group may be captured from the board as far as a seat's stock is concerned."""
        stock, theirs = self.stocks[seat], self.images(seat)
        if stock.claim and group == theirs[0].hollows:
            return True
        return stock.out or any(not image.hollows & group for image in theirs)

    def claims(self, seat: Seat, hollow: Cell) -> tuple[Image, ...]:
        """The images one of which a seat may claim when the stone in a hollow is taken."""
        stock = self.stocks[seat]
        if len(stock.stones) < 2 or stock.claim:
            return ()
        bit = GRID.mask([hollow])
        return tuple(image for image in self.images(seat) if image.hollows & bit)

    # What moves do

    def with_drawn(self, colour: int) -> "Table":
        """The next hollow in reading order filled."""
        hollow = GRID.mask([HOLLOWS[self.stones.bit_count()]])
        return replace(self, board=with_entry(self.board, colour, self.board[colour] | hollow))

    def with_take(self, seat: Seat, hollow: Cell, place: Cell) -> "Table":
        colour = self.colour_at[hollow]
        left = self.board[colour] & ~GRID.mask([hollow])
        stock = self.stocks[seat].with_stone(place, colour)
        return replace(
            self,
            board=with_entry(self.board, colour, left),
            stocks=with_entry(self.stocks, seat, stock),
        )

    def with_claim(self, seat: Seat, shift: Cell) -> "Table":
        stock = replace(self.stocks[seat], claim=shift)
        return replace(self, stocks=with_entry(self.stocks, seat, stock))

    def with_capture(self, seat: Seat, group: int) -> "Table":
        """Stock and group set aside; the opponent is out if the group was claimed."""
        aside = list(self.aside[seat])
        for _, colour in self.stocks[seat].stones:
            aside[colour] += 1
        for colour, hollows in enumerate(self.board):
            aside[colour] += (hollows & group).bit_count()
        theirs = self.stocks[1 - seat]
        if theirs.claim and group & self.images(1 - seat)[0].hollows:
            theirs = replace(theirs, claim=None, out=True)
        return replace(
            self,
            board=tuple(hollows & ~group for hollows in self.board),
            stocks=with_entry(with_entry(self.stocks, seat, Stock()), 1 - seat, theirs),
            aside=with_entry(self.aside, seat, tuple(aside)),
        )
