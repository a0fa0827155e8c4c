"""What happens in rooms by itself: bots think, flags fall, empty rooms are closed.

A bot thinks on the worker that stored the move before it, which has the **lease** of the
room from then on. If that worker dies, the sweep of another finds the room and takes over;
should both answer, the key of the log lets one answer count."""

import asyncio
import logging

from tegel.game.chance import new_seed
from tegel.place.ports import AWAY
from tegel.place.rooms.house import House
from tegel.place.rooms.live_room import LiveRoom
from tegel.room import actions
from tegel.room.judge import OUR_BOT
from tegel.room.refused import Refused
from tegel.room.room import deadline

logger = logging.getLogger("tegel.scheduler")
LOOK = 5.0  # seconds after which the logs are read, whatever the bus told
QUIET = 60.0  # seconds after which a room that nobody needs is closed
REST = 1.0  # seconds between two looks whether a bot that rests may go on


class Scheduler:
    def __init__(self, house: House) -> None:
        self.house, self.clock = house, house.clock
        self.alive: set[str] = set()
        self.looked = self.clock.monotonic()
        self.seeing: set[str] = set()  # rooms that are being opened, for something is due there
        house.listeners.append(lambda live, _, mine: self.settle(live, mine))

    def settle(self, live: LiveRoom, mine: bool) -> None:
        """See to it that a bot thinks and a flag falls. `mine`: this worker has the lease."""
        if live.timer:
            live.timer.cancel()
            live.timer = None
        room = live.room
        if room.waits_for_bot:
            if live.thinking is None:
                live.thinking = asyncio.create_task(self._think(live, mine))
        elif (at := deadline(room)) is not None:
            wait = max(0.0, (at - self.house.heartbeat.now()) / 1000) + 0.01
            if wait < 86_400:  # the sweep sees to what is further away
                loop = asyncio.get_running_loop()
                live.timer = loop.call_later(
                    wait, lambda: self.house.background.start(self.look(live))
                )

    async def look(self, live: LiveRoom, *, anew: bool = False) -> None:
        await self.house.look(live, anew=anew)
        self.settle(live, mine=False)

    async def _think(self, live: LiveRoom, mine: bool) -> None:
        """Play for the bots of a room while it is their turn and this worker's task."""
        house, id, misses = self.house, live.room.setup.id, 0
        try:
            while (room := live.room).waits_for_bot and misses < 3:
                if not mine and not await house.store.lease(
                    id, house.worker, house.heartbeat.now()
                ):
                    return  # another worker thinks; the sweep comes back if it does not
                if await self._rests(live):
                    mine = False  # so that the lease is renewed
                    await self.clock.sleep(REST)
                    continue
                assert room.turn is not None
                level, payer = room.chairs[room.turn].level, live.payer or id
                seed = new_seed(house.chance)
                text = await house.pools.bots.thought(room.state, level, seed, payer)
                try:
                    await house.act(live, OUR_BOT, actions.Move(room.ply, text))
                    mine = True
                except Refused as refused:
                    if refused.code not in ("stale", "turn", "over"):
                        misses += 1
                        logger.error("a bot's move was refused: %s %s %s", id, text, refused)
        except AWAY as away:
            logger.error("storage is away: %s", away)
        except Exception:
            logger.exception("a bot could not think")
        finally:
            live.thinking = None

    async def _rests(self, live: LiveRoom) -> bool:
        """Whether the bot of a room must not move now, for the sake of another game."""
        before, live.resting = (
            live.resting,
            await self.house.rest.guard(live.room, live.payer or live.room.setup.id),
        )
        self.house.broadcast.rests(live, before)
        return live.resting is not None

    async def _see_to(self, id: str) -> None:
        """Open a room in which something is due; one that can't be opened holds up no other."""
        try:
            live = await self.house.find(id)
            await self.look(live, anew=True)
            await self._put_off(live)
        except Refused:
            pass  # and reported
        except AWAY as away:
            logger.error("storage is away: %s", away)
        except Exception as error:
            self.house.report(id, error)
        finally:
            self.seeing.discard(id)

    async def _put_off(self, live: LiveRoom) -> None:
        """If a flag falls later than its row says, for there was an outage, say so there: or
        every sweep would find it due."""
        room = live.room
        if (at := deadline(room)) is not None and at > self.house.heartbeat.now():
            await self.house.store.put_off(room.setup.id, room.ply, at)

    async def sweep(self) -> None:
        """Open rooms in which something is due; close those that nobody needs."""
        house = self.house
        if not house.bus.healthy or self.clock.monotonic() - self.looked > LOOK:
            self.looked = self.clock.monotonic()
            await house.catch_up()
        if self.alive != set(house.heartbeat.alive):
            self.alive = set(house.heartbeat.alive)
            await house.catch_up()  # who died may not have told all
            for live in list(house.rooms.values()):
                house.presence.show(live)
        for id in await house.store.due(house.heartbeat.now(), house.given_up()):
            if id not in self.seeing:
                self.seeing.add(id)
                house.background.start(self._see_to(id))
        for live in list(house.rooms.values()):
            if live.resting and not live.room.waits_for_bot:
                await house.look_after(live)
        limit = self.clock.monotonic() - QUIET
        for id, live in list(house.rooms.items()):
            needed = live.watchers or live.guests or live.thinking or live.lock.locked()
            if not needed and live.used < limit:
                del house.rooms[id]
                if live.timer:
                    live.timer.cancel()
                await house.bus.leave(id)
        house.meter.gauge("rooms", len(house.rooms))
