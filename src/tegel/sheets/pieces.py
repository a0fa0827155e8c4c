"""Pieces to cut out: how they lie on sheets, fronts and backs.

Pieces stand on **shelves** from the top left, the highest first, each on the first shelf that has
room. Their colour goes a little beyond the line to cut along; on backs, which printers shift by a
millimetre or two, more."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from xml.etree.ElementTree import Element

from tegel.game import BadNotation
from tegel.game.material import Lot, Piece, Side
from tegel.picture import Mark, Picture, Plane
from tegel.sheets.ink import DARK, LIGHT, MM, Ink, brightness, drawn, ground
from tegel.sheets.paper import HEAD, MARGIN, Paper
from tegel.sheets.path import extent

GAP = 4.0
BLEED, SPILL = 1.0, 1.9  # of fronts and of backs
FINE = 0.37  # points: the line to cut along
LINE = 3.7  # of a text below a title


@dataclass(frozen=True)
class Spot:
    """Where the origin of a piece lies on a sheet."""

    piece: Piece
    x: float
    y: float


@dataclass(frozen=True)
class Head:
    """A heading at a height: of a lot that begins here, or goes on."""

    y: float
    lot: Lot
    begins: bool


@dataclass
class Sheet:
    """A sheet of pieces: its headings, and where the pieces lie."""

    heads: list[Head] = field(default_factory=list)
    spots: list[Spot] = field(default_factory=list)
    bottom: float = MARGIN  # so far nothing lies below


@dataclass
class Shelf:
    height: float
    used: float
    pieces: list[tuple[Piece, float]] = field(default_factory=list)  # with their left edges


def sheets(lots: Iterable[Lot], cell: float, paper: Paper, notes: Mapping[str, int]) -> list[Sheet]:
    """The sheets that all pieces need. `notes` says how many lines the text of a lot has, by its
    key."""
    found: list[Sheet] = []
    for lot in lots:
        head = HEAD + LINE * notes.get(lot.how, 0)
        lowest = MARGIN + paper.high - SPILL
        for number, shelf in enumerate(_shelves(lot, cell, paper.wide - 2 * SPILL)):
            above = GAP + head if number == 0 else 0.0 if lot.close else GAP
            begins = not found or (number == 0 and lot.fresh)
            if begins or found[-1].bottom + above + shelf.height > lowest:
                found.append(Sheet())
                above = head if number == 0 else HEAD
            sheet = found[-1]
            if number == 0:
                sheet.heads.append(Head(sheet.bottom + above - head, lot, begins=True))
            elif not sheet.heads:
                sheet.heads.append(Head(sheet.bottom, lot, begins=False))
            sheet.bottom += above
            if sheet.bottom + shelf.height > lowest:
                raise too_large(cell)
            _put(sheet, shelf, cell)
    return found


def laid(lot: Lot, cell: float, paper: Paper, top: float) -> Sheet:
    """The pieces of one lot below a height, without a heading."""
    sheet = Sheet(bottom=top)
    for shelf in _shelves(lot, cell, paper.wide - 2 * SPILL):
        sheet.bottom += GAP
        _put(sheet, shelf, cell)
    return sheet


def _put(sheet: Sheet, shelf: Shelf, cell: float) -> None:
    for piece, x in shelf.pieces:
        left, top, _, _ = extent(piece.cut)
        at = MARGIN + SPILL + x - left * cell
        sheet.spots.append(Spot(piece, at, sheet.bottom - top * cell))
    sheet.bottom += shelf.height


def _shelves(lot: Lot, cell: float, width: float) -> list[Shelf]:
    gap = 0.0 if lot.close else GAP
    sizes = {piece.cut: _size(piece, cell) for piece in lot.pieces}
    copies = [piece for piece in lot.pieces for _ in range(piece.count)]
    found: list[Shelf] = []
    for piece in sorted(copies, key=lambda piece: (-sizes[piece.cut][1], -sizes[piece.cut][0])):
        wide, high = sizes[piece.cut]
        if wide > width:
            raise too_large(cell)
        shelf = next((one for one in found if one.used + wide <= width + 1e-9), None)
        if shelf is None:
            shelf = Shelf(high, 0.0)
            found.append(shelf)
        shelf.pieces.append((piece, shelf.used))
        shelf.used += wide + gap
    return found


def _size(piece: Piece, cell: float) -> tuple[float, float]:
    left, top, right, bottom = extent(piece.cut)
    return (right - left) * cell, (bottom - top) * cell


def too_large(cell: float) -> BadNotation:
    return BadNotation(
        f"{cell:g}", "with cells of so many millimetres a piece is larger than the sheet"
    )


class Press:
    """Prints the pieces of a picture: each side is drawn once and then copied."""

    def __init__(self, picture: Picture, cell: float, paper: Paper, mono: bool) -> None:
        self.picture, self.cell, self.paper, self.mono = picture, cell, paper, mono
        self.trees: dict[Side, Element] = {}

    def tree(self, side: Side) -> Element:
        if side not in self.trees:
            plane = Plane("piece", box=(0, 0, 1, 1))
            marks = (Mark("piece", side.sprite, (0, 0), side.colour),)
            one = Picture("piece", (plane,), marks, self.picture.sprites, self.picture.paints)
            self.trees[side] = drawn(one, self.mono)
        return self.trees[side]

    def fronts(self, ink: Ink, spots: Sequence[Spot]) -> None:
        """Grounds, then pieces, then the lines to cut along."""
        places = [self.paper.place(spot.x, spot.y, self.cell) for spot in spots]
        for spot, place in zip(spots, places, strict=True):
            colour = self.ground(spot.piece.front)
            ink.path(spot.piece.cut, place, fill=colour, stroke=colour, width=2 * BLEED * MM,
                     round=True)  # fmt: skip
        for spot, place in zip(spots, places, strict=True):
            ink.picture(self.tree(spot.piece.front), place)
        for spot, place in zip(spots, places, strict=True):
            line = DARK if brightness(self.ground(spot.piece.front)) > 0.3 else LIGHT
            ink.path(spot.piece.cut, place, stroke=line, width=FINE)

    def backs(self, ink: Ink, spots: Sequence[Spot]) -> None:
        """What lies exactly behind the fronts, without lines."""
        behind = [(spot, side) for spot in spots for side in _backs(spot.piece)]
        for spot, side in behind:
            place = self.paper.behind(spot.x, spot.y, self.cell, mirrored=True)
            colour = self.ground(side)
            ink.path(spot.piece.cut, place, fill=colour, stroke=colour, width=2 * SPILL * MM,
                     round=True)  # fmt: skip
        for spot, side in behind:
            place = self.paper.behind(spot.x, spot.y, self.cell, mirrored=spot.piece.turns)
            ink.picture(self.tree(side), place)

    def ground(self, side: Side) -> str:
        return ground(self.picture, side.ground or side.colour or "card")


def _backs(piece: Piece) -> Iterator[Side]:
    if piece.turns:
        yield piece.front
    elif piece.back:
        yield piece.back


def has_backs(sheet: Sheet) -> bool:
    return any(True for spot in sheet.spots for _ in _backs(spot.piece))
