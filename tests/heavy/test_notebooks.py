"""What needs Jupyter: values that show themselves, a widget in a real browser, and the notebooks,
each executed from its first cell to its last."""

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.request import urlopen

import pytest
from playwright.sync_api import expect

from browser import chromium
from servers import free_port
from tegel.notebook import Replay
from tegel.record import Record

nbclient: Any = import_module("nbclient")
nbformat: Any = import_module("nbformat")
NOTEBOOKS = sorted((Path(__file__).parent.parent.parent / "notebooks").glob("*.ipynb"))
GAME = Record("blokus", "duo", moves=("F.0@d9", "N.6@i3", "W.2@f11"))


def executed(*cells: str) -> list[Any]:
    """The outputs of cells, in a kernel of their own."""
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    nbclient.NotebookClient(book, timeout=120).execute()
    return [cell["outputs"] for cell in book["cells"]]


def test_values_show_themselves() -> None:
    record, puzzle, tally, state = executed(
        f"import tegel\nrecord = tegel.read({str(GAME)!r})\nrecord",
        "from tegel import solver\nsolver.load('tetra-8x10')",
        "tegel.match('random', 'random', variant='duo', games=2)",
        "tegel.final(record)",
    )
    assert "<b>Blokus: Duo" in record[0]["data"]["text/html"]
    assert puzzle[0]["data"]["image/svg+xml"].startswith("<svg")
    assert tally[0]["data"]["text/html"].startswith("<table>")
    assert state[0]["data"]["image/svg+xml"].startswith("<svg")


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_from_its_first_cell_to_its_last(path: Path, tmp_path: Path) -> None:
    book = nbformat.read(path, as_version=4)
    client = nbclient.NotebookClient(
        book, timeout=900, resources={"metadata": {"path": str(tmp_path)}}
    )
    client.execute()
    assert [cell for cell in book["cells"] if cell.get("outputs")]


def test_notebooks_are_kept_without_what_they_print() -> None:
    assert len(NOTEBOOKS) == 5
    for path in NOTEBOOKS:
        cells = json.loads(path.read_text())["cells"]
        code = [cell for cell in cells if cell["cell_type"] == "code"]
        assert not any(cell["outputs"] or cell["execution_count"] for cell in code), path
        assert cells[0]["cell_type"] == "markdown"


def test_a_replay_stays_within_its_game() -> None:
    replay = Replay(GAME)
    assert (replay.ply, replay.last) == (3, 3)
    assert replay.said.startswith("Ply 3: W.2@f11 · ")
    before = replay.svg
    replay.ply = -5
    assert replay.ply == 0
    assert replay.said == "Ply 0 · -89, -89"
    assert replay.svg != before
    replay.ply = 99
    assert replay.ply == 3
    assert Replay(GAME, "nl", ply=1).said.startswith("Zet 1: ")
    with pytest.raises(ValueError, match="no such language: tlh"):
        Replay(GAME, "tlh")
    with pytest.raises(ValueError, match="ply 1, 'x'"):
        Replay(Record("blokus", "duo", moves=("x",)))


@pytest.fixture
def lab(tmp_path: Path) -> Iterator[str]:
    """The address of a notebook in JupyterLab, with a replay in its only cell."""
    cell = (
        f"import tegel\nfrom tegel.notebook import Replay\nReplay(tegel.read({str(GAME)!r}), ply=0)"
    )
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    book = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell(cell)], metadata={"kernelspec": kernel}
    )
    nbformat.write(book, tmp_path / "game.ipynb")
    port = free_port()
    words = [
        sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", f"--port={port}",
        "--IdentityProvider.token=", f"--ServerApp.root_dir={tmp_path}",
    ]  # fmt: skip
    with (tmp_path / "lab.log").open("wb") as log:
        process = subprocess.Popen(words, stdout=log, stderr=log, cwd=tmp_path)
    try:
        end = time.monotonic() + 60
        while time.monotonic() < end:
            try:
                urlopen(f"http://127.0.0.1:{port}/api").close()
                break
            except URLError:
                time.sleep(0.2)
        yield f"http://127.0.0.1:{port}/lab/tree/game.ipynb"
    finally:
        process.terminate()
        process.wait(60)


def test_one_clicks_through_a_game_in_a_real_browser(lab: str) -> None:
    with chromium() as browser:
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.set_default_timeout(60_000)
        page.goto(lab)
        page.locator(".jp-Cell").first.click()
        expect(page.get_by_role("button", name="| Idle")).to_be_visible(timeout=60_000)
        page.get_by_role("menuitem", name="Run", exact=True).click()
        page.get_by_text("Run All Cells", exact=True).click()
        widget = page.locator(".tegel-replay")
        said = widget.locator("p")
        expect(said).to_have_text("Ply 0 · -89, -89", timeout=60_000)
        expect(widget.get_by_role("button", name="Back")).to_be_disabled()
        empty = widget.locator("svg").inner_html()
        widget.get_by_role("button", name="Forward").click()
        expect(said).to_have_text("Ply 1: F.0@d9 · -84, -89", timeout=20_000)
        assert widget.locator("svg").inner_html() != empty
        widget.get_by_role("button", name="Last position").click()
        expect(said).to_contain_text("Ply 3: W.2@f11", timeout=20_000)
        expect(widget.get_by_role("button", name="Forward")).to_be_disabled()
        widget.focus()
        page.keyboard.press("ArrowLeft")
        expect(said).to_contain_text("Ply 2: N.6@i3", timeout=20_000)
        widget.get_by_role("slider").fill("0")
        expect(said).to_have_text("Ply 0 · -89, -89", timeout=20_000)
        assert widget.locator("svg").inner_html() == empty
