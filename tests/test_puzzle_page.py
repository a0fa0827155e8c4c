"""Puzzles as people meet them: a real Chromium before a real server."""

import random
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from browser import DESK, PHONE, Window, chromium
from servers import Tegel, missing, tegel
from tegel import games, puzzle
from tegel.lattice import POLYOMINOES, Shape, forms
from tegel.puzzle.daily import name as daily_name
from tegel.puzzle.hand import packed
from tegel.puzzle.moves import Move, laid
from tegel.server import client
from test_page import AXE, LANGUAGES

BUILT = Path(str(client.BUILT))
DAY = "daily-1-2026-11-09"  # a Monday: five tiles
GAME = puzzle.GAME
TINY = "puzzle: tiny\nrule: cover\ntiles: blue I3, red I3, yellow I3\n\n...\n...\n...\n"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tegel]:
    if not BUILT.is_dir():
        missing("The built page")
    with tegel(tmp_path_factory.mktemp("puzzles")) as found:
        yield found
        found.check()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found


@pytest.fixture
def desk(browser: Browser, server: Tegel) -> Iterator[Window]:
    window = Window(browser, server, **DESK)
    yield window
    window.close()


@pytest.fixture
def other(browser: Browser, server: Tegel) -> Iterator[Window]:
    window = Window(browser, server, **DESK)
    yield window
    window.close()


@pytest.fixture
def phone(browser: Browser, server: Tegel) -> Iterator[Window]:
    window = Window(browser, server, **PHONE)
    yield window
    window.close()


def sit(window: Window, variant: str = DAY, game: str = "puzzle", *moves: str, **wish: Any) -> str:
    """A table of this window's own, with some tiles laid, and the window before it."""
    request = window.context.request
    wish = {"game": game, "variant": variant, "clock": "up", **wish}
    made = request.post("/api/rooms", data=wish)
    assert made.ok, made.text()
    room = made.json()
    for move in moves:
        done = request.post(
            f"/api/rooms/{room['id']}/move", data={"ply": room["ply"], "move": move}
        )
        assert done.ok, done.text()
        room = done.json()
    window.sit(room["id"])
    id: str = room["id"]
    return id


def answer(variant: str = DAY) -> list[Move]:
    return [laid(placement) for placement in puzzle.solve(puzzle.load(variant)).position or ()]


def score(window: Window) -> int:
    shown = window.context.request.get(f"/api/rooms/{window.page.url.split('/')[-1]}").json()
    found: int = shown["scores"][0]
    return found


# Where things are on the screen


def point(page: Page, cell: tuple[float, float]) -> tuple[float, float]:
    """The middle of a square of the board."""
    x, y = page.evaluate(
        """([x, y]) => {
            const plane = document.querySelector('svg.scene > g')
            const at = new DOMPoint(x, -y).matrixTransform(plane.getScreenCTM())
            return [at.x, at.y]
        }""",
        list(cell),
    )
    return x, y


def middle(move: Move) -> tuple[float, float]:
    """The middle of the box of the tile that a move lays: what the pointer holds it by."""
    form = forms(shape(move.tile))[move.turn]
    wide, high = max(x for x, _ in form), max(y for _, y in form)
    return move.cell[0] + wide / 2, move.cell[1] + high / 2


def shape(tile: str) -> Shape:
    return POLYOMINOES[tile.rpartition("-")[2]]


def pile(page: Page, tile: str) -> Locator:
    """The pile that a tile of this name lies in, whatever colour is on top."""
    return page.locator(f'.tile[data-tile$="-{tile.rpartition("-")[2]}"]').first


def turned(page: Page, move: Move) -> None:
    """Turn and flip the tile in hand by keys until it has the form of a move."""
    want = str(sorted(forms(shape(move.tile))[move.turn]))
    for key in ("r", "r", "r", "r", "f", "r", "r", "r"):
        if held(page) == want:
            return
        page.keyboard.press(key)
    assert held(page) == want


def held(page: Page) -> str:
    """The form of the tile in hand, read off its drawing in the tray."""
    href = page.locator(".tile.held use").first.get_attribute("href") or ""
    tile, _, turn = href.removeprefix("#s-").rpartition(".")
    return str(sorted(forms(shape(tile))[int(turn)]))


