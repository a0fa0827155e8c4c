"""Placing that one can trust: where a tile goes by mouse, finger and keys; what others did; and
plans in their time."""

import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, expect

from browser import HERE, YOURS, Window, forced_record, random_record, soon
from tegel.games.blokus import GAME

Point = tuple[float, float]
AT = """([c, r, hex]) => {
  const [x, y] = hex ? [c + r / 2, r * Math.sqrt(3) / 2] : [c, -r]
  const plane = document.querySelector('svg.scene > g')
  const at = new DOMPoint(x, y).matrixTransform(plane.getScreenCTM())
  return [at.x, at.y]
}"""
BODY = "document.activeElement === document.body"
GHOST = ".over .shadow"
UNFIT = f"{GHOST}.unfit"
OVERLAP = """() => {
  const box = (node) => node.getBoundingClientRect()
  const note = box(document.querySelector('p.note'))
  return [...document.querySelectorAll('.over .refused, .over .shadow')].map(box).filter((one) =>
    one.left < note.right - 1 && one.right > note.left + 1
      && one.top < note.bottom - 1 && one.bottom > note.top + 1).length
}"""
# Notes how few tiles were ever marked and seen from now on.
FEWEST = """() => {
  window.fewest = { marks: Infinity, pieces: Infinity }
  new MutationObserver(() => {
    const count = (what) => document.querySelectorAll(what).length
    fewest.marks = Math.min(fewest.marks, count('g.since'))
    fewest.pieces = Math.min(fewest.pieces, count("svg.scene .piece use[href^='#s-']"))
  }).observe(document.body, { childList: true, subtree: true })
}"""


def at(page: Page, column: int, row: int, hexagon: bool = False) -> Point:
    """Where a cell of the board is on the screen."""
    x, y = page.evaluate(AT, [column, row, hexagon])
    return x, y


def square(name: str) -> tuple[int, int]:
    return ord(name[0]) - 97, int(name[1:]) - 1


def room(window: Window) -> dict[str, Any]:
    """The table as the server tells it."""
    path = f"/api/rooms/{window.page.url.split('/')[-1]}"
    found: dict[str, Any] = window.page.evaluate(
        "path => fetch(path).then((one) => one.json())", path
    )
    return found


def last(window: Window) -> str:
    """The latest move that a player made."""
    move: str = [one["move"] for one in room(window)["moves"] if one["seat"] >= 0][-1]
    return move


def finger(page: Page) -> Callable[..., None]:
    touch = page.context.new_cdp_session(page)

    def do(kind: str, *points: Point) -> None:
        spots = [{"x": x, "y": y} for x, y in points]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": spots})

    return do


def middle(page: Page, what: str) -> Point:
    box = page.locator(what).first.bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def close(a: Point, b: Point, far: float) -> bool:
    return abs(a[0] - b[0]) <= far and abs(a[1] - b[1]) <= far


def shown(page: Page, point: Point, far: float) -> bool:
    """Whether the tile in hand comes to be seen at a point of the screen."""
    return soon(page, lambda: close(middle(page, GHOST), point, far))


# Where a tile goes


def test_a_tile_goes_where_one_points_or_nowhere_with_a_reason(desk: Window) -> None:
    page = desk.page
    desk.room(game="blokus", variant="classic", seats=HERE * 2)
    assert desk.turn()
    page.locator('[data-tile="1"]').click()
    ply = desk.ply
    for name, fits in (("c2", False), ("a1", True), ("b1", False), ("t20", True), ("s19", False)):
        point = at(page, *square(name))
        page.mouse.move(*point)
        assert shown(page, point, 4), f"it is shown at {name}"
        expect(page.locator(UNFIT)).to_have_count(0 if fits else 1)
    page.mouse.click(*at(page, *square("c2")))
    expect(page.get_by_role("alert")).to_contain_text("a1 a20 t1 t20")
    expect(page.locator("p.note.placed")).to_be_visible()
    assert page.evaluate(OVERLAP) == 0
    expect(page.locator(".tile.held")).to_have_count(1)
    assert desk.ply == ply, "it is laid nowhere else"
    page.mouse.click(*at(page, *square("t20")))
    desk.moved(ply)
    assert last(desk) == "1.0@t20"
    # Set up by hand: each piece stands where one clicked.
    desk.room(game="forma", variant="two", options={"layout": "placed"}, seats=HERE)
    for tile, name in (("tower", "m14"), ("obstacle", "m12")):
        assert desk.turn()
        if not page.locator(f'.held[data-tile="{tile}"]').count():
            page.locator(f'[data-tile="{tile}"]').click()
        ply = desk.ply
        page.mouse.click(*at(page, *square(name)))
        desk.moved(ply)
        assert last(desk) == f"{tile}@{name}"


