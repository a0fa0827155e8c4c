"""`tegel solve`, run as people run it."""

import json
from pathlib import Path

import pytest

from tegel import games, solver
from tegel.solver.check import solved
from tegel.solver.cover import COMPILED
from test_cli import refused, tegel

pytestmark = pytest.mark.slow
compiled = pytest.mark.skipif(not COMPILED, reason="there is no compiled solver here")


def test_solve_draws_and_says_so(tmp_path: Path) -> None:
    svg, record = tmp_path / "x.svg", tmp_path / "x.txt"
    words = ["--seed", "3", "--svg", str(svg), "--save", str(record)]
    done = tegel("solve", "tetra-8x10-apart", *words)
    assert (done.returncode, done.stderr) == (0, "")
    assert "Solved: every rule holds." in done.stdout
    assert svg.read_text().startswith("<svg ")
    assert games.final(games.read(record.read_text())).outcome
    assert "Solved!" in tegel("check", str(record)).stdout


@pytest.mark.parametrize(
    "name",
    ["tetra-8x10", "daily-1-2026-11-16", *(["penta-15x16-apart", "all84"] if COMPILED else [])],
)
def test_solve_json_is_checked_again(name: str) -> None:
    found = json.loads(tegel("solve", name, "--json", "--seed", "1").stdout)
    assert (found["puzzle"], found["seed"], found["solved"]) == (name, 1, True)
    task = solver.load(name)
    assert set(found["placements"][0]) == {"piece", "colour", "cells"}
    assert solved(task, solver.read(task, found))


@compiled
def test_all84_is_saved_as_a_game_of_blokus(tmp_path: Path) -> None:
    out = tmp_path / "all84.txt"
    assert tegel("solve", "all84", "--seed", "4", "--save", str(out)).returncode == 0
    scores = json.loads(tegel("check", str(out), "--json").stdout)["scores"]
    assert min(scores) >= 15


def test_solve_goes_on_from_a_position(tmp_path: Path) -> None:
    whole = json.loads(tegel("solve", "daily-1-2026-11-16", "--json").stdout)
    part = tmp_path / "part.json"
    part.write_text(json.dumps(whole["placements"][:2]))
    done = tegel("solve", "daily-1-2026-11-16", "--given", str(part), "--json")
    assert json.loads(done.stdout)["placements"][:2] == whole["placements"][:2]
    part.write_text(json.dumps([whole["placements"][0]] * 2))
    said = refused("solve", "daily-1-2026-11-16", "--given", str(part))
    assert "(1) are already on the board." in said
    part.write_text("{")
    assert "is not JSON" in refused("solve", "daily-1-2026-11-16", "--given", str(part))


def test_solve_counts() -> None:
    assert tegel("solve", "pentominoes-3x20", "--count").stdout == (
        "8 solutions, 2 up to symmetry.\n"
    )
    found = json.loads(tegel("solve", "pentominoes-3x20", "--count", "--json").stdout)
    assert found == {"puzzle": "pentominoes-3x20", "total": 8, "distinct": 2}
    assert "counting would take about 10^" in refused("solve", "penta-15x16", "--count")
    assert "can't all be listed" in refused("solve", "all84", "--count")
    for more in (("--given", "x"), ("--seed", "0"), ("--jobs", "2"), ("--svg", "x.svg")):
        said = refused("solve", "pentominoes-3x20", "--count", *more)
        assert "takes nothing else but --json" in said


def test_solve_takes_a_file(tmp_path: Path) -> None:
    file = tmp_path / "own.txt"
    file.write_text("puzzle: own\ntiles: Q*2\nshape Q: XXX/X..\n\n....\n....\n")
    assert "Solved" in tegel("solve", str(file)).stdout
    file.write_text("puzzle: own\ntiles: T4*2\n\n....\n....\n")
    done = tegel("solve", str(file))
    assert (done.returncode, done.stderr) == (1, "")
    assert "No solution, proved." in done.stdout
    assert json.loads(tegel("solve", str(file), "--json").stdout)["solved"] is False
    assert "no header 'puzzle" in refused("solve", "-", stdin="rule: cover")


@compiled
def test_solve_gives_up_in_time() -> None:
    done = tegel("solve", "all84-descending", "--seconds", "0.05", "--json")
    assert done.returncode == 1
    assert json.loads(done.stdout)["solved"] is None


def test_bad_words_are_named() -> None:
    assert "no such puzzle; there are tetra-8x10" in refused("solve", "sudoku")
    assert "YYYY-MM-DD" in refused("solve", "daily-1-x")
    assert "can't be read" in refused("solve", "tetra-8x10", "--given", "/nowhere")


def test_solve_without_a_name_lists_the_puzzles() -> None:
    said = tegel("solve").stdout
    for name in solver.TASKS:
        assert name in said
