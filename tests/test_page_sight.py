"""Every page as people see it: axe, text at twice its size, small screens, where the keys are.
In light and dark, on a desk and on a phone."""

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser, Page

from browser import DESK, HERE, PHONE, WEB, Window, forced_record, picture, whole_record
from conftest import SEED
from servers import Person, Tegel, missing, offered
from tegel import games

SERVE = ("--report-seconds", "1")
AXE = WEB / "tools" / "node_modules" / "axe-core" / "axe.min.js"
SIZES = {"desk": DESK["viewport"], "phone": PHONE["viewport"]}


class Sight(NamedTuple):
    """A page, and what one does there before looking."""

    name: str
    path: str
    act: Callable[[Page], object] = Page.title  # nothing


@pytest.fixture(scope="module")
def visitor(browser: Browser, server: Tegel) -> Iterator[Window]:
    window = Window(browser, server, **DESK)
    yield window
    window.close()


@pytest.fixture(scope="module")
def sights(visitor: Window, server: Tegel) -> list[Sight]:
    """Every page: those of the games for each game, tables in play and over, what opens."""
    room = visitor.room
    blokus = f"/r/{room(game='blokus', variant='two')}"
    eye = f"/r/{room(game='forma', variant='two', options={'layout': 'random'}, seats=HERE)}"
    setup = f"/r/{room(game='forma', variant='two', options={'layout': 'placed'}, seats=HERE)}"
    clock = f"/r/{room(game='imago', variant='imago', clock='bank 300 5', seats=HERE)}"
    alone = [{"kind": "person"}, {"kind": "open"}]
    mara = Person(server, "Mara")
    invited = f"/j/{mara.room(clock='bank 300 5')['id']}"
    asked = f"/r/{asking(mara, visitor)}"
    found = [
        Sight("front", "/"),
        Sight("menu", "/", lambda page: page.locator("header summary").click()),
        Sight("about", "/about"),
        Sight("puzzles", "/puzzles"),
        Sight("replay", "/replay"),
        Sight("analysis", "/analysis"),
        Sight("study", f"/a/{looked_into(visitor)}/3", judged),
        Sight("mistakes", f"/a/{looked_into(visitor)}/3", mistaken),
        Sight("mistake answered", f"/a/{looked_into(visitor)}/3", answered),
        Sight("moments", "/moments"),
        Sight("moment", "/moments/imago"),
        Sight("moment that was seen", "/moments/blokus", told),
        Sight("moment of a day", "/moments/tantrix/2026-11-16", told),
        Sight("nowhere", "/r/nowhere"),
        Sight("table of Blokus", blokus, take),
        Sight("replay of Blokus", f"{blokus}/replay"),
        Sight("hint", blokus, lambda page: pressed(page, "Hint")),
        Sight("places", blokus, lambda page: pressed(page, "Show places")),
        Sight("resigning", blokus, lambda page: pressed(page, "Resign")),
        Sight("inviting", blokus, inviting),
        Sight("refused", blokus, refused),
        Sight("table of Forma by eye", eye, take),
        Sight("set-up of Forma", setup, take),
        Sight("table with clocks", clock),
        Sight("table of Tantrix", f"/r/{visitor.continued(forced_record())}", take),
        Sight("claim in Imago", f"/r/{visitor.continued(picture('imago', 'asked'))}"),
        Sight("somebody to play with", "/find"),
        Sight("looking", "/find", lambda page: pressed(page, "Find a player")),
        Sight("invitation", invited),
        Sight("old invitation", "/j/nowhere"),
        Sight("question", asked),
        Sight("phrases", asked, lambda page: pressed(page, "Say something")),
        Sight("waiting", f"/r/{room(game='blokus', variant='duo', seats=alone)}"),
    ]
    for name, variant, options in (
        ("blokus", "duo", {}),
        ("forma", "two", {"layout": "random", "assist": "on"}),
        ("tantrix", "two", {}),
        ("imago", "imago", {}),
    ):
        over = visitor.ended(whole_record(name, variant, seed=1, **options))
        found.append(Sight(f"end of {name}", f"/r/{over}"))
    found += [
        Sight("finished games", "/me/games"),
        Sight("no such game", "/me/games?how=drawn&game=blokus"),
        Sight("what others see", "/me/games", lambda page: page.locator("main summary").click()),
        Sight("the best", "/best/blokus"),
    ]
    for name in games.names():
        found += [
            Sight(f"{kind} of {name}", f"/{kind}/{name}") for kind in ("new", "guide", "rules")
        ]
    kept = [Sight("guest", "/me"), Sight("code", "/me", keep), Sight("account", "/me", device)]
    return [*found, *kept, Sight("old link", "/me/device")]


def looked_into(visitor: Window) -> str:
    """A study of a game."""
    text = whole_record("blokus", "duo", seed=1)
    made = visitor.context.request.post("/api/studies", data={"text": text})
    assert made.ok, made.text()
    return str(made.json()["id"])


def judged(page: Page) -> None:
    pressed(page, "Judge this game")
    page.wait_for_selector(".graph .area")
    page.wait_for_selector("button.line")


def mistaken(page: Page) -> None:
    """The first mistake of a game, to find a better move."""
    pressed(page, "Judge this game")
    page.get_by_role("button", name=re.compile("^Learn from")).click(timeout=90_000)
    page.wait_for_selector("main.learn svg.scene .well")


def answered(page: Page) -> None:
    mistaken(page)
    pressed(page, "Show best")
    page.wait_for_selector(".answer h2")


