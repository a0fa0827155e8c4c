"""Puzzles for the eye: the board with what lies on it, and the tiles in hand."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby

from rich.style import Style
from rich.text import Text

from tegel.game import Choice, Event, Item, Offer, Slot
from tegel.lattice import POLYOMINOES, Point, Shape, forms, turned
from tegel.picture import PAINTS, Mark, Picture, Plane, Sprite, rows, tile
from tegel.puzzle.check import unused
from tegel.puzzle.hand import State
from tegel.puzzle.moves import LIFT, Move, known
from tegel.puzzle.puzzle import COLOURS, Placement, Puzzle, Tile
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


def drawn(state: State) -> Mapping[str, Sprite]:
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
    )


def _mark(puzzle: Puzzle, placement: Placement, role: str = "") -> Mark:
    return _lying(puzzle.kinds[placement.id].shape, placement, role)


@lru_cache(10_000)
def _lying(shape: Shape, placement: Placement, role: str) -> Mark:
    corner = min(x for x, _ in placement.cells), min(y for _, y in placement.cells)
    form = turned(placement.cells, 0)
    turns = forms(shape)
    sprite = f"{placement.id}.{next(turn for turn in turns if turns[turn] == form)}"
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
    apart = puzzle.law.apart
    colours = list(dict.fromkeys(kind.colour for kind in puzzle.tiles)) if apart else [""]
    scale = 0.5 if not apart else 0.4 if len(puzzle.tiles) <= 48 else 0.3
    width, found = (8.6 if apart else 7) / scale, {}
    for colour in colours:
        piles = _piles([kind for kind in puzzle.tiles if not apart or kind.colour == colour])
        placed, height = rows([(f"{n}", _flat(pile[0])[1]) for n, pile in enumerate(piles)], width)
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


def _flat(kind: Tile) -> tuple[int, Shape]:
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
            plane, sprite = f"hand.{colour}" if colour else "hand", f"{id}.{_flat(kind)[0]}"
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
    return Offer(
        tuple(
            Slot(tile, turn, "board", box, cells)
            for (tile, turn), cells in state.legal.places.items()
        ),
        tuple(
            Choice(str(Move(LIFT, 0, tile.cells[0])), tile.cells, tile.id) for tile in state.free
        ),
    )


def events(before: State, move: Move, after: State) -> list[Event]:
    if move.tile == LIFT:
        lifted = before.liftable(move.cell)
        return [Event("lifted", lifted.cells, {"tile": lifted.id})]
    cells = before.placement(move).cells
    placed = Event("placed", cells, {"tile": move.tile})
    return [placed, Event("solved")] if after.outcome else [placed]


def account(state: State) -> list[Item]:
    return [Item(0, "covered", state.scores[0])]


def drawing(state: State, _: str = "en") -> Text:
    return text(state.puzzle, state.lying, hands=True)


def text(puzzle: Puzzle, position: Iterable[Placement], *, hands: bool = False) -> Text:
    """A position for terminals: each square with the letter of its tile, in its colour."""
    position = tuple(position)
    laid_on = {cell: placement for placement in position for cell in placement.cells}
    board, grid, lines = set(puzzle.board), puzzle.grid, list[Text]()
    for y in range(grid.height - 1, -1, -1):
        line = Text(f"{y + 1:>3} ", style="dim")
        for x in range(grid.width):
            here, beyond = laid_on.get((x, y)), laid_on.get((x + 1, y))
            if here is None:
                line.append(". " if (x, y) in board else "  ", "dim")
                continue
            paint = PAINTS[here.colour or PLAIN]
            style = Style(color="#000000", bgcolor=paint.fill[1])
            line.append(here.tile[0], style)
            line.append(" ", style if here is beyond else None)
        lines.append(line)
    if grid.width <= 26:
        lines.append(Text("    " + " ".join(chr(97 + x) for x in range(grid.width)), style="dim"))
    if hands:
        left = unused(puzzle, position)
        for colour, kinds in groupby(puzzle.tiles, lambda kind: kind.colour):
            ids = [f"{kind.id}*{left[kind.id]}" if left[kind.id] > 1 else kind.id
                   for kind in kinds if left[kind.id]]  # fmt: skip
            if ids:
                style = Style(color=PAINTS[colour].fill[1]) if colour else Style()
                lines.append(Text("    " + " ".join(ids), style))
    return Text("\n").join(lines)
