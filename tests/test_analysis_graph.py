"""Reports as graphs, as tables and as JSON: `tegel analyse`, `tegel show --analysis`."""

import json
import random
import re
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tegel import cli, games
from tegel.record import Record
from tegel.search import graph, kernel
from tegel.search.chance import draw
from tegel.search.report import Report, report

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not kernel.GAMES, reason="the native engine was not built"),
]
DUO = Record("blokus", "duo", moves=("F.0@d9", "F.4@i4", "1.0@c11"))
FOUR = Record("blokus", "classic", moves=("1.0@a1", "1.0@t20"))
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def duo() -> Report:
    return report(DUO, simulations=600)


def said(svg: str) -> list[str]:
    """All texts and titles of a drawing."""
    return [each.text or "" for each in ElementTree.fromstring(svg).iter() if each.text]


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("language", ["en", "nl", "fr", "de", "it"])
def test_a_graph_says_what_it_shows(duo: Report, theme: str, language: str) -> None:
    drawn = graph.svg(duo, theme=theme, language=language)
    words = graph.WORDS[language]
    texts = said(drawn)
    assert words["chance"] in texts
    assert words["margin"] in texts
    assert f"{words['??']} ≥ 20 %" in texts
    for verdict in duo.verdicts:
        named = f"{words['move']} {verdict.ply}: {verdict.played.moves[0]} {verdict.mark}"
        assert any(text.startswith(named) for text in texts) == bool(verdict.mark)
    assert any(verdict.mark for verdict in duo.verdicts)


def test_all_of_a_graph_lies_within_its_frame(duo: Report) -> None:
    drawn = ElementTree.fromstring(graph.svg(duo))
    for path in drawn.iter(f"{SVG}path"):
        if path.get("stroke-width") == "1.8":
            spots = re.findall(r"(-?[\d.]+) (-?[\d.]+)", path.get("d", ""))
            assert len(spots) == len(duo.points)
            for point, (x, y) in zip(duo.points, spots, strict=True):
                assert graph.LEFT - 0.1 <= float(x) <= graph.RIGHT + 0.1
                share = (graph.LOW - float(y)) / (graph.LOW - graph.TOP)
                assert share == pytest.approx(point.chance[0], abs=0.01)
    for bar in drawn.iter(f"{SVG}rect"):
        assert float(bar.get("height", "0")) >= 0
        assert 0 <= float(bar.get("y", "0")) <= graph.HEIGHT


def test_two_sides_have_areas_and_more_have_lines(duo: Report) -> None:
    four = graph.svg(report(FOUR, simulations=50))
    assert graph.svg(duo).count('opacity=".32"') == 2
    assert (four.count('opacity=".32"'), four.count('stroke-width="2.6"')) == (0, 4)


def test_what_is_drawn_by_lot_has_no_width() -> None:
    """In Imago the board is laid by lot before anybody moves."""
    state = games.load("imago").start()
    rng = random.Random(1)
    moves: list[str] = []
    while len(moves) < 37:
        move = draw(state, rng) if state.turn < 0 else state.moves()[0]
        moves.append(str(move))
        state = state.play(move)
    found = report(Record("imago", "imago", moves=tuple(moves)), simulations=20)
    made = [ply for ply in range(1, 38) if ply not in found.drawn]
    assert made[0] > 20
    drawn = graph._Graph(found, 0, graph.WORDS["en"])
    assert [drawn.x(ply) for ply in range(made[0])] == [graph.LEFT] * made[0]
    assert drawn.x(37) == graph.RIGHT
    bars = graph.svg(found).count('rx="1"')
    assert bars == len(made) + 1


def test_themes_and_languages_that_are_none_are_named(duo: Report) -> None:
    with pytest.raises(ValueError, match="'grey' is not a theme"):
        graph.svg(duo, theme="grey")
    with pytest.raises(ValueError, match="no words in that language"):
        graph.svg(duo, language="xx")


# The command line


