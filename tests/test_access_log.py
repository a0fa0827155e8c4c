"""The log of requests: what changed something, failed or was refused; no network fills the disk."""

import asyncio
import logging
from pathlib import Path
from typing import Any

import pytest
from starlette.types import Message, Receive, Scope, Send

from tegel.server.run import database
from tegel.server.settings import Settings
from tegel.server.web.gate import Gate
from tegel.server.worker import Worker
from test_limits import still

BURST = 300


async def answering(scope: Scope, _: Receive, send: Send) -> None:
    """An app whose paths say with which status it answers."""
    status = int(scope["path"].rpartition("/")[2])
    await send({"type": "http.response.start", "status": status, "headers": []})
    await send({"type": "http.response.body", "body": b""})


@pytest.fixture
def gate(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> Gate:
    caplog.set_level(logging.INFO, "tegel.http")
    worker = still(Worker(Settings(database("", tmp_path), "x" * 32)))
    return Gate(answering, worker.settings, worker.rates, worker.ports.clock)


def ask(gate: Gate, method: str, status: int, address: str = "192.0.2.1", times: int = 1) -> None:
    scope = {
        "type": "http", "method": method, "path": f"/{status}", "query_string": b"",
        "scheme": "http", "client": (address, 1), "headers": [(b"host", b"127.0.0.1")],
    }  # fmt: skip

    async def receive() -> Message:
        return {"type": "http.request", "body": b""}

    async def send(_: Message) -> None:
        pass

    async def work() -> None:
        for _ in range(times):
            await gate.http(dict(scope), receive, send)

    asyncio.run(work())


def lines(caplog: pytest.LogCaptureFixture) -> list[Any]:
    return [record for record in caplog.records if record.name == "tegel.http"]


def test_reads_that_went_well_are_not_logged(gate: Gate, caplog: pytest.LogCaptureFixture) -> None:
    for status in (200, 304):
        ask(gate, "GET", status, times=50)
    ask(gate, "HEAD", 200)
    assert not lines(caplog)


def test_changes_failures_and_refusals_are_logged(
    gate: Gate, caplog: pytest.LogCaptureFixture
) -> None:
    ask(gate, "POST", 201)
    ask(gate, "DELETE", 200)
    ask(gate, "GET", 404)
    ask(gate, "GET", 500)
    ask(gate, "POST", 201, "198.51.100.1", times=61)  # the last is refused
    found = [(line.method, line.status) for line in lines(caplog)]
    assert found[:4] == [("POST", 201), ("DELETE", 200), ("GET", 404), ("GET", 500)]
    assert found[-1] == ("POST", 429)
    assert {line.address for line in lines(caplog)} == {"192.0.2.1", "198.51.100.1"}


def test_one_network_does_not_fill_the_log(gate: Gate, caplog: pytest.LogCaptureFixture) -> None:
    ask(gate, "GET", 404, times=5000)
    assert len(lines(caplog)) == BURST
    ask(gate, "GET", 404, "198.51.100.1", times=2)
    *_, told, last = lines(caplog)
    assert told.left_out == 5000 - BURST, "how many are missing is said"
    assert not hasattr(last, "left_out")
