"""What the tests share: a fresh seed, printed, so that every run tries something new and
any failure can be had again with TEGEL_SEED; how much to do; servers, people and windows."""

import os
import random
import secrets
import shutil
from collections.abc import Iterator

import hypothesis
import pytest
from playwright.sync_api import Browser, Playwright, sync_playwright

from browser import BUILT, DESK, PHONE, Window, chromium, launched
from servers import HOMES, OPEN, Person, Tegel, missing, postgres, redis, tegel

SEED = int(os.environ.get("TEGEL_SEED") or secrets.randbelow(10**9))
SOAK = bool(os.environ.get("TEGEL_SOAK"))
os.environ["TEGEL_SEED"] = str(SEED)  # so that workers have the same
SLOW = int(os.environ.get("TEGEL_SLOW") or 1)  # of so many slow tests a run takes one
STARTERS = (tegel, postgres, redis, chromium)


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Hypothesis tries what the seed says, too, and as much as is asked for."""
    hypothesis.settings.register_profile("tegel", max_examples=300 if SOAK else 50)
    hypothesis.settings.load_profile("tegel")
    if config.option.hypothesis_seed is None:
        config.option.hypothesis_seed = str(SEED)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """What uses a server or a browser, or stands in a module that starts some, is slow. Of what is
    sliced, and of what is slow, a run takes one in so many, by its seed, of what is both the
    fewer; the soak takes all."""
    for item in items:
        if isinstance(item, pytest.Function) and (
            {"server", "browser", "whole"} & set(item.fixturenames)
            or any(getattr(item.module, each.__name__, None) is each for each in STARTERS)
        ):
            item.add_marker("slow")
    others = {item for item in items if not SOAK and not in_slice(item)}
    if others:
        config.hook.pytest_deselected(items=list(others))
        items[:] = [item for item in items if item not in others]


def in_slice(item: pytest.Item) -> bool:
    mark = item.get_closest_marker("sliced")
    alone = not hasattr(item, "callspec")  # one case, of a module whose others are many
    parts = SLOW if item.get_closest_marker("slow") else 1
    if mark and not (alone and mark not in item.own_markers):
        parts = mark.args[0] if mark.args[0] == 1 else max(mark.args[0], parts)
    return random.Random(f"{SEED} {item.nodeid}").randrange(parts) == 0


def pytest_sessionfinish() -> None:
    for home in HOMES:
        shutil.rmtree(home, ignore_errors=True)


@pytest.hookimpl(trylast=True)
def pytest_sessionstart(session: pytest.Session) -> None:
    said(session.config.pluginmanager.get_plugin("terminalreporter"))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    said(terminalreporter)


def said(reporter: pytest.TerminalReporter | None) -> None:
    """The seed, at the start and at the end; workers have nobody to tell."""
    if reporter:
        reporter.write_line(f"TEGEL_SEED={SEED}" + (" (soak)" if SOAK else ""))


@pytest.fixture
def rng(request: pytest.FixtureRequest) -> random.Random:
    """Chance for one test: other in every run, the same for the same TEGEL_SEED."""
    return random.Random(f"{SEED} {request.node.nodeid}")


@pytest.fixture(scope="session")
def soak() -> bool:
    return SOAK


# Servers and people


@pytest.fixture(scope="module")
def server(
    tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> Iterator[Tegel]:
    """A server for a module of tests, which says in SERVE how it wants it."""
    options = getattr(request.module, "SERVE", ())
    with tegel(tmp_path_factory.mktemp("serve"), "--grace", "1", *options) as found:
        yield found
        found.check()


@pytest.fixture(autouse=True)
def tidy() -> Iterator[None]:
    """Whatever connection a test opened is closed after it."""
    yield
    while OPEN:
        OPEN.pop().close()


@pytest.fixture
def ann(server: Tegel) -> Person:
    return Person(server, "Ann")


@pytest.fixture
def bob(server: Tegel) -> Person:
    return Person(server, "Bob")


# Windows


@pytest.fixture(scope="module")
def playwright() -> Iterator[Playwright]:
    if not BUILT.is_dir():
        missing("The built page")
    with sync_playwright() as found:
        yield found


@pytest.fixture(scope="module")
def browser(playwright: Playwright) -> Iterator[Browser]:
    with launched(playwright) as found:
        yield found


@pytest.fixture
def whole(playwright: Playwright) -> Iterator[Browser]:
    """For what a browser without windows can't do."""
    with launched(playwright, whole=True) as found:
        yield found


@pytest.fixture
def desk(browser: Browser, server: Tegel) -> Iterator[Window]:
    window = Window(browser, server, **DESK)
    yield window
    window.close()


@pytest.fixture(scope="module")
def host(browser: Browser, server: Tegel) -> Iterator[Window]:
    """Somebody at a desk, for all tests of a file."""
    window = Window(browser, server, **DESK)
    yield window
    window.close()


@pytest.fixture(scope="module")
def guest(browser: Browser, server: Tegel) -> Iterator[Window]:
    """Somebody with a phone, for all tests of a file."""
    window = Window(browser, server, **PHONE)
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
