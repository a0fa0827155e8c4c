"""At the table besides moving: clocks, your turn, seats, takeback, rematch, places, scores."""

import re

from playwright.sync_api import Browser, expect

from browser import DESK, HERE, Window, random_record, soon, whole_record
from servers import Tegel
from tegel import games

SERVE = ("--grace", "8")
# Notes the most seconds that the first seat's clock ever shows from now on.
MOST = """() => {
  window.most = 0
  new MutationObserver(() => {
    const [minutes, seconds] = document.querySelector('.seat .clock').innerText.split(/[: ]/)
    most = Math.max(most, 60 * minutes + Number(seconds))
  }).observe(document.body, { childList: true, subtree: true, characterData: true })
}"""


def test_a_clock_runs_for_whoever_is_to_move(desk: Window) -> None:
    desk.room(game="blokus", variant="duo", clock="bank 300 60", seats=HERE)
    assert desk.turn()
    clocks = desk.page.locator(".seat .clock")
    expect(clocks).to_have_count(2)
    desk.play()
    running = desk.page.locator(".seat .clock.running")
    expect(running).to_have_count(1)
    first = running.inner_text()
    assert re.fullmatch(r"[45]:\d\d \+60", first), "the time left, and what a turn adds"
    expect(running).not_to_have_text(first)
    assert desk.turn()
    desk.play()
    seats = desk.page.locator(".seat")
    expect(seats.first.locator(".running")).to_have_count(1)
    expect(seats.last).to_contain_text(re.compile(r"5:[1-5]\d|6:00"))  # with what it added


def test_a_clock_that_begins_to_run_never_shows_more_than_is_left(desk: Window) -> None:
    desk.room(game="blokus", variant="duo", clock="bank 300 60", seats=HERE)
    assert desk.turn()
    desk.page.evaluate(MOST)
    desk.play()  # not on the clock, and adds nothing
    desk.page.wait_for_timeout(2100)
    assert desk.turn()
    desk.play()
    assert desk.turn()
    running = desk.page.locator(".seat").first.locator(".running")
    expect(running).to_have_text(re.compile("^4:5"))
    assert desk.page.evaluate("most") == 300


def test_your_turn_is_heard_and_told_where_that_is_wanted(whole: Browser, server: Tegel) -> None:
    """A tone is made, and a notification while the page is not looked at."""
    desk = Window(whole, server, **DESK)
    desk.context.grant_permissions(["notifications"])
    page = desk.page
    page.add_init_script("""
      localStorage.setItem('tegel', JSON.stringify({ sound: true, notify: true }))
      window.tones = 0
      window.told = []
      const make = AudioContext.prototype.createOscillator
      AudioContext.prototype.createOscillator = function () {
        window.tones++
        return make.call(this)
      }
      const Real = window.Notification
      window.Notification = class extends Real {
        constructor(title, how) { super(title, how); window.told.push(how.body) }
      }
    """)
    desk.room(game="blokus", variant="duo")
    assert desk.turn()
    expect(page).to_have_title(re.compile("^●"))
    assert page.evaluate("tones") == 0, "who has just come needs no bell"
    ply = desk.ply
    desk.play()
    desk.moved(ply + 1)
    assert desk.turn()
    page.wait_for_function("() => tones === 2")
    assert page.evaluate("told.length") == 0, "the page is before one's eyes"
    page.evaluate("Object.defineProperty(document, 'hidden', { value: true })")
    ply = desk.ply
    desk.play()
    desk.moved(ply + 1)
    page.wait_for_function("() => told.length === 1")
    assert "Your turn" in page.evaluate("told[0]")
    desk.close()


