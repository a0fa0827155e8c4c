"""A room that is open on this worker, and who watches it."""

import asyncio
from collections import deque
from dataclasses import dataclass, field
from typing import Protocol

from tegel.place.wire.views import View
from tegel.room.refused import Refused
from tegel.room.room import Room

RECENT = 32  # messages kept for those who come back


class Watcher(Protocol):
    """Someone who sees a room: a socket or a stream."""

    player: str
    seats: tuple[int, ...]

    def send(self, *messages: bytes) -> None:
        """Never waits: whoever is too slow is dropped."""


@dataclass(eq=False)
class LiveRoom:
    """A room that is open here."""

    room: Room
    used: float  # when somebody last needed it, by the monotonic clock
    payer: str = ""  # the network that pays for its bots, if it is known
    seen: View | None = None  # of the room; None: not looked at since it changed
    watchers: set[Watcher] = field(default_factory=set)
    guests: int = 0  # who may yet begin to watch: it stays open for them
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    recent: deque[tuple[int, bytes]] = field(default_factory=lambda: deque(maxlen=RECENT))
    doubtful: bool = False  # whether rows were stored is not known
    thinking: asyncio.Task[None] | None = None
    resting: Refused | None = None  # why it must not go on now, for the sake of another game
    looked: tuple[int, float] = (-1, 0.0)  # for which position, and when, that was found out
    timer: asyncio.TimerHandle | None = None
