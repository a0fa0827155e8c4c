"""Whether a worker can do its work: what `/healthz` and `/readyz` answer.

Whether storage takes anything is known only by writing: a beat. However many ask, that is tried
once a second at most, and nobody waits longer than `PATIENCE`: a database that hangs is told as
soon as one that is gone."""

import asyncio
from math import inf

import sqlalchemy as sa

from tegel.place.bus import Bus
from tegel.place.heartbeat import Heartbeat
from tegel.place.ports import AWAY, Work
from tegel.server.storage.migrations import head
from tegel.server.storage.storage import Storage

AGAIN = 1.0  # seconds between tries
PATIENCE = 1.5  # seconds that a try may take
SILENT = "The database does not answer."
UNSAVED = "The database can't save anything: its disk may be full, or read-only."


class Health:
    def __init__(self, store: Storage, heartbeat: Heartbeat, bus: Bus, work: Work) -> None:
        self.store, self.heartbeat, self.bus, self.work = store, heartbeat, bus, work
        self.trying: asyncio.Task[None] | None = None
        self.begun = -inf
        self.current = False  # whether the tables are known to have the newest shape

    async def trouble(self) -> str:
        """What is wrong with storage, in a sentence; empty if nothing is."""
        now = self.heartbeat.clock.monotonic()
        if self.trying is None or (self.trying.done() and now - self.begun > AGAIN):
            self.begun, self.trying = now, asyncio.create_task(self.heartbeat.beat())
        done, _ = await asyncio.wait({self.trying}, timeout=max(0, self.begun + PATIENCE - now))
        if not done:
            return SILENT
        error = self.trying.exception()
        return "" if error is None else UNSAVED if isinstance(error, AWAY) else SILENT

    async def unready(self) -> str:
        """Why this worker should not be asked yet, in a sentence; empty if it should."""
        if not self.heartbeat.beaten:
            return "This worker has not begun yet."
        if not self.bus.answered:
            return "The bus has not answered yet."
        if trouble := await self.trouble():
            return trouble
        if not self.current:
            found = await self.store.rows(sa.text("SELECT version_num FROM alembic_version"))
            self.current = found[0][0] == await self.work.aside(head)
        return "" if self.current else "The tables are of another version."
