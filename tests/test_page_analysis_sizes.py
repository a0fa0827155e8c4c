"""Studies, mistakes and moments on every screen: what one needs is seen without scrolling, nothing
is cut off, and nothing lies on something else."""

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest
from playwright.sync_api import Browser, Page, expect

import studying
from browser import DESK, Window, cut_off, soon, whole_record
from servers import Tegel
from tegel import record as records

SERVE = ("--analyses", "1", "--report-seconds", "2", "--limits", "100")
TABBED = [(360, 640), (390, 664), (390, 844), (667, 375), (844, 390), (820, 1180), (1024, 768)]
DESKS = [(1280, 800), (1920, 1080)]
LEARN = re.compile("^Learn from")  # stands below a report that is whole
WHOLE = """([what, frame]) => [...document.querySelectorAll(what)]
  .filter((node) => node.getClientRects().length).map((node) => {
    const { left, top, right, bottom } = node.getBoundingClientRect()
    const box = (frame && node.closest(frame)?.getBoundingClientRect())
      || { left: 0, top: 0, right: innerWidth, bottom: innerHeight }
    const inside = left >= box.left - 1 && top >= box.top - 1
      && right <= box.right + 1 && bottom <= box.bottom + 1
    const middle = document.elementFromPoint((left + right) / 2, (top + bottom) / 2)
    const seen = !!middle && (node.contains(middle) || middle.contains(node))
    return inside && seen ? '' : `${node.outerHTML.slice(0, 90)} ${[left, top, right, bottom]}`
  })"""


@pytest.fixture(scope="module")
def window(browser: Browser, server: Tegel) -> Iterator[Window]:
    found = Window(browser, server, **DESK)
    yield found
    found.close()


@pytest.fixture(scope="module")
def judged(window: Window) -> str:
    """A study of a game of Duo by lot, with its report."""
    return studying.judged(window.context.request, whole_record("blokus", "duo", seed=1))


def sized(page: Page, size: tuple[int, int]) -> str:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.wait_for_timeout(120)
    return f"{size[0]}x{size[1]}"


def whole(page: Page, what: str, frame: str = "") -> None:
    """All that is called so is seen whole within a frame, or the window; and there is some."""
    found: list[str] = page.evaluate(WHOLE, [what, frame])
    assert found, what
    assert not any(found), [bad for bad in found if bad]


def large(page: Page, size: tuple[int, int]) -> None:
    """The board is no smaller than is fair, and the page no taller than the window."""
    box = page.locator(".board").bounding_box()
    assert box
    assert min(box["width"], box["height"]) >= 0.6 * min(size), (size, box)
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight + 1")


def read(page: Page) -> list[int]:
    """How many moves of each line are seen."""
    found: list[int] = page.locator("button.line").evaluate_all(
        "all => all.map((one) => [...one.querySelectorAll('.move')]"
        ".filter((move) => move.offsetTop - move.parentElement.offsetTop < 10).length)"
    )
    return found


@pytest.mark.parametrize("size", TABBED, ids=str)
def test_every_tab_of_a_study_is_seen(window: Window, judged: str, size: tuple[int, int]) -> None:
    page = window.page
    sized(page, size)
    window.open(f"/a/{judged}/4").wait_for_selector("main.study.small .well")
    expect(page.locator("button.line")).to_have_count(3)
    large(page, size)
    for what in (".strip .side", ".stands", ".graph", ".tabs button", ".thumb button"):
        whole(page, what)
    assert not cut_off(page, ".strip strong")
    expect(page.locator("header, .strip .home").filter(visible=True)).to_have_count(1)
    whole(page, "button.line", ".content")
    whole(page, ".played, .played .switch", ".content")
    assert soon(page, lambda: min(read(page)) >= 2), "of a line some moves are read"
    page.locator("#tab-moves").click()
    whole(page, "[aria-current=step]", ".tree")
    whole(page, ".edit button", ".content")
    page.locator("#tab-tiles").click()
    whole(page, ".doing button", ".content")
    whole(page, ".tile", ".content")
    page.locator("#tab-report").click()
    expect(page.get_by_role("button", name=LEARN)).to_be_visible()
    whole(page, "table", ".content")
    whole(page, ".report .primary", ".content")
    page.get_by_role("button", name="Share, export").click()
    whole(page, ".export > :first-child", ".content")


