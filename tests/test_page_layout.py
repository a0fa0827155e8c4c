"""The table on every screen: what one plays with is in view, the board has its share, nothing
moves while one plays, and words of every language fit."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from browser import DESK, HERE, LANGUAGES, WEB, Window
from servers import Person, Tegel, offered
from tegel.words import words

PHONES = [(360, 640), (390, 664), (390, 844), (667, 375), (844, 390)]
SIZES = [
    *PHONES, (768, 1024), (820, 1180), (1024, 768), (1280, 800), (1366, 640), (1920, 1080),
    (3840, 2160), (640, 400),
]  # fmt: skip
"""Width and height; the last is 1280 by 800 at twice the size."""
BOT = {"kind": "bot", "level": 1}
YOU = {"kind": "person"}
EYE = {"layout": "random", "assist": "off"}
AIDED = {"layout": "random", "assist": "on"}
CLOCK = "bank 600 5"
TABLES: dict[str, dict[str, Any]] = {
    "two colours each": {"game": "blokus", "variant": "two"},
    "four players": {"game": "blokus", "variant": "classic", "bots": 3},
    "teams with clocks": {"game": "blokus", "variant": "teams", "seats": [YOU] * 4, "clock": CLOCK},
    "a small board": {"game": "blokus", "variant": "duo"},
    "by eye": {"game": "forma", "variant": "two", "options": EYE},
    "assisted": {
        "game": "forma",
        "variant": "two",
        "options": AIDED,
        "seats": HERE,
        "clock": CLOCK,
    },
    "a field": {"game": "tantrix", "variant": "two"},
    "a field for four": {"game": "tantrix", "variant": "four", "seats": [YOU] * 4, "clock": CLOCK},
    "stocks": {"game": "imago", "variant": "imago"},
}

# Where things are: the drawing of the board, and every slot.
MEASURE = """() => {
  const box = (node) => {
    const { left, top, right, bottom } = node.getBoundingClientRect()
    return [left, top, right, bottom]
  }
  const seen = (node) => node.getClientRects().length > 0
  const all = (what) => [...document.querySelectorAll(what)].filter(seen).map(box)
  const union = (boxes) => boxes.length ? [0, 1, 2, 3].map((i) =>
    Math[i < 2 ? 'min' : 'max'](...boxes.map((one) => one[i]))) : null
  return {
    window: [innerWidth, innerHeight],
    page: [document.documentElement.scrollWidth, document.documentElement.scrollHeight],
    board: union(all('.scene g:has(> .frame):first-of-type > :is(.frame, .name)')),
    wood: union([...all('.scene [href="#s-wood"]'), ...all('.scene .name')]),
    slot: all('.middle'),
    status: all('.status'), note: all('.remark'), doing: all('.doing'), buttons: all('.doing > *'),
    tiles: all('.tiles-slot'), cells: all('.tiles-slot :is(.tile, .laid)'),
    actions: all('.actions'),
    seats: all('.seats .seat'), scores: all('.seats .score strong'),
  }
}"""


@pytest.fixture(scope="module")
def window(browser: Browser, server: Tegel) -> Iterator[Window]:
    window = Window(browser, server, **DESK)
    yield window
    window.close()


def resized(page: Page, width: int, height: int) -> dict[str, Any]:
    """Where everything is in a window of a size."""
    page.set_viewport_size({"width": width, "height": height})
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
    found: dict[str, Any] = page.evaluate(MEASURE)
    assert found["window"] == [width, height]
    return found


def side(box: list[float]) -> float:
    """The longer side of a box."""
    return max(box[2] - box[0], box[3] - box[1])


@pytest.mark.parametrize("name", TABLES)
def test_all_one_plays_with_is_in_view_and_the_board_has_its_share(
    window: Window, name: str
) -> None:
    window.room(**TABLES[name])
    assert window.turn()
    bad: list[object] = []
    for width, height in SIZES:
        found = resized(window.page, width, height)
        wide, high = found["page"]
        if wide > width or high > height:
            bad.append((width, height, "the page is larger", wide, high))
        for what in ("status", "buttons", "cells", "scores", "seats"):
            boxes = found[what]
            if not boxes and not (what == "cells" and name == "stocks"):
                bad.append((width, height, what, "is missing"))
            for left, top, right, bottom in boxes:
                if left < -0.5 or top < -0.5 or right > width + 0.5 or bottom > height + 0.5:
                    bad.append((width, height, what, (left, top, right, bottom)))
        for what in ("buttons", "cells"):
            small = [b for b in found[what] if min(b[2] - b[0], b[3] - b[1]) < 43.5]
            if small:
                bad.append((width, height, what, "too small", small[0]))
        board = found["board"] or found["wood"] or found["slot"][0]
        share = side(board) / min(width, height)
        short = (width, height) in PHONES or (width, height) == (640, 400)
        least = 0.75 if short and name == "by eye" else 0.88 if short else 0.8
        if share < least - 0.001:
            bad.append((width, height, "the board has", round(share, 3)))
    assert not bad, "\n".join(map(str, bad))


STEADY = ("slot", "status", "note", "doing", "buttons", "tiles", "actions", "seats")


def steady(page: Page, first: dict[tuple[int, int], dict[str, Any]], when: str) -> None:
    """Everything is where it was when it was first looked at, at some sizes."""
    for size in ((1280, 800), (390, 844), (844, 390), (820, 1180)):
        found = resized(page, *size)
        was = first.setdefault(size, found)
        over = page.locator("main[data-over='true']").count()
        for what in STEADY:
            if over and what == "buttons":
                continue  # others, in the same row
            assert len(found[what]) == len(was[what]), (when, size, what)
            for now, before in zip(found[what], was[what], strict=True):
                assert now == pytest.approx(before, abs=1), (when, size, what)


def test_nothing_moves_from_the_first_move_to_the_last(window: Window) -> None:
    """With a hint, a refusal, places shown and others' time in between."""
    page = window.page
    page.set_viewport_size(DESK["viewport"])
    window.room(game="blokus", variant="duo")
    assert window.turn()
    first: dict[tuple[int, int], dict[str, Any]] = {}
    steady(page, first, "at first")
    assert first[1280, 800]["tiles"][0][1] == pytest.approx(206, abs=1)
    number = 0
    while window.turn():
        page.set_viewport_size(DESK["viewport"])
        if number == 1:
            page.get_by_role("button", name="Hint").click()
            page.wait_for_selector(".hint tbody")
            steady(page, first, "with a hint")
            page.keyboard.press("Escape")
        if number == 2:
            page.get_by_role("button", name="Show places").click()
            steady(page, first, "with places")
        if number == 3:
            page.locator(".tile:enabled").first.click()
            board = first[1280, 800]["board"]
            page.mouse.click(board[0] + 60, board[1] + 20)
            page.wait_for_selector(".remark [role=alert]")
            steady(page, first, "with a refusal")
            page.keyboard.press("Escape")
        page.set_viewport_size(DESK["viewport"])
        window.play(pick=2 * number)
        number += 1
        if number % 3 == 0 or number < 3:
            steady(page, first, f"after {number} moves")
    expect(page.get_by_role("region", name="Result")).to_be_visible()


