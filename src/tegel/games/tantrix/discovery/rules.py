"""Tantrix Discovery, solved by hand: a game with one seat.

A move lays a tile (`14.2@1,-2`) where it touches another and edges match, the first at the
centre; or it takes one up again (`lift@1,-2`). The puzzle ends when one loop of its colour
runs over all tiles and no empty cell is cut off; the score is the number of tiles laid.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as given
from functools import cached_property
from typing import NamedTuple

from tegel.cells import bits
from tegel.game import IllegalMove, Lean, Outcome, SoloPosition, heading
from tegel.games.tantrix.discovery.loops import LARGEST, SMALLEST, Flaw, asked, flaws
from tegel.games.tantrix.field import CENTRE, Field, laid_out
from tegel.games.tantrix.moves import Place
from tegel.games.tantrix.tiles import NAMES, fitting, form, forms, tile_of
from tegel.lattice import Cell

LIFT = "lift"


class Lift(NamedTuple):
    cell: Cell

    def __str__(self) -> str:
        return f"{LIFT}@{self.cell[0]},{self.cell[1]}"


Move = Place | Lift


@dataclass(frozen=True)
class Rules(Lean):
    variant: str  # the number of tiles
    count: int
    letter: str  # of the colour of the loop

    @property
    def colour(self) -> str:
        return NAMES[self.letter]


VARIANTS: Mapping[str, Rules] = {
    str(count): Rules(str(count), count, asked(count)) for count in range(SMALLEST, LARGEST + 1)
}


@dataclass(frozen=True)
class State(SoloPosition[Move]):
    rules: Rules
    field: Field
    last: Move | None = given(default=None, compare=False)

    @property
    def scores(self) -> tuple[int, ...]:
        return (len(self.field.laid),)

    @cached_property
    def flaws(self) -> list[Flaw]:
        """What is wrong once all tiles lie."""
        return flaws(self.field, self.rules.count) if not self.left else []

    @cached_property
    def outcome(self) -> Outcome | None:
        return Outcome((0,), "solved") if not self.left and not self.flaws else None

    @cached_property
    def left(self) -> int:
        """The set of tiles in hand."""
        lying = {tile_of(number)[0] for number in self.field.laid.values()}
        return sum(1 << t for t in range(1, self.rules.count + 1) if t not in lying)

    @cached_property
    def places(self) -> dict[Cell, int]:
        """By open cell the forms that may be laid there."""
        pool = forms(self.left)
        if not self.field.laid:
            return {CENTRE: pool}
        found = {cell: fitting(faces) & pool for cell, faces in self.field.faces.items()}
        return {cell: fits for cell, fits in found.items() if fits}

    def moves(self) -> Sequence[Move]:
        return self.legal

    @cached_property
    def legal(self) -> tuple[Move, ...]:
        return () if self.outcome else tuple(self._moves())

    def _moves(self) -> Iterator[Move]:
        for cell, fits in sorted(self.places.items()):
            for number in bits(fits):
                yield Place(*tile_of(number), cell)
        yield from map(Lift, sorted(self.field.laid))

    def after(self, move: Move) -> "State":
        if isinstance(move, Lift):
            if move.cell not in self.field.laid:
                raise illegal("nothing", [move.cell])
            rest = {cell: n for cell, n in self.field.laid.items() if cell != move.cell}
            return State(self.rules, laid_out(rest.items()), move)
        self._check(move)
        return State(self.rules, self.field.with_tile(move.cell, move.form), move)

    def _check(self, move: Place) -> None:
        laid, cell = self.field.laid, move.cell
        if not 1 <= move.tile <= self.rules.count:
            raise illegal("unknown", tile=move.tile, count=self.rules.count)
        if not self.left >> move.tile & 1:
            raise illegal("used", tile=move.tile)
        if cell in laid:
            raise illegal("taken", [cell])
        if not laid:
            if cell != CENTRE:
                raise illegal("first", [CENTRE])
            return
        for broken in self.field.broken(cell, form(move.tile, move.turn), bound=False):
            rule = "apart" if broken.rule == "apart" else "edges"
            raise illegal(rule, broken.cells, tile=move.tile, **broken.args)

    def __str__(self) -> str:
        lines = [heading("discovery", self.rules, {})]
        lines += [f"last: {self.last}"] if self.last else []
        places = [Place(*tile_of(number), cell) for cell, number in sorted(self.field.laid.items())]
        return "\n".join([*lines, *map(str, places)]) + "\n"


def illegal(rule: str, cells: Sequence[Cell] = (), **args: object) -> IllegalMove:
    at = " ".join(f"{q},{r}" for q, r in cells)
    return IllegalMove("discovery", rule, cells, at=at, **args)


def begin(rules: Rules) -> State:
    return State(rules, Field())
