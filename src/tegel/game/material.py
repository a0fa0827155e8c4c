"""What a game is played with on a real table: boards, pieces to cut out, lists to tick off.

It is told as pictures are: planes, marks, sprites and paths in units of a cell. How it comes on
paper is the affair of `tegel.sheets`."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from tegel.picture import Mark, Plane, Sprite


@dataclass(frozen=True)
class Board:
    """A plane with what is printed on it; `title` is a key among the material of the words."""

    plane: Plane
    marks: tuple[Mark, ...] = ()
    title: str = "board"


@dataclass(frozen=True)
class Side:
    """One side of a piece: a sprite in a colour. `ground` is the paint that fills the piece to
    its edge and a little beyond, for scissors that miss the line; if missing, its colour."""

    sprite: str
    colour: str = ""
    ground: str = ""


@dataclass(frozen=True)
class Piece:
    """Something to cut out, `count` times alike, along a path around the origin. What `turns`
    may be turned over: its back is its front, seen from behind."""

    front: Side
    cut: str
    count: int = 1
    back: Side | None = None
    turns: bool = False


@dataclass(frozen=True)
class Lot:
    """Pieces that belong together. `title` is a key among the material of the words, which may
    speak of the colour and of the `count` of pieces; `how` another, what to do with them."""

    title: str
    pieces: tuple[Piece, ...]
    colour: str = ""
    how: str = ""
    close: bool = False  # they lie side by side and share their cutting lines
    fresh: bool = True  # a sheet begins with it

    @property
    def count(self) -> int:
        """How many pieces it has."""
        return sum(piece.count for piece in self.pieces)


@dataclass(frozen=True)
class Tally:
    """A list of sprites with boxes to tick off; `title` is a key among the material."""

    title: str
    sprites: tuple[str, ...]


@dataclass(frozen=True)
class Material:
    """What a game takes on a real table."""

    cell: float  # millimetres from one cell to the next, unless somebody wants it otherwise
    boards: tuple[Board, ...] = ()
    lots: tuple[Lot, ...] = ()
    tallies: tuple[Tally, ...] = ()
    sprites: Mapping[str, Sprite] = field(default_factory=dict)  # that only paper shows
    whole: bool = False  # small enough for one sheet: board, pieces and all
