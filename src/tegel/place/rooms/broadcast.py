"""What those who watch a room are told.

A message is made once for everybody; only the offer goes to one player. While nobody
watches nothing is drawn."""

from collections.abc import Callable, Collection
from typing import TypeVar

from tegel.place.heartbeat import Heartbeat
from tegel.place.ports import Meter, Work
from tegel.place.rooms.live_room import LiveRoom, Watcher
from tegel.place.wire import copies, messages, views
from tegel.place.wire.views import View
from tegel.room import log
from tegel.room.judge import Step
from tegel.room.refused import Refused
from tegel.room.room import Room

A = TypeVar("A")
T = TypeVar("T")


class Broadcast:
    def __init__(self, work: Work, heartbeat: Heartbeat, meter: Meter) -> None:
        self.work, self.heartbeat, self.meter = work, heartbeat, meter

    async def at_end(self, room: Room, task: Callable[[A], T], argument: A) -> T:
        """What is told of a game that is over: in the pool, as it may take long, unless the game
        says that it does not; here if the pool can't, for it must be told."""
        if room.game.brief:
            return task(argument)
        try:
            return await self.work.facts.run(task, argument, payer=room.setup.id)
        except Refused:
            return await self.work.aside(task, argument)

    async def prepared(self, live: LiveRoom, steps: list[Step]) -> list[tuple[bytes, View]]:
        """What to tell those who watch: a message a row, and the view with it."""
        if not live.watchers:
            return []
        seen, now = await self.seen(live), self.heartbeat.now()
        prepared = []
        for step in steps:
            row, after = step.row, step.after
            message: messages.Outgoing
            if (event := row.event) is None:
                last = await self.at_end(after, views.step_view, step) if after.over else None
                with self.meter.busy("picture_seconds"):
                    events, new = last or views.step_view(step)
                    message = views.moved(step, events, seen, new, now)
            elif isinstance(event, log.Takeback | log.Reveal):
                new = views.view(after)
                message = views.snapshot(after, new, now)
            else:
                changed = after.over and not step.before.over
                new = await self.at_end(after, views.view, after) if changed else seen
                message = views.happened(event, after, new, now)
            seen = new
            prepared.append((said(message), seen))
        return prepared

    def show(
        self, live: LiveRoom, steps: list[Step], prepared: list[tuple[bytes, View]], *, mine: bool
    ) -> None:
        before = live.room
        live.room = steps[-1].after
        live.seen = prepared[-1][1] if prepared else None
        if not prepared:
            live.recent.clear()
        for step, (text, _) in zip(steps, prepared, strict=bool(prepared)):
            live.recent.append((step.after.ply, text))
        if mine:
            for step in steps:
                self.meter.count("rows", "event" if log.is_event(step.row.text) else "move")
        seated = live.room.chairs is not before.chairs
        # What may be done is told again only if it may have changed: a tile in hand stays there.
        changed = seated or live.room.position != before.position
        offered = self.offer(live, live.watchers) if changed else {}
        for watcher in tuple(live.watchers):
            seats = self._new_seats(live, watcher) if seated else ()
            offer = offered.get(watcher.player, ())
            watcher.send(*(text for text, _ in prepared), *seats, *offer)

    def offer(self, live: LiveRoom, watchers: Collection[Watcher]) -> dict[str, tuple[bytes]]:
        """What to tell the player whose turn it is, if among these; made for nobody else."""
        who = live.room.waits_for
        if not who or live.resting or all(watcher.player != who for watcher in watchers):
            return {}
        with self.meter.busy("picture_seconds"):
            offer = views.offer(live.room)
            return {who: (said(offer),)} if offer else {}

    def _new_seats(self, live: LiveRoom, watcher: Watcher) -> tuple[bytes, ...]:
        """What to tell somebody who has other seats than before."""
        seats = live.room.seats_of(watcher.player)
        if seats == watcher.seats:
            return ()
        watcher.seats = seats
        return (said(messages.You(seats)),)

    def rests(self, live: LiveRoom, before: Refused | None) -> None:
        """Tell all who watch whether a room rests now, if that was otherwise before."""
        if str(before) != str(live.resting):
            for watcher in tuple(live.watchers):
                watcher.send(resting(live.resting))

    async def seen(self, live: LiveRoom) -> View:
        if live.seen is None:
            room = live.room
            seen = await self.at_end(room, views.view, room) if room.over else views.view(room)
            if live.room is not room:
                return seen
            live.seen = seen
        return live.seen


def resting(refused: Refused | None) -> bytes:
    if refused is None:
        return said(messages.Resting())
    return said(messages.Resting(refused.code, refused.text, copies.plain(refused.args_by_name)))


def said(message: messages.Outgoing) -> bytes:
    return messages.encode(message)
