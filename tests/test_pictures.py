"""The pictures of the rule pages and the documentation are what the renderer draws now,
and every page's pictures exist."""

import doctest
import re
import subprocess
import sys
from pathlib import Path

import pytest

import tegel

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "docs"))

import pictures  # noqa: E402

GAMES = Path(tegel.__file__).parent / "games"
PAGES = sorted([*GAMES.parent.glob("**/rules.*.md"), *ROOT.glob("*.md"), *ROOT.glob("docs/*.md")])


@pytest.mark.parametrize("source", sorted(pictures.sources()), ids=lambda path: path.stem)
def test_picture_is_up_to_date(source: Path) -> None:
    assert source.with_suffix(".svg").read_text("utf-8") == pictures.svg(source), "make pictures"


@pytest.mark.parametrize("page", PAGES, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_links_of_pages_lead_somewhere(page: Path) -> None:
    for link in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text("utf-8")):
        if "://" not in link:
            assert (page.parent / link).exists(), link


def test_examples_in_the_documentation_run() -> None:
    for page, least in (("library.md", 5), ("puzzles.md", 3)):
        results = doctest.testfile(str(ROOT / "docs" / page), module_relative=False)
        assert results.attempted > least
        assert not results.failed


PROGRAMS = {
    str(page.relative_to(ROOT)): programs
    for page in [ROOT / "README.md", *sorted(ROOT.glob("docs/**/*.md"))]
    if (
        programs := re.findall(
            r"```python\n((?:import|from) .*?)```", page.read_text("utf-8"), re.S
        )
    )
}


@pytest.mark.parametrize("page", PROGRAMS)
def test_programs_in_the_documentation_run(page: str, tmp_path: Path) -> None:
    """Those of a page one after the other, as a reader types them."""
    program = "\n".join(PROGRAMS[page])
    subprocess.run([sys.executable, "-W", "error", "-c", program], check=True, cwd=tmp_path)
