"""Play someone, on the page: look for a player with two browsers, on a desk and on a phone; what
one does meanwhile; how it ends."""

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from browser import DESK, LANGUAGES, PHONE, WEB, Window, cut_off, soon
from searching import Search
from servers import Person, Tegel, until

SCREENS = [(390, 844), (360, 640), (844, 390), (820, 1180), (1280, 800), (1920, 1080)]
CUT = "button, a, h1, h2, h3, p, figcaption"


@pytest.fixture
def eve(server: Tegel) -> Person:
    """Who counts those who look."""
    return Person(server)


def looking(eve: Person) -> int:
    found: int = eve.ok("GET", "/api/searches")["all"]
    return found


WAITING = "Looking for a player"


def find(page: Page, game: str = "Imago", minutes: int = 5) -> None:
    """From the front page."""
    someone = page.get_by_role("region", name="Play someone")
    someone.get_by_role("button", name=game).click()
    someone.get_by_role("button", name=re.compile(f": {minutes}.min")).click()
    someone.get_by_role("button", name="Find a player").click()


def test_two_browsers_find_each_other_and_play(host: Window, guest: Window, eve: Person) -> None:
    page = host.open("/")
    find(page, minutes=15)
    expect(page.get_by_role("heading", level=1)).to_have_text(WAITING)
    expect(page.locator(".search")).to_contain_text("Imago · Colours")
    expect(page.locator(".search .fact").first).to_have_text(re.compile("15.min"))
    reach = page.locator("figcaption")
    expect(reach).to_have_text(re.compile(r"^Now from \d+ to \d+, next from \d+ to \d+$"))
    low, high, lower, higher = map(int, re.findall(r"\d+", reach.inner_text()))
    assert low + high == 3000  # around one's own; it widens as one waits
    assert (low - lower, higher - high) == (50, 50)
    expect(page.get_by_role("timer")).to_have_text(re.compile(r"0:\d\d"))
    page.reload()  # the search goes on
    expect(page.get_by_role("heading", level=1)).to_have_text(WAITING)
    until(lambda: looking(eve) == 1, "the search")
    other = guest.open("/find")
    other.get_by_role("button", name="Imago").tap()
    other.get_by_role("button", name=re.compile(": 15.min")).tap()
    other.get_by_role("button", name="Find a player").tap()
    for window in (host, guest):
        window.page.wait_for_selector("main.play[data-over=false]")
    assert host.page.url == guest.page.url
    until(lambda: looking(eve) == 0, "the end of the search", 5)
    yours = 'main[data-yours="true"]:has(.takeable)'
    assert soon(page, lambda: any(one.page.query_selector(yours) for one in (host, guest)))
    mover, watcher = (host, guest) if page.query_selector(yours) else (guest, host)
    for _ in range(2):
        assert mover.turn()
        ply = watcher.ply
        mover.play()
        watcher.moved(ply)
        mover, watcher = watcher, mover


def test_looking_stops_at_once_and_when_the_window_is_shut(
    host: Window, browser: Browser, server: Tegel, eve: Person
) -> None:
    page = host.open("/")
    find(page)
    until(lambda: looking(eve) == 1, "the search")
    page.get_by_role("button", name="Stop looking").click()
    expect(page.get_by_role("button", name="Find a player")).to_be_visible()
    until(lambda: looking(eve) == 0, "the end of the search", 5)
    window = Window(browser, server, **DESK)
    find(window.open("/"))
    until(lambda: looking(eve) == 1, "the search")
    window.close()
    until(lambda: looking(eve) == 0, "the end of the search", 5)


def test_a_bot_is_offered_after_half_a_minute_in_its_slot_and_the_search_goes_on(
    browser: Browser, server: Tegel, guest: Window, eve: Person
) -> None:
    window = Window(browser, server, **DESK)
    page = window.page
    page.clock.install()
    window.open("/")
    find(page, "Blokus")
    expect(page.get_by_role("heading", level=1)).to_have_text(WAITING)
    play = page.get_by_role("button", name="Play Tegel 2 now")
    expect(play).to_be_disabled()
    expect(page.get_by_role("button", name=re.compile("^(Start|Continue): Puzzle"))).to_be_visible()
    before = play.bounding_box()
    page.clock.fast_forward(31_000)
    expect(play).to_be_enabled()
    assert play.bounding_box() == before
    play.click()
    assert window.turn()
    against = page.url
    expect(page.get_by_role("link", name=WAITING)).to_be_visible()
    until(lambda: looking(eve) == 1, "the search")
    page.clock.pause_at(page.evaluate("Date.now()") / 1000 + 60)  # what is told stands a while
    find(guest.open("/"), "Blokus")
    expect(page.get_by_role("alert").filter(has_text="A player was found")).to_be_visible()
    page.clock.fast_forward(3000)
    page.clock.resume()
    guest.page.wait_for_selector("main.play")
    page.wait_for_function("url => location.href !== url", arg=against)
    assert page.url == guest.page.url
    expect(page.locator(".seat").get_by_role("img", name="here")).to_be_visible()
    yours = window.open("/").get_by_role("region", name="Your games")
    expect(yours).to_contain_text("Tegel 2")  # the game with the bot waits
    window.close()


