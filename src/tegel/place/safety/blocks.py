"""Who does not want to meet whom: no seats at one table, no pairing, no phrases. Nobody is told
that they were blocked. Who blocks knows the other as they are called at a table where both sat, and
a **key** to undo it by; never who it is."""

from collections.abc import Collection
from typing import NamedTuple

from tegel.place.accounts.identity import Seals
from tegel.place.safety.store import SafetyStore
from tegel.room.refused import Refused

MOST = 500  # that one player may block
APART = "You and somebody at this table do not play with each other."


class Block(NamedTuple):
    blocked: str
    key: str
    name: str
    at: int


class Blocks:
    def __init__(self, store: SafetyStore, seals: Seals) -> None:
        self.store, self.seals = store, seals

    async def add(self, player: str, blocked: str, room: str, now: int) -> None:
        """Block somebody whom a player met in a room; raises Refused."""
        if player == blocked:
            raise Refused("blocking", "You can't block yourself.")
        if await self.store.count_blocks(player) >= MOST:
            raise Refused("blocking", f"More than {MOST} players can't be blocked.")
        await self.store.add_block(player, blocked, room, now)

    async def remove(self, player: str, key: str) -> None:
        """Undo what has a key, if there is such a block."""
        blocked = [block.blocked for block in await self.of(player) if block.key == key]
        await self.store.remove_blocks(player, blocked)

    async def of(self, player: str) -> list[Block]:
        """Whom a player has blocked, the latest first, by what they are called at the table where
        that was done."""
        return [
            Block(row.blocked, self.seals.keyed_hash("block", f"{player} {row.blocked}"), *row[1:])
            for row in await self.store.blocks_of(player)
        ]

    async def deaf(self, player: str, among: Collection[str]) -> set[str]:
        """Those among some players who blocked a player, and hear nothing of them."""
        return await self.store.blockers_of(player, among)

    async def among(self, players: Collection[str]) -> set[frozenset[str]]:
        """Which two of some players do not play with each other."""
        return await self.store.pairs_apart(list(players))

    async def forbid(self, player: str, others: Collection[str]) -> None:
        """Raise Refused if a player and one of some others do not play with each other."""
        if others and await self.store.apart_from(player, others):
            raise Refused("blocked", APART)
