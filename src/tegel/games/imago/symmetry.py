"""What lies on an Imago board: its stones. Colours of which there are equally many can stand for
each other, so they are one mark; where only shapes matter, all are one."""

from tegel.game.footprint import Footprint, Overlap, turns
from tegel.games.imago.rules import State
from tegel.games.imago.stones import BOARD, COUNTS, SIZE

OPENING = 4  # stones taken: two by each player
FEW = 10  # stones: with fewer, positions look the same by accident
SHAPES = 1  # added to the size of the board, where only shapes matter


def footprint(state: State) -> Footprint:
    table, laying = state.table, state.step == "layout"
    if len(set(table.kinds)) == 1:
        found = _shapes(Footprint(SIZE, 0, laying, {"x": table.stones}))
        return found._replace(common=laying or found.common)
    marks = dict.fromkeys(map(str, COUNTS), 0)
    for cells, count in zip(table.board, COUNTS, strict=True):
        marks[str(count)] |= cells
    return Footprint(SIZE, table.stones.bit_count(), laying, marks)


def overlap(one: Footprint, other: Footprint) -> Overlap:
    """How many hollows look the same. Where only shapes matter, in one of the positions at least,
    a hollow says little: so empty hollows and stones both have to agree. With colours it is enough
    that most stones of one position lie in the other, taken earlier or later."""
    shapes = {one.board, other.board} != {SIZE}
    if one.board != other.board:
        one, other = _shapes(one), _shapes(other)
        if one.common or other.common:
            return Overlap(0, 1)
    own = sum(one.marks.values())
    found = []
    for turned in turns(SIZE, tuple(other.marks.items())):
        theirs = sum(turned.values())
        same = sum((cells & turned.get(key, 0)).bit_count() for key, cells in one.marks.items())
        both = (own | theirs).bit_count()
        if shapes:
            of = min(both, (BOARD & ~(own & theirs)).bit_count())
            found.append(Overlap(max(0, of - (both - same)), of))
        else:
            low = min(own.bit_count(), theirs.bit_count())
            found.append(Overlap(same, low if low >= FEW else both))
    return max(found, key=lambda each: each.shared / each.of if each.of else 0)


def _shapes(there: Footprint) -> Footprint:
    """What lies on a board, whatever its colours."""
    stones = sum(there.marks.values())
    taken = (BOARD & ~stones).bit_count()
    common = taken <= OPENING or stones.bit_count() < FEW
    return Footprint(SIZE + SHAPES, taken, common, {"x": stones})
