"""Blokus for the eye: tiles on the board, hands beside it, and what a hand may do."""

from collections.abc import Mapping
from functools import cache

from tegel.cells import bits
from tegel.game import Event, Item, Offer, Slot, words
from tegel.games.blokus.notation import covering
from tegel.games.blokus.rules import FORMS, TILES, Move, State
from tegel.lattice import Point, outline
from tegel.picture import Layer, Mark, Plane, Sprite, rows, tile

SPRITES: Mapping[str, Sprite] = {
    **{f"{TILES[t]}.{turn}": tile(shape, name=TILES[t]) for t, turn, shape in FORMS},
    "open": Sprite((Layer("M0-.13A.13 .13 0 0 1 0 .13A.13 .13 0 0 1 0-.13Z"),)),
    "start": Sprite((Layer(outline([(0, 0)], inset=0.22, radius=0.28), fill="none", width=0.07),)),
}
PAINT = {"first": "blue", "second": "yellow"}  # other colours are paints by their own names
FLAT = tuple(
    min(
        (form for form in FORMS if form[0] == number),
        key=lambda form: (max(row for _, row in form[2]), form[1]),
    )
    for number in range(len(TILES))
)
"""Each tile lying down, for the hand."""
HAND_SCALE, HAND_WIDTH = 0.32, 29.0


def paint(colour: str) -> str:
    return PAINT.get(colour, colour)


def planes(state: State) -> list[Plane]:
    rules, said = state.rules, words("blokus")["colours"]
    size = rules.size
    board = Plane(
        "board",
        wells=rules.grid.cells(rules.grid.full),
        box=(-0.75, 0.25 - size, size - 0.25, 0.75),
        coordinates=True,
        framed=True,
    )
    height = max(size / len(rules.colours), 5)
    hands = [
        Plane(
            f"hand.{colour}",
            box=(0, 0, HAND_WIDTH, _hand_rows()[1]),
            x=size + 0.6,
            y=1.7 - size + i * height,
            scale=HAND_SCALE,
            title=said[colour].capitalize(),
            note=str(state.score(i)).replace("-", "\N{MINUS SIGN}"),
            colour=paint(colour),
            seats=rules.players[i],
            tray=True,
            active=i == state.colour and not state.outcome,
        )
        for i, colour in enumerate(rules.colours)
    ]
    return [board, *hands]


@cache
def _hand_rows() -> tuple[Mapping[int, Point], float]:
    """Where each tile lies in a hand, and how high a hand is."""
    biggest_first = sorted(FLAT, key=lambda form: (-len(form[2]), form[0]))
    placed, height = rows(((str(number), shape) for number, _, shape in biggest_first), HAND_WIDTH)
    return {int(number): (x + 0.5, y - 0.5) for number, (x, y) in placed}, height


def marks(state: State) -> list[Mark]:
    found: list[Mark] = []
    for i, colour in enumerate(state.rules.colours):
        for part in state.rules.grid.components(state.squares[i]):
            move = covering(state.rules.grid.cells(part))
            role = "last" if move == state.last else ""
            label = f"{words('blokus')['colours'][colour]} {move}"
            found.append(
                Mark("board", f"{move.tile}.{move.turn}", move.cell, paint(colour), role, label)
            )
    if not state.outcome:
        found += _open_marks(state)
    for i, colour in enumerate(state.rules.colours):
        for number, turn, _ in FLAT:
            role = "" if state.hands[i] >> number & 1 else "dim"
            name, cell = TILES[number], _hand_rows()[0][number]
            plane, sprite = f"hand.{colour}", f"{name}.{turn}"
            found.append(
                Mark(plane, sprite, cell, paint(colour), role, name, tile="" if role else name)
            )
    return found


def _open_marks(state: State) -> list[Mark]:
    """The corners that the colour to move may build on."""
    own, colour = state.squares[state.colour], state.rules.colours[state.colour]
    squares = state.rules.grid.cells(state.open(state.colour) & state.free(state.colour))
    return [Mark("board", "open" if own else "start", cell, paint(colour)) for cell in squares]


def offer(state: State) -> Offer:
    rules = state.rules
    box = (0, 0, rules.grid.stride, rules.size)
    return Offer(
        tuple(
            Slot(TILES[FORMS[form][0]], FORMS[form][1], "board", box, squares)
            for form, squares in state.legal.places
        )
    )


def events(before: State, move: Move, after: State) -> list[Event]:
    """A tile placed; colours that are out because of it; the end."""
    colours = before.rules.colours
    args = {"colour": colours[before.colour], "tile": move.tile}
    found = [Event("placed", move.cells, args)]
    if not after.hands[before.colour]:
        found.append(Event("finished", move.cells, {"colour": colours[before.colour]}))
    if after.outcome:
        return [*found, Event("over")]
    count = len(colours)
    skipped = range(
        before.colour + 1, before.colour + (after.colour - before.colour - 1) % count + 1
    )
    return found + [Event("passed", (), {"colour": colours[i % count]}) for i in skipped]


def account(state: State) -> list[Item]:
    """Every point of every seat: squares left in hand, bonuses, by colour."""
    rules, found = state.rules, []
    for seat in range(rules.seats):
        for i, colour in enumerate(rules.colours):
            if colour == rules.shared or rules.players[i][0] % rules.sides != seat % rules.sides:
                continue
            key = "left" if state.hands[i] else "single" if state.single >> i & 1 else "all"
            tiles = " ".join(TILES[number] for number in bits(state.hands[i]))
            args = {"colour": colour, "tiles": tiles}
            found.append(Item(seat, key, state.score(i), (), args))
    return found


def facts(state: State) -> Mapping[str, object]:
    return {"colours": {colour: state.score(i) for i, colour in enumerate(state.rules.colours)}}
