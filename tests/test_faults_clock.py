"""The clock on the wall jumps an hour, forward and back: no clock stands still, none runs off,
no dead worker looks alive."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
import sqlalchemy as sa

from clocks import HandClock
from tegel.place.heartbeat import Heartbeat
from tegel.place.rooms.live_room import LiveRoom
from tegel.place.rooms.room_row import append
from tegel.place.steady_clock import PULL, SILENCE, SteadyClock
from tegel.place.tasks.tasks import Seating
from tegel.room import actions
from tegel.room.clock import clock
from tegel.room.log import Row
from tegel.room.room import fold, left
from tegel.room.setup import Place, Setup, name
from tegel.room.stopwatch import Outages
from tegel.server.ports import real_ports
from tegel.server.settings import Settings
from tegel.server.storage import tables
from tegel.server.storage.migrations import migrate
from tegel.server.worker import Worker
from tegel.server.world import CHANCE

SECOND, HOUR = 1000, 3_600_000


def test_time_never_goes_back_and_comes_back_to_the_wall_slowly() -> None:
    clocks = HandClock()
    now = SteadyClock(clocks)
    start = now()
    clocks.jumps(-HOUR)
    assert now() == start
    clocks.passes(10 * SECOND)
    assert now() == pytest.approx(start + 10 * SECOND * (1 - PULL), abs=2)
    clocks.passes(2 * HOUR / PULL)
    clocks.passes(1)
    assert now() == pytest.approx(clocks.time, abs=2)


def test_time_follows_a_wall_clock_that_is_far_ahead_at_once() -> None:
    """So does a computer that slept."""
    clocks = HandClock()
    now = SteadyClock(clocks)
    clocks.jumps(HOUR)
    assert now() == int(clocks.time)
    clocks.jumps(SILENCE / 2)  # a little ahead: slowly
    clocks.passes(SECOND)
    assert now() == pytest.approx(clocks.time - SILENCE / 2 + PULL * SECOND, abs=2)


async def opened(url: str, clocks: HandClock) -> Worker:
    settings = Settings(url, "x" * 32)
    worker = Worker(settings, real_ports(settings, clocks))
    await worker.ports.storage.open()
    await worker.heartbeat.begin()
    return worker


async def closed(worker: Worker) -> None:
    await worker.ports.storage.close()
    worker.ports.work.close()


async def table(worker: Worker) -> LiveRoom:
    """Ann and Bob, five minutes each."""
    places = (Place("person", 0, "ann"), Place("person", 0, "bob"))
    now = await worker.heartbeat.fresh()
    setup = Setup(name(CHANCE), "blokus", "duo", places, {}, clock("bank 300 0"), at=now)
    return await worker.house.create(setup, Seating("ann", [0], {}))


async def moved(worker: Worker, live: LiveRoom) -> None:
    room = live.room
    move = str(room.state.moves()[0])
    await worker.house.act(live, room.waits_for, actions.Move(room.ply, move))


def playing(folder: Path, play: Callable[[Worker, HandClock, LiveRoom], Awaitable[None]]) -> None:
    async def work() -> None:
        url, clocks = f"sqlite+aiosqlite:///{folder / 'tegel.db'}", HandClock()
        await migrate(url)
        worker = await opened(url, clocks)
        try:
            live = await table(worker)
            await worker.house.act(live, "bob", actions.Sit(1, "Bob"))
            await moved(worker, live)
            await moved(worker, live)
            await play(worker, clocks, live)
        finally:
            await closed(worker)

    asyncio.run(asyncio.wait_for(work(), 60))


async def beats(worker: Worker, clocks: HandClock, seconds: int) -> None:
    """Some time passes, with its beats."""
    for _ in range(seconds // 2):
        clocks.passes(2 * SECOND)
        await worker.heartbeat.beat()


def rest(worker: Worker, live: LiveRoom) -> float:
    """The seconds that the player to move has."""
    assert live.room.turn is not None
    found = left(live.room, live.room.turn, worker.heartbeat.now())
    assert found is not None
    return found / SECOND


@pytest.mark.parametrize("jumps", [(HOUR, -HOUR), (-HOUR, HOUR), (-HOUR, 0), (HOUR, 0)])
def test_a_jump_charges_nobody_and_stops_no_clock(tmp_path: Path, jumps: tuple[int, int]) -> None:
    async def play(worker: Worker, clocks: HandClock, live: LiveRoom) -> None:
        for jump in jumps:
            before = rest(worker, live)
            clocks.jumps(jump)
            await worker.house.look(live)  # an hour off, and no flag falls
            assert not live.room.over
            assert rest(worker, live) == pytest.approx(before, abs=0.1)
            await beats(worker, clocks, 20)
            await worker.house.look(live)
            assert rest(worker, live) == pytest.approx(before - 20, abs=0.5), "the clock runs"
            await moved(worker, live)
            await beats(worker, clocks, 10)
            assert rest(worker, live) == pytest.approx(rest_at_turn(live) - 10, abs=0.5)
        await beats(worker, clocks, 310)
        await worker.house.look(live)
        assert live.room.over, "a flag falls when it is time"

    playing(tmp_path, play)


def rest_at_turn(live: LiveRoom) -> float:
    assert live.room.turn is not None
    return live.room.banks[live.room.turn] / SECOND


def test_a_restart_after_a_jump_back_stops_no_clock(tmp_path: Path) -> None:
    """The server ran an hour ahead; the clock is set right, and it is started anew."""

    async def play(worker: Worker, clocks: HandClock, live: LiveRoom) -> None:
        clocks.jumps(HOUR)
        await beats(worker, clocks, 4)
        await moved(worker, live)
        clocks.jumps(-HOUR)
        again = await opened(worker.settings.database, clocks)
        try:
            found = await again.house.find(live.room.setup.id)
            before = rest(again, found)
            await beats(again, clocks, 20)
            await again.house.look(found)
            assert rest(again, found) == pytest.approx(before - 20, abs=0.5)
            await moved(again, found)
            assert found.room.at == pytest.approx(again.heartbeat.now(), abs=SECOND)
        finally:
            await closed(again)

    playing(tmp_path, play)


def test_a_dead_worker_with_a_wrong_clock_looks_dead(tmp_path: Path) -> None:
    """It beat once, an hour ahead, and died: after six seconds nobody takes it for alive."""

    async def play(worker: Worker, clocks: HandClock, live: LiveRoom) -> None:
        wrong = HandClock()
        wrong.jumps(HOUR)
        before = rest(worker, live)
        await Heartbeat(worker.heartbeat.store, "dead", wrong, worker.ports.meter).beat()
        await worker.heartbeat.beat()
        await worker.house.look(live)
        assert rest(worker, live) == pytest.approx(before, abs=0.5), "and its step charges nobody"
        assert "dead" in worker.heartbeat.alive
        await beats(worker, clocks, 10)
        assert worker.heartbeat.alive == [worker.ports.id]
        before = rest(worker, live)
        await beats(worker, clocks, 20)
        assert rest(worker, live) == pytest.approx(before - 20, abs=0.5)

    playing(tmp_path, play)


def test_one_silence_written_down_twice_counts_once(tmp_path: Path) -> None:
    """Two workers came back at the same time, after a jump of an hour: each wrote an outage from
    the last beat that it saw, before it saw the other's. The clock of the turn runs on."""

    async def play(worker: Worker, clocks: HandClock, live: LiveRoom) -> None:
        before = rest(worker, live)
        clocks.jumps(HOUR)
        await worker.heartbeat.beat()
        start, end = worker.heartbeat.outages[-1]
        twice = sa.insert(tables.outages).values(start=start - 1, end=end + SECOND)
        await worker.ports.storage.change(twice)
        await beats(worker, clocks, 20)
        await worker.house.look(live)
        assert rest(worker, live) == pytest.approx(before - 20, abs=1.5)
        await beats(worker, clocks, 310)
        await worker.house.look(live)
        assert live.room.over

    playing(tmp_path, play)


