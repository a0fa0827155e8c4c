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


BLOCKS = {
    str(page.relative_to(ROOT)): re.findall(r"```python\n(.*?)```", page.read_text("utf-8"), re.S)
    for page in [ROOT / "README.md", *sorted(ROOT.glob("docs/**/*.md"))]
}
EXAMPLES = [page for page, blocks in BLOCKS.items() if any(">>> " in block for block in blocks)]
PROGRAMS = {
    page: programs
    for page, blocks in BLOCKS.items()
    if (programs := [block for block in blocks if re.match("import|from", block)])
}


def test_every_program_in_the_documentation_is_run_by_a_test() -> None:
    """Those in notebooks by `make heavy`."""
    known = re.compile(">>> |import|from|# in a notebook\n")
    assert [block for blocks in BLOCKS.values() for block in blocks if not known.match(block)] == []
    assert len(EXAMPLES) > 4
    assert len(PROGRAMS) > 5


@pytest.mark.parametrize("page", EXAMPLES)
def test_examples_in_the_documentation_run(page: str) -> None:
    results = doctest.testfile(str(ROOT / page), module_relative=False)
    assert results.attempted
    assert not results.failed


@pytest.mark.parametrize("page", PROGRAMS)
def test_programs_in_the_documentation_run(page: str, tmp_path: Path) -> None:
    """Those of a page one after the other, as a reader types them."""
    program = "\n".join(PROGRAMS[page])
    subprocess.run([sys.executable, "-W", "error", "-c", program], check=True, cwd=tmp_path)
