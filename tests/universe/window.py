"""A socket between a person and a worker: what goes through it comes in order, some time later, or
not at all if it breaks."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from contextvars import copy_context

import msgspec

from tegel.place.ports import AWAY
from tegel.place.rooms.live_room import LiveRoom
from tegel.place.wire import messages
from tegel.place.wire.pairing import Seek
from tegel.room.refused import Refused
from tegel.server.worker import Worker

from .cluster import Away, Cluster, Host
from .loop import HOST, outside

TICK = 1e-5  # seconds between two messages, so that they stay in order


class Move(msgspec.Struct):
    move: str
    seat: int


class Wish(msgspec.Struct):
    seat: int


class Heard(msgspec.Struct):
    """What somebody needs of a message."""

    t: str
    ply: int = -1
    seat: int = -1
    move: str = ""
    event: str = ""
    over: bool = False
    turn: int = -1
    you: tuple[int, ...] = ()
    seats: tuple[object, ...] = ()
    held: tuple[int, ...] = ()
    moves: list[Move] = []
    code: str = ""
    ask: Wish | None = None
    rematch: str = ""
    room: str = ""
    begun: bool = True
    result: dict[str, object] | None = None


_heard = msgspec.json.Decoder(Heard).decode


class Socket:
    """The end of a connection that a worker has. Messages to the person are put on their way."""

    def __init__(self, cluster: Cluster, host: Host, player: str, network: str) -> None:
        self.cluster, self.host, self.id = cluster, host, host.id
        self.player, self.network = player, network
        self.seats: tuple[int, ...] = ()
        self.inbox: asyncio.Queue[bytes | None] = asyncio.Queue()  # of the person
        self.outbox: asyncio.Queue[object | None] = asyncio.Queue()  # of the worker
        self.number = next(cluster.numbers)
        self.broken = False
        self.arrival = self.departure = 0.0

    def __hash__(self) -> int:
        """The same in every run, so that sets of sockets have an order of their own."""
        return self.number

    # The worker's side

    def send(self, *texts: bytes) -> None:
        for text in texts:
            self._carry(text)

    def _carry(self, text: bytes | None) -> None:
        cluster = self.cluster
        if self.broken:
            return
        if cluster.rng.random() < cluster.faults.sockets_break:
            self.snap()
            return
        now = cluster.loop.now
        self.arrival = max(self.arrival + TICK, now + cluster.late())
        outside.run(cluster.loop.call_at, self.arrival, self._arrive, text)

    def _arrive(self, text: bytes | None) -> None:
        if not self.broken:
            self.inbox.put_nowait(text)

    # The person's side

    def say(self, message: object) -> None:
        cluster, now = self.cluster, self.cluster.loop.now
        if self.broken:
            return
        self.departure = max(self.departure + TICK, now + cluster.late())
        cluster.loop.call_at(self.departure, self._reach, message)

    def _reach(self, message: object) -> None:
        if not self.broken:
            self.outbox.put_nowait(message)

    async def next(self, seconds: float) -> bytes:
        """The next message; raises Away if the connection is gone or nothing comes."""
        try:
            text = await asyncio.wait_for(self.inbox.get(), seconds)
        except TimeoutError:
            raise Away("silence") from None
        if text is None:
            raise Away("the connection is gone")
        return text

    def snap(self) -> None:
        """The connection is gone; both sides learn of it soon."""
        if not self.broken:
            self.broken = True
            self.inbox.put_nowait(None)
            self.outbox.put_nowait(None)

    close = snap


def connect(
    cluster: Cluster, host: Host, player: str, network: str, serve: Callable[..., object]
) -> Socket:
    """A connection to a worker, which serves it; raises Away if none runs there."""
    if host.worker is None:
        raise Away(f"{host.number} is down")
    socket = Socket(cluster, host, player, network)
    context = copy_context()
    context.run(HOST.set, host.id)
    asyncio.get_running_loop().create_task(serve(host.worker, socket), context=context)  # type: ignore[arg-type]
    watch(cluster, host, socket)
    return socket


def watch(cluster: Cluster, host: Host, socket: Socket) -> None:
    """Break a connection when its worker is gone."""
    if socket.broken:
        return
    if host.id != socket.id or host.worker is None:
        socket.snap()
    else:
        cluster.loop.call_later(0.5, watch, cluster, host, socket)


async def at_table(worker: Worker, socket: Socket, room: str) -> None:
    """Serve somebody who watches a room, as the socket of a server does."""
    try:
        live = await worker.lobby.find(room, socket.network, socket.player)
    except (Refused, *AWAY):
        socket.snap()
        return
    live.guests += 1
    try:
        while (message := await socket.outbox.get()) is not None:
            await _do(worker, live, socket, message)
    finally:
        live.guests -= 1
        worker.house.leave(live, socket)


async def _do(worker: Worker, live: LiveRoom, socket: Socket, message: object) -> None:
    ply = live.room.ply
    try:
        await worker.lobby.hear(live, socket, message, socket.network)  # type: ignore[arg-type]
    except Refused as refused:
        wrong = messages.Error(refused.code, refused.text, ply)
    except AWAY:
        wrong = messages.Error("storage", "", ply)
    except Exception as error:
        socket.cluster.wrong.append(f"a message failed: {error!r}")
        wrong = messages.Error("failed", "", ply)
    else:
        return
    socket.send(messages.encode(wrong))


async def looking(worker: Worker, socket: Socket, wish: Seek) -> None:
    """Serve somebody who looks for a player, for as long as the connection holds."""
    try:
        await worker.pairing.begin(socket, wish, socket.network)
        while await socket.outbox.get() is not None:
            pass
    except (Refused, *AWAY):
        socket.snap()
    finally:
        worker.house.background.start(_end(worker, socket))


async def _end(worker: Worker, socket: Socket) -> None:
    with suppress(*AWAY):
        await worker.pairing.end(socket)


def read(text: bytes) -> Heard:
    return _heard(text)
