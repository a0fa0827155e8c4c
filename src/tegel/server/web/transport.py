"""Connections, below HTTP and sockets: who does not read, sends half a request or floods is cut
off.

`timeout` is how long a client may take for the head of a request, and how long it may stand
still while it sends a body or while we send. While we compute, nothing runs. **Cut off** is at
once: a polite close would wait for the very client that does not read.

`http=` and `ws=` of uvicorn take classes like these, asyncio and httptools promise to call some of
their methods; the others are uvicorn's own affair. So pyproject.toml bounds its version, and
tests/test_transport_bases.py lists what is used and says what a newer version lacks."""

import asyncio
import socket
import time
from asyncio import BaseTransport, TimerHandle, Transport
from collections import deque
from collections.abc import Sequence
from typing import Any, cast

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import CloseCode, Frame
from websockets.http11 import Request

from tegel.place.limits.buckets import Bucket, Counts, NetworkBuckets
from tegel.place.limits.limits import Limits
from tegel.place.limits.networks import network, prefixes

SENDING = 131_072  # bytes that the kernel keeps for a client; with more, it would hide who reads
LEAST = 1024  # bytes a second in which a body comes
PIPELINED = 64  # requests that may wait on one connection
HEAD = 65_536  # bytes that may come, more or less, before some part of a request is whole
MOST_WAITING = 256  # messages that may wait on a socket
MOST_BYTES = 4_000_000  # of them
SHUNNED: dict[str, float] = {}  # prefixes that are not heard, and until when, in that order
REST = 5.0  # seconds that it lasts
MOST_SHUNNED = 10_000


def shun(prefix: str) -> None:
    """Hear a network, or a wider prefix, no more for a while: to refuse each of its requests in a
    sentence costs more than to send them."""
    SHUNNED.pop(prefix, None)
    if len(SHUNNED) >= MOST_SHUNNED:
        del SHUNNED[next(iter(SHUNNED))]
    SHUNNED[prefix] = time.monotonic() + REST


def shunned(network: str) -> bool:
    """Whether a network is not heard now, nor one that it is part of."""
    for prefix in prefixes(network):
        if prefix in SHUNNED:
            if SHUNNED[prefix] >= time.monotonic():
                return True
            del SHUNNED[prefix]
    return False


class Connection(asyncio.Protocol):
    """What both protocols do: they watch whether the client reads."""

    loop: asyncio.AbstractEventLoop
    transport: Transport
    client: tuple[str, int] | None
    app_state: dict[
        str, Any
    ]  # what the app's lifespan gave: `timeout`, `limits` and what counts them
    unread = 0
    watch: TimerHandle | None = None

    def later(self, look: Any) -> TimerHandle:
        return self.loop.call_later(self.app_state["timeout"], look)

    @property
    def network(self) -> str:
        return network(self.client[0]) if self.client else "?"

    def pause_writing(self) -> None:
        super().pause_writing()
        self.unread = self.transport.get_write_buffer_size()
        self.watch = self.later(self.look)

    def resume_writing(self) -> None:
        super().resume_writing()
        if self.watch:
            self.watch.cancel()

    def look(self) -> None:
        """Cut a client off that took nothing since the last look."""
        before, self.unread = self.unread, self.transport.get_write_buffer_size()
        if self.unread >= before:
            self.transport.abort()
        elif self.unread:
            self.watch = self.later(self.look)

    def connection_lost(self, error: Exception | None) -> None:
        super().connection_lost(error)
        if self.watch:
            self.watch.cancel()
        connections: Counts = self.app_state["connections"]
        connections.remove(self.network)


class Http(Connection, HttpToolsProtocol):
    due: TimerHandle | None = None  # runs while the client owes us a part of its request
    came = 0  # bytes of the body since the last look
    unread_head = 0  # bytes since the last head, or part of a body, that was whole

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.cycles: list[RequestResponseCycle] = []  # that are not answered yet

    def connection_made(self, transport: BaseTransport) -> None:
        transport = cast(Transport, transport)
        super().connection_made(transport)
        transport.set_write_buffer_limits(0)  # so that we hear whenever the client is behind
        if (kernel := transport.get_extra_info("socket")) and kernel.family != socket.AF_UNIX:
            kernel.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SENDING)
        self.due = self.later(transport.abort)
        connections: Counts = self.app_state["connections"]
        connections.add(self.network)
        many = connections.over(self.network)
        if (many or shunned(self.network)) and not self.config.proxy_headers:
            transport.abort()

    def data_received(self, data: bytes) -> None:
        if SHUNNED and shunned(self.network) and not self.config.proxy_headers:
            self.transport.abort()
            return
        if self.due is None:
            self.due = self.later(self.transport.abort)
        self.unread_head += len(data)
        super().data_received(data)
        if self.unread_head > HEAD:  # the parser would keep an address, or headers, of any length
            self.transport.abort()

    def send_400_response(self, msg: str) -> None:
        super().send_400_response(msg)
        refusals: NetworkBuckets = self.app_state["refusals"]
        if not refusals.take(self.network):
            shun(refusals.exhausted(self.network))

    def on_headers_complete(self) -> None:
        if len(self.pipeline) >= PIPELINED:
            raise ValueError("too many requests at once")  # to the parser: answered with 400
        if len(self.url) + sum(len(key) + len(value) for key, value in self.headers) > HEAD:
            raise ValueError("too long a head")
        self.unread_head = 0
        super().on_headers_complete()
        self.rest()
        self.came, self.due = 0, self.later(self.look_at_body)
        if self.cycle and not self.cycle.response_complete:
            self.cycles.append(self.cycle)

    def on_body(self, body: bytes) -> None:
        super().on_body(body)
        self.came += len(body)
        self.unread_head = 0

    def on_message_complete(self) -> None:
        super().on_message_complete()
        self.unread_head = 0
        self.rest()

    def on_response_complete(self) -> None:
        self.cycles = [cycle for cycle in self.cycles if not cycle.response_complete]
        super().on_response_complete()

    def look_at_body(self) -> None:
        """Cut a client off that sends too slowly, if it is not us who do not read."""
        if self.came < LEAST * self.app_state["timeout"] and not self.flow.read_paused:
            self.transport.abort()
        else:
            self.came, self.due = 0, self.later(self.look_at_body)

    def rest(self) -> None:
        if self.due:
            self.due.cancel()
            self.due = None

    def handle_websocket_upgrade(self) -> None:
        self.rest()
        super().handle_websocket_upgrade()
        self.parser = None  # type: ignore[assignment]  # it knows us, see `Socket.forget`

    def connection_lost(self, error: Exception | None) -> None:
        super().connection_lost(error)
        self.rest()
        for cycle in self.cycles:  # all of them, not only the last that came
            cycle.disconnected = True
            cycle.message_event.set()
        # Requests that never began know us, and we them: see `Socket.forget`.
        self.pipeline.clear()
        self.cycles.clear()
        self.cycle = None  # type: ignore[assignment]


