"""The documentation site, without building it: its pages, its menu, its links, its reference."""

import ast
import doctest
import inspect
import re
import sys
from importlib import import_module
from importlib.util import find_spec
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


def test_every_public_name_says_what_it_is() -> None:
    silent = []
    for name in site.PUBLIC:
        module = source(name)
        assert ast.get_docstring(module), name
        public = [
            node
            for node in module.body
            if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name[0] != "_"
        ]
        saying = {node.name for node in public if ast.get_docstring(node)}
        silent += [f"{name}.{node.name}" for node in public if node.name not in saying]
    assert silent == []


def source(name: str) -> ast.Module:
    found = find_spec(name)
    assert found
    assert found.origin
    return ast.parse(Path(found.origin).read_text("utf-8"))


def test_what_is_offered_by_name_says_what_it_is_too() -> None:
    for name in site.PUBLIC:
        if name.startswith(("tegel.env.", "tegel.notebook")):
            continue  # not everybody has what they need
        module = import_module(name)
        for key in getattr(module, "__all__", ()):
            value = getattr(module, key)
            if inspect.isfunction(value) or inspect.isclass(value):
                assert value.__doc__, f"{name}.{key}"


@pytest.mark.parametrize("page", sorted((ROOT / "docs" / "tutorials").glob("*.md")), ids=str)
def test_examples_in_tutorials_run(page: Path) -> None:
    results = doctest.testfile(str(page), module_relative=False)
    assert not results.failed


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