def lay(window: Window, move: Move) -> None:
    """Lay a tile by mouse: click on its pile, turn it, click where it goes."""
    page, ply = window.page, window.ply
    pile(page, move.tile).click()
    turned(page, move)
    page.mouse.move(*point(page, middle(move)))
    page.mouse.click(*point(page, middle(move)))
    window.moved(ply)


# Solving


def test_tetra_8x10_is_solved_by_mouse(desk: Window) -> None:
    page = desk.open("/puzzles")
    card = page.locator("article", has=page.get_by_role("heading", name="fill 8 x 10", exact=False))
    card.first.get_by_role("button", name="Start").click()
    page.wait_for_selector("svg.scene")
    moves = answer("tetra-8x10")
    for move in moves:
        lay(desk, move)
    result = page.get_by_role("region", name="Result")
    expect(result.get_by_role("heading")).to_have_text("Solved!")
    expect(result).to_contain_text(re.compile(r"Solved in \d+:\d\d"))
    told = result.get_by_role("textbox").input_value()
    first, second, link = told.splitlines()
    assert first == "Tegel · Twenty tetrominoes fill 8 x 10"
    assert re.fullmatch(r"Solved in \d+:\d\d", second)
    assert link.endswith("/puzzles/puzzle/tetra-8x10")
    desk.open("/puzzles")
    expect(card.first).to_contain_text("Solved in")


def test_a_puzzle_is_solved_on_a_phone_by_touch(phone: Window) -> None:
    page = phone.page
    sit(phone)
    for move in answer():
        ply = phone.ply
        pile(page, move.tile).tap()
        want = str(sorted(forms(shape(move.tile))[move.turn]))
        for button in ("Turn", "Turn", "Turn", "Turn", "Flip", "Turn", "Turn", "Turn"):
            if held(page) == want:
                break
            page.get_by_role("button", name=button).tap()
        page.touchscreen.tap(*point(page, middle(move)))
        page.get_by_role("button", name="Place", exact=True).tap()
        phone.moved(ply)
    expect(page.get_by_role("region", name="Result")).to_contain_text("Solved in")


def test_the_tray_of_a_phone_holds_84_tiles_that_can_be_grabbed(phone: Window) -> None:
    page = phone.page
    sit(phone, "all84")
    board = page.locator("svg.scene").bounding_box()
    assert board
    assert board["width"] > 340
    expect(page.locator(".tile")).to_have_count(21)
    for number in range(page.locator(".tile").count()):
        box = page.locator(".tile").nth(number).bounding_box()
        assert box
        assert min(box["width"], box["height"]) >= 36
    sit(phone, "penta-15x16")
    expect(page.locator(".tile")).to_have_count(12)
    expect(page.locator(".tile .count").first).to_have_text("4")
    sit(phone, "penta-15x16-apart")
    expect(page.locator(".tile")).to_have_count(12)
    page.get_by_role("button", name="Green").tap()
    expect(page.locator('.tile[data-tile^="green"]')).to_have_count(12)
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= 390, "nothing sticks out"


def test_a_puzzle_is_solved_by_keys_alone(desk: Window) -> None:
    page = desk.page
    sit(desk, "own", options={"text": packed(puzzle.parse(TINY))})
    page.locator("svg.scene").focus()
    for _ in range(3):
        ply = desk.ply
        page.keyboard.press("Enter")  # from the board to the tiles
        expect(page.locator(".tile:focus")).to_be_visible()
        page.keyboard.press("Enter")
        expect(page.locator(".tile.held")).to_be_visible()
        for key in ("ArrowUp", "ArrowUp", "ArrowUp", "ArrowLeft", "ArrowLeft", "Enter"):
            page.keyboard.press(key)
        desk.moved(ply)
    expect(page.get_by_role("heading", name="Solved!")).to_be_visible()


