"""The list of puzzles: found again, shared, of a day, of Discovery, one's own; for everybody."""

import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from browser import DESK, LANGUAGES, PHONE, WEB, YOURS, Window, cut_off
from conftest import SEED, SOAK
from puzzling import DAY, TINY, answer, lay, point, score, sit
from servers import Tegel, missing, tegel
from tegel import solver
from tegel.games.puzzle import GAME
from tegel.games.puzzle.rules import packed
from tegel.games.tantrix.discovery import GAME as DISCOVERY
from tegel.games.tantrix.moves import Place
from tegel.solver.daily import name as daily_name

DRAWN = "puzzle: drawn\ntiles: step\nshape step: X../XX./.XX\n\n.\n..\n#..\n"
AXE = WEB / "tools" / "node_modules" / "axe-core" / "axe.min.js"


def test_a_puzzle_is_found_again_in_the_list(desk: Window) -> None:
    page = desk.page
    room = sit(desk, "tetra-8x10-apart", "puzzle", str(answer("tetra-8x10-apart")[0]))
    desk.open("/puzzles")
    card = page.locator("article", has=page.get_by_role("heading", name="8 x 10, colours apart"))
    expect(card.locator("progress")).to_have_attribute("value", "4")
    assert f"/api/rooms/{room}/board.svg" in (card.locator("img").get_attribute("src") or "")
    card.get_by_role("button", name="Continue").click()
    page.wait_for_url(f"**/r/{room}")


# Sharing


def test_a_friend_sees_the_position_and_goes_on_with_a_copy(desk: Window, other: Window) -> None:
    moves = [str(move) for move in answer()]
    room = sit(desk, DAY, "puzzle", moves[0])
    page = desk.page
    page.get_by_role("button", name="Share").click()
    link = page.get_by_role("textbox", name="Invite").input_value()
    friend = other.open(link)
    friend.wait_for_selector("svg.scene")
    expect(friend.locator(".tile")).to_have_count(0)
    expect(friend.locator("[data-mark] .mark")).not_to_have_count(0)
    lay(desk, answer()[1])
    other.moved(desk.ply - 1)
    friend.get_by_role("button", name="Go on from here as my own").click()
    friend.wait_for_function("room => !location.href.endsWith(room)", arg=room)
    friend.wait_for_selector(".timer.running")
    assert other.turn()
    assert score(other) == 10
    lay(other, answer()[2])
    assert (score(other), score(desk)) == (15, 10)


@pytest.mark.sliced(2)
def test_the_daily_puzzle_is_the_same_on_two_servers(
    desk: Window, browser: Browser, tmp_path_factory: pytest.TempPathFactory
) -> None:
    today = daily_name(datetime.now(UTC).date())
    with tegel(tmp_path_factory.mktemp("second")) as second:
        window = Window(browser, second, **DESK)
        pictures = []
        for one in (desk, window):
            one.context.request.get("/api/puzzles")  # a new server has days to make first
            page = one.open("/puzzles")
            card = page.locator("article").first
            expect(card.get_by_role("heading")).to_contain_text("The puzzle of the day")
            card.get_by_role("button", name="Start").click()
            page.wait_for_selector("svg.scene")
            board = page.locator(".well").first.get_attribute("d")
            page.locator(".tile").first.wait_for()
            tiles = [tile.get_attribute("data-tile") for tile in page.locator(".tile").all()]
            assert board
            assert tiles
            pictures.append((board, tiles))
            shown = one.context.request.get(f"/api/rooms/{page.url.split('/')[-1]}").json()
            assert shown["variant"] >= today
        assert pictures[0] == pictures[1]
        window.close()


def test_earlier_days_have_puzzles_too(desk: Window) -> None:
    page = desk.open("/puzzles")
    page.get_by_text("Earlier days").click()
    page.get_by_label("Another day:").fill("2026-03-14")
    expect(page.locator("article").first).to_contain_text("March 14, 2026")
    page.locator("article").first.get_by_role("button", name="Start").click()
    page.wait_for_selector("svg.scene")
    expect(page.get_by_role("heading", level=1)).to_have_text(
        "The puzzle of the day · March 14, 2026"
    )