def test_a_hexagon_goes_where_one_points_and_its_refusal_letters_the_cells(desk: Window) -> None:
    page = desk.page
    desk.continued(forced_record())
    assert desk.turn()
    page.locator(".tile:enabled").first.click()
    due = page.locator(".due").first.bounding_box()
    assert due
    ply, forced = desk.ply, page.locator(".due").count()
    x, y = due["x"] + due["width"] / 2, due["y"] + due["height"] / 2
    page.mouse.move(x, y)
    assert shown(page, (x, y), due["width"] / 3)
    page.mouse.click(page.locator("svg.scene").bounding_box()["x"] + 60, y)  # type: ignore[index]
    alert = page.get_by_role("alert")
    expect(alert).to_be_visible()
    assert not re.search(r"-?\d+,-?\d+", alert.inner_text()), "the field shows no such names"
    letters = page.locator(".over .letter").count()
    assert f"“{chr(64 + letters)}”" in alert.inner_text()
    assert (desk.ply, page.locator(".due").count()) == (ply, forced)
    assert page.evaluate(OVERLAP) == 0
    expect(alert).to_have_count(0, timeout=8000)  # it goes by itself


def test_a_finger_shows_first_and_carries_a_tile_above_itself(phone: Window) -> None:
    page, touch = phone.page, finger(phone.page)
    phone.room(game="blokus", variant="duo", seats=HERE)
    assert phone.turn()
    page.locator('[data-tile="1"]').tap()
    start = middle(page, '.mark use[href="#s-start"]')
    page.touchscreen.tap(start[0] + 60, start[1] + 60)
    expect(page.locator(UNFIT)).to_have_count(1)
    expect(page.get_by_role("alert")).to_contain_text("must cover a starting square")
    place, ply = page.get_by_role("button", name="Place", exact=True), phone.ply
    expect(place).to_be_disabled()
    page.touchscreen.tap(*start)
    expect(page.locator(UNFIT)).to_have_count(0)
    expect(place).to_be_enabled()
    assert phone.ply == ply, "a tap shows"
    page.touchscreen.tap(*start)  # a tap on what is shown confirms
    phone.moved(ply)
    assert phone.turn()
    page.locator('[data-tile="1"]').scroll_into_view_if_needed()
    first, goal = middle(page, '[data-tile="1"]'), middle(page, '.mark use[href="#s-start"]')
    touch("touchStart", first)
    aside = goal[0] + 60, goal[1]
    for step in range(1, 7):
        x, y = (a + (b - a) * step / 6 for a, b in zip(first, aside, strict=True))
        touch("touchMove", (x, y))
    expect(page.locator(UNFIT)).to_have_count(1)
    touch("touchMove", (goal[0], goal[1] + 50))
    assert shown(page, goal, 3), "fifty pixels above the finger"
    expect(page.locator(UNFIT)).to_have_count(0)
    touch("touchEnd")
    phone.moved(ply + 1)
    assert last(phone).startswith("1.0@")


def test_by_eye_a_finger_points_into_a_magnified_board(phone: Window) -> None:
    page = phone.page
    options = {"layout": "random", "assist": "off"}
    phone.room(game="forma", variant="two", options=options, seats=HERE)
    assert phone.turn()
    page.locator('[data-tile="L5"]').first.tap()
    whole, ply = page.locator("svg.scene").get_attribute("viewBox") or "", phone.ply
    lay = page.get_by_role("button", name="Lay it")
    expect(lay).to_be_disabled()
    page.touchscreen.tap(*at(page, *square("p17")))
    expect(page.locator("svg.scene")).not_to_have_attribute("viewBox", whole)
    side = at(page, 1, 0)[0] - at(page, 0, 0)[0]
    assert side > 36, "its squares are large enough for a finger"
    expect(lay).to_be_disabled()
    page.touchscreen.tap(*at(page, *square("p17")))
    expect(lay).to_have_text("Lay it at p17")
    expect(page.locator(".strips .lit")).to_have_text(["p", "17"])
    page.get_by_role("button", name="Turn").tap()
    assert not page.locator(f"{GHOST}, .float").count(), "the tile is never on the board"
    assert phone.ply == ply
    lay.tap()
    phone.moved(ply)
    tile, turn, name = re.fullmatch(r"(\w+)\.(\d)@(.+)", last(phone)).groups()  # type: ignore[union-attr]
    assert (tile, turn != "0") == ("L5", True)
    assert close(square(name), square("p17"), 4)
    expect(page.locator("svg.scene")).to_have_attribute("viewBox", whole)


