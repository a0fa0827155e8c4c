"""Self-play elsewhere: the workers of an executor play with the weights that they are sent, and
send lessons back. A worker goes on with its games where it stopped, so that long games come to
their end as well as short ones; what one that dies had in hand is lost, and no more."""

import io
import os
import secrets
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import dataclass

import numpy as np
import torch

from tegel.net import lessons
from tegel.net.model import Network, Size
from tegel.net.practice import Group, device_of, player
from tegel.search import _nets

SECONDS = 20.0  # that a worker plays before it sends lessons and gets new weights
MOST = 8192  # lessons taken at a time


@dataclass(frozen=True)
class Asked:
    """What a worker is to do."""

    training: str
    game: str
    packed: tuple[int, ...]
    size: Size
    games: int
    threads: int
    seconds: float
    settings: dict[str, float]
    weights: bytes


@dataclass(frozen=True)
class Sent:
    """What came of it."""

    lessons: bytes
    ended: int  # games


# In a worker: the games of a training, each group with the network that plays them.
_KEPT: dict[str, list[tuple[Group, Network]]] = {}
_LOCK = threading.Lock()


def played(asked: Asked) -> Sent:
    """Play for some seconds."""
    with _LOCK:
        for other in _KEPT.keys() - {asked.training}:
            del _KEPT[other]
        kept = _KEPT.setdefault(asked.training, [])
        found = kept.pop() if kept else None
    group, net = found or _begun(asked)
    net.load_state_dict(torch.load(io.BytesIO(asked.weights), weights_only=True))
    group.school.practise(asked.settings)
    before, end = group.school.played[0], time.monotonic() + asked.seconds
    taken, files = lessons.room(group.school.shape, MOST), []
    while time.monotonic() < end:
        group.step()
        while count := lessons.take(group.school, taken):
            files.append({name: one[:count].copy() for name, one in taken.items()})
    group.wait()
    with _LOCK:
        if _KEPT.get(asked.training) is kept:
            kept.append((group, net))
    every = {name: np.concatenate([taken[name][:0], *(one[name] for one in files)])
             for name in taken}  # fmt: skip
    return Sent(lessons.packed(every, len(every["ends"])), group.school.played[0] - before)


def _begun(asked: Asked) -> tuple[Group, Network]:
    device, seed = device_of("auto"), secrets.randbits(60)
    threads = asked.threads or os.cpu_count() or 1
    school = _nets.school(asked.game, list(asked.packed), asked.games, seed, threads)
    net = player(school.shape, asked.size, device)
    return Group(school, net, device), net


class Afar:
    """The workers of an executor, as many tasks at a time as they can do."""

    def __init__(self, pool: Executor, many: int, asked: Callable[[], Asked]) -> None:
        self.pool, self.asked = pool, asked
        self.under_way: set[Future[Sent]] = set()
        for _ in range(many):
            self._ask()

    def _ask(self) -> None:
        self.under_way.add(self.pool.submit(played, self.asked()))

    def came(self) -> Iterator[Sent]:
        """What was sent since this was asked; who sent it plays on."""
        ended, self.under_way = wait(self.under_way, 0, FIRST_COMPLETED)
        for future in ended:
            sent = future.result()
            self._ask()
            yield sent

    def leave(self) -> None:
        for future in self.under_way:
            future.cancel()