def test_a_tile_is_picked_up_by_keys(desk: Window) -> None:
    page, first = desk.page, answer()[0]
    sit(desk, DAY, "puzzle", str(first))
    page.locator("svg.scene").focus()
    covered = {
        (first.cell[0] + x, first.cell[1] + y) for x, y in forms(shape(first.tile))[first.turn]
    }
    goal = min(covered)
    page.keyboard.press("ArrowUp")  # the cursor appears
    for _ in range(20):
        at = cursor(page)
        if at == goal:
            break
        key = ("ArrowLeft" if at[0] > goal[0] else "ArrowRight" if at[0] < goal[0]
               else "ArrowDown" if at[1] > goal[1] else "ArrowUp")  # fmt: skip
        page.keyboard.press(key)
    assert cursor(page) == goal
    ply = desk.ply
    page.keyboard.press("Enter")
    desk.moved(ply)
    assert score(desk) == 0
    expect(page.locator(".tile.held")).to_have_attribute("data-tile", first.tile)
    page.keyboard.press("Enter")
    desk.moved(ply + 1)
    assert score(desk) == 5, "it was still where it lay"


def cursor(page: Page) -> tuple[int, int]:
    box = page.locator("rect.cursor")
    x, y = float(box.get_attribute("x") or 0), float(box.get_attribute("y") or 0)
    return round(x + 0.5), -round(y + 0.5)


# Taking up again


def test_a_lying_tile_is_picked_up_by_a_click_and_put_elsewhere(desk: Window) -> None:
    page, first = desk.page, answer()[0]
    sit(desk, DAY, "puzzle", str(first))
    ply = desk.ply
    x, y = forms(shape(first.tile))[first.turn][0]
    page.mouse.click(*point(page, (first.cell[0] + x, first.cell[1] + y)))
    desk.moved(ply)
    assert score(desk) == 0
    expect(page.locator(".tile.held")).to_have_attribute("data-tile", first.tile)
    elsewhere = next(
        move for move in puzzle.GAME.start(DAY).moves()
        if move.tile == first.tile and move.turn == first.turn and move.cell != first.cell
    )  # fmt: skip
    page.mouse.move(*point(page, middle(elsewhere)))
    page.mouse.click(*point(page, middle(elsewhere)))
    desk.moved(ply + 1)
    assert score(desk) == 5
    expect(page.locator(".line")).to_contain_text("placed")


def test_a_lying_tile_is_dragged_away(desk: Window) -> None:
    page, first = desk.page, answer()[0]
    sit(desk, DAY, "puzzle", str(first))
    ply = desk.ply
    x, y = forms(shape(first.tile))[first.turn][0]
    page.mouse.move(*point(page, (first.cell[0] + x, first.cell[1] + y)))
    page.mouse.down()
    page.mouse.move(640, 300, steps=4)
    desk.moved(ply)
    page.locator(".tile.held").wait_for()
    page.mouse.move(60, 600, steps=4)  # off the board: it goes back to the tray
    page.mouse.up()
    expect(page.locator(".tile.held")).to_have_count(0)
    assert score(desk) == 0
    expect(page.locator(f'.tile[data-tile="{first.tile}"]')).to_be_visible()


def test_a_finger_picks_a_tile_up(phone: Window) -> None:
    page, first = phone.page, answer()[0]
    sit(phone, DAY, "puzzle", str(first))
    ply = phone.ply
    x, y = forms(shape(first.tile))[first.turn][0]
    page.touchscreen.tap(*point(page, (first.cell[0] + x, first.cell[1] + y)))
    phone.moved(ply)
    expect(page.locator(".tile.held")).to_have_attribute("data-tile", first.tile)
    expect(page.locator(".ghost")).to_be_visible()
    assert score(phone) == 0


def test_undo_and_start_over(desk: Window) -> None:
    page, moves = desk.page, [str(move) for move in answer()]
    sit(desk, DAY, "puzzle", *moves[:3])
    ply = desk.ply
    page.get_by_role("button", name="Undo").click()
    desk.moved(ply)
    assert score(desk) == 10
    page.keyboard.press("Control+z")
    desk.moved(ply + 1)
    assert score(desk) == 5
    lay(desk, answer()[1])
    page.get_by_role("button", name="Start over").click()
    page.get_by_role("button", name="Really start over?").click()
    expect(page.locator('progress[value="0"]')).to_be_visible()
    assert score(desk) == 0
    expect(page.get_by_role("button", name="Undo")).to_be_disabled()


# Hints


def test_a_hint_shows_the_next_tile(desk: Window) -> None:
    page = desk.page
    sit(desk)
    page.get_by_role("button", name="Hint").click()
    expect(page.locator(".advice")).to_have_text(
        "Yes, it can be done: the next tile is shown on the board."
    )
    expect(page.locator(".ghost")).to_be_visible()
    ply = desk.ply
    page.get_by_role("button", name="Place", exact=True).click()
    desk.moved(ply)
    lying = desk.context.request.get(f"/api/rooms/{page.url.split('/')[-1]}").json()["moves"]
    assert GAME.parse(lying[0]["move"]) in answer()


