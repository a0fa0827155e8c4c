"""Whose turn it is where not all can go at once: the keys that wait take turns, so that one with
much to do does not keep the others waiting."""

import asyncio
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from tegel.room.refused import Refused


class Turns:
    """`size` go at once, of one key at most `each`; and of one key at most `most` wait. `party`
    says of a key with which others it shares a turn."""

    def __init__(
        self, size: int, each: int, most: float, party: Callable[[str], str] = str
    ) -> None:
        self.free, self.each, self.most, self.party = size, each, most, party
        self.inside: Counter[str] = Counter()
        self.waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()

    @property
    def count(self) -> int:
        """How many go or wait."""
        return self.inside.total() + sum(map(len, self.waiting.values()))

    @property
    def waits(self) -> bool:
        """Whether somebody waits who could go if another left."""
        return any(self.inside[key] < self.each for key in self.waiting)

    @asynccontextmanager
    async def turn(self, key: str) -> AsyncIterator[None]:
        """Wait for a turn, and have it; raises Refused if too many wait."""
        key = self.party(key)
        await self._enter(key)
        try:
            yield
        finally:
            self._leave(key)

    async def _enter(self, key: str) -> None:
        queue = self.waiting.setdefault(key, deque())
        if len(queue) >= self.most:
            raise Refused("busy", "Too much is asked for at once: please try again.")
        mine: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        queue.append(mine)
        self._call()
        try:
            await mine
        except asyncio.CancelledError:
            if mine.cancelled():
                self._forget(key, mine)
            else:
                self._leave(key)  # it was called just as it went away
            raise

    def _leave(self, key: str) -> None:
        self.free += 1
        self.inside[key] -= 1
        if not self.inside[key]:
            del self.inside[key]
        self._behind(key)
        self._call()

    def _call(self) -> None:
        """Let in those whose turn it is."""
        while self.free:
            key = next((key for key in self.waiting if self.inside[key] < self.each), None)
            if key is None:
                return
            first = self.waiting[key][0]
            self._behind(key)
            self._forget(key, first)
            if not first.cancelled():
                self.free -= 1
                self.inside[key] += 1
                first.set_result(None)

    def _behind(self, key: str) -> None:
        """A key that had its turn goes behind the others."""
        if key in self.waiting:
            self.waiting.move_to_end(key)

    def _forget(self, key: str, one: "asyncio.Future[None]") -> None:
        queue = self.waiting.get(key, deque())
        if one in queue:
            queue.remove(one)
        if not queue:
            self.waiting.pop(key, None)
