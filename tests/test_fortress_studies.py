"""One stranger's studies must not stop the others."""

import asyncio
import gc
import sqlite3
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest

from clocks import HandClock
from servers import Person, Tegel, tegel
from studying import DUO, Student
from studying import study as made_study
from tegel import games, study
from tegel.place.studies.reports import Reports
from tegel.place.studies.studies import LiveStudy, Studies
from tegel.place.tasks import study_trees
from tegel.place.wire.studies import Judged
from tegel.server.settings import Settings
from tegel.server.storage.first_use import made_ready
from tegel.server.worker import Worker
from tegel.server.world import CHANCE, RealClock
from test_fortress_load import BAD, Stranger
from waiting import until_then

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

        async def append(*_: object) -> bool:
            return True

        async def rows(*_: object) -> list[str]:
            return later

        around: Any = SimpleNamespace(
            append=append, rows=rows, tell=lambda *_: None, facts=facts, now=lambda: 0,
            healthy=True, clock=RealClock(),
        )  # fmt: skip
        studies = Studies(around, around, around, around, around, CHANCE, "worker")
        now = study.changed(study.begun(DUO), study.Note((0,), "hm"))
        live = LiveStudy("study", "ann", "", now, NETWORK, dict(study_trees.movers(DUO)))
        await studies.change(live, "ann", 2, "undo", NETWORK)
        await studies._catch_up(live)
        assert live.study.rows == 5
        return facts.payers

    assert set(asyncio.run(changed())) == {NETWORK}


def test_a_study_that_nobody_watches_is_closed_after_a_minute() -> None:
    async def closed() -> list[str]:
        left: list[str] = []

        async def leave(channel: str) -> None:
            left.append(channel)

        clock = HandClock()
        around: Any = SimpleNamespace(leave=leave, clock=clock)
        studies = Studies(around, around, around, around, around, CHANCE, "worker")
        for id in ("watched", "alone"):
            now, used = study.begun(DUO), clock.monotonic()
            studies.open[id] = LiveStudy(id, "ann", "", now, NETWORK, {}, used=used)
        watcher: Any = object()
        studies.open["watched"].watchers.add(watcher)
        clock.passes(59_000)
        await studies.sweep()
        assert not left
        clock.passes(2_000)
        await studies.sweep()
        assert [*studies.open] == ["watched"]
        return left

    assert asyncio.run(closed()) == ["study.alone"]


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


NARROW = """
import runpy
from dataclasses import replace
from tegel.place.limits.limits import Limits
widened = Limits.times
Limits.times = lambda own, factor: replace(widened(own, factor), kept=(5_000, 1e-6))
runpy.run_module("tegel", run_name="__main__", alter_sys=True)
"""


def test_what_is_kept_of_a_network_is_counted_at_every_door(tmp_path: Path) -> None:
    """Nobody fills the disk with studies, records, or rooms that begin with many moves."""
    note, wish = {"rows": 1, "text": "note 0 " + "y" * 1_900}, {"text": DUO + "# " + "x" * 4_800}
    with tegel(tmp_path, program=("-c", NARROW)) as server:
        ann = Person(server)
        made, kept = made_study(ann)["id"], ann.http.post("/api/records", content=DUO).json()["id"]
        beginning = {"source": f"records/{kept}", "ply": 2}
        doors: list[Callable[[], httpx.Response]] = [
            lambda: ann.http.post("/api/studies", json=wish),
            lambda: ann.http.post(f"/api/studies/{made}/changes", json=note),
            lambda: ann.http.post("/api/records", content=wish["text"]),
            lambda: ann.http.post("/api/rooms/continued", json=beginning),
        ]
        ann.ok("POST", f"/api/studies/{made}/changes", note)
        for number in range(40):  # until there is room for nothing
            answer = doors[number % 4]()
        for door in doors:
            answer = door()
            assert (answer.status_code, answer.json()["code"]) == (429, "rate")
            assert "much to keep" in answer.json()["text"]
        student = Student(ann, made)
        student.wait("study")
        student.send(t="change", **note)
        assert "much to keep" in student.wait("error")["text"]


def test_a_report_is_saved_before_it_is_told_complete(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As with moves: whoever was told finds it, also after the server was killed."""
    for setting in ("freeze", "set_threshold"):
        monkeypatch.setattr(gc, setting, lambda *_: None)  # they would outlive this test
    settings = Settings(f"sqlite+aiosqlite:///{tmp_path}/games.db", "s" * 40)
    stored: list[bool] = []

    class Reader:
        def judged(self, found: Judged) -> None:
            if found.complete:
                with sqlite3.connect(tmp_path / "games.db") as database:
                    (text,) = database.execute("SELECT text FROM game_reports").fetchone()
                stored.append('"complete":true' in text)

    async def read() -> None:
        await made_ready(settings.database)
        ours = Worker(settings)
        await ours.open()
        reports: Reports = ours.studies.reports
        reports.seconds = 1.0
        try:
            record = games.read(DUO)
            key = await reports.ask(record, NETWORK, anew=True)
            reports.follow(key, Reader())
            await until_then(lambda: stored, "a report", 60)
        finally:
            await ours.close()

    asyncio.run(read())
    assert stored == [True]
