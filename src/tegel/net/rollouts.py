"""Lessons from games of the engine with rollouts: a start for nets that know nothing yet."""

import random
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tegel.game import CHANCE
from tegel.net import lessons
from tegel.search import _nets, kernel

SIMULATIONS = 800  # a move
GAMES, QUICK = 24, 60  # games that show what positions there are, and their simulations a move
DRAWN = 10  # plies in which moves are drawn by how often they were tried
PLIES = 3  # by lot, at most, before


@dataclass
class Seen:
    """A position of a game that goes on."""

    planes: NDArray[Any]
    scalars: NDArray[Any]
    actions: NDArray[Any]
    odds: NDArray[Any]
    seat: int
    voice: int


def game(
    name: str, packed: Sequence[int], rng: random.Random, simulations: int = SIMULATIONS
) -> dict[str, NDArray[Any]]:
    """The lessons of one game."""
    guide = _nets.guide(name, packed, 0, {})
    settle(guide, rng)
    for _ in range(rng.randint(0, PLIES)):
        guide.play(rng.choice(guide.look()[1]))
        settle(guide, rng)
    engine = kernel.native(name, guide.packed, rng.getrandbits(60), {})
    seen: list[Seen] = []
    while not guide.over:
        (planes, scalars, actions, _), codes = guide.look()
        engine.think(simulations, inf)
        opinions = engine.opinions()
        odds = tried(opinions, codes, guide.turn)
        if len(codes) > 1:
            seen.append(Seen(planes[0], scalars[0], actions, odds, guide.turn, guide.voice))
        best = opinions[0][0]
        if len(seen) < DRAWN:
            best = rng.choices(codes, odds.tolist())[0]
        guide.play(best)
        for code in [best, *settle(guide, rng)]:
            engine.play(code)
    return told(guide, seen)


def settle(guide: Any, rng: random.Random) -> list[int]:
    """Let chance decide for as long as it is its turn; what was drawn."""
    drawn: list[int] = guide.draw(rng.getrandbits(60)) if guide.turn == CHANCE else []
    return drawn


def tried(opinions: Sequence[Any], codes: Sequence[int], turn: int) -> NDArray[Any]:
    """By move, how often it was tried, as a part of all; if the position was solved, the same for
    all that are as good as the best."""
    best = opinions[0]
    if best[6]:
        parts = {one[0]: float(one[6] and one[4][turn] >= best[4][turn] - 1e-6) for one in opinions}
    else:
        parts = {one[0]: float(one[2]) for one in opinions}
    found = np.array([parts.get(code, 0.0) for code in codes])
    if not found.sum():  # nothing to choose
        found[:] = 1
    found /= found.sum()
    return found


def told(guide: Any, seen: Sequence[Seen]) -> dict[str, NDArray[Any]]:
    """Lessons of a game that is over."""
    found = lessons.room(guide.shape, len(seen))
    found["actions"][:] = -1
    for row, one in enumerate(seen):
        order = np.argsort(-one.odds, kind="stable")[: lessons.MOVES]
        found["planes"][row], found["scalars"][row] = one.planes, one.scalars
        found["actions"][row, : len(order)] = one.actions[order]
        found["odds"][row, : len(order)] = one.odds[order]
        owned = np.array(guide.owned(one.voice), np.uint8)
        found["owned"][row] = owned.reshape(found["owned"].shape[1:])
        found["ends"][row] = guide.ends(one.seat)
    return found


def positions(name: str, packed: Sequence[int], seed: int) -> tuple[NDArray[Any], NDArray[Any]]:
    """Planes and scalars of the positions of some quick games."""
    rng = random.Random(f"positions {seed}")
    played = [game(name, packed, rng, QUICK) for _ in range(GAMES)]
    planes, scalars = (
        np.concatenate([one[kind] for one in played]) for kind in ("planes", "scalars")
    )
    return planes, scalars


def games(
    name: str,
    packed: Sequence[int],
    minutes: float,
    threads: int,
    seed: int,
    simulations: int = SIMULATIONS,
) -> Iterator[dict[str, NDArray[Any]]]:
    """The lessons of games, one after the other, for some minutes on some threads."""
    end, done = time.monotonic() + 60 * minutes, list[dict[str, NDArray[Any]]]()

    def play(number: int) -> None:
        rng = random.Random(f"{seed} {number}")
        while time.monotonic() < end:
            done.append(game(name, packed, rng, simulations))

    crew = [threading.Thread(target=play, args=(number,), daemon=True) for number in range(threads)]
    for thread in crew:
        thread.start()
    while done or any(thread.is_alive() for thread in crew):
        if done:
            yield done.pop()
        else:
            time.sleep(0.01)
