"""What each game asks of the page: by eye and set-up, claims, forced spaces, refusals, guides."""

import json
import re
from importlib import resources

import pytest
from playwright.sync_api import expect

from browser import HERE, LANGUAGES, Window, forced_record, picture
from tegel import games, record


def test_forma_by_eye_shows_nothing_before_and_a_misfit_after(desk: Window) -> None:
    page = desk.page
    desk.room(game="forma", variant="two", options={"layout": "random", "assist": "off"})
    assert desk.turn()
    tower = page.locator('svg.scene [href="#s-tower.0"]').bounding_box()
    assert tower
    x, y = tower["x"] + tower["width"] / 2, tower["y"] + tower["height"] / 2
    before = page.locator('[data-tile="X"]').first.get_attribute("aria-label")
    page.locator('[data-tile="X"]').first.click()
    page.mouse.move(x - 40, y - 40)
    page.mouse.move(x, y, steps=4)
    # (A tile of the other's that did not fit may lie askew: that is a ghost too.)
    assert not page.locator(".shadow, .float").count(), "nothing follows the pointer"
    assert not page.get_by_role("button", name="Hint").count()
    assert not page.get_by_role("button", name="Show places").count()
    assert page.request.post(f"/api/rooms/{page.url.split('/')[-1]}/hint").status >= 400
    ply = desk.ply
    page.mouse.click(x, y)
    desk.moved(ply)
    expect(page.locator(".missed")).to_be_visible()
    expect(page.locator(".drama")).to_contain_text("X does not fit")
    expect(page.locator(".line .bad")).to_contain_text("lays it aside")
    expect(page.locator(".seat").first.locator(".aside .mark")).to_have_count(1)
    expect(page.locator('[data-tile="X"]').first).not_to_have_attribute("aria-label", before or "")
    page.get_by_role("button", name="No second try").click()
    assert desk.turn()


def test_forma_by_eye_is_tried_by_keys(desk: Window) -> None:
    page = desk.page
    desk.room(game="forma", variant="two", options={"layout": "random", "assist": "off"})
    assert desk.turn()
    page.locator('[data-tile="L5"]').focus()
    ply, misfits = desk.ply, page.locator(".ghost").count()  # a bot may have slipped before
    for key in ("Enter", "r", "s", "ArrowUp", "ArrowLeft"):
        page.keyboard.press(key)
    said = page.locator('[aria-live="polite"]').last.inner_text()
    assert re.match(r"^[a-t]\d+", said), said
    assert page.locator(".ghost").count() == misfits
    page.keyboard.press("Enter")
    desk.moved(ply)


def test_imago_asks_for_a_claim_in_plain_words(desk: Window) -> None:
    page = desk.page
    desk.continued(picture("imago", "asked"))
    assert desk.turn()
    buttons = page.locator(".choices button")
    texts = [" ".join(text.split()) for text in buttons.all_inner_texts()]
    assert "Allow" in texts
    claims = [text for text in texts if text.startswith("Claim")]
    assert claims
    assert all(re.match(r"^Claim( [a-f][1-6])*$", text) for text in claims), texts
    buttons.nth(texts.index(claims[0])).hover()
    expect(page.locator(".lit").first).to_be_visible()
    ply = desk.ply
    buttons.nth(texts.index(claims[0])).click()
    desk.moved(ply)
    expect(page.locator("svg.scene [href='#s-seal']")).to_have_count(1)


def test_imago_takes_stones_by_keys(desk: Window) -> None:
    page = desk.page
    desk.room(game="imago", variant="imago", seats=HERE)
    assert desk.turn()
    page.locator("svg.scene").focus()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowLeft")
    said = page.locator('[aria-live="polite"]').last.inner_text()
    assert re.match(r"^[a-f][1-6], \w+", said), said
    ply = desk.ply
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    desk.moved(ply)
    expect(page.locator(".moves li").first).to_contain_text(f" {said.split(',')[0]}")


def test_tantrix_marks_forced_spaces(desk: Window) -> None:
    page = desk.page
    desk.continued(forced_record())
    assert desk.turn()
    expect(page.locator(".due").first).to_be_visible()