def test_who_waits_for_somebody_who_does_not_come_goes_on_looking_by_itself(
    host: Window, guest: Window, eve: Person
) -> None:
    """At a desk and on a phone, each with somebody else who never sits down."""
    windows = ((host, "Imago"), (guest, "Blokus"))
    for window, game in windows:
        find(window.open("/"), game)
        expect(window.page.get_by_role("heading", level=1)).to_have_text(WAITING)
    until(lambda: looking(eve) == 2, "two searches")
    clock = "bank 300 5"
    ghosts = [
        Search(Person(eve.server), game="imago", variant="imago", clock=clock),
        Search(Person(eve.server), game="blokus", variant="duo", clock=clock),
    ]
    rooms = [ghost.wait("paired")["room"] for ghost in ghosts]
    for (window, _), room in zip(windows, rooms, strict=True):
        window.page.wait_for_url(f"**/r/{room}")
        expect(window.page.get_by_text("your search goes on by itself")).to_be_visible()
    for window, _ in windows:
        page = window.page
        page.wait_for_url("**/find", timeout=60_000)
        expect(page.get_by_role("heading", level=1)).to_have_text(WAITING)
        note = page.get_by_role("status").filter(has_text="The other player did not come.")
        expect(note).to_be_visible()
        waited = page.get_by_role("timer").last
        expect(waited).to_have_text(re.compile(r"^(0:[2-5]\d|[1-9]+:\d\d)$"))  # 20 seconds and more
        for width, height in SCREENS:
            page.set_viewport_size({"width": width, "height": height})
            assert not cut_off(page, CUT)
    host.page.set_viewport_size(DESK["viewport"])
    guest.page.set_viewport_size(PHONE["viewport"])
    late = ghosts[0].person  # who comes after all
    assert late.ok("GET", f"/api/rooms/{rooms[0]}")["result"]["reason"] == "noshow"
    assert late.ok("GET", "/api/my/rooms") == []
    for (window, _), ghost in zip(windows, ghosts, strict=True):
        person = Person(eve.server)
        room = Search(person, **ghost.wish).wait("paired")["room"]
        person.do(room, "sit", seat=person.ok("GET", f"/api/rooms/{room}")["held"][0])
        window.page.wait_for_url(f"**/r/{room}")
        expect(window.page.locator("main.play[data-over=false]")).to_be_visible()


def test_who_comes_too_late_is_told_that_the_game_was_called_off(host: Window, eve: Person) -> None:
    page = host.open("/")
    mine: dict[str, Any] = {"game": "tantrix", "variant": "two", "clock": "bank 300 5"}
    cookie = {one["name"]: one["value"] for one in host.context.cookies()}
    me = Person(eve.server, cookies=cookie)
    first, second = Search(me, **mine), Search(eve, **mine)
    room = first.wait("paired")["room"]
    assert second.wait("paired")["room"] == room
    eve.do(room, "sit", seat=eve.ok("GET", f"/api/rooms/{room}")["held"][0])
    until(lambda: eve.ok("GET", f"/api/rooms/{room}")["over"], "the end of waiting", 60)
    host.sit(room)
    expect(page.locator(".status")).to_have_text("Called off: not everybody came")
    expect(page.get_by_role("button", name="Play again")).to_have_count(0)
    page.locator("main").get_by_role("link", name="Play someone").click()
    expect(page.get_by_role("button", name="Find a player")).to_be_visible()
    assert eve.refused("POST", f"/api/rooms/{room}/rematch") == "over"


def test_open_tables_say_who_is_there_with_which_clock_and_joining_ends_the_search(
    host: Window, eve: Person
) -> None:
    lena = Person(eve.server, "Lena")
    room = lena.room(variant="classic", listed=True, clock="bank 300 5")["id"]
    page = host.open("/")
    find(page)
    table = page.get_by_role("listitem").filter(has_text="Lena")
    expect(table).to_contain_text(re.compile(r"Blokus · Four · 5.min \+.5.s · 1 of 4 seats taken"))
    table.get_by_role("link").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Lena invites you")
    assert page.url.endswith(room)
    until(lambda: looking(eve) == 0, "the end of the search", 5)


def test_the_words_of_a_search_fit_in_every_language(host: Window) -> None:
    page = host.open("/")
    find(page)
    bad = []
    for language in LANGUAGES:
        page.evaluate(
            """language => {
              const select = document.querySelector('header select')
              select.value = language
              select.dispatchEvent(new Event('change', { bubbles: true }))
            }""",
            language,
        )
        said = json.loads((WEB / "src" / "base" / "words" / f"{language}.json").read_text("utf-8"))
        for key in ("find.looking", "find"):
            expect(page.get_by_role("heading", level=1)).to_have_text(said[key])
            for width, height in SCREENS:
                page.set_viewport_size({"width": width, "height": height})
                bad += [(language, width, key, cut) for cut in cut_off(page, CUT)]
            name = said["find.stop"] if key == "find.looking" else said["find.do"]
            page.get_by_role("button", name=name).click()
    page.set_viewport_size(DESK["viewport"])
    page.get_by_role("button", name=said["find.stop"]).click()
    page.evaluate("localStorage.removeItem('tegel')")
    assert not bad, "\n".join(map(str, bad))
