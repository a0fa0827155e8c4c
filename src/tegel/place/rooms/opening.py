"""How rooms come to be open on this worker: they are made, or their logs are read.

One that can't be read is reported once, and not tried again for a while: whatever else goes on
without it."""

import asyncio
import logging
from collections.abc import Callable, Sequence

from tegel.game.chance import new_seed
from tegel.place.bus import Bus
from tegel.place.heartbeat import Heartbeat
from tegel.place.ports import Broken, Chance, Meter, Work
from tegel.place.rooms.append import Append
from tegel.place.rooms.live_room import LiveRoom
from tegel.place.rooms.room_row import NOWHERE, SealedNetwork, append
from tegel.place.rooms.rows import Rows
from tegel.place.rooms.store import RoomStore
from tegel.place.tasks.tasks import Seating, first_rows
from tegel.room import judge
from tegel.room.log import Row
from tegel.room.refused import Refused
from tegel.room.room import Room, opened
from tegel.room.setup import Setup

logger = logging.getLogger("tegel.house")
SHORT = 12  # rows that are folded at once; more are folded in the pool
LONGEST = 20_000  # rows of a room that is opened: far more than `judge.MOST_ROWS` lets it have
AGAIN = 60.0  # seconds after which a damaged room is tried again
DAMAGE = (ValueError, LookupError, TypeError, AssertionError)
"""What is raised for a room whose row or log can't be read."""


class Opening:
    def __init__(
        self, store: RoomStore, bus: Bus, pools: Work, heartbeat: Heartbeat, rows: Rows,
        worker: str, sealed: Callable[[str, str], SealedNetwork], chance: Chance, meter: Meter,
    ) -> None:  # fmt: skip
        self.store, self.bus, self.pools, self.heartbeat = store, bus, pools, heartbeat
        self.rows, self.worker, self.chance, self.meter = rows, worker, chance, meter
        self.clock = heartbeat.clock
        self.sealed = sealed  # what is stored of a player's network
        self.rooms: dict[str, LiveRoom] = {}
        self.opening: dict[str, asyncio.Future[LiveRoom | None]] = {}
        self.damaged: dict[str, float] = {}  # rooms that can't be opened, and when that was tried

    # New rooms

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
            rows, after = await self.pools.facts.run(
                first_rows, *work, new_seed(self.chance), payer=payer or setup.id
            )
        else:
            rows, after = first_rows(*work, self.chance)
        await self.store.append(self.new(seating, rows, after, network))
        return await self.made(after, payer)

    async def draft(self, setup: Setup, seating: Seating) -> tuple[Append, Room]:
        """How a new room begins that stands in the lists of all for whom its seats are kept, and
        the room after that: for whoever stores it together with something else."""
        now, outages = await self.heartbeat.fresh(), self.heartbeat.outages
        rows, after = first_rows(setup, (), seating, now, outages, self.chance)
        kept = [place.player for place in setup.places if place.player]
        return append(rows, after, self.worker, kept, seating.names, new=True), after

    async def made(self, room: Room, payer: str = "") -> LiveRoom:
        """A new room whose first rows are on disk, opened."""
        await self.bus.listen(room.setup.id)
        return self._opened(room, None, mine=True, payer=payer)

    def new(self, seating: Seating, rows: Sequence[Row], after: Room, network: str) -> Append:
        """What to write for a new room; `network`: who lists it."""
        listed = after.setup.listed and network
        sealed = self.sealed(network, seating.player) if listed else NOWHERE
        programs = [place.player for place in after.setup.places if judge.is_bot(place.player)]
        sat = [*([seating.player] if seating.seats else []), *programs]
        return append(rows, after, self.worker, sat, after.names, new=True, network=sealed)

    # Rooms that are there

    def is_open(self, id: str) -> bool:
        """Whether a room is open here, or about to be."""
        return id in self.rooms or id in self.opening

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
            self.rows.dated(rows)
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
        self.rows.changed(live, before, mine=mine)
        return live
