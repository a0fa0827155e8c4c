"""Bots that remember: what was thought in a game is of use for its next move.

Nobody tells a process which game a position belongs to. So the latest thinkers wait in the
positions that they left behind; one that meets its own again, after a move that it had looked at,
goes on from there."""

import random
from typing import TypeVar

from tegel.game import Move, State
from tegel.search import kernel
from tegel.search.bot import bot
from tegel.search.kernel import Thinker
from tegel.search.level import decided, skill

M = TypeVar("M")
ROOM = 2  # thinkers kept: each may hold some dozen megabytes


class Memory:
    def __init__(self, room: int = ROOM) -> None:
        self.room = room
        self.kept: list[tuple[int, Thinker[Move]]] = []  # with their levels, the latest last

    def choose(self, state: State[Move], level: int, seconds: float, rng: random.Random) -> Move:
        """The move of a bot of a level."""
        skilled = skill(level)
        if not (skilled.whole and kernel.available(state)) or len(state.moves()) == 1:
            return bot(level, seconds)(state, rng)
        thinker = self.met(state, level)
        if not thinker:
            thinker = Thinker(state, rng.getrandbits(60), skilled.net(state))
        opinions = thinker.consider(skilled.simulations(state), seconds)
        move = decided(thinker, opinions, rng).move
        thinker.play(move)
        self.kept = [*self.kept, (level, thinker)][-self.room :]
        return move

    def met(self, state: State[Move], level: int) -> Thinker[Move] | None:
        """A thinker of the level to which a position is no news; it is no longer kept."""
        for number, (other, thinker) in enumerate(self.kept):
            if other == level and follows(thinker, state):
                del self.kept[number]
                return thinker
        return None


def follows(thinker: Thinker[M], state: State[M]) -> bool:
    """Let a thinker go on to a position, if it lies one move further that it had tried."""
    before = thinker.state
    if type(before) is not type(state) or before.outcome or before.turn < 0:
        return False
    for opinion in thinker.opinions():
        if opinion.visits and before.play(opinion.move) == state:
            thinker.play(opinion.move)
            return True
    return False