def test_by_eye_wheel_and_keys_turn_the_tile(desk: Window) -> None:
    page = desk.page
    options = {"layout": "random", "assist": "off"}
    desk.room(game="forma", variant="two", options=options, seats=HERE)
    assert desk.turn()
    page.locator('[data-tile="L5"]').first.click()
    tile = page.locator("svg.eye use")
    forms = [tile.get_attribute("href")]
    page.mouse.move(*at(page, 10, 10))
    page.mouse.wheel(0, 100)
    expect(tile).not_to_have_attribute("href", forms[0] or "")
    forms.append(tile.get_attribute("href"))
    page.keyboard.press("f")
    expect(tile).not_to_have_attribute("href", forms[1] or "")
    forms.append(tile.get_attribute("href"))
    assert len(set(forms)) == 3
    assert not page.locator(f"{GHOST}, .float").count()


# What happened


def test_what_others_laid_since_is_numbered_and_shown_again(desk: Window) -> None:
    page = desk.page
    desk.room(game="blokus", variant="classic", bots=3)
    assert desk.turn()
    ply = desk.ply
    desk.play()
    desk.moved(ply + 3)
    assert desk.turn()
    marks, discs = page.locator("g.since"), page.locator(".over .disc")
    expect(marks).to_have_count(3)
    colours = [node.get_attribute("stroke") for node in discs.all()]
    assert len(set(colours)) == 3, "each in the colour of its owner"
    expect(page.locator(".card.since li")).to_have_count(3)
    pieces = page.locator("svg.scene .piece use[href^='#s-']").count()
    page.evaluate(FEWEST)
    page.get_by_role("button", name="Show again").click()
    page.wait_for_function("() => fewest.marks === 0")  # for less than a second
    assert page.evaluate("fewest.pieces") < pieces
    expect(marks.first).to_be_visible()
    expect(marks).to_have_count(3)
    places = page.get_by_role("button", name="Show places")
    plain = places.evaluate("node => getComputedStyle(node).backgroundColor")
    places.click()
    page.mouse.move(3, 3)
    expect(places).to_have_attribute("aria-pressed", "true")
    expect(places).not_to_have_css("background-color", plain)
    ply = desk.ply
    desk.play()
    desk.moved(ply)
    expect(page.locator('g.since[data-number="1"]')).to_have_count(1)  # anew, by whoever follows


def test_dimmed_tiles_say_why_and_other_colours_are_seen(desk: Window) -> None:
    page = desk.page
    desk.room(game="blokus", variant="two")
    assert desk.turn()
    cross = page.locator('.tile[data-tile="X"]').first
    expect(cross).to_be_disabled()
    assert "nowhere" in (cross.get_attribute("title") or "")
    box = cross.bounding_box()
    assert box
    page.mouse.click(box["x"] + 20, box["y"] + 20)
    expect(page.get_by_text("This tile fits nowhere now.").first).to_be_visible()
    own = [
        plane["name"]
        for plane in room(desk)["planes"]
        if plane.get("seats") == [0] and plane.get("tray")
    ]
    assert len(own) == 2
    for colour in own:
        name = colour.rpartition(".")[2]
        assert page.locator(f'.tile[aria-label="{name} F"], button:has-text("{name}")').count()


# In the others' time


def test_a_plan_is_laid_in_the_others_time_and_played_in_ones_own(
    desk: Window, other: Window
) -> None:
    page = desk.page
    seats = [{"kind": "person"}, {"kind": "open"}]
    id = desk.room(game="blokus", variant="duo", seats=seats)
    other.open(f"/r/{id}").get_by_role("button", name="Join").click()
    assert desk.turn()
    desk.play()
    here = next(mark["cell"] for mark in laid(desk))
    page.locator('.tile:enabled[data-tile="1"]').click()
    goal = at(page, here[0], here[1])
    page.mouse.move(*goal)
    expect(page.locator(f"{GHOST}.plan")).to_have_count(1)
    page.mouse.click(*goal)
    expect(page.locator(UNFIT)).to_have_count(0)  # on another tile, and nobody says a word
    assert not page.get_by_role("alert").count()
    corner = open_corner(desk)
    page.mouse.click(*at(page, *corner))
    following = page.get_by_role("button", name="Place next")
    following.click()
    expect(following).to_have_attribute("aria-pressed", "true")
    following.click()
    expect(following).to_have_attribute("aria-pressed", "false")  # taken back
    page.keyboard.press("Escape")
    expect(page.locator(GHOST)).to_have_count(0)
    page.locator('.tile:enabled[data-tile="1"]').click()
    page.mouse.click(*at(page, *corner))
    page.mouse.click(*at(page, *corner))  # once more, on it
    expect(following).to_have_attribute("aria-pressed", "true")
    page.reload()
    expect(page.locator(f"{GHOST}.plan.armed")).to_have_count(1)
    assert other.turn()
    ply = other.ply
    other.play()
    desk.moved(ply + 1)  # by itself
    assert last(desk) == f"1.0@{chr(97 + corner[0])}{corner[1] + 1}"
    # One that does not fit then goes home, and it is said why.
    page.locator('.tile:enabled[data-tile="2"]').click()
    page.mouse.click(*at(page, *corner))
    page.keyboard.press("Enter")
    assert other.turn()
    other.play()
    assert desk.turn()
    expect(page.get_by_role("alert")).to_contain_text("would lie on another")
    expect(page.locator(GHOST)).to_have_count(0)
    # By eye there are no plans.
    id = desk.room(game="forma", variant="two", options={"layout": "random"}, seats=seats)
    other.open(f"/r/{id}").get_by_role("button", name="Join").click()
    ready = f"{YOURS}:has(.tile:enabled)"  # before it begins nobody knows whose turn it is
    assert soon(page, lambda: any(one.page.query_selector(ready) for one in (desk, other)))
    waiting = other if page.query_selector(ready) else desk
    expect(waiting.page.locator(".tile").first).to_be_visible()
    expect(waiting.page.locator(".tile:enabled")).to_have_count(0)