def test_tantrix_is_moved_and_zoomed(desk: Window) -> None:
    page = desk.page
    desk.continued(forced_record())
    assert desk.turn()
    scene = page.locator("svg.scene")
    box = scene.bounding_box()
    assert box
    x, y = box["x"] + 30, box["y"] + 30
    first = scene.get_attribute("viewBox")
    page.mouse.move(x, y)
    page.mouse.wheel(0, -200)
    page.wait_for_function(
        "was => document.querySelector('svg.scene').getAttribute('viewBox') !== was", arg=first
    )
    second = scene.get_attribute("viewBox")
    page.mouse.down()
    page.mouse.move(x + 90, y + 60, steps=4)
    page.mouse.up()
    expect(scene).not_to_have_attribute("viewBox", second or "")
    page.get_by_role("button", name="Show everything").click()
    expect(scene).to_have_attribute("viewBox", first or "")


def test_a_refused_move_says_why_at_its_cells(desk: Window) -> None:
    page = desk.page
    desk.room(game="blokus", variant="duo")
    assert desk.turn()
    page.locator('[data-tile="I5"]').click()
    box = page.locator("svg.scene").bounding_box()
    assert box
    page.mouse.click(box["x"] + box["width"] * 0.7, box["y"] + box["height"] * 0.75)
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("must cover a starting square")
    expect(page.locator("p.note")).to_be_visible()
    expect(page.locator(".held")).to_have_count(1)


def test_a_hint_is_shown_on_the_board_with_its_chances(desk: Window) -> None:
    page = desk.page
    desk.room(game="blokus", variant="duo")
    assert desk.turn()
    page.get_by_role("button", name="Hint").click()
    expect(page.locator(".ghost")).to_be_visible()
    rows = page.locator(".hint tbody tr")
    assert 2 <= rows.count() <= 3
    for row in rows.all():
        assert re.search(r"\b\d+\s?%\s+\S+$", row.inner_text()), row.inner_text()
    other = rows.nth(1).get_by_role("button")
    other.click()
    expect(other).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".ghost")).to_be_visible()
    ply = desk.ply
    page.get_by_role("button", name="Place", exact=True).click()
    desk.moved(ply)
    expect(page.locator(".moves li").last).to_contain_text("You")
    expect(page.locator(".hint tbody")).to_have_count(0)


def test_a_hint_takes_up_the_tile_of_the_colour_to_move(desk: Window) -> None:
    """Two players have four colours, each with the same tiles."""
    page = desk.page
    desk.room(game="blokus", variant="two")
    assert desk.turn()
    desk.play()
    assert desk.turn()
    expect(page.locator(".status")).to_contain_text("red")
    page.get_by_role("button", name="Hint").click()
    expect(page.locator(".ghost")).to_have_attribute("fill", "var(--red-fill)")
    expect(page.locator(".held")).to_have_count(1)


@pytest.mark.parametrize("name", games.names())
def test_a_guide_leads_through_first_moves(desk: Window, name: str) -> None:
    page = desk.open(f"/guide/{name}")
    page.wait_for_selector("svg.scene")
    count = page.get_by_text(re.compile(r"^Step \d"))
    while not page.get_by_role("button", name="Now play a game").count():
        step = count.inner_text()
        if (forward := page.get_by_role("button", name="Next")).count():
            forward.click()
        else:
            page.get_by_role("button", name="Show me").click()
            page.locator("aside .primary:enabled").click()
        expect(count).not_to_have_text(step)
    page.get_by_role("button", name="Now play a game").click()
    page.wait_for_selector("main.table")


def test_guides_have_a_word_for_each_note_in_five_languages() -> None:
    for name in games.names():
        folder = resources.files(f"tegel.games.{name}")
        guide = record.parse((folder / "guide.txt").read_text("utf-8"))
        keys = {*guide.notes.values(), guide.headers["end"]}
        assert games.final(guide)
        for code in LANGUAGES:
            said = json.loads((folder / f"guide.{code}.json").read_text("utf-8"))
            assert set(said) == keys, (name, code)
            assert all(text[-1] in ".!" for text in said.values())
