"""Find the move on the page: tried, failed, seen, gone through, one by one; and one a day."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from playwright.sync_api import Page, Response, expect

from browser import LANGUAGES, Window, cut_off
from puzzling import middle, point, turned
from tegel import games
from tegel.games.blokus import GAME as BLOKUS
from tegel.place.moments.moments import record_of
from tegel.search import grades
from tegel.search.moments import Moment

SERVE = ("--limits", "100")
LAID = "svg.scene [id='plane-board'] .mark:not(.quiet)"
SPEAK = """language => localStorage.setItem(
  'tegel', JSON.stringify({ ...JSON.parse(localStorage.getItem('tegel') ?? '{}'), language }))"""


def asked(page: Page, before: str = "") -> Moment:
    """The moment of Blokus that the page shows, another than the one before."""
    page.wait_for_selector(f"main.find:not([data-moment='{before}']) svg.scene .well")
    return grades.named("blokus")[name(page)]


def name(page: Page) -> str:
    return page.get_attribute("main.find", "data-moment") or ""


def wrong(moment: Moment) -> str:
    moves = games.final(record_of("blokus", moment)).moves()
    return next(str(move) for move in moves if str(move) not in moment.right)


def lay(page: Page, text: str) -> None:
    """Lay a tile by mouse, as at a table."""
    move: Any = games.load("blokus").parse(text)
    page.locator(f'.tile[data-tile="{move.tile}"]').click()
    turned(page, move)
    page.mouse.move(*point(page, middle(move)))
    page.mouse.click(*point(page, middle(move)))


def test_moments_come_one_after_another(desk: Window) -> None:
    """One is failed and found, one seen, some found at once; the answer is not told before."""
    page = desk.open("/moments")
    told: list[str] = []

    def heard(response: Response) -> None:
        if "/api/" in response.url and "svg" not in response.url:
            told.append(response.text())

    page.on("response", heard)
    page.get_by_role("link", name="Practise: Blokus").click()
    moment = asked(page)
    assert page.url.endswith(f"/moments/blokus/{name(page)}"), "it has an address"
    expect(page.locator("main.find h1")).to_contain_text("to move")
    lay(page, wrong(moment))
    expect(page.locator(".verdict")).to_have_text("✕ No: another move is clearly better.")
    expect(page.locator(".over .played")).to_be_visible()
    page.wait_for_load_state("networkidle")
    assert told
    for move in (*moment.right, *moment.line[:1]):
        assert not any(json.dumps(move) in text for text in told)
    page.remove_listener("response", heard)
    laid = page.locator(LAID).count()
    lay(page, moment.right[0])
    answer = page.locator(".answer")
    expect(answer.locator("h2")).to_contain_text("Right:")
    expect(answer).to_contain_text("Found with 2 tries. Any other move")
    expect(answer.locator("li")).to_have_count(len(moment.line))

    # The line: numbered at first, then step by step.
    expect(page.locator(".over [data-number]")).to_have_count(min(3, len(moment.line)))
    page.get_by_role("button", name="Next of the line").click()
    expect(page.locator(LAID)).to_have_count(laid + 1)
    expect(page.locator(".over [data-number]")).to_have_count(0)
    page.keyboard.press("ArrowLeft")
    expect(page.locator(LAID)).to_have_count(laid)

    for count in (1, 2):
        before = name(page)
        page.get_by_role("button", name="Next", exact=True).click()
        moment = asked(page, before)
        lay(page, moment.right[-1])
        expect(answer).to_contain_text("Found at the first try.")
        expect(page.locator(".standing")).to_contain_text("2 in a row" if count == 2 else "")
    assert page.evaluate("document.activeElement.textContent") == "Next", "Enter goes on"
    before = name(page)
    page.keyboard.press("Enter")
    asked(page, before)
    before = name(page)
    page.get_by_label("How hard").select_option("★★★★★")
    asked(page, before)
    expect(page.locator("main.find h1")).to_contain_text("★★★★★")
    page.get_by_role("button", name="Show the move").click()
    expect(answer.locator("h2")).to_contain_text("The move was")
    expect(page.locator(".standing")).not_to_contain_text("in a row")
    page.reload()
    expect(answer.locator("h2")).to_contain_text("The move was")
    page.get_by_role("button", name="Analyse").click()
    page.wait_for_selector("main.study")


def test_keys_try_a_move_and_a_rule_says_why_not(desk: Window) -> None:
    page = desk.open("/moments/tantrix")
    page.wait_for_selector("main.find svg.scene .well")
    page.locator(".tile:enabled").first.focus()
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    expect(page.locator("main.find")).to_have_attribute("data-tries", "1")

    page = desk.open("/moments/blokus")
    moment = asked(page)
    tile = page.locator(".tile:enabled").first
    tile.click()
    far = BLOKUS.parse(moment.moves[0])
    page.mouse.click(*point(page, far.cell))
    expect(page.locator("p.note")).to_be_visible()
    expect(page.locator("main.find")).to_have_attribute("data-tries", "0")
    desk.wrong.clear()  # that the browser notes the refusal is right


@pytest.mark.parametrize("seen", [False, True], ids=["found", "seen"])
def test_a_day_has_its_move_for_everybody(phone: Window, seen: bool) -> None:
    """Everybody's results, and a text to send that does not tell the answer."""
    today = datetime.now(UTC).date()
    page = phone.open("/")
    page.get_by_role("link", name="Blokus", exact=True).tap()
    moment = asked(page)
    assert name(page) == grades.of_day("blokus", today)
    assert page.url.endswith(f"/moments/blokus/{today}")
    if seen:
        page.get_by_role("button", name="Show the move").tap()
    else:
        lay(page, wrong(moment))
        expect(page.locator(".verdict")).to_contain_text("No:")
        lay(page, moment.right[0])
    day = page.locator(".day")
    expect(day).to_contain_text("tried it")
    expect(day).to_contain_text("found it at the first try")
    text = page.get_by_label("To send to your friends").input_value()
    head, dated, how, link = text.split("\n")
    assert head == "Tegel · Move of the day · Blokus · Duo"
    assert "★" in dated
    assert how == ("Seen, not found" if seen else "✕✓ Found with 2 tries")
    assert link == page.url
    assert not any(part in text for move in moment.right for part in (move, move.split("@")[1]))
    page.reload()
    expect(page.locator(".answer h2")).to_contain_text("The move was" if seen else "Right:")
    page.locator(".day").get_by_role("link", name="Tantrix").tap()
    page.wait_for_selector("main.find .tile:enabled")
    phone.open("/")
    mark = "✕" if seen else "✓"
    expect(page.locator(".moves").get_by_role("link", name="Blokus")).to_contain_text(mark)
    if not seen:
        phone.open("/moments")
        expect(page.locator("article").first).to_contain_text("✓ Found with 2 tries")


def test_nothing_is_cut_off_in_five_languages(host: Window) -> None:
    page = host.open("/moments")
    sizes = [(1280, 800), (390, 844), (844, 390)]
    for language in LANGUAGES:
        page.evaluate(SPEAK, language)
        for path, ready in (("/moments", "article"), ("/moments/forma", "main.find .well")):
            page.goto(path)
            page.wait_for_selector(f"html[lang={language}] {ready}")
            if ready != "article":
                page.locator(".thumb button").first.click()
                page.wait_for_selector(".answer li")
            for width, height in sizes:
                page.set_viewport_size({"width": width, "height": height})
                cut = cut_off(page, "button, h1, h2, .button, select, .told")
                assert not cut, (language, path, width)
            assert "moment." not in page.inner_text("main"), "a key, not a word"
