"""A real browser for the tests: Debian's Chromium by Playwright, and a person before it who
plays what the page shows; records to begin with."""

import random
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import resources
from pathlib import Path
from typing import Any

from playwright.sync_api import (
    Browser,
    BrowserContext,
    Page,
    Playwright,
    expect,
    sync_playwright,
)

from servers import Tegel, missing
from tegel import games
from tegel import record as records
from tegel.server.web import page

WEB = Path(__file__).parent.parent / "web"
BUILT = Path(str(page.BUILT))
LANGUAGES = ("en", "nl", "fr", "de", "it")
HERE = [{"kind": "person"}] * 2  # two at one screen: whoever begins, it is one of them

ARGUMENTS = [
    "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run",
    "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
]  # fmt: skip
DESK: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}
PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True,
}  # fmt: skip
PATIENCE = 30_000  # milliseconds
expect.set_options(timeout=PATIENCE)
YOURS = 'main[data-yours="true"][data-over="false"][data-pending="false"]'
OVER = 'main[data-over="true"]'


@contextmanager
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright, launched(playwright) as browser:
        yield browser


@contextmanager
def launched(playwright: Playwright, whole: bool = False) -> Iterator[Browser]:
    """Chromium; unless the whole of it is asked for, without windows where that is installed: it
    takes a third of the time, but has no notifications."""
    names = ("chromium-headless-shell", "chromium", "chromium-browser")
    found = next(filter(None, map(shutil.which, names[whole:])), None)
    if not found:
        missing("Chromium")
        return
    browser = playwright.chromium.launch(executable_path=found, args=ARGUMENTS)
    yield browser
    browser.close()