def test_a_jump_while_a_beat_is_written_charges_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The database took its time, and before it answered the clock was set an hour ahead."""

    async def play(worker: Worker, clocks: HandClock, live: LiveRoom) -> None:
        before, read = rest(worker, live), worker.heartbeat.store.outages

        async def slow() -> Outages:
            found = await read()
            monkeypatch.undo()
            clocks.jumps(HOUR)
            return found

        monkeypatch.setattr(worker.heartbeat.store, "outages", slow)
        clocks.passes(SILENCE + SECOND)
        await worker.house.look(live)
        assert not live.room.over
        assert rest(worker, live) == pytest.approx(before, abs=SILENCE / SECOND + 1.5)

    playing(tmp_path, play)


def test_nobody_is_charged_before_an_outage_is_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An outage is written, and while it is read again somebody looks at the clock."""

    async def play(worker: Worker, clocks: HandClock, live: LiveRoom) -> None:
        read = worker.heartbeat.store.outages

        async def slow() -> Outages:
            monkeypatch.undo()
            await worker.house.look(live)
            return await read()

        monkeypatch.setattr(worker.heartbeat.store, "outages", slow)
        clocks.jumps(HOUR)
        await worker.heartbeat.beat()
        assert not live.room.over

    playing(tmp_path, play)


def test_time_is_never_behind_what_is_written(tmp_path: Path) -> None:
    """A worker an hour ahead stored a move and died before its first beat: where the game goes on,
    the clock does not stand still for an hour."""

    async def play(worker: Worker, clocks: HandClock, live: LiveRoom) -> None:
        other = await opened(worker.settings.database, clocks)
        try:
            text = str(live.room.state.moves()[0])
            row = Row(live.room.ply, worker.heartbeat.now() + HOUR, text)
            await worker.ports.storage.append(append([row], fold(live.room, row), "dead"))
            found = await other.house.find(live.room.setup.id)
            await beats(other, clocks, 4)
            await other.house.look(found)
            before = rest(other, found)
            await beats(other, clocks, 20)
            assert rest(other, found) == pytest.approx(before - 20, abs=0.5)
        finally:
            await closed(other)

    playing(tmp_path, play)


def test_while_moves_are_stored_somebody_serves_though_nobody_beats(tmp_path: Path) -> None:
    """Or a bank would be charged less by who reads the log than by who stored the moves."""

    async def play(worker: Worker, clocks: HandClock, live: LiveRoom) -> None:
        clocks.passes(5 * SECOND)
        await moved(worker, live)
        clocks.passes(5 * SECOND)
        await worker.heartbeat.beat()
        assert worker.heartbeat.outages == ()
        clocks.passes(7 * SECOND)
        await worker.heartbeat.beat()
        assert len(worker.heartbeat.outages) == 1

    playing(tmp_path, play)
