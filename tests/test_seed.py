"""A run of the tests can be had again: one seed for all its workers, printed first and last."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow
TESTS = Path(__file__).parent
PROGRAM = """
import os
from pathlib import Path
import pytest
from hypothesis import given, settings, strategies as st

@pytest.mark.parametrize("number", range(8))
def test_chance(number, rng):
    note(f"chance {number}", rng.random())

@settings(max_examples=20)
@given(st.integers())
def test_law(integer):
    note("law", integer)

def test_quick_or_not(ann):
    pass

def note(name, found):
    with Path(__file__).with_name("workers").open("a") as file:
        file.write(os.environ.get("PYTEST_XDIST_WORKER", "alone") + " ")
    with (Path(__file__).parent / "found" / name).open("a") as file:
        file.write(f"{found} ")
"""


def run(folder: Path, *options: str, seed: str = "") -> tuple[str, dict[str, str]]:
    """The seed that quick tests say they have, and what they found."""
    (folder / "found").mkdir(parents=True, exist_ok=True)
    for file in (folder / "found").iterdir():
        file.unlink()
    (folder / "test_program.py").write_text(PROGRAM)
    config = str(TESTS.parent / "pyproject.toml")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-c", config, "-p", "conftest", "-m", "not slow",
         *options, str(folder)],
        env={**os.environ, "PYTHONPATH": str(TESTS), "TEGEL_SEED": seed},
        cwd=folder, capture_output=True, text=True,
    )  # fmt: skip
    assert "\n9 passed" in done.stdout, done.stdout + done.stderr
    said = [line for line in done.stdout.splitlines() if "TEGEL_SEED" in line]
    assert len(said) == 2, "at the start and at the end"
    assert said[0] == said[1]
    seeds = re.findall(r"TEGEL_SEED=(\d+)", said[0])
    return seeds[0], {file.name: file.read_text() for file in (folder / "found").iterdir()}


@pytest.mark.sliced(2)
def test_workers_share_a_seed_which_repeats_what_they_did(tmp_path: Path) -> None:
    seed, found = run(tmp_path, "--numprocesses", "2", "--dist", "worksteal")
    assert set((tmp_path / "workers").read_text().split()) == {"gw0", "gw1"}
    assert run(tmp_path, seed=seed) == (seed, found)
    assert run(tmp_path)[1] != found, "another run tries something else"
