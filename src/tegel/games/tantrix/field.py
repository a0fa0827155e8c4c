"""The field: the tiles on the table, and what they allow.

- An **open** cell is an empty one beside a tile; its **faces** are the edges that look at
  it (see `tiles`).
- A **forced space** is an open cell with three or more tiles around it.
- A **controlled side** is a straight run of empty cells, each with two tiles behind it on
  the same side, that begins at a tile: its first cell is a forced space, and filling that
  makes the next one forced. A tile at the other end would close it (rule d).
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property

from tegel.game import Lean
from tegel.games.tantrix.tiles import (
    FORMS,
    NAMES,
    NOTHING,
    SHOWING,
    TURNS,
    fitting,
    paired,
    tiles_around,
)
from tegel.lattice import HEXAGON, Cell

CENTRE: Cell = (0, 0)


@cache
def around(cell: Cell) -> tuple[Cell, ...]:
    """The neighbours of a cell, clockwise from east."""
    return HEXAGON.neighbours(cell)


@dataclass(frozen=True)
class Broken:
    """One thing wrong with a placement: the rule (a key of the refusals), the cells where,
    and what else there is to say."""

    rule: str
    cells: tuple[Cell, ...]
    args: Mapping[str, object]


@dataclass(frozen=True)
class Field(Lean):
    """Immutable: `laid` gives the form on each cell with a tile, `faces` those of each open
    cell, which follow from it."""

    laid: Mapping[Cell, int] = field(default_factory=dict)
    faces: Mapping[Cell, str] = field(default_factory=dict, compare=False)

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash(frozenset(self.laid.items()))

    def with_tile(self, cell: Cell, form: int) -> "Field":
        """The field with one more tile."""
        laid, faces, edges = {**self.laid, cell: form}, dict(self.faces), FORMS[form]
        faces.pop(cell, None)
        for side, beyond in enumerate(around(cell)):
            if beyond not in laid:
                seen, back = faces.get(beyond, NOTHING), (side + 3) % TURNS
                faces[beyond] = seen[:back] + edges[side] + seen[back + 1 :]
        return Field(laid, faces)

    @cached_property
    def forced(self) -> tuple[Cell, ...]:
        """The forced spaces."""
        return tuple(sorted(c for c, faces in self.faces.items() if tiles_around(faces) >= 3))

    def places(self, forms: int, cells: Iterable[Cell], *, bound: bool) -> dict[Cell, int]:
        """Those of some forms that may be laid, by open cell: by rule a alone or, if bound,
        by rules a to d; cells where none may are left out."""
        found = {}
        for cell in cells:
            fits = fitting(self.faces[cell]) & forms
            if fits and bound:
                fits = self.lawful(cell, fits)
            if fits:
                found[cell] = fits
        return found

    def lawful(self, cell: Cell, forms: int) -> int:
        """Those of some forms that rules b, c and d let lie on an open cell."""
        for side, beyond in enumerate(around(cell)):
            if faces := self.faces.get(beyond):
                if tiles_around(faces) >= 3:
                    return 0
                for letter in paired(faces):
                    forms &= ~SHOWING[side][letter]
        return forms if forms and not self.controlled(cell) else 0

    def controlled(self, cell: Cell) -> tuple[Cell, ...]:
        """The controlled side that a tile on an empty cell would close, from that cell on;
        none as a rule. Ruling T2."""
        laid = self.laid
        for heading, beyond in enumerate(around(cell)):
            if beyond in laid:
                continue
            # Seen from the end of the run, which lies ahead, its backing tiles stand behind to
            # the left and to the right: o of ruling T2 is `back`.
            back = heading + 3
            for turn in (1, -1):
                run, x = [], beyond
                while x not in laid:
                    behind = around(x)
                    if behind[(back + turn) % TURNS] not in laid:
                        break
                    if behind[(back + 2 * turn) % TURNS] not in laid:
                        break
                    run.append(x)
                    x = behind[heading]
                if len(run) >= 2 and x in laid:
                    return tuple(run)
        return ()

    def broken(self, cell: Cell, form: int, *, bound: bool) -> Iterator[Broken]:
        """Everything that is wrong with a tile on an empty cell, in the order of the rules;
        nothing exactly when `places` has it."""
        edges = FORMS[form]
        if cell not in self.faces:
            yield Broken("apart", (cell,), {})
            return
        for side, beyond in enumerate(around(cell)):
            theirs = self.faces[cell][side]
            if theirs not in (".", edges[side]):
                yield Broken("a", (beyond,), {"colour": NAMES[edges[side]], "other": NAMES[theirs]})
        if not bound:
            return
        nearby = [(side, n, self.faces.get(n, "")) for side, n in enumerate(around(cell))]
        for side, beyond, faces in nearby:
            if edges[side] in paired(faces):
                yield Broken("b", (beyond,), {"colour": NAMES[edges[side]]})
        for _, beyond, faces in nearby:
            if faces and tiles_around(faces) >= 3:
                yield Broken("c", (beyond,), {"count": tiles_around(faces) + 1})
        if run := self.controlled(cell):
            yield Broken("d", run, {})

    def clashes(self) -> tuple[Cell, ...]:
        """The cells of tiles with an edge that touches one of another colour; none in a game."""
        return tuple(
            cell
            for cell, form in sorted(self.laid.items())
            for side, beyond in enumerate(around(cell))
            if beyond in self.laid
            and FORMS[self.laid[beyond]][(side + 3) % TURNS] != FORMS[form][side]
        )


def laid_out(tiles: Iterable[tuple[Cell, int]]) -> Field:
    """The field of these forms on their cells."""
    found = Field()
    for cell, form in tiles:
        found = found.with_tile(cell, form)
    return found
