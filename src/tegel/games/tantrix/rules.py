"""Tantrix: the law.

- 56 hexagonal **tiles** (see `tiles`) are drawn from a **bag** into open **hands** of six
  and laid on the **field** (see `field`) so that touching edges have the same colour.
- A **turn** has three **steps**: fill forced spaces (1), one free move (2), fill forced
  spaces (3). After every placement the hand is refilled at once while the bag lasts.
- While the bag is not empty, rules b, c and d **bind** every placement besides rule a.
- A **side** is who scores together: a seat, or a team of two seats with one colour.

Draws are moves of chance. Steps, turns and passes follow by themselves: a state in which
nobody has anything to decide is never seen (`settled`).
"""

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from tegel.cells import bits
from tegel.game import (
    CHANCE,
    IllegalMove,
    Option,
    Outcome,
    Position,
    Seat,
    heading,
    leaders,
    with_entry,
)
from tegel.games.tantrix.field import CENTRE, Field
from tegel.games.tantrix.lines import Line, best
from tegel.games.tantrix.moves import DRAWS, Choose, Draw, Move, Place
from tegel.games.tantrix.tiles import COLOURS, COUNT, UPRIGHT, forms, tile_of
from tegel.lattice import Cell

HAND = 6
ALL_TILES = sum(1 << tile for tile in range(1, COUNT + 1))
BEFORE, FREE, AFTER = 1, 2, 3  # the steps of a turn


@dataclass(frozen=True)
class Rules:
    variant: str
    seats: int
    sides: int  # seats with the same number modulo `sides` share colour and score
    colours: str = (
        "fixed"  # fixed: by side in the order of COLOURS; chosen: each side names its own
    )


VARIANTS: Mapping[str, Rules] = {
    "two": Rules("two", seats=2, sides=2),
    "three": Rules("three", seats=3, sides=3),
    "four": Rules("four", seats=4, sides=4),
    "doubles": Rules("doubles", seats=4, sides=2),
}
OPTIONS: Mapping[str, Option] = {"colours": Option(("fixed", "chosen"))}


