"""Tantrix for the eye: dark hexagons with bands of colour, the field cropped to what lies
on it, hands beside it, forced spaces marked; and what a hand may do."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from math import cos, pi, sin

from tegel.cells import bits
from tegel.game import CHANCE, Choice, Offer, Slot
from tegel.games.tantrix.field import CENTRE, Field
from tegel.games.tantrix.lines import Line
from tegel.games.tantrix.rules import HAND, State
from tegel.games.tantrix.tiles import FORMS, LINKS, NAMES, TURNS, bend, tile_of
from tegel.lattice import HEXAGON, Cell, Point, bounds, outline
from tegel.picture import PAINTS as COMMON
from tegel.picture import Layer, Mark, Paint, Plane, Sprite

# Bands lie on near-black tiles whatever the page, so they have their bright shade always.
PAINTS: Mapping[str, Paint] = {
    "tile": Paint(("#1a1f29", "#0b0e13"), ("#1a1f29", "#0b0e13")),
    "rim": Paint(("#717a8c", "#79839a"), ("#717a8c", "#79839a")),
    "number": Paint(("#aeb6c4", "#aeb6c4"), ("#aeb6c4", "#aeb6c4")),
    **{c: replace(COMMON[c], fill=(COMMON[c].fill[1],) * 2) for c in NAMES.values()},
}
BAND = 0.27 * HEXAGON.side
CASING = BAND + 0.07
SHORT, LONG = HEXAGON.side / 2, HEXAGON.side * 3 / 2  # the radii of bends
SIGNS = {"plain": None, "cross": "", "diagonal": ".11 .06", "dots": ".04 .07"}
"""By pattern, the dashes of the line along the middle of a band; none, or unbroken."""
DEPTH = ("long", "straight", "short")  # from the lowest band to the highest
MARGIN = 0.7  # around the centres of the outermost open cells
BOARD_SCALE, HAND_SCALE = 2.0, 1.6
HAND_STEP = 1.14  # from one tile in a hand to the next: bands must not seem to go on


def _middle(side: int) -> Point:
    """The middle of a tile's edge."""
    return cos(side * pi / 3) / 2, sin(side * pi / 3) / 2


def band(link: tuple[int, int], at: Point = (0, 0)) -> str:
    """The course of a link as a path, on a tile whose middle is `at`: a straight line, or an arc
    that meets both edges at right angles."""
    first, second = link
    if (second - first) % TURNS > TURNS // 2:
        first, second = second, first
    (x, y), (u, v) = ((at[0] + x, at[1] + y) for x, y in map(_middle, (first, second)))
    start, end = f"M{_n(x)} {_n(y)}", f"{_n(u)} {_n(v)}"
    if bend(link) == "straight":
        return f"{start}L{end}"
    radius = _n(SHORT if bend(link) == "short" else LONG)
    return f"{start}A{radius} {radius} 0 0 0 {end}"


def course(line: Line, field: Field) -> str:
    """The course of a line over the field as a path, tile by tile."""
    return "".join(
        band(LINKS[field.laid[cell]][line.letter], HEXAGON.centre(cell)) for cell in line.cells
    )


def _n(value: float) -> str:
    return f"{value:.3f}".rstrip("0").rstrip(".").replace("-0.", "-.").removeprefix("0") or "0"


def sprite(number: int) -> Sprite:
    """A form: short bends over straights over long bends, each with a dark casing, and the
    tile's number in a corner."""
    layers = [Layer(HEX, fill="tile", stroke="rim", width=0.03)]
    links = sorted(LINKS[number].items(), key=lambda item: DEPTH.index(bend(item[1])))
    for letter, link in links:
        path = band(link)
        layers.append(Layer(path, fill="none", stroke="tile", width=CASING))
        layers.append(Layer(path, fill="none", stroke=NAMES[letter], width=BAND))
        dash = SIGNS[PAINTS[NAMES[letter]].pattern]
        if dash is not None:
            layers.append(
                Layer(path, fill="none", stroke="tile", width=BAND / 3, dash=dash, sign=True)
            )
    tile = str(tile_of(number)[0])
    layers.append(Layer(text=tile, fill="number", at=_corner(number), size=0.14))
    return Sprite(tuple(layers), name=tile, letters=_letters(number))


def _letters(number: int) -> str:
    """A form in letters, its edges around its number."""
    east, south_east, south_west, west, north_west, north_east = list(FORMS[number])
    return (
        f" {north_west}   {north_east}\n"
        f"{west} {tile_of(number)[0]:>2}  {east}\n"
        f" {south_west}   {south_east}"
    )


