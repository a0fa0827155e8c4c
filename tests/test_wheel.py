"""The package as others get it: built as a wheel, installed into an empty environment."""

import json
import re
import subprocess
import sys
import tomllib
import venv
import zipfile
from importlib.metadata import version
from pathlib import Path, PurePath

import pytest

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parent.parent


def run(*words: str | Path, cwd: Path) -> str:
    done = subprocess.run([*map(str, words)], capture_output=True, text=True, cwd=cwd)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.sliced(1)
def test_wheel_installs_into_an_empty_environment_and_plays(tmp_path: Path) -> None:
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation"]  # compiled already
    run(*build, "--outdir", tmp_path, ROOT, cwd=tmp_path)
    (wheel,) = tmp_path.glob("*.whl")
    tag = "cp311-cp311" if sys.version_info < (3, 12) else "cp312-abi3"
    assert wheel.name.startswith(f"tegel-{version('tegel')}-{tag}-")
    inside = zipfile.ZipFile(wheel).namelist()
    assert any(name.startswith("tegel/solver/_cover.") for name in inside), "the compiled part"
    assert not [name for name in inside if name.endswith((".cpp", ".hpp"))]
    if (ROOT / "src" / "tegel" / "server" / "page").is_dir():
        assert [name for name in inside if name.endswith(".js.br")], "the page, packed"
    venv.create(tmp_path / "env", with_pip=True)
    python, tegel = (tmp_path / "env" / "bin" / name for name in ("python", "tegel"))
    run(python, "-m", "pip", "install", "--quiet", wheel, cwd=tmp_path)
    played = run(python, ROOT / "tests" / "installed.py", cwd=tmp_path)
    assert played.endswith(f"tegel {version('tegel')} plays\n")
    assert run(tegel, "--version", cwd=tmp_path) == f"tegel {version('tegel')}\n"
    assert "win" in run(tegel, "play", "blokus", "duo", "--people", "0", cwd=tmp_path)
    perft = run(tegel, "perft", "blokus", "duo", "1", cwd=tmp_path)
    assert perft == "414\n"
    serve = subprocess.run([tegel, "serve"], capture_output=True, text=True, timeout=60)
    assert serve.returncode == 2
    assert "pip install 'tegel[serve]'" in serve.stderr
    paper = subprocess.run(
        [tegel, "print", "blokus"],
        capture_output=True, text=True, timeout=60, cwd=tmp_path,
    )  # fmt: skip
    assert paper.returncode == 2
    assert "pip install 'tegel[print]'" in paper.stderr
    solved = run(tegel, "solve", "penta-15x16-apart", cwd=tmp_path)
    assert "Solved: every rule holds." in solved


def test_what_is_hosted_ready_made_has_all_that_make_run_installs() -> None:
    """Without nets its strongest bots are weaker, and nothing says so."""
    makefile = (ROOT / "Makefile").read_text()
    rule = makefile.split("\n.venv/.run: ")[1].split("\n\n")[0]
    locks = set(re.findall(r"call locked,(\w+)", rule))
    assert "run" in locks
    for file in ("deploy/Dockerfile", "deploy/tegel.service"):
        assert set(re.findall(r"-r locks/(\w+)", (ROOT / file).read_text())) == locks, file


def test_what_the_image_is_made_of_is_there_and_not_left_out() -> None:
    left_out = (ROOT / ".dockerignore").read_text().split()
    copied = re.findall(r"^COPY ([^-].*) \S+$", (ROOT / "deploy/Dockerfile").read_text(), re.M)
    words = {word for line in copied for word in line.split()}
    assert {"src", "web", "pyproject.toml"} <= words
    for word in words:
        assert (ROOT / word).exists(), word
        assert not any(PurePath(word).match(pattern) for pattern in left_out), word


def test_the_version_stands_in_one_place() -> None:
    found = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    assert found == version("tegel")
    assert "version" not in json.loads((ROOT / "web" / "package.json").read_text())
    sources = [
        *(ROOT / "src").rglob("*.py"),
        ROOT / "CMakeLists.txt",
        *(ROOT / "docs").glob("*.md"),
    ]
    assert [path for path in sources if found in path.read_text("utf-8")] == []
