"""Discovery for the eye: the field with its open cells, and the tiles in hand."""

from tegel.cells import bits
from tegel.game import Choice, Offer
from tegel.games.tantrix import picture as tantrix
from tegel.games.tantrix.discovery.rules import LIFT, Lift, State
from tegel.games.tantrix.picture import (
    HAND_SCALE,
    HAND_STEP,
    beside,
    field_plane,
    slots,
    tile_marks,
)
from tegel.games.tantrix.tiles import tile_of
from tegel.lattice import HEXAGON
from tegel.picture import Mark, Plane

SPRITES = {key: sprite for key, sprite in tantrix.SPRITES.items() if key != "forced"}
WIDE = 5  # tiles in a row of the hand


def planes(state: State) -> list[Plane]:
    board = field_plane(state.field, open=not state.outcome)
    x, y = beside(board)
    rows = -(-state.rules.count // WIDE)
    hand = Plane(
        "hand",
        HEXAGON,
        box=(-0.5, -0.6, HAND_STEP * (WIDE - 1) + 0.5, HAND_STEP * (rows - 1) + 0.6),
        x=x,
        y=y,
        scale=HAND_SCALE,
        title="tiles",
        note=str(state.left.bit_count()),
        seats=(0,),
        tray=True,
    )
    return [board, hand]


def marks(state: State) -> list[Mark]:
    lies = state.last and not isinstance(state.last, Lift) and not state.outcome
    found = tile_marks(state.field, state.last.cell if state.last and lies else None)
    for tile in bits(state.left):
        row, column = divmod(tile - 1, WIDE)
        # The lattice leans: a place in a plain grid of rows is half a cell further back a row.
        down = HAND_STEP * row * 2 / 3**0.5
        at = (HAND_STEP * column - down / 2, down)
        found.append(Mark("hand", f"{tile}.0", at, tile=str(tile)))
    return found


def offer(state: State) -> Offer:
    """By form of the hand, the cells where it may go; and what may be lifted."""
    lifts = tuple(
        Choice(str(Lift(cell)), (cell,), str(tile_of(number)[0]), LIFT)
        for cell, number in sorted(state.field.laid.items())
    )
    lifting = f"{LIFT}@{{column}},{{row}}" if lifts else ""
    return Offer(tuple(slots(state.field, state.places)), lifts, lifting=lifting)
