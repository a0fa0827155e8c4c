"""Imago for the eye: the board between the two stocks, images, claims, and what may be done."""

from collections.abc import Iterator

from tegel.game import CHANCE, Choice, Offer, Seat, Slot
from tegel.games.imago.rules import SIDES, State
from tegel.games.imago.sprites import MARGIN
from tegel.games.imago.stones import COLOURS, HOLLOWS, TOP, Image
from tegel.lattice import Cell, Point, bounds, name, outline
from tegel.picture import Mark, Plane

OUTLINED = 3  # that many images are few: each of them counts
TRAY = 6.4  # the side of a stock's tray: a stock is never larger than the board
GAP = 1.3


def planes(state: State) -> list[Plane]:
    """The board; left and right of it the stocks at its scale, in the middle of a tray;
    below them what is set aside."""
    low, high = -MARGIN, TOP + MARGIN
    board = Plane("board", wells=HOLLOWS, box=(low, -high, high, -low), coordinates=True, main=True)
    found = [board]
    for seat, side in enumerate(SIDES):
        x, y = _middle(state, seat)
        left = low - GAP - TRAY if seat == 0 else high + GAP - 0.6
        tray = (x - TRAY / 2, -y - TRAY / 2, x + TRAY / 2, -y + TRAY / 2)
        found.append(
            Plane(
                f"stock.{seat}",
                box=tray,
                x=left - tray[0],
                y=-high + 0.8 - tray[1],
                framed=True,
                title="out" if state.table.stocks[seat].out else "stock",
                note=str(state.scores[seat]),
                colour=side,
                seats=(seat,),
                active=state.turn == seat and not state.outcome,
                out=state.table.stocks[seat].out,
            )
        )
        found.append(
            Plane(
                f"aside.{seat}",
                box=(0, -1.7, 11.6, 0.5),
                x=left,
                y=TRAY - 3.75,
                scale=0.55,
                seats=(seat,),
            )
        )
    return found


def _middle(state: State, seat: Seat) -> Point:
    """The middle of a stock, in its own cells."""
    left, low, right, top = bounds(state.table.stocks[seat].cells or {(0, 0)})
    return (left + right) / 2, (low + top) / 2


def marks(state: State) -> list[Mark]:
    table, found = state.table, [Mark("board", "wood", (0, 0))]
    asked = state.asked
    found += [Mark("board", "hollow", cell) for cell in HOLLOWS]
    for cell, colour in sorted(table.colour_at.items()):
        role = "last" if asked and asked.cell == cell else ""
        found.append(_stone("board", cell, colour, role, tile=name(cell)))
    if state.last and state.last.act == "take" and state.last.cell not in table.colour_at:
        found.append(Mark("board", "gone", state.last.cell))
    for seat in (0, 1):
        found += _image_marks(state, seat)
        found += _stock_marks(state, seat)
        found += _aside_marks(state, seat)
    return found + list(_take_marks(state))


def _stone(plane: str, cell: Point, colour: int, role: str = "", tile: str = "") -> Mark:
    letter = COLOURS[colour]
    return Mark(plane, letter, cell, letter, role, tile=tile)


def shown(state: State, seat: Seat) -> tuple[Image, ...]:
    """The images of a stock that matter now: those that may be claimed, else all if they are
    few, else those that may be captured."""
    stock, images = state.table.stocks[seat], state.table.images(seat)
    if len(stock.stones) < 2:
        return ()
    if state.asked and seat == state.turn:
        return state.table.claims(seat, state.asked.cell)
    return images if len(images) <= OUTLINED else state.table.captures(seat)


def _image_marks(state: State, seat: Seat) -> Iterator[Mark]:
    """Outlines of images; a claimed one has a seal where the first stone is answered."""
    stock, role = state.table.stocks[seat], ("line", "dashes")[seat]
    for number, image in enumerate(shown(state, seat)):
        # Left's lines run outside right's, so that images of both can be told apart.
        inset = (-0.03, 0.07)[seat] + 0.03 * number
        path = outline(image.cells, inset=inset, radius=0.3)
        yield Mark("board", "", (0, 0), SIDES[seat], role, path=path)
    if stock.claim:
        column, row = stock.claim
        at = column + (-0.42, 0.42)[seat], row + 0.42
        yield Mark("board", "seal", at, SIDES[seat], label="claim")


def _stock_marks(state: State, seat: Seat) -> Iterator[Mark]:
    plane, stock = f"stock.{seat}", state.table.stocks[seat]
    taker = state.player if state.step == "taken" else 1 - state.player
    taken = state.last if state.last and state.last.act == "take" and seat == taker else None
    for cell, colour in stock.stones:
        last = taken and taken.place == cell and not state.asked
        yield _stone(plane, cell, colour, "last" if last else "")
    if state.asked and seat == state.player:
        colour = state.table.colour_at[state.asked.cell]
        yield _stone(plane, state.asked.place, colour, "ghost")


def _aside_marks(state: State, seat: Seat) -> Iterator[Mark]:
    """Stones set aside: a pile for each colour."""
    piles = [(colour, count) for colour, count in enumerate(state.table.aside[seat]) if count]
    for number, (colour, count) in enumerate(piles):
        for height in range(count):
            yield _stone(f"aside.{seat}", (0.5 + 1.05 * number, 0.16 * height), colour)


def _take_marks(state: State) -> Iterator[Mark]:
    """For the player who may take: where in the stock, and which stones not."""
    if state.turn == CHANCE or state.asked or state.step == "taken" or state.outcome:
        return
    side, other = SIDES[state.player], SIDES[1 - state.player]
    takes = state.table.takes(state.player)
    for place in takes:
        yield Mark(f"stock.{state.player}", "place", place, side)
    for (column, row), rule in state.forbidden().items():
        if rule in ("claimed", "last"):
            yield Mark("board", "kept", (column + 0.3, row - 0.3), other, label=rule)
        elif takes:
            yield Mark("board", "barred", (column + 0.3, row - 0.3), label=rule)


def offer(state: State) -> Offer:
    """A slot for each stone that may be taken; every other move is a choice."""
    table, stock = state.table, state.table.stocks[state.player]
    left, low, right, top = bounds(stock.edge)
    width = right - left + 1
    box = (left, low, width, top - low + 1)
    places: dict[Cell, int] = {}
    choices = []
    for move in state.moves():
        if move.act == "take":
            bit = 1 << (move.place[1] - low) * width + move.place[0] - left
            places[move.cell] = places.get(move.cell, 0) | bit
        else:
            image = table.image(state.turn, move.cell) if "@" in str(move) else None
            choices.append(Choice(str(move), image.cells if image else (), key=move.act))
    plane = f"stock.{state.player}"
    slots = (Slot(name(cell), 0, plane, box, bits) for cell, bits in sorted(places.items()))
    return Offer(tuple(slots), tuple(choices))
