"""What moves on the page, and that nothing does where less motion is wanted."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from browser import DESK, HERE, Window, picture
from servers import Tegel

# Notes every animation that ever runs: its name or, if a script made it, the class of what
# it moves; and how long it takes.
WATCH = """() => {
  window.moved = {}
  const look = () => {
    for (const animation of document.getAnimations()) {
      const { duration } = animation.effect.getTiming()
      const name = animation.animationName ?? animation.effect.target.getAttribute('class') ?? ''
      if (duration > 1) window.moved[name.replace(/svelte-\\w+-?/g, '').trim()] = duration
    }
    requestAnimationFrame(look)
  }
  look()
}"""
MOVING = """new Promise((done) => {
  requestAnimationFrame(() => done(document.getAnimations().length))
})"""
STILL = "() => !document.getAnimations().some(({ effect }) => effect.target.matches('.piece'))"
ROOM: dict[str, Any] = {"layout": "random", "assist": "off"}


@pytest.fixture
def moving(browser: Browser, server: Tegel) -> Iterator[Window]:
    window = Window(browser, server, **DESK, reduced_motion="no-preference")
    yield window
    window.close()


@pytest.fixture
def still(browser: Browser, server: Tegel) -> Iterator[Window]:
    window = Window(browser, server, **DESK, reduced_motion="reduce")
    yield window
    window.close()


def seen(window: Window, *names: str) -> dict[str, float]:
    """What has moved, once those named have; without any, after a while."""
    if names:
        window.page.wait_for_function("names => names.every((one) => one in moved)", arg=[*names])
    else:
        window.page.wait_for_timeout(400)
    found: dict[str, float] = window.page.evaluate("moved")
    return found


def misfit(window: Window) -> None:
    page = window.page
    window.room(game="forma", variant="two", options=ROOM, seats=HERE)
    assert window.turn()
    page.evaluate(WATCH)
    tower = page.locator('svg.scene [href="#s-tower.0"]').bounding_box()
    assert tower
    page.locator('[data-tile="X"]').first.click()
    ply = window.ply
    page.mouse.click(tower["x"] + tower["width"] / 2, tower["y"] + tower["height"] / 2)
    window.moved(ply)


def test_a_tile_settles_and_the_last_move_glows(moving: Window) -> None:
    moving.room(game="blokus", variant="duo", seats=HERE)
    assert moving.turn()
    moving.page.evaluate(WATCH)
    moving.play()
    found = seen(moving, "glow", "piece")
    assert found["glow"] > 100
    assert 100 < found["piece"] < 400


def test_a_misfit_is_dramatic(moving: Window) -> None:
    misfit(moving)
    seen(moving, "missed", "drama")
    expect(moving.page.locator(".drama")).to_contain_text("X does not fit")
    expect(moving.page.locator(".drama")).to_be_hidden()  # and then goes out of the way


def test_a_stone_flies_to_its_stock_and_a_claim_is_stamped(moving: Window) -> None:
    page = moving.page
    moving.room(game="imago", variant="imago", seats=HERE)
    assert moving.turn()
    page.evaluate("""() => {
      window.ways = []
      const animate = Element.prototype.animate
      Element.prototype.animate = function (frames, options) {
        const text = JSON.stringify(frames)
        if (this.matches('.piece') && text.includes('translate(')) window.ways.push(text)
        return animate.call(this, frames, options)
      }
    }""")
    moving.play()
    page.wait_for_function("() => ways.length > 0")
    first = page.evaluate("JSON.parse(ways[0])[0].transform")
    x, y = (abs(float(v)) for v in re.findall(r"(-?[\d.]+)px", first))
    assert x + y > 1, "from its hollow, a way off"
    moving.continued(picture("imago", "asked"))
    assert moving.turn()
    page.evaluate(WATCH)
    claim = page.locator(".choices button", has_text="Claim").first
    ply = moving.ply
    claim.click()
    moving.moved(ply)
    assert seen(moving, "piece")["piece"] > 100
    expect(page.locator("svg.scene [href='#s-seal']")).to_have_count(1)


def test_what_has_left_is_gone_after_its_motion(moving: Window) -> None:
    page = moving.page
    moving.room(game="imago", variant="imago", seats=HERE)
    for pick in range(6):
        assert moving.turn()
        moving.play(pick=3 * pick)
        page.wait_for_function(STILL)
    count = page.locator(".piece").count()
    page.reload()
    assert moving.turn()
    expect(page.locator(".piece")).to_have_count(count)


def test_nothing_moves_where_less_motion_is_wanted(still: Window) -> None:
    misfit(still)
    expect(still.page.locator(".missed")).to_be_visible()
    expect(still.page.locator(".drama")).to_be_visible()
    assert not seen(still)
    for game, variant in (("blokus", "duo"), ("imago", "imago"), ("tantrix", "two")):
        still.room(game=game, variant=variant, seats=HERE)
        assert still.turn()
        still.page.evaluate(WATCH)
        still.play()
        assert not seen(still), game


def test_themes_turn_at_once_where_less_motion_is_wanted(still: Window) -> None:
    """Not even for a moment: a colour that is handed down would turn later than its parent's."""
    page = still.open("/rules/blokus")
    page.wait_for_selector("article strong")
    for theme in ("dark", "light"):
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        page.wait_for_selector(f"html[data-theme={theme}]")
        assert page.evaluate(MOVING) == 0
