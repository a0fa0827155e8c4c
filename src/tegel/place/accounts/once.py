"""What may be used once, and soon: links to another device, challenges for passkeys.

A token is a seal that says until when it is good and what for. Whoever uses it writes its number
down: the key of that row lets one in, however many workers are asked at once."""

from collections.abc import Sequence

from tegel.place.accounts.identity import Seals
from tegel.place.accounts.store import SpentStore
from tegel.place.heartbeat import Heartbeat
from tegel.place.ports import Chance
from tegel.room.setup import name


class Once:
    def __init__(
        self, store: SpentStore, heartbeat: Heartbeat, seals: Seals, chance: Chance
    ) -> None:
        self.store, self.heartbeat, self.seals, self.chance = store, heartbeat, seals, chance

    def made(self, purpose: str, seconds: int, *words: str) -> str:
        """A token that carries some words."""
        until = self.heartbeat.now() + 1000 * seconds
        return self.seals.sealed(purpose, " ".join([str(until), name(self.chance), *words]))

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
        return words if await self.store.spend(number, int(until)) else None

    async def forget(self) -> None:
        """Forget what is too old to be used again."""
        await self.store.forget_spent(self.heartbeat.now())
