"""Sheets over the network: made elsewhere than on the event loop, kept, and paid for; and where
the page offers them."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, expect

from browser import Window
from pdfs import Pdf
from servers import Person, tegel
from tegel import games
from tegel.words import words
from test_cli import refused
from test_cli import tegel as command


def sheet(person: Person, path: str, **asked: Any) -> bytes:
    return answered(person, path, **asked).content


def answered(person: Person, path: str, **asked: Any) -> httpx.Response:
    found = person.http.get(f"/api/games/{path}.pdf", params=asked)
    assert found.status_code == 200, found.text[:300]
    assert found.headers["content-type"] == "application/pdf"
    assert found.headers["content-disposition"].startswith("attachment; filename=")
    return found


def test_sheets_are_made_on_request_and_kept(ann: Person, bob: Person) -> None:
    made = answered(ann, "tantrix/sheets/two", language="nl", paper="letter")
    first = made.content
    pdf = Pdf(first)
    assert pdf.pages[0].width == pytest.approx(215.9, abs=0.05)
    assert words("tantrix", "nl")["game"]["about"] in pdf.pages[0].words
    again = bob.http.get("/api/games/tantrix/sheets/two.pdf?language=nl&paper=letter")
    assert again.content == first
    assert "max-age" in again.headers["cache-control"]
    more = [
        bob.http.get("/api/games/tantrix/sheets/two.pdf?language=nl&paper=letter") for _ in range(2)
    ]
    assert min(one.elapsed for one in (again, *more)) < made.elapsed, "the others were kept"


def test_the_puzzle_of_today_is_a_sheet(ann: Person) -> None:
    pdf = Pdf(sheet(ann, "puzzle/sheets/daily", mono="true", sides=1))
    assert len(pdf.pages) == 2
    today = datetime.now(UTC).date()
    assert str(today.year) in pdf.pages[0].words


@pytest.mark.parametrize(
    ("path", "asked", "status"),
    [
        ("chess/sheets/two", {}, 404),
        ("puzzle/sheets/daily-1-2999-01-01", {}, 404),
        ("puzzle/sheets/own", {}, 422),
        ("blokus/sheets/nine", {}, 422),
        ("blokus/sheets/duo", {"cell": 90}, 422),
        ("blokus/sheets/duo", {"cell": "1e9"}, 422),
        ("blokus/sheets/duo", {"cell": "nan"}, 422),
        ("blokus/sheets/duo", {"paper": "a0"}, 422),
        ("blokus/sheets/duo", {"sides": 3}, 422),
    ],
)
def test_wrong_wishes_are_refused_in_a_sentence(
    ann: Person, path: str, asked: dict[str, Any], status: int
) -> None:
    found = ann.http.get(f"/api/games/{path}.pdf", params=asked)
    assert found.status_code == status, found.text[:300]
    assert found.json()["text"]


def test_every_game_says_what_there_is_to_print(ann: Person) -> None:
    found = {game["name"]: game["prints"] for game in ann.ok("GET", "/api/games?language=de")}
    assert {name: [one["variant"] for one in prints] for name, prints in found.items()} == {
        "blokus": ["classic", "duo"],
        "forma": ["two", "four"],
        "imago": ["imago"],
        "tantrix": ["two"],
    }
    said = words("forma", "de")["variants"]
    assert [one["name"] for one in found["forma"]] == [said["two"], said["four"]]
    puzzles = ann.ok("GET", "/api/games/puzzle")["prints"]
    assert [one["variant"] for one in puzzles] == ["daily", *games.load("puzzle").variants]


def test_sheets_are_paid_for_like_other_costly_things(tmp_path: Path) -> None:
    with tegel(tmp_path, "--limits", "0.01") as server:  # 3 seconds of work, and sheets cost 1.5
        stranger = Person(server)
        path = "/api/games/discovery/sheets/3.pdf"
        codes = [stranger.http.get(path).status_code for _ in range(3)]
        assert codes[0] == 200
        assert codes[-1] == 429


# The page


def offered(page: Page) -> str:
    """Where the sheets are that the page offers now."""
    return page.get_by_role("link", name="Download PDF").get_attribute("href") or ""


def test_rule_pages_offer_what_there_is_to_print(desk: Window) -> None:
    page = desk.open("/rules/blokus")
    page.get_by_text("Print and play").click()
    assert "/blokus/sheets/classic.pdf?language=en" in offered(page)
    page.get_by_label("What").select_option("duo")
    page.get_by_label("Paper").select_option("letter")
    page.get_by_label("Black and white").check()
    assert "/blokus/sheets/duo.pdf?language=en&paper=letter&mono=true" in offered(page)
    with page.expect_download() as download:
        page.get_by_role("link", name="Download PDF").click()
    assert Path(download.value.path()).read_bytes().startswith(b"%PDF")
    desk.open("/rules/tantrix")
    page.get_by_text("Print and play").click()
    expect(page.get_by_label("What")).to_have_count(0)
    assert "/tantrix/sheets/two.pdf" in offered(page)
    desk.open("/rules/puzzle")
    page.get_by_text("Print and play").click()
    assert "/puzzle/sheets/daily.pdf" in offered(page)


def test_a_puzzle_can_be_printed_where_it_is_listed(desk: Window) -> None:
    page = desk.open("/puzzles")
    link = page.get_by_role("link", name="Print: ").first
    assert "/api/games/puzzle/sheets/daily-1-" in (link.get_attribute("href") or "")


# The command line


def test_the_command_line_prints(tmp_path: Path) -> None:
    out = tmp_path / "sheets.pdf"
    done = command("print", "puzzle", "--variant", "daily", "--language", "fr", "--out", str(out))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"{out}: ")
    assert len(Pdf(out.read_bytes()).pages) == 2


def test_what_the_command_line_cant_print_is_one_sentence(tmp_path: Path) -> None:
    assert "no such game" in refused("print", "chess")
    assert "no such variant" in refused("print", "blokus", "--variant", "nine")
    assert "larger than the sheet" in refused("print", "blokus", "--cell", "60")
    nowhere = str(tmp_path / "no" / "x.pdf")
    assert "can't be written" in refused("print", "imago", "--one-sided", "--out", nowhere)
