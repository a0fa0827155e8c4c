"""Puzzles as people meet them, in a real Chromium: tiles are laid and picked up, time runs."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from browser import PHONE, Window
from puzzling import (
    DAY,
    TINY,
    answer,
    elsewhere,
    held,
    lay,
    middle,
    pile,
    point,
    score,
    shape,
    sit,
    square,
)
from servers import Tegel
from tegel import solver
from tegel.games.puzzle.rules import packed
from tegel.lattice import forms

# Solving


def test_tetra_8x10_is_solved_by_mouse(desk: Window) -> None:
    page = desk.open("/puzzles")
    card = page.locator("article", has=page.get_by_role("heading", name="fill 8 x 10", exact=False))
    card.first.get_by_role("button", name="Start").click()
    page.wait_for_selector(".timer.running")
    moves = answer("tetra-8x10")
    for move in moves:
        lay(desk, move)
    result = page.get_by_role("region", name="Result")
    expect(result.get_by_role("heading")).to_have_text("Solved!")
    expect(result).to_contain_text(re.compile(r"Solved in \d+:\d\d"))
    told = result.get_by_role("textbox").input_value()
    first, second, link = told.splitlines()
    assert first == "Tegel · Twenty tetrominoes fill 8 x 10"
    assert re.fullmatch(r"Solved in \d+:\d\d", second)
    assert link.endswith("/puzzles/puzzle/tetra-8x10")
    desk.open("/puzzles")
    expect(card.first).to_contain_text("Solved in")


def test_a_puzzle_is_solved_on_a_phone_by_touch(phone: Window) -> None:
    page = phone.page
    sit(phone)
    form = page.locator(".tile.held use").first
    for move in answer():
        ply = phone.ply
        pile(page, move.tile).tap()
        want = str(sorted(forms(shape(move.tile))[move.turn]))
        for button in ("Turn", "Turn", "Turn", "Turn", "Flip", "Turn", "Turn", "Turn"):
            if held(page) == want:
                break
            before = form.get_attribute("href") or ""
            page.get_by_role("button", name=button).tap()
            expect(form).not_to_have_attribute("href", before)  # a finger is heard a little later
        page.touchscreen.tap(*point(page, middle(move)))
        page.get_by_role("button", name="Place", exact=True).tap()
        phone.moved(ply)
    expect(page.get_by_role("region", name="Result")).to_contain_text("Solved in")


def test_the_tray_of_a_phone_holds_84_tiles_that_can_be_grabbed(phone: Window) -> None:
    page = phone.page
    sit(phone, "all84")
    board = page.locator("svg.scene").bounding_box()
    assert board
    assert board["width"] > 340
    expect(page.locator(".tile")).to_have_count(21)
    for number in range(page.locator(".tile").count()):
        box = page.locator(".tile").nth(number).bounding_box()
        assert box
        assert min(box["width"], box["height"]) >= 36
    sit(phone, "penta-15x16")
    expect(page.locator(".tile")).to_have_count(12)
    expect(page.locator(".tile .count").first).to_have_text("4")
    sit(phone, "penta-15x16-apart")
    expect(page.locator(".tile")).to_have_count(12)
    page.get_by_role("button", name="Green").tap()
    expect(page.locator('.tile[data-tile^="green"]')).to_have_count(12)
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= 390, "nothing sticks out"


def test_a_puzzle_is_solved_by_keys_alone(desk: Window) -> None:
    page = desk.page
    sit(desk, "own", options={"text": packed(solver.parse(TINY))})
    page.locator("svg.scene").focus()
    for _ in range(3):
        assert desk.turn()
        ply = desk.ply
        page.keyboard.press("Enter")  # from the board to the tiles
        expect(page.locator(".tile:focus")).to_be_visible()
        page.keyboard.press("Enter")
        expect(page.locator(".tile.held")).to_be_visible()
        for key in ("ArrowUp", "ArrowUp", "ArrowUp", "ArrowLeft", "ArrowLeft", "Enter"):
            page.keyboard.press(key)
        desk.moved(ply)
    expect(page.get_by_role("heading", name="Solved!")).to_be_visible()


def test_a_tile_is_picked_up_by_keys(desk: Window) -> None:
    page, first = desk.page, answer()[0]
    sit(desk, DAY, "puzzle", str(first))
    page.locator("svg.scene").focus()
    walk(page, square(first))
    ply = desk.ply
    page.keyboard.press("Enter")
    desk.moved(ply)
    assert score(desk) == 0
    expect(page.locator(".tile.held")).to_have_attribute("data-tile", first.tile)
    page.keyboard.press("Enter")
    desk.moved(ply + 1)
    assert score(desk) == 5, "it was still where it lay"


def walk(page: Page, goal: tuple[int, int]) -> None:
    """Lead the cursor to a square by the arrow keys."""
    page.keyboard.press("ArrowUp")  # the cursor appears
    for _ in range(40):
        at = cursor(page)
        if at == goal:
            break
        key = ("ArrowLeft" if at[0] > goal[0] else "ArrowRight" if at[0] < goal[0]
               else "ArrowDown" if at[1] > goal[1] else "ArrowUp")  # fmt: skip
        page.keyboard.press(key)
    assert cursor(page) == goal


def cursor(page: Page) -> tuple[int, int]:
    box = page.locator("rect.cursor")
    x, y = float(box.get_attribute("x") or 0), float(box.get_attribute("y") or 0)
    return round(x + 0.5), -round(y + 0.5)


# Taking up again


def test_a_lying_tile_is_picked_up_by_a_click_and_put_elsewhere(desk: Window) -> None:
    page, first = desk.page, answer()[0]
    sit(desk, DAY, "puzzle", str(first))
    ply = desk.ply
    page.mouse.click(*point(page, square(first)))
    desk.moved(ply)
    assert score(desk) == 0
    expect(page.locator(".tile.held")).to_have_attribute("data-tile", first.tile)
    goal = point(page, middle(elsewhere(first)))
    page.mouse.move(*goal)
    page.mouse.click(*goal)
    desk.moved(ply + 1)
    assert score(desk) == 5
    expect(page.locator(".line")).to_contain_text("placed")


def test_a_lying_tile_is_dragged_away(desk: Window) -> None:
    page, first = desk.page, answer()[0]
    sit(desk, DAY, "puzzle", str(first))
    ply = desk.ply
    page.mouse.move(*point(page, square(first)))
    page.mouse.down()
    page.mouse.move(640, 300, steps=4)
    desk.moved(ply)
    page.locator(".tile.held").wait_for()
    page.mouse.move(60, 600, steps=4)  # off the board: it goes back to the tray
    page.mouse.up()
    expect(page.locator(".tile.held")).to_have_count(0)
    assert score(desk) == 0
    expect(page.locator(f'.tile[data-tile="{first.tile}"]')).to_be_visible()


def test_a_finger_picks_a_tile_up(phone: Window) -> None:
    page, first = phone.page, answer()[0]
    sit(phone, DAY, "puzzle", str(first))
    ply = phone.ply
    page.touchscreen.tap(*point(page, square(first)))
    phone.moved(ply)
    expect(page.locator(".tile.held")).to_have_attribute("data-tile", first.tile)
    expect(page.locator(".ghost")).to_be_visible()
    assert score(phone) == 0


def test_a_finger_drags_a_lying_tile_elsewhere(phone: Window) -> None:
    page, first = phone.page, answer()[0]
    sit(phone, DAY, "puzzle", str(first))
    ply, touch = phone.ply, page.context.new_cdp_session(page)
    begin = point(page, square(first))
    goal = point(page, middle(elsewhere(first)))
    end = goal[0], goal[1] + 50  # the tile is held above the finger

    def finger(kind: str, *points: tuple[float, float]) -> None:
        spots = [{"x": x, "y": y} for x, y in points]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": spots})

    finger("touchStart", begin)
    for step in range(1, 5):
        along = [a + (b - a) * step / 8 for a, b in zip(begin, end, strict=True)]
        finger("touchMove", (along[0], along[1]))
    phone.moved(ply)
    page.locator(".tile.held").wait_for()
    for step in range(5, 9):
        along = [a + (b - a) * step / 8 for a, b in zip(begin, end, strict=True)]
        finger("touchMove", (along[0], along[1]))
    finger("touchEnd")
    phone.moved(ply + 1)
    room = phone.context.request.get(f"/api/rooms/{page.url.split('/')[-1]}").json()
    assert [played["move"] for played in room["moves"]][-1] == str(elsewhere(first))


# Blue 1 touches nothing of blue but blue 2 at its corner.
HANGING = ("blue-2.0@a19", "yellow-1.0@t20", "red-1.0@t1", "green-1.0@a1", "blue-1.0@b18")
STAYS = "The tile blue 2 can't be lifted, as others of blue hang on it: 1."


def test_a_tile_on_which_others_hang_says_why_it_stays(desk: Window) -> None:
    page = desk.page
    sit(desk, "all84", "puzzle", *HANGING)
    told = page.get_by_role("alert")
    page.mouse.click(*point(page, (0, 19)))
    expect(told).to_have_text(STAYS)
    expect(page.locator("rect.refused")).to_have_count(1)  # the square of blue 1
    expect(told).to_have_count(0)  # it goes by itself
    ply = desk.ply
    page.mouse.move(*point(page, (0, 18)))
    page.mouse.down()
    page.mouse.move(*point(page, (1, 17)), steps=4)  # let go over a tile that can be lifted
    page.mouse.up()
    expect(told).to_have_text(STAYS)
    assert (desk.ply, score(desk)) == (ply, 6), "nothing was lifted"
    page.mouse.click(*point(page, (1, 17)))
    desk.moved(ply)
    expect(told).to_have_count(0)
    expect(page.locator(".tile.held")).to_have_attribute("data-tile", "blue-1")


def test_keys_and_fingers_are_told_why_a_tile_stays(
    desk: Window, browser: Browser, server: Tegel
) -> None:
    sit(desk, "all84", "puzzle", *HANGING)
    desk.page.locator("svg.scene").focus()
    walk(desk.page, (0, 19))
    desk.page.keyboard.press("Enter")
    expect(desk.page.get_by_role("alert")).to_have_text(STAYS)
    phone = Window(browser, server, locale="de", **PHONE)
    sit(phone, "all84", "puzzle", *HANGING)
    phone.page.touchscreen.tap(*point(phone.page, (0, 19)))
    expect(phone.page.get_by_role("alert")).to_have_text(
        "Der Stein Blau 2 kann nicht aufgenommen werden, denn andere von Blau hängen daran: 1."
    )
    assert (score(desk), score(phone)) == (6, 6)
    phone.close()


def test_undo_and_start_over(desk: Window) -> None:
    page, moves = desk.page, [str(move) for move in answer()]
    sit(desk, DAY, "puzzle", *moves[:3])
    ply = desk.ply
    page.get_by_role("button", name="Undo").click()
    desk.moved(ply)
    assert score(desk) == 10
    page.keyboard.press("Control+z")
    desk.moved(ply + 1)
    assert score(desk) == 5
    lay(desk, answer()[1])
    page.get_by_role("button", name="Start over").click()
    page.get_by_role("button", name="Really start over?").click()
    expect(page.locator('progress[value="0"]')).to_be_visible()
    assert score(desk) == 0
    expect(page.get_by_role("button", name="Undo")).to_be_disabled()


# Time


def seconds(page: Page) -> int:
    minutes, rest = page.get_by_role("timer").inner_text().split(":")
    return 60 * int(minutes) + int(rest)


@pytest.mark.alone
def test_time_is_kept_over_a_reload_and_stops_out_of_sight(desk: Window) -> None:
    page = desk.page
    room = sit(desk)
    page.wait_for_function("() => document.querySelector('.timer').textContent >= '0:02'")
    lay(desk, answer()[0])
    before = seconds(page)
    page.reload()
    page.wait_for_selector(".timer.running")
    assert before <= seconds(page) <= before + 2
    assert score(desk) == 5
    desk.open("/puzzles")
    page.wait_for_timeout(2500)
    desk.sit(room)
    page.wait_for_selector(".timer.running")
    left = seconds(page)
    assert left <= before + 3, "the list was looked at meanwhile"
    page.evaluate(
        """() => {
            Object.defineProperty(document, 'hidden', { value: true, configurable: true })
            document.dispatchEvent(new Event('visibilitychange'))
        }"""
    )
    page.wait_for_selector(".timer:not(.running)")
    hidden = seconds(page)
    page.wait_for_timeout(2200)
    assert seconds(page) == hidden
    page.evaluate(
        """() => {
            Object.defineProperty(document, 'hidden', { value: false, configurable: true })
            document.dispatchEvent(new Event('visibilitychange'))
        }"""
    )
    page.wait_for_selector(".timer.running")


def test_looking_writes_one_row(desk: Window) -> None:
    sit(desk)
    desk.page.wait_for_selector(".timer.running")
    desk.page.wait_for_timeout(700)
    assert desk.ply == 2, "who sits there, and that somebody looks"