@pytest.mark.parametrize("size", ["desk", "phone"])
def test_days_in_a_row_how_everybody_did_and_what_one_sends(
    size: str, request: pytest.FixtureRequest
) -> None:
    window: Window = request.getfixturevalue(size)
    today = datetime.now(UTC).date()
    for day in (today - timedelta(1), today):
        variant = daily_name(day)
        moves = answer(variant)
        sit(window, variant, "puzzle", *map(str, moves))
    page = window.page
    result = page.get_by_role("region", name="Result")
    everybody = result.locator(".everybody")
    expect(everybody).to_contain_text("solved it")
    expect(everybody).to_contain_text(re.compile(r"half of them within \d+:\d\d"))
    expect(everybody).to_contain_text("without hints")
    expect(everybody).to_contain_text("2 days in a row")
    words = result.get_by_role("textbox")
    expect(words).to_have_value(re.compile("★"))
    told = words.input_value()
    head, feat, link = told.splitlines()
    assert "★" in head
    assert re.fullmatch(r"Solved in \d+:\d\d", feat)
    assert link.endswith(f"/puzzles/puzzle/{variant}")
    assert not any(str(move) in told for move in moves)
    assert not cut_off(page, ".everybody, .feat, button, h1, h2")
    window.open("/puzzles")
    expect(page.locator(".everybody")).to_contain_text("2 days in a row")
    assert not cut_off(page, ".everybody, .feat, button, h1, h2")


# Discovery


def test_discovery_is_solved_by_hand(desk: Window) -> None:
    page = desk.open("/puzzles")
    page.get_by_role("button", name="5", exact=True).click()
    page.get_by_role("button", name="Start: Discovery 5").click()
    page.wait_for_selector(".timer.running")
    expect(page.locator(".goal")).to_contain_text("One red loop through all 5 tiles")
    way = DISCOVERY.solo and DISCOVERY.solo.solution(DISCOVERY.start("5"), 10, None)
    assert way
    for text in way.moves:
        move, ply = DISCOVERY.parse(text), desk.ply
        assert isinstance(move, Place)
        page.locator(f'.tile[data-tile="{move.tile}"]').click()
        for _ in range(6):
            href = page.locator(".tile.held use").first.get_attribute("href")
            if href == f"#s-{move.tile}.{move.turn}":
                break
            page.keyboard.press("r")
        q, r = move.cell
        page.mouse.move(*point(page, (q + r / 2, -r * 3**0.5 / 2)))
        page.mouse.click(*point(page, (q + r / 2, -r * 3**0.5 / 2)))
        desk.moved(ply)
    expect(page.get_by_role("region", name="Result")).to_contain_text("Solved in")
    page.get_by_role("button", name="Next puzzle").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Discovery 6")


# One's own


def test_ones_own_puzzle_is_played_and_solved(desk: Window) -> None:
    page = desk.open("/puzzles")
    box = page.get_by_role("textbox")
    box.fill("nonsense")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("expected a header")
    desk.wrong.clear()  # that the browser notes the refusal is right
    page.get_by_role("textbox").fill("")
    page.get_by_role("button", name="An example").click()
    page.get_by_role("button", name="Solve", exact=True).click()
    expect(page.get_by_role("heading", name="A solution")).to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_have_text("small")
    desk.open("/puzzles")
    page.get_by_role("textbox").fill(DRAWN)
    page.get_by_role("button", name="Play", exact=True).click()
    page.locator("#s-step\\.0 path").first.wait_for(state="attached")
    page.locator('.tile[data-tile="step"]').click()
    page.keyboard.press("ArrowUp")
    page.get_by_role("button", name="Place", exact=True).click()
    expect(page.get_by_role("heading", name="Solved!")).to_be_visible()
    desk.open("/puzzles")
    page.locator("input[type=file]").set_input_files(
        {"name": "tiny.txt", "mimeType": "text/plain", "buffer": TINY.encode()}
    )
    expect(page.get_by_role("textbox")).to_have_value(TINY)
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("tiny")


