# ruff: noqa: RUF001 -- letters that look like others are what this is about
"""Names that are reserved: what somebody gave up is theirs for a while, and what the host took away
stays away. And names kept before a new table of lookalikes stay with their owners."""

import asyncio
import sqlite3
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from tegel.place.accounts.accounts import Accounts
from tegel.place.accounts.identity import Seals
from tegel.place.accounts.reservations import DAYS, Reservations
from tegel.room.clock import DAY
from tegel.room.lookalikes import folded
from tegel.room.refused import Refused
from tegel.server.hosting import host
from tegel.server.storage import tables
from tegel.server.storage.migrations import migrate
from tegel.server.worker import Worker
from working import working


class Time:
    """A heartbeat that is when a test says."""

    def __init__(self) -> None:
        self.day = 0

    def now(self) -> int:
        return 1_000_000 + self.day * DAY


def accounts(worker: Worker) -> tuple[Accounts, Time]:
    time: Any = Time()
    people = worker.people
    people.accounts.heartbeat = people.leaving.heartbeat = time
    return people.accounts, time


async def refused(work: Any) -> str:
    with pytest.raises(Refused) as caught:
        await work
    return caught.value.code


async def delete(worker: Worker, player: str) -> None:
    await worker.people.leaving.delete(player)


def test_a_name_that_was_changed_is_its_owners_for_90_days(tmp_path: Path) -> None:
    async def tried() -> None:
        async with working(tmp_path) as worker:
            people, time = accounts(worker)
            await people.keep("ann", "Annemarie")
            await people.rename("ann", "Anna")
            assert await refused(people.keep("bob", "Annemarie")) == "reserved"
            assert await refused(people.keep("bob", "ANNEMAR1E")) == "reserved", "nor what is alike"
            time.day = DAYS - 1
            assert await refused(people.keep("bob", "Annemarie")) == "reserved"
            assert await people.rename("ann", "Annemarie") == "Annemarie", "she may take it back"
            assert await refused(people.keep("bob", "Anna")) == "reserved"
            assert await refused(people.keep("bob", "Annemarie")) == "known"
            time.day += DAYS + 1
            await people.keep("bob", "Anna")

    asyncio.run(tried())


def test_a_name_in_another_case_is_the_same_name(tmp_path: Path) -> None:
    async def tried() -> list[Any]:
        async with working(tmp_path) as worker:
            people, _ = accounts(worker)
            await people.keep("ann", "Annemarie")
            await people.rename("ann", "AnneMarie")
            return list(await worker.ports.storage.rows(sa.select(tables.reserved)))

    assert asyncio.run(tried()) == []


def test_the_name_of_who_deleted_themselves_is_nobodys_for_90_days(tmp_path: Path) -> None:
    async def tried() -> None:
        async with working(tmp_path) as worker:
            people, time = accounts(worker)
            await people.keep("ann", "Annemarie")
            await people.rename("ann", "Marieanne")
            await delete(worker, "ann")
            for name in ("Annemarie", "Marieanne"):
                assert await refused(people.keep("bob", name)) == "reserved"
            with sqlite3.connect(tmp_path / "tegel.db") as base:
                text = "\n".join(base.iterdump())
            base.close()
            for word in ("Marie", "marie", folded("Marieanne"), folded("Annemarie")):
                assert word not in text, "nothing says what the name was"
            assert 'INSERT INTO "reserved" VALUES(\'' in text
            assert text.count("'ann'") == 1, "nor whose it was, but that the cookie has ended"
            time.day = DAYS + 1
            await people.keep("bob", "Marieanne")

    asyncio.run(tried())


def test_the_name_of_who_was_banned_stays_away_until_the_host_lifts_it(tmp_path: Path) -> None:
    async def tried() -> None:
        async with working(tmp_path) as worker:
            people, time = accounts(worker)
            await people.keep("rude", "Rude-Word")
            await worker.ports.storage.write(lambda c: host.ban(c, "@rude-word"))
            await delete(worker, "rude")
            time.day = 100 * DAYS
            await people.forget()
            assert await refused(people.keep("again", "rudeword")) == "reserved"
            names = Reservations(Seals(worker.settings.secret))
            lifted = await worker.ports.storage.write(lambda c: host.unban(c, names, "@Rude-Word"))
            assert lifted is None
            await people.keep("again", "rudeword")

    asyncio.run(tried())


