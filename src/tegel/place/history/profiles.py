"""What somebody shows to everybody. Nothing, unless they say so: who plays is their own affair."""

from tegel.place.history.store import ProfileStore
from tegel.place.rooms.store import Called
from tegel.place.wire.personal import Shown
from tegel.room.judge import is_bot
from tegel.room.refused import Refused
from tegel.room.setup import KEPT


class Profiles:
    def __init__(self, store: ProfileStore) -> None:
        self.store = store

    async def find(self, who: str, reader: str) -> Called:
        """The player that an address speaks of, by id or as @handle, and what they are called;
        raises Refused. A guest who shows nothing has no page: only they themselves find it, for
        what they are called at a table is for that table."""
        handle = who.startswith(KEPT)
        found = await (self.store.keeper(who[1:]) if handle else self.store.player(who))
        if found and not is_bot(who):
            public = found.name.startswith(KEPT) or await self.shown(found.player) != Shown()
            if public or found.player == reader:
                return found
        raise Refused("missing", "There is nobody of that name.")

    async def shown(self, player: str) -> Shown:
        return await self.store.shown(player) or Shown()

    async def show(self, player: str, shown: Shown, now: int) -> None:
        await self.store.show(player, shown, now)
