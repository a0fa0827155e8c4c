"""Two people meet on the page: an invitation, who is here, who left, a question, a few words."""

import json
import re
from collections.abc import Iterator

from playwright.sync_api import Browser, Locator, Page, expect

from browser import DESK, LANGUAGES, PHONE, WEB, Window, cut_off, drawn, soon
from servers import Person, Tegel

SERVE = ("--grace", "3")
OPEN = [{"kind": "person"}, {"kind": "open"}]
SCREENS = [(390, 844), (360, 640), (844, 390), (820, 1180), (1280, 800)]
CUT = "button, a, h1, dd, dt, p, label"
BOX = """what => {
  const { left, top, right, bottom } = document.querySelector(what).getBoundingClientRect()
  return [left, top, right, bottom]
}"""


def both(host: Window, guest: Window, guest_name: str = "Jonas") -> str:
    """A game of Duo that Mara invited to, begun by her first move."""
    room = host.room(game="blokus", variant="duo", seats=OPEN, name="Mara")
    page = guest.open(f"/j/{room}")
    page.get_by_label("Your name at the table").fill(guest_name)
    page.keyboard.press("Enter")
    page.wait_for_selector("svg.scene")
    assert host.turn()
    host.play()
    assert guest.turn()
    return room


def sizes(page: Page) -> Iterator[tuple[int, int]]:
    was = page.viewport_size
    for width, height in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        drawn(page)
        yield width, height
    assert was
    page.set_viewport_size(was)


# An invitation


def test_an_invitation_says_who_invites_to_what_and_has_one_large_button(
    host: Window, guest: Window
) -> None:
    page = host.page
    room = host.room(game="blokus", variant="three", seats=[*OPEN, OPEN[1]], name="Mara",
                     clock="bank 300 5")  # fmt: skip
    expect(page.locator(".invite .code svg")).to_be_visible()
    link = page.get_by_role("textbox", name="Invite").input_value()
    assert link.endswith(f"/j/{room}")
    page = guest.open(link)
    expect(page.get_by_role("heading", level=1)).to_have_text("Mara invites you")
    expect(page.get_by_text("At the table, waiting for you")).to_be_visible()
    expect(page.locator(".invite, .code")).to_have_count(0)
    facts = page.locator("dl")
    expect(facts).to_contain_text("Blokus Three")
    expect(facts).to_contain_text("5\N{NO-BREAK SPACE}min +\N{NO-BREAK SPACE}5\N{NO-BREAK SPACE}s")
    expect(facts).to_contain_text("you, secondYellow")
    page.get_by_role("button", name="Red").click()  # any of the seats that are free
    expect(facts).to_contain_text("you, thirdRed")
    for size in sizes(page):
        tops = [page.evaluate(BOX, what)[1] for what in ("h1", ".there", "dl", "label", "form")]
        assert tops[:3] == sorted(tops[:3]) or size[0] > size[1], "in this order"
        left, top, right, bottom = page.evaluate(BOX, "form .primary")
        assert bottom <= size[1], (size, "above the fold")
        assert bottom - top >= 56
        assert right - left >= 200
        assert page.locator("main .primary:visible").count() == 1
    host.open("/")
    expect(page.get_by_text("Not at the table just now")).to_be_visible()
    page.get_by_label("Your name at the table").fill("")
    page.get_by_role("button", name="Join").tap()
    page.wait_for_selector("svg.scene")
    assert page.url.endswith(f"/r/{room}")
    host.sit(room)
    expect(host.page.locator(".seat", has_text="Guest")).to_have_count(1)
    assert page.evaluate("JSON.parse(localStorage.getItem('tegel')).name") == ""


