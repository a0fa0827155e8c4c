"""Games to look at: step, scrub, play by itself, keep, bring, play on."""

import re
from pathlib import Path

from playwright.sync_api import expect

from browser import Window, random_record
from tegel import games, record

BLOKUS = random_record("blokus", "duo", lambda state: state.placed(0) > 4)
PLIES = len(record.parse(BLOKUS).moves)


def brought(window: Window, text: str) -> None:
    """Paste a record as people do."""
    page = window.open("/replay")
    page.get_by_label("Paste or drop").fill(text)
    page.locator("main").get_by_role("button", name="Replay").click()


def test_a_record_is_pasted_and_stepped_through(desk: Window) -> None:
    page = desk.page
    brought(desk, BLOKUS)
    pieces = page.locator("svg.scene .mark:not(.quiet, .dim)")
    place = page.locator(".controls .muted")
    expect(place).to_have_text(f"{PLIES} / {PLIES}")
    whole = pieces.count()
    page.get_by_role("button", name="Previous").click()
    expect(place).to_have_text(f"{PLIES - 1} / {PLIES}")
    assert page.url.endswith(f"/{PLIES - 1}"), "a position has an address"
    page.keyboard.press("ArrowRight")
    expect(place).to_have_text(f"{PLIES} / {PLIES}")
    expect(pieces).to_have_count(whole)
    page.get_by_role("slider").fill("2")
    expect(place).to_have_text(f"2 / {PLIES}")
    page.reload()
    expect(place).to_have_text(f"2 / {PLIES}")
    page.locator(".controls").get_by_role("button", name="Play", exact=True).click()
    expect(place).to_have_text(re.compile(rf"^([4-9]|\d\d) / {PLIES}$"))  # it goes on meanwhile
    page.locator(".controls").get_by_role("button", name="Pause").click()
    expect(page.locator("main [aria-live]")).to_contain_text("places")


def test_a_position_is_kept_as_text_and_as_pictures(desk: Window, tmp_path: Path) -> None:
    page = desk.page
    brought(desk, BLOKUS)
    aside = page.locator("aside")
    for name, begins in (("Record", b"game: blokus"), ("SVG", b"<svg"), ("PNG", b"\x89PNG")):
        with page.expect_download() as kept:
            aside.get_by_text(name, exact=True).click()
        kept.value.save_as(tmp_path / name)
        assert (tmp_path / name).read_bytes().startswith(begins)
    assert (
        record.parse((tmp_path / "Record").read_text("utf-8")).moves == record.parse(BLOKUS).moves
    )


def test_a_record_is_dropped(desk: Window) -> None:
    page = desk.open("/replay")
    page.wait_for_selector("textarea")
    page.evaluate(
        """text => {
          const data = new DataTransfer()
          data.items.add(new File([text], 'game.txt'))
          const drop = new DragEvent('drop', { dataTransfer: data, bubbles: true })
          document.querySelector('main').dispatchEvent(drop)
        }""",
        BLOKUS,
    )
    expect(page.locator(".controls .muted")).to_have_text(f"{PLIES} / {PLIES}")


def test_a_bad_record_is_named_in_a_sentence(desk: Window) -> None:
    brought(desk, "game: blokus\nvariant: duo\n\nF.3@zz\n")
    alert = desk.page.get_by_role("alert")
    expect(alert).to_contain_text("zz")
    expect(desk.page.get_by_label("Paste or drop")).to_be_visible()
    desk.wrong.clear()  # the browser notes the refusal


def test_one_plays_on_from_any_position(desk: Window) -> None:
    page = desk.page
    brought(desk, BLOKUS)
    page.get_by_role("slider").fill("3")
    expect(page.locator(".controls .muted")).to_have_text(f"3 / {PLIES}")
    page.get_by_role("button", name="Play on from here").click()
    page.wait_for_selector("main.table")
    assert desk.turn()
    tiles = page.locator("svg.scene .mark:not(.quiet, .dim)").count()
    assert tiles >= 3
    desk.play()


def test_every_game_is_drawn_in_a_replay(desk: Window) -> None:
    for name in games.names():
        game = games.load(name)
        variant = next(iter(game.variants))
        brought(desk, random_record(name, variant, lambda state: bool(state.moves()), seed=5))
        desk.page.wait_for_selector("main.open .mark")
