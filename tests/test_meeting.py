"""Meeting strangers while others are in the way: thousands of wishes for something else, people who
are paired and never sit down. One worker on a real database, and a clock that the test turns."""

import asyncio
import json
from collections import Counter
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from clocks import HandClock
from tegel.place.accounts.identity import Seals
from tegel.place.accounts.sealed_network import sealed_network
from tegel.place.limits.limits import Limits
from tegel.place.limits.networks import SHARED
from tegel.place.pairing.matching import Wish, groups, sought_key
from tegel.place.tasks.tasks import Seating
from tegel.place.wire.pairing import Seek
from tegel.room import actions
from tegel.room.clock import clock
from tegel.room.refused import Refused
from tegel.room.room import NO_SHOW
from tegel.room.setup import Place, Setup, name
from tegel.server.ports import real_ports
from tegel.server.settings import Settings
from tegel.server.storage import tables
from tegel.server.storage.migrations import migrate
from tegel.server.worker import Worker
from tegel.server.world import CHANCE

STEP = 2000  # milliseconds between one beat and the next
COLUMNS = [key for key in Wish._fields if key in tables.wishes.c]


class Somebody:
    """Who looks for a player, and what they are told."""

    def __init__(self, player: str, network: str = "") -> None:
        self.player, self.network = player, network or player
        self.told: list[dict[str, Any]] = []

    def send(self, *messages: bytes) -> None:
        self.told += map(json.loads, messages)

    @property
    def room(self) -> str:
        """Where they were paired to play last."""
        rooms = [message["room"] for message in self.told if message["t"] == "paired"]
        return rooms[-1] if rooms else ""

    @property
    def waited(self) -> int:
        """The milliseconds they have waited, as they were told last."""
        return int(next(m["waited"] for m in reversed(self.told) if m["t"] == "looking"))


class Town:
    """One worker, and a time that passes when it is told to."""

    def __init__(self, folder: Path, **limits: int) -> None:
        self.url = f"sqlite+aiosqlite:///{folder / 'tegel.db'}"
        self.settings = Settings(self.url, "x" * 32, limits=Limits(**limits))  # type: ignore[arg-type]
        self.clock = HandClock()

    async def open(self) -> "Town":
        await migrate(self.url)
        self.worker = Worker(self.settings, real_ports(self.settings, self.clock))
        await self.worker.ports.storage.open()
        await self.worker.heartbeat.begin()
        return self

    async def close(self) -> None:
        await self.settled()
        await self.worker.ports.storage.close()
        self.worker.ports.work.close()

    async def settled(self) -> None:
        """Wait for what was begun in the background."""
        await asyncio.gather(*self.worker.house.background.tasks)

    async def passes(self, seconds: float) -> None:
        """Let time pass, with beats and sweeps as they come."""
        end = self.clock.time + 1000 * seconds
        while self.clock.time < end:
            self.clock.passes(min(STEP, end - self.clock.time))
            await self.worker.heartbeat.beat()
            await self.worker.pairing.sweep()
            await self.settled()

    async def seek(self, who: Somebody, clock: str = "bank 300 5") -> None:
        wish = Seek("blokus", "ticket", "duo", clock=clock)
        await self.worker.pairing.begin(who, wish, who.network)

    async def sit(self, who: Somebody) -> None:
        live = await self.worker.house.find(who.room)
        (seat,) = live.room.held_for(who.player)
        await self.worker.house.act(live, who.player, actions.Sit(seat))
        await self.settled()

    async def rows(self, query: Any) -> list[Any]:
        return list(await self.worker.ports.storage.rows(query))


def in_town(folder: Path, happens: Callable[[Town], Awaitable[None]], **limits: int) -> None:
    async def work() -> None:
        town = await Town(folder, **limits).open()
        try:
            await happens(town)
        finally:
            await town.close()

    asyncio.run(asyncio.wait_for(work(), 120))


# Thousands of wishes


def held_wish(number: int, worker: str, at: int) -> dict[str, Any]:
    """Somebody who looks for what nobody else looks for, since long before."""
    time = str(clock(f"bank {400 + number} 5"))
    sought = ("blokus", "duo", "{}", time)
    key, network = sought_key(sought), f"network-{number // 8}"
    wish = Wish(f"odd-{number}", "t", worker, *sought, "", 1500, at - 60_000, key, network)
    return {**{key: getattr(wish, key) for key in COLUMNS}, "at": wish.since}


