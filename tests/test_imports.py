"""The import arrows: what may import what. Read off the syntax trees, so that imports
inside functions count too."""

import ast
from pathlib import Path

import pytest

import tegel

ROOT = Path(tegel.__file__).parent
FILES = sorted(ROOT.rglob("*.py"))

# For each part, the parts it may import besides itself.
GAME = {"lattice", "cells", "picture", "record", "words"}
BOTS = {*GAME, "game", "games"}
SEAMS = {*BOTS, "search", "puzzle"}
ARROWS = {
    "lattice": set(),
    "record": set(),
    "cells": {"lattice"},
    "picture": {"lattice"},
    "words": {"picture"},
    "game": GAME,
    "games": {*GAME, "game"},
    "search": BOTS,
    "puzzle": BOTS,
    "room": BOTS,
    "net": {*BOTS, "search"},
    "cli": {*SEAMS, "net", "server", "terminal"},
    "terminal": SEAMS,
    "server": {*SEAMS, "room"},
    "env": SEAMS,
    "__init__": {"game", "games", "record", "picture"},
    "__main__": {"cli"},
}
# The floors of the server, in the same way.
BELOW = {"metrics", "storage", "workers", "compute", "wire"}
FLOORS = {
    "metrics": set(),
    "limits": set(),
    "wire": set(),
    "settings": {"limits"},
    "storage": {"metrics"},
    "workers": {"metrics", "storage"},
    "compute": {"metrics", "wire"},
    "rooms": BELOW,
    "people": {*BELOW, "rooms"},
    "worker": {*BELOW, "limits", "settings", "rooms", "people"},
    "web": {*BELOW, "limits", "settings", "rooms", "people", "worker"},
    "run": {"limits", "settings", "storage", "people"},
    "check": {"run", "storage", "web"},
    "__init__": set(),
}
LAW = {"tegel.lattice", "tegel.cells", "tegel.game"}
NOT_IN_LAW = {"random", "secrets", "time", "datetime", "os", "io", "pathlib", "numpy", "sys"}


def imports(file: Path) -> set[str]:
    """Every module that a file names in an import, as `tegel.games.blokus` or `json`."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file} has a relative import"
            module = node.module or ""
            deeper = {f"{module}.{alias.name}" for alias in node.names}
            found |= {name for name in deeper if is_module(name)} or {module}
    return found


def is_module(name: str) -> bool:
    path = ROOT.parent.joinpath(*name.split("."))
    return path.is_dir() or path.with_suffix(".py").is_file()


def part(module: str) -> str:
    return module.split(".")[1] if "." in module else "__init__"


def place(file: Path) -> str:
    return ".".join(file.relative_to(ROOT.parent).with_suffix("").parts)


@pytest.mark.parametrize("file", FILES, ids=place)
def test_imports_go_down_only(file: Path) -> None:
    mine = part(place(file))
    for module in imports(file):
        if module.split(".")[0] == "tegel":
            assert part(module) == mine or part(module) in ARROWS[mine], f"{place(file)}: {module}"


@pytest.mark.parametrize("file", sorted((ROOT / "server").rglob("*.py")), ids=place)
def test_the_server_has_floors(file: Path) -> None:
    """A part of the server imports only what its floor stands on."""
    mine = floor(place(file))
    for module in imports(file):
        if module.startswith("tegel.server"):
            other = floor(module)
            assert other == mine or other in FLOORS[mine], f"{place(file)}: {module}"


def floor(module: str) -> str:
    parts = module.split(".")
    return parts[2] if len(parts) > 2 else "__init__"


GAME_FILES = [file for file in FILES if file.parent.parent.name == "games"]


@pytest.mark.parametrize("file", GAME_FILES, ids=place)
def test_a_game_imports_no_other_game(file: Path) -> None:
    own = f"tegel.games.{file.parent.name}"
    for module in imports(file):
        if module.startswith("tegel.games"):
            assert module == own or module.startswith(f"{own}."), module


@pytest.mark.parametrize("folder", sorted({file.parent for file in GAME_FILES}), ids=str)
def test_the_law_is_pure(folder: Path) -> None:
    """rules.py and the helpers it imports know only lattice, cells, game, each other and
    the standard library, and in it neither chance, nor clock, nor files."""
    waiting, seen = [folder / "rules.py"], set()
    while waiting:
        file = waiting.pop()
        seen.add(file)
        for module in imports(file):
            own = f"tegel.games.{folder.name}."
            if module.startswith(own):
                helper = folder / f"{module.removeprefix(own)}.py"
                waiting += [helper] if helper not in seen else []
            elif module.startswith("tegel"):
                assert module in LAW, f"{file.name} imports {module}"
            else:
                assert module.split(".")[0] not in NOT_IN_LAW, f"{file.name} imports {module}"


def test_the_checks_can_fail(tmp_path: Path) -> None:
    file = tmp_path / "x.py"
    file.write_text(
        "def f():\n    import random\n    from tegel import games\n    import tegel.search\n"
    )
    assert imports(file) == {"random", "tegel.games", "tegel.search"}
