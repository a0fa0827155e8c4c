"""News between workers: rows that one of them stored, who is here, reactions.

The bus only hurries things up. Whether a row counts is decided by the database; a worker
that missed news finds a gap, or is told to look again, and reads the log. `redis_bus` is the one
of several workers."""

from collections.abc import Awaitable, Callable

import msgspec

ALL = "all"  # the channel that every worker listens to


class News(msgspec.Struct, array_like=True):
    worker: str
    kind: str  # rows, presence, reaction, wish, paired, gone, report, a player's word, ...
    rows: list[tuple[int, int, str]] = []
    data: str = ""


Heard = Callable[[str, News], Awaitable[None]]


class Bus:
    """The bus of a single worker: there is nobody to tell."""

    alone = True  # nobody else writes to storage
    healthy = True
    answered = True  # at least once, since it was opened

    async def open(self, heard: Heard, missed: Callable[[], Awaitable[None]]) -> None:
        """Tell `heard` of news on the channels listened to; `missed` when some were lost."""

    async def close(self) -> None: ...

    async def listen(self, channel: str) -> None:
        """Hear a channel from now on; true when it returns."""

    async def leave(self, channel: str) -> None: ...

    def tell(self, channel: str, news: News) -> None:
        """Send news to the others, soon; or not at all, while the bus is broken."""