def test_ones_own_puzzle_again_is_the_same_one(desk: Window) -> None:
    """Not another of one's own that was begun."""
    sit(desk, "own", options={"text": packed(solver.parse(TINY))})
    drawn = {"text": packed(solver.parse(DRAWN))}
    sit(desk, "own", "puzzle", "step.0@a1", options=drawn)
    page = desk.page
    with page.expect_response("**/api/my/puzzles"):
        page.reload()
    page.get_by_role("button", name="Play again").click()
    page.wait_for_selector(YOURS)
    expect(page.get_by_role("heading", level=1)).to_have_text("drawn")


# For everybody


LOOKS = [("light", "desk"), ("dark", "phone"), ("dark", "desk"), ("light", "phone")]
LOOKS = LOOKS if SOAK else [LOOKS[SEED % 4]]


@pytest.mark.parametrize(("scheme", "size"), LOOKS)
def test_axe_finds_nothing_serious(browser: Browser, server: Tegel, scheme: str, size: str) -> None:
    how: dict[str, Any] = {"desk": DESK, "phone": PHONE}[size]
    if not AXE.is_file():
        missing("axe-core")
    window = Window(browser, server, color_scheme=scheme, **how)
    page = window.page
    moves = [str(move) for move in answer()]
    wrong = next(str(move) for move in GAME.start(DAY).moves() if str(move) not in moves)
    rooms = {
        "begun": sit(window, DAY, "puzzle", wrong),
        "tabs": sit(window, "penta-15x16-apart"),
        "solved": sit(window, DAY, "puzzle", *moves),
        "discovery": sit(window, "12", "discovery"),
    }
    for what in ("/puzzles", *rooms):
        window.open(what if what == "/puzzles" else f"/r/{rooms[what]}")
        page.wait_for_selector("main")
        page.wait_for_load_state("networkidle")
        if what == "/puzzles":
            page.get_by_text("Earlier days").click()
        if what == "begun":
            page.get_by_role("button", name="Hint").click()
            page.locator(".advice.bad").wait_for()
            page.get_by_role("button", name="Share").click()
        page.evaluate(AXE.read_text("utf-8"))
        found = page.evaluate("axe.run({ resultTypes: ['violations'] })")["violations"]
        serious = [
            (v["id"], [node["html"][:160] for node in v["nodes"]])
            for v in found if v["impact"] in ("serious", "critical")
        ]  # fmt: skip
        assert not serious, (what, serious)
    window.close()


@pytest.mark.parametrize("language", LANGUAGES)
def test_puzzles_speak(browser: Browser, server: Tegel, language: str) -> None:
    window = Window(browser, server, **{**DESK, "locale": language})
    page = window.page
    said = {
        "en": ("The puzzle of the day · November 9, 2026", "can't be solved, proved", "Solved in"),
        "nl": ("De puzzel van de dag · 9 november 2026", "bewezen", "Opgelost in"),
        "fr": ("9 novembre 2026", "prouvé", "Résolu en"),
        "de": ("9. November 2026", "bewiesen", "Gelöst in"),
        "it": ("9 novembre 2026", "dimostrato|provato", "Risolto in"),
    }[language]
    right = [str(move) for move in answer()]
    wrong = next(str(move) for move in GAME.start(DAY).moves() if str(move) not in right)
    sit(window, DAY, "puzzle", wrong)
    expect(page.get_by_role("heading", level=1)).to_contain_text(said[0])
    page.locator(".help button").first.click()
    expect(page.locator(".advice")).to_contain_text(re.compile(said[1]))
    sit(window, DAY, "puzzle", *right)
    expect(page.locator(".feat")).to_contain_text(said[2])
    window.open("/puzzles")
    page.wait_for_selector("article")
    assert not re.search(r"\b(puzzle|no)\.[a-z]+", page.inner_text("main")), "a key, not a word"
    window.close()
