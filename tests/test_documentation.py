"""The documentation on a server: where it was built it is there, with a policy of its own."""

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI
from playwright.sync_api import Browser, expect

from browser import DESK, Window
from servers import Tegel, tegel
from tegel.server.web import documentation

HOME = """<!doctype html><link rel='icon' href='data:,'><title>Tegel</title><p>Welcome</p>
<script>document.querySelector("p").textContent += " to the documentation"</script>
<script type="application/json">{"no": "script"}</script>
<a href="rules/blokus.html">Blokus</a>"""
ELSEWHERE = (
    "<!doctype html><link rel='icon' href='data:,'><title>Blokus</title><p>Corner to corner</p>"
)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("docs")
    (folder / "rules").mkdir()
    (folder / "index.html").write_text(HOME)
    (folder / "rules" / "blokus.html").write_text(ELSEWHERE)
    return folder


@pytest.fixture(scope="module")
def server(site: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tegel]:
    with tegel(tmp_path_factory.mktemp("serve"), env={"TEGEL_DOCS": str(site)}) as found:
        yield found


def test_the_about_page_leads_to_it_and_its_own_scripts_run(
    browser: Browser, server: Tegel
) -> None:
    window = Window(browser, server, **DESK)
    page = window.open("/about")
    page.get_by_role("link", name="Documentation").click()
    expect(page.get_by_text("Welcome to the documentation")).to_be_visible()
    page.get_by_role("link", name="Blokus").click()
    expect(page.get_by_text("Corner to corner")).to_be_visible()
    assert page.url == f"{server.url}/docs/rules/blokus.html"
    window.close()


def test_no_script_but_those_that_were_built_is_allowed(server: Tegel) -> None:
    answer = httpx.get(f"{server.url}/docs/")
    allowed = answer.headers["content-security-policy"].split("script-src ")[1].split(";")[0]
    assert allowed.count("sha256-") == 1
    assert "unsafe" not in answer.headers["content-security-policy"]
    assert answer.headers["x-frame-options"] == "DENY"
    assert httpx.get(f"{server.url}/docs").headers["location"] == "/docs/"
    for path in ("/docs/nowhere.html", "/docs/../serve.py", "/docs/%2e%2e/x", "/docs/rules/"):
        assert httpx.get(f"{server.url}{path}").status_code == 404
    assert httpx.get(f"{server.url}/api/me").json()["docs"] is True


def test_where_it_was_not_built_there_is_none(tmp_path: Path) -> None:
    app = FastAPI()
    before = len(app.routes)
    documentation.serve(app, tmp_path)
    assert len(app.routes) == before
