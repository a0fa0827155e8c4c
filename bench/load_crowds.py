"""The crowds of load.py: many tables for two that play over real sockets, at our server or at
boardgame.io.

They speak just enough WebSocket by themselves: they share the machine with the server."""

import asyncio
import base64
import os
import random
import re
import time
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any, cast

import httpx
import msgspec


@dataclass
class Tally:
    """What was measured."""

    times: list[float] = field(default_factory=list)  # seconds to the acknowledgement
    sockets: int = 0
    games: int = 0
    errors: int = 0
    lost: int = 0  # sockets that the server closed


class Seat(asyncio.Protocol):
    """One socket: frames in, moves out."""

    def __init__(self, table: "Table", number: int) -> None:
        self.table, self.number = table, number
        self.buffer = b""
        self.open = False
        self.sent = 0.0
        self.done = False

    def request(self) -> tuple[str, str]:
        """The path to ask for, and the cookie."""
        raise NotImplementedError

    def opened(self) -> None:
        """The socket is open."""

    def heard(self, payload: bytes) -> None:
        """The server says something."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport = cast(asyncio.Transport, transport)
        key = base64.b64encode(os.urandom(16)).decode()
        path, cookie = self.request()
        transport.write(
            f"GET {path} HTTP/1.1\r\nHost: localhost\r\n"
            f"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            f"Sec-WebSocket-Key: {key}\r\nCookie: {cookie}\r\n\r\n".encode()
        )

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        if not self.open:
            head, found, rest = self.buffer.partition(b"\r\n\r\n")
            if not found:
                return
            assert b" 101 " in head, head
            self.open, self.buffer = True, rest
            self.table.tally.sockets += 1
            self.opened()
        at = 0
        buffer = self.buffer
        while len(buffer) - at >= 2:
            size, start = buffer[at + 1], at + 2
            if size == 126:
                size, start = int.from_bytes(buffer[at + 2 : at + 4], "big"), at + 4
            elif size == 127:
                size, start = int.from_bytes(buffer[at + 2 : at + 10], "big"), at + 10
            if len(buffer) < start + size:
                break
            self.frame(buffer[at] & 15, buffer[start : start + size])
            at = start + size
        self.buffer = buffer[at:]

    def frame(self, kind: int, payload: bytes) -> None:
        if kind == 9:
            self.send(payload, 10)
        elif kind == 1:
            self.heard(payload)

    def send(self, payload: bytes, kind: int = 1) -> None:
        """A masked frame; the mask is zero, so the payload stays as it is."""
        size = len(payload)
        head = bytes([128 | kind, 128 | size]) if size < 126 else (
            bytes([128 | kind, 254]) + size.to_bytes(2, "big")
        )  # fmt: skip
        self.transport.write(head + bytes(4) + payload)

    def move(self, payload: bytes) -> None:
        """Send a move."""
        self.sent = time.perf_counter()
        self.send(payload)

    def acknowledged(self) -> None:
        """A move was made; perhaps the own."""
        if self.sent:
            self.table.tally.times.append(time.perf_counter() - self.sent)
            self.sent = 0.0

    def connection_lost(self, _: Exception | None) -> None:
        self.table.tally.sockets -= self.open
        self.table.tally.lost += not self.done


class Table:
    """One game after another: when it is over the next room is taken. The first is left after
    some moves, so that games begin and end at different times."""

    def __init__(self, crowd: "Crowd", pace: float, first: float, left: int) -> None:
        self.crowd, self.pace, self.next, self.left = crowd, pace, first, left
        self.tally = crowd.tally
        self.seats: list[Seat] = []
        self.room = ""

    async def begin(self) -> None:
        self.room = self.crowd.rooms.pop()
        loop = asyncio.get_running_loop()
        self.seats = [self.crowd.seat(self, number) for number in range(2)]
        for seat in self.seats:
            await loop.create_connection(lambda seat=seat: seat, "127.0.0.1", self.crowd.port)  # type: ignore[misc]

    def turn(self, seat: Seat, text: Callable[[], bytes]) -> None:
        """Let a seat move when it is time; what it sends is made then."""
        self.left -= 1
        if self.left == 0:
            self.ended()
            return
        loop = asyncio.get_running_loop()
        self.next = max(self.next + self.pace, loop.time())
        loop.call_at(self.next, self.move, seat, text)

    def move(self, seat: Seat, text: Callable[[], bytes]) -> None:
        if not seat.done and not self.crowd.stopped:
            seat.move(text())

    def ended(self) -> None:
        if any(seat.done for seat in self.seats):
            return
        for seat in self.seats:
            seat.done = True
        self.tally.games += 1
        asyncio.get_running_loop().call_later(0.05, self.again)

    def again(self) -> None:
        for seat in self.seats:
            seat.transport.close()
        if self.crowd.rooms and not self.crowd.stopped:
            self.crowd.start(self.begin())


class Crowd:
    seat: type[Seat]

    def __init__(self, port: int) -> None:
        self.port = port
        self.tally = Tally()
        self.rooms: list[str] = []
        self.tasks: set[asyncio.Task[None]] = set()
        self.stopped = False

    async def prepare(self, count: int, made: Callable[[], None]) -> None:
        """Make so many rooms for two."""
        raise NotImplementedError

    def start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)


# Ours: Blokus Duo


class Slot(msgspec.Struct):
    tile: str
    turn: int
    box: tuple[int, int, int, int]
    cells: str


class Offer(msgspec.Struct):
    ply: int
    slots: list[Slot]


read_offer = msgspec.json.Decoder(Offer).decode


class TegelSeat(Seat):
    def request(self) -> tuple[str, str]:
        crowd = self.table.crowd
        assert isinstance(crowd, TegelCrowd)
        return f"/api/rooms/{self.table.room}/socket", crowd.cookies[self.number]

    def opened(self) -> None:
        self.send(b'{"t":"join"}')

    def heard(self, payload: bytes) -> None:
        if payload.startswith(b'{"t":"moved"'):
            self.acknowledged()
            if b'"result":' in payload:
                self.table.ended()
        elif payload.startswith(b'{"t":"offer"'):
            self.table.turn(self, lambda: chosen(payload))
        elif payload.startswith(b'{"t":"error"'):
            self.table.tally.errors += 1


def chosen(payload: bytes) -> bytes:
    """A random move of those offered."""
    offer = read_offer(payload)
    slot = random.choice(offer.slots)
    bits = int(slot.cells, 16)
    for _ in range(random.randrange(bits.bit_count())):
        bits &= bits - 1
    row, column = divmod((bits & -bits).bit_length() - 1, slot.box[2])
    text = f"{slot.tile}.{slot.turn}@{chr(97 + column)}{row + 1}"
    return f'{{"t":"move","ply":{offer.ply},"move":"{text}"}}'.encode()


class TegelCrowd(Crowd):
    seat = TegelSeat

    def __init__(self, port: int) -> None:
        super().__init__(port)
        self.cookies: list[str] = []

    async def prepare(self, count: int, made: Callable[[], None]) -> None:
        url = f"http://127.0.0.1:{self.port}"
        people = [httpx.AsyncClient(base_url=url, timeout=60) for _ in range(2)]
        for person in people:
            await person.get("/api/me")
            self.cookies.append("; ".join(f"{k}={v}" for k, v in person.cookies.items()))

        async def make() -> None:
            wish = {"game": "blokus", "variant": "duo"}
            room = (await people[0].post("/api/rooms", json=wish)).json()["id"]
            (await people[1].post(f"/api/rooms/{room}/sit", json={"seat": 1})).raise_for_status()
            self.rooms.append(room)
            made()

        while len(self.rooms) < count:
            await asyncio.gather(*[make() for _ in range(min(20, count - len(self.rooms)))])
        for person in people:
            await person.aclose()


# boardgame.io: a game without rules, over socket.io; see boardgame.cjs

NAMESPACE = b"/lay,"
STATE = re.compile(rb'"_stateID":(\d+)')


class BoardgameSeat(Seat):
    synced = False

    def request(self) -> tuple[str, str]:
        return "/socket.io/?EIO=4&transport=websocket", ""

    def heard(self, payload: bytes) -> None:
        room, me = self.table.room, self.number
        kind = payload[:2]
        if payload == b"2":  # is anybody there?
            self.send(b"3")
        elif payload[:1] == b"0":
            self.send(b"40" + NAMESPACE)
        elif kind == b"40":
            self.say(f'["sync","{room}","{me}",null,2]')
        elif kind == b"44":
            self.table.tally.errors += 1
        elif payload.startswith(b'["sync"', 2 + len(NAMESPACE)):
            self.synced = True
            if all(isinstance(seat, BoardgameSeat) and seat.synced for seat in self.table.seats):
                first = self.table.seats[0]
                assert isinstance(first, BoardgameSeat)
                self.table.turn(first, lambda: first.lay(0))
        elif payload.startswith(b'["update"', 2 + len(NAMESPACE)):
            self.acknowledged()
            found = STATE.search(payload)
            assert found, payload
            made = int(found[1])
            if b'"gameover":' in payload:
                self.table.ended()
            elif made % 2 == me:
                self.table.turn(self, lambda: self.lay(made))

    def say(self, text: str) -> None:
        self.send(b"42" + NAMESPACE + text.encode())

    def lay(self, made: int) -> bytes:
        """A move, after so many."""
        action = (
            '{"type":"MAKE_MOVE","payload":{"type":"lay","args":["F.0@d9"],'
            f'"playerID":"{self.number}"}}}}'
        )
        text = f'["update",{action},{made},"{self.table.room}","{self.number}"]'
        return b"42" + NAMESPACE + text.encode()


class BoardgameCrowd(Crowd):
    seat = BoardgameSeat

    async def prepare(self, count: int, made: Callable[[], None]) -> None:
        """A match is made when the first of two asks for it."""
        self.rooms = [f"match{number}" for number in range(count)]
        made()
