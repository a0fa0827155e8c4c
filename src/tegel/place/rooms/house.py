"""The house: all rooms that are open on this worker, and the one door to them.

A room is opened by reading its log, and stays open while someone watches or a bot thinks.
Whatever is to be done goes through `act`: judge, store, show, in this order, one at a
time a room. If another worker was faster, its rows are read and the case is judged anew."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

import sqlalchemy as sa

from tegel.game import Way
from tegel.game.chance import new_seed
from tegel.place.bus import Bus, News
from tegel.place.heartbeat import Heartbeat
from tegel.place.ports import AWAY, Broken, Chance, Meter, Work
from tegel.place.rooms.append import Append
from tegel.place.rooms.background import Background
from tegel.place.rooms.broadcast import Broadcast, resting, said
from tegel.place.rooms.live_room import LiveRoom, Watcher
from tegel.place.rooms.presence import Presence
from tegel.place.rooms.room_row import NOWHERE, SealedNetwork, append
from tegel.place.rooms.store import RoomStore
from tegel.place.tasks.tasks import Seating, first_rows
from tegel.place.wire import messages, views
from tegel.place.wire.views import View
from tegel.room import actions, judge, log
from tegel.room.ending import Ending, ending, is_kept
from tegel.room.judge import Circumstances, Step
from tegel.room.log import Row
from tegel.room.refused import Refused
from tegel.room.room import Origin, Room, flagged, fold, opened
from tegel.room.setup import Setup
from tegel.room.setup import name as new_name
from tegel.search.chance import draw
from tegel.server.storage.database import Database
from tegel.server.storage.transaction import transaction

logger = logging.getLogger("tegel.house")
SHORT = 12  # rows that are folded at once; more are folded in the pool
LONGEST = 20_000  # rows of a room that is opened: far more than `judge.MOST_ROWS` lets it have
TRIES = 8
AGAIN = 60.0  # seconds after which a damaged room is tried again
FRESH = 1.0  # seconds for which it is known whether a room must rest
DAMAGE = (ValueError, LookupError, TypeError, AssertionError)
"""What is raised for a room whose row or log can't be read."""


OriginAt = Callable[[str], Origin]
"""From where somebody comes who sits down in the room of a name."""
Listener = Callable[[LiveRoom, Room | None, bool], None]
"""Told when a room was opened or rows were stored: the room that is open, what it was before
(None: it is new), and whether this worker stored them, so that it has the lease."""


Guard = Callable[[Room, str], Awaitable[Refused | None]]
"""Says why a room must rest, for the sake of another game; None if it may go on. It is compared
for the network that pays."""


async def _unguarded(_: Room, __: str) -> None:
    return None


