"""How long it takes to pair two newcomers while others hold wishes that nobody answers.

    python bench/pairing.py [WISHES] [PAIRS]

One worker on an SQLite file; the time is from the second `seek` until both are told their room,
with the rows on disk.
"""

import asyncio
import statistics
import sys
import tempfile
import time

import sqlalchemy as sa

from tegel.place.pairing.matching import Wish, sought_key
from tegel.place.wire.pairing import Seek
from tegel.server.settings import Settings
from tegel.server.storage import tables
from tegel.server.storage.migrations import migrate
from tegel.server.worker import Worker


class Seeker:
    def __init__(self, player: str) -> None:
        self.player, self.told = player, b""

    def send(self, *messages: bytes) -> None:
        self.told += b"".join(messages)


def held(number: int, worker: str, now: int) -> dict[str, object]:
    """A wish for a clock that nobody else has, from long ago."""
    sought = ("blokus", "duo", "{}", f"bank {1000 + number} 5")
    wish = Wish(f"held-{number}", "t", worker, *sought, "", 1500, now - 60_000, sought_key(sought),
                f"network-{number // 8}")  # fmt: skip
    row = {key: value for key, value in wish._asdict().items() if key in tables.wishes.c}
    return {**row, "at": wish.since}


async def measure(wishes: int, pairs: int) -> list[float]:
    """Milliseconds for each pair."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(f"sqlite+aiosqlite:///{folder}/tegel.db", "s" * 40)
        await migrate(settings.database)
        worker = Worker(settings)
        await worker.ports.storage.open()
        await worker.heartbeat.begin()
        rows = [held(number, worker.ports.id, worker.heartbeat.now()) for number in range(wishes)]
        for first in range(0, wishes, 1000):
            some = sa.insert(tables.wishes).values(rows[first : first + 1000])
            await worker.ports.storage.change(some)
        for number in range(pairs):
            both = [Seeker(f"{side}-{number}") for side in "ab"]
            start = 0.0
            for seeker in both:
                await worker.heartbeat.beat()
                start = time.perf_counter()
                await worker.pairing.begin(seeker, Seek("blokus", "t", "duo"), seeker.player)
            found.append(1000 * (time.perf_counter() - start))
            assert all(b"paired" in seeker.told for seeker in both), "they were not paired"
        await worker.ports.storage.close()
        worker.ports.work.close()
    return found


def main() -> None:
    words = [int(word) for word in sys.argv[1:]]
    wishes, pairs = (*words, *(10_000, 50)[len(words) :])
    took = asyncio.run(measure(wishes, pairs))
    middle, most = statistics.median(took), max(took)
    print(f"{wishes} held wishes, {pairs} pairs: median {middle:.1f} ms, most {most:.1f} ms")


if __name__ == "__main__":
    main()
