"""Games that were over before endings were kept: their endings are written while the server runs,
a few at a time. Which are left is on disk, so it goes on after a restart; of several workers the
first does it."""

import logging

from tegel.place.ports import AWAY
from tegel.place.rooms.house import House
from tegel.place.rooms.opening import DAMAGE, LONGEST
from tegel.room.ending import Ending, final
from tegel.room.refused import Refused

logger = logging.getLogger("tegel.backlog")
TOGETHER = 20  # rooms whose endings are written at once
PAUSE, AGAIN = 0.2, 10.0  # seconds after some of them; and before looking what another has left


class Backlog:
    def __init__(self, house: House) -> None:
        self.house, self.store = house, house.store

    async def work_off(self) -> None:
        """Write the endings that are not there yet, until there are no more."""
        while True:
            try:
                left = await self.store.unkept(TOGETHER)
                if not left:
                    return
                mine = min(self.house.heartbeat.alive) == self.house.worker
                if mine:
                    await self.write(left)
                await self.house.clock.sleep(PAUSE if mine else AGAIN)
            except AWAY as away:
                logger.error("storage is away: %s", away)
                await self.house.clock.sleep(AGAIN)

    async def write(self, rooms: list[str]) -> None:
        """Write the endings of some rooms, and that they need no more; one that can't be read is
        reported, and needs no more either."""
        endings: list[Ending] = []
        called: dict[str, dict[str, str]] = {}
        for id in rooms:
            try:
                ending, names = await self._ending(id)
            except (Refused, *DAMAGE) as error:
                self.house.report(id, error)
                continue
            if ending:
                endings.append(ending)
                called[id] = names
        await self.store.keep_endings(rooms, endings, called)

    async def _ending(self, id: str) -> tuple[Ending | None, dict[str, str]]:
        setup = await self.store.setup(id)
        if setup is None:
            return None, {}
        rows = await self.store.tail(id, most=LONGEST + 1)
        if len(rows) > LONGEST:
            raise ValueError(f"it has more than {LONGEST} rows")
        known = (setup, rows, self.house.heartbeat.outages, await self.store.names(id))
        ending, names = await self.house.pools.facts.run(final, *known, payer="backlog")
        return ending, dict(names)