class Socket(Connection, WebSocketsSansIOProtocol):
    """A web socket; `Http` has counted its connection. Messages are limited where they are
    read; here it is frames that never get there. What is said and heard goes past the layers
    between, which would cost more than the rest."""

    waiting = 0  # messages that the client has not taken
    served = False  # whether the app is at it
    listener: asyncio.Future[None] | None = None  # who waits for the next message

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        limits: Limits = self.app_state["limits"]
        self.bucket = Bucket(*limits.messages, time.monotonic)
        self.unheard: deque[str | bytes] = deque()  # messages that came

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if hasattr(self, "scope"):
            self.scope["state"]["wire"] = self
            self.served = True

    def say(self, texts: Sequence[bytes]) -> bool:
        """Send texts, a frame each, at once. False if the client is too far behind: it is cut
        off."""
        if not texts or self.close_sent or self.transport.is_closing():
            return True
        data = b"".join([part for text in texts for part in (head(text), text)])
        behind = not self.writable.is_set()
        self.transport.write(data)
        if behind:
            self.waiting += len(texts)
            self.unread += len(data)
            if self.waiting > MOST_WAITING or self.transport.get_write_buffer_size() > MOST_BYTES:
                self.transport.abort()
                return False
        return True

    async def hear(self) -> str | bytes | None:
        """The next message; None when the client is gone."""
        while not self.unheard:
            if self.disconnected:
                return None
            self.listener = self.loop.create_future()
            await self.listener
        if self.read_paused and len(self.unheard) == 1:
            self.read_paused = False
            self.transport.resume_reading()
        return self.unheard.popleft()

    def send_receive_event_to_app(self) -> None:
        data, self.frames = b"".join(self.frames), []
        if self.close_sent:
            return
        try:
            self.unheard.append(data.decode() if self.curr_msg_data_type == "text" else data)
        except UnicodeDecodeError:
            self.conn.send_close(CloseCode.INVALID_DATA)
            self.handle_parser_exception()
            return
        self.wake()
        if len(self.unheard) > 1 and not self.read_paused:  # nobody is that fast
            self.read_paused = True
            self.transport.pause_reading()

    def wake(self) -> None:
        if self.listener and not self.listener.done():
            self.listener.set_result(None)

    def connection_lost(self, error: Exception | None) -> None:
        super().connection_lost(error)
        self.wake()
        self.forget()

    def on_task_complete(self, task: asyncio.Task[None]) -> None:
        super().on_task_complete(task)
        self.served = False
        self.forget()

    def forget(self) -> None:
        """When client and app are gone, let go of what knows itself or us. Otherwise thousands of
        sockets would wait for the collector of garbage, which stops everybody while it looks."""
        if self.disconnected and not self.served:
            vars(self.conn).clear()
            if hasattr(self, "scope"):
                self.scope.clear()  # type: ignore[attr-defined]

    def resume_writing(self) -> None:
        super().resume_writing()
        self.waiting = 0

    def handle_ping(self) -> None:
        if not self.writable.is_set():
            self.conn.data_to_send()  # who does not read gets no pongs
        elif self.polite():
            super().handle_ping()

    def handle_pong(self, event: Frame) -> None:
        if self.polite():
            super().handle_pong(event)

    def handle_cont(self, event: Frame) -> None:
        if self.polite():
            super().handle_cont(event)

    def polite(self) -> bool:
        if self.transport.is_closing() or self.bucket.take():
            return not self.transport.is_closing()
        self.transport.abort()
        return False


def head(text: bytes) -> bytes:
    """What stands before a text in its frame."""
    size = len(text)
    if size < 126:
        return bytes((0x81, size))
    if size < 65_536:
        return b"\x81\x7e" + size.to_bytes(2, "big")
    return b"\x81\x7f" + size.to_bytes(8, "big")