def test_two_newcomers_are_paired_at_once_beside_10_000_held_wishes(tmp_path: Path) -> None:
    async def happens(town: Town) -> None:
        worker, now = town.worker, int(town.clock.time)
        rows = [held_wish(number, worker.ports.id, now) for number in range(10_000)]
        await worker.ports.storage.change(sa.insert(tables.wishes).values(rows[0]))
        await worker.ports.storage.write(
            lambda connection: connection.execute(sa.insert(tables.wishes), rows[1:])
        )
        read, store_rows = [0], worker.ports.storage.rows

        async def counted(query: Any) -> Any:
            found = await store_rows(query)
            read[0] += len(found)
            return found

        worker.ports.storage.rows = counted  # type: ignore[method-assign]
        ann, bob = Somebody("ann"), Somebody("bob")
        await town.seek(ann)
        await town.seek(bob)  # no time has passed
        assert ann.room
        assert ann.room == bob.room
        assert read[0] < 50, "rows that were read for it"
        looking = next(message for message in ann.told if message["t"] == "looking")
        assert looking["all"] == 2000, "so many are counted"
        assert "same" not in looking

    in_town(tmp_path, happens)


def test_a_crowd_that_can_not_be_paired_is_in_nobodys_way(tmp_path: Path) -> None:
    """500 who look for the same, with ratings far from each other's."""

    async def happens(town: Town) -> None:
        worker, now = town.worker, int(town.clock.time)
        sought = ("blokus", "duo", "{}", "bank 300 5")
        crowd = [
            Wish(f"odd-{n}", "t", worker.ports.id, *sought, "", 9000 + 1000 * n, now - n - 1,
                 sought_key(sought), f"n{n}")
            for n in range(500)
        ]  # fmt: skip
        rows = [{**{key: getattr(one, key) for key in COLUMNS}, "at": now} for one in crowd]
        await worker.ports.storage.write(
            lambda connection: connection.execute(sa.insert(tables.wishes), rows)
        )
        ann, bob = Somebody("ann"), Somebody("bob")
        await town.seek(ann)
        await town.seek(bob)
        assert ann.room
        assert ann.room == bob.room

    in_town(tmp_path, happens)


def test_a_network_has_a_few_wishes_at_once(tmp_path: Path) -> None:
    async def happens(town: Town) -> None:
        for number in range(3):
            await town.seek(Somebody(f"p{number}", "school"), f"bank {300 + number} 5")
        with pytest.raises(Refused) as refused:
            await town.seek(Somebody("p3", "school"), "bank 400 5")
        assert refused.value.code == "searches"
        assert "p3" not in town.worker.pairing.searches
        await town.seek(Somebody("p0", "school"), "bank 500 5")  # instead of the first
        await town.seek(Somebody("other", "home"), "bank 600 5")
        seen = await town.rows(sa.select(tables.wishes.c.network).distinct())
        assert "school" not in str(seen), "no network is stored, but a keyed hash"

    in_town(tmp_path, happens, wishes=3)


def test_all_networks_of_a_site_have_a_few_times_as_many(tmp_path: Path) -> None:
    async def happens(town: Town) -> None:
        for number in range(8):
            one = Somebody(f"p{number}", f"2001:db8:1:{number:x}::/64")
            await town.seek(one, f"bank {300 + number} 5")
        with pytest.raises(Refused):
            await town.seek(Somebody("late", "2001:db8:1:ff::/64"), "bank 400 5")
        await town.seek(Somebody("other", "2001:db8:2:ff::/64"), "bank 400 5")

    in_town(tmp_path, happens, wishes=2)


def test_caps_follow_the_limits_that_a_host_sets() -> None:
    assert (Limits().wishes, Limits().times(2).wishes) == (8, 16)
    assert (Limits().listed, Limits().times(2).listed) == (5, 10)


# Who does not come


