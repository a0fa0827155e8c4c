"""The library as typed programs see it: mypy checks `typed_program.py` with everything else, and
the programs in the documentation here, each alone, as strictly as it can."""

import doctest
import re
import subprocess
import sys
from pathlib import Path

import pytest

import typed_program
from tegel import games

ROOT = Path(__file__).parent.parent
PAGES = ("README.md", "docs/library.md", "docs/puzzles.md", "docs/analysis.md")
BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)


def programs(page: str) -> str:
    """The programs of a page, one after the other as a reader would type them; but no notebooks,
    whose widget has no types where Jupyter is not installed."""
    blocks = BLOCK.findall((ROOT / page).read_text("utf-8"))
    sources = [
        doctest.script_from_examples(block) if block.startswith(">>>") else block
        for block in blocks
        if "in a notebook" not in block
    ]
    return "\n\n".join(sources)


def checked(folder: Path, sources: dict[str, str]) -> str:
    """What mypy says of some programs."""
    for name, source in sources.items():
        (folder / f"{name}.py").write_text(source, "utf-8")
    files = [str(folder / f"{name}.py") for name in sources]
    strict = ["--strict", "--no-incremental", "--follow-imports=silent", "--allow-redefinition"]
    command = [sys.executable, "-m", "mypy", "--config-file=", *strict, *files]
    run = subprocess.run(
        command, cwd=folder, env={"MYPYPATH": str(ROOT / "src")}, capture_output=True, text=True
    )
    assert not run.stderr, run.stderr
    return run.stdout


@pytest.mark.slow
def test_the_programs_of_the_documentation_are_typed(tmp_path: Path) -> None:
    sources = {Path(page).stem.lower(): programs(page) for page in PAGES}
    assert all(sources.values())
    sources["wrong"] = 'import tegel\ntegel.load("blokus").start().play("F.0@d9")\n'
    *said, _ = checked(tmp_path, sources).splitlines()
    assert [line.split(":")[0] for line in said] == ["wrong.py"], "\n".join(said)


def test_a_typed_program_runs() -> None:
    assert typed_program.by_name()[0] < 0
    assert typed_program.by_import() == 5
    assert typed_program.with_draws(1).turn in (0, 1, -1)
    assert typed_program.from_records()
    assert "starting square" in typed_program.refused()
    assert 0 <= typed_program.matched() <= 1


@pytest.mark.parametrize("name", games.every())
def test_every_game_says_its_exact_types(name: str) -> None:
    """`GAME: Game[Move, State]`: what is not said would be guessed, and might be Any."""
    found = games.load(name)
    package = __import__(games.PACKAGES[name], fromlist=["GAME"])
    said = package.__annotations__["GAME"]
    assert said.__args__[1] is found.state
