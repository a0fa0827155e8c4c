"""One stranger's studies must not stop the others."""

import asyncio
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from studying import DUO
from tegel import study
from tegel.server.studies.studies import LiveStudy, Studies
from tegel.server.wire import trees

NETWORK = "203.0.113.7"


class Facts:
    """A pool that remembers whose turn was taken."""

    def __init__(self) -> None:
        self.payers: list[str] = []

    async def run(self, task: Callable[..., Any], *args: Any, payer: str) -> Any:
        self.payers.append(payer)
        return task(*args)


def test_all_studies_of_an_address_wait_in_one_turn() -> None:
    """Also when what was undone is looked at, or what another worker wrote."""

    async def changed() -> list[str]:
        facts, later = Facts(), ["note 0 more", "delete 1"]

        async def write(_: object) -> None: ...

        async def rows(_: object) -> list[Any]:
            return [SimpleNamespace(text=text) for text in later]

        around: Any = SimpleNamespace(
            write=write, rows=rows, tell=lambda *_: None, facts=facts, now=lambda: 0, healthy=True
        )
        studies = Studies(around, around, around, around, around, "worker")
        now = study.changed(study.begun(DUO), study.Note((0,), "hm"))
        live = LiveStudy("study", "ann", "", now, NETWORK, dict(trees.movers(DUO)))
        await studies.change(live, "ann", 2, "undo", NETWORK)
        await studies._catch_up(live)
        assert live.study.rows == 5
        return facts.payers

    assert set(asyncio.run(changed())) == {NETWORK}
