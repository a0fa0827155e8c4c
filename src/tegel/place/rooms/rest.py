"""Rooms that rest: as long as a running game could be helped by what a room shows, people see
there nothing that fits, and no bot moves."""

import logging
from collections.abc import Awaitable, Callable

from tegel.place.ports import AWAY, Clock
from tegel.place.rooms.broadcast import Broadcast
from tegel.place.rooms.live_room import LiveRoom
from tegel.room.refused import Refused
from tegel.room.room import Room

logger = logging.getLogger("tegel.house")
FRESH = 1.0  # seconds for which it is known whether a room must rest
Guard = Callable[[Room, str], Awaitable[Refused | None]]
"""Says why a room must rest, for the sake of another game; None if it may go on. It is compared
for the network that pays."""


async def _unguarded(_: Room, __: str) -> None:
    return None


class Rest:
    def __init__(self, broadcast: Broadcast, clock: Clock) -> None:
        self.broadcast, self.clock = broadcast, clock
        self.guard: Guard = _unguarded

    async def look_after(self, live: LiveRoom) -> None:
        """Let a room rest, or go on, where people are shown what fits; once a second at most, as
        long as nothing moves."""
        looked = (live.room.position, self.clock.monotonic())
        if looked[0] == live.looked[0] and looked[1] - live.looked[1] < FRESH:
            return
        if _tells_what_fits(live.room):
            live.looked = looked
            before, live.resting = live.resting, await self.why(live, live.room)
            self.broadcast.rests(live, before)
            if before and not live.resting:
                for player, offer in self.broadcast.offer(live, live.watchers).items():
                    _tell(live, player, *offer)

    async def why(self, live: LiveRoom, after: Room) -> Refused | None:
        """Why a room must rest as it is after some rows. Of its bots the scheduler decides."""
        if _tells_what_fits(after):
            try:
                return await self.guard(after, live.payer or after.setup.id)
            except AWAY as away:
                logger.error("storage is away: %s", away)
                return Refused("storage", "The storage does not answer: please wait.")
        return live.resting if after.position == live.room.position else None


def _tells_what_fits(room: Room) -> bool:
    """Whether a person may find out what fits, in a game that can be played by eye: by what is
    shown, or by trying it."""
    return room.game.by_eye is not None and bool(room.waits_for)


def _tell(live: LiveRoom, player: str, *texts: bytes) -> None:
    for watcher in live.watchers:
        if watcher.player == player:
            watcher.send(*texts)
