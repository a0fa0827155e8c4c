"""How values show themselves in notebooks; what needs Jupyter is in `heavy`."""

import subprocess
import sys
from xml.etree import ElementTree

import tegel
from tegel import notebook, solver
from tegel.record import Record

GAME = Record("blokus", "duo", headers={"player-1": "<Ann>"}, moves=("F.0@d9",))


def svg(record: Record) -> str:
    return tegel.load(record.game).picture(tegel.final(record)).svg()


def test_a_record_is_shown_as_its_last_position_and_what_is_known_of_it() -> None:
    shown = notebook.record_html(GAME)
    assert "<b>Blokus: Duo: two players on a small board</b>" in shown
    assert "(1 moves, player-1: &lt;Ann&gt;)" in shown
    assert svg(GAME) in shown
    assert "-84, -89." in shown


def test_a_record_that_can_not_be_replayed_says_why_and_shows_how_far_it_comes() -> None:
    shown = notebook.record_html(Record("blokus", "duo", moves=("F.0@d9", "1.0@a1")))
    assert "<b>ply 2, 1.0@a1: The first tile of yellow must cover" in shown
    assert svg(GAME) in shown


def test_a_puzzle_is_shown_with_its_tiles() -> None:
    shown = notebook.puzzle_svg(solver.load("tetra-8x10"))
    ElementTree.fromstring(shown)
    assert shown.count("<use") > 10


def test_a_match_is_shown_as_a_table() -> None:
    tally = tegel.match("random", "random", variant="duo", games=2)
    shown = notebook.tally_html(tally)
    assert shown.startswith("<table><tr><th>games</th><td>2</td></tr>")
    ElementTree.fromstring(shown)


def test_analyses_are_shown_as_their_lines_and_reports_as_their_graph() -> None:
    found = tegel.analyse(tegel.final(GAME), simulations=100)
    shown = notebook.analysis_html(found)
    ElementTree.fromstring(shown)
    assert shown.count("<tr>") == 4
    assert found.lines[0].moves[0] in shown
    report = tegel.analyse(GAME, simulations=20)
    ElementTree.fromstring(notebook.report_svg(report))
    assert report.plies == 1


def test_without_the_extra_it_is_said_what_to_install() -> None:
    program = "import sys; sys.modules['anywidget'] = None; from tegel.notebook import Replay"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert "pip install 'tegel[notebook]'" in done.stderr.strip().splitlines()[-1]
