"""Records that people bring: checked, and kept under a name that nobody guesses."""

from typing import Protocol

import msgspec

from tegel import games
from tegel.place.heartbeat import Heartbeat
from tegel.place.ports import Chance, Work
from tegel.place.safety.fairness import Fairness
from tegel.place.wire import responses, views
from tegel.record import Record
from tegel.room.refused import Refused
from tegel.room.setup import name


class RecordStore(Protocol):
    async def keep_record(self, id: str, text: str, now: int) -> None: ...

    async def record(self, id: str) -> str | None:
        """The text of a record."""


class Records:
    def __init__(
        self, store: RecordStore, heartbeat: Heartbeat, work: Work, fairness: Fairness,
        chance: Chance,
    ) -> None:  # fmt: skip
        self.store, self.heartbeat, self.work = store, heartbeat, work
        self.fairness, self.chance = fairness, chance

    async def keep(self, text: str, payer: str) -> responses.Checked:
        """Check every move of a game, in our format or another program's, and keep it; raises
        ValueError if it is none."""
        await self.fairness.permit_text(text, payer)
        written, seen = await self.work.facts.run(views.checked, text, payer=payer)
        id, now = name(self.chance), self.heartbeat.now()
        await self.store.keep_record(id, written, now)
        return msgspec.structs.replace(seen, id=id)

    async def find(self, id: str) -> Record:
        """The record of a name; raises Refused."""
        text = await self.store.record(id)
        if text is None:
            raise Refused("missing", "There is no such record.")
        return await self.work.aside(games.read, text)  # it may be long
