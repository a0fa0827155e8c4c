"""The analysis page: a game to look into, lay tiles in for everybody, and learn from."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

import studying
from browser import DESK, LANGUAGES, Window, cut_off, whole_record
from servers import Tegel, tegel

SERVE = ("--analyses", "1", "--report-seconds", "2")
GAME = whole_record("blokus", "duo", seed=1)  # by lot, so full of mistakes


@pytest.fixture(scope="module")
def judged(browser: Browser, server: Tegel) -> str:
    """A study of a game with its report."""
    window = Window(browser, server, **DESK)
    made = studying.judged(window.context.request, GAME)
    window.close()
    return made


def opened(window: Window, path: str) -> Page:
    page = window.open(path)
    page.wait_for_selector("main.study svg.scene .well")
    return page


def at(page: Page, path: str) -> None:
    expect(page.locator("main.study")).to_have_attribute("data-path", path)


def test_a_game_is_pasted_walked_and_played_otherwise(desk: Window) -> None:
    page = desk.open("/")
    page.locator("header nav").get_by_role("link", name="Analysis").click()
    page.get_by_label("Paste a record").fill(GAME)
    page.get_by_role("button", name="Analyse", exact=True).click()
    page.wait_for_selector("main.study svg.scene .well")
    last = page.get_attribute("main.study", "data-path")
    page.keyboard.press("Home")
    at(page, "-")
    for path in ("0", "1", "2"):
        page.keyboard.press("ArrowRight")
        at(page, path)
    assert page.url.endswith("/2"), "a position has an address"
    laid = page.locator("svg.scene [id='plane-board'] .mark:not(.quiet)")
    expect(laid).to_have_count(3)

    # A tile of who is to move begins a variation; the next move is another's.
    page.locator(".seat.own .tile:enabled").first.click()
    page.locator("svg.scene").focus()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    at(page, "3.0.0")
    expect(laid).to_have_count(4)
    expect(page.locator(".variation .step")).to_have_count(1)
    page.locator(".tree").focus()
    page.keyboard.press("ArrowUp")
    at(page, "3")
    page.keyboard.press("ArrowDown")
    at(page, "3.0.0")
    page.get_by_role("button", name="+ Note").click()
    page.get_by_label("Note", exact=True).fill("What if?")
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".tree .note")).to_have_text("What if?")
    page.get_by_role("button", name="Move up").click()
    at(page, "3")
    expect(page.locator(".tree .note")).to_have_text("What if?")
    page.get_by_role("button", name="Undo").click()
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".tree .note")).to_have_count(0)
    at(page, "3")
    page.keyboard.press("ArrowDown")
    page.get_by_role("button", name="Delete").click()
    expect(page.locator(".variation")).to_have_count(0)
    page.locator(".tree").focus()
    page.keyboard.press("End")
    at(page, last or "")


def test_lines_grow_in_their_slots_and_are_shown_on_the_board(desk: Window, judged: str) -> None:
    page = opened(desk, f"/a/{judged}/4")
    expect(page.locator("button.line")).to_have_count(3)
    slots = page.locator(".engine li").evaluate_all("all => all.map((one) => one.offsetTop)")
    page.locator("button.line").first.hover()
    ghosts = page.locator(".over [data-number]")
    expect(ghosts.first).to_be_attached()
    assert 1 <= ghosts.count() <= 5
    page.locator(".tree").hover()
    expect(ghosts).to_have_count(0)
    assert page.get_by_text(re.compile("simulations")).count()
    assert (
        page.locator(".engine li").evaluate_all("all => all.map((one) => one.offsetTop)") == slots
    )
    switch = page.get_by_role("switch", name="Let the engine think")
    switch.click()
    expect(page.locator("button.line")).to_have_count(0)
    expect(page.locator(".engine")).to_contain_text("Nothing is thought")
    page.reload()
    expect(switch).to_have_attribute("aria-checked", "false")
    switch.click()
    expect(page.locator("button.line").first).to_be_visible()


def test_a_report_leads_to_mistakes_and_one_learns_from_them(desk: Window, judged: str) -> None:
    page = opened(desk, f"/a/{judged}/0")
    faults = page.locator(".graph :is(.blunder, .mistake)")
    expect(faults.first).to_be_visible()
    marked = page.locator(".tree .mark").count()
    assert marked >= faults.count() > 0
    page.get_by_role("button", name=re.compile("^Next")).last.click()
    expect(page.locator(".engine .played .mark")).to_be_visible()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".over .badge")).to_be_visible()
    graph = page.get_by_role("slider", name="Win chance, margin")
    box = graph.bounding_box()
    assert box
    page.mouse.click(box["x"] + box["width"] - 12, box["y"] + 40)
    expect(graph).to_have_attribute("aria-valuenow", graph.get_attribute("aria-valuemax") or "")

    page.get_by_role("button", name=re.compile("^Learn from")).click()
    page.wait_for_selector("main.learn svg.scene .well")
    assert not page.locator(".engine").count(), "nothing is told before a try"
    expect(page.locator(".over .played")).to_be_visible()
    page.locator(".tile:enabled").first.click()
    page.keyboard.press("ArrowUp")
    page.get_by_role("button", name="Place", exact=True).click()
    answer = page.locator(".answer h2")
    expect(answer).to_have_text(re.compile("Right|Better|No:"))
    page.get_by_role("button", name="Try another").click()
    expect(answer).to_have_count(0)
    page.get_by_role("button", name="Show best").click()
    expect(answer).to_contain_text("The best was")
    page.get_by_role("button", name="Next", exact=True).click()
    page.get_by_role("button", name="Back to the analysis").click()
    page.wait_for_selector("main.study")


def test_others_see_it_live_and_take_a_copy(desk: Window, other: Window) -> None:
    made = desk.context.request.post("/api/studies", data={"text": GAME}).json()
    page, theirs = opened(desk, f"/a/{made['id']}/2"), opened(other, f"/a/{made['id']}/2")
    expect(theirs.get_by_role("button", name="Take a copy")).to_be_visible()
    assert not theirs.locator(".tile:enabled").count()
    page.get_by_role("button", name="+ Note").click()
    page.get_by_label("Note", exact=True).fill("Look here")
    page.get_by_role("button", name="Save").click()
    expect(theirs.locator(".tree .note")).to_have_text("Look here")
    theirs.get_by_role("button", name="Take a copy").click()
    expect(theirs.locator(".edit")).to_contain_text("Undo")
    assert made["id"] not in theirs.url
    expect(theirs.locator(".tree .note")).to_have_text("Look here")
    page.get_by_role("button", name="Share, export").click()
    for name, begins in (("Record", b"game: blokus"), ("blksgf", b"("), ("Animated", b"<svg")):
        with page.expect_download() as kept:
            page.locator(".export").get_by_text(name).click()
        assert kept.value.path().read_bytes().startswith(begins), name


def test_a_study_goes_on_after_its_server_was_away(browser: Browser, tmp_path: Path) -> None:
    """Lines come again, and a tile that is laid is there."""
    with tegel(tmp_path, *SERVE) as server:
        window = Window(browser, server, **DESK)
        made = window.context.request.post("/api/studies", data={"text": GAME}).json()["id"]
        page = opened(window, f"/a/{made}/2")
        expect(page.locator("button.line").first).to_be_visible()
        server.kill()
        expect(page.locator(".board.offline")).to_be_visible()
        server.start()
        expect(page.locator(".board.offline")).to_have_count(0)
        page.keyboard.press("ArrowLeft")
        at(page, "1")
        expect(page.locator("button.line").first).to_be_visible()
        page.locator(".seat.own .tile:enabled").first.click()
        page.locator("svg.scene").focus()
        page.keyboard.press("ArrowUp")
        page.keyboard.press("Enter")
        at(page, "2.0.0")
        window.wrong.clear()  # that the browser notes the loss is right
        window.close()


def test_a_finished_game_leads_to_its_analysis(desk: Window) -> None:
    room = desk.ended(GAME)
    page = desk.page
    page.get_by_role("link", name="Analyse").click()
    page.wait_for_selector("main.study .graph")
    study = page.url.split("/")[4]
    expect(page.locator("h1")).to_contain_text("Tegel 1")
    desk.open("/me/games").get_by_role("link", name=re.compile("^Analyse")).first.click()
    page.wait_for_selector("main.study")
    assert page.url.split("/")[4] == study, "a game has one study"
    desk.open(f"/r/{room}/replay").get_by_role("link", name="Analyse").click()
    page.wait_for_selector("main.study")
    assert page.url.split("/")[4] == study


SPEAK = """language => localStorage.setItem(
  'tegel', JSON.stringify({ ...JSON.parse(localStorage.getItem('tegel') ?? '{}'), language }))"""


def opened_tab(page: Page, tab: str) -> None:
    page.locator(f"#tab-{tab}").tap()
    expect(page.locator(f"#tab-{tab}")).to_have_attribute("aria-selected", "true")


def test_a_phone_has_all_of_it_in_tabs(phone: Window, judged: str) -> None:
    page = opened(phone, f"/a/{judged}/4")
    expect(page.locator("button.line")).to_have_count(3)
    assert page.viewport_size
    width, height = page.viewport_size["width"], page.viewport_size["height"]
    for what in (".strip", ".board", ".graph", "button.line >> nth=2", ".played", ".thumb"):
        box = page.locator(what).first.bounding_box()
        assert box, what
        assert 0 <= box["x"] <= box["x"] + box["width"] <= width, (what, box)
        assert box["y"] + box["height"] <= height, (what, box)
    page.locator("button.line").first.tap()
    ghosts = page.locator(".over [data-number]")
    expect(ghosts.first).to_be_attached()
    assert ghosts.count() <= 3
    board = page.locator(".board").bounding_box()
    for language in LANGUAGES:
        page.evaluate(SPEAK, language)
        page.set_viewport_size({"width": width, "height": height})
        page.reload()
        page.wait_for_selector(f"html[lang={language}] main.study .well")
        for tab in ("moves", "tiles", "report", "lines"):
            opened_tab(page, tab)
            wide = cut_off(page, "button, h2:not(.hidden), th, .thumb small")
            assert not wide, (language, tab)
            assert page.locator(".board").bounding_box() == board, "nothing above moves"
        for size in ((360, 640), (844, 390)):
            page.set_viewport_size({"width": size[0], "height": size[1]})
            for tab in ("moves", "tiles", "report", "lines"):
                opened_tab(page, tab)
                wide = cut_off(page, "button, h2:not(.hidden), th, .thumb small, .strip p")
                assert not wide, (language, tab, size)
        page.set_viewport_size({"width": 1280, "height": 800})
        page.wait_for_selector("main.study .left")
        assert not cut_off(page, "button, h1, h2, th"), language
    page.set_viewport_size({"width": width, "height": height})
    page.locator(".thumb button").nth(2).tap()
    at(page, "5")
