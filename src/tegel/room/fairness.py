"""No help in running games: which positions are near each other, and which games count.

A position is **near** a running game if it shares most of what lies on the board there, see
`tegel.game.footprint`. That covers earlier and later positions of the same game, other orders of
moves, and positions that somebody turned, recoloured or changed a little."""

from collections.abc import Iterable, Sequence
from math import inf
from typing import Literal, NamedTuple

from tegel import games
from tegel.game import CHANCE, Move, State, game_of
from tegel.game.footprint import MOST, RATIO, Footprint, Overlap, footprint
from tegel.room.room import Room

FIRST = 5  # things that a first move lays, at most: squares of a tile

Tie = Literal["eye", "own", "network"]
"""Why a running game concerns somebody: it is played by eye, it is their own, or it is played from
the same network."""


class Running(NamedTuple):
    """A game that is still running, as far as it concerns somebody."""

    tie: Tie
    game: str
    footprint: str


class Asked(NamedTuple):
    """The positions that somebody asks about, as texts of footprints. `line`: each of them holds
    the one before it."""

    game: str
    positions: Sequence[str]
    line: bool = False


def asked_line(states: Iterable[State[Move]]) -> Asked | None:
    """What is asked about all positions of a line; None where nothing is compared. Where chance
    decides nobody can be helped, so of such positions only the last counts."""
    kept, last = list[State[Move]](), None
    for last in states:
        if last.turn != CHANCE:
            kept.append(last)
    asked = asked_each(kept if last is None else [*kept, last])
    return asked and asked._replace(line=games.load(asked.game).lasting)


def asked_each(states: Iterable[State[Move]]) -> Asked | None:
    """What is asked about some positions of one game; None where nothing is compared."""
    game, found = "", dict[str, None]()  # each position once
    for state in states:
        there = game_of(state).footprint
        if there is None:
            return None
        game, found[str(there(state))] = game_of(state).name, None
    return Asked(game, [*found]) if found else None


def nearest(asked: Asked, running: Iterable[Running]) -> Tie | None:
    """Why somebody must not be helped with one of some positions; None if nothing is near."""
    positions = [footprint(text) for text in asked.positions]
    for tie, game, text in running:
        if game == asked.game and _is_any_near(footprint(text), positions, asked, tie):
            return tie
    return None


def _is_any_near(
    running: Footprint, positions: Sequence[Footprint], asked: Asked, tie: Tie
) -> bool:
    """Whether one of some positions is near a running game. A line is looked at from its end on: a
    position shares at most what the later ones share, so those that would have to share more are
    left out."""
    shared = inf
    for position in reversed(positions):
        if shared >= MOST * min(running.size, position.size):
            found = _overlap(running, position, asked.game)
            if _is_near(found, running, position, tie):
                return True
            shared = found.shared if asked.line else inf
    return False


def is_near(running: Footprint, asked: Footprint, game: str, tie: Tie) -> bool:
    """Whether a position is near the current one of a running game. Openings, which many games
    share, are everybody's but the players', as long as they are still in theirs; by eye, such a
    position must be the same. Before the first move the players get no help with any of the first
    moves."""
    return _is_near(_overlap(running, asked, game), running, asked, tie)


def _overlap(running: Footprint, asked: Footprint, game: str) -> Overlap:
    overlap = games.load(game).overlap
    return overlap(running, asked) if overlap and running.size and asked.size else Overlap(0, 0)


def _is_near(found: Overlap, running: Footprint, asked: Footprint, tie: Tie) -> bool:
    if not running.size:
        return tie == "own" and running.board == asked.board and asked.size <= FIRST
    if not running.common and not asked.common:
        return found.most
    low, high = sorted((running.size, asked.size))
    if tie == "eye":
        return found.whole and low == high
    return tie == "own" and found.most and high <= max(RATIO * low, low + FIRST)


def has_begun(text: str) -> bool:
    """Whether anything lies on the board of a running game, by the text of its footprint."""
    return footprint(text).size > 0


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
