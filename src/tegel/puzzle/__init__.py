"""Puzzles: place tiles so that every rule holds; by hand, or solved by the machine.

>>> from tegel import puzzle
>>> task = puzzle.load("pentominoes-3x20")
>>> puzzle.count(task)
Count(total=8, distinct=2)
>>> answer = puzzle.solve(task, seed=3)
>>> puzzle.verdict(task, answer.position)
'Solved: every rule holds.'
"""

from tegel.game import Game
from tegel.puzzle import advice, hand, moves, picture
from tegel.puzzle.check import faults, solved, verdict
from tegel.puzzle.cover import COMPILED
from tegel.puzzle.hand import OWN, packed, record
from tegel.puzzle.picture import shown, text
from tegel.puzzle.puzzle import Placement, Puzzle, Tile, parse, read, written
from tegel.puzzle.solver import Progress, count, solutions, solve
from tegel.puzzle.tasks import TASKS, load, named

__all__ = [
    "COMPILED", "GAME", "OWN", "TASKS", "Placement", "Progress", "Puzzle", "Tile", "count",
    "faults", "load", "named", "packed", "parse", "read", "record", "shown", "solutions", "solve",
    "solved", "text", "verdict", "written",
]  # fmt: skip

GAME = Game(
    name="puzzle",
    variants=hand.Variants(),
    options=hand.OPTIONS,
    begin=hand.begin,
    parse=moves.parse,
    restore=hand.restore,
    planes=picture.planes,
    sprites=picture.SPRITES,
    drawn=picture.drawn,
    marks=picture.marks,
    offer=picture.offer,
    colour=lambda state: state.colour,
    events=picture.events,
    account=picture.account,
    hint=advice.hint,
    solution=advice.solution,
    task=hand.task,
    title=hand.title,
    drawing=picture.drawing,
)
