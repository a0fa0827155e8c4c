"""The page when something goes wrong: it is loaded again, the server is gone, the server is
newer than the page."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from browser import DESK, WEB, Window, soon
from servers import missing, tegel

NEWER = "Four games of tiles, anew"
SCRIPT = "document.querySelector('script[src]')?.src.split('/').pop()"


def test_a_game_survives_reloading_the_page(desk: Window) -> None:
    desk.room(game="blokus", variant="duo")
    for _ in range(2):
        assert desk.turn()
        desk.play()
    assert desk.turn()
    seen = desk.page.locator("svg.scene .mark").count(), desk.ply
    desk.page.reload()
    assert desk.turn()
    assert soon(desk.page, lambda: (desk.page.locator("svg.scene .mark").count(), desk.ply) == seen)
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
        page.get_by_role("button", name="Take back").click()  # which nobody hears
        expect(page.locator(".remark")).to_contain_text("Connection lost")
        offers: list[str | bytes] = []  # told anew: a tile taken up before that is put back

        def heard(text: str | bytes) -> None:
            if '"offer"' in str(text):
                offers.append(text)

        page.on("websocket", lambda socket: socket.on("framereceived", heard))
        server.start()
        expect(page.get_by_text("Connection lost")).to_have_count(0)
        assert soon(page, lambda: bool(offers))
        assert window.ply == ply
        window.play(pick=3)
        assert window.turn()
        window.play()
        window.wrong.clear()  # the browser notes that the server was away
        window.close()


def rebuilt(folder: Path) -> Path:
    """Another build of the page, by the same tools, with one sentence changed."""
    if not (WEB / "node_modules").is_dir():
        missing("The tools that build the page")
    source, built = folder / "web", folder / "page"
    shutil.copytree(WEB, source, ignore=shutil.ignore_patterns("node_modules"))
    (source / "node_modules").symlink_to(WEB / "node_modules")
    words = source / "src" / "base" / "words" / "en.json"
    words.write_text(words.read_text("utf-8").replace("Four games of tiles", NEWER), "utf-8")
    tools = f"{os.environ['PATH']}:{Path(sys.executable).parent}"
    subprocess.run(
        ["npm", "run", "build", "--silent", "--", "--logLevel", "error", "--outDir", str(built)],
        cwd=source, env={**os.environ, "PATH": tools}, check=True, capture_output=True,
    )  # fmt: skip
    return built


@pytest.mark.sliced(2)
def test_a_page_older_than_its_server_loads_itself_again(browser: Browser, tmp_path: Path) -> None:
    newer = rebuilt(tmp_path)
    with tegel(tmp_path / "data") as server:
        window = Window(browser, server, **DESK)
        page = window.page
        window.room(game="blokus", variant="duo")
        assert window.turn()
        window.play()
        assert window.turn()
        ply, script = window.ply, page.evaluate(SCRIPT)
        loads = [0]

        def loaded(_: Page) -> None:
            loads[0] += 1

        page.on("load", loaded)
        server.stop()
        server.env["TEGEL_PAGE"] = str(newer)
        server.start()
        page.wait_for_function(f"old => ({SCRIPT} ?? old) !== old", arg=script)
        assert (newer / "assets" / page.evaluate(SCRIPT)).exists()
        assert window.turn()
        assert window.ply == ply
        window.play()
        page.wait_for_timeout(700)
        assert loads[0] == 1, "once, not for ever"
        page.goto("/")
        expect(page.get_by_role("heading", level=1)).to_have_text(NEWER)
        window.wrong.clear()  # the browser notes that the server was away
        window.close()


@pytest.mark.sliced(2)
def test_a_page_opened_without_a_server_fills_itself_when_there_is_one(
    browser: Browser, tmp_path: Path
) -> None:
    """The page itself is kept by its worker; the game comes with the connection."""
    with tegel(tmp_path) as server:
        window = Window(browser, server, **DESK)
        page = window.page
        window.room(game="tantrix", variant="two")
        assert window.turn()
        window.play()
        page.evaluate("navigator.serviceWorker.ready.then(() => null)")
        page.reload()  # the worker has the page's files once it has given them out
        assert window.turn()
        ply = window.ply
        server.kill()
        page.reload()
        expect(page.get_by_role("link", name="Tegel")).to_be_visible()
        expect(page.get_by_text("Connection lost").first).to_be_visible()
        server.start()
        assert window.turn()
        assert window.ply >= ply
        expect(page.get_by_text("Connection lost")).to_have_count(0)
        window.play()
        window.wrong.clear()  # the browser notes that the server was away
        window.close()


SIGN = """() => {
  const sign = getComputedStyle(document.querySelector('#app'), '::after')
  return sign.content !== 'none' && sign.opacity === '1'
}"""


def test_a_page_that_takes_long_says_that_it_comes(desk: Window) -> None:
    page = desk.page
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/api/me", hold)
    page.goto("/me/games")
    page.wait_for_function(SIGN)
    page.unroute("**/api/me")  # which lets go what is held
    assert held
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    page.wait_for_function(f"() => !({SIGN})()")
