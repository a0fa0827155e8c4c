"""Links by which somebody signs in on another device of theirs: each works once, within minutes."""

from collections.abc import Sequence

from tegel.place.accounts.identity import Session
from tegel.place.accounts.once import Once
from tegel.place.accounts.standing import Standing
from tegel.room.refused import Refused

PURPOSE = "device"
SECONDS = 300
USED = "This link has been used, or is no longer valid."


class DeviceLinks:
    def __init__(self, once: Once, standing: Standing) -> None:
        self.once, self.standing = once, standing

    async def made(self, player: str) -> str:
        """A link that makes one a player, unless they sign out everywhere before it is used."""
        generation = (await self.standing.of(player)).generation
        return self.once.made(PURPOSE, SECONDS, player, str(generation))

    async def read(self, token: str) -> str:
        """The player whom a link would make one; raises Refused."""
        return await self._player(self.once.read(PURPOSE, token))

    async def used(self, token: str) -> str:
        """The player whom a link makes one, this once; raises Refused."""
        return await self._player(await self.once.used(PURPOSE, token))

    async def _player(self, words: Sequence[str] | None) -> str:
        if not words or not await self.standing.holds(Session(words[0], int(words[1]))):
            raise Refused("link", USED)
        return words[0]
