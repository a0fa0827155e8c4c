"""The house: all rooms that are open on this worker, and the one door to them.

A room is opened by reading its log (`opening`), and stays open while someone watches or a bot
thinks. What is stored, shown and read are its `rows`.

Whatever is to be done goes through `act`: judge, store, show, in this order, one at a
time a room. If another worker was faster, its rows are read and the case is judged anew."""

from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import replace

from tegel.game import Way
from tegel.place.bus import Bus, News
from tegel.place.heartbeat import Heartbeat
from tegel.place.ports import Chance, Meter, Work
from tegel.place.rooms.background import Background
from tegel.place.rooms.broadcast import Broadcast, resting, said
from tegel.place.rooms.live_room import LiveRoom, Watcher
from tegel.place.rooms.opening import Opening
from tegel.place.rooms.presence import Presence
from tegel.place.rooms.rest import Rest
from tegel.place.rooms.room_row import SealedNetwork
from tegel.place.rooms.rows import Rows
from tegel.place.rooms.store import RoomStore
from tegel.place.tasks.tasks import Seating, first_rows
from tegel.place.wire import messages, views
from tegel.room import actions, judge
from tegel.room.judge import Circumstances, Step
from tegel.room.log import Row
from tegel.room.refused import Refused
from tegel.room.room import Origin, Room, flagged
from tegel.room.setup import name as new_name
from tegel.search.chance import draw

TRIES = 8
OriginAt = Callable[[str], Origin]
"""From where somebody comes who sits down in the room of a name."""