def test_who_has_played_the_shared_colour_sees_the_own_one_next(desk: Window) -> None:
    """Blokus for three: in the first round the same seat plays green, then blue."""
    desk.room(game="blokus", variant="three", seats=[{"kind": "person"}] * 3)
    for colour in ("Blue", "Yellow", "Red", "Green", "Blue"):
        assert desk.turn()
        if colour in ("Blue", "Green"):
            expect(desk.page.locator(".tabs .chosen")).to_contain_text(colour)
        desk.play()
    listed = desk.page.locator(".moves li svg")
    expect(listed).to_have_count(5)
    fills = [listed.nth(number).get_attribute("fill") for number in range(5)]
    assert fills[0] == fills[4] != fills[1]  # the shared one in its own colour


def test_a_bot_takes_a_vacant_seat(desk: Window) -> None:
    page = desk.open("/")
    card = page.locator("article", has=page.get_by_role("heading", name="Imago"))
    card.get_by_role("button", name="Invite: Imago").click()
    expect(page.locator(".status")).to_have_text("Waiting for players")
    page.get_by_role("button", name="Let a bot play").click()
    assert desk.turn()
    expect(page.locator(".seat").nth(1)).to_contain_text("bot")
    desk.play()


def test_players_but_not_watchers_may_end_a_game_that_somebody_left(
    desk: Window, other: Window, phone: Window
) -> None:
    room = desk.room(game="blokus", variant="duo", seats=[{"kind": "person"}, {"kind": "open"}])
    other.open(f"/r/{room}").get_by_role("button", name="Join").click()
    assert desk.turn()
    watcher = phone.open(f"/r/{room}")
    desk.open("/")
    claim = other.page.get_by_role("button", name="Claim the win")
    for page in (other.page, watcher):
        expect(page.locator(".seat", has_text="away")).to_have_count(1)
    expect(claim).to_have_count(0)  # they may come back
    expect(claim).to_be_visible()
    expect(watcher.get_by_role("button", name="Claim the win")).to_have_count(0)
    claim.click()
    for page in (other.page, watcher):
        page.wait_for_selector("main[data-over='true']")


def test_a_takeback_against_a_bot_and_a_rematch_of_two(desk: Window, other: Window) -> None:
    desk.room(game="blokus", variant="duo")
    assert desk.turn()
    start = desk.page.locator("svg.scene .piece").count()
    ply = desk.ply
    desk.play()
    desk.moved(ply + 1)
    assert desk.turn()
    desk.page.get_by_role("button", name="Take back").click()
    expect(desk.page.locator("svg.scene .piece")).to_have_count(start)
    assert desk.turn()
    desk.play()
    room = desk.room(
        game="blokus", variant="duo", seats=[{"kind": "person"}, {"kind": "open"}], name="Ada"
    )
    friend = other.open(f"/r/{room}")
    friend.get_by_role("button", name="Join").click()
    assert desk.turn()
    expect(friend.locator(".status")).to_contain_text("Ada to move")
    desk.play()
    assert other.turn()
    friend.get_by_role("button", name="Resign").click()
    friend.get_by_role("button", name="Really resign?").click()
    for window in (other, desk):
        window.page.wait_for_selector("main[data-over='true']")
    expect(desk.page.locator(".seat").nth(1)).to_contain_text("Guest")  # and no bot
    expect(desk.page.get_by_role("button", name="Try level")).to_have_count(0)
    friend.get_by_role("button", name="Play again").click()
    desk.page.wait_for_function("room => !location.pathname.includes(room)", arg=room)
    friend.wait_for_function("room => !location.pathname.includes(room)", arg=room)
    assert desk.page.url == friend.url
    for mover, watcher in ((other, desk), (desk, other)):  # both sit, and play
        assert mover.turn()
        ply = watcher.ply
        mover.play()
        watcher.moved(ply)


def opacity(window: Window, what: str) -> float:
    """How plainly something is drawn."""
    window.page.wait_for_timeout(250)
    found: str = window.page.locator(what).first.evaluate("node => getComputedStyle(node).opacity")
    return float(found)


