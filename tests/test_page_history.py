"""Finished games on the page: found, filtered, looked at again; ratings; what others see."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from browser import DESK, LANGUAGES, PHONE, Window
from servers import Person, Tegel
from test_page_people import tab_to
from test_ratings import play

SERVE = ("--keep-days", "365", "--proxy", "127.0.0.1")
ELSEWHERE = {"extra_http_headers": {"X-Forwarded-For": "192.0.2.1"}}


UNRATED = {
    "de": "zählt diese Partie nicht für die Wertung", "fr": "ne compte donc pas pour le classement",
    "it": "non conta per il punteggio", "nl": "telt deze partij niet voor de rating",
    "en": "People on the same network play here, so this game does not count for ratings.",
}  # fmt: skip


@pytest.fixture(scope="module")
def mara(browser: Browser, server: Tegel) -> Iterator[Window]:
    """A window of somebody with a few games: two rated ones, three against bots, all resigned."""
    window = Window(browser, server, **DESK)
    window.open("/")
    cookies = {one["name"]: one["value"] for one in window.context.cookies()}
    mara, jonas, lena = (
        Person(server, "Mara", cookies=cookies),
        Person(server, "Jonas", address="127.0.0.2"),
        Person(server, "Lena", address="127.0.0.3"),
    )
    play(mara, jonas, loser=jonas)
    play(lena, mara, loser=mara, variant="two")
    for game, variant, level in (("blokus", "duo", 1), ("blokus", "duo", 3), ("imago", "imago", 1)):
        seats = [{"kind": "person"}, {"kind": "bot", "level": level}]
        room = mara.room(game=game, variant=variant, seats=seats)["id"]
        mara.do(room, "resign", seat=0)
    yield window
    window.close()


def listed(page: Page) -> list[str]:
    """Against whom the games were that are listed."""
    page.wait_for_selector(".list li, .list .none")
    return page.locator(".list li strong").all_text_contents()


def test_filters_are_in_the_address_and_combine(mara: Window) -> None:
    page = mara.open("/me/games")
    assert listed(page) == ["Tegel 1", "Tegel 3", "Tegel 1", "Lena", "Jonas"]
    chips = page.get_by_role("group", name="Game").get_by_role("button")
    assert chips.all_text_contents() == ["All 5", "Blokus 4", "Imago 1"]
    page.get_by_role("button", name="Blokus 4").click()
    expect(page.get_by_role("button", name="Blokus 4")).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".list li")).to_have_count(4)
    page.get_by_label("Result", exact=True).select_option("lost")
    expect(page.locator(".list li")).to_have_count(3)
    page.get_by_label("People and bots").select_option("people")
    expect(page.locator(".list li strong")).to_have_text(["Lena"])
    assert page.url.endswith("/me/games?game=blokus&how=lost&against=people")
    page.reload()
    assert listed(page) == ["Lena"], "an address can be kept"
    page.get_by_label("Opponent").fill("jon")
    expect(page.get_by_text("No game is like that.")).to_be_visible()
    page.get_by_role("button", name="Without “Lost”: 1 game").click()
    expect(page.locator(".list li strong")).to_have_text(["Jonas"])
    expect(page.get_by_role("button", name="All 5")).to_be_visible()


def test_a_row_says_how_it_was_and_leads_to_the_replay_by_keyboard(mara: Window) -> None:
    page = mara.open("/me/games?opponent=jonas")
    row = page.get_by_role("link", name=re.compile("^Jonas"))
    expect(row).to_contain_text(re.compile(r"Jonas\s*1\d\d\d.*Blokus · Duo · Rated.*Won"))
    expect(row).to_contain_text(re.compile(r"by resignation.*2 moves.*5\smin \+\s5\ss"))
    expect(page.get_by_text("This host keeps games for 365 days.")).to_be_visible()
    tab_to(mara, ".list li a")
    page.keyboard.press("Enter")
    page.wait_for_selector("svg.scene")
    assert re.search(r"/r/\w+/replay", page.url)
    page.go_back()
    assert listed(page) == ["Jonas"]
    assert page.url.endswith("?opponent=jonas")


def test_ratings_and_sums_stand_beside_the_list(mara: Window) -> None:
    page = mara.open("/me/games")
    rating = page.get_by_role("region", name="Rating")
    expect(rating.locator(".figure strong")).to_have_text(re.compile(r"^1[45]\d\d$"))
    expect(rating).to_contain_text("provisional")
    expect(rating.locator(".doubtful")).to_have_attribute("d", re.compile("^M"))
    expect(rating.get_by_role("img")).to_have_attribute("aria-label", re.compile("in 2 games$"))
    sums = page.get_by_role("region", name="Statistics")
    expect(sums.get_by_role("row", name=re.compile("^Blokus 4 1 0"))).to_be_visible()
    sums.get_by_role("button", name="By variant").click()
    expect(sums.get_by_role("row", name=re.compile("^Blokus · Duo 3 1 0"))).to_be_visible()
    bots = page.get_by_role("region", name="Against bots")
    expect(bots.get_by_role("listitem")).to_have_text([re.compile("0 of 2"), re.compile("0 of 1")])


def test_others_see_what_one_says_they_may(mara: Window, other: Window) -> None:
    page = mara.open("/me/games")
    page.get_by_text("What others see").click()
    mine = page.get_by_role("link", name="My page, as others see it").get_attribute("href")
    assert mine
    theirs = other.open(mine)
    expect(theirs.get_by_role("heading", name="There is nothing here")).to_be_visible()
    other.wrong.clear()  # the console tells that, too
    with page.expect_response("**/api/me/profile"):
        page.get_by_label("My statistics").check()
    theirs.reload()
    expect(theirs.get_by_role("region", name="Statistics")).to_be_visible()
    expect(theirs.locator(".list li")).to_have_count(0)
    theirs.goto("/best/blokus")
    expect(theirs.get_by_text("Nobody yet.")).to_be_visible()


def test_who_keeps_a_name_has_a_page_by_it(server: Tegel, other: Window) -> None:
    käthe = Person(server)
    käthe.ok("POST", "/api/me/account", {"handle": "Käthe"})
    room = käthe.room(seats=[{"kind": "person"}] * 2)["id"]
    käthe.do(room, "resign", seat=0)
    käthe.ok("PUT", "/api/me/profile", {"games": True})
    page = other.open("/@Käthe")
    expect(page.get_by_role("heading", level=1)).to_have_text("@Käthe")
    expect(page.locator(".list li")).to_have_count(1)
    seen = page.locator(".list").bounding_box()
    assert seen
    assert seen["width"] > 1000, "the list has the page alone"
    assert other.context.request.get("/@Käthe").status == 200
    other.open("/@Nobody-1")
    expect(page.get_by_role("heading", name="There is nothing here")).to_be_visible()
    other.wrong.clear()  # it was refused, as it should be


def test_a_guest_without_games_is_told_how_to_begin(other: Window) -> None:
    page = other.open("/me/games")
    expect(page.get_by_text("Games that are over come here.")).to_be_visible()
    page.get_by_role("main").get_by_role("link", name="Play").click()
    page.wait_for_selector("article")


def test_a_table_is_marked_as_rated_before_it_begins(browser: Browser, server: Tegel) -> None:
    """Made so by one, seen so by the other; it counts for both when it is over."""
    host = Window(browser, server, **DESK)
    other = Window(browser, server, **DESK, **ELSEWHERE)
    page = host.open("/new/blokus")
    page.get_by_label("Variant").select_option("duo")
    rated = page.get_by_role("checkbox", name=re.compile("^Rated:"))
    expect(rated).to_have_count(0)
    page.get_by_label("Seat 2").select_option("open")
    expect(rated).to_be_disabled()
    page.get_by_role("combobox", name="Clock").select_option("bank 300 5")
    rated.check()
    page.get_by_role("button", name="Start").click()
    page.wait_for_selector("svg.scene")
    expect(page.get_by_role("banner")).to_contain_text("Rated")
    room = page.url.rpartition("/")[2]
    invited = other.open(f"/j/{room}")
    expect(invited.get_by_text(re.compile("the clock · Rated$"))).to_be_visible()
    theirs = other.open(f"/r/{room}")
    told = theirs.get_by_text("This game counts for the ratings of all")
    expect(told.locator("visible=true").first).to_be_visible()
    cookies = {one["name"]: one["value"] for one in other.context.cookies()}
    guest = Person(server, cookies=cookies, address="127.0.0.2")
    guest.do(room, "sit", seat=1)
    for window in (host, other):
        assert window.turn()
        expect(window.page.get_by_role("button", name="Take back")).to_have_count(0)
        window.play()
    guest.do(room, "resign")
    page.wait_for_selector('main[data-over="true"]')
    host.open("/me/games")
    expect(page.locator(".figure strong")).to_have_text(re.compile(r"^1[56]\d\d$"))
    other.open("/me/games")
    expect(theirs.locator(".figure strong")).to_have_text(re.compile(r"^14\d\d$|^13\d\d$"))
    host.close()
    other.close()


def test_a_table_says_before_it_begins_that_a_game_within_one_network_does_not_count(
    browser: Browser, server: Tegel, ann: Person
) -> None:
    """To who is invited, and to both when they sit; in all languages."""
    room = ann.room(rated=True, clock="bank 300 5")["id"]
    host = Window(browser, server, **PHONE)
    host.context.add_cookies(
        [
            {"name": name, "value": value, "url": server.url}
            for name, value in ann.http.cookies.items()
        ]
    )
    first = host.open(f"/r/{room}")
    counts = first.get_by_text("This game counts for the ratings of all").locator("visible=true")
    expect(counts.first).to_be_visible()
    for language, said in UNRATED.items():
        guest = Window(browser, server, **DESK, locale=language)
        page = guest.open(f"/j/{room}")
        expect(page.get_by_text(said)).to_be_visible()
        expect(page.locator("dl.card")).not_to_contain_text("Rated")
        if language == "en":
            page.get_by_label("Your name at the table").fill("Bob")
            page.locator("main form button.primary").click()
            for each in (page, first):
                expect(each.get_by_text(said).locator("visible=true").first).to_be_visible()
            expect(page.get_by_role("banner")).not_to_contain_text("Rated")
        guest.close()
    host.close()


SMALL = """() => [...document.querySelectorAll('main :is(a, button, select, input, summary)')]
  .filter((one) => one.offsetParent && one.getBoundingClientRect().height < 43.5
    && !one.closest('p') && one.type !== 'checkbox')
  .map((one) => `${one.outerHTML.slice(0, 90)} ${one.getBoundingClientRect().height}`)"""


def test_on_a_phone_nothing_is_cut_off_or_small(browser: Browser, mara: Window) -> None:
    """In five languages."""
    window = Window(browser, mara.server, **PHONE)
    window.context.add_cookies(mara.context.cookies())  # type: ignore[arg-type]
    page = window.page
    for language in LANGUAGES:
        window.open("/about")
        page.evaluate('l => localStorage.setItem(\'tegel\', `{"language": "${l}"}`)', language)
        for path in ("/me/games", "/me/games?game=imago&how=won", "/best/tantrix"):
            window.open(path).wait_for_selector(".list li, .list .none, main > section p")
            assert page.get_attribute("html", "lang") == language
            for width in (390, 360):
                page.set_viewport_size({"width": width, "height": 740})
                wide = page.evaluate("document.documentElement.scrollWidth")
                assert wide <= width, (language, path, wide)
            assert page.evaluate(SMALL) == [], (language, path)
    window.close()
