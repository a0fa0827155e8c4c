"""What may be used once, and soon: links to another device, challenges for passkeys.

A token is a seal that says until when it is good and what for. Whoever uses it writes its number
down: the key of that row lets one in, however many workers are asked at once."""

from collections.abc import Sequence

import sqlalchemy as sa

from tegel.place.accounts.identity import Seals
from tegel.place.heartbeat import Heartbeat
from tegel.place.ports import KeyTaken
from tegel.room.setup import name
from tegel.server.storage import tables
from tegel.server.storage.database import Database


class Once:
    def __init__(self, store: Database, heartbeat: Heartbeat, seals: Seals) -> None:
        self.store, self.heartbeat, self.seals = store, heartbeat, seals

    def made(self, purpose: str, seconds: int, *words: str) -> str:
        """A token that carries some words."""
        until = self.heartbeat.now() + 1000 * seconds
        return self.seals.sealed(purpose, " ".join([str(until), name(), *words]))

    def read(self, purpose: str, token: str) -> Sequence[str] | None:
        """The words of a token that is ours and not too old; it may have been used."""
        if not token.isascii() or (text := self.seals.opened(purpose, token)) is None:
            return None
        until, _, *words = text.split(" ")
        return words if int(until) >= self.heartbeat.now() else None

    async def used(self, purpose: str, token: str) -> Sequence[str] | None:
        """The words of a token, if it is good and is used for the first time."""
        if (words := self.read(purpose, token)) is None:
            return None
        until, number, *_ = token.split(" ")
        try:
            await self.store.change(sa.insert(tables.spent).values(id=number, until=int(until)))
        except KeyTaken:
            return None
        return words

    async def forget(self) -> None:
        """Forget what is too old to be used again."""
        c = tables.spent.c
        await self.store.change(sa.delete(tables.spent).where(c.until < self.heartbeat.now()))