def test_who_sat_down_goes_on_looking_with_the_time_already_waited(tmp_path: Path) -> None:
    async def happens(town: Town) -> None:
        ann, ghost, bob = Somebody("ann"), Somebody("ghost"), Somebody("bob")
        await town.seek(ann)
        await town.passes(14)
        await town.seek(ghost)
        room = ann.room
        assert room
        assert room == ghost.room
        await town.sit(ann)
        await town.passes(16)
        live = await town.worker.house.find(room)
        assert not live.room.over, "there is time to come"
        await town.passes(8)
        assert (live.room.over, live.room.closed) == (True, NO_SHOW)
        for table in (tables.seats, tables.endings, tables.played):
            assert not await town.rows(sa.select(table)), "it is in no list, and counts for nothing"
        await town.seek(ghost)
        await town.seek(ann)
        assert ann.waited >= 38_000
        assert (ann.room, ghost.room) == (room, room), "they do not meet again at once"
        await town.seek(bob)
        assert bob.room not in ("", room)
        assert bob.room == ann.room, "everybody else comes before who did not come"

    in_town(tmp_path, happens)


def test_who_does_not_come_waits_longer_each_time(tmp_path: Path) -> None:
    """And with them whoever comes from the same network: cookies are free."""

    async def happens(town: Town) -> None:
        waits = []
        for turn in range(4):
            ann, ghost = Somebody(f"ann-{turn}"), Somebody(f"ghost-{turn}", "theirs")
            await town.seek(ghost)
            await town.seek(ann)
            waited = 0
            while not ann.room:
                await town.passes(2)
                waited += 2
            waits.append(waited)
            await town.sit(ann)
            await town.passes(24)
            assert await town.rows(sa.select(tables.no_shows))
        assert waits[0] == 0
        assert waits[1] < waits[2] < waits[3]

    in_town(tmp_path, happens)


def test_who_deletes_themselves_has_still_not_come(tmp_path: Path) -> None:
    async def happens(town: Town) -> None:
        ann, ghost = Somebody("ann"), Somebody("ghost", "theirs")
        await town.seek(ann)
        await town.seek(ghost)
        await town.sit(ann)
        await town.worker.people.leaving.delete("ghost")
        assert not await town.rows(sa.select(tables.wishes).where(tables.wishes.c.name != ""))
        await town.passes(24)
        who = {row.who for row in await town.rows(sa.select(tables.no_shows))}
        assert town.worker.house.sealed("theirs", "").network in who

    in_town(tmp_path, happens)


def test_who_looks_again_before_it_is_noted_has_still_not_come(tmp_path: Path) -> None:
    """A worker calls the game off and dies before it has noted why."""

    async def happens(town: Town) -> None:
        ann, ghost = Somebody("ann"), Somebody("ghost")
        await town.seek(ann)
        await town.seek(ghost)
        await town.sit(ann)
        await town.worker.house.call_off(await town.worker.house.find(ann.room))
        await town.seek(ghost)
        await town.seek(ann)
        assert [row.who for row in await town.rows(sa.select(tables.no_shows))].count("ghost") == 1
        assert ann.told[-1]["t"] == ghost.told[-1]["t"] == "looking", "they do not meet again"

    in_town(tmp_path, happens)


def test_who_came_is_noted_with_the_row_by_which_they_sit_down(tmp_path: Path) -> None:
    """And with no other: a worker that dies after it leaves nothing to be asked."""

    async def happens(town: Town) -> None:
        ann, ghost = Somebody("ann"), Somebody("ghost")
        await town.seek(ann)
        await town.seek(ghost)
        w = tables.wishes.c
        came = sa.select(w.player, w.came).order_by(w.player)
        assert await town.rows(came) == [("ann", False), ("ghost", False)]
        live = await town.worker.house.find(ann.room)
        (seat,) = live.room.held_for("ann")
        await town.worker.house.act(live, "ann", actions.Sit(seat))
        assert await town.rows(came) == [("ann", True), ("ghost", False)]
        await town.seek(ghost)
        assert ghost.told[-1] == {"t": "paired", "room": ann.room}, "ann waits for them there"
        await town.seek(ann)
        assert ann.told[-1]["t"] == "looking", "they sit there already"

    in_town(tmp_path, happens)


