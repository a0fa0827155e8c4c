"""Blokus for the eye: tiles on the board, hands beside it, and what a hand may do."""

from collections.abc import Mapping
from functools import cache, lru_cache

from tegel.cells import Grid
from tegel.game import Offer, Seat, Slot
from tegel.games.blokus.notation import covering
from tegel.games.blokus.rules import FORMS, TILES, State
from tegel.lattice import Cell, Point, outline
from tegel.picture import Layer, Mark, Plane, Sprite, rows, signed, tile

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
NAMED = tuple((TILES[number], turn) for number, turn, _ in FORMS)
"""The forms by tile and turn."""
HAND_SCALE, HAND_WIDTH = 0.32, 29.0


def paint(colour: str) -> str:
    return PAINT.get(colour, colour)


def planes(state: State) -> list[Plane]:
    rules, size = state.rules, state.rules.size
    board = _board(rules.grid)
    height = max(size / len(rules.colours), 5)
    hands = [
        _hand(
            colour,
            size + 0.6,
            1.7 - size + i * height,
            state.score(i),
            rules.players[i],
            active=i == state.colour and not state.outcome,
            out=not state.can_place(i),
        )
        for i, colour in enumerate(rules.colours)
    ]
    return [board, *hands]


@lru_cache(maxsize=4096)
def _hand(
    colour: str, x: float, y: float, score: int, seats: tuple[Seat, ...], *, active: bool, out: bool
) -> Plane:
    return Plane(
        f"hand.{colour}",
        box=(0, 0, HAND_WIDTH, _hand_rows()[1]),
        x=x,
        y=y,
        scale=HAND_SCALE,
        title="hand",
        note=signed(score),
        colour=paint(colour),
        seats=seats,
        tray=True,
        active=active,
        out=out,
    )


@cache
def _board(grid: Grid) -> Plane:
    size = grid.width
    box = (-0.75, 0.25 - size, size - 0.25, 0.75)
    return Plane(
        "board", wells=grid.cells(grid.full), box=box, coordinates=True, framed=True, main=True
    )


@cache
def _hand_rows() -> tuple[Mapping[int, Point], float]:
    """Where each tile lies in a hand, and how high a hand is."""
    biggest_first = sorted(FLAT, key=lambda form: (-len(form[2]), form[0]))
    placed, height = rows(((str(number), shape) for number, _, shape in biggest_first), HAND_WIDTH)
    return {int(number): (x + 0.5, y - 0.5) for number, (x, y) in placed}, height


def marks(state: State) -> list[Mark]:
    found: list[Mark] = []
    for colour, tiles in zip(state.rules.colours, state.tiles, strict=True):
        found += _tile_marks(state.rules.grid, tiles, colour)
    if last := state.last:
        sprite, cell = f"{last.tile}.{last.turn}", last.cell
        found = [_last(m) if m.cell == cell and m.sprite == sprite else m for m in found]
    if not state.outcome:
        found += _open_marks(state)
    for colour, hand in zip(state.rules.colours, state.hands, strict=True):
        found += _hand_marks(colour, hand)
    return found


# A server draws every position: with these caches marks and planes of Blokus Duo take 120 us
# on average, without them 300 (random games, 2-core virtual machine).


@lru_cache(maxsize=4096)
def _tile_marks(grid: Grid, tiles: tuple[int, ...], colour: str) -> tuple[Mark, ...]:
    """The tiles of a colour on the board."""
    return tuple(_tile_mark(grid, tile, colour) for tile in tiles)


@lru_cache(maxsize=65_536)
def _tile_mark(grid: Grid, tile: int, colour: str) -> Mark:
    move = covering(grid.cells(tile))
    return Mark("board", f"{move.tile}.{move.turn}", move.cell, paint(colour))


@lru_cache(maxsize=65_536)
def _last(mark: Mark) -> Mark:
    return mark._replace(role="last")


@lru_cache(maxsize=4096)
def _hand_marks(colour: str, hand: int) -> tuple[Mark, ...]:
    return tuple(_hand_mark(colour, number, hand >> number & 1) for number in range(len(FLAT)))


@cache
def _hand_mark(colour: str, number: int, there: int) -> Mark:
    tile, turn, _ = FLAT[number]
    name, cell = TILES[tile], _hand_rows()[0][tile]
    plane, role = f"hand.{colour}", "" if there else "dim"
    return Mark(plane, f"{name}.{turn}", cell, paint(colour), role, tile=name if there else "")


def _open_marks(state: State) -> list[Mark]:
    """The corners that the colour to move may build on."""
    own, colour = state.squares[state.colour], state.rules.colours[state.colour]
    squares = state.rules.grid.cells(state.open(state.colour) & state.free(state.colour))
    sprite, role = ("open", "quiet") if own else ("start", "")
    return [_open_mark(sprite, cell, colour, role) for cell in squares]


@cache
def _open_mark(sprite: str, cell: Cell, colour: str, role: str) -> Mark:
    return Mark("board", sprite, cell, paint(colour), role)


def offer(state: State) -> Offer:
    rules = state.rules
    box = (0, 0, rules.grid.stride, rules.size)
    return Offer(
        tuple(
            [
                Slot(*NAMED[form], "board", box, squares)
                for form, squares in state.legal.places.items()
            ]
        )
    )
