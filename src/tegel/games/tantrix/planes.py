"""What a net sees of Tantrix, drawn by the law: planes.hpp says the same, faster.

Planes are 21 x 21, with the first tile in the middle, columns by q and rows by r; what lies
further than 10 cells away comes in again at the other side. Colours are numbered as the mover sees
them: its own, those of the other sides in the order of turns, then the rest. A tile whose colours
are renamed is a tile, too, and a hand is in the order of these."""

from collections.abc import Sequence
from functools import cache

from tegel.cells import bits
from tegel.games.tantrix.field import CENTRE
from tegel.games.tantrix.lines import line_through
from tegel.games.tantrix.moves import Choose, Draw, Move, Place
from tegel.games.tantrix.rules import AFTER, BEFORE, FREE, HAND, State
from tegel.games.tantrix.tiles import (
    COLOURS,
    COUNT,
    EDGES,
    FORMS,
    LETTERS,
    LINKS,
    TURNS,
    form,
    forms,
    tile_of,
)
from tegel.lattice import Cell

EDGE = 21
SQUARES = EDGE**2
COLOUR_ACTIONS = HAND * TURNS * SQUARES
NUMBERS = {edges: number for number, edges in enumerate(FORMS)}


def channels(state: State) -> list[str]:
    """Tiles, and which side of theirs has which colour; empty cells beside them, and forced
    spaces; where each tile of the hand may be laid now, by its turn; how many tiles the line of a
    colour through a tile runs over; how many forms of each hand, from the mover's on, could lie
    on an open cell."""
    return [
        "tile",
        *(f"edge {side} {colour}" for side in range(TURNS) for colour in range(len(COLOURS))),
        "open",
        "forced",
        *(f"fits {slot} {turn}" for slot in range(HAND) for turn in range(TURNS)),
        *(f"line {colour}" for colour in range(len(COLOURS))),
        *(f"forms {step}" for step in range(state.rules.seats)),
    ]


def layers(state: State) -> list[list[list[int]]]:
    """The planes: by channel, row and column."""
    field, ranks = state.field, _ranks(state)
    found = {name: [[0] * EDGE for _ in range(EDGE)] for name in channels(state)}

    def show(name: str, cell: Cell, value: int = 1) -> None:
        y, x = divmod(_square(cell), EDGE)
        found[name][y][x] = max(found[name][y][x], value)

    for cell, number in field.laid.items():
        show("tile", cell)
        for side, letter in enumerate(FORMS[number]):
            show(f"edge {side} {ranks.index(letter)}", cell)
        for letter in LINKS[number]:
            length = len(line_through(field, cell, letter).cells)
            show(f"line {ranks.index(letter)}", cell, length)
    for cell in field.faces:
        show("open", cell)
    for cell in field.forced:
        show("forced", cell)
    if not state.choosing:
        for cell, fits in state.places.items():
            for number in bits(fits):
                show("fits {} {}".format(*_held(state, number)), cell)
    for step in range(state.rules.seats):
        hand = forms(state.hands[(state.seat + step) % state.rules.seats])
        for cell, fits in field.places(hand, field.faces, bound=state.bound).items():
            show(f"forms {step}", cell, fits.bit_count())
    return list(found.values())


def scalars(state: State) -> list[float]:
    """Hands, from the mover on, and the bag, a number for each of 56 tiles; for each tile of the
    own hand, in order, its 24 edges by colour; for each side from the mover's on its score by 30,
    and its colour, a 1 among 0s; the step (before, free, after, choosing), a 1 among 0s; tiles in
    the bag by 56."""
    rules, ranks, found = state.rules, _ranks(state), list[float]()
    hands = [state.hands[(state.seat + step) % rules.seats] for step in range(rules.seats)]
    for tiles in (*hands, state.bag):
        seen = _tiles(tiles, ranks)
        found += [float(tile in seen) for tile in range(COUNT)]
    own = _tiles(state.hands[state.seat], ranks)
    for slot in range(HAND):
        edges = EDGES[own[slot]] if slot < len(own) else "." * TURNS
        found += [float(edge == letter) for edge in edges for letter in LETTERS]
    for step in range(rules.sides):
        side = (state.seat + step) % rules.sides
        line = state.best(side)
        found.append(line.points / 30 if line else 0.0)
        letter = state.colours[side][:1].upper()
        found += [float(letter == other) for other in ranks]
    steps = [state.step == step and not state.choosing for step in (BEFORE, FREE, AFTER)]
    return [*found, *map(float, steps), float(state.choosing), state.bag.bit_count() / COUNT]