@dataclass(frozen=True)
class State(Position):
    rules: Rules
    field: Field
    hands: tuple[int, ...]  # by seat, a bit for each tile
    bag: int
    colours: tuple[str, ...]  # by side; empty: not yet chosen
    seat: Seat  # whose turn it is, or who is drawing
    step: int = BEFORE
    last: Place | None = dataclasses.field(default=None, compare=False)

    @property
    def turn(self) -> Seat:
        return CHANCE if self.to_draw else self.seat

    @cached_property
    def scores(self) -> tuple[int, ...]:
        lines = [self.best(side) for side in range(self.rules.sides)]
        by_side = [line.points if line else 0 for line in lines]
        return tuple(by_side[seat % self.rules.sides] for seat in range(self.rules.seats))

    @cached_property
    def outcome(self) -> Outcome | None:
        if self.to_draw or self.choosing or self.places:
            return None
        if self.bag:
            return Outcome(tuple(range(self.rules.seats)), "deadlock")
        return Outcome(leaders(self.scores), "blocked" if any(self.hands) else "placed")

    def moves(self) -> Sequence[Move]:
        return self.legal

    def play(self, move: Move) -> "State":
        if not self.allows(move):
            raise self.refusal(move).at(self)
        return self.after(move).settled()

    def odds(self) -> Mapping[Move, float]:
        if not self.to_draw:
            return {}
        return dict.fromkeys(self.legal, 1 / len(self.legal))

    # Facts

    @property
    def to_draw(self) -> bool:
        """Whether chance is to move: the hand that is due is not full, and the bag not empty."""
        return bool(self.bag) and self.hands[self.seat].bit_count() < HAND

    @property
    def choosing(self) -> bool:
        """Whether a side is to name its colour."""
        return not self.to_draw and "" in self.colours

    @property
    def bound(self) -> bool:
        """Whether rules b, c and d bind the next placement. Ruling T4."""
        return bool(self.bag)

    @property
    def free_colours(self) -> list[str]:
        return [colour for colour in COLOURS if colour not in self.colours]

    def best(self, side: int) -> Line | None:
        """The line or loop that counts for a side."""
        colour = self.colours[side]
        return best(self.field, colour[0].upper()) if colour else None

    @cached_property
    def legal(self) -> list[Move]:
        if self.to_draw:
            return [DRAWS[tile] for tile in bits(self.bag)]
        if self.choosing:
            return [Choose(colour) for colour in self.free_colours]
        return [
            Place(*tile_of(number), cell)
            for cell, fits in sorted(self.places.items())
            for number in bits(fits)
        ]

    @cached_property
    def places(self) -> dict[Cell, int]:
        """The forms that may be laid in this step, by cell."""
        if self.step == FREE:
            return self.free_places()
        return self.fills

    @cached_property
    def fills(self) -> dict[Cell, int]:
        """The forced spaces that the seat can legally fill, with the forms that do it."""
        hand = forms(self.hands[self.seat])
        return self.field.places(hand, self.field.forced, bound=self.bound)

    def free_places(self) -> dict[Cell, int]:
        """The open cells where the seat can legally lay a tile, with the forms that can lie
        there; the first tile goes to the centre as it is."""
        hand = forms(self.hands[self.seat])
        if not self.field.laid:
            return {CENTRE: hand & UPRIGHT} if hand else {}
        return self.field.places(hand, self.field.faces, bound=self.bound)

    def allows(self, move: Move) -> bool:
        match move:
            case Draw(tile):
                return self.to_draw and tile > 0 and bool(self.bag >> tile & 1)
            case Choose(colour):
                return self.choosing and colour in self.free_colours
            case Place(_, _, cell):
                if self.to_draw or self.choosing or not move.exists:
                    return False
                return bool(self.places.get(cell, 0) >> move.form & 1)

    # The course of the game

    def after(self, move: Move) -> "State":
        """The position right after a legal move, before steps and turns pass on."""
        match move:
            case Draw(tile):
                return self._drawn(tile)
            case Choose(colour):
                return self._chosen(colour)
            case Place():
                return self._placed(move)

    def _drawn(self, tile: int) -> "State":
        hands = with_entry(self.hands, self.seat, self.hands[self.seat] | 1 << tile)
        seat, count = self.seat, self.rules.seats
        if not self.field.laid:  # the set-up: ruling T1
            held = sum(hand.bit_count() for hand in hands)
            if held < count:
                seat = held
            elif held == count:
                seat = hands.index(max(hands))  # the highest tile begins, and draws on
            elif hands[seat].bit_count() == HAND:
                seat = (seat + 1) % count  # back to the first at last
        return replace(self, hands=hands, bag=self.bag ^ 1 << tile, seat=seat)

    def _chosen(self, colour: str) -> "State":
        """Sides choose from the starting player on, who then begins. Ruling T7."""
        rules = self.rules
        colours = with_entry(self.colours, self.seat % rules.sides, colour)
        onward = 1 if "" in colours else 1 - rules.sides
        return replace(self, colours=colours, seat=(self.seat + onward) % rules.seats)

    def _placed(self, move: Place) -> "State":
        return replace(
            self,
            field=self.field.with_tile(move.cell, move.form),
            hands=with_entry(self.hands, self.seat, self.hands[self.seat] ^ 1 << move.tile),
            step=AFTER if self.step == FREE else self.step,
            last=move,
        )

    def settled(self) -> "State":
        """The same position when there is something to decide, or when the game is over."""
        state = self
        while following := state.following():
            state = following
        return state

    def following(self) -> "State | None":
        """The next step or turn, if there is nothing to decide in this one and the game goes
        on."""
        if self.to_draw or self.choosing or not any(self.hands):
            return None
        if not self.hands[self.seat]:
            return self.next_turn()
        if self.step == FREE:
            # Without a free move the game is a deadlock or, in the endgame, the seat passes,
            # unless nobody can place any more: rulings T5 and T6.
            over = self.bound or not self.anyone_fits()
            return None if self.places or over else self.next_turn()
        if self.fills:
            return None
        return replace(self, step=FREE) if self.step == BEFORE else self.next_turn()

    def next_turn(self) -> "State":
        return replace(self, seat=(self.seat + 1) % self.rules.seats, step=BEFORE)

    def anyone_fits(self) -> bool:
        """Whether any seat holds a tile that satisfies rule a anywhere."""
        held = 0
        for hand in self.hands:
            held |= hand
        return bool(self.field.places(forms(held), self.field.faces, bound=False))

    # Why not

    def refusal(self, move: Move) -> IllegalMove:
        """Which rule a move breaks, and where."""
        if self.outcome:
            return _illegal("over")
        match move:
            case Draw(tile):
                return _illegal("bag" if self.to_draw else "draw", tile=tile)
            case Choose(colour):
                return _illegal("colour" if self.choosing else "choice", colour=colour)
            case Place():
                return self._misplaced(move)

    def _misplaced(self, move: Place) -> IllegalMove:
        tile, cell = move.tile, move.cell
        if not move.exists:
            return _illegal("form", tile=tile, turn=move.turn)
        if self.to_draw:
            return _illegal("drawing")
        if self.choosing:
            return _illegal("choosing", colours=", ".join(self.free_colours))
        if not self.hands[self.seat] >> tile & 1:
            return _illegal("hand", (cell,), tile=tile)
        if not self.field.laid:
            return _illegal("first", (CENTRE,), tile=tile)
        if cell in self.field.laid:
            return _illegal("taken", (cell,))
        for broken in self.field.broken(cell, move.form, bound=self.bound):
            return _illegal(broken.rule, broken.cells, tile=tile, **broken.args)
        return _illegal("fill", tuple(sorted(self.fills)))

    def __str__(self) -> str:
        lines = [heading("tantrix", self.rules, OPTIONS), f"seat: {self.seat}"]
        lines += [f"step: {self.step}"]
        if self.rules.colours == "chosen":
            lines += [f"colours: {' '.join(colour or '-' for colour in self.colours)}"]
        lines += [f"bag: {_listed(self.bag)}"]
        lines += [f"hand {seat}: {_listed(hand)}" for seat, hand in enumerate(self.hands)]
        lines += [f"last: {self.last}"] if self.last else []
        lines += [str(Place(*tile_of(n), cell)) for cell, n in sorted(self.field.laid.items())]
        return "\n".join(lines) + "\n"


def begin(rules: Rules) -> State:
    colours = COLOURS[: rules.sides] if rules.colours == "fixed" else ("",) * rules.sides
    return State(rules, Field(), (0,) * rules.seats, ALL_TILES, colours, seat=0)


def names(cells: Sequence[Cell]) -> str:
    """Cells in words.

    >>> names([(1, -2), (0, 3)])
    '(1,-2) (0,3)'
    """
    return " ".join(f"({q},{r})" for q, r in cells)


def _illegal(rule: str, cells: Sequence[Cell] = (), **args: object) -> IllegalMove:
    return IllegalMove("tantrix", rule, cells, at=names(cells), **args)


def _listed(tiles: int) -> str:
    return " ".join(map(str, bits(tiles))) or "-"
