"""Whose cookies have ended, and who is banned.

A cookie is of a **generation**; signing out everywhere begins the next one, and those before it
are nobody's. A worker looks a player up when it first hears of them, and remembers the last `MOST`:
so nothing is looked up for a move. Every `OFTEN` seconds it reads what changed of late. So a ban
on the command line, another worker's news and a new name all arrive by the same way, whether or
not there is a bus."""

from collections.abc import Callable

from cachetools import LRUCache

from tegel.place.accounts.identity import Session
from tegel.place.accounts.store import Known, StandingStore
from tegel.place.heartbeat import Heartbeat

OFTEN = 2.0  # seconds
SLACK = 60_000  # milliseconds by which clocks, and the ends of transactions, may differ
MOST = 20_000  # players that a worker remembers
OVER = 2**31 - 1  # the generation of a player who is deleted: no cookie is of it
BANNED = "Whoever runs this server does not let you play here any more."
NOTHING = Known()


class Standing:
    def __init__(self, store: StandingStore, heartbeat: Heartbeat) -> None:
        self.store, self.heartbeat = store, heartbeat
        self.known: LRUCache[str, Known] = LRUCache(MOST)
        self.recent: dict[str, Known] = {}  # of whom something changed of late
        self.last = 0  # when the latest change was
        self.listeners: list[Callable[[str], None]] = []  # told of whom something changed
        self.deletion_listeners: list[Callable[[str], None]] = []  # told who is deleted

    async def open(self) -> None:
        self.last = await self.store.latest()
        self.recent = await self.store.changed_since(self.last - SLACK)

    async def look(self) -> None:
        """Learn what changed of late, and tell the listeners."""
        before = self.recent
        self.recent = await self.store.changed_since(self.last - SLACK)
        self._learn(before, self.recent)

    async def look_at(self, player: str) -> None:
        """Learn what changed of one player, and tell the listeners."""
        known = await self.store.known(player)
        found = {player: known} if known else {}
        before, self.recent = self.recent, {**self.recent, **found}
        self._learn(before, found)

    async def of(self, player: str) -> Known:
        """What there is to know of a player."""
        found = self.known.get(player)
        if found is None:
            found = await self.store.known(player) or NOTHING
            # Whatever changed in the meantime was read by `look`, or will be.
            found = max(found, self.recent.get(player, NOTHING), key=lambda known: known.at)
            self.known[player] = found
        return found

    async def holds(self, session: Session) -> bool:
        """Whether a cookie has not ended."""
        if not session.player:
            return True
        return session.generation >= (await self.of(session.player)).generation

    async def is_banned(self, player: str) -> bool:
        return bool(player) and (await self.of(player)).banned

    async def end_cookies(self, player: str) -> int:
        """End all cookies of a player; the generation of the next."""
        next = await self.store.end_cookies(player, self.heartbeat.now())
        await self.look_at(player)
        return next

    def _learn(self, before: dict[str, Known], found: dict[str, Known]) -> None:
        for player, known in found.items():
            self.last = max(self.last, known.at)
            if player in self.known and known.at >= self.known[player].at:
                self.known[player] = known
            if before.get(player) != known:
                over = self.deletion_listeners if known.generation == OVER else []
                for listener in (*over, *self.listeners):
                    listener(player)
