"""No help in running games: which positions are near each other, and which games count.

A position is **near** a running game if it shares most of what lies on the board there, see
`tegel.game.footprint`. That covers earlier and later positions of the same game, other orders of
moves, and positions that somebody turned, recoloured or changed a little."""

from collections.abc import Iterable, Sequence
from typing import Any, Literal, NamedTuple

from tegel import games
from tegel.game import State, game_of
from tegel.game.footprint import RATIO, Footprint, footprint
from tegel.room.room import Room

Tie = Literal["eye", "own", "network"]
"""Why a running game concerns somebody: it is played by eye, it is their own, or it is played from
the same network."""


class Running(NamedTuple):
    """A game that is still running, as far as it concerns somebody."""

    tie: Tie
    game: str
    footprint: str


def is_near(running: Footprint, asked: Footprint, game: str, tie: Tie) -> bool:
    """Whether a position is near the current one of a running game. Openings, which many games
    share, are everybody's but the players', as long as they are still in theirs; by eye, such a
    position must be the same."""
    overlap = games.load(game).overlap
    if overlap is None or not running.size or not asked.size:
        return False
    found = overlap(running, asked)
    if not running.common and not asked.common:
        return found.most
    low, high = sorted((running.size, asked.size))
    if tie == "eye":
        return found.whole and low == high
    return tie == "own" and found.most and high <= RATIO * low


def nearest(states: Iterable[State[Any]], running: Sequence[Running]) -> Tie | None:
    """Why one of some positions must not be helped with; None if nothing is near."""
    known = [(each.tie, each.game, footprint(each.footprint)) for each in running]
    for state in states:
        game = game_of(state)
        assert game.footprint
        asked = game.footprint(state)
        for tie, name, there in known:
            if name == game.name and is_near(there, asked, name, tie):
                return tie
    return None


def running_footprint(room: Room) -> str:
    """What lies on the board of a game that people play with each other; of others nothing."""
    game = room.game
    if room.over or game.footprint is None or not is_shared(room):
        return ""
    return str(game.footprint(room.state))


def is_shared(room: Room) -> bool:
    """Whether at least two people or programs play with each other."""
    one = ""
    for chair in room.chairs:  # it is asked after every move, and mostly answered here
        if chair.player and not chair.left:
            if one and chair.player != one:
                return True
            one = chair.player
    return len(opponents(room, "")) > 1


def is_secret(room: Room) -> bool:
    """Whether nobody at all may be told of this position: people play it by eye."""
    return bool(room.line) and by_eye(room) and is_shared(room)


def by_eye(room: Room) -> bool:
    """Whether nobody may say what fits in this game until it is over."""
    return room.game.by_eye is not None and room.game.by_eye(room.state) and not room.over


def opponents(room: Room, player: str) -> set[str]:
    """The people and programs whom a player plays with or against."""
    return {
        chair.player
        for chair in room.chairs
        if chair.player and not chair.left and chair.player != player
    } | {place.player for place in room.setup.places if place.player not in ("", player)}