def test_a_hint_proves_that_it_cant_be_done(desk: Window) -> None:
    page, right = desk.page, answer()
    wrong = next(move for move in GAME.start(DAY).moves() if move not in right)
    sit(desk, DAY, "puzzle", str(wrong))
    page.get_by_role("button", name="Hint").click()
    expect(page.locator(".advice")).to_have_text(
        "No: from here the puzzle can't be solved, proved. Lift something."
    )
    expect(page.locator(".ghost")).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".advice")).to_be_hidden()


def test_a_hint_says_that_nothing_was_found(
    browser: Browser, tmp_path_factory: pytest.TempPathFactory
) -> None:
    with tegel(tmp_path_factory.mktemp("hasty"), "--hint-seconds", "0") as hasty:
        window = Window(browser, hasty, **DESK)
        sit(window, "penta-15x16")
        window.page.get_by_role("button", name="Hint").click()
        expect(window.page.locator(".advice")).to_have_text(
            "No way on was found in 0 seconds; there may be one."
        )
        window.close()


def test_a_long_search_can_be_given_up_and_the_page_goes_on(desk: Window) -> None:
    page = desk.page
    game = games.load("discovery")
    assert game.hint
    for seed in range(100):
        rng, state, moves = random.Random(seed), game.start("26"), list[str]()
        while len(moves) < 5:
            move = rng.choice([m for m in state.moves() if "lift" not in str(m)])
            state = state.play(move)
            moves.append(str(move))
        if game.hint(state, 0.5, None).key == "unknown":
            break
    sit(desk, "26", "discovery", *moves)
    page.get_by_role("button", name="Hint").click()
    search = page.locator(".search")
    expect(search.get_by_role("progressbar")).to_be_visible()
    expect(search).to_contain_text("Looking for the next tile")
    ply = desk.ply
    tile = page.locator(".tile:enabled").first
    tile.click()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Escape")
    search.get_by_role("button", name="Cancel").click()
    expect(search).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    desk.moved(ply)


def test_a_solution_is_shown_and_not_celebrated(desk: Window) -> None:
    page = desk.page
    sit(desk, DAY, "puzzle", str(answer()[0]))
    page.get_by_role("button", name="Show solution").click()
    page.get_by_role("button", name="Really give up?").click()
    result = page.get_by_role("region", name="Result")
    expect(result.get_by_role("heading")).to_have_text("A solution")
    expect(result).to_contain_text("does not count as solved")
    assert "Solved" not in page.inner_text("main")
    assert score(desk) == 25
    desk.open(f"/puzzles/puzzle/{DAY}")
    card = page.locator("article").first
    expect(card).to_contain_text("Solution seen")
    expect(card).not_to_contain_text("Solved")


# Time


def seconds(page: Page) -> int:
    minutes, rest = page.get_by_role("timer").inner_text().split(":")
    return 60 * int(minutes) + int(rest)


def test_time_is_kept_over_a_reload_and_stops_out_of_sight(desk: Window) -> None:
    page = desk.page
    room = sit(desk)
    page.wait_for_function("() => document.querySelector('.timer').textContent >= '0:02'")
    lay(desk, answer()[0])
    before = seconds(page)
    page.reload()
    page.wait_for_selector(".timer.running")
    assert before <= seconds(page) <= before + 2
    assert score(desk) == 5
    desk.open("/puzzles")
    page.wait_for_timeout(2500)
    desk.sit(room)
    page.wait_for_selector(".timer.running")
    left = seconds(page)
    assert left <= before + 3, "the list was looked at meanwhile"
    page.evaluate(
        """() => {
            Object.defineProperty(document, 'hidden', { value: true, configurable: true })
            document.dispatchEvent(new Event('visibilitychange'))
        }"""
    )
    page.wait_for_selector(".timer:not(.running)")
    hidden = seconds(page)
    page.wait_for_timeout(2200)
    assert seconds(page) == hidden
    page.evaluate(
        """() => {
            Object.defineProperty(document, 'hidden', { value: false, configurable: true })
            document.dispatchEvent(new Event('visibilitychange'))
        }"""
    )
    page.wait_for_selector(".timer.running")


