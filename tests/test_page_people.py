"""The page for everybody: by keyboard, by ear, large or small, in five languages."""

import json
import re

import pytest
from playwright.sync_api import Browser, expect

from browser import DESK, LANGUAGES, WEB, Window
from servers import Tegel
from tegel import games
from tegel.words import words


def test_blokus_duo_by_keyboard_only(desk: Window) -> None:
    page = desk.page
    desk.room(game="blokus", variant="duo")
    place = page.get_by_role("button", name="Place", exact=True)
    while desk.turn():
        ply = desk.ply
        tab_to(desk, ".tile")
        page.keyboard.press("Enter")
        page.keyboard.press("ArrowUp")
        page.keyboard.press("r")
        if place.is_disabled():
            page.keyboard.press("ArrowRight")
        if place.is_disabled():  # no place when turned so
            page.keyboard.press("Escape")
            page.keyboard.press("Enter")
            page.keyboard.press("ArrowUp")
        page.keyboard.press("Enter")
        desk.moved(ply)
    expect(page.get_by_role("region", name="Result")).to_be_visible()


def tab_to(window: Window, what: str) -> None:
    """Go on with the tab key until something that matches has the focus, visibly."""
    for _ in range(60):
        if window.page.evaluate("what => document.activeElement.matches(what)", what):
            return
        window.page.keyboard.press("Tab")
    raise AssertionError(f"the tab key does not lead to {what}")


def test_moves_are_announced(desk: Window) -> None:
    desk.room(game="blokus", variant="duo")
    assert desk.turn()
    desk.play()
    live = desk.page.locator('[aria-live="polite"]').first
    expect(live).to_have_text(re.compile(r"^Your turn.*yellow places \w+\.$", re.I))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_speaks(browser: Browser, server: Tegel, language: str) -> None:
    """It speaks the browser's language, on every page, without a key showing through."""
    window = Window(browser, server, locale=language, **DESK)
    page = window.open("/")
    page.wait_for_selector("article")
    assert page.get_attribute("html", "lang") == language
    said = json.loads((WEB / "src" / "base" / "words" / f"{language}.json").read_text("utf-8"))
    expect(page.get_by_role("heading", level=1)).to_have_text(said["front.title"])
    for name in games.names():
        called = words(name, language)["game"]["name"]
        expect(page.get_by_role("button", name=f"{said['play']}: {called}")).to_be_visible()
    room = window.room(game="imago", variant="imago")
    page.wait_for_selector(".status")
    expect(page.get_by_role("button", name=said["resign"])).to_be_visible()
    page.set_viewport_size({"width": 360, "height": 740})
    for path in ("/", "/new/forma", f"/r/{room}", "/guide/forma", "/rules/imago", "/me", "/about"):
        window.open(path).wait_for_selector("main :is(h1, h2)")
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert wide <= 360, (path, wide)
    window.close()


def test_the_catalogues_have_the_same_keys_and_fields() -> None:
    catalogues = {
        code: json.loads((WEB / "src" / "base" / "words" / f"{code}.json").read_text("utf-8"))
        for code in LANGUAGES
    }
    english = catalogues["en"]
    used = set()
    for file in (WEB / "src").rglob("*"):
        if file.suffix in (".svelte", ".ts"):
            used |= set(re.findall(r"\bt\(\s*'([\w.]+)'", file.read_text("utf-8")))
    assert used <= set(english)
    for code, said in catalogues.items():
        assert set(said) == set(english), code
        for key, text in said.items():
            assert text.strip(), (code, key)
            fields = [set(re.findall(r"{(\w+)}", one)) for one in (text, english[key])]
            assert fields[0] == fields[1], (code, key)
            assert text.count("|") == english[key].count("|"), (code, key)


def test_every_refusal_of_the_server_has_words() -> None:
    """All that a person may meet; the rest of the codes only programs do."""
    codes = {"failed", "storage"}
    for file in (WEB.parent / "src" / "tegel").rglob("*.py"):
        codes |= set(re.findall(r'Refused\(\s*"(\w+)"', file.read_text("utf-8")))
    programs = {
        "foreign",
        "illegal",
        "invalid",
        "level",
        "reaction",
        "size",
        "token",
        "unreadable",
    }
    english = json.loads((WEB / "src" / "base" / "words" / "en.json").read_text("utf-8"))
    assert {key.removeprefix("no.") for key in english if key.startswith("no.")} == codes - programs
