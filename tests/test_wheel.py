"""The package as others get it: built as a wheel, installed into an empty environment."""

import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parent.parent
PROGRAM = """
import random, sys
from importlib import resources
from tegel import games

assert "site-packages" in games.__file__, games.__file__
assert (resources.files("tegel") / "py.typed").is_file()
rng = random.Random(1)
for name in games.names():
    game = games.load(name)
    state = game.start()
    for _ in range(300):
        if state.outcome:
            break
        odds = state.odds() or dict.fromkeys(state.moves(), 1)
        state = state.play(rng.choices(list(odds), list(odds.values()))[0])
    assert game.picture(state).svg().startswith("<svg")
    assert games.page(name) and games.page(name, "nl")
    print(name, state.scores)
"""


def run(*words: str | Path, cwd: Path) -> str:
    done = subprocess.run([*map(str, words)], capture_output=True, text=True, cwd=cwd)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_wheel_installs_into_an_empty_environment_and_plays(tmp_path: Path) -> None:
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation"]  # compiled already
    run(*build, "--outdir", tmp_path, ROOT, cwd=tmp_path)
    (wheel,) = tmp_path.glob("*.whl")
    inside = zipfile.ZipFile(wheel).namelist()
    assert any(name.startswith("tegel/solver/_cover.") for name in inside), "the compiled part"
    assert not [name for name in inside if name.endswith((".cpp", ".hpp"))]
    if (ROOT / "src" / "tegel" / "server" / "page").is_dir():
        assert [name for name in inside if name.endswith(".js.br")], "the page, packed"
    venv.create(tmp_path / "env", with_pip=True)
    python = tmp_path / "env" / "bin" / "python"
    run(python, "-m", "pip", "install", "--quiet", wheel, cwd=tmp_path)
    assert "blokus (" in run(python, "-c", PROGRAM, cwd=tmp_path)
    perft = run(tmp_path / "env" / "bin" / "tegel", "perft", "blokus", "duo", "1", cwd=tmp_path)
    assert perft == "414\n"
    serve = subprocess.run(
        [tmp_path / "env" / "bin" / "tegel", "serve"], capture_output=True, text=True, timeout=60
    )
    assert serve.returncode == 2
    assert "pip install 'tegel[serve]'" in serve.stderr
    paper = subprocess.run(
        [tmp_path / "env" / "bin" / "tegel", "print", "blokus"],
        capture_output=True, text=True, timeout=60, cwd=tmp_path,
    )  # fmt: skip
    assert paper.returncode == 2
    assert "pip install 'tegel[print]'" in paper.stderr
    solved = run(tmp_path / "env" / "bin" / "tegel", "solve", "penta-15x16-apart", cwd=tmp_path)
    assert "Solved: every rule holds." in solved
