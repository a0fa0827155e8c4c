"""The import arrows: what may import what. Read off the syntax trees, so that imports
inside functions count too. And the files of the games: the same name means the same thing."""

import ast
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import tegel
from tegel import games
from tegel.game import Game

ROOT = Path(tegel.__file__).parent
FILES = sorted(ROOT.rglob("*.py"))

# For each part, the parts it may import besides itself.
GROUND = {"lattice", "cells", "picture", "record", "tree"}
GAME = {*GROUND, "words"}
BOTS = {*GAME, "game", "solver", "games"}
SEAMS = {*BOTS, "search"}
ARROWS = {
    "lattice": set(),
    "record": set(),
    "executors": set(),
    "tree": {"record"},
    "study": {"record", "tree"},
    "cells": {"lattice"},
    "picture": {"lattice"},
    "words": {"picture"},
    "game": GAME,
    "solver": {*GROUND, "game"},
    "games": {*GAME, "game", "solver"},
    "search": {*BOTS, "executors"},
    "engines": SEAMS,
    "room": BOTS,
    "net": {*SEAMS, "executors"},
    "sheets": BOTS,
    "env": SEAMS,
    "notebook": SEAMS,
    "easy": {*SEAMS, "engines", "executors"},
    "cli": {*SEAMS, "engines", "executors", "net", "place", "server", "sheets", "terminal"},
    "terminal": SEAMS,
    "place": {*SEAMS, "room", "sheets", "study"},
    "server": {*SEAMS, "place", "room", "sheets", "study"},
    "__init__": {"easy", "game", "games", "record", "picture"},
    "__main__": {"cli"},
}
# The floors of the services and of the server, in the same way.
GROUND_FLOOR = {"ports", "bus", "steady_clock", "heartbeat", "wire", "limits", "tasks"}
PLACE = {
    "ports": set(),
    "bus": {"ports"},
    "steady_clock": {"ports"},
    "heartbeat": {"ports", "steady_clock"},
    "wire": set(),
    "limits": {"ports"},
    "tasks": {"wire"},
    "rooms": GROUND_FLOOR,
    "accounts": {*GROUND_FLOOR, "rooms"},
    "history": {*GROUND_FLOOR, "rooms", "accounts"},
    "safety": {*GROUND_FLOOR, "rooms", "accounts"},
    "pairing": {*GROUND_FLOOR, "rooms", "history", "safety"},
    "push": {*GROUND_FLOOR, "rooms"},
    "programs": {*GROUND_FLOOR, "rooms"},
    "studies": {*GROUND_FLOOR, "rooms", "safety"},
    "moments": GROUND_FLOOR,
    "records": {*GROUND_FLOOR, "safety"},
    "puzzles": {*GROUND_FLOOR, "rooms"},
    "retention": {"heartbeat"},
    "sweep": {"ports"},
    "days": {"ports"},
    "lobby": {*GROUND_FLOOR, "rooms", "accounts", "history", "safety"},
    "__init__": set(),
}
BELOW = {"metrics", "storage", "compute", "redis_bus", "settings"}
FLOORS = {
    "metrics": set(),
    "settings": set(),
    "secret": set(),
    "process": set(),
    "storage": {"metrics", "world"},
    "compute": {"metrics"},
    "redis_bus": {"storage"},
    "health": {"storage"},
    "push_service": set(),
    "hosting": {"storage"},
    "world": set(),
    "ports": {*BELOW, "push_service", "world"},
    "worker": {"compute", "health", "ports", "settings", "storage"},
    "web": {*BELOW, "health", "process", "worker", "world"},
    "start": {"storage"},
    "run": {"secret", "settings", "storage", "push_service", "start"},
    "check": {"run", "storage", "web"},
    "__init__": set(),
}
LAW = {"tegel.lattice", "tegel.cells", "tegel.game", "tegel.solver"}
NOT_IN_LAW = {"random", "secrets", "time", "datetime", "os", "io", "pathlib", "numpy", "sys"}


