"""Forma for the eye: tiles, studs, stones and the tower on the board; hands, tiles laid
aside and the account beside it; bridges; and what a hand may do."""

from collections.abc import Mapping
from functools import cache
from itertools import pairwise, permutations

from tegel.game import CHANCE, Choice, Offer, Seat, Slot, Supply
from tegel.games.forma.layout import DONE, OBSTACLES
from tegel.games.forma.rules import VARIANTS, State
from tegel.games.forma.tiles import FORMS, TILES, Hand, Move, listed
from tegel.lattice import Cell, Point, Shape, outline
from tegel.picture import PAINTS, Layer, Mark, Paint, Plane, Sprite, rows, signed, tile

# Sprites. Tiles have no seams: that their squares are not marked is the game.


def _disc(radius: float, y: float = 0.0) -> str:
    r = f"{radius:g}"
    return f"M0 {y - radius:g}A{r} {r} 0 0 1 0 {y + radius:g}A{r} {r} 0 0 1 0 {y - radius:g}Z"


def _block(half: float, chamfer: float) -> str:
    """A square with its corners cut off."""
    a, b = f"{half:g}", f"{half - chamfer:g}"
    return f"M-{b}-{a}H{b}L{a}-{b}V{b}L{b} {a}H-{b}L-{a} {b}V-{b}Z"


SIDE = {(1, 0): "e", (0, -1): "s", (-1, 0): "w", (0, 1): "n"}
MIDDLE = {"e": ".5 0", "s": "0 .5", "w": "-.5 0", "n": "0-.5"}  # of the sides, y downward


def _ribbon(a: str, b: str) -> Sprite:
    """A piece of a bridge's ribbon, from side to side of a square."""
    path = f"M{MIDDLE[a]}Q0 0 {MIDDLE[b]}"
    casing = Layer(path, fill="none", stroke="glow", width=0.36, opacity=0.92)
    return Sprite((casing, Layer(path, fill="none", width=0.17)))


STONE = Sprite(
    (
        Layer(_block(0.41, 0.14), width=0.05),
        Layer(_block(0.26, 0.09), fill="glow", opacity=0.22),
        Layer("M-.41 .27V.1L-.26 .17L-.17 .26H.17L.26 .17L.41 .1V.27L.27 .41H-.27Z",
              fill="shade", opacity=0.14),
    ),
    name="obstacle",
)  # fmt: skip
KEEP = Sprite(
    (
        Layer("M-.36-.62H-.2V-.5H-.08V-.62H.08V-.5H.2V-.62H.36V.36A.06 .06 0 0 1 .3 .42H-.3"
              "A.06 .06 0 0 1-.36 .36Z", width=0.05),
        Layer("M-.36-.12H.36V.36A.06 .06 0 0 1 .3 .42H-.3A.06 .06 0 0 1-.36 .36Z",
              fill="shade", opacity=0.14),
        Layer("M-.36-.12H.36", fill="none", width=0.04, opacity=0.6),
        Layer("M-.1 .42V.2A.1 .1 0 0 1 .1 .2V.42Z", fill="shade", opacity=0.55),
        Layer("M-.2-.34V-.22M.2-.34V-.22", fill="none", width=0.06, opacity=0.7),
    ),
    name="tower",
)  # fmt: skip
STUD = Sprite(
    (
        Layer(_disc(0.33), width=0.06),
        Layer(_disc(0.24, -0.02), fill="glow", opacity=0.28),
        Layer(_disc(0.17), fill="none", stroke="shade", width=0.03, opacity=0.25),
    ),
    name="marker",
)
SPRITES: Mapping[str, Sprite] = {
    **{f"{name}.{turn}": tile(shape, seamed=False, name=name)
       for (name, turn), shape in FORMS.items()},
    "square": Sprite((Layer(outline([(0, 0)])),), name="square"),
    "obstacle.0": STONE,
    "tower.0": KEEP,
    "marker": STUD,
    **{f"bridge.{a}{b}": _ribbon(a, b) for a, b in permutations(MIDDLE, 2)},
}  # fmt: skip
COLOURS = VARIANTS["four"].colours
PAINTS_OF_FORMA: Mapping[str, Paint] = {
    **{f"{c}.marker": Paint(PAINTS[c].fill, PAINTS[c].edge, PAINTS[c].pattern, letter)
       for c, letter in zip(COLOURS, "ⓑⓨⓡⓖ", strict=True)},
    **{f"{c}.bridge": Paint(PAINTS[c].fill, (PAINTS[c].edge[0],) * 2) for c in COLOURS},
}  # fmt: skip
"""Markers and bridges have the colour of their owner, and in a terminal another letter."""

