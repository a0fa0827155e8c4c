"""What the page says while the engine rests: at a table with a bot, and in a study."""

from playwright.sync_api import expect

from browser import Window, cut_off
from servers import Person, Tegel
from studying import DUO
from test_fortress_load import Stranger

RESTS = "The engine rests while you play a rated game of Blokus Duo."


def rated(window: Window, dan: Person) -> str:
    """A rated game that the person at a window plays with somebody elsewhere."""
    wish = {"game": "blokus", "variant": "duo", "rated": True, "clock": "bank 600 5"}
    room: str = window.page.request.post("/api/rooms", data=wish).json()["id"]
    dan.do(room, "sit", seat=1)
    return room


def test_a_table_says_why_its_bot_rests(desk: Window, server: Tegel) -> None:
    paused(desk, Stranger(server, "127.0.0.41"))


def test_a_table_on_a_phone_says_why_its_bot_rests(phone: Window, server: Tegel) -> None:
    paused(phone, Stranger(server, "127.0.0.42"))
    assert not cut_off(phone.page, ".remark p")


def paused(window: Window, dan: Person) -> None:
    page = window.page
    window.room(game="blokus", variant="duo")
    assert window.turn()
    running = rated(window, dan)
    ply = window.ply
    window.play()
    expect(page.get_by_role("status").filter(has_text=RESTS)).to_be_visible()
    expect(page.get_by_text("Tegel 1 rests").first).to_be_visible()
    assert window.ply == ply + 1
    dan.do(running, "resign")
    assert window.turn(), "it goes on by itself"
    expect(page.get_by_text(RESTS)).to_have_count(0)


def test_a_study_says_why_nothing_is_thought(desk: Window, server: Tegel) -> None:
    page, dan = desk.page, Stranger(server, "127.0.0.43")
    running = rated(desk, dan)
    id = page.request.post("/api/studies", data={"text": DUO}).json()["id"]
    desk.open(f"/a/{id}")
    expect(page.get_by_text(RESTS)).to_have_count(1)
    page.get_by_role("button", name="Judge this game").click()
    expect(page.get_by_text(RESTS)).to_have_count(2)
    dan.do(running, "resign")
    expect(page.locator(".engine .line").first).to_be_visible()  # both go on by themselves
    expect(page.get_by_text("Mean loss")).to_be_visible()
