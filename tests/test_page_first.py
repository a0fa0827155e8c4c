"""The first minute on the page: cards that start in one click, a board that is set up, guides that
point, rules with captions, an address that leads nowhere."""

import json
import re
import time
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, WebSocketRoute, expect

from browser import HERE, LANGUAGES, Window, random_record
from servers import Person, Tegel
from tegel import games, record

FITS = """() => [...document.querySelectorAll('main button, main a, main h2, main p, main strong')]
  .filter(one => one.offsetParent && getComputedStyle(one).clipPath === 'none')
  .filter(one => getComputedStyle(one).display !== 'inline')
  .filter(one => one.scrollWidth > one.clientWidth + 1)
  .map(one => one.textContent.trim())"""
"""The texts that are wider than their room."""


def card(page: Page, name: str) -> Locator:
    return page.get_by_role("article", name=name, exact=True)


def room(window: Window) -> dict[str, Any]:
    """The table that the window is at."""
    window.page.wait_for_selector("svg.scene")
    id = window.page.url.rpartition("/")[2]
    found: dict[str, Any] = window.context.request.get(f"/api/rooms/{id}").json()
    return found


def spoken(window: Window, language: str) -> Page:
    """The front page in a language, with its cards."""
    window.page.evaluate(
        """language => localStorage.setItem('tegel',
          JSON.stringify({ ...JSON.parse(localStorage.getItem('tegel') ?? '{}'), language }))""",
        language,
    )
    page = window.open("/")
    page.wait_for_selector(f"html[lang={language}] article")
    page.wait_for_load_state("networkidle")
    return page


# Cards


def test_a_card_shows_and_remembers_what_it_starts_in_one_click(desk: Window) -> None:
    page = desk.open("/")
    blokus = card(page, "Blokus")
    duo, four = (blokus.get_by_role("button", name=text, exact=True) for text in ("Duo", "Four"))
    expect(duo).to_have_attribute("aria-pressed", "true")
    expect(blokus.locator("img")).to_have_attribute("src", re.compile("start=duo"))
    expect(blokus).to_contain_text("Level 2 easy")
    four.click()
    expect(four).to_have_attribute("aria-pressed", "true")
    expect(duo).to_have_attribute("aria-pressed", "false")
    expect(blokus.locator("img")).to_have_attribute("src", re.compile("start=four"))
    expect(blokus).to_contain_text("Four players, one colour each")
    blokus.get_by_role("button", name="Harder").click()
    expect(blokus).to_contain_text("Level 3 fair")
    page.reload()
    expect(four).to_have_attribute("aria-pressed", "true")
    blokus.get_by_role("button", name="Play: Blokus").click()
    made = room(desk)
    assert made["variant"] == "classic"
    assert [chair.get("level", 0) for chair in made["seats"]] == [0, 3, 3, 3]

    page = desk.open("/")
    imago = card(page, "Imago")
    expect(imago.get_by_role("button", name="Colours their pattern counts")).to_be_visible()
    imago.get_by_role("button", name="Shapes").click()
    imago.get_by_label("More choices: Imago").click()
    imago.get_by_role("button", name="Play on this screen").click()
    made = room(desk)
    assert (made["variant"], made["you"]) == ("shapes", [0, 1])