# Where things lie beside the board, in its squares.

FLAT: tuple[tuple[int, Shape], ...] = tuple(
    min(
        ((turn, shape) for (name, turn), shape in FORMS.items() if name == tile_name),
        key=lambda form: (max(row for _, row in form[1]), form[0]),
    )
    for tile_name in TILES
)
"""Each tile lying down, for the hand: its turn and its squares."""
HAND_SCALE, ASIDE_SCALE, WIDTH, ACCOUNT_WIDTH = 0.32, 0.2, 9.3, 8.2


def planes(state: State) -> list[Plane]:
    rules = state.rules
    size = rules.size
    board = Plane(
        "board",
        wells=rules.grid.cells(rules.grid.full),
        box=(-0.75, 0.25 - size, size - 0.25, 0.75),
        coordinates=True,
        framed=True,
        main=True,
    )
    found = [board]
    for seat in range(rules.seats):
        found += _beside(state, seat)
    if _setting_up(state):
        found.append(_pieces(state))
    return found


def _beside(state: State, seat: Seat) -> list[Plane]:
    """The planes of a seat: its hand, its account, and what it laid aside."""
    rules, colour = state.rules, state.rules.colours[seat]
    x, y = rules.size + 0.6, 1.7 - rules.size + seat * rules.size / rules.seats
    height = _places(rules.hand, WIDTH / HAND_SCALE)[1] * HAND_SCALE
    hand = Plane(
        f"hand.{colour}",
        box=(0, 0, WIDTH / HAND_SCALE, height / HAND_SCALE),
        x=x,
        y=y,
        scale=HAND_SCALE,
        title="hand",
        note=signed(state.scores[seat]),
        colour=colour,
        seats=(seat,),
        tray=True,
        active=seat == state.turn and not state.over,
    )
    aside = Plane(
        f"aside.{colour}",
        box=(0, 0, WIDTH / ASIDE_SCALE, 3),
        x=x,
        y=y + height + 0.2,
        scale=ASIDE_SCALE,
        seats=(seat,),
    )
    account = Plane(
        f"account.{colour}",
        box=(0, 0, ACCOUNT_WIDTH, 4.2),
        x=x + WIDTH + 0.9,
        y=y - 0.45,
        seats=(seat,),
        account=True,
    )
    return [hand, aside, account]


def _setting_up(state: State) -> bool:
    return state.turn != CHANCE and not state.ready


def _pieces(state: State) -> Plane:
    """The stock of obstacles and the tower, while they are put on the board."""
    rules = state.rules
    return Plane(
        "pieces",
        box=(-0.5, -0.7, ACCOUNT_WIDTH - 0.5, 0.7),
        x=rules.size + WIDTH + 2.0,
        y=5.2 - rules.size + state.seat * rules.size / rules.seats,
        title="pieces",
        note=str(OBSTACLES - state.layout.count),
        seats=(state.seat,),
        tray=True,
        active=True,
    )


@cache
def _places(hand: Hand, width: float) -> tuple[tuple[tuple[str, Point], ...], float]:
    """Where the tiles of a hand lie, the biggest first, and how high they lie."""
    biggest_first = sorted(
        listed(hand), key=lambda name: (-len(FLAT[TILES.index(name)][1]), TILES.index(name))
    )
    placed, height = rows(((name, FLAT[TILES.index(name)][1]) for name in biggest_first), width)
    return tuple((name, (x + 0.5, y - 0.5)) for name, (x, y) in placed), height


# Marks


def marks(state: State) -> list[Mark]:
    found: list[Mark] = []
    for seat in range(state.rules.seats):
        found += _tiles(state, seat)
    found += [Mark("board", "obstacle.0", cell, "stone") for cell in _cells(state, "obstacles")]
    for seat, colour in enumerate(state.rules.colours):
        for cell in state.rules.grid.cells(state.markers[seat]):
            found.append(Mark("board", "marker", cell, f"{colour}.marker"))
    found += [Mark("board", "tower.0", cell, "white") for cell in _cells(state, "tower")]
    found += _missed(state)
    if state.over:
        found += bridges(state)
    if _setting_up(state):
        found += _stock(state)
    for seat in range(state.rules.seats):
        found += _hand(state, seat)
    return found


