"""One stranger's studies must not stop the others."""

import asyncio
import sqlite3
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from servers import Person, Tegel
from studying import DUO
from studying import study as made_study
from tegel import study
from tegel.server.studies.studies import LiveStudy, Studies
from tegel.server.wire import trees
from test_fortress_load import BAD, Stranger

SERVE = ("--analyses", "1", "--report-seconds", "60")
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


def test_reports_of_one_address_let_others_come_in_between(server: Tegel) -> None:
    """Who asks first for many is not served first with all of them; and who asks for one of
    those need not wait for the others."""
    bad, good = Stranger(server, BAD), Person(server)
    *many, last = [f"{DUO}1.0@{cell}\n" for cell in ("d8", "f8", "c9", "g10", "c11", "d12")]

    def asked(who: Person, text: str) -> None:
        made = made_study(who, text=text)
        assert not who.ok("POST", f"/api/studies/{made['id']}/report")["complete"]

    for text in many:
        asked(bad, text)
    asked(good, last)
    asked(good, many[-1])
    with sqlite3.connect(server.folder / "tegel.db") as stored:
        found = stored.execute("SELECT record FROM game_reports WHERE tries = 0 ORDER BY at")
        waiting = [row[0].split()[-1] for row in found.fetchall()]
    assert {*waiting[:3]} >= {"1.0@d12", "1.0@c11"}, waiting
    assert len(waiting) >= 4, "they are not through yet"
