"""Who sits where: a seat has one name wherever it is spoken of, partners are shown, scores say
what was gained, and clocks what a turn adds."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from browser import DESK, PHONE, Window
from servers import Tegel


@pytest.fixture(scope="module")
def window(browser: Browser, server: Tegel) -> Iterator[Window]:
    window = Window(browser, server, **DESK)
    yield window
    window.close()


def test_scores_tell_what_was_gained_with_the_printed_score_at_hand(window: Window) -> None:
    page = window.page
    window.room(game="blokus", variant="two")
    assert window.turn()
    seat = page.locator(".seat").first
    expect(seat.locator("strong")).to_have_text("0")
    expect(seat.locator("strong")).to_have_attribute("title", "squares placed")
    expect(seat.locator(".printed")).to_have_text("\N{MINUS SIGN}178")
    window.play()  # the largest come first
    expect(seat.locator("strong")).to_have_text("5")
    expect(seat.locator(".printed")).to_have_text("\N{MINUS SIGN}173")
    page.set_viewport_size(PHONE["viewport"])
    expect(seat.locator(".printed")).to_be_hidden()
    page.get_by_role("button", name="You: Hands").click()
    expect(page.locator(".hands li").first).to_contain_text("\N{MINUS SIGN}173")
    page.set_viewport_size(DESK["viewport"])


def test_partners_stand_together_and_are_named(window: Window) -> None:
    window.room(game="blokus", variant="teams", bots=3, clock="bank 300 5")
    assert window.turn()
    seats = window.page.locator(".seat")
    assert seats.first.inner_text().startswith("You"), "one's own comes first"
    sides = window.page.locator(".side")
    expect(sides).to_have_count(2)
    for side in sides.all():
        expect(side.locator(".seat")).to_have_count(2)
    expect(seats.nth(0)).to_contain_text("with Tegel 1")
    expect(seats.nth(1)).to_contain_text("with You")
    assert re.search(r"\d:\d\d \+5", seats.first.inner_text()), "what a turn adds"


def test_a_seat_has_one_name(window: Window) -> None:
    """In its box, the list of moves, what is said of a move, and above its stock."""
    page = window.page
    window.room(game="tantrix", variant="two")
    assert window.turn()
    window.play()
    assert window.turn()
    live = page.locator('main [aria-live="polite"]')
    expect(live).to_contain_text("Tegel 1 ")
    assert "Player" not in page.locator("body").inner_text()
    window.room(game="imago", variant="imago")
    assert window.turn()
    window.play()
    assert window.turn()
    titles = page.locator("svg.scene .title:not(.note)").all_text_contents()
    assert titles == ["You", "Tegel 1"]
    expect(page.locator(".moves")).to_contain_text("Tegel 1")
    text = page.locator("main").inner_text()
    assert not re.search(r"\b(left|right)\b", text, re.I), text
