"""Nothing reads the world by itself: time, chance, files, threads, sockets and processes come in
through ports. Read off the syntax trees, so that what stands inside functions counts too."""

import ast
from pathlib import Path

import pytest

import tegel

ROOT = Path(tegel.__file__).parent
SERVICES = [file for part in ("place", "room") for file in sorted((ROOT / part).rglob("*.py"))]
SERVER = [
    file
    for file in sorted((ROOT / "server").rglob("*.py"))
    if "versions" not in file.parts  # of migrations, which are never changed
]

MODULES = {
    "concurrent", "ctypes", "fcntl", "glob", "http", "io", "multiprocessing", "os", "pathlib",
    "platform", "random", "secrets", "select", "selectors", "shutil", "signal", "socket", "sqlite3",
    "ssl", "subprocess", "sys", "tempfile", "threading", "time", "uuid",
}  # fmt: skip
"""Modules of which a service imports nothing."""
NAMES = {
    "asyncio.create_subprocess_exec", "asyncio.create_subprocess_shell", "asyncio.open_connection",
    "asyncio.run", "asyncio.sleep", "asyncio.start_server", "asyncio.to_thread",
    "datetime.date.today", "datetime.datetime.now", "datetime.datetime.today",
    "datetime.datetime.utcnow", "input", "open", "urllib.request",
}  # fmt: skip
"""What a service does not name."""
METHODS = {"add_signal_handler", "create_connection", "create_server", "run_in_executor"}
"""What it asks no event loop for."""

PORTS = {
    "tegel.server.compute.pool",  # processes
    "tegel.server.compute.pools",
    "tegel.server.compute.process",
    "tegel.server.process",
    "tegel.server.metrics",  # what is measured
    "tegel.server.push_service",  # sockets
    "tegel.server.redis_bus",
    "tegel.server.storage.backup",  # databases, and their files
    "tegel.server.storage.database",
    "tegel.server.storage.database_file",
    "tegel.server.storage.first_use",
    "tegel.server.storage.migrations",
    "tegel.server.web.documentation",  # files that are served
    "tegel.server.web.page",
    "tegel.server.web.transport",  # connections
    "tegel.server.world",  # time and chance
    "tegel.server.check",  # what a command begins with: settings, folders, sockets
    "tegel.server.run",
    "tegel.server.secret",
    "tegel.server.settings",
    "tegel.server.start",
    "tegel.server.web.app",
    # What a host does from the command line, on a database and without a worker: each is a
    # command from begin to end, which nothing else calls.
    "tegel.server.hosting.agreement",
    "tegel.server.hosting.host",
    "tegel.server.hosting.recompute",
}
"""The modules that are the world for all others."""


def world(tree: ast.Module) -> set[str]:
    """What a module uses of the world."""
    found, known = set[str](), dict[str, str]()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names if _is_world(alias.name)}
            known |= {alias.asname or _first(alias.name): alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names = {alias.name: f"{node.module}.{alias.name}" for alias in node.names}
            found |= {name for name in names.values() if _is_world(name)}
            known |= {alias.asname or alias.name: names[alias.name] for alias in node.names}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute | ast.Name) and isinstance(node.ctx, ast.Load):
            root, _, rest = ast.unparse(node).partition(".")
            name = ".".join(filter(None, (known.get(root, root), rest)))
            found |= {name} & NAMES
            found |= {node.attr} & METHODS if isinstance(node, ast.Attribute) else set()
    return found


def _is_world(name: str) -> bool:
    return _first(name) in MODULES or name in NAMES


def _first(name: str) -> str:
    return name.split(".")[0]


def module(file: Path) -> str:
    return ".".join(file.relative_to(ROOT.parent).with_suffix("").parts).removesuffix(".__init__")


def check(file: Path, allowed: set[str]) -> None:
    found = world(ast.parse(file.read_text("utf-8")))
    if module(file) in allowed:
        assert found, f"{module(file)} reads the world no more: take it off the list"
    else:
        assert not found, f"{module(file)} reads the world by itself: {', '.join(sorted(found))}"


@pytest.mark.parametrize("file", SERVICES, ids=module)
def test_services_read_nothing_of_the_world(file: Path) -> None:
    check(file, set())


@pytest.mark.parametrize("file", SERVER, ids=module)
def test_the_server_reads_the_world_where_it_implements_ports(file: Path) -> None:
    check(file, PORTS)


def test_the_lists_name_modules_that_are_there() -> None:
    there = set(map(module, [*SERVICES, *SERVER]))
    assert there >= PORTS


@pytest.mark.parametrize(
    "line",
    [
        "import time",
        "def f():\n    import random as r",
        "from secrets import token_hex",
        "import os.path",
        "from concurrent.futures import ThreadPoolExecutor",
        "from threading import Thread",
        "import asyncio\nawait asyncio.sleep(1)",
        "from asyncio import sleep",
        "import asyncio as a\nx = a.to_thread",
        "from datetime import date\nx = date.today()",
        "from datetime import UTC, datetime as d\nx = [d.now(UTC)]",
        "import datetime\nx = datetime.datetime.now()",
        "with open('x') as file: ...",
        "import urllib.request",
        "from urllib import request",
        "import asyncio\nasyncio.get_running_loop().run_in_executor(None, f)",
    ],
)
def test_a_planted_line_is_found(line: str, tmp_path: Path) -> None:
    file = tmp_path / "planted.py"
    file.write_text(f'"""A service."""\n\nimport json\n\n\n{line}\n', "utf-8")
    assert world(ast.parse(file.read_text("utf-8")))


@pytest.mark.parametrize(
    "line",
    [
        "await store.open()",
        "clock.sleep(1)",
        "from datetime import date, datetime\nx = datetime(2026, 1, 1), date.min",
        "import asyncio\nasyncio.create_task(f())",
        "import asyncio\nasyncio.get_running_loop().call_later(1, f)",
        "chance.random()",
        "class Row:\n    open: int",
        "from urllib.parse import urlsplit",
    ],
)
def test_what_comes_through_a_port_is_not_the_world(line: str) -> None:
    assert not world(ast.parse(line))