def test_the_front_page_fits_a_desk_and_a_phone_in_five_languages(
    desk: Window, phone: Window
) -> None:
    desk.open("/")
    phone.open("/")
    for language in LANGUAGES:
        page = spoken(desk, language)
        assert page.evaluate("document.documentElement.scrollWidth") <= 1280
        assert not page.evaluate(FITS), language
        cards = page.locator("article").all()
        assert len(cards) == len(games.names())
        for one in cards:
            tops = {round(chip.bounding_box()["y"]) for chip in one.locator(".chip").all()}  # type: ignore[index]
            assert len(tops) == 1, "all chips of a game stand in one row"
        plays = {round(play.bounding_box()["y"]) for play in page.locator(".play").all()}  # type: ignore[index]
        assert len(plays) == 1, "Play stands on one line in all of them"
        for low in page.locator(".below > section").all():
            box = low.bounding_box()
            assert box
            assert box["y"] + box["height"] <= 800, (language, "is in view")

        page = spoken(phone, language)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        assert not page.evaluate(FITS), language
        for play in page.locator(".play").all():
            box = play.bounding_box()
            assert box
            assert box["y"] + box["height"] <= 844, "all games can be started without scrolling"
            assert box["height"] >= 44
    opened = page.locator("article.opened")
    expect(opened).to_have_count(1)
    page.locator("article").nth(3).locator(".toggle").tap()
    expect(page.locator("article").nth(3).locator(".chip").first).to_be_visible()
    expect(opened).to_have_count(1)


def won_by_the_last_move() -> str:
    """A game of Duo, less its last move, which whoever is to move will have won."""
    for seed in range(50):
        text = random_record("blokus", "duo", lambda state: bool(state.outcome), seed=seed)
        whole = record.parse(text)
        before = games.final(record.Record("blokus", "duo", moves=whole.moves[:-1]))
        mine, theirs = before.scores[before.turn], before.scores[1 - before.turn]
        if mine > theirs + 5:
            return text
    raise AssertionError("no such game")


def test_after_a_win_the_next_level_is_suggested(desk: Window) -> None:
    text = won_by_the_last_move()
    desk.continued(text, len(record.parse(text).moves) - 1, level=2)
    desk.finish()
    expect(desk.page.get_by_role("button", name="Try level 3")).to_be_visible()
    page = desk.open("/")
    yours = page.get_by_role("region", name="Your games")
    expect(yours).to_contain_text("Blokus: Won against Tegel 2.")
    yours.get_by_role("button", name="Try level 3").click()
    assert [chair.get("level", 0) for chair in room(desk)["seats"]] == [0, 3]
    page = desk.open("/")
    expect(card(page, "Blokus")).to_contain_text("Level 3")
    expect(page.get_by_role("button", name="Try level 3")).to_have_count(0)


def test_the_puzzle_of_the_day_is_on_the_front_page(desk: Window) -> None:
    page = desk.open("/")
    today = page.get_by_role("region", name="Puzzle of the day")
    expect(today.get_by_role("img", name=re.compile("Grade [1-5] of 5"))).to_be_visible()
    today.get_by_role("button").click()
    assert room(desk)["variant"].startswith("daily-")


# Lists


def test_your_games_count_moves_and_say_with_whom(server: Tegel, desk: Window) -> None:
    page = desk.page
    desk.room(game="tantrix", variant="two", seats=HERE)
    assert desk.turn()
    desk.play()
    assert desk.ply > 2, "draws and the start are rows of the log too"
    yours = desk.open("/").get_by_role("region", name="Your games")
    expect(yours).to_contain_text("1 move")
    desk.room(game="blokus", variant="duo")
    assert desk.turn()
    desk.open("/")
    expect(yours).to_contain_text("Tegel 1")
    expect(yours).to_contain_text("0 moves")
    expect(page.get_by_role("heading", name="Your games")).to_contain_text("2")
    found = desk.context.request.get("/api/my/rooms").json()
    assert sorted(one["moves"] for one in found) == [0, 1]
    assert all(one["ply"] > one["moves"] for one in found if one["game"] == "tantrix")
    assert Person(server, "Bob").ok("GET", "/api/my/rooms") == []


# The set-up


def at(page: Page, square: str) -> tuple[float, float]:
    """Where a square of a board of 20 by 20 is on the screen."""
    x, y = page.evaluate(
        """([column, row]) => {
          const point = new DOMPoint(column, -row).matrixTransform(
            document.querySelector('svg.scene').getScreenCTM())
          return [point.x, point.y]
        }""",
        [ord(square[0]) - ord("a"), int(square[1:]) - 1],
    )
    return x, y


