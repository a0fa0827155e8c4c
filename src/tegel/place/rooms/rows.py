"""The rows of the rooms that are open here: stored first, then shown; and those that others stored,
which are read."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from tegel.place.bus import Bus, News
from tegel.place.heartbeat import Heartbeat
from tegel.place.ports import Meter
from tegel.place.rooms.append import Append
from tegel.place.rooms.broadcast import Broadcast
from tegel.place.rooms.live_room import LiveRoom
from tegel.place.rooms.rest import Rest
from tegel.place.rooms.room_row import append
from tegel.place.rooms.store import RoomStore
from tegel.place.wire import views
from tegel.place.wire.views import View
from tegel.room import log
from tegel.room.ending import Ending, ending, is_kept
from tegel.room.judge import Step
from tegel.room.log import Row
from tegel.room.room import Room, fold

Listener = Callable[[LiveRoom, Room | None, bool], None]
"""Told when a room was opened or rows were stored: the room that is open, what it was before
(None: it is new), and whether this worker stored them, so that it has the lease."""


class Rows:
    def __init__(
        self, store: RoomStore, bus: Bus, heartbeat: Heartbeat, broadcast: Broadcast, rest: Rest,
        worker: str, meter: Meter,
    ) -> None:  # fmt: skip
        self.store, self.bus, self.heartbeat = store, bus, heartbeat
        self.broadcast, self.rest, self.worker, self.meter = broadcast, rest, worker, meter
        self.listeners: list[Listener] = []

    def changed(self, live: LiveRoom, before: Room | None, *, mine: bool) -> None:
        """Tell all listeners what changed in a room."""
        for listener in self.listeners:
            listener(live, before, mine)

    async def append(self, live: LiveRoom, steps: list[Step], along: Append | None = None) -> bool:
        """Store rows, then show them. False if other rows came first: they are read."""
        rows = [step.row for step in steps]
        after, known = steps[-1].after, live.room.names
        sat = [event.player for row in rows if isinstance(event := row.event, log.Sit)]
        names = {player: name for player, name in after.names.items() if known.get(player) != name}
        ends = after.over and not live.room.over
        # What is told of an end holds the result, which is kept with the last row.
        prepared = await self.broadcast.prepared(live, steps) if ends else None
        ending = await self._ending(after, prepared) if ends else None
        next = append(
            rows, after, self.worker, sat, names, along=along, before=live.room, ending=ending
        )
        live.doubtful = True
        stored = self.store.append(next)
        if prepared is None:
            prepared = await self.broadcast.prepared(live, steps)  # while the disk works
        if not await stored:
            self.meter.count("conflicts")
            await self.catch_up(live)
            return False
        live.doubtful = False
        await self._show(live, steps, prepared, mine=True)
        if not self.bus.alone:
            self.bus.tell(
                live.room.setup.id,
                News(self.worker, "rows", [(row.seq, row.at, row.text) for row in rows]),
            )
        return True

    async def _ending(
        self, after: Room, prepared: list[tuple[bytes, View]] | None
    ) -> Ending | None:
        """What is kept of a game that is over, if anything is."""
        if not is_kept(after):
            return None
        if prepared:
            seen = prepared[-1][1]
        else:
            seen = await self.broadcast.at_end(after, views.view, after)
        assert seen.result
        return ending(after, seen.result, seen.scores, seen.gained or seen.scores)

    async def _show(
        self, live: LiveRoom, steps: list[Step], prepared: list[tuple[bytes, View]], *, mine: bool
    ) -> None:
        before, rested = live.room, live.resting
        live.resting = await self.rest.why(live, steps[-1].after)  # or too much would be offered
        self.broadcast.show(live, steps, prepared, mine=mine)
        self.broadcast.rests(live, rested)
        self.changed(live, before, mine=mine)

    async def catch_up(self, live: LiveRoom) -> bool:
        """Read rows that others stored; whether there were any."""
        rows = await self.store.tail(live.room.setup.id, live.room.ply)
        live.doubtful = False
        await self.learn(live, rows)
        return bool(rows)

    async def learn(self, live: LiveRoom, rows: Sequence[Row]) -> None:
        """Go on by the next rows, which others stored."""
        self.dated(rows)
        steps = []
        room = replace(live.room, outages=self.heartbeat.outages)
        if any(isinstance(row.event, log.Sit) for row in rows):
            names = await self.store.names(room.setup.id)
            room = replace(room, names={**room.names, **names})
        for row in rows:
            after = fold(room, row)
            steps.append(Step(row, room, after))
            room = after
        if steps:
            await self._show(live, steps, await self.broadcast.prepared(live, steps), mine=False)

    def dated(self, rows: Sequence[Row]) -> None:
        """Time is never behind what is written, or the clock of that room would stand still
        until it is there."""
        self.heartbeat.now.forward(max((row.at for row in rows), default=0))
