"""What players are called: the name that they keep, or the one that a guest has given."""

from cachetools import LRUCache

from tegel.place.accounts.store import AccountStore
from tegel.place.heartbeat import Heartbeat
from tegel.place.rooms.house import House
from tegel.room.setup import KEPT, guest_name

MOST = 50_000  # names that a worker remembers


class Names:
    def __init__(self, store: AccountStore, heartbeat: Heartbeat, house: House) -> None:
        self.store, self.heartbeat, self.house = store, heartbeat, house
        self.known: LRUCache[str, str] = LRUCache(MOST)
        self.changes = 0  # of names, that this worker has heard of

    async def name(self, player: str) -> str:
        """The name of a player; empty: none."""
        if not player:
            return ""
        found = self.known.get(player)
        if found is None:
            before = self.changes
            found = await self.store.name(player)
            if self.changes == before:  # or it may have been read before it changed
                self.known[player] = found
        return found

    async def called(self, player: str, wish: str = "") -> str:
        """What a player is called at a table: by the name they keep, or as a guest wishes."""
        known = await self.name(player)
        return known if known.startswith(KEPT) else guest_name(wish) or guest_name(known)

    async def rename(self, player: str, wish: str) -> str:
        """What a guest is called from now on."""
        name = guest_name(wish)
        await self.store.name_guest(player, name, self.heartbeat.now())
        self.changes += 1
        self.known[player] = name
        return name

    def changed(self, player: str) -> None:
        """Something about a player changed, here or elsewhere: tell their tables."""
        self.changes += 1
        self.known.pop(player, None)
        self.house.background.start(self._tell(player))

    async def _tell(self, player: str) -> None:
        await self.house.renamed(player, await self.name(player))
