"""Discovery for the eye: the field with its open cells, and the tiles in hand."""

from rich.text import Text

from tegel.cells import bits
from tegel.game import Choice, Event, Item, Offer, Slot
from tegel.games.tantrix.field import CENTRE
from tegel.games.tantrix.picture import BOARD_SCALE, HAND_SCALE, HAND_STEP, MARGIN
from tegel.games.tantrix.terminal import row, table
from tegel.games.tantrix.tiles import tile_of
from tegel.lattice import HEXAGON
from tegel.picture import Mark, Plane
from tegel.puzzle.discovery.hand import LIFT, Lift, Move, State

WIDE = 5  # tiles in a row of the hand


def planes(state: State) -> list[Plane]:
    open = () if state.outcome else state.field.faces
    wells = tuple(sorted({*state.field.laid, *open} or {CENTRE}))
    centres = [HEXAGON.centre(cell) for cell in wells]
    left, right = min(x for x, _ in centres) - MARGIN, max(x for x, _ in centres) + MARGIN
    top, bottom = min(y for _, y in centres) - MARGIN, max(y for _, y in centres) + MARGIN
    rows = -(-state.rules.count // WIDE)
    hand = Plane(
        "hand",
        HEXAGON,
        box=(-0.5, -0.6, HAND_STEP * (WIDE - 1) + 0.5, HAND_STEP * (rows - 1) + 0.6),
        x=BOARD_SCALE * right + 1.6,
        y=BOARD_SCALE * top + 2.4,
        scale=HAND_SCALE,
        title="tiles",
        note=str(state.left.bit_count()),
        seats=(0,),
        tray=True,
    )
    board = Plane("board", HEXAGON, wells, (left, top, right, bottom), scale=BOARD_SCALE, main=True)
    return [board, hand]


def marks(state: State) -> list[Mark]:
    lies = state.last and not isinstance(state.last, Lift) and not state.outcome
    latest = state.last.cell if state.last and lies else None
    # The last tile comes last, so that its glow lies above its neighbours.
    laid = sorted(state.field.laid.items(), key=lambda item: (item[0] == latest, item[0]))
    found = [
        Mark("board", _key(n), cell, role="last" if cell == latest else "") for cell, n in laid
    ]
    for tile in bits(state.left):
        row, column = divmod(tile - 1, WIDE)
        # The lattice leans: a place in a plain grid of rows is half a cell further back a row.
        down = HAND_STEP * row * 2 / 3**0.5
        at = (HAND_STEP * column - down / 2, down)
        found.append(Mark("hand", f"{tile}.0", at, tile=str(tile)))
    return found


def _key(number: int) -> str:
    return "{}.{}".format(*tile_of(number))


def offer(state: State) -> Offer:
    """By form of the hand, the cells where it may go; and what may be lifted."""
    lifts = tuple(
        Choice(str(Lift(cell)), (cell,), str(tile_of(number)[0]), LIFT)
        for cell, number in sorted(state.field.laid.items())
    )
    cells = {*state.field.faces, *state.field.laid} or {CENTRE}
    left, top = min(q for q, _ in cells), min(r for _, r in cells)
    wide, high = max(q for q, _ in cells) - left + 1, max(r for _, r in cells) - top + 1
    slots: dict[int, int] = {}
    for (q, r), fits in state.places.items():
        for number in bits(fits):
            slots[number] = slots.get(number, 0) | 1 << (r - top) * wide + q - left
    box = (left, top, wide, high)
    return Offer(
        tuple(
            Slot(str(tile_of(number)[0]), tile_of(number)[1], "board", box, places)
            for number, places in sorted(slots.items())
        ),
        lifts,
        lifting=f"{LIFT}@{{column}},{{row}}" if lifts else "",
    )


def events(before: State, move: Move, after: State) -> list[Event]:
    if isinstance(move, Lift):
        tile = str(tile_of(before.field.laid[move.cell])[0])
        return [Event("lifted", (move.cell,), {"tile": tile})]
    found = [Event("placed", (move.cell,), {"tile": str(move.tile)})]
    if after.outcome:
        return [*found, Event("solved")]
    colour = after.rules.colour
    flaws = {flaw.key: flaw.cells for flaw in after.flaws}  # where all tiles lie and edges match
    told = [Event(key, flaws[key], {"colour": colour}) for key in ("loop", "hole") if key in flaws]
    return [*found, *told]


def drawing(state: State, _: str = "en") -> Text:
    """For terminals: the field, then the tiles in hand, some in a line."""
    tiles, some = list(bits(state.left)), 8
    lines = [row(tiles[first : first + some]) for first in range(0, len(tiles), some)]
    parts = (
        [table(state.field, state.last.cell if state.last else None)] if state.field.laid else []
    )
    return Text("\n\n", no_wrap=True, overflow="ignore").join([*parts, *lines])


def account(state: State) -> list[Item]:
    return [Item(0, "laid", state.scores[0])]