class House:
    def __init__(
        self, store: RoomStore, bus: Bus, pools: Work, heartbeat: Heartbeat, worker: str,
        grace: int, sealed: Callable[[str, str], SealedNetwork], chance: Chance, meter: Meter,
    ) -> None:  # fmt: skip
        self.store, self.bus, self.pools, self.heartbeat = store, bus, pools, heartbeat
        self.worker, self.grace, self.chance, self.meter = worker, grace, chance, meter
        self.clock = heartbeat.clock
        self.database: Database = None  # type: ignore[assignment]  # of services whose SQL is not behind a port yet
        self.sealed = sealed  # what is stored of a player's network
        self.rooms: dict[str, LiveRoom] = {}
        self.opening: dict[str, asyncio.Future[LiveRoom | None]] = {}
        self.damaged: dict[str, float] = {}  # rooms that can't be opened, and when that was tried
        self.presence = Presence(store, bus, heartbeat, worker, grace)
        self.broadcast = Broadcast(pools, heartbeat, meter)
        self.listeners: list[Listener] = [self.presence.seated]
        self.background = Background()
        self.guard: Guard = _unguarded

    # Doors

    async def create(
        self,
        setup: Setup,
        seating: Seating,
        moves: Sequence[str] = (),
        payer: str = "",
        network: str = "",
    ) -> LiveRoom:
        """A new room, with its first rows on disk; it goes on after some moves, which are played
        in the pool, for they are somebody's. Its bots are the payer's; `network`: who lists it."""
        now, outages = await self.heartbeat.fresh(), self.heartbeat.outages
        work = (setup, moves, seating, now, outages)
        if moves:
            seed = new_seed(self.chance)
            rows, after = await self.pools.facts.run(
                first_rows, *work, seed, payer=payer or setup.id
            )
        else:
            rows, after = first_rows(*work, self.chance)
        await self.store.append(self._new(seating, rows, after, network))
        return await self._made(after, payer)

    async def create_if(
        self, claim: Callable[[sa.Connection], bool], setup: Setup, names: Mapping[str, str]
    ) -> LiveRoom | None:
        """A new room with seats that are kept for people, if a claim holds in the transaction that
        makes it; it stands in the lists of all of them."""
        now = await self.heartbeat.fresh()
        seating = Seating("", (), names)
        rows, after = first_rows(setup, (), seating, now, self.heartbeat.outages, self.chance)
        kept = [place.player for place in setup.places if place.player]
        new = append(rows, after, self.worker, kept, names, new=True)

        def job(connection: sa.Connection) -> bool:
            if not claim(connection):
                return False
            transaction(connection, [new], [])
            return True

        return await self._made(after, "") if await self.database.write(job) else None

    async def _made(self, room: Room, payer: str) -> LiveRoom:
        await self.bus.listen(room.setup.id)
        return self._opened(room, None, mine=True, payer=payer)

    def _new(self, seating: Seating, rows: Sequence[Row], after: Room, network: str) -> Append:
        listed = after.setup.listed and network
        sealed = self.sealed(network, seating.player) if listed else NOWHERE
        programs = [place.player for place in after.setup.places if judge.is_bot(place.player)]
        sat = [*([seating.player] if seating.seats else []), *programs]
        return append(rows, after, self.worker, sat, after.names, new=True, network=sealed)

    async def find(self, id: str, payer: str = "") -> LiveRoom:
        """The room of a name, opened for whoever pays; raises Refused if there is none."""
        live = self.rooms.get(id)
        if live is None:
            if id not in self.opening:
                self.opening[id] = asyncio.ensure_future(self._open(id, payer or id))
            live = await asyncio.shield(self.opening[id])
        if live is None:
            raise Refused("missing", "There is no such room.")
        live.used = self.clock.monotonic()
        return live

    async def _open(self, id: str, payer: str) -> LiveRoom | None:
        try:
            setup = await self.store.setup(id)
            if setup is None:
                return None
            await self.bus.listen(id)  # before reading, so that nothing falls in between
            rows = await self.store.tail(id, most=LONGEST + 1)
            if len(rows) > LONGEST:
                raise ValueError(f"it has more than {LONGEST} rows")
            self._dated(rows)
            names = await self.store.names(id)
            known = (setup, rows, self.heartbeat.outages, names)
            if len(rows) > SHORT:
                room = await self.pools.facts.run(opened, *known, payer=payer)
            else:
                await self.pools.prepare(setup.variant, payer=payer)
                room = opened(*known)
            return self._opened(room, room, mine=False)
        except Broken as error:
            await self.bus.leave(id)
            self.report(id, error)  # so that the sweep does not try again and again
            raise
        except DAMAGE as error:
            await self.bus.leave(id)
            self.report(id, error)
            raise Refused(
                "damaged", "This room can't be opened any more; whoever runs this server was told."
            ) from None
        finally:
            self.opening.pop(id, None)

    def report(self, id: str, error: Exception) -> None:
        """Tell the host, once, of a room that can't be read: whatever else goes on without it."""
        if id not in self.damaged:
            logger.error("room %s can't be opened: %r", id, error)
        self.damaged[id] = self.clock.monotonic()

    def given_up(self) -> list[str]:
        """The rooms that were found damaged lately."""
        limit = self.clock.monotonic() - AGAIN
        return [id for id, tried in self.damaged.items() if tried > limit]

    def _opened(self, room: Room, before: Room | None, *, mine: bool, payer: str = "") -> LiveRoom:
        live = self.rooms.setdefault(room.setup.id, LiveRoom(room, self.clock.monotonic(), payer))
        self.meter.gauge("rooms", len(self.rooms))
        self._changed(live, before, mine=mine)
        return live

    def _changed(self, live: LiveRoom, before: Room | None, *, mine: bool) -> None:
        for listener in self.listeners:
            listener(live, before, mine)

    async def join(
        self, live: LiveRoom, watcher: Watcher, since: int, newcomer: Origin | None = None
    ) -> None:
        """Let someone watch, and tell what they miss; `newcomer`: from where they come, if they
        may yet sit down."""
        async with live.lock:
            if live.doubtful or not self.bus.healthy or since > live.room.ply:
                await self._catch_up(live)
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
                await self._catch_up(live)
        with suppress(Refused):
            await self._do(live, lambda *_: [])

    async def _do(
        self, live: LiveRoom, judged: Callable[[Room, Circumstances], list[Step]]
    ) -> Room:
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
                    with self.meter.busy("law_seconds"):
                        steps = judged(live.room, around)
                except Refused:
                    # Perhaps only because news from another worker has not come yet.
                    if checked or self.bus.alone or not await self._catch_up(live):
                        raise
                    checked = True
                    continue
                if not steps or await self._append(live, steps):
                    return live.room
            raise Refused("busy", "Too much happens here at once: please try again.")

    async def look_after(self, live: LiveRoom) -> None:
        """Let a room rest, or go on, where people are shown what fits; once a second at most, as
        long as nothing moves."""
        looked = (live.room.position, self.clock.monotonic())
        if looked[0] == live.looked[0] and looked[1] - live.looked[1] < FRESH:
            return
        if _tells_what_fits(live.room):
            live.looked = looked
            before, live.resting = live.resting, await self._rest(live, live.room)
            self.broadcast.rests(live, before)
            if before and not live.resting:
                for player, offer in self.broadcast.offer(live, live.watchers).items():
                    _tell(live, player, *offer)

    async def _rest(self, live: LiveRoom, after: Room) -> Refused | None:
        """Why a room must rest as it is after some rows. Of its bots the scheduler decides."""
        if _tells_what_fits(after):
            try:
                return await self.guard(after, live.payer or after.setup.id)
            except AWAY as away:
                logger.error("storage is away: %s", away)
                return Refused("storage", "The storage does not answer: please wait.")
        return live.resting if after.position == live.room.position else None

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
            await self._catch_up(live)
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
            along = self._new(seating, rows, after, payer)
            if await self._append(live, steps, along):
                bots = any(place.level for place in setup.places)
                await self._made(after, payer if bots else "")
            return live.room

    # Storing and showing

    async def _append(self, live: LiveRoom, steps: list[Step], along: Append | None = None) -> bool:
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
            await self._catch_up(live)
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
        live.resting = await self._rest(live, steps[-1].after)  # or too much would be offered
        self.broadcast.show(live, steps, prepared, mine=mine)
        self.broadcast.rests(live, rested)
        self._changed(live, before, mine=mine)

    async def _catch_up(self, live: LiveRoom) -> bool:
        """Read rows that others stored; whether there were any."""
        rows = await self.store.tail(live.room.setup.id, live.room.ply)
        live.doubtful = False
        await self._learn(live, rows)
        return bool(rows)

    async def _learn(self, live: LiveRoom, rows: Sequence[Row]) -> None:
        self._dated(rows)
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

    def _dated(self, rows: Sequence[Row]) -> None:
        """Time is never behind what is written, or the clock of that room would stand still
        until it is there."""
        self.heartbeat.now.forward(max((row.at for row in rows), default=0))

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
                    await self._learn(live, rows)
                elif rows:
                    await self._catch_up(live)

    async def catch_up(self) -> None:
        """Read what was missed in every open room."""
        if self.bus.alone:
            return  # nobody else writes
        lengths = await self.store.lengths(list(self.rooms))
        for id, live in list(self.rooms.items()):
            if lengths.get(id, 0) > live.room.ply:
                async with live.lock:
                    await self._catch_up(live)

    def react(self, live: LiveRoom, player: str, key: str, deaf: Collection[str]) -> None:
        """Let a player say something to all but some."""
        seats = live.room.seats_of(player)
        if not seats or key not in messages.REACTIONS:
            raise Refused("reaction", "Players may react, with one of a few words.")
        text = said(messages.Reaction(seats[0], key))
        _say(live, text, deaf)
        data = f"{' '.join(deaf)}\n{text.decode()}"
        self.bus.tell(live.room.setup.id, News(self.worker, "reaction", data=data))


def _tells_what_fits(room: Room) -> bool:
    """Whether a person may find out what fits, in a game that can be played by eye: by what is
    shown, or by trying it."""
    return room.game.by_eye is not None and bool(room.waits_for)


def _tell(live: LiveRoom, player: str, *texts: bytes) -> None:
    for watcher in live.watchers:
        if watcher.player == player:
            watcher.send(*texts)


def _say(live: LiveRoom, text: bytes, deaf: Collection[str]) -> None:
    for watcher in live.watchers:
        if watcher.player not in deaf:
            watcher.send(text)