def laid(window: Window) -> list[dict[str, Any]]:
    """The tiles on the board."""
    return [
        mark for mark in room(window)["marks"] if mark["plane"] == "board" and "." in mark["sprite"]
    ]


def open_corner(window: Window) -> tuple[int, int]:
    """A square where the single tile of whoever has laid the first tile fits."""
    state = GAME.start("duo")
    for played in room(window)["moves"]:
        state = state.play(GAME.parse(played["move"]))
    seat = 1 - state.turn
    colour = next(i for i, own in enumerate(state.rules.players) if own == (seat,))
    cells = state.rules.grid.cells(state.open(colour) & state.free(colour))
    return cells[len(cells) // 2]


# Keys and ears, and the field that grows


def test_the_focus_is_never_lost_and_ears_are_told_where_a_tile_went(desk: Window) -> None:
    page = desk.page
    desk.room(game="blokus", variant="duo", seats=HERE)
    for keys in (["Enter", "ArrowUp", "Enter"], ["Enter", "ArrowUp"]):
        assert desk.turn()
        ply = desk.ply
        page.locator(".tile:enabled").first.focus()
        for key in keys:
            page.keyboard.press(key)
            assert not page.evaluate(BODY), key
        if desk.ply == ply and len(keys) == 2:
            page.get_by_role("button", name="Place", exact=True).focus()
            page.keyboard.press("Enter")
        desk.moved(ply)
        assert soon(page, lambda: not page.evaluate(BODY)), "after a move"
        squares = [f"{chr(97 + c)}{r + 1}" for c, r in covered(desk)]
        expect(page.locator('.hidden[aria-live="polite"]', has_text="lies on")).to_contain_text(
            " ".join(squares)
        )
    page.get_by_role("button", name="Resign").focus()
    for _ in range(2):
        page.keyboard.press("Enter")
        assert not page.evaluate(BODY)


def covered(window: Window) -> list[tuple[int, int]]:
    """The squares of the latest move."""
    return list(GAME.parse(last(window)).cells)


def test_the_field_is_fitted_as_it_grows_unless_one_moved_it(desk: Window) -> None:
    page = desk.page
    desk.continued(random_record("tantrix", "two", lambda state: len(state.field.laid) > 6))
    scene = page.locator("svg.scene")

    def grown() -> tuple[str | None, str | None]:
        before = scene.get_attribute("viewBox")
        wells = page.locator(".well").first.get_attribute("d")
        for number in range(6):
            assert desk.turn()
            desk.play(pick=number)
            if page.locator(".well").first.get_attribute("d") != wells:
                break
        return before, scene.get_attribute("viewBox")

    seen = {scene.get_attribute("viewBox")}
    for _ in range(4):
        seen.add(grown()[1])
    assert len(seen) > 1, "all of it is seen"
    box = scene.bounding_box()
    assert box
    assert desk.turn()
    page.mouse.move(box["x"] + 30, box["y"] + 30)
    fitted = scene.get_attribute("viewBox") or ""
    page.mouse.wheel(0, -200)
    expect(scene).not_to_have_attribute("viewBox", fitted)
    before, after = grown()
    assert before == after, "one moved it"
    page.get_by_role("button", name="Show everything").click()
    expect(scene).not_to_have_attribute("viewBox", after or "")


def test_lines_of_tantrix_are_shown_as_lines(desk: Window) -> None:
    page = desk.page
    desk.continued(random_record("tantrix", "two", lambda state: max(state.scores) > 2))
    assert desk.turn()
    page.locator(".tally button").first.hover()
    expect(page.locator(".over .course.inner")).to_have_count(1)
    line = page.locator(".over .course.inner").get_attribute("d") or ""
    assert len(re.findall("M", line)) > 1, "over several tiles"
    expect(page.locator(".lit")).to_have_count(0)