@pytest.fixture
def tegel(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> "Run":
    return Run(monkeypatch, capsys)


class Run:
    """The command line in this process: its exit code, and what it said and complained of."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self.monkeypatch, self.capsys = monkeypatch, capsys

    def __call__(self, *words: str) -> tuple[int, str, str]:
        self.monkeypatch.setattr(sys, "argv", ["tegel", *words])
        self.monkeypatch.setenv("COLUMNS", "120")
        with pytest.raises(SystemExit) as ended:
            cli.main()
        said = self.capsys.readouterr()
        return int(ended.value.code or 0), said.out, said.err


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "game.txt"
    path.write_text(str(DUO), "utf-8")
    return str(path)


def test_analyse_tells_a_table_and_draws_a_graph(tegel: Run, file: str, tmp_path: Path) -> None:
    out = tmp_path / "graph.svg"
    code, table, complaints = tegel(
        "analyse", file, "--simulations", "600", "--svg", str(out), "--language", "nl"
    )
    assert (code, complaints) == (0, ""), "and no progress where there is no terminal"
    assert re.search(r"3 +│ 1 +│ 1\.0@c11 .*\?\?", table)
    assert "The game turned at ply" in table
    assert "Winstkans" in said(out.read_text("utf-8"))


def test_analyse_gives_the_report_to_programs(tegel: Run, file: str) -> None:
    found = json.loads(tegel("analyse", file, "--simulations", "100", "--json")[1])
    assert (found["game"], found["variant"], found["plies"]) == ("blokus", "duo", 3)
    assert len(found["points"]) == 4
    assert [verdict["ply"] for verdict in found["verdicts"]] == [1, 2, 3]
    assert found["verdicts"][0]["played"]["moves"][0] == "F.0@d9"


def test_analyse_of_a_position_tells_its_best_lines(tegel: Run, file: str) -> None:
    asked = ("analyse", file, "--ply", "2", "--simulations", "900")
    found = json.loads(tegel(*asked, "--json")[1])
    assert (found["seat"], found["simulations"], len(found["lines"])) == (0, 900, 3)
    table = tegel(*asked)[1]
    assert "Player 1 to move" in table
    assert found["lines"][0]["moves"][0] in table


def test_show_says_what_is_best_on_request(tegel: Run, file: str) -> None:
    asked = "Player 1 to move: chance to win"
    assert asked not in tegel("show", file, "--ply", "2")[1]
    assert asked in tegel("show", file, "--ply", "2", "--analysis")[1]
    code, _, complaint = tegel("show", file, "--analysis", "--svg", "x.svg")
    assert code == 2
    assert "is for the terminal" in complaint


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--seconds", "1", "--simulations", "5"), "either seconds or simulations"),
        (("--ply", "9"), "the game has 0 to 3 plies"),
        (("--ply", "1", "--svg", "x.svg"), "draws a whole game"),
        (("--language", "xx"), "no words in that language"),
        (("--simulations", "0"), "greater than or equal to 1"),
    ],
)
def test_what_can_not_be_analysed_is_said_in_a_sentence(
    tegel: Run, file: str, words: tuple[str, ...], why: str
) -> None:
    code, out, complaint = tegel("analyse", file, *words)
    assert (code, out) == (2, "")
    assert why in complaint
    assert complaint.count("\n") == 1


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "not a record"),
        ("game: blokus\nvariant: duo\n\n1.0@a1\n", "ply 1"),
        ("game: puzzle\n\n", "is for one person"),
        ("game: chess\n\n", "no such game"),
    ],
)
def test_bad_files_are_named(tegel: Run, tmp_path: Path, text: str, why: str) -> None:
    bad = tmp_path / "bad.txt"
    bad.write_text(text, "utf-8")
    code, out, complaint = tegel("analyse", str(bad))
    assert (code, out) == (2, "")
    assert why in complaint
    assert complaint.count("\n") == 1


def test_what_show_saves_keeps_its_variations(tegel: Run, tmp_path: Path) -> None:
    one, other = tmp_path / "a.txt", tmp_path / "b.blksgf"
    one.write_text("game: blokus\nvariant: duo\n\n1.0@e10 ?  # small\n(\n2.0@e9\n)\n", "utf-8")
    tegel("show", str(one), "--save", str(other))
    assert "BM[1]C[small]" in other.read_text("utf-8")
    tegel("show", str(other), "--save", str(one))
    assert one.read_text("utf-8").endswith("1.0@e10 ?  # small\n(\n2.0@e9\n)\n")