def test_a_board_is_set_up_by_one_click_a_piece(desk: Window) -> None:
    page = desk.page
    desk.room(game="forma", variant="two", options={"assist": "on"}, seats=HERE)
    assert desk.turn()
    tower, obstacle = (page.locator(f'[data-tile="{tile}"]') for tile in ("tower", "obstacle"))
    begin = page.get_by_role("button", name="Begin")
    stones = page.locator('svg.scene [href="#s-obstacle.0"]')
    expect(tower).to_have_attribute("aria-pressed", "true")
    expect(tower).to_contain_text("0 / 1")
    expect(begin).to_be_disabled()
    expect(begin).to_contain_text("put the tower first")
    expect(page.locator(".border")).to_have_count(1)

    def click(square: str) -> None:
        ply = desk.ply
        page.mouse.click(*at(page, square))
        desk.moved(ply)
        assert desk.turn()

    click("k12")
    expect(page.locator('svg.scene [href="#s-tower.0"]')).to_have_count(1)
    expect(tower).to_contain_text("1 / 1")
    expect(begin).to_be_enabled()
    expect(begin).not_to_contain_text("put the tower first")
    expect(obstacle).to_have_attribute("aria-pressed", "true")
    click("c4")
    click("f16")
    expect(obstacle).to_contain_text("2 / 25")
    expect(stones).to_have_count(2)
    expect(obstacle).to_have_attribute("aria-pressed", "true")
    click("c4")  # on a piece: it is taken back
    expect(obstacle).to_contain_text("1 / 25")
    click("k12")
    expect(tower).to_have_attribute("aria-pressed", "true")
    expect(begin).to_be_disabled()
    page.get_by_role("button", name="Scatter them for me").click()
    expect(obstacle).to_contain_text("12 / 25")
    expect(tower).to_contain_text("1 / 1")
    begin.click()
    expect(page.locator('.tray [data-tile="X"]')).to_have_count(1)


def test_pieces_are_scattered_to_the_end_however_late_an_answer_is(desk: Window) -> None:
    late: list[str | bytes] = []

    def held(route: WebSocketRoute) -> None:
        server = route.connect_to_server()

        def told(message: str | bytes) -> None:
            if json.loads(message)["t"] == "moved":
                late.append(message)
                if len(late) == 3:
                    time.sleep(4)
            route.send(message)

        server.on_message(told)

    desk.page.route_web_socket(re.compile("/api/"), held)
    desk.room(game="forma", variant="two", options={"assist": "on"}, seats=HERE)
    assert desk.turn()
    desk.page.get_by_role("button", name="Scatter them for me").click()
    expect(desk.page.locator('[data-tile="obstacle"]')).to_contain_text("12 / 25")
    expect(desk.page.locator('[data-tile="tower"]')).to_contain_text("1 / 1")
    assert len(late) >= 13


def test_a_finger_sets_up_and_the_button_to_begin_is_in_view(phone: Window) -> None:
    page = phone.page
    phone.room(game="forma", variant="two", options={"assist": "on"}, seats=HERE)
    assert phone.turn()
    ply = phone.ply
    page.touchscreen.tap(*at(page, "k12"))
    phone.moved(ply)
    expect(page.locator('[data-tile="tower"]')).to_contain_text("1 / 1")
    begin = page.get_by_role("button", name="Begin").bounding_box()
    assert begin
    assert begin["y"] + begin["height"] <= 844


# Guides and rules