@pytest.mark.parametrize("network", ["192.0.2.1", "2001:db8:1:{:x}::/64"])
def test_one_network_that_never_sits_down_takes_few_searches(tmp_path: Path, network: str) -> None:
    """24 people, one every five seconds, and somebody elsewhere who always looks: with a new cookie
    whenever they were paired, and of IPv6 with another /64 of their /48."""

    async def happens(town: Town) -> None:
        ghosts, people = [Somebody("ghost", network.format(0))], list[Somebody]()
        await town.seek(ghosts[0])
        for number in range(24):
            people.append(Somebody(f"person-{number}"))
            await town.seek(people[-1])
            for one in people:
                live = one.room and await town.worker.house.find(one.room)
                if live and live.room.held_for(one.player):
                    await town.sit(one)
            if ghosts[-1].room:
                ghosts.append(Somebody(f"ghost-{number}", network.format(number + 1)))
                await town.seek(ghosts[-1])
            await town.passes(5)
        taken = sum(bool(ghost.room) for ghost in ghosts)
        assert taken <= (8 if ":" in network else 3), f"{taken} of 24 searches"

    in_town(tmp_path, happens)


def test_a_worker_that_dies_leaves_it_to_the_next(tmp_path: Path) -> None:
    async def happens(town: Town) -> None:
        ann, ghost = Somebody("ann"), Somebody("ghost")
        await town.seek(ann)
        await town.passes(10)
        await town.seek(ghost)
        await town.sit(ann)
        await town.close()  # without a word
        town.clock.passes(3_600_000)
        await town.open()
        await town.passes(10)
        live = await town.worker.house.find(ann.room)
        assert not live.room.over, "while nobody served, nobody could come"
        await town.passes(14)
        assert live.room.closed == NO_SHOW
        await town.seek(ann)
        assert ann.waited >= 10_000
        (late,) = await town.rows(
            sa.select(tables.no_shows.c.who).where(tables.no_shows.c.who == "ghost")
        )
        assert late

    in_town(tmp_path, happens)


def test_who_is_behind_meets_others_who_are() -> None:
    def wish(player: str, since: int, free: int = 0) -> Wish:
        return Wish(player, "t", "w", "blokus", "duo", "{}", "none", "", 1500, since, free=free)

    def found(*wishes: Wish) -> list[str]:
        both = groups(wishes, 2, 1000)
        return ["".join(sorted(one.player for one in group)) for group in both]

    late, later = wish("l", 0, 5000), wish("m", 1, 9000)
    assert found(late, wish("a", 2)) == []
    assert found(late, wish("a", 2), wish("b", 3)) == ["ab"]
    assert found(late, wish("a", 2), later) == ["lm"]
    assert found(wish("l", 0, 900), wish("a", 2)) == ["al"], (
        "after a while, if there is nobody else"
    )
    assert found(wish("l", 0, 900), wish("a", 2), wish("b", 3)) == ["ab"]


# Open tables


def test_no_network_owns_the_list_of_open_tables(tmp_path: Path) -> None:
    async def happens(town: Town) -> None:
        worker = town.worker

        async def opened(player: str, network: str) -> None:
            now = await worker.heartbeat.fresh()
            places = (Place("person", 0, player), Place("open"))
            setup = Setup(name(CHANCE), "blokus", "duo", places, listed=True, at=now)
            await worker.house.create(setup, Seating(player, [0], {}), network=network)
            town.clock.passes(100)

        await opened("ann", "home")
        await opened("eve", "")  # as an earlier edition stored it
        for number in range(30):
            for network in ("one", "two", f"2001:db8:1:{number:x}::/64"):
                await opened(f"{network[:3]}-{number}", network)
        found = await worker.house.store.listed("", 0, worker.settings.limits.listed)
        listed = [json.loads(room.places)[0]["player"] for room in found]
        firsts = ["200-29", "two-29", "one-29", "eve", "ann"]
        assert listed[:5] == firsts, "the first table of everybody comes before the second of any"
        assert listed[5:8] == ["200-28", "two-28", "one-28"]
        assert Counter(player[:3] for player in listed) == {
            "200": 20, "one": 5, "two": 5, "eve": 1, "ann": 1,
        }  # fmt: skip

    in_town(tmp_path, happens)


def test_where_many_share_a_network_each_limit_is_wider(tmp_path: Path) -> None:
    """As many times as there are parts into which its players are divided."""

    async def happens(town: Town) -> None:
        seal = partial(sealed_network, Seals(town.worker.settings.secret), ("192.0.2.0/24",))
        people = [f"player-{number}" for number in range(400)]
        assert len({seal("192.0.2.7", player) for player in people}) == SHARED
        assert len({seal("198.51.100.7", player) for player in people}) == 1
        assert len({seal("192.0.2.7", "ann"), seal("192.0.2.8", "ann")}) == 2

    in_town(tmp_path, happens)
