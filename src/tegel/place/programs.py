"""Programs that play by a token: what they are told, as lines of JSON.

A program listens to one stream of its own events (a game starts, it is its turn, a game
ends) and, if it likes, to the stream of each room."""

import asyncio
from collections.abc import AsyncIterator

import msgspec

from tegel.place.bus import Bus, News
from tegel.place.rooms.house import House
from tegel.place.rooms.live_room import LiveRoom
from tegel.room.judge import is_bot
from tegel.room.room import Room

KEEPALIVE = 7.0  # seconds between empty lines: proxies close silent connections
LONGEST = 1000  # messages that may wait; a program that does not read is dropped


class Told(msgspec.Struct):
    """An event in a program's stream."""

    type: str  # start, turn, end
    room: str
    game: str
    variant: str
    seats: tuple[int, ...]
    ply: int


class Stream:
    """Messages on their way to a program; a watcher of rooms."""

    def __init__(self, player: str) -> None:
        self.player = player
        self.seats: tuple[int, ...] = ()
        self.queue: asyncio.Queue[bytes | None] = asyncio.Queue()

    def send(self, *messages: bytes) -> None:
        for message in messages:
            if self.queue.qsize() < LONGEST:
                self.queue.put_nowait(message)
            elif self.queue.qsize() == LONGEST:
                self.queue.put_nowait(None)

    async def lines(self, closing: asyncio.Event) -> AsyncIterator[bytes]:
        """The messages, each on a line, with empty lines in between; until the end."""
        end = asyncio.ensure_future(closing.wait())
        message = asyncio.ensure_future(self.queue.get())
        try:
            while not closing.is_set():
                await asyncio.wait(
                    {message, end}, timeout=KEEPALIVE, return_when=asyncio.FIRST_COMPLETED
                )
                if not message.done():
                    yield b"\n"
                elif (text := message.result()) is None:
                    return
                else:
                    message = asyncio.ensure_future(self.queue.get())
                    yield text + b"\n"
        finally:
            end.cancel()
            message.cancel()


class Programs:
    def __init__(self, house: House, bus: Bus, worker: str) -> None:
        self.house, self.bus, self.worker = house, bus, worker
        self.streams: dict[str, set[Stream]] = {}
        house.listeners.append(self.told)

    async def listen(self, stream: Stream) -> None:
        self.streams.setdefault(stream.player, set()).add(stream)
        await self.house.presence.listens(stream.player, True)
        await self.bus.listen(f"player.{stream.player}")

    async def leave(self, stream: Stream) -> None:
        mine = self.streams.get(stream.player, set())
        mine.discard(stream)
        if not mine:
            self.streams.pop(stream.player, None)
            await self.house.presence.listens(stream.player, False)
            await self.bus.leave(f"player.{stream.player}")

    def told(self, live: LiveRoom, before: Room | None, _: bool) -> None:
        """Tell programs at a table what happened there."""
        after = live.room
        for player in {chair.player for chair in after.chairs if is_bot(chair.player)}:
            for kind in happenings(before, after, player):
                text = msgspec.json.encode(event(kind, after, player))
                self._send(player, text)
                if not self.bus.alone:
                    news = News(self.worker, "told", data=text.decode())
                    self.bus.tell(f"player.{player}", news)

    def heard(self, channel: str, news: News) -> None:
        self._send(channel.removeprefix("player."), news.data.encode())

    def _send(self, player: str, text: bytes) -> None:
        for stream in self.streams.get(player, ()):
            stream.send(text)


def happenings(before: Room | None, after: Room, player: str) -> list[str]:
    """What is new for a player."""
    found = []
    if after.begun and not (before and before.begun and before.seats_of(player)):
        found.append("start")
    turn = after.waits_for == player
    if turn and (before is None or before.position != after.position or "start" in found):
        found.append("turn")
    if after.over and not (before and before.over):
        found.append("end")
    return found


def event(kind: str, room: Room, player: str) -> Told:
    setup = room.setup
    return Told(kind, setup.id, setup.game, setup.variant, room.seats_of(player), room.ply)
