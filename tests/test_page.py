"""The page as people meet it: a real Chromium before a real server. Whole games, the first
minute of a newcomer, two browsers, a phone; what the page weighs and whom it asks."""

import gzip
import os
import re

import pytest
from playwright.sync_api import expect

from browser import BUILT, Window
from conftest import SEED, SOAK
from servers import Tegel

# Whole games


GAMES: list[tuple[str, str, dict[str, str]]] = [
    ("blokus", "duo", {}),
    ("imago", "imago", {}),
    ("tantrix", "two", {}),
    ("forma", "two", {"layout": "random", "assist": "on"}),
]


@pytest.mark.parametrize(
    ("game", "variant", "options"),
    GAMES if SOAK else [GAMES[SEED % 4], GAMES[(SEED + 2) % 4]],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_whole_game_against_a_bot(
    desk: Window, game: str, variant: str, options: dict[str, str]
) -> None:
    desk.room(game=game, variant=variant, options=options)
    desk.finish(pick=1)
    result = desk.page.get_by_role("region", name="Result")
    expect(result.get_by_role("heading")).to_have_text(re.compile("win|draw"))
    expect(result.get_by_role("listitem")).to_have_count(2)
    room = desk.page.url
    desk.page.get_by_role("button", name="Play again").click()
    desk.page.wait_for_function("room => location.href !== room", arg=room)
    desk.page.wait_for_selector('main[data-over="false"]')


def test_a_newcomer_plays_after_one_click_on_any_game(desk: Window) -> None:
    for name in ("Blokus", "Forma", "Imago", "Tantrix"):
        page = desk.open("/")
        card = page.locator("article", has=page.get_by_role("heading", name=name))
        card.get_by_role("button", name=f"Play: {name}").click()
        page.wait_for_selector("svg.scene")
        assert desk.turn()
        desk.play()


def test_two_browsers_meet_in_one_room_by_a_link(desk: Window, other: Window) -> None:
    page = desk.open("/")
    card = page.locator("article", has=page.get_by_role("heading", name="Blokus"))
    card.get_by_role("button", name="Invite: Blokus").click()
    link = page.get_by_role("textbox", name="Invite").input_value()
    expect(page.locator(".code svg")).to_be_visible()
    friend = other.open(link)
    friend.get_by_role("button", name="Join").click()
    for mover, watcher in ((desk, other), (other, desk), (desk, other)):
        assert mover.turn()
        expect(mover.page.locator(".status")).to_contain_text("Your turn")
        expect(mover.page).to_have_title(re.compile("^●"))
        ply = watcher.ply
        mover.play(pick=2)
        watcher.moved(ply)
    page.get_by_role("button", name="Take back").click()
    friend.get_by_role("button", name="Agree").click()
    page.wait_for_selector('main[data-yours="true"]')
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Really resign?").click()
    expect(friend.get_by_role("region", name="Result")).to_contain_text("resigned: you win")
    expect(friend.locator(".seat").nth(1)).to_contain_text("resigned")


def test_a_phone_plays_by_touch(phone: Window) -> None:
    """Tap a tile, tap the board, press Place; and drag one with the finger."""
    page = phone.page
    phone.room(game="blokus", variant="duo")
    assert phone.turn()
    board = page.locator("svg.scene").bounding_box()
    assert board
    assert board["width"] > 340, "the board has the width of the phone"
    page.locator('[data-tile="P"]').tap()
    page.touchscreen.tap(board["x"] + board["width"] / 3, board["y"] + board["height"] / 3)
    expect(page.locator(".ghost")).to_be_visible()
    ply = phone.ply
    form = page.locator(".tile.held use").first
    for name in ("Turn", "Flip"):  # a finger is heard a little later
        before = form.get_attribute("href") or ""
        page.get_by_role("button", name=name).tap()
        expect(form).not_to_have_attribute("href", before)
    if page.get_by_role("button", name="Place", exact=True).is_disabled():
        page.touchscreen.tap(board["x"] + board["width"] / 3, board["y"] + board["height"] / 3)
    assert phone.ply == ply, "a tap shows, it does not play"
    page.get_by_role("button", name="Place", exact=True).tap()
    phone.moved(ply)
    assert phone.turn()
    page.locator(".tile:enabled").first.scroll_into_view_if_needed()
    scrolled = page.evaluate("scrollY")
    tile = page.locator(".tile:enabled").first.bounding_box()
    board = page.locator("svg.scene").bounding_box()
    assert tile
    assert board
    touch = page.context.new_cdp_session(page)
    start = {"x": tile["x"] + 20, "y": tile["y"] + 20}
    end = {"x": board["x"] + board["width"] / 2, "y": board["y"] + board["height"] / 2 + 40}

    def finger(kind: str, *points: dict[str, float]) -> None:
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": list(points)})

    finger("touchStart", start)
    for step in range(1, 9):
        finger("touchMove", {k: start[k] + (end[k] - start[k]) * step / 8 for k in start})
    expect(page.locator(".held")).to_be_visible()
    assert page.evaluate("scrollY") == scrolled, "nothing scrolls under a drag"
    ply = phone.ply
    finger("touchEnd")
    page.wait_for_function(  # it lies there, or it is said why not
        """ply => document.querySelector('[role=alert]')
          || Number(document.querySelector('main.table').dataset.ply) > ply""",
        arg=ply,
    )
    phone.finish()


# Weight and privacy


def test_the_first_load_is_light_and_asks_nobody_else(desk: Window, server: Tegel) -> None:
    desk.open("/").wait_for_load_state("networkidle")
    desk.room(game="blokus", variant="duo")
    assert desk.turn()
    desk.play()
    desk.open("/rules/tantrix").wait_for_load_state("networkidle")
    assert all(url.startswith((server.url, "data:", "blob:")) for url in desk.asked), desk.asked
    scripts = {url for url in desk.asked if url.endswith(".js") and "/assets/" in url}
    assert scripts
    sizes = [
        len(gzip.compress((BUILT / "assets" / url.rpartition("/")[2]).read_bytes()))
        for url in scripts
    ]
    assert sum(sizes) <= 120_000, sizes
    answer = desk.page.request.get(next(iter(scripts)), headers={"accept-encoding": "gzip"})
    assert answer.headers.get("content-encoding") == "gzip"


def test_the_page_can_be_installed(desk: Window) -> None:
    manifest = desk.page.request.get("/manifest.webmanifest").json()
    sizes = {icon["sizes"] for icon in manifest["icons"]}
    assert {"192x192", "512x512"} <= sizes
    for icon in manifest["icons"]:
        answer = desk.page.request.get(icon["src"])
        assert answer.ok
        if icon["type"] == "image/png":
            assert answer.body()[:8] == b"\x89PNG\r\n\x1a\n"
            width = int.from_bytes(answer.body()[16:20], "big")
            assert icon["sizes"] == f"{width}x{width}"
    assert manifest["display"] == "standalone"
    assert os.path.exists(BUILT / "worker.js")
