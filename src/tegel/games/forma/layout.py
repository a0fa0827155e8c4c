"""Forma: the set-up, obstacles and the tower.

The **layout** of a game is `placed` (the starting player sets it up, and may take pieces
away again until it is done), drawn by chance (`none`: the tower only; `random`: obstacles
too), or a text: the tower's square, then after a colon those of the obstacles, `k11:c4,e9`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

from tegel.cells import Grid
from tegel.game import BadNotation, IllegalMove
from tegel.games.forma.tiles import Move, Moves
from tegel.lattice import Cell, name, names, square

OBSTACLES = 25
DONE = Move("done")
PLACED = "placed"
UNKNOWN = -1
DRAWN = {"none": 0, "random": UNKNOWN}
"""The layouts that chance draws, with the number of obstacles where it is known beforehand."""


@cache
def board(size: int) -> Grid:
    return Grid(size, size)


@dataclass(frozen=True)
class Layout:
    size: int
    tower: int = 0
    obstacles: int = 0

    @property
    def grid(self) -> Grid:
        return board(self.size)

    @property
    def standing(self) -> int:
        return self.tower | self.obstacles

    @property
    def count(self) -> int:
        return self.obstacles.bit_count()

    def complete(self, count: int) -> bool:
        """Whether the tower and so many obstacles stand."""
        return bool(self.tower) and self.count == count

    def room(self, piece: str) -> int:
        """Where an obstacle or the tower may stand: touching nothing that stands, at a side
        or a corner, and the tower not at an edge (F1)."""
        grid = self.grid
        return (_inner(grid) if piece == "tower" else grid.full) & ~_around(grid, self.standing)

    def choices(self) -> Moves:
        """What the starting player may do."""
        found = {}
        if self.count < OBSTACLES:
            found["obstacle", 0] = self.room("obstacle")
        if not self.tower:
            found["tower", 0] = self.room("tower")
        if self.standing:
            found["remove", 0] = self.standing
        return Moves(self.grid, found, [DONE] if self.tower else [])

    def draws(self, count: int) -> Moves:
        """What chance may draw next (F2): the tower, the number of obstacles, an obstacle."""
        if not self.tower:
            return Moves(self.grid, {("+tower", 0): self.room("tower")})
        if count == UNKNOWN:
            return Moves(self.grid, {}, [Move(f"+{n}") for n in range(OBSTACLES + 1)])
        return Moves(self.grid, {("+obstacle", 0): self.room("obstacle")})

    def after(self, move: Move) -> "Layout":
        """The layout with a piece more or less."""
        squares = self.grid.mask(move.cells)
        match move.what.removeprefix("+"):
            case "tower":
                return replace(self, tower=squares)
            case "obstacle":
                return replace(self, obstacles=self.obstacles | squares)
            case _:
                return Layout(self.size, self.tower & ~squares, self.obstacles & ~squares)

    def refusal(self, move: Move) -> IllegalMove:
        """Why the starting player may not do this."""
        grid, piece, cells = self.grid, move.what, move.cells
        if move == DONE:
            return illegal("towerless")
        if piece not in ("obstacle", "tower", "remove"):
            return illegal("setup", move=move)
        if not all(cell in grid for cell in cells):
            return illegal("outside", cells)
        if piece == "remove":
            return illegal("empty", cells)
        if piece == "tower" and self.tower:
            return illegal("tower", grid.cells(self.tower))
        if piece == "obstacle" and self.count == OBSTACLES:
            return illegal("obstacles", count=OBSTACLES)
        if touched := _around(grid, grid.mask(cells)) & self.standing:
            return illegal("touching", grid.cells(touched), square=names(cells))
        return illegal("edge", cells)


def given(size: int, text: str) -> Layout:
    """The layout that a text describes; raises BadNotation if it is none, or against F1."""
    tower, _, rest = text.partition(":")
    layout = Layout(size)
    for piece, named in (("tower", [tower]), ("obstacle", rest.split(",") if rest else [])):
        for word in named:
            try:
                move = Move(piece, square(word))
            except ValueError:
                kinds = ", ".join([PLACED, *DRAWN])
                reason = f"a layout is {kinds}, or squares with the tower's first: k11:c4,e9"
                raise BadNotation(text, reason) from None
            if move not in layout.choices():
                raise BadNotation(name(move.cells[0]), str(layout.refusal(move)))
            layout = layout.after(move)
    return layout


def _around(grid: Grid, squares: int) -> int:
    """A set with all squares that touch it at a side or a corner."""
    return grid.sides(squares) | grid.diagonal(squares)


def _inner(grid: Grid) -> int:
    """The squares that are not at an edge."""
    return grid.mask((x, y) for x in range(1, grid.width - 1) for y in range(1, grid.height - 1))


def illegal(rule: str, cells: Sequence[Cell] = (), **args: object) -> IllegalMove:
    return IllegalMove("forma", rule, cells, at=names(cells), **args)