def test_a_name_that_the_host_changed_is_nobodys_not_even_its_owners(tmp_path: Path) -> None:
    async def tried() -> None:
        async with working(tmp_path) as worker:
            people, time = accounts(worker)
            await people.keep("rude", "Rude-Word")
            names = Reservations(Seals(worker.settings.secret))
            await worker.ports.storage.write(lambda c: host.rename(c, names, "@rude-word", "Ann-7"))
            time.day = 100 * DAYS
            assert await refused(people.rename("rude", "Rude-Word")) == "reserved"
            assert await refused(people.keep("bob", "Rude-Word")) == "reserved"
            assert (await people.of("rude")).handle == "Ann-7"
            await worker.ports.storage.write(lambda c: host.unban(c, names, "@Rude-Word"))
            await people.keep("bob", "Rude-Word")

    asyncio.run(tried())


def test_what_is_free_again_is_forgotten(tmp_path: Path) -> None:
    async def left() -> int:
        async with working(tmp_path) as worker:
            people, time = accounts(worker)
            await people.keep("ann", "Annemarie")
            await people.rename("ann", "Anna")
            time.day = DAYS + 1
            await people.forget()
            return len(await worker.ports.storage.rows(sa.select(tables.reserved)))

    assert asyncio.run(left()) == 0


# What earlier versions stored

HANDLES = [  # at, id, handle, and what the version before folded it to
    (1, "p1", "clan", "clan"), (2, "p2", "Dan", "dan"), (3, "p3", "Ann-7", "ann-7"),
    (4, "p4", "ANN7", "ann7"), (5, "p5", "Alice", "allce"), (6, "p6", "AƖice", "aɩlce"),
    (7, "p7", "Willem", "wlllem"),
]  # fmt: skip
GUESTS = [
    ("g1", "\N{VARIATION SELECTOR-16}@Alice", "Alice"),
    ("g2", "\N{FULLWIDTH COMMERCIAL AT}Alice", "Alice"),
    ("g3", "Zoë", "Zoë"),
    ("g4", "Bob", "Bob"),
]


def old(folder: Path) -> str:
    """A database as the version before left it."""
    url = f"sqlite+aiosqlite:///{folder / 'tegel.db'}"
    asyncio.run(migrate(url, "0011"))
    with sqlite3.connect(folder / "tegel.db") as base:
        for at, id, handle, key in HANDLES:
            row = (id, f"@{handle}", at, handle, key)
            base.execute(
                "INSERT INTO players (id, name, at, handle, folded) VALUES (?,?,?,?,?)", row
            )
            base.execute("INSERT INTO names VALUES ('room', ?, ?)", (id, f"@{handle}"))
        for id, name, _ in GUESTS:
            base.execute("INSERT INTO players (id, name, at) VALUES (?, ?, 1)", (id, name))
            base.execute("INSERT INTO names VALUES ('room', ?, ?)", (id, name))
    base.close()
    return url


def test_names_kept_before_the_table_stay_with_their_owners(tmp_path: Path) -> None:
    old(tmp_path)

    async def found() -> None:
        async with working(tmp_path) as worker:
            people, profiles = accounts(worker)[0], worker.history.profiles
            for _, id, handle, _ in HANDLES:
                assert (await people.of(id)).handle == handle
                assert await profiles.find(f"@{handle}", "") == (id, f"@{handle}")
                assert await profiles.find(f"@{handle.swapcase()}", "") == (id, f"@{handle}")
            for wish in ("clan", "DAN", "A-nn7", "alice", "Willem"):
                assert await refused(people.keep("new", wish)) == "known", wish
            await people.rename("p2", "Daniel")
            assert await refused(people.keep("new", "dan")) == "known", "the clan is still there"

    asyncio.run(found())


def test_guests_lose_what_made_them_look_like_others(tmp_path: Path) -> None:
    asyncio.run(migrate(old(tmp_path)))
    with sqlite3.connect(tmp_path / "tegel.db") as base:
        for id, _, name in GUESTS:
            assert base.execute("SELECT name FROM players WHERE id = ?", (id,)).fetchone() == (
                name,
            )
            assert base.execute("SELECT name FROM names WHERE player = ?", (id,)).fetchone() == (
                name,
            )
        kept = base.execute("SELECT name FROM names WHERE player = 'p6'").fetchone()
    base.close()
    assert kept == ("@AƖice",)
