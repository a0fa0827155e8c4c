"""The page as people meet it: a real Chromium before a real server."""

import gzip
import json
import os
import random
import re
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from browser import DESK, PHONE, Window, chromium
from servers import Tegel, missing, tegel
from tegel import games, record
from tegel.games import blokus, imago
from tegel.server import client

WEB = Path(__file__).parent.parent / "web"
BUILT = Path(str(client.BUILT))
LANGUAGES = ("en", "nl", "fr", "de", "it")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tegel]:
    if not BUILT.is_dir():
        missing("The built page")
    with tegel(tmp_path_factory.mktemp("page"), "--grace", "2") as found:
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


def picture(game: Any, name: str) -> str:
    """A record of the rule pages."""
    return (resources.files(game) / "pictures" / f"{name}.txt").read_text("utf-8")


# Whole games


@pytest.mark.parametrize(
    ("game", "variant", "options"),
    [
        ("blokus", "duo", {}),
        ("imago", "imago", {}),
        ("tantrix", "two", {}),
        ("forma", "two", {"layout": "random", "assist": "on"}),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_whole_game_against_a_bot(
    desk: Window, game: str, variant: str, options: dict[str, str]
) -> None:
    desk.room(game=game, variant=variant, options=options)
    desk.finish(pick=1)
    result = desk.page.get_by_role("region", name="Result")
    expect(result.get_by_role("heading")).to_have_text(re.compile("win|draw"))
    expect(result.get_by_role("listitem")).to_have_count(2)
    room = desk.page.url
    result.get_by_role("button", name="Play again").click()
    desk.page.wait_for_function("room => location.href !== room", arg=room)
    desk.page.wait_for_selector('main[data-over="false"]')


def test_a_newcomer_plays_after_one_click_on_any_game(desk: Window) -> None:
    for name in ("Blokus", "Forma", "Imago", "Tantrix"):
        page = desk.open("/")
        card = page.locator("article", has=page.get_by_role("heading", name=name))
        card.get_by_role("button", name="Play a bot").click()
        page.wait_for_selector("svg.scene")
        assert desk.turn()
        desk.play() if name != "Forma" else page.locator(".tile:enabled").first.click()


def test_two_browsers_meet_in_one_room_by_a_link(desk: Window, other: Window) -> None:
    page = desk.open("/")
    card = page.locator("article", has=page.get_by_role("heading", name="Blokus"))
    card.get_by_role("button", name="Invite a friend").click()
    link = page.get_by_role("textbox", name="Invite").input_value()
    expect(page.locator(".code svg")).to_be_visible()
    friend = other.open(link)
    friend.get_by_role("button", name="Sit here").click()
    for mover, watcher in ((desk, other), (other, desk), (desk, other)):
        assert mover.turn()
        assert "Your turn" in mover.page.inner_text(".status")
        assert mover.page.title().startswith("●")
        ply = watcher.ply
        mover.play(pick=2)
        watcher.moved(ply)
    page.get_by_role("button", name="Take back").click()
    friend.get_by_role("button", name="Agree").click()
    page.wait_for_selector('main[data-yours="true"]')
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Really resign?").click()
    expect(friend.get_by_role("region", name="Result")).to_contain_text("You win")
    expect(friend.locator(".seat").first).to_contain_text("resigned")


def test_a_phone_plays_by_touch(phone: Window) -> None:
    """Tap a tile, tap the board, press Place; and drag one with the finger."""
    page = phone.page
    phone.room(game="blokus", variant="duo")
    assert phone.turn()
    board = page.locator("svg.scene").bounding_box()
    assert board
    assert board["width"] > 340, "the board has the width of the phone"
    page.locator('[data-tile="P"]').tap()
    page.touchscreen.tap(board["x"] + board["width"] / 3, board["y"] + board["height"] / 3)
    expect(page.locator(".ghost")).to_be_visible()
    ply = phone.ply
    page.get_by_role("button", name="Turn").tap()
    page.get_by_role("button", name="Flip").tap()
    if page.get_by_role("button", name="Place", exact=True).is_disabled():
        page.touchscreen.tap(board["x"] + board["width"] / 3, board["y"] + board["height"] / 3)
    assert phone.ply == ply, "a tap shows, it does not play"
    page.get_by_role("button", name="Place", exact=True).tap()
    phone.moved(ply)
    assert phone.turn()
    page.locator(".tile:enabled").first.scroll_into_view_if_needed()
    scrolled = page.evaluate("scrollY")
    tile = page.locator(".tile:enabled").first.bounding_box()
    board = page.locator("svg.scene").bounding_box()
    assert tile
    assert board
    touch = page.context.new_cdp_session(page)
    start = {"x": tile["x"] + 20, "y": tile["y"] + 20}
    end = {"x": board["x"] + board["width"] / 2, "y": board["y"] + board["height"] / 2 + 40}

    def finger(kind: str, *points: dict[str, float]) -> None:
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": list(points)})

    finger("touchStart", start)
    for step in range(1, 9):
        finger("touchMove", {k: start[k] + (end[k] - start[k]) * step / 8 for k in start})
    expect(page.locator(".held")).to_be_visible()
    assert page.evaluate("scrollY") == scrolled, "nothing scrolls under a drag"
    finger("touchEnd")
    phone.finish()


# The games' own ways


def test_forma_by_eye_shows_nothing_before_and_a_misfit_after(desk: Window) -> None:
    page = desk.page
    desk.room(game="forma", variant="two", options={"layout": "random", "assist": "off"})
    assert desk.turn()
    stone = page.locator('svg.scene [href="#s-obstacle.0"]').first.bounding_box()
    assert stone
    x, y = stone["x"] + stone["width"] / 2, stone["y"] + stone["height"] / 2
    before = page.locator('[data-tile="X"]').first.get_attribute("aria-label")
    page.locator('[data-tile="X"]').first.click()
    page.mouse.move(x - 40, y - 40)
    page.mouse.move(x, y, steps=4)
    assert not page.locator(".ghost, .float").count(), "nothing follows the pointer"
    assert not page.get_by_role("button", name="Hint").count()
    assert not page.get_by_role("button", name="Show places").count()
    assert page.request.post(f"/api/rooms/{page.url.split('/')[-1]}/hint").status >= 400
    ply = desk.ply
    page.mouse.click(x, y)
    desk.moved(ply)
    expect(page.locator(".missed")).to_be_visible()
    expect(page.locator(".drama")).to_contain_text("X does not fit")
    expect(page.locator(".line.bad")).to_contain_text("lays it aside")
    expect(page.locator(".seat").first.locator(".aside .mark")).to_have_count(1)
    assert page.locator('[data-tile="X"]').first.get_attribute("aria-label") != before
    page.get_by_role("button", name="No second try").click()
    assert desk.turn()


def test_forma_by_eye_is_tried_by_keys(desk: Window) -> None:
    page = desk.page
    desk.room(game="forma", variant="two", options={"layout": "random", "assist": "off"})
    assert desk.turn()
    page.locator('[data-tile="L5"]').focus()
    ply = desk.ply
    for key in ("Enter", "r", "s", "ArrowUp", "ArrowLeft"):
        page.keyboard.press(key)
    said = page.locator('[aria-live="polite"]').last.inner_text()
    assert re.match(r"^[a-t]\d+", said), said
    assert not page.locator(".ghost").count()
    page.keyboard.press("Enter")
    desk.moved(ply)


def test_forma_is_set_up_with_obstacles_and_the_tower(desk: Window) -> None:
    page = desk.page
    desk.room(game="forma", variant="two", options={"layout": "placed", "assist": "on"})
    assert desk.turn()
    desk.play(pick=1)
    expect(page.locator('svg.scene [href="#s-tower.0"]')).to_have_count(1)
    desk.play()
    expect(page.locator('svg.scene [href="#s-obstacle.0"]')).to_have_count(1)
    ply = desk.ply
    page.locator(".choices").get_by_role("button", name="Begin").click()
    desk.moved(ply)
    expect(page.locator('[data-tile="X"]')).to_have_count(1)


def test_imago_asks_for_a_claim_in_plain_words(desk: Window) -> None:
    page = desk.page
    desk.continued(picture(imago, "asked"))
    assert desk.turn()
    buttons = page.locator(".choices button")
    texts = buttons.all_inner_texts()
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
    desk.room(game="imago", variant="imago")
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
    played = page.locator(".moves li").all_inner_texts()
    assert any(text.startswith(f"You {said.split(',')[0]}@") for text in played)


def test_tantrix_marks_forced_spaces(desk: Window) -> None:
    page = desk.page
    desk.continued(forced_record())
    assert desk.turn()
    assert page.locator(".due").count()


def forced_record() -> str:
    """A random game of Tantrix up to where somebody has a forced space to fill."""
    game = games.load("tantrix")
    for seed in range(200):
        rng, state, moves = random.Random(seed), game.start("two"), []
        while not state.outcome:
            move = rng.choice(state.moves())
            moves.append(str(move))
            state = state.play(move)
            if state.turn >= 0 and game.offer(state).slots and state.field.forced:
                return "game: tantrix\nvariant: two\n\n" + "\n".join(moves) + "\n"
    raise AssertionError("no forced space in 200 games")


def test_tantrix_is_moved_and_zoomed(desk: Window) -> None:
    page = desk.page
    desk.continued(forced_record())
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
    assert scene.get_attribute("viewBox") != second
    page.get_by_role("button", name="Show everything").click()
    assert scene.get_attribute("viewBox") == first


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


def test_a_hint_is_shown_on_the_board(desk: Window) -> None:
    desk.room(game="blokus", variant="duo")
    assert desk.turn()
    desk.page.get_by_role("button", name="Hint").click()
    expect(desk.page.locator(".ghost")).to_be_visible()
    ply = desk.ply
    desk.page.get_by_role("button", name="Place", exact=True).click()
    desk.moved(ply)


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


# Trouble


def test_a_game_survives_reloading_the_page(desk: Window) -> None:
    desk.room(game="blokus", variant="duo")
    for _ in range(2):
        assert desk.turn()
        desk.play()
    assert desk.turn()
    seen = desk.page.locator("svg.scene .mark").count(), desk.ply
    desk.page.reload()
    assert desk.turn()
    assert (desk.page.locator("svg.scene .mark").count(), desk.ply) == seen
    desk.play()


def test_play_resumes_by_itself_after_the_server_was_killed(
    browser: Browser, tmp_path: Path
) -> None:
    with tegel(tmp_path / "killed") as server:
        window = Window(browser, server, **DESK)
        page = window.page
        window.room(game="blokus", variant="duo")
        assert window.turn()
        window.play()
        assert window.turn()
        ply = window.ply
        server.kill()
        expect(page.get_by_text("Connection lost")).to_be_visible()
        assert page.locator("svg.scene .mark").count() > 5, "the position stays readable"
        server.start()
        expect(page.get_by_text("Connection lost")).to_be_hidden()
        assert window.ply == ply
        window.play(pick=3)
        assert window.turn()
        window.play()
        window.wrong.clear()  # the browser notes that the server was away
        window.close()


def test_a_page_older_than_its_server_loads_itself_again(desk: Window) -> None:
    page = desk.page
    answers = {"page": "index-newer.js", "id": "x", "name": ""}
    page.route("**/api/me", lambda route: route.fulfill(json=answers))
    loads = [0]

    def loaded(_: Page) -> None:
        loads[0] += 1

    page.on("load", loaded)
    desk.open("/about")
    page.wait_for_function("sessionStorage.getItem('page') === 'index-newer.js'")
    page.wait_for_load_state("networkidle")
    page.wait_for_timeout(400)
    assert loads[0] == 2, "once, not for ever"


# For everybody


def test_blokus_duo_by_keyboard_only(desk: Window) -> None:
    page = desk.page
    desk.room(game="blokus", variant="duo")
    while desk.turn():
        ply = desk.ply
        tab_to(desk, ".tile")
        page.keyboard.press("Enter")
        page.keyboard.press("ArrowUp")
        page.keyboard.press("r")
        if not page.locator(".ghost").count():
            page.keyboard.press("ArrowRight")
        if not page.locator(".ghost").count():  # no place when turned so
            page.keyboard.press("Escape")
            page.keyboard.press("Enter")
            page.keyboard.press("ArrowUp")
        page.keyboard.press("Enter")
        desk.moved(ply)
    expect(page.get_by_role("region", name="Result")).to_be_visible()


def tab_to(window: Window, what: str) -> None:
    """Go on with the tab key until something that matches has the focus, visibly."""
    for _ in range(60):
        if window.page.evaluate("what => document.activeElement.matches(what)", what):
            return
        window.page.keyboard.press("Tab")
    raise AssertionError(f"the tab key does not lead to {what}")


def test_moves_are_announced(desk: Window) -> None:
    desk.room(game="blokus", variant="duo")
    assert desk.turn()
    desk.play()
    live = desk.page.locator('[aria-live="polite"]').first
    expect(live).to_have_text(re.compile(r"^Your turn.*yellow places \w+\.$", re.I))


AXE = WEB / "node_modules" / "axe-core" / "axe.min.js"


@pytest.mark.parametrize(
    ("scheme", "size"), [("light", "desk"), ("dark", "phone"), ("light", "phone"), ("dark", "desk")]
)
def test_axe_finds_nothing_serious_on_any_page(
    browser: Browser, server: Tegel, scheme: str, size: str, soak: bool
) -> None:
    """Every page; of the two sizes in either theme a slice, in a soak everything."""
    if not AXE.exists():
        missing("axe-core")
    window = Window(browser, server, color_scheme=scheme, **(DESK if size == "desk" else PHONE))
    whole = soak or (scheme, size) in (("light", "desk"), ("dark", "phone"))
    rooms = [
        window.room(game="blokus", variant="two"),
        window.room(game="forma", variant="two", options={"layout": "random"}),
        window.continued(forced_record()),
        window.continued(picture(imago, "asked")),
    ]
    over = window.continued(picture(blokus, "front"))
    pages = ["/", "/new/forma", f"/r/{rooms[0]}"]
    if whole:
        pages += ["/about", "/puzzles", "/replay", "/rules/imago", f"/r/{rooms[0]}/replay"]
        pages += [f"/guide/{name}" for name in games.names()]
        pages += [f"/r/{room}" for room in [*rooms[1:], over]]
    for path in pages:
        page = window.open(path)
        page.wait_for_selector("main :is(h1, h2, article p)")
        page.wait_for_timeout(200)
        page.evaluate(AXE.read_text("utf-8"))
        found = page.evaluate("axe.run(document, { resultTypes: ['violations'] })")
        bad = [
            (path, violation["id"], [node["html"][:120] for node in violation["nodes"]][:3])
            for violation in found["violations"]
            if violation["impact"] in ("serious", "critical")
        ]
        assert not bad, bad
    window.close()


def test_text_at_twice_its_size_loses_nothing(browser: Browser, server: Tegel) -> None:
    """A large default font makes rem and em twice as large: nothing is cut off sideways."""
    window = Window(browser, server, **DESK)
    room = window.room(game="blokus", variant="duo")
    for path in ("/", f"/r/{room}", "/rules/blokus", "/new/blokus"):
        page = window.open(path)
        page.wait_for_selector("main")
        page.evaluate("document.documentElement.style.fontSize = '200%'")
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert wide <= 1280, (path, wide)
    window.close()


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_speaks(browser: Browser, server: Tegel, language: str) -> None:
    """It speaks the browser's language, on every page, without a key showing through."""
    window = Window(browser, server, locale=language, **DESK)
    page = window.open("/")
    page.wait_for_selector("article")
    assert page.get_attribute("html", "lang") == language
    said = json.loads((WEB / "src" / "words" / f"{language}.json").read_text("utf-8"))
    expect(page.get_by_role("heading", level=1)).to_have_text(said["front.title"])
    expect(page.get_by_role("button", name=said["play.bot"])).to_have_count(len(games.names()))
    room = window.room(game="imago", variant="imago")
    page.wait_for_selector(".status")
    expect(page.get_by_role("button", name=said["resign"])).to_be_visible()
    page.set_viewport_size({"width": 360, "height": 740})
    for path in ("/", "/new/forma", f"/r/{room}", "/guide/forma", "/rules/imago", "/about"):
        window.open(path).wait_for_selector("main :is(h1, h2)")
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert wide <= 360, (path, wide)
    window.close()


def test_the_catalogues_have_the_same_keys_and_fields() -> None:
    catalogues = {
        code: json.loads((WEB / "src" / "words" / f"{code}.json").read_text("utf-8"))
        for code in LANGUAGES
    }
    english = catalogues["en"]
    used = set()
    for file in (WEB / "src").rglob("*"):
        if file.suffix in (".svelte", ".ts"):
            used |= set(re.findall(r"\bt\(\s*'([\w.]+)'", file.read_text("utf-8")))
    assert used <= set(english)
    for code, words in catalogues.items():
        assert set(words) == set(english), code
        for key, text in words.items():
            assert text.strip(), (code, key)
            fields = [set(re.findall(r"{(\w+)}", said)) for said in (text, english[key])]
            assert fields[0] == fields[1], (code, key)
            assert text.count("|") == english[key].count("|"), (code, key)


def test_every_refusal_of_the_server_has_words() -> None:
    """All that a person may meet; the rest of the codes only programs do."""
    codes = {"failed", "storage"}
    for file in (WEB.parent / "src" / "tegel" / "server").rglob("*.py"):
        codes |= set(re.findall(r'Refused\(\s*"(\w+)"', file.read_text("utf-8")))
    programs = {"illegal", "invalid", "level", "reaction", "size", "token", "unreadable"}
    english = json.loads((WEB / "src" / "words" / "en.json").read_text("utf-8"))
    assert {key.removeprefix("no.") for key in english if key.startswith("no.")} == codes - programs


# Weight and privacy


def test_the_first_load_is_light_and_asks_nobody_else(desk: Window, server: Tegel) -> None:
    desk.open("/").wait_for_load_state("networkidle")
    desk.room(game="blokus", variant="duo")
    assert desk.turn()
    desk.play()
    desk.open("/rules/tantrix").wait_for_load_state("networkidle")
    assert all(url.startswith((server.url, "data:", "blob:")) for url in desk.asked), desk.asked
    scripts = {url for url in desk.asked if url.endswith(".js") and "/assets/" in url}
    assert scripts
    sizes = [
        len(gzip.compress((BUILT / "assets" / url.rpartition("/")[2]).read_bytes()))
        for url in scripts
    ]
    assert sum(sizes) <= 120_000, sizes
    answer = desk.page.request.get(next(iter(scripts)), headers={"accept-encoding": "gzip"})
    assert answer.headers.get("content-encoding") == "gzip"


def test_the_page_can_be_installed(desk: Window) -> None:
    manifest = desk.page.request.get("/manifest.webmanifest").json()
    sizes = {icon["sizes"] for icon in manifest["icons"]}
    assert {"192x192", "512x512"} <= sizes
    for icon in manifest["icons"]:
        answer = desk.page.request.get(icon["src"])
        assert answer.ok
        if icon["type"] == "image/png":
            assert answer.body()[:8] == b"\x89PNG\r\n\x1a\n"
            width = int.from_bytes(answer.body()[16:20], "big")
            assert icon["sizes"] == f"{width}x{width}"
    assert manifest["display"] == "standalone"
    assert os.path.exists(BUILT / "worker.js")
