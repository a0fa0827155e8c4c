"""Who does not want to meet whom: no seats at one table, no pairing, no phrases. Nobody is told
that they were blocked. Who blocks knows the other as they are called at a table where both sat, and
a **key** to undo it by; never who it is."""

from collections.abc import Collection
from typing import NamedTuple

import sqlalchemy as sa

from tegel.place.accounts.identity import Seals
from tegel.room.refused import Refused
from tegel.server.storage import tables
from tegel.server.storage.database import Database

MOST = 500  # that one player may block
APART = "You and somebody at this table do not play with each other."


class Block(NamedTuple):
    blocked: str
    key: str
    name: str
    at: int


class Blocks:
    def __init__(self, store: Database, seals: Seals) -> None:
        self.store, self.seals = store, seals

    async def add(self, player: str, blocked: str, room: str, now: int) -> None:
        """Block somebody whom a player met in a room; raises Refused."""
        if player == blocked:
            raise Refused("blocking", "You can't block yourself.")
        c = tables.blocks.c
        many = await self.store.rows(sa.select(sa.func.count()).where(c.player == player))
        if many[0][0] >= MOST:
            raise Refused("blocking", f"More than {MOST} players can't be blocked.")
        await self.store.change(
            self.store.upsert(tables.blocks, player=player, blocked=blocked, room=room, at=now)
        )

    async def remove(self, player: str, key: str) -> None:
        """Undo what has a key, if there is such a block."""
        c = tables.blocks.c
        blocked = [block.blocked for block in await self.of(player) if block.key == key]
        where = sa.and_(c.player == player, c.blocked.in_(blocked))
        await self.store.change(sa.delete(tables.blocks).where(where))

    async def of(self, player: str) -> list[Block]:
        """Whom a player has blocked, the latest first, by what they are called at the table where
        that was done. Of blocks of earlier editions the table is not known: by what they are called
        at one where both sat."""
        b, n, s = tables.blocks.c, tables.names.c, tables.seats.c
        theirs = sa.select(sa.func.max(n.name)).where(n.player == b.blocked)
        there = theirs.where(n.room == b.room).scalar_subquery()
        shared = sa.select(s.room).where(s.player == player)
        anywhere = theirs.where(b.room == "", n.room.in_(shared)).scalar_subquery()
        called = sa.func.coalesce(there, anywhere, "")
        query = sa.select(b.blocked, called, b.at).where(b.player == player)
        return [
            Block(blocked, self.seals.keyed_hash("block", f"{player} {blocked}"), name, at)
            for blocked, name, at in await self.store.rows(query.order_by(b.at.desc()))
        ]

    async def deaf(self, player: str, among: Collection[str]) -> set[str]:
        """Those among some players who blocked a player, and hear nothing of them."""
        c = tables.blocks.c
        query = sa.select(c.player).where(c.blocked == player, c.player.in_(list(among)))
        return {row.player for row in await self.store.rows(query)}

    async def apart(self, player: str, others: Collection[str]) -> set[str]:
        """Those among some players with whom a player does not play: who blocked them, or whom
        they blocked."""
        c, some = tables.blocks.c, list(others)
        query = sa.union(
            sa.select(c.player).where(c.blocked == player, c.player.in_(some)),
            sa.select(c.blocked).where(c.player == player, c.blocked.in_(some)),
        )
        return {row[0] for row in await self.store.rows(query)}

    async def among(self, players: Collection[str]) -> set[frozenset[str]]:
        """Which two of some players do not play with each other."""
        c, some = tables.blocks.c, list(players)
        query = sa.select(c.player, c.blocked).where(c.player.in_(some), c.blocked.in_(some))
        return {frozenset(row) for row in await self.store.rows(query)}

    async def forbid(self, player: str, others: Collection[str]) -> None:
        """Raise Refused if a player and one of some others do not play with each other."""
        if others and await self.apart(player, others):
            raise Refused("blocked", APART)