def test_nothing_moves_when_somebody_asks_or_speaks(window: Window, server: Tegel) -> None:
    page, mara = window.page, Person(server, "Mara")
    page.set_viewport_size(DESK["viewport"])
    room = mara.room()["id"]
    joined = window.context.request.post(f"/api/rooms/{room}/sit", data={"seat": 1})
    assert joined.ok
    offer = mara.ok("GET", f"/api/rooms/{room}/offer")
    mara.do(room, "move", ply=offer["ply"], move=offered(offer))
    window.sit(room)
    assert window.turn()
    first: dict[tuple[int, int], dict[str, Any]] = {}
    steady(page, first, "at first")
    mara.do(room, "takeback", do="ask")
    page.wait_for_selector(".asked")
    steady(page, first, "with a question")
    mara.do(room, "takeback", do="refuse")
    page.wait_for_selector(".asked", state="detached")
    steady(page, first, "with a question withdrawn")
    page.set_viewport_size(DESK["viewport"])
    page.get_by_role("button", name="Say something").click()
    steady(page, first, "with phrases")
    page.set_viewport_size(DESK["viewport"])
    page.get_by_role("button", name="Hello!").click()
    page.wait_for_selector(".phrase")
    steady(page, first, "with a phrase")


@pytest.mark.parametrize("name", ["by eye", "assisted", "a field", "stocks"])
def test_nothing_moves_at_other_tables(window: Window, name: str) -> None:
    window.page.set_viewport_size(DESK["viewport"])
    window.room(**TABLES[name])
    assert window.turn()
    first: dict[tuple[int, int], dict[str, Any]] = {}
    steady(window.page, first, "at first")
    for number in range(3):
        window.page.set_viewport_size(DESK["viewport"])
        if name == "by eye":
            lay_by_eye(window)
        else:
            window.play(pick=number)
        assert window.turn()
        steady(window.page, first, f"after {number + 1} moves")


def lay_by_eye(window: Window) -> None:
    page, ply = window.page, window.ply
    page.locator(".tile:enabled").first.focus()
    for key in ("Enter", "ArrowUp", "Enter"):
        page.keyboard.press(key)
    window.moved(ply)


CUT = """() => {
  const what = 'button, a.button, .status, .seat, .name, .score, .clock, summary, .state'
  const cut = [...document.querySelectorAll(`main :is(${what})`)]
    .filter((node) => node.offsetParent && getComputedStyle(node).display !== 'inline'
      && (node.scrollWidth > node.clientWidth + 1
        || (node.matches('button, a.button') && node.scrollHeight > node.clientHeight + 1)))
    .map((node) => node.outerHTML.slice(0, 140))
  return document.documentElement.scrollWidth > innerWidth ? ['the page', ...cut] : cut
}"""
SPEAK = """language => {
  const select = document.querySelector('header select')
  select.value = language
  select.dispatchEvent(new Event('change', { bubbles: true }))
}"""
NARROW = [(360, 640), (390, 844), (667, 375), (844, 390), (768, 1024), (1024, 768), (1280, 800)]


@pytest.mark.parametrize(
    "name", ["two colours each", "teams with clocks", "by eye", "a field for four", "stocks"]
)
def test_words_of_every_language_fit(window: Window, name: str) -> None:
    page, (game, variant) = window.page, (TABLES[name]["game"], TABLES[name]["variant"])
    window.room(**TABLES[name])
    assert window.turn()
    bad = []
    for language in LANGUAGES:
        page.evaluate(SPEAK, language)
        said = json.loads((WEB / "src" / "base" / "words" / f"{language}.json").read_text("utf-8"))
        page.locator(".actions", has_text=said["takeback"]).wait_for(state="attached")
        expect(page.locator("header")).to_contain_text(words(game, language)["variants"][variant])
        for width, height in NARROW:
            resized(page, width, height)
            bad += [(language, width, height, cut) for cut in page.evaluate(CUT)]
    page.evaluate(SPEAK, "en")
    assert not bad, "\n".join(map(str, bad))
