"""Reports on whole games: jobs that outlive a worker.

Who asks for a report makes a row, if there is none; a worker that has room leases it, thinks, and
writes down what is known every now and then. If it dies, another begins anew, and what was known
is shown meanwhile. However many ask, on whichever worker, it is thought once, and kept."""

import logging
from math import inf
from typing import Protocol

from cachetools import LRUCache

from tegel import games
from tegel import record as records
from tegel.place.bus import ALL, Bus, News
from tegel.place.heartbeat import Heartbeat
from tegel.place.limits.networks import widest
from tegel.place.ports import AWAY, LONG, Work
from tegel.place.rooms.background import Background
from tegel.place.safety.fairness import Asker, Fairness
from tegel.place.studies.store import UNKNOWN, ReportStore
from tegel.place.studies.turns import after_bots
from tegel.place.tasks import thinking
from tegel.place.wire.studies import Judged
from tegel.record import Record
from tegel.room.keys import report_key
from tegel.room.refused import Refused

logger = logging.getLogger("tegel.reports")
WRITTEN = 1.0  # seconds between what is written down
KNOWN = 200  # reports that are cached


class Reader(Protocol):
    """Somebody who wants to read a report."""

    def judged(self, found: Judged) -> None: ...


class Reports:
    def __init__(
        self, store: ReportStore, bus: Bus, pools: Work, heartbeat: Heartbeat, fairness: Fairness,
        worker: str, seconds: float,
    ) -> None:  # fmt: skip
        self.store, self.bus, self.pools, self.heartbeat = store, bus, pools, heartbeat
        self.fairness, self.worker, self.seconds = fairness, worker, seconds
        self.clock = heartbeat.clock
        self.known = LRUCache[str, Judged](KNOWN)
        self.readers: dict[str, set[Reader]] = {}
        self.running: set[str] = set()
        self.turns: dict[str, int] = {}  # by payer, when the next of theirs comes
        self.background = Background()

    async def permit(self, record: Record, player: str, payer: str) -> None:
        """Raise Refused if a position of a game is near one that they must get no help in."""
        await self.fairness.permit_line(Asker((player,), payer), record)

    @staticmethod
    def key(record: Record) -> str:
        """Under what the report on a game is kept."""
        return report_key(record, thinking.engine(games.start(record)))

    async def read(self, key: str) -> Judged | None:
        """As much as is known of a report; None if nobody has asked for it."""
        found = self.known.get(key)
        if found is None or not found.complete:
            kept = await self.store.report(key)
            if kept is None:
                return None
            if kept is not UNKNOWN:
                self.known[key] = kept
        return self.known.get(key, UNKNOWN)

    async def ask(self, record: Record, payer: str, *, anew: bool) -> str:
        """See to it that there will be a report on a game; its key. Not `anew`: somebody has asked
        for it before, and this payer's turn may come sooner."""
        key, at = self.key(record), self._turn(payer)
        if anew:
            self.turns[widest(payer)] = at + int(1000 * self.seconds)
        await self.store.ask(key, str(record), at)
        await self.sweep()
        self.bus.tell(ALL, News(self.worker, "report", data=""))
        return key

    def _turn(self, payer: str) -> int:
        """The time by which a report is put in the row of those that wait. Whoever asks for many
        has each as much later as one takes: so they come in between those of others."""
        now = self.heartbeat.now()
        self.turns = {key: until for key, until in self.turns.items() if until > now}
        return self.turns.get(widest(payer), now)

    def follow(self, key: str, reader: Reader) -> None:
        self.readers.setdefault(key, set()).add(reader)

    def leave(self, key: str, reader: Reader) -> None:
        self.readers.get(key, set()).discard(reader)
        if not self.readers.get(key):
            self.readers.pop(key, None)

    def _tell(self, key: str, found: Judged) -> None:
        self.known[key] = found
        for reader in tuple(self.readers.get(key, ())):
            reader.judged(found)

    # Thinking

    async def sweep(self) -> None:
        """Think about games that wait for it, as many as there is room for."""
        room = self.pools.reports.size - len(self.running)
        if room <= 0:
            return
        for key in await self.store.due(self.heartbeat.now(), room):
            if key not in self.running and len(self.running) < self.pools.reports.size:
                self.running.add(key)
                self.background.start(self._run(key))

    async def _run(self, key: str) -> None:
        try:
            now = self.heartbeat.now()
            text = await self.store.lease(key, self.worker, now)
            if text is not None:
                await self._think(key, await self.pools.aside(records.parse, text))
        except AWAY as away:
            logger.error("storage is away: %s", away)
        except Refused as refused:
            logger.warning("a report broke off: %s", refused)
        except Exception:
            logger.exception("a report failed")
        finally:
            self.running.discard(key)

    async def _think(self, key: str, record: Record) -> None:
        async with self.pools.reports.held(key) as slot:
            written = -inf
            found: Judged | None = await slot.run(LONG, thinking.begin_report, record, self.seconds)
            while found:
                if found.complete or self.clock.monotonic() - written > WRITTEN:
                    written = self.clock.monotonic()
                    if not await self._write(key, found):
                        break  # another has it: this worker was held for dead
                self._tell(key, found)
                await after_bots(self.pools, self.clock)
                found = await slot.run(LONG, thinking.go_on)
            await slot.run(LONG, thinking.end)

    async def _write(self, key: str, found: Judged) -> bool:
        kept = await self.store.keep(key, self.worker, self.heartbeat.now(), found)
        self.bus.tell(ALL, News(self.worker, "report", data=key))
        return kept

    # What others tell

    async def heard(self, news: News) -> None:
        """Another worker wrote more of a report, or was asked for one."""
        if not news.data:
            await self.sweep()
        elif self.readers.get(news.data):
            await self.look(news.data)

    async def look(self, key: str) -> None:
        """Tell readers what is written of a report."""
        before, found = self.known.get(key), await self.read(key)
        if found and found is not UNKNOWN and found != before:
            self._tell(key, found)

    async def look_around(self) -> None:
        """The same for all that are read here, whatever the bus told."""
        for key in list(self.readers):
            if key not in self.running:
                await self.look(key)

    async def release(self) -> None:
        """Leave reports to other workers."""
        await self.store.release(self.worker)

    def close(self) -> None:
        for task in tuple(self.background.tasks):
            task.cancel()