@pytest.mark.parametrize("size", DESKS, ids=str)
def test_a_desk_has_all_of_a_study_at_once(
    window: Window, judged: str, size: tuple[int, int]
) -> None:
    page = window.page
    sized(page, size)
    window.open(f"/a/{judged}/4").wait_for_selector("main.study .left")
    expect(page.locator("button.line")).to_have_count(3)
    expect(page.get_by_role("button", name=LEARN)).to_be_visible()
    large(page, size)
    for what in (".seat", ".tile", ".report table", ".report .primary", ".graph", "button.line",
                 ".played", "[aria-current=step]", ".edit button", ".walk button"):  # fmt: skip
        whole(page, what)
    page.get_by_role("button", name="Share, export").click()
    whole(page, ".export > *")


@pytest.mark.parametrize("size", [*TABBED, *DESKS], ids=str)
def test_mistakes_and_moments_fit(window: Window, judged: str, size: tuple[int, int]) -> None:
    page = window.page
    sized(page, size)
    window.open(f"/a/{judged}/4").wait_for_selector("main.study .well")
    if page.locator("#tab-report").count():
        page.locator("#tab-report").click()
    page.get_by_role("button", name=LEARN).click()
    page.wait_for_selector("main.learn svg.scene .well")
    large(page, size)
    for what in ("h1", ".told", ".tile", ".doing button", ".thumb button"):
        whole(page, what)
    page.get_by_role("button", name="Show best").click()
    page.wait_for_selector(".answer h2")
    whole(page, ".answer h2, .answer dd.n", ".under")
    whole(page, ".thumb button")
    while page.get_by_role("button", name="Next", exact=True).count():
        page.get_by_role("button", name="Next", exact=True).click()
    whole(page, ".all, .thumb button")
    window.open("/moments/blokus").wait_for_selector("main.find svg.scene .well")
    large(page, size)
    for what in ("h1", ".tile", ".doing button", ".thumb button"):
        whole(page, what)


@pytest.mark.parametrize("size", [(390, 664), (844, 390), (1280, 800)], ids=str)
def test_buttons_that_zoom_never_lie_on_the_field(window: Window, size: tuple[int, int]) -> None:
    page = window.page
    wish = {"text": whole_record("tantrix", "two", seed=1)}
    made = window.context.request.post("/api/studies", data=wish).json()["id"]
    sized(page, size)
    window.open(f"/a/{made}/40").wait_for_selector("main.study .well")
    large(page, size)
    whole(page, ".zoom button", ".board")
    field, zoom = (page.locator(what).bounding_box() for what in ("svg.scene", ".zoom"))
    assert field
    assert zoom
    beside = zoom["x"] >= field["x"] + field["width"]
    assert beside or zoom["y"] >= field["y"] + field["height"]


def test_of_four_players_all_is_read(window: Window) -> None:
    """Their moves in the list, and their names in the report."""
    page, request = window.page, window.context.request
    record = records.parse(whole_record("blokus", "classic", seed=1))
    made = studying.judged(request, str(replace(record, moves=record.moves[:24])))
    for size in ((390, 844), (1280, 800)):
        sized(page, size)
        window.open(f"/a/{made}/20").wait_for_selector("main.study .well")
        if size[0] < 1000:
            page.locator("#tab-moves").click()
        cut = "all => all.filter((one) => one.scrollWidth > one.clientWidth).length"
        assert page.locator(".step > span").evaluate_all(cut) == 0
        assert page.locator(".step").count() == 24
        if size[0] < 1000:
            page.locator("#tab-report").click()
        page.wait_for_selector(".report .several")
        names = page.locator(".several tbody th span").all_inner_texts()
        assert [name for name in names if name] == ["Blue", "Yellow", "Red", "Green"]
        assert page.locator(".several th").evaluate_all(cut) == 0


def test_a_link_is_copied_where_a_browser_has_no_clipboard(
    browser: Browser, server: Tegel, judged: str
) -> None:
    """As over http in a house, where the address is that of a laptop."""
    window = Window(browser, server, **DESK)
    page = window.page
    page.add_init_script(
        "Object.defineProperty(navigator, 'clipboard', { value: undefined });"
        "document.addEventListener('copy', () => { window.copied = getSelection().toString()"
        " || document.activeElement.value })"
    )
    window.open(f"/a/{judged}/4").wait_for_selector("main.study .well")
    page.get_by_role("button", name="Share, export").click()
    page.get_by_role("button", name="Copy link").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("window.copied") == f"{server.url}/a/{judged}/4"
    window.close()