def test_a_link_that_leads_to_no_seat_says_so_in_the_same_place(
    host: Window, guest: Window, browser: Browser, server: Tegel
) -> None:
    late = Window(browser, server, **DESK)
    room = host.room(game="blokus", variant="duo", seats=OPEN, name="Mara")
    page = late.open(f"/j/{room}")
    expect(page.get_by_role("button", name="Join")).to_be_visible()
    guest.open(f"/j/{room}").get_by_role("button", name="Join").tap()
    expect(page.get_by_role("heading", level=1)).to_have_text("This table is full")
    expect(page.get_by_role("button", name="Join")).to_have_count(0)
    page.get_by_role("button", name="Just watch").click()
    page.wait_for_selector("svg.scene")
    expect(page.locator(".status")).to_have_text(re.compile("to move"))
    assert host.turn()
    host.page.get_by_role("button", name="Resign").click()
    host.page.get_by_role("button", name="Really resign?").click()
    page.wait_for_selector("main[data-over=true]")
    late.open(f"/j/{room}")
    expect(page.get_by_role("heading", level=1)).to_have_text("This game is over")
    expect(page.locator("main")).to_contain_text(  # who may have a name from another test
        re.compile("Mara resigned: (Guest|Jonas) wins")
    )
    page.get_by_role("button", name="Look at it").click()
    page.wait_for_selector("svg.scene")
    late.open("/j/nowhere")
    expect(page.get_by_role("heading", level=1)).to_have_text("This invitation is no longer valid")
    expect(page.get_by_role("alert")).to_be_visible()
    page.wait_for_timeout(1500)
    expect(page.get_by_role("alert")).to_be_visible()  # and it is not asked for again
    page.get_by_role("link", name="To the games").click()
    late.close()


def test_the_words_of_an_invitation_fit_in_every_language(server: Tegel, host: Window) -> None:
    mara = Person(server, "Maximilian Alexander")
    seats = [{"kind": "person"}, *[{"kind": "open"}] * 3]
    room = mara.room(variant="classic", seats=seats, clock="days 3")["id"]
    page = host.open(f"/j/{room}")
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
        expect(page.locator("form .primary")).to_have_text(said["join"])
        for size in sizes(page):
            bad += [(language, size, cut) for cut in cut_off(page, CUT)]
            if page.evaluate(BOX, "form .primary")[3] > size[1]:
                bad.append((language, size, "the button is below the fold"))
    page.evaluate("localStorage.removeItem('tegel')")
    assert not bad, "\n".join(map(str, bad))


def test_a_phone_sends_the_link_itself(guest: Window) -> None:
    page = guest.page
    page.add_init_script("navigator.share = async (what) => { window.sent = what.url }")
    room = guest.room(game="imago", variant="imago", seats=OPEN)
    page.get_by_role("button", name="Send it").tap()
    page.wait_for_function("() => window.sent")
    assert page.evaluate("sent") == f"{guest.server.url}/j/{room}"
    expect(page.get_by_role("button", name="Copy link")).to_be_visible()


# Who is here, who left


def test_who_comes_and_goes_is_seen_on_the_other_side(host: Window, guest: Window) -> None:
    room = host.room(game="blokus", variant="duo", seats=OPEN, name="Mara", clock="bank 300 5")
    page = host.page
    for size in sizes(page):
        there = page.locator(".seat").get_by_role("img", name="here")
        guest.open(f"/j/{room}").wait_for_selector("main.join, svg.scene")
        if size == SCREENS[0]:
            guest.page.get_by_role("button", name="Join").tap()
        expect(there).to_be_visible()
        guest.open("/about")
        expect(there).to_have_count(0)
        expect(page.locator(".seat").get_by_role("img", name="away")).to_be_visible()
    guest.open(f"/r/{room}")
    expect(there).to_be_visible()
    guest.context.set_offline(True)
    guest.page.evaluate("location.reload()")
    expect(there).to_have_count(0)
    guest.context.set_offline(False)
    guest.open(f"/r/{room}")
    expect(there).to_be_visible()
    guest.wrong.clear()  # the browser notes that it was offline


def test_who_left_and_who_won_is_said_on_both_sides_and_in_the_list(
    host: Window, guest: Window
) -> None:
    both(host, guest)
    guest.page.locator(".dots:visible").tap()
    guest.page.get_by_role("button", name="Resign").tap()
    guest.page.get_by_role("button", name="Really resign?").tap()
    expect(host.page.locator(".status")).to_have_text("Jonas resigned: you win")
    expect(guest.page.locator(".status")).to_have_text("You resigned: Mara wins")
    expect(host.page.locator(".seat.gone .name")).to_have_text("Jonas")
    expect(host.page.locator(".seat.gone .state")).to_have_text("resigned")
    for window, sentence in ((host, "Jonas resigned: you win"), (guest, "You resigned: Mara wins")):
        yours = window.open("/").get_by_role("region", name="Your games")
        line = yours.get_by_role("listitem").filter(has_text=sentence).first
        every = yours.get_by_role("button", name=re.compile("^All"))

        def seen(line: Locator = line, every: Locator = every) -> bool:
            if every.is_visible():
                every.click()  # the games of other tests may come first
            return line.is_visible()

        assert soon(window.page, seen), sentence


