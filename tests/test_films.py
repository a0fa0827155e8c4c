"""Films of games, which take long to draw: they cost what they took, and are kept."""

import asyncio
import gc
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest

from browser import whole_record
from tegel.place.limits.limits import COSTS, Budget, Limits
from tegel.record import parse
from tegel.server.compute.cache import Cache
from tegel.server.run import database
from tegel.server.settings import Settings
from tegel.server.storage.first_use import made_ready
from tegel.server.web.app import app
from tegel.server.worker import Worker


@asynccontextmanager
async def serving(folder: Path) -> AsyncIterator[tuple[Worker, httpx.AsyncClient]]:
    """A worker in this process, for which no budget grows, and who asks it."""
    limits = Limits(work=(1e6, 1e-9), player_work=(1e6, 1e-9))
    url = database("", folder)
    await made_ready(url)
    made = app(Settings(url, "x" * 32, limits=limits))
    async with made.router.lifespan_context(made):
        transport = httpx.ASGITransport(made, client=("192.0.2.1", 1))
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
            yield made.state.worker, client


@pytest.fixture
def collecting(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a worker sets for its process would outlive the test."""
    for setting in ("freeze", "set_threshold"):
        monkeypatch.setattr(gc, setting, lambda *_: None)


@pytest.mark.slow
@pytest.mark.usefixtures("collecting")
def test_a_film_costs_what_it_took_and_is_kept(tmp_path: Path) -> None:
    long, short = whole_record("blokus", "two"), "game: blokus\nvariant: duo\n\nF.0@d9\n"

    async def prices() -> list[float]:
        async with serving(tmp_path) as (worker, client):
            paying = worker.budget.networks.of("192.0.2.1")
            found = []
            seen: dict[str, bytes] = {}
            asked = [(short, "dark"), (short, "light")]  # the first process loads what it needs
            asked += [(long, "light"), (long, "dark"), (long, "light")]
            for text, theme in asked:
                answer = await client.post("/api/studies", json={"text": text})
                study, moves = answer.json()["id"], len(parse(text).moves)
                before = paying.level
                address = f"/api/studies/{study}/nodes/{moves - 1}/line.svg?theme={theme}"
                film = await client.get(address)
                assert film.status_code == 200, film.text
                assert film.content.startswith(b"<svg")
                found.append(before - paying.level - COSTS["picture"])
                assert seen.setdefault(text + theme, film.content) == film.content
            return found

    _, brief, dear, other, again = asyncio.run(prices())
    assert dear > 5 * brief, "one of a hundred pictures is dearer than one of two"
    assert other > 5 * brief, "another look is another film"
    assert again == pytest.approx(0, abs=1e-6), "what was drawn is kept"


@pytest.mark.usefixtures("collecting")
def test_a_worker_that_has_closed_hears_no_signals(tmp_path: Path) -> None:
    """Or whoever stops its process later is told that its event loop is closed."""
    numbers = (signal.SIGTERM, signal.SIGINT)
    before = [signal.getsignal(number) for number in numbers]

    async def closed() -> None:
        async with serving(tmp_path) as (worker, _):
            assert [signal.getsignal(number) for number in numbers] != before
            assert not worker.closing.is_set()

    asyncio.run(closed())
    assert [signal.getsignal(number) for number in numbers] == before


def test_what_some_work_took_is_paid_later_if_too_little_is_left() -> None:
    now = 0.0
    budget = Budget(Limits(work=(1, 1), player_work=(1, 1)), lambda: now)
    budget.charge("home", "ann", "picture")
    budget.settle("home", "ann", 3)
    with pytest.raises(Exception, match="please wait 3 seconds"):
        budget.charge("home", "ann", "picture")
    with pytest.raises(Exception, match="please wait 3 seconds"):
        budget.charge("home", "", "picture")
    now = 3.0
    budget.charge("home", "ann", "picture")


def test_a_cache_keeps_the_latest_within_its_bytes() -> None:
    cache = Cache(10)
    for key in "abc":
        cache.keep(key, b"1234")
    assert [cache.found(key) for key in "abc"] == [None, b"1234", b"1234"]
    cache.found("b")
    cache.keep("d", b"12")
    cache.keep("e", b"12")
    assert [cache.found(key) for key in "bcde"] == [b"1234", None, b"12", b"12"]
    cache.keep("b", b"1")
    assert cache.texts.currsize == 5
    cache.keep("f", b"12345678901")
    assert cache.found("f") is None
    assert cache.texts.currsize == 5
