"""What a stranger brings: puzzles of his own, records as long as can be."""

import httpx

from servers import Person
from tegel import solver
from tegel.games.puzzle.moves import laid
from tegel.lattice import forms, name
from tegel.record import Record

LONGEST = {"puzzle": 2_000, "forma": 2_000, "imago": 2_000, "blokus": 84}  # moves of a game


def own(*rows: str, tiles: str = "I3*3", rule: str = "cover") -> str:
    return "|".join([f"puzzle:_x|rule:_{rule}|tiles:_{tiles}|", *rows])


def upload(person: Person, record: Record | str) -> httpx.Response:
    return person.http.post("/api/records", content=str(record).encode())


def there_and_back(variant: str, pairs: int) -> Record:
    """A puzzle almost solved, and then one tile taken up and laid down again and again."""
    task = solver.load(variant)
    kinds = task.kinds
    *most, _ = [
        laid(placement, kinds[placement.id].shape)
        for placement in solver.solve(task, seed=1).position or ()
    ]
    last = most[-1]
    form = forms(kinds[last.tile].shape)[last.turn]
    (x, y), (u, v) = last.cell, form[0]
    lift = f"lift@{name((x + u, y + v))}"
    moves = [*most, *[lift, last] * pairs]
    return Record("puzzle", variant, moves=tuple(map(str, moves)))


def longest(variant: str = "tetra-8x10") -> Record:
    most = LONGEST["puzzle"]
    record = there_and_back(variant, most // 2)
    return Record("puzzle", variant, moves=record.moves[:most])