def _corner(number: int) -> Point:
    """Where the number of a form stands: in the first corner, from the top, that no short bend
    goes round."""
    edges = FORMS[number]
    free = [corner for corner in (5, 4, 0, 3, 1, 2) if edges[corner - 1] != edges[corner]]
    x, y = HEXAGON.corners(CENTRE)[free[0]]
    return 0.7 * x, 0.7 * y


def _key(number: int) -> str:
    return "{}.{}".format(*tile_of(number))


HEX = outline([CENTRE], HEXAGON, inset=0.015)
SPRITES: Mapping[str, Sprite] = {
    **{_key(number): sprite(number) for number in range(len(FORMS))},
    "forced": Sprite(
        (
            Layer(outline([CENTRE], HEXAGON, inset=0.06, radius=0.06), fill="accent", opacity=0.16),
            Layer(
                outline([CENTRE], HEXAGON, inset=0.08, radius=0.06),
                fill="none",
                stroke="accent",
                width=0.06,
            ),
        )
    ),
}


def planes(state: State) -> list[Plane]:
    """The field with its open cells while the game lasts, then hands and bag to its right."""
    board = field_plane(state.field, open=not state.outcome)
    (aside, first), count = beside(board), state.rules.seats
    rows = [first + 3.7 * row for row in range(count + 1)]
    colours = [state.colours[seat % state.rules.sides] for seat in range(count)]
    hands = [
        Plane(
            f"hand.{seat}",
            HEXAGON,
            box=(-0.5, -0.6, HAND_STEP * (HAND - 1) + 0.5, 0.6),
            x=aside,
            y=rows[seat],
            scale=HAND_SCALE,
            title="colour" if colour else "seat",
            note=str(state.scores[seat]),
            colour=colour,
            active=seat == state.turn and not state.outcome,
            seats=(seat,),
            tray=True,
        )
        for seat, colour in enumerate(colours)
    ]
    bag = Plane(
        "bag",
        HEXAGON,
        box=(-0.5, -0.6, HAND_STEP * (HAND - 1) + 0.5, -0.6),
        x=aside,
        y=rows[count],
        scale=HAND_SCALE,
        title="bag",
        note=str(state.bag.bit_count()),
        active=state.turn == CHANCE,
    )
    return [board, *hands, bag]


def field_plane(field: Field, open: bool) -> Plane:
    """The field, cropped to what lies on it and, if it is open, to the cells around that."""
    wells = tuple(sorted({*field.laid, *(field.faces if open else ())} or {CENTRE}))
    left, top, right, bottom = bounds(HEXAGON.centre(cell) for cell in wells)
    box = left - MARGIN, top - MARGIN, right + MARGIN, bottom + MARGIN
    return Plane("board", HEXAGON, wells, box, scale=BOARD_SCALE, main=True)


def beside(board: Plane) -> Point:
    """Where what lies beside a field begins: to its right, and a title below its top."""
    _, top, right, _ = board.box
    return BOARD_SCALE * right + 1.6, BOARD_SCALE * top + 2.4


def marks(state: State) -> list[Mark]:
    found = tile_marks(state.field, state.last.cell if state.last else None)
    if not state.outcome:
        forced = state.field.forced
        found += [Mark("board", "forced", cell, role="due", label="forced") for cell in forced]
    for seat, hand in enumerate(state.hands):
        for place, tile in enumerate(map(str, bits(hand))):
            at = (HAND_STEP * place, 0)
            found.append(Mark(f"hand.{seat}", f"{tile}.0", at, tile=tile))
    return found


def tile_marks(field: Field, latest: Cell | None) -> list[Mark]:
    """The tiles of a field. The latest comes last, so that its glow lies above its neighbours."""
    laid = sorted(field.laid.items(), key=lambda item: (item[0] == latest, item[0]))
    return [
        Mark("board", _key(number), cell, role="last" if cell == latest else "")
        for cell, number in laid
    ]


def offer(state: State) -> Offer:
    """By form of the hand, the cells where it may go, over the field and its open cells."""
    if state.choosing:
        return Offer(choices=tuple(Choice(str(move)) for move in state.moves()))
    if state.to_draw:
        return Offer()
    return Offer(tuple(slots(state.field, state.places)))


def slots(field: Field, places: Mapping[Cell, int]) -> Iterator[Slot]:
    """By form, the cells where it may go, from the forms that may go to each cell."""
    left, top, right, bottom = bounds({*field.faces, *field.laid} or {CENTRE})
    wide, high = right - left + 1, bottom - top + 1
    found: dict[int, int] = {}
    for (q, r), fits in places.items():
        for number in bits(fits):
            found[number] = found.get(number, 0) | 1 << (r - top) * wide + q - left
    for number, there in sorted(found.items()):
        tile, turn = tile_of(number)
        yield Slot(str(tile), turn, "board", (left, top, wide, high), there)
