"""Connections leave nothing behind: no object waits for the collector of garbage."""

import gc
import socket
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from time import monotonic

import pytest
import uvicorn
from fastapi import FastAPI, WebSocket
from websockets.exceptions import InvalidStatus
from websockets.sync.client import ClientConnection, connect

from servers import free_port, until
from tegel.place.limits.limits import Limits
from tegel.server.web.transport import Http, Socket


@asynccontextmanager
async def lifespan(_: FastAPI) -> AsyncIterator[dict[str, object]]:
    limits = Limits()
    counted = {
        "refusals": limits.buckets("refusals", monotonic),
        "connections": limits.counts("connections"),
    }
    yield {"timeout": 5.0, "limits": limits, **counted}


app = FastAPI(lifespan=lifespan)


@app.websocket("/echo")
async def echo(heard: WebSocket) -> None:
    await heard.accept()
    wire: Socket = heard.state.wire
    while (text := await wire.hear()) is not None:
        wire.say([str(text).encode()])


@app.get("/here")
async def here() -> str:
    return "yes"


@pytest.fixture
def address() -> Iterator[str]:
    port = free_port()
    server = uvicorn.Server(
        uvicorn.Config(app, port=port, http=Http, ws=Socket, log_level="error", access_log=False)
    )
    thread = threading.Thread(target=server.run)
    thread.start()
    until(lambda: server.started, "a server")
    gc.collect()
    gc.disable()
    try:
        yield f"127.0.0.1:{port}"
    finally:
        gc.enable()
        server.should_exit = True
        thread.join()


def held() -> int:
    return sum(type(one) in (Http, Socket) for one in gc.get_objects())


def spoken(address: str) -> ClientConnection:
    found = connect(f"ws://{address}/echo").__enter__()
    found.send("yes")
    assert found.recv() == "yes"
    return found


def test_a_socket_that_was_closed_is_gone(address: str) -> None:
    for _ in range(3):
        spoken(address).close()
    until(lambda: not held(), "nothing held")


def test_a_socket_whose_client_went_away_is_gone(address: str) -> None:
    for _ in range(3):
        spoken(address).socket.shutdown(socket.SHUT_RDWR)
    until(lambda: not held(), "nothing held")


def test_a_connection_that_never_became_a_socket_is_gone(address: str) -> None:
    with pytest.raises(InvalidStatus), connect(f"ws://{address}/nowhere"):
        pass
    host, port = address.split(":")
    with socket.create_connection((host, int(port))) as plain:
        plain.sendall(f"GET /here HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
        assert plain.recv(1000).startswith(b"HTTP/1.1 200")
    until(lambda: not held(), "nothing held")


@pytest.mark.parametrize(
    "sent",
    [
        b"GET /here HTTP/1.1\r\nHost: x\r\n\r\n" * 20,
        b"GET /here HTTP/1.1\r\nHost: x\r\n\r\n" * 200,
        b"GET /here HTTP/1.1\r\nHost: x\r\n",
        b"POST /here HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n.",
        b"nonsense\r\n\r\n",
    ],
    ids=["waiting", "too-many", "half", "half-body", "nonsense"],
)
def test_a_connection_cut_amid_its_requests_is_gone(address: str, sent: bytes) -> None:
    host, port = address.split(":")
    for _ in range(3):
        with socket.create_connection((host, int(port))) as plain:
            plain.sendall(sent)
    until(lambda: not held(), "nothing held")
