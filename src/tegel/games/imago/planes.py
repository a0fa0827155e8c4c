"""What a net sees of Imago, drawn by the law: planes.hpp says the same, faster.

Planes are 8 x 8: the board lies in the middle, with one square around it. A stock lies there as if
its box began at the lower left of the board, so that it has room for one more stone on every side,
and it does not matter where it began. Own things come first."""

from tegel.game import Seat
from tegel.games.imago.rules import Act, Move, State
from tegel.games.imago.stones import GRID, HOLLOWS, SIZE
from tegel.lattice import Cell

EDGE = SIZE + 2
SQUARES = EDGE**2
OWNERS = ("own", "other")
KINDS = ("images", "corners", "needed", "claimed", "captures", "takes", "places")
"""The planes of both stocks, besides their stones: by how many images a hollow is held; the lower
left of each; the hollows that all of them hold; those of the claimed one; and, as if a turn of the
seat began, those that could be captured, how many stock cells a stone could go to, and how many
stones could go to a stock cell."""
STEPS = ("first", "taken", "captured", "asked")
CAPTURES = SQUARES**2
CLAIMS = CAPTURES + SQUARES
WORDS = CLAIMS + SQUARES
SAID: tuple[Act, ...] = ("allow", "end", "pass")


def channels(state: State) -> list[str]:
    """The stones on the board and in the stocks, by kind; what stocks may do; the stone and the
    stock cell of a take that waits for an answer."""
    kinds = range(_kinds(state))
    names = [f"{where} {kind}" for where in ("board", "own stock", "other stock") for kind in kinds]
    names += [f"{who} {kind}" for who in OWNERS for kind in KINDS]
    return [*names, "asked stone", "asked place"]


def layers(state: State) -> list[list[list[int]]]:
    """The planes: by channel, row and column."""
    table, names = state.table, channels(state)
    found = {name: [[0] * EDGE for _ in range(EDGE)] for name in names}

    def add(name: str, cells: list[Cell], by: int = 1) -> None:
        for x, y in cells:
            found[name][y + 1][x + 1] += by

    for cell, colour in table.colour_at.items():
        add(f"board {table.kinds[colour]}", [cell])
    for who, seat in zip(OWNERS, (state.turn, 1 - state.turn), strict=True):
        stock, corner = table.stocks[seat], _corner(state, seat)
        for cell, colour in stock.stones:
            add(f"{who} stock {table.kinds[colour]}", [_less(cell, corner)])
        for image in table.images(seat):
            add(f"{who} images", list(image.cells))
            add(f"{who} corners", [_plus(image.shift, corner)])
            if stock.claim:
                add(f"{who} claimed", list(image.cells))
        add(f"{who} needed", list(GRID.cells(table.needed(seat))))
        add(f"{who} captures", [c for image in table.captures(seat) for c in image.cells])
        for place, hollows in table.takes(seat).items():
            add(f"{who} takes", list(GRID.cells(hollows)))
            add(f"{who} places", [_less(place, corner)], hollows.bit_count())
    if state.asked:
        add("asked stone", [state.asked.cell])
        add("asked place", [_less(state.asked.place, _corner(state, state.player))])
    return list(found.values())


def scalars(state: State) -> list[float]:
    """For both seats stones in stock by 16, those set aside by 32, whether it is out, whether it
    is tied to a claim; the step (a turn begins, taken, captured, asked), a 1 among 0s; whether the
    other passed; stones on the board by 32."""
    table, found = state.table, list[float]()
    for seat in (state.turn, 1 - state.turn):
        stock = table.stocks[seat]
        found += [len(stock.stones) / 16, sum(table.aside[seat]) / len(HOLLOWS)]
        found += [float(stock.out), float(stock.claim is not None)]
    step = "asked" if state.asked else state.step
    found += [float(step == name) for name in STEPS]
    return [*found, float(state.passes), table.stones.bit_count() / len(HOLLOWS)]


def labels(state: State) -> list[str]:  # noqa: ARG001
    """The names of the scalars."""
    found = [f"{who} {what}" for who in OWNERS for what in ("stock", "aside", "out", "claim")]
    return [*found, *STEPS, "passes", "stones"]


def action(state: State, move: Move) -> int:
    """The number of a move: 64 x plane + square. A take has the plane of its stock cell's square
    and the square of its hollow; then come a plane for captures and one for claims, with the lower
    left of the image; then one whose first squares are allow, end and pass."""
    corner = _corner(state, state.turn)
    match move.act:
        case "take":
            return square(_less(move.place, corner)) * SQUARES + square(move.cell)
        case "capture":
            return CAPTURES + square(_plus(move.cell, corner))
        case "claim":
            return CLAIMS + square(_plus(move.cell, corner))
        case _:
            return WORDS + SAID.index(move.act)


def move_of(state: State, action: int) -> Move:
    """The move of a number, legal or not; the inverse of `action`."""
    corner = _corner(state, state.turn)
    plane, square = divmod(action, SQUARES)
    if action < CAPTURES:
        return Move("take", _cell(square), _plus(_cell(plane), corner))
    if action < WORDS:
        return Move("capture" if action < CLAIMS else "claim", _less(_cell(square), corner))
    return Move(SAID[square])


def actions(state: State) -> int:  # noqa: ARG001
    """How many moves there are, legal or not."""
    return WORDS + SQUARES


def _kinds(state: State) -> int:
    return 1 + max(state.table.kinds)


def _corner(state: State, seat: Seat) -> Cell:
    """The lower left of a stock's box."""
    cells = state.table.stocks[seat].cells or {(0, 0)}
    return min(x for x, _ in cells), min(y for _, y in cells)


def square(cell: Cell) -> int:
    """The square of a cell of the board, or of a stock's cell counted from its box."""
    return (cell[1] + 1) * EDGE + cell[0] + 1


def _cell(square: int) -> Cell:
    return square % EDGE - 1, square // EDGE - 1


def _plus(one: Cell, other: Cell) -> Cell:
    return one[0] + other[0], one[1] + other[1]


def _less(one: Cell, other: Cell) -> Cell:
    return one[0] - other[0], one[1] - other[1]