def labels(state: State) -> list[str]:
    """The names of the scalars."""
    rules, colours = state.rules, range(len(LETTERS))
    holders = [*(f"of hand {step}" for step in range(rules.seats)), "of the bag"]
    found = [f"tile {tile} {holder}" for holder in holders for tile in range(COUNT)]
    slots = [(slot, edge) for slot in range(HAND) for edge in range(TURNS)]
    found += [f"edge {edge} {colour} of slot {slot}" for slot, edge in slots for colour in colours]
    for step in range(rules.sides):
        found += [f"score of {step}", *(f"colour {colour} of {step}" for colour in colours)]
    return [*found, "before", "free", "after", "choosing", "bag"]


def action(state: State, move: Move) -> int:
    """The number of a move: 441 x plane + square, a plane for each tile of the hand and each of
    its turns; then a plane whose first squares are the colours to choose. Where a field is so wide
    that open cells share a square, the first of them in the order of (q, r) has it, and the others
    the first squares that no open cell has."""
    match move:
        case Draw():
            raise ValueError(f"a draw has no number: {move}")
        case Choose(colour):
            return COLOUR_ACTIONS + _ranks(state).index(colour[0].upper())
        case Place(_, _, cell):
            slot, turn = _held(state, move.form)
            return (slot * TURNS + turn) * SQUARES + _squares(state)[cell]


def move_of(state: State, action: int) -> Move:
    """The move of a number, legal or not; the inverse of `action`. A cell that is not open is that
    near the first tile, and a tile that the hand lacks is tile 0."""
    ranks = _ranks(state)
    plane, square = divmod(action, SQUARES)
    if action >= COLOUR_ACTIONS:
        return Choose(COLOURS[LETTERS.index(ranks[square % len(COLOURS)])])
    slot, turn = divmod(plane, TURNS)
    own = _tiles(state.hands[state.seat], ranks)
    cells = {square: cell for cell, square in _squares(state).items()}
    cell = cells.get(square, (square % EDGE - EDGE // 2, square // EDGE - EDGE // 2))
    if slot >= len(own):
        return Place(0, turn, cell)
    return Place(*tile_of(_seen(ranks).index(form(own[slot] + 1, turn))), cell)


def actions(state: State) -> int:  # noqa: ARG001
    """How many moves there are, legal or not."""
    return COLOUR_ACTIONS + SQUARES


def _ranks(state: State) -> str:
    """The letters of the colours in the order in which the mover sees them."""
    sides = state.rules.sides
    known = [state.colours[(state.seat + step) % sides][:1].upper() for step in range(sides)]
    taken = "".join(known)
    return taken + "".join(letter for letter in LETTERS if letter not in taken)


@cache
def _seen(ranks: str) -> tuple[int, ...]:
    """By form, what it looks like when colours are renamed."""
    names = str.maketrans(ranks, LETTERS)
    return tuple(NUMBERS[edges.translate(names)] for edges in FORMS)


def _tiles(tiles: int, ranks: str) -> Sequence[int]:
    """A set of tiles as it is seen, from 0 on, in order."""
    return sorted(_seen(ranks)[form(tile, 0)] // TURNS for tile in bits(tiles))


def _held(state: State, number: int) -> tuple[int, int]:
    """Of a form of the hand, its tile's place in it and its turn, as they are seen."""
    ranks = _ranks(state)
    tile, turn = divmod(_seen(ranks)[number], TURNS)
    return _tiles(state.hands[state.seat], ranks).index(tile), turn


def _square(cell: Cell) -> int:
    q, r = ((one + EDGE // 2) % EDGE for one in cell)
    return r * EDGE + q


def _squares(state: State) -> dict[Cell, int]:
    """By open cell, the square that its actions have."""
    cells = sorted(state.field.faces) or [CENTRE]
    found: dict[Cell, int] = {}
    taken: dict[int, Cell] = {}
    for cell in cells:
        taken.setdefault(_square(cell), cell)
    free = (square for square in range(SQUARES) if square not in taken)
    for cell in cells:
        mine = _square(cell)
        found[cell] = mine if taken[mine] == cell else next(free)
    return found
