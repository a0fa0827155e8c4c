"""A worker in this process, on a file of its own: for tests that need no server."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from tegel.place.ports import Clock
from tegel.server.ports import real_ports
from tegel.server.settings import Settings
from tegel.server.storage.first_use import made_ready
from tegel.server.worker import Worker


@asynccontextmanager
async def working(
    folder: Path, clock: Clock | None = None, **settings: Any
) -> AsyncIterator[Worker]:
    """A worker that can read and write, and does nothing by itself."""
    url = f"sqlite+aiosqlite:///{folder / 'tegel.db'}"
    await made_ready(url)
    chosen = Settings(url, "s" * 40, **settings)
    worker = Worker(chosen, real_ports(chosen, clock))
    await worker.ports.storage.open()
    try:
        yield worker
    finally:
        await asyncio.gather(*worker.house.background.tasks)
        await worker.ports.storage.close()
        worker.ports.work.close()
