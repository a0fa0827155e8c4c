"""The page when something goes wrong: it is loaded again, the server is gone, the server is
newer than the page."""

from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from browser import DESK, Window, browser, desk, server  # noqa: F401
from servers import tegel


def test_a_game_survives_reloading_the_page(desk: Window) -> None:
    desk.room(game="blokus", variant="duo")
    for _ in range(2):
        assert desk.turn()
        desk.play()
    assert desk.turn()
    seen = desk.page.locator("svg.scene .mark").count(), desk.ply
    desk.page.reload()
    assert desk.turn()
    assert (desk.page.locator("svg.scene .mark").count(), desk.ply) == seen
    desk.play()


def test_play_resumes_by_itself_after_the_server_was_killed(
    browser: Browser, tmp_path: Path
) -> None:
    with tegel(tmp_path / "killed") as server:
        window = Window(browser, server, **DESK)
        page = window.page
        window.room(game="blokus", variant="duo")
        assert window.turn()
        window.play()
        assert window.turn()
        ply = window.ply
        server.kill()
        expect(page.get_by_text("Connection lost")).to_be_visible()
        assert page.locator("svg.scene .mark").count() > 5, "the position stays readable"
        server.start()
        expect(page.get_by_text("Connection lost")).to_be_hidden()
        assert window.ply == ply
        window.play(pick=3)
        assert window.turn()
        window.play()
        window.wrong.clear()  # the browser notes that the server was away
        window.close()


def test_a_page_older_than_its_server_loads_itself_again(desk: Window) -> None:
    page = desk.page
    answers = {"page": "index-newer.js", "id": "x", "name": ""}
    page.route("**/api/me", lambda route: route.fulfill(json=answers))
    loads = [0]

    def loaded(_: Page) -> None:
        loads[0] += 1

    page.on("load", loaded)
    desk.open("/about")
    page.wait_for_function("sessionStorage.getItem('page') === 'index-newer.js'")
    page.wait_for_load_state("networkidle")
    page.wait_for_timeout(400)
    assert loads[0] == 2, "once, not for ever"
