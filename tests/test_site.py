"""The documentation site, without building it: its pages, its menu, its links, its reference."""

import ast
import inspect
import re
import sys
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "docs"))

import site_pages as site  # noqa: E402


@pytest.fixture(scope="module")
def gathered(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pages of the site as they are gathered, but for those made by programs."""
    out = tmp_path_factory.mktemp("site")
    site.gather(out)
    site.reference(out)
    return out


def test_the_menu_names_pages_that_there_are_and_each_once(gathered: Path) -> None:
    names = list(site.named(site.navigation()))
    made = {"reference/command-line.md", "reference/http.md"}
    assert len(set(names)) == len(names)
    assert [name for name in names if not (gathered / name).is_file() and name not in made] == []
    assert {f"reference/{module}.md" for module in site.PUBLIC} <= set(names)


def test_every_page_of_ours_is_in_the_menu_or_linked(gathered: Path) -> None:
    shown = set(site.named(site.navigation()))
    linked = {
        (page.parent / link).resolve().relative_to(gathered.resolve()).as_posix()
        for page in gathered.rglob("*.md")
        for _, link, _ in site.LINK.findall(page.read_text("utf-8"))
        if ":" not in link
    }
    ours = {str(site.place(page)) for page in site.pages()}
    translated = {name for name in ours if re.fullmatch(r"rules/\w+\.(de|fr|it|nl)\.md", name)}
    assert ours - translated <= shown | linked


def test_links_lead_somewhere_within_the_site(gathered: Path) -> None:
    count = 0
    for page in gathered.rglob("*.md"):
        for _, link, _ in site.LINK.findall(page.read_text("utf-8")):
            if ":" not in link:
                assert (page.parent / link).is_file(), f"{page}: {link}"
                count += 1
    assert count > 100


Named = ast.FunctionDef | ast.ClassDef


def test_every_public_name_says_what_it_is() -> None:
    """Functions, classes and their methods, of the modules that the reference shows, and what
    packages take from theirs to offer it."""
    silent = []
    for name in site.PUBLIC:
        assert ast.get_docstring(source(name)), name
        for node in [*public(source(name)), *offered(name)]:
            silent += [f"{name}.{node.name}"] if not ast.get_docstring(node) else []
            inner = public(node) if isinstance(node, ast.ClassDef) else []
            silent += [f"{name}.{node.name}.{one.name}" for one in inner if not said(one)]
    assert silent == []


def public(within: ast.Module | ast.ClassDef) -> list[Named]:
    return [
        node
        for node in within.body
        if isinstance(node, Named) and node.name[0] != "_"
        if "overload" not in map(ast.unparse, node.decorator_list)
    ]


def said(method: Named) -> bool:
    """What a player does, `Player` says once; commands of GTP, do_NAME, are not shown."""
    known = method.name in ("begin", "choose", "played", "end") or method.name.startswith("do_")
    return known or bool(ast.get_docstring(method))


def offered(package: str) -> list[Named]:
    """What a package takes from its modules and names in `__all__`."""
    body = source(package).body
    lists = [
        ast.literal_eval(node.value)
        for node in body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__"
    ]
    names = {name for one in lists for name in one}
    return [
        found
        for node in body
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("tegel")
        for found in public(source(node.module or ""))
        if found.name in names & {alias.name for alias in node.names}
    ]


def source(name: str) -> ast.Module:
    path = ROOT / "src" / Path(*name.split("."))  # not everybody can import it
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    return ast.parse(file.read_text("utf-8"))


def test_what_is_offered_by_name_says_what_it_is_too() -> None:
    for name in site.PUBLIC:
        if name.startswith(("tegel.env.", "tegel.notebook")):
            continue  # not everybody has what they need
        module = import_module(name)
        for key in getattr(module, "__all__", ()):
            value = getattr(module, key)
            if inspect.isfunction(value) or inspect.isclass(value):
                assert value.__doc__, f"{name}.{key}"


def test_examples_in_docstrings_are_shown_as_programs() -> None:
    text = ["Adds.", "", ">>> 1 + 1", "2", "", "More.", "```", ">>> not here", "```"]
    assert site.fenced(text) == ["Adds.", "", "", "```pycon", ">>> 1 + 1", "2", "```", *text[4:]]
    assert site.fenced([">>> 1"])[-1] == "```"


def test_the_checks_can_fail(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = tmp_path / "page.md"
    page.write_text("[there](nowhere.md)")
    monkeypatch.setattr(site, "DOCS", tmp_path)
    with pytest.raises(AssertionError, match=r"nowhere\.md leads nowhere"):
        site.written(page, set())