class House:
    def __init__(
        self, store: RoomStore, bus: Bus, pools: Work, heartbeat: Heartbeat, worker: str,
        grace: int, sealed: Callable[[str, str], SealedNetwork], chance: Chance, meter: Meter,
    ) -> None:  # fmt: skip
        self.store, self.bus, self.pools, self.heartbeat = store, bus, pools, heartbeat
        self.worker, self.grace, self.chance, self.meter = worker, grace, chance, meter
        self.clock, self.sealed = heartbeat.clock, sealed  # what is stored of a player's network
        self.background = Background()
        self.presence = Presence(store, bus, heartbeat, worker, grace, self.background)
        self.broadcast = Broadcast(pools, heartbeat, meter)
        self.rest = Rest(self.broadcast, self.clock)
        self.rows = Rows(store, bus, heartbeat, self.broadcast, self.rest, worker, meter)
        self.listeners = self.rows.listeners
        self.listeners.append(self.presence.seated)
        self.opening = Opening(
            store, bus, pools, heartbeat, self.rows, worker, sealed, chance, meter
        )
        self.rooms, self.is_open = self.opening.rooms, self.opening.is_open
        self.create, self.find = self.opening.create, self.opening.find
        self.draft, self.made = self.opening.draft, self.opening.made
        self.report, self.given_up = self.opening.report, self.opening.given_up
        self.look_after = self.rest.look_after

    # Doors

    async def join(
        self, live: LiveRoom, watcher: Watcher, since: int, newcomer: Origin | None = None
    ) -> None:
        """Let someone watch, and tell what they miss; `newcomer`: from where they come, if they
        may yet sit down."""
        async with live.lock:
            if live.doubtful or not self.bus.healthy or since > live.room.ply:
                await self.rows.catch_up(live)
            room, now = live.room, self.heartbeat.now()
            missed = [text for ply, text in live.recent if ply > since]
            watcher.seats = room.seats_of(watcher.player)
            if since == room.ply or (0 <= since < room.ply and len(missed) == room.ply - since):
                watcher.send(*missed, said(messages.You(watcher.seats)))
            else:
                seen = await self.broadcast.seen(live)
                told = views.snapshot(room, seen, now, watcher.player, newcomer)
                watcher.send(said(told))
            live.watchers.add(watcher)
            await self.look_after(live)
            if live.resting:
                watcher.send(resting(live.resting))
            watcher.send(*self.broadcast.offer(live, [watcher]).get(watcher.player, ()))
        self.presence.came(live, watcher)

    def leave(self, live: LiveRoom, watcher: Watcher) -> None:
        live.watchers.discard(watcher)
        live.used = self.clock.monotonic()
        self.presence.left(live, watcher)
        player = watcher.player
        if live.room.watch.since and player not in {other.player for other in live.watchers}:
            self.background.start(self._away(live, player))

    async def _away(self, live: LiveRoom, player: str) -> None:
        with suppress(Refused):
            await self.act(live, player, actions.Look(on=False))

    async def act(
        self,
        live: LiveRoom,
        player: str,
        action: actions.Action,
        payer: str = "",
        origin: OriginAt | None = None,
    ) -> Room:
        """Do something in a room; raises Refused. Bots that it brings are the payer's; `origin`:
        of who acts, if they may sit down."""
        with self.meter.timed("act_seconds"):
            if isinstance(action, actions.Rematch):
                return await self._rematch(live, player, payer, origin)
            if isinstance(action, actions.Claim | actions.Replace):
                await self.presence.read(live)
            if isinstance(action, actions.Move) and player != judge.OUR_BOT:
                await self.look_after(live)
                if live.resting:
                    raise live.resting
            come = origin(live.room.setup.id) if origin else None

            def judged(room: Room, around: Circumstances) -> list[Step]:
                return judge.act(room, player, action, around._replace(origin=come))

            done = await self._do(live, judged)
            live.payer = live.payer or payer
            return done

    async def take_over(
        self, live: LiveRoom, seat: int, since: int, player: str, name: str
    ) -> Room:
        return await self._do(
            live,
            lambda room, around: judge.take_over(room, seat, since, player, name, around),
        )

    async def renamed(self, player: str, name: str) -> None:
        """Let a player be called otherwise in all rooms that are open, or not at all any more."""
        for live in list(self.rooms.values()):
            at_table = player in live.room.names or live.room.seats_of(player)
            if not at_table or live.room.names.get(player, "") == name:
                continue
            async with live.lock:
                names = {other: n for other, n in live.room.names.items() if other != player}
                live.room = replace(live.room, names={**names, player: name} if name else names)
                live.recent.clear()
                seen, now = await self.broadcast.seen(live), self.heartbeat.now()
                for watcher in tuple(live.watchers):
                    watcher.send(said(views.snapshot(live.room, seen, now, watcher.player)))

    async def call_off(self, live: LiveRoom) -> Room:
        """End a game that has not begun because somebody did not come."""
        return await self._do(live, judge.call_off)

    async def hinted(self, live: LiveRoom, player: str) -> Room:
        return await self._do(live, lambda room, around: judge.hinted(room, player, around))

    async def reveal(self, live: LiveRoom, player: str, position: int, way: Way) -> Room:
        return await self._do(
            live, lambda room, around: judge.reveal(room, player, position, way, around)
        )

    async def look(self, live: LiveRoom, *, anew: bool = False) -> None:
        """Let a flag fall if it is time; `anew`: as the log says, whatever was heard."""
        if anew and not self.bus.alone:
            async with live.lock:
                await self.rows.catch_up(live)
        with suppress(Refused):
            await self._do(live, lambda *_: [])

    async def _do(
        self, live: LiveRoom, judged: Callable[[Room, Circumstances], list[Step]]
    ) -> Room:
        async with live.lock:
            checked = False
            for _ in range(TRIES):
                if live.doubtful:
                    await self.rows.catch_up(live)
                around = await self._around(live)
                seat = flagged(live.room, around.now)
                if seat is not None:
                    await self.rows.append(live, judge.flag(live.room, seat, around))
                    continue
                try:
                    with self.meter.busy("law_seconds"):
                        steps = judged(live.room, around)
                except Refused:
                    # Perhaps only because news from another worker has not come yet.
                    if checked or self.bus.alone or not await self.rows.catch_up(live):
                        raise
                    checked = True
                    continue
                if not steps or await self.rows.append(live, steps):
                    return live.room
            raise Refused("busy", "Too much happens here at once: please try again.")

    async def _around(self, live: LiveRoom) -> Circumstances:
        now = await self.heartbeat.fresh()
        if live.room.outages != self.heartbeat.outages:
            live.room = replace(live.room, outages=self.heartbeat.outages)
        return Circumstances(
            now,
            lambda state: draw(state, self.chance),
            lambda seat: self.presence.absent(live, live.room.expected(seat), now),
            self.grace,
        )

    async def _rematch(
        self, live: LiveRoom, player: str, payer: str, origin: OriginAt | None
    ) -> Room:
        async with live.lock:
            await self.rows.catch_up(live)
            if not live.room.seats_of(player):
                raise Refused("seat", "Only players at this table can do that.")
            if live.room.rematch:
                return live.room
            around = await self._around(live)
            steps, setup = judge.rematch(live.room, new_name(self.chance), around)
            mine = [seat for seat, place in enumerate(setup.places) if place.player == player]
            come = origin(setup.id) if origin else None
            seating = Seating(player, mine, live.room.names, come)
            rows, after = first_rows(
                setup, (), seating, around.now, self.heartbeat.outages, self.chance
            )
            along = self.opening.new(seating, rows, after, payer)
            if await self.rows.append(live, steps, along):
                bots = any(place.level for place in setup.places)
                await self.made(after, payer if bots else "")
            return live.room

    # The end

    def stop_bots(self) -> None:
        """Think no more for the bots of any room."""
        for live in self.rooms.values():
            if live.thinking:
                live.thinking.cancel()

    async def release(self) -> None:
        """Leave the rooms to other workers."""
        await self.store.release(self.worker)

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
            deaf, _, text = news.data.partition("\n")
            _say(live, text.encode(), deaf.split())
        elif news.kind == "rows":
            async with live.lock:
                rows = [Row(*row) for row in news.rows if row[0] >= live.room.ply]
                if rows and rows[0].seq == live.room.ply and not live.doubtful:
                    await self.rows.learn(live, rows)
                elif rows:
                    await self.rows.catch_up(live)

    async def catch_up(self) -> None:
        """Read what was missed in every open room."""
        if self.bus.alone:
            return  # nobody else writes
        lengths = await self.store.lengths(list(self.rooms))
        for id, live in list(self.rooms.items()):
            if lengths.get(id, 0) > live.room.ply:
                async with live.lock:
                    await self.rows.catch_up(live)

    def react(self, live: LiveRoom, player: str, key: str, deaf: Collection[str]) -> None:
        """Let a player say something to all but some."""
        seats = live.room.seats_of(player)
        if not seats or key not in messages.REACTIONS:
            raise Refused("reaction", "Players may react, with one of a few words.")
        text = said(messages.Reaction(seats[0], key))
        _say(live, text, deaf)
        data = f"{' '.join(deaf)}\n{text.decode()}"
        self.bus.tell(live.room.setup.id, News(self.worker, "reaction", data=data))


def _say(live: LiveRoom, text: bytes, deaf: Collection[str]) -> None:
    for watcher in live.watchers:
        if watcher.player not in deaf:
            watcher.send(text)
