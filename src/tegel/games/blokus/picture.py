"""Blokus for the eye: tiles on the board, hands beside it, and what a hand may do."""

from collections.abc import Callable, Mapping
from functools import cache, lru_cache, partial

from tegel.cells import Grid, bits
from tegel.game import Offer, Seat, Slot
from tegel.games.blokus.notation import covering
from tegel.games.blokus.rules import FORMS, TILES, Move, State
from tegel.lattice import Point, outline
from tegel.picture import Changes, Layer, Mark, Plane, Sprite, rows, signed, tile

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
    rules, found = state.rules, list[Mark]()
    for colour, tiles in zip(rules.colours, state.tiles, strict=True):
        known, glowing = _tile_marks(rules.grid, colour)
        drawn = [known[tile] for tile in tiles]
        if state.laid in tiles:
            drawn[tiles.index(state.laid)] = _glowing(known, glowing, state, colour)
        found += drawn
    if not state.outcome:
        found += _open_marks(state)
    for colour, hand in zip(rules.colours, state.hands, strict=True):
        found += _hand_marks(colour, hand)
    return found


def changes(before: State, after: State) -> list[Mark | tuple[int, int]]:
    """The marks after a move: a tile more, which glows instead of the last one; other corners
    to build on; a tile less in a hand."""
    rules, found, at = before.rules, Changes(), 0
    for colour, tiles in zip(rules.colours, after.tiles, strict=True):
        start = 0
        for place in sorted(tiles.index(one) for one in (before.laid, after.laid) if one in tiles):
            found.keep(at, place - start)
            at += place - start
            known, glowing = _tile_marks(rules.grid, colour)
            if tiles[place] == after.laid:
                found.entries.append(_glowing(known, glowing, after, colour))
            else:
                found.entries.append(known[tiles[place]])
                at += 1
            start = place + 1
        found.keep(at, len(tiles) - start)
        at += len(tiles) - start
    at += before.corners.bit_count()
    if not after.outcome:
        found.entries += _open_marks(after)
    for colour, old, new in zip(rules.colours, before.hands, after.hands, strict=True):
        if old == new:
            found.keep(at, len(TILES))
        else:
            number = (old ^ new).bit_length() - 1
            found.keep(at, number)
            found.entries.append(_hand_tiles(colour)[0][number])
            found.keep(at + number + 1, len(TILES) - number - 1)
        at += len(TILES)
    return found.entries


# A server draws every position: so each mark is made once.


class _Marks(dict[int, Mark]):
    """Marks by the squares that they cover, made when they are first asked for."""

    def __init__(self, made: Callable[[int], Mark]) -> None:
        self.made = made

    def __missing__(self, squares: int) -> Mark:
        self[squares] = mark = self.made(squares)
        return mark


@cache
def _tile_marks(grid: Grid, colour: str) -> tuple[_Marks, dict[int, Mark]]:
    """The tiles of a colour on the board, and the same as the last: no more than it has moves."""
    return _Marks(lambda squares: _tile_mark(covering(grid.cells(squares)), colour)), {}


def _glowing(known: _Marks, glowing: dict[int, Mark], state: State, colour: str) -> Mark:
    """The mark of the last tile of a colour."""
    laid, last = state.laid, state.last
    if laid not in glowing and last:
        known[laid] = _tile_mark(last, colour)
        glowing[laid] = known[laid]._replace(role="last")
    return glowing[laid]


def _tile_mark(move: Move, colour: str) -> Mark:
    return Mark("board", f"{move.tile}.{move.turn}", move.cell, paint(colour))


@lru_cache(maxsize=4096)
def _hand_marks(colour: str, hand: int) -> list[Mark]:
    gone, there = _hand_tiles(colour)
    return [(there if hand >> number & 1 else gone)[number] for number in range(len(FLAT))]


@cache
def _hand_tiles(colour: str) -> tuple[list[Mark], list[Mark]]:
    """The tiles of a hand: each as it looks when it is gone, and while it is there."""
    plane, at = f"hand.{colour}", _hand_rows()[0]
    there = [
        Mark(plane, f"{TILES[tile]}.{turn}", at[tile], paint(colour), tile=TILES[tile])
        for tile, turn, _ in FLAT
    ]
    return [mark._replace(role="dim", tile="") for mark in there], there


def _open_marks(state: State) -> list[Mark]:
    """The corners that the colour to move may build on."""
    colour = state.rules.colours[state.colour]
    known = _corner_marks(state.rules.grid, colour, bool(state.squares[state.colour]))
    return [known[1 << number] for number in bits(state.corners)]


@cache
def _corner_marks(grid: Grid, colour: str, begun: bool) -> _Marks:
    sprite, role = ("open", "quiet") if begun else ("start", "")
    return _Marks(lambda square: Mark("board", sprite, grid.cells(square)[0], paint(colour), role))


def offer(state: State) -> Offer:
    heads = _slot_heads(state.rules.grid)
    return Offer(
        tuple([_slot(heads[form] + (squares,)) for form, squares in state.legal.places.items()])
    )


_slot = partial(tuple.__new__, Slot)  # from its values in order, in half the time


@cache
def _slot_heads(grid: Grid) -> list[tuple[str, int, str, tuple[int, int, int, int]]]:
    """What slots say besides their cells, by the number of the form."""
    box = (0, 0, grid.stride, grid.height)
    return [(TILES[tile], turn, "board", box) for tile, turn, _ in FORMS]
