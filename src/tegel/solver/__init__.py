"""Puzzles as values, their checker and their solver; `games/puzzle` is where people solve them.

>>> from tegel import solver
>>> task = solver.load("pentominoes-3x20")
>>> solver.count(task)
Count(total=8, distinct=2)
>>> answer = solver.solve(task, seed=3)
>>> solver.solved(task, answer.position)
True
"""

from tegel.solver.check import Fault, faults, solved
from tegel.solver.cover import COMPILED
from tegel.solver.puzzle import Placement, Puzzle, Tile, parse, read, written
from tegel.solver.solver import Answer, Progress, count, solutions, solve
from tegel.solver.tasks import TASKS, load, named

__all__ = [
    "COMPILED", "TASKS", "Answer", "Fault", "Placement", "Progress", "Puzzle", "Tile", "count",
    "faults", "load", "named", "parse", "read", "solutions", "solve", "solved", "written",
]  # fmt: skip
