"""Faults planted in the services and in what is below them, each of which the checks must find: a
test of the tests. `python -m universe --planted NAME 0:500` looks for the first seed that does."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any
from unittest.mock import patch

from tegel.place.heartbeat import Heartbeat
from tegel.place.pairing.pairing import Pairing
from tegel.place.rooms.append import Append
from tegel.place.rooms.house import House
from tegel.place.rooms.live_room import LiveRoom
from tegel.place.rooms.opening import Opening
from tegel.place.rooms.rows import Rows
from tegel.place.rooms.scheduler import Scheduler
from tegel.room import actions, judge, room
from tegel.room.judge import Step
from tegel.room.log import Row
from tegel.server.storage import pairing as wishes
from tegel.server.storage import ratings, transaction
from tegel.server.storage.heartbeat import SqlHeartbeat
from tegel.server.storage.push import SqlPush
from tegel.server.storage.rooms import SqlRooms
from tegel.server.storage.storage import Storage

Faulty = Callable[..., Any]


def now_and_then(every: int) -> Callable[[], bool]:
    """Whether it is time again: the first of so many times, and so on."""
    count = iter(range(10**9))
    return lambda: next(count) % every == 0


def acknowledged_before_the_commit() -> Any:
    append = Storage.append

    def early(self: Storage, what: Append) -> Any:
        append(self, what).add_done_callback(lambda done: done.cancelled() or done.exception())
        done = asyncio.get_running_loop().create_future()
        done.set_result(True)
        return done

    return patch.object(Storage, "append", early)


def acknowledged_and_never_saved() -> Any:
    append, seldom = Storage.append, now_and_then(40)

    def pretend(self: Storage, what: Append) -> Any:
        if what.setup or not seldom():
            return append(self, what)
        done = asyncio.get_running_loop().create_future()
        done.set_result(True)
        return done

    return patch.object(Storage, "append", pretend)


def a_lost_wake_up() -> Any:
    """What waits for the writer is forgotten if it comes while the writer works."""
    begin = Storage._begin

    def asleep(self: Storage, what: Any) -> Any:
        done = begin(self, what)
        if len(self.waiting) > 1:
            self.waiting.pop()
        return done

    return patch.object(Storage, "_begin", asleep)


def a_stale_lease() -> Any:
    """A worker never takes over the bots of one that died."""

    async def held(self: SqlRooms, room: str, worker: str, now: int) -> bool:
        del self, room, worker, now
        return False

    return patch.object(SqlRooms, "lease", held)


def bots_think_twice() -> Any:
    settle = Scheduler.settle

    def again(self: Scheduler, live: LiveRoom, mine: bool) -> None:
        settle(self, live, mine)
        if live.thinking:
            asyncio.create_task(self._think(live, mine))  # noqa: RUF006

    return patch.object(Scheduler, "settle", again)


def no_bot_thinks() -> Any:
    async def idle(_: Scheduler, live: LiveRoom, __: bool) -> None:
        live.thinking = None

    return patch.object(Scheduler, "_think", idle)


def a_double_rating() -> Any:
    write = ratings.write_ratings

    def twice(connection: Any, endings: Sequence[Any]) -> None:
        later = [replace(one, at=one.at - 1) for one in endings]
        write(connection, later)

    return patch.object(transaction, "write_ratings", twice)


def a_rating_that_is_forgotten() -> Any:
    write, seldom = ratings.write_ratings, now_and_then(3)

    def some(connection: Any, endings: Sequence[Any]) -> None:
        if not endings or not seldom():
            write(connection, endings)

    return patch.object(transaction, "write_ratings", some)


def clocks_that_run_in_an_outage() -> Any:
    """No outage is ever written down."""
    beat = SqlHeartbeat.beat

    async def forgetful(self: SqlHeartbeat, worker: str, now: int, silence: int) -> int | None:
        del silence
        return await beat(self, worker, now, 10**12)

    return patch.object(SqlHeartbeat, "beat", forgetful)


def flags_that_fall_too_soon() -> Any:
    """A worker forgets about outages."""
    begin = Heartbeat.beat

    async def forgets(self: Heartbeat, *more: Any) -> None:
        await begin(self, *more)
        self.outages = ()

    return patch.object(Heartbeat, "beat", forgets)


def no_flag_falls() -> Any:
    from tegel.place.rooms import house

    return patch.object(house, "flagged", lambda *_: None)


def a_wish_that_is_answered_twice() -> Any:
    return patch.object(wishes, "claimed", lambda *_: True)


def a_search_that_never_ends() -> Any:
    async def ignored(self: Pairing, seeker: Any) -> None:
        del self, seeker

    return patch.object(Pairing, "end", ignored)


def a_push_that_is_sent_twice() -> Any:
    take = SqlPush.take

    async def shy(self: SqlPush, until: int, again: int, most: int) -> Sequence[Any]:
        del again
        return await take(self, until, until, most)

    return patch.object(SqlPush, "take", shy)


def a_push_that_is_never_sent() -> Any:
    async def nothing(self: SqlPush, *_: Any) -> Sequence[Any]:
        del self
        return ()

    return patch.object(SqlPush, "take", nothing)


def a_takeback_over_a_move() -> Any:
    """A wish to take back outlives the next move."""
    moved = room._moved

    def keeps(before: room.Room, row: Row) -> room.Room:
        return replace(moved(before, row), ask=before.ask)

    return patch.object(room, "_moved", keeps)


def draws_that_are_drawn_anew() -> Any:
    def fishing(of: room.Room, draw: Faulty) -> str:
        return str(draw(of.state))

    return patch.object(judge, "draw_of", fishing)


def a_click_that_counts_twice() -> Any:
    """A move is played for whatever ply it was meant."""
    move = judge._move

    def late(draft: judge.Draft, player: str, action: actions.Move) -> None:
        move(draft, player, actions.Move(draft.room.ply, action.move))

    return patch.object(judge, "_move", late)


def a_seat_for_two() -> Any:
    def sit(draft: judge.Draft, player: str, _: actions.Sit) -> None:
        draft.sit(0, player, "")

    return patch.object(judge, "_sit", sit)


def two_rematches() -> Any:
    rematch = House._rematch

    async def anew(self: House, live: LiveRoom, *more: Any) -> Any:
        live.room = replace(live.room, rematch="")
        return await rematch(self, live, *more)

    return patch.object(House, "_rematch", anew)


def shown_before_it_is_saved() -> Any:
    append = Rows.append

    async def eager(self: Rows, live: LiveRoom, steps: list[Step], *more: Any) -> bool:
        if live.watchers and not steps[-1].after.over:
            prepared = await self.broadcast.prepared(live, steps)
            for watcher in tuple(live.watchers):
                watcher.send(*(text for text, _ in prepared))
        return await append(self, live, steps, *more)

    return patch.object(Rows, "append", eager)


def news_that_nobody_reads_up() -> Any:
    """What the bus lost is never read from the store."""

    async def never(self: House) -> None:
        del self

    return patch.object(House, "catch_up", never)


def news_that_are_taken_twice() -> Any:
    async def all_(self: House, channel: str, news: Any) -> None:
        live = self.rooms.get(channel)
        if live and news.kind == "rows":
            await self.rows.learn(live, [Row(*row) for row in news.rows])

    return patch.object(House, "heard", all_)


def a_look_into_the_past() -> Any:
    find, seldom = Opening.find, now_and_then(30)
    before: dict[str, LiveRoom] = {}

    async def past(self: Opening, id: str, *more: Any, **most: Any) -> LiveRoom:
        live: LiveRoom = await find(self, id, *more, **most)
        old = before.setdefault(id, LiveRoom(live.room, 0.0))
        return old if seldom() else live

    return patch.object(Opening, "find", past)


def a_task_that_is_left_behind() -> Any:
    beat = Heartbeat.begin

    async def begin(self: Heartbeat) -> None:
        await beat(self)
        self.forgotten = asyncio.create_task(asyncio.sleep(10**9))  # type: ignore[attr-defined]

    return patch.object(Heartbeat, "begin", begin)


PLANTED: dict[str, Callable[[], Any]] = {
    fault.__name__: fault
    for fault in (
        acknowledged_before_the_commit, acknowledged_and_never_saved, a_lost_wake_up, a_stale_lease,
        bots_think_twice, no_bot_thinks, a_double_rating, a_rating_that_is_forgotten,
        clocks_that_run_in_an_outage, flags_that_fall_too_soon, no_flag_falls,
        a_wish_that_is_answered_twice, a_search_that_never_ends, a_push_that_is_sent_twice,
        a_push_that_is_never_sent, a_takeback_over_a_move, draws_that_are_drawn_anew,
        a_click_that_counts_twice, a_seat_for_two, two_rematches, shown_before_it_is_saved,
        news_that_nobody_reads_up, news_that_are_taken_twice, a_look_into_the_past,
        a_task_that_is_left_behind,
    )
}  # fmt: skip


@contextmanager
def planted(name: str) -> Iterator[None]:
    """A world in which a fault is planted."""
    with PLANTED[name]():
        yield
