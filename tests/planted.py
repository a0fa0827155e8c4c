"""`tegel` with a fault planted in it, which the first argument names: what the checker of
histories must notice in a real server."""

import random
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from tegel.cli import main
from tegel.place.lobby import Lobby
from tegel.place.rooms import house
from tegel.place.rooms.append import Append
from tegel.place.rooms.live_room import LiveRoom
from tegel.place.rooms.scheduler import Scheduler
from tegel.room.log import Row
from tegel.server.storage.database import Database

SELDOM = 0.05
append, shown = Database.append, Lobby.shown


def plant(place: Any, name: str, fault: Any) -> None:
    setattr(place, name, fault)


def told_but_not_saved() -> None:
    async def pretend(self: Database, next: Append) -> bool:
        seldom = random.random() < SELDOM and not next.setup
        return True if seldom else await append(self, next)

    plant(Database, "append", pretend)


def taken_back_more_than_once() -> None:
    async def again(self: Database, next: Append) -> bool:
        seq, at, text = next.rows[-1]
        if text.startswith("!takeback"):
            rows = [*next.rows, *(Row(seq + n, at, text) for n in range(1, 9))]
            next = replace(next, rows=rows)
        return await append(self, next)

    plant(Database, "append", again)


def a_look_into_the_past() -> None:
    before: dict[str, LiveRoom] = {}

    async def past(self: Lobby, live: LiveRoom, player: str, newcomer: Any = None) -> Any:
        id = live.room.setup.id
        old = before.setdefault(id, LiveRoom(live.room, 0.0))
        return await shown(self, old if random.random() < SELDOM else live, player, newcomer)

    plant(Lobby, "shown", past)


def no_flag_falls() -> None:
    plant(house, "flagged", lambda *_: None)


def no_bot_thinks() -> None:
    async def idle(_: Scheduler, live: LiveRoom, __: bool) -> None:
        live.thinking = None

    plant(Scheduler, "_think", idle)


PLANTED: dict[str, tuple[Callable[[], None], str]] = {
    fault.__name__: (fault, noticed)
    for fault, noticed in [
        (told_but_not_saved, "was acknowledged|is not in the log|the log has"),
        (taken_back_more_than_once, "takebacks were asked for"),
        (a_look_into_the_past, "plies, then|had told"),
        (no_flag_falls, "a flag is due"),
        (no_bot_thinks, "a bot is to move"),
    ]
}
"""By its name, how it is planted, and in which words it is noticed."""

if __name__ == "__main__":
    PLANTED[sys.argv.pop(1)][0]()
    main()
