"""Help with a puzzle on the page: hints with three honest answers, and solutions."""

import pytest
from playwright.sync_api import Browser, expect

from browser import DESK, Window
from puzzling import DAY, answer, long_search, score, sit
from servers import tegel
from tegel.games.puzzle import GAME

SERVE = ("--hint-seconds", "7")

# Hints


def test_a_hint_shows_the_next_tile(desk: Window) -> None:
    page = desk.page
    sit(desk)
    page.get_by_role("button", name="Hint").click()
    expect(page.locator(".advice")).to_have_text(
        "Yes, it can be done: the next tile is shown on the board."
    )
    expect(page.locator(".ghost")).to_be_visible()
    ply = desk.ply
    page.get_by_role("button", name="Place", exact=True).click()
    desk.moved(ply)
    lying = desk.context.request.get(f"/api/rooms/{page.url.split('/')[-1]}").json()["moves"]
    assert GAME.parse(lying[0]["move"]) in answer()


def test_a_hint_proves_that_it_cant_be_done(desk: Window) -> None:
    page, right = desk.page, answer()
    wrong = next(move for move in GAME.start(DAY).moves() if move not in right)
    sit(desk, DAY, "puzzle", str(wrong))
    page.get_by_role("button", name="Hint").click()
    expect(page.locator(".advice")).to_have_text(
        "No: from here the puzzle can't be solved, proved. Lift something."
    )
    expect(page.locator(".ghost")).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".advice")).to_be_hidden()


@pytest.mark.sliced(2)
def test_a_hint_says_that_nothing_was_found(
    browser: Browser, tmp_path_factory: pytest.TempPathFactory
) -> None:
    with tegel(tmp_path_factory.mktemp("hasty"), "--hint-seconds", "0") as hasty:
        window = Window(browser, hasty, **DESK)
        sit(window, "penta-15x16")
        window.page.get_by_role("button", name="Hint").click()
        expect(window.page.locator(".advice")).to_have_text(
            "No way on was found in 0 seconds; there may be one."
        )
        window.close()


def test_a_long_search_can_be_given_up_and_the_page_goes_on(desk: Window) -> None:
    page = desk.page
    desk.context.request.get("/api/puzzles")  # has how long a search may take
    sit(desk, "26", "discovery", *long_search())
    page.get_by_role("button", name="Hint").click()
    search = page.locator(".search")
    expect(search.get_by_role("progressbar")).to_have_attribute("max", "7")
    expect(search).to_contain_text("Looking for the next tile")
    ply = desk.ply
    tile = page.locator(".tile:enabled").first
    tile.click()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Escape")
    search.get_by_role("button", name="Cancel").click()
    expect(search).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    desk.moved(ply)


def test_a_server_that_does_not_answer_is_named(desk: Window) -> None:
    page = desk.page
    sit(desk)
    page.route("**/hint", lambda route: route.abort())
    page.get_by_role("button", name="Hint").click()
    expect(page.locator(".advice")).to_have_text("The server does not answer: please try again.")
    desk.wrong.clear()  # that the browser notes it is right


def test_a_solution_is_shown_and_not_celebrated(desk: Window) -> None:
    page = desk.page
    sit(desk, DAY, "puzzle", str(answer()[0]))
    page.get_by_role("button", name="Show solution").click()
    page.get_by_role("button", name="Really give up?").click()
    result = page.get_by_role("region", name="Result")
    expect(result.get_by_role("heading")).to_have_text("A solution")
    expect(result).to_contain_text("does not count as solved")
    assert "Solved" not in page.inner_text("main")
    assert score(desk) == 25
    desk.open(f"/puzzles/puzzle/{DAY}")
    card = page.locator("article").first
    expect(card).to_contain_text("Solution seen")
    expect(card).not_to_contain_text("Solved")