def test_looking_writes_one_row(desk: Window) -> None:
    sit(desk)
    desk.page.wait_for_selector(".timer.running")
    desk.page.wait_for_timeout(700)
    assert desk.ply == 2, "who sits there, and that somebody looks"


def test_a_puzzle_is_found_again_in_the_list(desk: Window) -> None:
    page = desk.page
    room = sit(desk, "tetra-8x10-apart", "puzzle", str(answer("tetra-8x10-apart")[0]))
    desk.open("/puzzles")
    card = page.locator("article", has=page.get_by_role("heading", name="8 x 10, colours apart"))
    expect(card.locator("progress")).to_have_attribute("value", "4")
    assert f"/api/rooms/{room}/board.svg" in (card.locator("img").get_attribute("src") or "")
    card.get_by_role("button", name="Continue").click()
    page.wait_for_url(f"**/r/{room}")


# Sharing


def test_a_friend_sees_the_position_and_goes_on_with_a_copy(desk: Window, other: Window) -> None:
    moves = [str(move) for move in answer()]
    room = sit(desk, DAY, "puzzle", moves[0])
    page = desk.page
    page.get_by_role("button", name="Share").click()
    link = page.get_by_role("textbox", name="Invite").input_value()
    friend = other.open(link)
    friend.wait_for_selector("svg.scene")
    expect(friend.locator(".tile")).to_have_count(0)
    expect(friend.locator("[data-mark] .mark")).not_to_have_count(0)
    lay(desk, answer()[1])
    other.moved(3)
    friend.get_by_role("button", name="Go on from here as my own").click()
    friend.wait_for_function("room => !location.href.endsWith(room)", arg=room)
    friend.wait_for_selector(".tile:enabled")
    assert score(other) == 10
    lay(other, answer()[2])
    assert (score(other), score(desk)) == (15, 10)


def test_the_daily_puzzle_is_the_same_on_two_servers(
    desk: Window, browser: Browser, tmp_path_factory: pytest.TempPathFactory
) -> None:
    today = daily_name(datetime.now(UTC).date())
    with tegel(tmp_path_factory.mktemp("second")) as second:
        window = Window(browser, second, **DESK)
        pictures = []
        for one in (desk, window):
            page = one.open("/puzzles")
            card = page.locator("article").first
            expect(card.get_by_role("heading")).to_contain_text("The puzzle of the day")
            card.get_by_role("button", name="Start").click()
            page.wait_for_selector("svg.scene")
            board = page.locator(".well").first.get_attribute("d")
            page.locator(".tile").first.wait_for()
            tiles = [tile.get_attribute("data-tile") for tile in page.locator(".tile").all()]
            assert board
            assert tiles
            pictures.append((board, tiles))
            shown = one.context.request.get(f"/api/rooms/{page.url.split('/')[-1]}").json()
            assert shown["variant"] >= today
        assert pictures[0] == pictures[1]
        window.close()


def test_earlier_days_have_puzzles_too(desk: Window) -> None:
    page = desk.open("/puzzles")
    page.get_by_text("Earlier days").click()
    page.get_by_label("Another day:").fill("2026-03-14")
    expect(page.locator("article").first).to_contain_text("March 14, 2026")
    page.locator("article").first.get_by_role("button", name="Start").click()
    page.wait_for_selector("svg.scene")
    expect(page.get_by_role("heading", level=1)).to_have_text(
        "The puzzle of the day · March 14, 2026"
    )


# Discovery


def test_discovery_is_solved_by_hand(desk: Window) -> None:
    page = desk.open("/puzzles")
    page.get_by_role("button", name="5", exact=True).click()
    page.get_by_role("button", name="Start: Discovery 5").click()
    page.wait_for_selector("svg.scene")
    expect(page.locator(".goal")).to_contain_text("One red loop through all 5 tiles")
    game = games.load("discovery")
    way = game.solution and game.solution(game.start("5"), 10, None)
    assert way
    for text in way.moves:
        move, ply = game.parse(text), desk.ply
        page.locator(f'.tile[data-tile="{move.tile}"]').click()
        for _ in range(6):
            href = page.locator(".tile.held use").first.get_attribute("href")
            if href == f"#s-{move.tile}.{move.turn}":
                break
            page.keyboard.press("r")
        q, r = move.cell
        page.mouse.move(*point(page, (q + r / 2, -r * 3**0.5 / 2)))
        page.mouse.click(*point(page, (q + r / 2, -r * 3**0.5 / 2)))
        desk.moved(ply)
    expect(page.get_by_role("region", name="Result")).to_contain_text("Solved in")
    page.get_by_role("button", name="Next puzzle").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Discovery 6")


