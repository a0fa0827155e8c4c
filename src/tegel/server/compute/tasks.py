"""What the processes of the pool do. They import no more than it takes."""

import multiprocessing
import os
import random
import signal
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from importlib import resources
from typing import Any, NamedTuple, TypeVar

from tegel import games
from tegel.game import Event, State, Way
from tegel.record import Record
from tegel.room import judge
from tegel.room.judge import Circumstances
from tegel.room.log import Row
from tegel.room.room import Origin, Room, begin
from tegel.room.setup import Setup
from tegel.room.stopwatch import Outages
from tegel.search.advice import advice
from tegel.search.chance import draw
from tegel.search.memory import Memory
from tegel.server.wire import responses
from tegel.server.wire.replays import reached
from tegel.sheets import Wish
from tegel.sheets import sheets as printed
from tegel.solver import Puzzle
from tegel.solver.daily import daily, stars
from tegel.words import package

T = TypeVar("T")
DICE = random.SystemRandom()
NICE = 5  # how much the processes of bots and facts give way to those who serve
MEMORY = Memory()  # of the bots of this process
STOPS: list[Any] = []  # what all searches share: by number, whether to give one up


def settle_down(stops: Any = None, nice: int = NICE) -> None:
    """A process of the pool gives way to those who serve, and leaves with them."""
    STOPS[:] = [stops]
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the worker says when it is over
    if hasattr(os, "nice"):
        os.nice(nice)
    threading.Thread(target=_leave_with_parent, daemon=True).start()


def _leave_with_parent() -> None:
    """End this process when the worker is gone, even by kill -9."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(0)


def timed(task: Callable[..., T], *args: Any) -> tuple[T, float]:
    """What a task gives, and the seconds of the processor that it took."""
    start = time.process_time()
    return task(*args), time.process_time() - start


def next_tile(game: str, state: State[Any], seconds: float, number: int) -> Event:
    solo = games.load(game).solo
    assert solo
    return solo.hint(state, seconds, lambda: bool(STOPS[0][number]))


def solution(game: str, state: State[Any], seconds: float, number: int) -> Way | None:
    solo = games.load(game).solo
    assert solo
    return solo.solution(state, seconds, lambda: bool(STOPS[0][number]))


def day(day: date) -> tuple[Puzzle, int]:
    """The puzzle of a day, and how hard it is."""
    found = daily(day)
    return found, stars(found)


def puzzle_picture(game: str, variant: str, theme: str) -> str:
    """A puzzle before it is begun: its board and its tiles; of a task, a beginning."""
    shown = games.load(game)
    file = resources.files(package(game)) / "pictures" / f"{variant}.txt"
    if variant in shown.variants and file.is_file():
        state = games.position(file.read_text("utf-8"))
        return shown.picture(state).only("board").svg(theme=theme, small=True)
    picture = shown.picture(shown.start(variant))
    empty = not any(mark.plane == "board" for mark in picture.marks)
    planes = [replace(plane, title="", note="") for plane in picture.planes]
    if empty and len(planes[0].wells) == 1:
        planes = planes[1:]  # a field that is not there yet
    return replace(picture, planes=tuple(planes)).svg(theme=theme, small=True)


def sheets(game: str, variant: str, wish: Wish) -> bytes:
    """A game to print."""
    played = games.load(game)
    return printed(played, played.start(variant), wish)


def thought(state: State[Any], level: int, seconds: float) -> str:
    return str(MEMORY.choose(state, level, seconds, random.Random()))


def hint(state: State[Any], seconds: float) -> responses.Hint:
    found = advice(state, random.getrandbits(60), seconds=seconds)
    best = [
        responses.Opinion(
            str(one.move),
            round(one.visits / max(1, found.simulations), 3),
            tuple(round(chance, 3) for chance in one.wins),
            tuple(round(score, 1) for score in one.scores),
            one.exact,
        )
        for one in found.opinions
    ]
    return responses.Hint(best[0].move, best, found.search, found.simulations)


class Seating(NamedTuple):
    """Who sits down at once in a new room, what players there are called, and from where who
    sits down comes, if that matters."""

    player: str
    seats: Sequence[int]
    names: Mapping[str, str]
    origin: Origin | None = None


def first_rows(
    setup: Setup, moves: Sequence[str], seating: Seating, now: int, outages: Outages
) -> tuple[list[Row], Room]:
    """The first rows of a room, which goes on after some moves; and the room after them."""
    room = begin(setup, outages, seating.names)
    around = Circumstances(now, lambda state: draw(state, DICE), origin=seating.origin)
    steps = judge.opening(room, moves, seating.seats, seating.player, around)
    return [step.row for step in steps], steps[-1].after if steps else room


def position_hint(record: Record, seconds: float) -> responses.Hint:
    """A hint at the end of a record."""
    return hint(reached(record, len(record.moves)), seconds)