@pytest.mark.parametrize("name", games.names())
def test_a_guide_points_at_the_tile_and_the_place(desk: Window, name: str) -> None:
    page = desk.open(f"/guide/{name}")
    page.wait_for_selector("svg.scene")
    own = 0
    while (forward := page.get_by_role("button", name=re.compile("^(Next|Show me)$"))).count():
        step = page.locator("header .muted, main .muted").get_by_text(re.compile(r"^Step \d"))
        count = step.inner_text()
        expect(page.locator(".over .glow").first).to_be_visible()
        if forward.inner_text() == "Show me":
            own += 1
            expect(page.locator(".tile.glow, .choices .glow, .over .glow").nth(1)).to_be_visible()
            forward.click()
            page.locator("aside .primary:enabled").click()
        else:
            forward.click()
        expect(step).not_to_have_text(count)
    assert own >= 2


def test_rules_have_their_words_below_the_pictures(desk: Window) -> None:
    page = desk.open("/rules/blokus")
    page.wait_for_selector("figure")
    captions = page.locator("figure.no figcaption")
    expect(captions).to_have_count(2)
    for caption in captions.all():
        expect(caption).to_be_visible()
        expect(caption).to_contain_text("Not allowed")
    expect(page.locator("figure", has_text="The 21 tiles")).to_be_visible()
    page = desk.open("/rules/tantrix")
    expect(page.locator("figure.no figcaption", has_text="Not allowed")).to_have_count(3)
    page = desk.open("/rules/imago")
    for reading in ("colours", "shapes"):
        picture = page.locator(f"figure:has(img[src*='reading-{reading}'])")
        expect(picture.locator("figcaption")).to_contain_text(re.compile(reading, re.I))


# Addresses


def test_an_unknown_address_gets_a_page_and_programs_get_json(desk: Window) -> None:
    page = desk.page
    for path in ("/nowhere", "/rules/chess", "/guide/chess", "/new/chess", "/r"):
        desk.open(path)
        expect(page.get_by_role("heading", level=1)).to_have_text("There is nothing here")
    asked = desk.context.request
    html = asked.get("/nowhere", headers={"accept": "text/html,*/*"})
    assert (html.status, html.headers["content-type"]) == (404, "text/html; charset=utf-8")
    for path in ("/nowhere", "/api/nowhere", "/assets/nothing.js"):
        answer = asked.get(path, headers={"accept": "*/*"})
        assert (answer.status, answer.json()["code"]) == (404, "http")
    page.get_by_role("link", name="To the games").click()
    expect(page.locator("article").first).to_be_visible()
    desk.wrong.clear()  # the browser notes what is missing


# Playing on


def test_playing_on_keeps_the_level_and_is_offered_where_one_can(desk: Window) -> None:
    page, asked = desk.page, desk.context.request
    text = won_by_the_last_move()
    plies = len(record.parse(text).moves)
    id = desk.continued(text, plies - 1, level=2)
    desk.finish()
    desk.open(f"/r/{id}/replay")
    button = page.get_by_role("button", name="Play on from here")
    expect(page.locator(".controls .muted")).to_have_text(re.compile(r"^(\d+) / \1$"))
    expect(button).to_have_count(0)  # the game is over there
    page.get_by_role("slider").fill("3")
    button.click()
    page.wait_for_url(lambda url: "/replay" not in url)
    seats = room(desk)["seats"]
    assert sorted(chair.get("level", 0) for chair in seats) == [0, 2]
    on = desk.page.url.rpartition("/")[2]
    desk.open(f"/r/{on}/replay")
    expect(page.get_by_role("link", name="Board", exact=True)).to_be_visible()
    expect(button).to_have_count(0)  # it goes on there already

    told = text.replace("\n\n", "\nseat-1: Ann\nseat-2: bot 7\n\n", 1)
    kept = asked.post("/api/records", data=told, headers={"content-type": "text/plain"}).json()
    for ply, levels in ((2, [0, 7]), (3, [7, 0])):
        wish = {"source": f"records/{kept['id']}", "ply": ply}
        made = asked.post("/api/rooms/continued", data=wish).json()
        assert [chair.get("level", 0) for chair in made["seats"]] == levels