# One's own


def test_ones_own_puzzle_is_played_and_solved(desk: Window) -> None:
    page = desk.open("/puzzles")
    box = page.get_by_role("textbox")
    box.fill("nonsense")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("expected a header")
    desk.wrong.clear()  # that the browser notes the refusal is right
    page.get_by_role("textbox").fill("")
    page.get_by_role("button", name="An example").click()
    page.get_by_role("button", name="Solve", exact=True).click()
    expect(page.get_by_role("heading", name="A solution")).to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_have_text("small")
    desk.open("/puzzles")
    page.locator("input[type=file]").set_input_files(
        {"name": "tiny.txt", "mimeType": "text/plain", "buffer": TINY.encode()}
    )
    expect(page.get_by_role("textbox")).to_have_value(TINY)
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("tiny")


# For everybody


@pytest.mark.parametrize("how", [DESK, PHONE], ids=["desk", "phone"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(
    browser: Browser, server: Tegel, how: dict[str, Any], scheme: str
) -> None:
    if not AXE.is_file():
        missing("axe-core")
    window = Window(browser, server, color_scheme=scheme, **how)
    page = window.page
    moves = [str(move) for move in answer()]
    wrong = next(str(move) for move in GAME.start(DAY).moves() if str(move) not in moves)
    rooms = {
        "begun": sit(window, DAY, "puzzle", wrong),
        "tabs": sit(window, "penta-15x16-apart"),
        "solved": sit(window, DAY, "puzzle", *moves),
        "discovery": sit(window, "12", "discovery"),
    }
    for what in ("/puzzles", *rooms):
        window.open(what if what == "/puzzles" else f"/r/{rooms[what]}")
        page.wait_for_selector("main")
        page.wait_for_load_state("networkidle")
        if what == "/puzzles":
            page.get_by_text("Earlier days").click()
        if what == "begun":
            page.get_by_role("button", name="Hint").click()
            page.locator(".advice.bad").wait_for()
            page.get_by_role("button", name="Share").click()
        page.evaluate(AXE.read_text("utf-8"))
        found = page.evaluate("axe.run({ resultTypes: ['violations'] })")["violations"]
        serious = [
            (v["id"], [node["html"][:160] for node in v["nodes"]])
            for v in found if v["impact"] in ("serious", "critical")
        ]  # fmt: skip
        assert not serious, (what, serious)
    window.close()


@pytest.mark.parametrize("language", LANGUAGES)
def test_puzzles_speak(browser: Browser, server: Tegel, language: str) -> None:
    window = Window(browser, server, **{**DESK, "locale": language})
    page = window.page
    said = {
        "en": ("The puzzle of the day · November 9, 2026", "can't be solved, proved", "Solved in"),
        "nl": ("De puzzel van de dag · 9 november 2026", "bewezen", "Opgelost in"),
        "fr": ("9 novembre 2026", "prouvé", "Résolu en"),
        "de": ("9. November 2026", "bewiesen", "Gelöst in"),
        "it": ("9 novembre 2026", "dimostrato|provato", "Risolto in"),
    }[language]
    right = [str(move) for move in answer()]
    wrong = next(str(move) for move in GAME.start(DAY).moves() if str(move) not in right)
    sit(window, DAY, "puzzle", wrong)
    expect(page.get_by_role("heading", level=1)).to_contain_text(said[0])
    page.locator(".help button").first.click()
    expect(page.locator(".advice")).to_contain_text(re.compile(said[1]))
    sit(window, DAY, "puzzle", *right)
    expect(page.locator(".feat")).to_contain_text(said[2])
    window.open("/puzzles")
    page.wait_for_selector("article")
    assert not re.search(r"\b(puzzle|no)\.[a-z]+", page.inner_text("main")), "a key, not a word"
    window.close()
