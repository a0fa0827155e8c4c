"""Without a compiler the package installs all the same, from its source distribution, solves and
plays in plain Python."""

import os
import subprocess
import sys
import venv
from pathlib import Path

import pytest

from tegel import games

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parent.parent
PROGRAM = """
from tegel import solver
from tegel.games.puzzle.account import verdict
assert "site-packages" in solver.__file__, solver.__file__
assert not solver.COMPILED
task = solver.load("daily-1-2026-11-16")
assert solver.count(task).total == 1
print(verdict(task, solver.solve(task).position))
"""

PLAYED = """
import logging, random
from tegel import games
from tegel.search import advice, kernel
from tegel.search.bot import bot
from tegel.search.chance import draw
logging.basicConfig(format="%(message)s")
assert not kernel.GAMES
for name in games.names():
    state = games.load(name).start(**games.load(name).quick)
    rng = random.Random(1)
    while state.turn < 0:
        state = state.play(draw(state, rng))
    for level in range(1, 10):
        move = bot(level, 0.1)(state, rng)
        assert move in state.moves() or games.load(name).attempts(state, move)
    found = advice.advice(state, seed=1, seconds=0.2)
    assert (found.search, found.opinions[0].wins) == ("plain", ())
    print(name, "is played")
"""


@pytest.mark.sliced(3)
def test_a_failed_build_falls_back_to_plain_python(tmp_path: Path) -> None:
    venv.create(tmp_path / "env", with_pip=True)
    python, tegel = (tmp_path / "env" / "bin" / name for name in ("python", "tegel"))
    # A copy of what git tracks or would: the build must not find what was compiled here.
    files = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    ).stdout.split("\0")  # fmt: skip
    for file in filter(None, files):
        if (ROOT / file).is_file():
            (tmp_path / "source" / file).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / "source" / file).write_bytes((ROOT / file).read_bytes())
    subprocess.run(
        [sys.executable, "-m", "build", "--sdist", "--no-isolation", tmp_path / "source"],
        cwd=tmp_path, check=True, capture_output=True,
    )  # fmt: skip
    (sdist,) = (tmp_path / "source" / "dist").glob("*.tar.gz")
    subprocess.run(
        [python, "-m", "pip", "install", "--quiet", sdist],
        env={**os.environ, "CXX": "/bin/false"}, cwd=tmp_path, check=True, capture_output=True,
    )  # fmt: skip
    done = subprocess.run([python, "-c", PROGRAM], cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "Solved: every rule holds.\n"), done.stderr
    done = subprocess.run(
        [tegel, "solve", "daily-1-2026-11-16"], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 0
    assert done.stderr == "tegel: there is no compiled solver here; plain Python is slower\n"
    done = subprocess.run([tegel, "solve", "all84"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 2
    assert "need the compiled solver" in done.stderr
    done = subprocess.run([python, "-c", PLAYED], cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode, done.stdout.count("is played")) == (0, len(games.names())), done.stderr
    assert done.stderr == (
        "The native engine was not built; bots search in plain Python, which is much weaker.\n"
    ), "once, not for every move"
    done = subprocess.run(
        [tegel, "gtp", "--variant", "duo", "--time", "0.2"], cwd=tmp_path,
        input="genmove b\ngenmove w\n", capture_output=True, text=True,
    )  # fmt: skip
    assert done.stdout.count("= ") == 2
    assert done.stderr.count("was not built") == 1
    done = subprocess.run(
        [tegel, "match", "2", "1", "--variant", "duo", "--games", "2"], cwd=tmp_path,
        capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