def soon(page: Page, met: Callable[[], bool]) -> bool:
    """Whether something comes true while the page takes its time."""
    for _ in range(PATIENCE // 50):
        if met():
            return True
        page.wait_for_timeout(50)
    return False


def drawn(page: Page) -> None:
    """Let the page follow its size: what it measures is known after a frame."""
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")


CUT = """what => {
  const cut = [...document.querySelectorAll(`main :is(${what})`)]
    .filter((node) => node.offsetParent && getComputedStyle(node).display !== 'inline'
      && node.scrollWidth > node.clientWidth + 1)
    .map((node) => node.outerHTML.slice(0, 120))
  return document.documentElement.scrollWidth > innerWidth ? ['the page', ...cut] : cut
}"""


def cut_off(page: Page, what: str) -> list[str]:
    """What of a page is wider than its place."""
    drawn(page)
    found: list[str] = page.evaluate(CUT, what)
    return found


class Window:
    """A window of a browser of its own, which notes whatever goes wrong in it."""

    def __init__(self, browser: Browser, server: Tegel, **how: Any) -> None:
        self.server = server
        how = {"reduced_motion": "reduce", "locale": "en", **(how or DESK)}
        self.context: BrowserContext = browser.new_context(**{"base_url": server.url, **how})
        self.context.set_default_timeout(PATIENCE)
        self.page: Page = self.context.new_page()
        self.wrong: list[str] = []
        self.asked: list[str] = []
        self.page.on("pageerror", lambda error: self.wrong.append(str(error)))
        self.page.on(
            "console",
            lambda said: self.wrong.append(said.text) if said.type == "error" else None,
        )
        self.page.on("request", lambda request: self.asked.append(request.url))

    def open(self, path: str = "/") -> Page:
        with self.page.expect_response("**/api/me"):  # so that it is known who we are
            self.page.goto(path)
        return self.page

    def room(self, **wish: Any) -> str:
        """Make a room, you at the first seat, and go there."""
        variant = wish.get("variant")
        seats = [{"kind": "person"}, *[{"kind": "bot", "level": 1}] * wish.pop("bots", 1)]
        answer = self.context.request.post(
            "/api/rooms", data={"seats": seats, "options": {}, **wish, "variant": variant}
        )
        assert answer.ok, answer.text()
        id: str = answer.json()["id"]
        self.sit(id)
        return id

    def continued(self, record: str, ply: int | None = None, level: int = 1) -> str:
        """Play on from a record."""
        request = self.context.request
        kept = request.post("/api/records", data=record, headers={"content-type": "text/plain"})
        assert kept.ok, kept.text()
        found = kept.json()
        ply = found["plies"] if ply is None else ply
        wish = {"source": f"records/{found['id']}", "ply": ply, "level": level}
        made = request.post("/api/rooms/continued", data=wish)
        assert made.ok, made.text()
        id: str = made.json()["id"]
        self.sit(id)
        return id

    def sit(self, room: str) -> None:
        self.open(f"/r/{room}").wait_for_selector("svg.scene")

    @property
    def ply(self) -> int:
        return int(self.page.get_attribute("main.table", "data-ply") or -1)

    def turn(self) -> bool:
        """Wait until it is this window's turn; False if the game is over."""
        self.page.wait_for_function(
            f"""() => document.querySelector('{OVER}') || (document.querySelector('{YOURS}')
                && document.querySelector('.tile:enabled, .takeable, .choices button:enabled'))"""
        )
        return not self.page.query_selector(OVER)

    def moved(self, ply: int) -> None:
        """Wait until a move after `ply` stands, and the one that was sent here is answered:
        that somebody sits down or looks is a row, too."""
        self.page.wait_for_function(
            """before => {
              const { ply, pending } = document.querySelector('main.table').dataset
              return Number(ply) > before && pending === 'false'
            }""",
            arg=ply,
        )

    def play(self, pick: int = 0) -> None:
        """One move, by mouse and keys: a tile from the tray or a stone from the board, put
        where the arrows lead; or a choice."""
        page, ply = self.page, self.ply
        tiles = page.locator(".tile:enabled")
        if count := tiles.count():
            tiles.nth(pick % count).click()
        elif (stones := page.locator(".takeable")).count():
            stones.nth(pick % stones.count()).click()
        else:
            page.locator(".choices button:enabled").first.click()
            self.moved(ply)
            return
        place = page.get_by_role("button", name="Place", exact=True)
        if place.is_disabled():
            page.keyboard.press("ArrowUp")
        place.click()
        self.moved(ply)

    def ended(self, record: str) -> str:
        """A table at which a game has just come to its end, after its last few moves."""
        room = self.continued(record, max(0, len(records.parse(record).moves) - 4))
        self.finish()
        return room

    def finish(self, pick: int = 0) -> None:
        """Play until the game is over."""
        while self.turn():
            self.play(pick)

    def close(self) -> None:
        self.context.close()
        assert not self.wrong, self.wrong


# Records


def picture(game: str, name: str) -> str:
    """A record of the rule pages."""
    folder = resources.files(f"tegel.games.{game}")
    return (folder / "pictures" / f"{name}.txt").read_text("utf-8")


def forced_record() -> str:
    """A random game of Tantrix up to where somebody has a forced space to fill."""
    return random_record("tantrix", "two", lambda state: bool(state.field.forced))


def random_record(
    name: str, variant: str, until: Callable[[Any], bool], seed: int = 0, **options: str
) -> str:
    """A random game up to where a player has something to lay and `until` holds; at the end
    it need not."""
    game = games.load(name)
    for again in range(seed, seed + 200):
        rng, state, moves = random.Random(again), game.start(variant, **options), []
        while not state.outcome:
            move = rng.choice(state.moves())
            moves.append(str(move))
            state = state.play(move)
            if state.turn >= 0 and game.offer(state).slots and until(state):
                break
        if not state.outcome or until(state):
            return str(records.Record(name, variant, moves=tuple(moves), options=options))
    raise AssertionError(f"no such position of {name} in 200 games")


def whole_record(name: str, variant: str, seed: int = 0, **options: str) -> str:
    """A random game to its end."""
    return random_record(name, variant, lambda state: bool(state.outcome), seed, **options)
