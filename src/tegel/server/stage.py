"""The stage: what those who watch a room see of it.

A message is made once for everybody; only the offer goes to one player. While nobody
watches nothing is drawn."""

import asyncio
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from tegel.server import metrics, views, wire
from tegel.server.judge import Step
from tegel.server.pool import Pool
from tegel.server.pulse import Pulse
from tegel.server.room import Room
from tegel.server.views import View

A = TypeVar("A")
T = TypeVar("T")
RECENT = 32  # messages kept for those who come back


class Watcher(Protocol):
    """Someone who sees a room: a socket or a stream."""

    player: str
    seats: tuple[int, ...]

    def send(self, message: str) -> None:
        """Never waits: whoever is too slow is dropped."""


@dataclass(eq=False)
class Live:
    """A room that is open here."""

    room: Room
    seen: View | None = None  # of the room; None: not looked at since it changed
    watchers: set[Watcher] = field(default_factory=set)
    guests: int = 0  # who may yet begin to watch: it stays open for them
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    recent: deque[tuple[int, str]] = field(default_factory=lambda: deque(maxlen=RECENT))
    doubtful: bool = False  # whether rows were stored is not known
    thinking: asyncio.Task[None] | None = None
    timer: asyncio.TimerHandle | None = None
    used: float = field(default_factory=time.monotonic)


Listener = Callable[[Room | None, Room], None]  # before and after rows; None: it is new


class Stage:
    def __init__(self, pool: Pool, pulse: Pulse, settle: Callable[[Live, bool], None]) -> None:
        self.pool, self.pulse, self.settle = pool, pulse, settle
        self.listeners: list[Listener] = []

    async def elsewhere(self, work: Callable[[A], T], argument: A) -> T:
        """What may take long, in the pool; here if the pool can't, for it must be told."""
        try:
            return await self.pool.run(work, argument)
        except RuntimeError:
            return work(argument)

    async def prepared(self, live: Live, steps: list[Step]) -> list[tuple[str, View]]:
        """What to tell those who watch: a message a row, and the view with it."""
        if not live.watchers:
            return []
        seen, now = await self.seen(live), self.pulse.now()
        prepared = []
        for step in steps:
            row, after = step.row, step.after
            message: wire.Outgoing
            if not row.text.startswith("!"):
                if after.over:
                    events, new = await self.elsewhere(views.step_view, step)
                else:
                    with metrics.busy(metrics.PICTURE):
                        events, new = views.step_view(step)
                message = views.moved(step, events, seen, new, now)
            elif row.text.startswith(("!takeback", "!reveal")):
                new = views.view(after)
                message = views.snapshot(after, new, now)
            else:
                changed = after.over and not step.before.over
                new = await self.elsewhere(views.view, after) if changed else seen
                message = views.happened(row, after, new, now)
            seen = new
            prepared.append((said(message), seen))
        return prepared

    def show(
        self, live: Live, steps: list[Step], prepared: list[tuple[str, View]], *, mine: bool
    ) -> None:
        before = live.room
        live.room = steps[-1].after
        live.seen = prepared[-1][1] if prepared else None
        if not prepared:
            live.recent.clear()
        for step, (text, _) in zip(steps, prepared, strict=bool(prepared)):
            live.recent.append((step.after.ply, text))
            for watcher in tuple(live.watchers):
                watcher.send(text)
        if mine:
            for step in steps:
                metrics.ROWS.labels("event" if step.row.text[0] == "!" else "move").inc()
        if live.room.chairs is not before.chairs:
            self._tell_seats(live)
        # What may be done is told again only if it may have changed: a tile in hand stays there.
        if live.room.position != before.position or live.room.chairs is not before.chairs:
            who = live.room.waits_for
            self.offer(live, [w for w in live.watchers if who and w.player == who])
        for listener in self.listeners:
            listener(before, live.room)
        self.settle(live, mine)

    def offer(self, live: Live, watchers: list[Watcher]) -> None:
        if not watchers:
            return
        with metrics.busy(metrics.PICTURE):
            offer = views.offer(live.room)
        if offer:
            text = said(offer)
            for watcher in watchers:
                watcher.send(text)

    def _tell_seats(self, live: Live) -> None:
        for watcher in live.watchers:
            seats = live.room.seats_of(watcher.player)
            if seats != watcher.seats:
                watcher.seats = seats
                watcher.send(said(wire.You(seats)))

    async def seen(self, live: Live) -> View:
        if live.seen is None:
            room = live.room
            seen = await self.elsewhere(views.view, room) if room.over else views.view(room)
            if live.room is not room:
                return seen
            live.seen = seen
        return live.seen


def said(message: wire.Outgoing) -> str:
    return wire.encode(message).decode()
