"""Without a compiler the package installs all the same, and solves in plain Python."""

import os
import subprocess
import venv
from pathlib import Path

ROOT = Path(__file__).parent.parent
PROGRAM = """
from tegel import puzzle
assert "site-packages" in puzzle.__file__, puzzle.__file__
assert not puzzle.COMPILED
task = puzzle.load("daily-1-2026-11-16")
assert puzzle.count(task).total == 1
print(puzzle.verdict(task, puzzle.solve(task).position))
"""


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
        [python, "-m", "pip", "install", "--quiet", tmp_path / "source"],
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