def test_a_bot_plays_on_under_the_name_of_who_is_away_until_they_are_back(
    host: Window, guest: Window
) -> None:
    room = both(host, guest)
    guest.open("/about")
    expect(host.page.locator(".status")).to_contain_text("Jonas to move · yellow · away")
    host.page.get_by_role("button", name="Let a bot play").click()
    expect(host.page.locator(".seat", has_text="Jonas")).to_contain_text("a bot plays on")
    assert host.turn()
    page = guest.open(f"/r/{room}")
    page.get_by_role("button", name="Play on myself").tap()
    expect(host.page.locator(".seat", has_text="Jonas")).not_to_contain_text("a bot plays on")
    expect(host.page.locator(".remark")).to_contain_text("Jonas sits down.")
    host.play()
    assert guest.turn()


# A question


def test_a_takeback_is_asked_for_where_nobody_overlooks_it(host: Window, guest: Window) -> None:
    both(host, guest)
    page, friend = host.page, guest.page
    friend.locator(".dots:visible").tap()  # something lies before the place of the question
    page.get_by_role("button", name="Take back").click()
    question = friend.get_by_role("alert").filter(has_text="Mara would like to take a move back")
    expect(question).to_be_visible()
    for size in sizes(friend):
        for button in friend.locator(".asked button").all():
            box = button.bounding_box()
            assert box
            assert box["y"] + box["height"] <= size[1], size
            assert box["height"] >= 44
        assert friend.evaluate(
            "document.elementFromPoint(...(({ x, y }) => [x + 8, y + 8])"
            "(document.querySelector('.asked .primary').getBoundingClientRect())).textContent"
        ) == ("Agree")
    own = page.get_by_role("status").filter(has_text="You asked to take your last move back")
    expect(own).to_be_visible()
    page.get_by_role("button", name="Withdraw").click()
    expect(question).to_have_count(0)
    expect(friend.locator(".remark")).to_have_text("Mara withdrew the question.")
    page.get_by_role("button", name="Take back").click()
    friend.get_by_role("button", name="Refuse").tap()
    expect(page.locator(".remark")).to_have_text("Jonas does not agree: the move stands.")
    expect(own).to_have_count(0)
    page.get_by_role("button", name="Take back").click()
    friend.get_by_role("button", name="Agree").tap()
    assert host.turn()
    expect(friend.locator(".remark")).to_have_text("The move was taken back.")


# A few words


def test_phrases_are_read_in_the_readers_language_and_can_be_muted(
    host: Window, server: Tegel, browser: Browser
) -> None:
    reader = Window(browser, server, locale="nl", **PHONE)
    reader.page.add_init_script("sessionStorage.length")
    room = host.room(game="blokus", variant="duo", seats=OPEN, name="Mara")
    page = reader.open(f"/j/{room}")
    page.get_by_role("button", name="Meespelen").tap()
    assert host.turn()
    host.page.get_by_role("button", name="Say something").click()
    phrases = host.page.get_by_role("region", name="Say something")
    assert phrases.locator(".all button").count() == 12
    phrases.get_by_role("button", name="Have fun!").click()
    expect(phrases).to_have_count(0)
    expect(page.locator(".remark .phrase")).to_have_text("Mara: Veel plezier!")
    page.get_by_role("button", name="Iets zeggen").tap()
    page.get_by_role("button", name="Mara stil zetten").tap()
    page.get_by_role("button", name="Hallo!").tap()
    expect(host.page.locator(".remark .phrase")).to_have_text("Guest: Hello!")
    expect(page.locator(".remark .phrase")).to_have_count(1)  # one's own
    page.reload()
    page.wait_for_selector(".seat .here")
    host.page.get_by_role("button", name="Say something").click()
    host.page.get_by_role("button", name="Oops!").click()
    expect(host.page.locator(".remark .phrase")).to_have_text("You: Oops!")
    page.wait_for_timeout(300)
    expect(page.locator(".remark .phrase")).to_have_count(0)
    reader.close()


def test_every_phrase_that_may_be_said_has_its_words() -> None:
    from tegel.place.wire.messages import REACTIONS

    for language in LANGUAGES:
        said = json.loads((WEB / "src" / "base" / "words" / f"{language}.json").read_text("utf-8"))
        assert {f"say.{key}" for key in REACTIONS} <= set(said)
    listed = re.findall(r"'([\w-]+)'", (WEB / "src/table/phrases.ts").read_text().split("[")[1])
    assert [key for key in listed if key in REACTIONS] == list(REACTIONS)