def test_open_corners_are_quiet_and_places_are_shown_on_request(desk: Window) -> None:
    page = desk.page
    desk.continued(random_record("blokus", "duo", lambda state: state.placed(0) > 3))
    assert desk.turn()
    quiet = opacity(desk, ".mark.quiet")
    assert 0 < quiet < 0.6
    assert not page.locator(".may").count()
    page.get_by_role("button", name="Show places").click()
    assert soon(page, lambda: opacity(desk, ".mark.quiet") == 1)
    reach = page.locator(".may").count()
    tile = page.locator(".tile:enabled").first
    tile.click()
    assert soon(page, lambda: 0 < page.locator(".may").count() < reach), (
        "those of the tile in hand, as it is turned"
    )
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Show places").click()
    expect(page.locator(".may")).to_have_count(0)
    tile.click()
    assert soon(page, lambda: quiet < opacity(desk, ".mark.quiet") < 1), (
        "plainer with a tile in hand"
    )


def test_rivals_open_corners_are_not_shown(desk: Window, other: Window) -> None:
    room = desk.room(game="blokus", variant="duo", seats=[{"kind": "person"}, {"kind": "open"}])
    friend = other.open(f"/r/{room}")
    friend.get_by_role("button", name="Join").click()
    for window in (desk, other, desk):
        assert window.turn()
        window.play()
    assert other.turn()
    assert opacity(other, ".mark.quiet") > 0
    assert opacity(desk, ".mark.quiet") == 0


def test_colours_out_of_play_are_dimmed(desk: Window) -> None:
    planes = games.load("blokus").drawing.planes
    one_out = random_record(
        "blokus", "classic", lambda state: sum(plane.out for plane in planes(state)) == 1
    )
    desk.continued(one_out)
    assert desk.turn()
    expect(desk.page.locator(".seat.out")).to_have_count(1)
    expect(desk.page.locator(".seat.out")).to_contain_text("out of play")
    assert opacity(desk, ".seat.out .dot") < 0.5


def test_the_account_of_forma_follows_every_tile(desk: Window) -> None:
    page = desk.page
    options = {"layout": "random", "assist": "on"}
    desk.room(game="forma", variant="two", options=options, seats=HERE)
    assert desk.turn()
    desk.play(pick=1)
    placed = page.locator(".tally").get_by_role("button", name=re.compile("^Tiles placed 5$"))
    expect(placed).to_have_count(1)
    expect(page.locator(".lit")).to_have_count(0)
    placed.hover()
    expect(page.locator(".lit")).to_have_count(5)


def test_a_move_of_the_list_leads_to_its_position(desk: Window) -> None:
    page = desk.page
    room = desk.continued(random_record("blokus", "duo", lambda state: state.placed(0) > 3))
    moves = page.locator(".moves li")
    count = moves.count()
    expect(moves.first).to_contain_text(re.compile(r" \w+ [a-n]\d+$"))  # as one would write it
    expect(moves.first.locator("svg use")).to_have_count(1)
    moves.nth(2).click()
    page.wait_for_selector("main.open svg.scene")
    expect(page.get_by_text(f"{count - 2} / {count}")).to_be_visible()
    assert page.url.endswith(f"/r/{room}/replay/{count - 2}")
    expect(page.locator(".scores")).to_contain_text("You")
    expect(page.locator(".said")).to_contain_text(re.compile("You|Tegel 1"))


def test_colours_are_chosen_by_name(desk: Window) -> None:
    desk.room(game="tantrix", variant="two", options={"colours": "chosen"}, seats=HERE)
    assert desk.turn()
    choices = desk.page.locator(".choices button")
    assert {"Play red", "Play green"} <= set(choices.all_inner_texts())
    ply = desk.ply
    desk.page.get_by_role("button", name="Play green").click()
    desk.moved(ply)


def test_a_finished_game_shows_its_result_and_account(desk: Window) -> None:
    desk.ended(whole_record("forma", "two", layout="random", assist="on"))
    result = desk.page.get_by_role("region", name="Result")
    expect(result).to_be_visible()
    expect(desk.page.locator(".tally")).to_contain_text("Tiles placed")
    assert desk.page.locator(".tile").count() == 0
