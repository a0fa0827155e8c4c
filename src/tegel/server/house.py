"""The house: all rooms that are open on this worker, and the one door to them.

A room is opened by reading its log, and stays open while someone watches or a bot thinks.
Whatever is to be done goes through `act`: judge, store, show, in this order, one at a
time a room. If another worker was faster, its rows are read and the case is judged anew."""

import asyncio
import logging
import random
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace

from tegel.game import Way
from tegel.search.bot import draw
from tegel.server import judge, metrics, views, wire
from tegel.server.bus import Bus, News
from tegel.server.judge import Circumstances, Refused, Step
from tegel.server.keeper import Keeper
from tegel.server.pool import Pool
from tegel.server.presence import Presence
from tegel.server.pulse import Pulse
from tegel.server.room import Room, Row, begin, flagged, fold, opened
from tegel.server.setup import Setup
from tegel.server.setup import name as new_name
from tegel.server.stage import Live, Stage, Watcher, said
from tegel.server.store import Store
from tegel.server.writes import Append

logger = logging.getLogger("tegel.house")
DICE = random.SystemRandom()
SHORT = 12  # rows that are folded at once; more are folded in the pool
TRIES = 8


class House:
    def __init__(
        self, store: Store, bus: Bus, pool: Pool, pulse: Pulse, worker: str, grace: int
    ) -> None:
        self.store, self.bus, self.pool, self.pulse = store, bus, pool, pulse
        self.worker, self.grace = worker, grace
        self.rooms: dict[str, Live] = {}
        self.opening: dict[str, asyncio.Future[Live | None]] = {}
        self.presence = Presence(store, bus, pulse, worker, grace)
        self.keeper = Keeper(self)
        self.stage = Stage(pool, pulse, self.keeper.settle)

    # Doors

    async def create(
        self, setup: Setup, rows: Sequence[str], sat: Sequence[str], moves: Sequence[str] = ()
    ) -> Live:
        """A new room, with its first rows on disk; it goes on after some moves."""
        append = self._new(setup, rows, sat, await self.pulse.fresh(), moves)
        await self.store.append(append)
        return await self._made(append.after)

    async def _made(self, room: Room) -> Live:
        live = await self._opened(room, mine=True)
        for listener in self.stage.listeners:
            listener(None, room)
        return live

    def _new(
        self,
        setup: Setup,
        rows: Sequence[str],
        sat: Sequence[str],
        now: int,
        moves: Sequence[str] = (),
    ) -> Append:
        around = Circumstances(now, lambda state: draw(state, DICE))
        steps = judge.opening(begin(setup, self.pulse.outages), moves, rows, around)
        after = steps[-1].after if steps else begin(setup)
        return Append([step.row for step in steps], after, self.worker, sat, new=True)

    async def find(self, id: str) -> Live:
        """The room of a name; raises Refused if there is none."""
        live = self.rooms.get(id)
        if live is None:
            if id not in self.opening:
                self.opening[id] = asyncio.ensure_future(self._open(id))
            live = await asyncio.shield(self.opening[id])
        if live is None:
            raise Refused("missing", "There is no such room.")
        live.used = time.monotonic()
        return live

    async def _open(self, id: str) -> Live | None:
        try:
            setup = await self.store.setup(id)
            if setup is None:
                return None
            await self.bus.listen(id)  # before reading, so that nothing falls in between
            rows = await self.store.tail(id)
            if len(rows) > SHORT:
                room = await self.pool.run(opened, setup, rows, self.pulse.outages)
            else:  # in a thread, for the puzzle of a day may have to be found first
                room = await asyncio.to_thread(opened, setup, rows, self.pulse.outages)
            return await self._opened(room, mine=False, listening=True)
        finally:
            self.opening.pop(id, None)

    async def _opened(self, room: Room, *, mine: bool, listening: bool = False) -> Live:
        id = room.setup.id
        if not listening:
            await self.bus.listen(id)
        live = self.rooms.setdefault(id, Live(room))
        metrics.ROOMS.set(len(self.rooms))
        self.keeper.settle(live, mine)
        return live

    async def join(self, live: Live, watcher: Watcher, since: int) -> None:
        """Let someone watch, and tell what they miss."""
        async with live.lock:
            if live.doubtful or not self.bus.healthy:
                await self._catch_up(live)
            room, now = live.room, self.pulse.now()
            missed = [text for ply, text in live.recent if ply > since]
            watcher.seats = room.seats_of(watcher.player)
            if since == room.ply or (0 <= since < room.ply and len(missed) == room.ply - since):
                for text in missed:
                    watcher.send(text)
                watcher.send(said(wire.You(watcher.seats)))
            else:
                seen = await self.stage.seen(live)
                watcher.send(said(views.snapshot(room, seen, now, watcher.seats)))
            live.watchers.add(watcher)
            if watcher.player and watcher.player == room.waits_for:
                self.stage.offer(live, [watcher])
        self.presence.came(live, watcher)

    def leave(self, live: Live, watcher: Watcher) -> None:
        live.watchers.discard(watcher)
        live.used = time.monotonic()
        self.presence.left(live, watcher)
        player = watcher.player
        if live.room.watch.since and player not in {other.player for other in live.watchers}:
            self.keeper.later(self._away(live, player))

    async def _away(self, live: Live, player: str) -> None:
        with suppress(Refused):
            await self.act(live, player, wire.Look(on=False))

    async def act(self, live: Live, player: str, action: wire.Action) -> Room:
        """Do something in a room; raises Refused."""
        with metrics.ACT.time():
            if isinstance(action, wire.Rematch):
                return await self._rematch(live, player)
            if isinstance(action, wire.Claim | wire.Replace):
                await self.presence.read(live)
            return await self._do(
                live, lambda room, around: judge.act(room, player, action, around)
            )

    async def take_over(self, live: Live, seat: int, holder: str, player: str, name: str) -> Room:
        return await self._do(
            live,
            lambda room, around: judge.take_over(room, seat, holder, player, name, around),
        )

    async def hinted(self, live: Live, player: str) -> Room:
        return await self._do(live, lambda room, around: judge.hinted(room, player, around))

    async def reveal(self, live: Live, player: str, position: int, way: Way) -> Room:
        return await self._do(
            live, lambda room, around: judge.reveal(room, player, position, way, around)
        )

    async def look(self, live: Live) -> None:
        """Let a flag fall if it is time."""
        with suppress(Refused):
            await self._do(live, lambda *_: [])

    async def _do(self, live: Live, judged: Callable[[Room, Circumstances], list[Step]]) -> Room:
        async with live.lock:
            checked = False
            for _ in range(TRIES):
                if live.doubtful:
                    await self._catch_up(live)
                around = await self._around(live)
                seat = flagged(live.room, around.now)
                if seat is not None:
                    await self._append(live, judge.flag(live.room, seat, around))
                    continue
                try:
                    with metrics.busy(metrics.LAW):
                        steps = judged(live.room, around)
                except Refused:
                    # Perhaps only because news from another worker has not come yet.
                    if checked or type(self.bus) is Bus or not await self._catch_up(live):
                        raise
                    checked = True
                    continue
                if not steps or await self._append(live, steps):
                    return live.room
            raise Refused("busy", "Too much happens here at once: please try again.")

    async def _around(self, live: Live) -> Circumstances:
        now = await self.pulse.fresh()
        if live.room.outages != self.pulse.outages:
            live.room = replace(live.room, outages=self.pulse.outages)
        return Circumstances(
            now,
            lambda state: draw(state, DICE),
            lambda seat: self.presence.absent(live, live.room.chairs[seat].player, now),
            self.grace,
        )

    async def _rematch(self, live: Live, player: str) -> Room:
        async with live.lock:
            await self._catch_up(live)
            if not live.room.seats_of(player):
                raise Refused("seat", "Only players at this table can do that.")
            if live.room.rematch:
                return live.room
            around = await self._around(live)
            steps, setup = judge.rematch(live.room, new_name(), around)
            rows = [
                f"!sit {seat} {player} {place.name}".rstrip()
                for seat, place in enumerate(setup.places)
                if place.player == player
            ]
            programs = [place.player for place in setup.places if judge.is_bot(place.player)]
            along = self._new(setup, rows, [player, *programs], around.now)
            if await self._append(live, steps, along):
                await self._made(along.after)
            return live.room

    # Storing and showing

    async def _append(self, live: Live, steps: list[Step], along: Append | None = None) -> bool:
        """Store rows, then show them. False if other rows came first: they are read."""
        rows = [step.row for step in steps]
        sat = [row.text.split(" ")[2] for row in rows if row.text.startswith("!sit ")]
        append = Append(rows, steps[-1].after, self.worker, sat, along=along)
        live.doubtful = True
        stored = asyncio.ensure_future(self.store.append(append))
        prepared = await self.stage.prepared(live, steps)  # while the disk works
        if not await stored:
            metrics.CONFLICTS.inc()
            await self._catch_up(live)
            return False
        live.doubtful = False
        self.stage.show(live, steps, prepared, mine=True)
        if type(self.bus) is not Bus:
            await self.bus.tell(
                live.room.setup.id,
                News(self.worker, "rows", [(row.seq, row.at, row.text) for row in rows]),
            )
        return True

    async def _catch_up(self, live: Live) -> bool:
        """Read rows that others stored; whether there were any."""
        rows = await self.store.tail(live.room.setup.id, live.room.ply)
        live.doubtful = False
        await self._learn(live, rows)
        return bool(rows)

    async def _learn(self, live: Live, rows: Sequence[Row]) -> None:
        steps = []
        room = replace(live.room, outages=self.pulse.outages)
        for row in rows:
            after = fold(room, row)
            steps.append(Step(row, room, after))
            room = after
        if steps:
            self.stage.show(live, steps, await self.stage.prepared(live, steps), mine=False)

    # What others tell

    async def heard(self, channel: str, news: News) -> None:
        """News from another worker."""
        live = self.rooms.get(channel)
        if live is None:
            return
        if news.kind == "presence":
            await self.presence.read(live)
            self.presence.show(live)
        elif news.kind == "reaction":
            for watcher in live.watchers:
                watcher.send(news.data)
        elif news.kind == "rows":
            async with live.lock:
                rows = [Row(*row) for row in news.rows if row[0] >= live.room.ply]
                if rows and rows[0].seq == live.room.ply and not live.doubtful:
                    await self._learn(live, rows)
                elif rows:
                    await self._catch_up(live)

    async def catch_up(self) -> None:
        """Read what was missed in every open room."""
        lengths = await self.store.lengths(list(self.rooms))
        for id, live in list(self.rooms.items()):
            if lengths.get(id, 0) > live.room.ply:
                async with live.lock:
                    await self._catch_up(live)

    async def react(self, live: Live, player: str, key: str) -> None:
        seats = live.room.seats_of(player)
        if not seats or key not in wire.REACTIONS:
            raise Refused("reaction", "Players may react, with one of a few words.")
        text = said(wire.Reaction(seats[0], key))
        for watcher in live.watchers:
            watcher.send(text)
        await self.bus.tell(live.room.setup.id, News(self.worker, "reaction", data=text))
