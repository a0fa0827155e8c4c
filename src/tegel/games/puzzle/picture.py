"""Puzzles for the eye: the board with what lies on it, and the tiles in hand."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from tegel.game import Choice, Offer, Slot
from tegel.games.puzzle.moves import LIFT, Move, known, laid
from tegel.games.puzzle.rules import State
from tegel.lattice import POLYOMINOES, Point, Shape, forms
from tegel.picture import Mark, Picture, Plane, Sprite, rows, tile
from tegel.solver.check import unused
from tegel.solver.puzzle import COLOURS, Placement, Puzzle, Tile
from tegel.words import told

PLAIN = "white"  # the paint of tiles without a colour


def sprites(tiles: Iterable[Tile]) -> Mapping[str, Sprite]:
    """Every form of the tiles, by id and turn."""
    return {
        f"{kind.id}.{turn}": tile(form, name=kind.name)
        for kind in tiles
        for turn, form in forms(kind.shape).items()
    }


SPRITES = sprites(
    Tile(name, shape, colour) for name, shape in POLYOMINOES.items() for colour in ("", *COLOURS)
)


def sprites_of(state: State) -> Mapping[str, Sprite]:
    """The forms of tiles that only this puzzle knows."""
    return sprites(kind for kind in state.puzzle.tiles if known(kind.id) is None)


def shown(puzzle: Puzzle, position: Iterable[Placement] = (), *, hands: bool = False) -> Picture:
    """A position of any puzzle, with or without the tiles in hand."""
    position = tuple(position)
    planes, marks = [_board(puzzle)], [_mark(puzzle, placement) for placement in position]
    if hands:
        planes += _hands(puzzle, position)
        marks += _hand_marks(puzzle, position)
    picture = Picture(puzzle.name, tuple(planes), tuple(marks), sprites(puzzle.tiles))
    return told(picture, "puzzle")


def _board(puzzle: Puzzle) -> Plane:
    grid = puzzle.grid
    return Plane(
        "board",
        wells=puzzle.board,
        box=(-0.75, 0.25 - grid.height, grid.width - 0.25, 0.75),
        coordinates=grid.width <= 26,
        framed=True,
        main=True,
    )


def _mark(puzzle: Puzzle, placement: Placement, role: str = "") -> Mark:
    return _lying(puzzle.kinds[placement.id].shape, placement, role)


@lru_cache(10_000)
def _lying(shape: Shape, placement: Placement, role: str) -> Mark:
    tile, turn, corner = laid(placement, shape)
    sprite = f"{tile}.{turn}"
    return Mark("board", sprite, corner, placement.colour or PLAIN, role)


# Hands: one for each colour where colours matter, otherwise one for all, with equal shapes
# in piles.

LIFTED = 0.13  # how far each tile of a pile lies above the one below, in squares


@dataclass(frozen=True)
class Hand:
    places: Mapping[str, Point]  # of each copy of each tile, by id and number
    width: float
    height: float
    scale: float


@lru_cache(100)
def _laid_out(puzzle: Puzzle) -> Mapping[str, Hand]:
    """The hands by colour, or "" for one that holds all."""
    apart = puzzle.constraints.apart
    colours = list(dict.fromkeys(kind.colour for kind in puzzle.tiles)) if apart else [""]
    scale = 0.5 if not apart else 0.4 if len(puzzle.tiles) <= 48 else 0.3
    width, found = (8.6 if apart else 7) / scale, {}
    for colour in colours:
        piles = _piles([kind for kind in puzzle.tiles if not apart or kind.colour == colour])
        placed, height = rows([(f"{n}", flat(pile[0])[1]) for n, pile in enumerate(piles)], width)
        places = {}
        for key, (x, y) in placed:
            copies: Counter[str] = Counter()
            for depth, kind in enumerate(piles[int(key)]):
                place = x + 0.5 + LIFTED * depth, y - 0.5 + LIFTED * depth
                places[f"{kind.id} {copies[kind.id]}"] = place
                copies[kind.id] += 1
        found[colour] = Hand(places, width, height, scale)
    return found


def _piles(kinds: list[Tile]) -> list[list[Tile]]:
    """Tiles of equal shape together, the biggest first, each as often as it has copies; the
    colour on top is another from pile to pile."""
    piles: dict[Shape, list[Tile]] = {}
    for kind in sorted(kinds, key=lambda kind: -len(kind.shape)):
        piles.setdefault(min(forms(kind.shape).values()), []).extend([kind] * kind.count)
    return [
        pile[number % len(pile) :] + pile[: number % len(pile)]
        for number, pile in enumerate(piles.values())
    ]


def flat(kind: Tile) -> tuple[int, Shape]:
    """A tile lying down: its turn and form."""
    return min(forms(kind.shape).items(), key=lambda form: (max(r for _, r in form[1]), form[0]))


def _hands(puzzle: Puzzle, position: Sequence[Placement], active: str = "") -> list[Plane]:
    left = unused(puzzle, position)
    planes, y = [], 1.7 - puzzle.grid.height
    for colour, hand in _laid_out(puzzle).items():
        count = sum(left[kind.id] for kind in puzzle.tiles if kind.colour == colour or not colour)
        planes.append(
            Plane(
                f"hand.{colour}" if colour else "hand",
                box=(0, 0, hand.width, hand.height),
                x=puzzle.grid.width + 0.6,
                y=y,
                scale=hand.scale,
                title="hand" if colour else "tiles",
                note=str(count),
                colour=colour,
                seats=(0,),
                tray=True,
                active=bool(active) and colour == active,
            )
        )
        y += hand.scale * hand.height + 1.5
    return planes


def _hand_marks(puzzle: Puzzle, position: Sequence[Placement]) -> list[Mark]:
    left, found = unused(puzzle, position), []
    for colour, hand in _laid_out(puzzle).items():
        for key, cell in hand.places.items():
            id, _, copy = key.rpartition(" ")
            kind = puzzle.kinds[id]
            role = "" if int(copy) < left[id] else "dim"
            plane, sprite = f"hand.{colour}" if colour else "hand", f"{id}.{flat(kind)[0]}"
            found.append(
                Mark(
                    plane,
                    sprite,
                    cell,
                    kind.colour or PLAIN,
                    role,
                    tile="" if role else id,
                )
            )
    return found


# The table


def planes(state: State) -> list[Plane]:
    return [_board(state.puzzle), *_hands(state.puzzle, state.lying, state.colour)]


def marks(state: State) -> list[Mark]:
    latest = None if state.outcome else state.latest
    board = [
        _mark(state.puzzle, placement, "last" if placement == latest else "")
        for placement in state.lying
    ]
    return board + _hand_marks(state.puzzle, state.lying)


def offer(state: State) -> Offer:
    grid = state.puzzle.grid
    box = (0, 0, grid.stride, grid.height)
    lifts = tuple(
        Choice(str(Move(LIFT, 0, tile.cells[0])), tile.cells, tile.id, LIFT) for tile in state.free
    )
    return Offer(
        tuple(
            Slot(tile, turn, "board", box, cells)
            for (tile, turn), cells in state.legal.places.items()
        ),
        lifts,
        lifting=f"{LIFT}@{{square}}" if lifts else "",
    )
