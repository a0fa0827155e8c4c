"""What the processes of the pool do. They import no more than it takes."""

import multiprocessing
import os
import random
import signal
import threading
from typing import Any

from tegel import games
from tegel.game import Event, State, Way
from tegel.record import Record
from tegel.search.advice import advice
from tegel.search.bot import bot
from tegel.server.wire import responses

STOPS: list[Any] = []  # what all searches share: by number, whether to give one up


def settle_down(stops: Any = None) -> None:
    """A process of the pool gives way to those who serve, and leaves with them."""
    STOPS[:] = [stops]
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the worker says when it is over
    if hasattr(os, "nice"):
        os.nice(5)
    threading.Thread(target=_leave_with_parent, daemon=True).start()


def _leave_with_parent() -> None:
    """End this process when the worker is gone, even by kill -9."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(0)


def next_tile(game: str, state: State[Any], seconds: float, number: int) -> Event:
    solo = games.load(game).solo
    assert solo
    return solo.hint(state, seconds, lambda: bool(STOPS[0][number]))


def solution(game: str, state: State[Any], seconds: float, number: int) -> Way | None:
    solo = games.load(game).solo
    assert solo
    return solo.solution(state, seconds, lambda: bool(STOPS[0][number]))


def thought(state: State[Any], level: int, seconds: float) -> str:
    return str(bot(level, seconds)(state, random.Random()))


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


def position_hint(record: Record, seconds: float) -> responses.Hint:
    """A hint at the end of a record."""
    return hint(games.final(record), seconds)
