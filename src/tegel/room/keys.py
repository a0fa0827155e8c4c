"""Under which keys thoughts about positions and games are stored.

Two positions have one key if the game, its options and the state are the same; two games, if they
begin alike and have the same moves. What another engine thought has another key."""

import hashlib
from dataclasses import replace

from tegel.game import Move, State
from tegel.record import Record
from tegel.tree import Tree

POSITION = "start-position"  # the header of a record that begins in one


def beginning(one: Tree | Record) -> dict[str, str]:
    """The headers that say in which position moves begin."""
    return {POSITION: one.headers[POSITION]} if POSITION in one.headers else {}


def position_key(game: str, state: State[Move], engine: str) -> str:
    """The key of what an engine thinks of a position."""
    return _digest(f"{engine}\n{game}\n{state}")


def report_key(record: Record, engine: str) -> str:
    """The key of an engine's report on a game."""
    plain = replace(record, headers=beginning(record), notes={})
    return _digest(f"{engine}\n{plain}")


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
