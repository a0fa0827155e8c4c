"""Who plays whom, of those who look for the same: whoever is nearest first.

A **wish** says what somebody looks for. The longer they wait, the further away others may be. Who
was paired of late and did not come is **behind**: everybody else is matched first, and for a while
they meet only others who are behind."""

import hashlib
import json
import re
from collections.abc import Collection, Iterable
from math import inf
from typing import NamedTuple

from tegel import games
from tegel.place.rooms import room_row
from tegel.place.wire.pairing import Seek
from tegel.room.clock import SECOND, clock
from tegel.room.refused import Refused
from tegel.room.setup import seats

FIRST, STEP = 100.0, 50.0  # of ratings: within reach at once, and how much more
EVERY = 5 * SECOND  # so often
ANYBODY = 60 * SECOND  # after which everybody is near enough

Sought = tuple[str, str, str, str]  # a game, its variant and options, a clock


class Wish(NamedTuple):
    """A row of the wishes that are open, and what is known of its player."""

    player: str
    ticket: str
    worker: str
    game: str
    variant: str
    options: str
    clock: str
    name: str
    rating: float
    since: int
    sought: str = ""  # see `sought_key`: who seek the same can play together
    network: str = ""
    site: str = ""
    shown: bool = False  # whether others may see the rating
    free: int = 0  # 0: not behind; else from when they may meet those who are not


def sought_key(sought: Sought) -> str:
    """A short text that only equal wishes have in common, to look them up by."""
    return hashlib.sha256(json.dumps(sought).encode()).hexdigest()[:32]


def checked(wish: Seek) -> Sought:
    """What is looked for, as it is stored; raises Refused or BadNotation if that can't be."""
    if wish.game not in games.names():
        raise Refused("missing", f"There is no such game; there are {', '.join(games.names())}.")
    if not re.fullmatch(r"[\w-]{1,32}", wish.ticket, re.ASCII):
        raise Refused("invalid", "A ticket is a word of up to 32 letters.")
    time = clock(wish.clock)
    if time.up:
        raise Refused("invalid", "A clock counts up where there is one seat.")
    variant = wish.variant or next(iter(games.load(wish.game).variants))
    seats(wish.game, variant, wish.options)
    return wish.game, variant, json.dumps(dict(sorted(wish.options.items()))), str(time)


def players(wish: Wish) -> int:
    """How many play what somebody wishes for."""
    return seats(wish.game, wish.variant, room_row.options(wish.options))


def reach(waited: int) -> float:
    """How far from somebody's rating that of another may be, after so many milliseconds.

    >>> reach(0), reach(12_000), reach(60_000)
    (100.0, 200.0, inf)
    """
    return FIRST + STEP * (waited // EVERY) if waited < ANYBODY else inf


def groups(
    wishes: Iterable[Wish], size: int, now: int, apart: Collection[frozenset[str]] = ()
) -> list[list[Wish]]:
    """Who shall play together, of some who wish the same: whoever waits longest chooses first, and
    has those who are nearest, if they are within reach; none who do not play with each other.
    Those who are behind come last, as who chooses and as who is chosen."""
    waiting = sorted(wishes, key=lambda wish: (wish.free > 0, wish.since))
    found = []
    while len(waiting) >= size:
        first = waiting.pop(0)
        far = {wish.player: abs(wish.rating - first.rating) for wish in waiting}
        near = [wish for wish in waiting if far[wish.player] <= reach(now - first.since)]
        # Of those equally near, who waits longest.
        near.sort(key=lambda wish: (wish.free > 0, far[wish.player]))
        group = [first]
        for wish in near:
            if len(group) < size and all(_may_meet(wish, one, now, apart) for one in group):
                group.append(wish)
        if len(group) == size:
            found.append(group)
            waiting = [wish for wish in waiting if wish not in group]
    return found


def _may_meet(one: Wish, other: Wish, now: int, apart: Collection[frozenset[str]]) -> bool:
    if frozenset((one.player, other.player)) in apart:
        return False
    return bool(one.free) == bool(other.free) or max(one.free, other.free) <= now
