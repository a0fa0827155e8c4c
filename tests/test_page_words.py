"""What the page says of a game is in the reader's language: titles, choices, and what a screen
reader hears of marks."""

import pytest
from playwright.sync_api import Browser, expect

from browser import DESK, LANGUAGES, Window, picture
from servers import Tegel
from tegel.words import words


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_table_is_in_the_readers_words(
    browser: Browser,
    server: Tegel,
    language: str,
) -> None:
    window = Window(browser, server, locale=language, **DESK)
    page = window.page
    said = words("tantrix", language)
    window.room(game="tantrix", variant="two", options={"colours": "chosen"})
    assert window.turn()
    buttons = page.locator(".choices button").all_inner_texts()
    assert buttons
    assert set(buttons) <= set(said["choices"].values())
    expect(page.locator("main")).to_contain_text(said["planes"]["bag"])

    said = words("imago", language)
    window.continued(picture("imago", "claimed"))
    assert window.turn()
    page.locator("svg.scene").focus()
    heard = []
    for key in ("ArrowUp", "ArrowUp", *["ArrowRight"] * 5):
        page.keyboard.press(key)
        heard.append(page.locator('[aria-live="polite"]').last.inner_text())
    stone = said["marks"]["tile"].format(colour=said["colours"]["G"])
    assert heard[-2] == f"e4, {stone}, {said['marks']['claimed']}", heard
    window.close()


def test_rule_pictures_follow_language_and_theme(
    browser: Browser,
    server: Tegel,
) -> None:
    window = Window(browser, server, locale="de", color_scheme="dark", **DESK)
    page = window.open("/rules/tantrix")
    image = page.locator("article img[src*='table.svg']")
    for theme in ("dark", "light"):
        page.emulate_media(color_scheme=theme)
        drawn = f"/api/games/tantrix/pictures/table.svg?language=de&theme={theme}"
        expect(image).to_have_attribute("src", drawn)
    page.wait_for_function("image => image.naturalWidth > 0", arg=image.element_handle())
    window.close()
