"""How long puzzles take: seconds to a first solution over many seeds, beside a
general-purpose solver (OR-Tools CP-SAT, one worker) on the same machine in the same run.

    python bench/puzzles.py [SEEDS] [SECONDS]

SEEDS (20) for ours; CP-SAT gets one run a task and at most SECONDS (60), on the model that
suits it: a Boolean for each place of each shape, or of each tile where colours keep apart;
each square once, each shape as often as it has copies; for each side between squares and each
colour at most one tile that ends there. The tasks by the rules of Blokus have no such model, and
are measured alone.
"""

import sys
import time
from collections import Counter, defaultdict
from importlib import import_module
from importlib.util import find_spec
from statistics import median
from typing import Any

from rich.console import Console
from rich.table import Table

from tegel import solver
from tegel.lattice import forms
from tegel.solver.check import sides
from tegel.solver.solver import solve

TASKS = [name for name in solver.TASKS if not name.startswith("pentominoes")]
RECTANGLES = ["pentominoes-6x10", "pentominoes-5x12", "pentominoes-4x15", "pentominoes-3x20"]


def ours(task: solver.Puzzle, seeds: int) -> list[float]:
    """Seconds to a checked solution, seed by seed."""
    found = []
    for seed in range(1, seeds + 1):
        begun = time.perf_counter()
        assert solve(task, seed=seed, seconds=600).position
        found.append(time.perf_counter() - begun)
    return sorted(found)


def cp_sat(task: solver.Puzzle, seconds: float) -> float | None:
    """Seconds to a solution, the building of the model left out; None: none in time."""
    cp_model: Any = import_module("ortools.sat.python.cp_model")
    model = cp_model.CpModel()
    squares, copies, borders = defaultdict(list), defaultdict(list), defaultdict(list)
    board = set(task.board)
    count = Counter(tile.id if task.constraints.apart else tile.name for tile in task.tiles)
    tiles = {tile.id if task.constraints.apart else tile.name: tile for tile in task.tiles}
    for key, tile in tiles.items():
        for form in forms(tile.shape).values():
            for x, y in task.board:
                cells = {(x + u, y + v) for u, v in form}
                if not cells <= board:
                    continue
                place = model.NewBoolVar("")
                copies[key].append(place)
                for cell in cells:
                    squares[cell].append(place)
                    for beside in (
                        set(sides(cell)) & board - cells if task.constraints.apart else ()
                    ):
                        borders[frozenset((cell, beside)), tile.colour].append(place)
    for places in squares.values():
        model.AddExactlyOne(places)
    for key, places in copies.items():
        model.Add(sum(places) == count[key])
    for places in borders.values():
        model.AddAtMostOne(places)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.max_time_in_seconds = seconds
    begun = time.perf_counter()
    status = solver.Solve(model)
    solved = status in (cp_model.OPTIMAL, cp_model.FEASIBLE)
    return time.perf_counter() - begun if solved else None


def main() -> None:
    seeds = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 60.0
    table = Table("puzzle", "median", "slowest", "CP-SAT", "ratio", title=f"{seeds} seeds")
    for name in TASKS:
        task = solver.load(name)
        times = ours(task, seeds)
        other, ratio = "", ""
        if find_spec("ortools") and not task.constraints.linked:
            taken = cp_sat(task, seconds)
            other = f"{taken:.2f} s" if taken else f"none in {seconds:.0f} s"
            ratio = f"{'' if taken else '> '}{(taken or seconds) / median(times):,.0f}"
        table.add_row(name, f"{median(times):.3f} s", f"{times[-1]:.3f} s", other, ratio)
    Console().print(table)
    table = Table("puzzle", "solutions", "up to symmetry", "seconds", title="all solutions")
    for name in RECTANGLES:
        begun = time.perf_counter()
        count = solver.count(solver.load(name))
        taken = time.perf_counter() - begun
        table.add_row(name, f"{count.total:,}", f"{count.distinct:,}", f"{taken:.2f}")
    Console().print(table)


if __name__ == "__main__":
    main()
