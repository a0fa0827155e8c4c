"""Programs and their tokens."""

from cachetools import LRUCache

from tegel.place.accounts.identity import new_bot, new_token, token_hash
from tegel.place.accounts.store import AccountStore
from tegel.place.heartbeat import Heartbeat
from tegel.place.ports import Chance

MOST = 50_000  # tokens that a worker remembers


class Tokens:
    def __init__(self, store: AccountStore, heartbeat: Heartbeat, chance: Chance) -> None:
        self.store, self.heartbeat, self.chance = store, heartbeat, chance
        self.known: LRUCache[str, str] = LRUCache(MOST)  # programs by the hashes of their tokens

    async def create(self, name: str) -> tuple[str, str]:
        """A new program of a name, and its token, which is not stored."""
        id, token = new_bot(self.chance), new_token(self.chance)
        await self.store.add_program(id, name, token_hash(token), self.heartbeat.now())
        return id, token

    async def program(self, token: str) -> str:
        """The program that has a token; empty: none."""
        digest = token_hash(token)
        found = self.known.get(digest)
        if found is None:
            found = await self.store.program(digest)
            if found:
                self.known[digest] = found
        return found
