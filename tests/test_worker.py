"""What a worker does by itself, again and again."""

import asyncio
from operator import attrgetter
from pathlib import Path

import pytest

from tegel.place import sweep
from tegel.server.settings import Settings
from tegel.server.storage.first_use import made_ready
from tegel.server.worker import Worker
from waiting import until_then

PARTS = ("scheduler", "pairing", "studies.trees", "studies.reports")


@pytest.mark.parametrize("failing", PARTS)
def test_a_part_that_fails_holds_up_no_other(
    failing: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr(sweep, "PAUSE", 0.01)
    settings = Settings(f"sqlite+aiosqlite:///{tmp_path}/games.db", "s" * 40)
    done: list[str] = []

    async def swept() -> None:
        await made_ready(settings.database)
        ours = Worker(settings)
        for name in PARTS:

            async def swept_by(name: str = name) -> None:
                done.append(name)
                if name == failing:
                    raise ValueError("a part in trouble")

            monkeypatch.setattr(attrgetter(name)(ours), "sweep", swept_by)
        await ours.open()
        try:
            await until_then(lambda: all(done.count(name) >= 3 for name in PARTS), "three sweeps")
        finally:
            await ours.close()

    asyncio.run(swept())
    assert "a part in trouble" in caplog.text