def told(page: Page) -> None:
    pressed(page, "Show the move")
    page.wait_for_selector(".answer")


def keep(page: Page) -> None:
    page.get_by_label("Name", exact=True).fill("Ann-of-Green-Gables")
    pressed(page, "Keep it")
    page.wait_for_selector(".paper")


def device(page: Page) -> None:
    pressed(page, "Show a link")
    page.wait_for_selector(".code svg")


def asking(mara: Person, visitor: Window) -> str:
    """A table at which the visitor is asked whether a move may be taken back."""
    room: str = mara.room()["id"]
    assert visitor.context.request.post(f"/api/rooms/{room}/sit", data={"seat": 1}).ok
    offer = mara.ok("GET", f"/api/rooms/{room}/offer")
    mara.do(room, "move", ply=offer["ply"], move=offered(offer))
    mara.do(room, "takeback", do="ask")
    return room


def take(page: Page) -> None:
    page.locator(".tile:enabled").first.click()


def pressed(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()
    page.wait_for_timeout(300)


def inviting(page: Page) -> None:
    page.locator(".dots:visible").first.click()
    pressed(page, "Invite")


def refused(page: Page) -> None:
    take(page)
    box = page.locator("svg.scene").bounding_box()
    assert box
    page.mouse.click(box["x"] + box["width"] * 0.52, box["y"] + box["height"] * 0.5)
    page.wait_for_selector("p.note")


def seen(window: Window, sight: Sight) -> Page:
    page = window.open(sight.path)
    page.wait_for_selector("main :is(h1, h2, article p), [role=alert]")
    if "/r/" in sight.path and sight.name != "nowhere":
        page.wait_for_selector("svg.scene .well")
        if "replay" not in sight.path and not sight.name.startswith(("end", "waiting")):
            assert window.turn()
    sight.act(page)
    return page


PAINTED = """() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
  .then(() => Promise.allSettled(document.getAnimations().map((one) => one.finished)))
  .then(() => null)"""
AXE_RUN = """rules => axe.run(document, {
  resultTypes: ['violations'], ...(rules && { runOnly: rules }),
}).then(({ violations }) => violations
  .filter(({ impact }) => impact === 'serious' || impact === 'critical')
  .map(({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 160)}`))"""

CUT = """() => {
  const wide = document.documentElement.scrollWidth
  const cut = [...document.querySelectorAll('button, a.button, h1, h2, summary, label, .status')]
    .filter((node) => node.offsetParent && node.scrollWidth > node.clientWidth + 2
      && getComputedStyle(node).display !== 'inline' && !node.matches('.hidden'))
    .map((node) => node.outerHTML.slice(0, 120))
  return wide > innerWidth ? [`${wide} pixels wide`, ...cut] : cut
}"""
# A large default font makes rem and em twice as large; twice as near, a window is half as
# wide; the smallest phones are 360 wide.
LARGE = {"large": (1280, 800, 2), "near": (640, 400, 1), "small": (360, 640, 1)}


def test_no_page_shuts_anybody_out(visitor: Window, sights: list[Sight], soak: bool) -> None:
    """On every page, in either theme and size, axe finds nothing serious; and nothing is cut off
    where letters are large or screens small. Colours are the same on a phone: there they are
    looked at again only in a soak. Each run looks at every fifth page, by its seed, and at those
    that lead to each other; a soak looks at all."""
    if not AXE.exists():
        missing("axe-core")
    script = AXE.read_text("utf-8")
    bad: list[tuple[str, ...]] = []
    for number, sight in enumerate(sights):
        if not soak and (number + SEED) % 5 and not sight.path.startswith("/me"):
            continue
        page = seen(visitor, sight)
        page.evaluate(script)
        for size, viewport in SIZES.items():
            page.set_viewport_size(viewport)
            for scheme in ("light", "dark") if soak or size == "desk" else ("light",):
                page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
                page.wait_for_selector(f"html[data-theme={scheme}]")
                page.evaluate(PAINTED)
                rules = None if scheme == "light" else ["color-contrast"]
                found = page.evaluate(AXE_RUN, rules)
                bad += [(sight.name, size, scheme, wrong) for wrong in found]
        for size, (width, height, zoom) in LARGE.items():
            page.set_viewport_size({"width": width, "height": height})
            page.evaluate("size => { document.documentElement.style.fontSize = size }", f"{zoom}em")
            page.evaluate(PAINTED)
            bad += [(sight.name, size, cut) for cut in page.evaluate(CUT)]
        page.set_viewport_size(SIZES["desk"])
    visitor.wrong.clear()  # the page of a room that does not exist is refused, as it should be
    assert not bad, "\n".join(map(str, bad))


FOCUS = """() => {
  const node = document.activeElement
  if (node === document.body) return null
  const { outlineStyle, outlineWidth } = getComputedStyle(node)
  const box = node.getBoundingClientRect()
  return { html: node.outerHTML.slice(0, 120), seen: outlineStyle !== 'none'
    && parseFloat(outlineWidth) >= 2 && box.width > 0 && box.height > 0 }
}"""


def test_the_keys_focus_is_always_seen(visitor: Window, sights: list[Sight]) -> None:
    for sight in sights:
        if sight.name not in ("front", "menu", "new of forma", "table of Blokus", "end of imago"):
            continue
        page = seen(visitor, sight)
        count = 0
        for _ in range(60):
            page.keyboard.press("Tab")
            found = page.evaluate(FOCUS)
            if found is None:
                break
            assert found["seen"], (sight.name, found["html"])
            count += 1
        assert count > 3, sight.name
