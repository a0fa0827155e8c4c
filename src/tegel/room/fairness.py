"""No help in running games: when two positions are the same for that question.

What was played last and which options a table has are no matter: somebody could write them
otherwise into a record. Nor is how a position lies, as far as its game makes no difference: a
board can be seen in a mirror. Openings are common: of them nobody can say whose they are."""

import hashlib
from collections.abc import Sequence
from typing import Any

from tegel.game import CHANCE, State, game_of
from tegel.room.room import Room


def position_key(state: State[Any]) -> str:
    """The same for the same position of a game, however it came about, and however it is turned,
    flipped or named: of all these the least."""
    game = game_of(state)
    text = f"{game.name}\n{min(game.alike(state))}"
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def position_keys(states: Sequence[State[Any]]) -> list[str]:
    return list(map(position_key, states))


def is_opening(room: Room) -> bool:
    """Whether each seat has made no more than two moves or so."""
    decided = sum(played.seat != CHANCE for played in room.line)
    return decided <= 2 * len(room.chairs)


def is_secret(room: Room) -> bool:
    """Whether nobody at all may be told of this position: people play it by eye."""
    return bool(room.line) and by_eye(room) and len(opponents(room, "")) > 1


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