ABOVE = {"cli", "terminal", "__main__"}
"""The command line, which alone prints with rich."""
HEAVY = {
    "sqlalchemy", "fastapi", "pydantic", "prometheus_client", "numpy", "multiprocessing",
    "starlette", "rich",
}  # fmt: skip
"""What a service and a room load nothing of, so that a page can run them."""


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
    return source(name).is_file()


def source(module: str) -> Path:
    """The file of a module of ours, or of its package."""
    path = ROOT.parent.joinpath(*module.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


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


@pytest.mark.parametrize(("part", "floors"), [("place", PLACE), ("server", FLOORS)])
def test_services_and_server_have_floors(part: str, floors: dict[str, set[str]]) -> None:
    """A part of them imports only what its floor stands on."""
    for file in sorted((ROOT / part).rglob("*.py")):
        mine = floor(place(file))
        for module in imports(file):
            if module.startswith(f"tegel.{part}."):
                other = floor(module)
                assert other == mine or other in floors[mine], f"{place(file)}: {module}"


WEB = sorted((ROOT / "server" / "web").rglob("*.py"))


@pytest.mark.parametrize("file", WEB, ids=place)
def test_a_route_takes_only_the_services_that_it_uses(file: Path) -> None:
    """Only the app knows the worker, which has all of them."""
    named = "Worker" in names(file) or "tegel.server.worker" in imports(file)
    assert named == (file.name == "app.py")


def names(file: Path) -> set[str]:
    """Every name that a file uses, in annotations that are texts too."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.alias(name=name):
                found.add(name)
            case ast.Constant(value=str(name)):
                found.add(name)
    return found


def floor(module: str) -> str:
    parts = module.split(".")
    return parts[2] if len(parts) > 2 else "__init__"


GAME_FILES = [
    file for file in FILES if part(place(file)) == "games" and file.parent != ROOT / "games"
]


@pytest.mark.parametrize("file", GAME_FILES, ids=place)
def test_a_game_imports_no_other_game(file: Path) -> None:
    """What stands in one folder is one family: Discovery is laid with the tiles of Tantrix."""
    own = ".".join(place(file).split(".")[:3])
    for module in imports(file):
        if module.startswith("tegel.games"):
            assert module == own or module.startswith(f"{own}."), module


@pytest.mark.parametrize("name", games.every())
def test_the_law_is_pure(name: str) -> None:
    """rules.py and the helpers it imports know only lattice, cells, game, solver, each other
    and the standard library, and in it neither chance, nor clock, nor files."""
    waiting, seen = [f"{games.PACKAGES[name]}.rules"], set[str]()
    while waiting:
        law = waiting.pop()
        seen.add(law)
        for module in imports(source(law)):
            if module.startswith("tegel.games."):
                waiting += [module] if module not in seen else []
            elif module.startswith("tegel"):
                assert ".".join(module.split(".")[:2]) in LAW, f"{law} imports {module}"
            else:
                assert module.split(".")[0] not in NOT_IN_LAW, f"{law} imports {module}"


# The same file name means the same thing in every game folder.

HOMES = {
    "rules": ("Rules", "State", "begin", "VARIANTS", "OPTIONS"),
    "notation": ("parse", "restore"),
    "picture": ("planes", "marks", "offer"),
    "account": ("events", "account", "facts", "gained"),
    "terminal": ("text",),
    "material": ("material",),
    "advice": ("hint", "solution"),
    "kernel": ("code", "decode", "pack", "covers", "setup"),
}
"""By file, what is defined there, and in no other file of the folder."""
MUST = ("__init__", "rules", "notation", "picture", "account")


@pytest.mark.parametrize("name", games.every())
def test_the_same_file_means_the_same_in_every_game(name: str) -> None:
    folder = source(games.PACKAGES[name]).parent
    found = {file.stem: definitions(file) for file in folder.glob("*.py")}
    assert set(MUST) <= set(found)
    for path in folder.glob("*.py"):
        assert ast.get_docstring(ast.parse(path.read_text("utf-8"))), f"what is {path.name}?"
    for home, names in HOMES.items():
        for file, defined in found.items():
            assert file == home or not defined & set(names), f"{file}.py defines {defined}"


@pytest.mark.parametrize("name", games.every())
def test_a_game_is_made_of_what_its_files_define(name: str) -> None:
    game, own = games.load(name), games.PACKAGES[name]
    for home, values in made_of(game).items():
        for value in values:
            assert value is None or value.__module__ == f"{own}.{home}", (home, value)


def made_of(game: Game[Any, Any]) -> dict[str, list[Any]]:
    drawing, solo, kernel = game.drawing, game.solo, game.kernel
    return {
        "rules": [game.state, game.begin],
        "notation": [game.parse, game.restore],
        "picture": [drawing.planes, drawing.marks, game.offer],
        "account": [game.events, game.account],
        "terminal": [drawing.text],
        "material": [game.material],
        "advice": [solo.hint, solo.solution] if solo else [],
        "kernel": [kernel.code, kernel.decode, kernel.pack] if kernel else [],
    }


def definitions(file: Path) -> set[str]:
    """The functions, classes and values that a file defines for others."""
    found: set[str] = set()
    for node in ast.parse(file.read_text("utf-8")).body:
        match node:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                found.add(name)
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                found.add(name)
    return found


# What loads nothing that is heavy.


def test_only_the_command_line_imports_rich() -> None:
    """But for the answer to rich itself, when a console prints a text in styles."""
    found = {
        place(file)
        for file in FILES
        if part(place(file)) not in ABOVE
        and any(module.split(".")[0] == "rich" for module in imports(file))
    }
    assert found == {"tegel.picture.styled"}


WITHOUT_RICH = """
import sys
sys.modules["rich"] = None
import tegel
for name in tegel.games.every():
    game = tegel.load(name)
    state = game.start()
    while state.turn == tegel.CHANCE:
        state = state.play(next(iter(state.odds())))
    assert str(game.text(state)) and game.picture(state).svg() and state.moves()
    if not game.solo:
        state.play(tegel.bot(1, seed=1)(state))
"""


def test_the_library_needs_no_rich() -> None:
    """Games load, show themselves and are played by bots where rich is not installed."""
    subprocess.run([sys.executable, "-c", WITHOUT_RICH], check=True)


LOADING = """
import importlib, json, sys
heavy, seen, found = set(json.loads(sys.argv[1])), set(), {}
for name in json.loads(sys.argv[2]):
    importlib.import_module(name)
    if new := heavy & set(sys.modules) - seen:
        found[name] = sorted(new)
        seen |= new
print(json.dumps(found))
"""


def heavy_loads(modules: list[str]) -> dict[str, list[str]]:
    """What is heavy and comes with which of some modules, when they are loaded one by one by a
    Python of its own."""
    asked = json.dumps(sorted(HEAVY)), json.dumps(modules)
    run = subprocess.run(
        [sys.executable, "-c", LOADING, *asked], check=True, capture_output=True, text=True
    )
    found: dict[str, list[str]] = json.loads(run.stdout)
    return found


def test_services_and_rooms_load_nothing_heavy() -> None:
    names = [place(file).removesuffix(".__init__") for file in FILES]
    services = [name for name in names if part(name) in ("place", "room")]
    assert "tegel.place.lobby" in services
    assert heavy_loads(services) == {}


def test_what_is_heavy_is_seen() -> None:
    loaded = heavy_loads(["tegel.record", "tegel.terminal", "tegel.server.storage.tables"])
    assert loaded["tegel.terminal"] == ["rich"]
    assert "sqlalchemy" in loaded["tegel.server.storage.tables"]


def test_the_checks_can_fail(tmp_path: Path) -> None:
    file = tmp_path / "x.py"
    file.write_text(
        "def f():\n    import random\n    from tegel import games\n    import tegel.search\n"
        "X: int = 1\nY = 2\nclass Z: ...\n"
    )
    assert imports(file) == {"random", "tegel.games", "tegel.search"}
    assert definitions(file) == {"f", "X", "Y", "Z"}
