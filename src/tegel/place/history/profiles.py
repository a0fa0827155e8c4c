"""What somebody shows to everybody. Nothing, unless they say so: who plays is their own affair."""

import msgspec
import sqlalchemy as sa

from tegel.place.wire.personal import Shown
from tegel.room.judge import is_bot
from tegel.room.refused import Refused
from tegel.room.setup import KEPT
from tegel.server.storage import tables
from tegel.server.storage.accounts import of_handle
from tegel.server.storage.database import Database


class Profiles:
    def __init__(self, store: Database) -> None:
        self.store = store

    async def find(self, who: str, reader: str) -> tuple[str, str]:
        """The player that an address speaks of, by id or as @handle, and what they are called;
        raises Refused. A guest who shows nothing has no page: only they themselves find it, for
        what they are called at a table is for that table."""
        c = tables.players.c
        by_id = sa.select(c.id, c.name).where(c.id == who)
        found = await self.store.rows(of_handle(who[1:]) if who.startswith(KEPT) else by_id)
        if found and not is_bot(who):
            player, name = found[0].id, found[0].name
            public = name.startswith(KEPT) or await self.shown(player) != Shown()
            if public or player == reader:
                return player, name
        raise Refused("missing", "There is nobody of that name.")

    async def shown(self, player: str) -> Shown:
        c = tables.profiles.c
        query = sa.select(c.games, c.statistics, c.ratings, c.best).where(c.player == player)
        found = await self.store.rows(query)
        return Shown(*found[0]) if found else Shown()

    async def show(self, player: str, shown: Shown, now: int) -> None:
        values = {"player": player, "at": now, **msgspec.structs.asdict(shown)}
        await self.store.change(self.store.upsert(tables.profiles, **values))
