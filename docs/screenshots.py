"""Take pictures of every page, at the sizes of a desk and of a phone, light and dark, into
docs/screenshots; and draw the icons of the page from its SVG. Needs Chromium.

    make screenshots
"""

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from playwright.sync_api import Browser  # noqa: E402

from browser import DESK, PHONE, Window, chromium  # noqa: E402
from puzzling import sit  # noqa: E402
from servers import Tegel, tegel  # noqa: E402
from tegel import games, solver  # noqa: E402
from tegel.games.puzzle.moves import laid  # noqa: E402

SHOTS = ROOT / "docs" / "screenshots"
PUBLIC = ROOT / "web" / "public"
DAY = "daily-1-2026-11-14"
discovery = games.load("discovery")
HAND = {"blokus": 1, "imago": 0, "tantrix": 1, "forma": 6}  # which tile is shown in hand


def icons(browser: Browser) -> None:
    """The icon as PNG: an app's icon is cut to many shapes, so it stands on a full ground."""
    drawing = (PUBLIC / "icon.svg").read_text("utf-8")
    for size in (192, 512):
        page = browser.new_page(viewport={"width": size, "height": size})
        page.set_content(
            f"<style>body{{margin:0;background:#f6f3ea;display:grid;place-items:center;height:100vh}}"
            f"svg{{width:72%;height:72%}}</style>{drawing}"
        )
        page.screenshot(path=PUBLIC / f"icon-{size}.png")
        page.close()


def tables(window: Window) -> Iterator[tuple[str, str]]:
    """A table of each game after some moves, with a tile in hand."""
    for name in games.names():
        game = games.load(name)
        variant = next(v for v in game.variants if len(game.start(v).scores) == 2)
        room = window.room(game=name, variant=variant, options=dict(game.quick))
        if name == "forma":
            room = window.room(game=name, variant=variant, options={**game.quick, "assist": "on"})
        for number in range(7):
            if window.turn():
                window.play(pick=3 * number)
        window.turn()
        yield f"table-{name}", f"/r/{room}"


def alone(window: Window) -> Iterator[tuple[str, str]]:
    """Tables with a puzzle: some tiles laid, many tiles, a field, solved."""
    answer = [str(laid(p)) for p in solver.solve(solver.load(DAY)).position or ()]
    apart = solver.solve(solver.load("penta-15x16-apart")).position or ()
    yield "puzzle", f"/r/{sit(window, DAY, 'puzzle', *answer[:2])}"
    laid_apart = [str(laid(p)) for p in apart[:20]]
    yield "puzzle-apart", f"/r/{sit(window, 'penta-15x16-apart', 'puzzle', *laid_apart)}"
    way = discovery.solo and discovery.solo.solution(discovery.start("10"), 10, None)
    yield (
        "puzzle-discovery",
        f"/r/{sit(window, '10', 'discovery', *(way.moves[:6] if way else ()))}",
    )
    yield "puzzle-solved", f"/r/{sit(window, DAY, 'puzzle', *answer)}"


def shots(browser: Browser, server: Tegel) -> None:
    for size, how in (("desk", DESK), ("phone", PHONE)):
        for scheme in ("light", "dark"):
            window = Window(browser, server, color_scheme=scheme, **how)
            shot(window, "front", "/", size, scheme)  # as a newcomer sees it
            pages = list(tables(window))
            pages += [(f"guide-{name}", f"/guide/{name}") for name in games.names()]
            pages += [("replay", f"{pages[0][1]}/replay"), ("rules", "/rules/tantrix")]
            pages += [("new", "/new/forma"), ("puzzles", "/puzzles")]
            pages += [("about", "/about"), ("me", "/me"), *alone(window)]
            for name, path in pages:
                shot(window, name, path, size, scheme)
            window.close()


def shot(window: Window, name: str, path: str, size: str, scheme: str) -> None:
    page = window.open(path)
    page.wait_for_selector("main")
    page.wait_for_load_state("networkidle")
    if name.startswith("puzzle-") or name == "puzzle":
        tiles = window.page.locator(".tile:enabled")
        if tiles.count():
            tiles.first.click()
            window.page.keyboard.press("ArrowUp")
    if name.startswith("table-"):
        window.turn()
        hold(window, HAND[name.removeprefix("table-")])
    page.screenshot(path=SHOTS / f"{name}-{size}-{scheme}.png")


def hold(window: Window, pick: int) -> None:
    """Take a tile up and let its ghost show."""
    tiles = window.page.locator(".tile:enabled")
    if tiles.count():
        tiles.nth(pick % tiles.count()).click()
        window.page.keyboard.press("ArrowUp")
        window.page.keyboard.press("ArrowRight")


def main() -> None:
    SHOTS.mkdir(exist_ok=True)
    with chromium() as browser:
        icons(browser)
        with tempfile.TemporaryDirectory() as folder, tegel(Path(folder)) as server:
            shots(browser, server)


if __name__ == "__main__":
    main()