def bridges(state: State) -> list[Mark]:
    """The bridges that every colour has now, as ribbons."""
    found = []
    for colour, chosen in zip(state.rules.colours, state.bridges, strict=True):
        for paths, first, last in ((chosen.southward, "n", "s"), (chosen.eastward, "w", "e")):
            for path in paths:
                steps = [(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(path)]
                into = [first, *(SIDE[-dx, -dy] for dx, dy in steps)]
                out = [*(SIDE[step] for step in steps), last]
                for cell, a, b in zip(path, into, out, strict=True):
                    found.append(Mark("board", f"bridge.{a}{b}", cell, f"{colour}.bridge"))
    return found


def _cells(state: State, piece: str) -> tuple[Cell, ...]:
    return state.rules.grid.cells(getattr(state.layout, piece))


def _tiles(state: State, seat: Seat) -> list[Mark]:
    """The tiles of a seat on the board, and squares of which nobody knows the tile."""
    grid, colour = state.rules.grid, state.rules.colours[seat]
    found, unknown = [], state.tiles[seat]
    for move in state.laid[seat]:
        assert move.cell is not None
        unknown &= ~grid.mask(move.cells)
        role = "last" if move == state.last else ""
        found.append(Mark("board", f"{move.what}.{move.turn}", move.cell, colour, role))
    return found + [Mark("board", "square", cell, colour) for cell in grid.cells(unknown)]


def _missed(state: State) -> list[Mark]:
    """The tile of the latest move where it was meant to go, if it did not fit."""
    move = state.last
    if move is None or move.cell is None or move.what not in TILES:
        return []
    if any(move in laid for laid in state.laid):
        return []
    return [Mark("board", f"{move.what}.{move.turn}", move.cell, role="ghost")]


def _stock(state: State) -> list[Mark]:
    """What is left of the pieces of the set-up."""
    left = OBSTACLES - state.layout.count
    return [
        Mark("pieces", f"{piece}.0", (x, 0.0), paint, "" if there else "dim", tile=piece)
        for piece, paint, x, there in (
            ("tower", "white", 0.0, not state.layout.tower),
            ("obstacle", "stone", 1.6, left),
        )
    ]


def _hand(state: State, seat: Seat) -> list[Mark]:
    """The tiles in hand, those gone as shades; and those laid aside."""
    rules, colour = state.rules, state.rules.colours[seat]
    found = []
    seen: dict[str, int] = {}
    for name, cell in _places(rules.hand, WIDTH / HAND_SCALE)[0]:
        number = TILES.index(name)
        seen[name] = seen.get(name, 0) + 1
        there = seen[name] <= state.hands[seat][number]
        sprite, role = f"{name}.{FLAT[number][0]}", "" if there else "dim"
        found.append(Mark(f"hand.{colour}", sprite, cell, colour, role, tile=name if there else ""))
    for name, cell in _places(state.aside[seat], WIDTH / ASIDE_SCALE)[0]:
        sprite = f"{name}.{FLAT[TILES.index(name)][0]}"
        found.append(Mark(f"aside.{colour}", sprite, cell, colour, "ghost"))
    return found


# What a hand may do


def offer(state: State) -> Offer:
    """At a table by eye anything may be tried, and nobody says what fits (F4). A piece of the
    set-up that is taken away comes to hand."""
    legal, grid = state.legal, state.rules.grid
    by_eye = state.ready and state.rules.assist == "off"
    choices = [Choice(str(move)) for move in legal.words]
    slots, lifting = [], ""
    for (what, turn), squares in {} if by_eye else legal.places.items():
        if what == "remove":
            towers = _cells(state, "tower")
            choices += [
                Choice(
                    str(Move(what, cell)), (cell,), "tower" if cell in towers else "obstacle", what
                )
                for cell in grid.cells(squares)
            ]
            lifting = f"{what}@{{square}}"
        else:
            slots.append(Slot(what, turn, "board", (0, 0, grid.stride, grid.height), squares))
    if state.ready:
        return Offer(tuple(slots), tuple(choices), by_eye)
    return Offer(tuple(slots), tuple(choices), False, lifting, _to_place(state), str(DONE))


def _to_place(state: State) -> tuple[Supply, ...]:
    """What the starting player puts on the board, what must be there first."""
    return (
        Supply("tower", state.layout.tower.bit_count(), most=1, least=1),
        Supply("obstacle", state.layout.count, most=OBSTACLES),
    )
