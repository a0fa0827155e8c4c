"""Tree search over any State, in plain Python: for games that have no kernel yet.

- a **node** is a state met in the search, with how often and how well it went for each
  seat; values are between 0 and 1, one a seat, so any number of seats can play;
- at a chance node a draw is made by its odds;
- move lists may have tens of thousands of entries, so a node **widens**: it considers
  about `WIDTH * sqrt(visits)` moves, each the best by score of a small sample;
- a leaf is valued by a short **rollout** and the scores after it."""

import random
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf, log, sqrt, tanh
from typing import Generic, TypeVar

from tegel.game import CHANCE, State, game_of
from tegel.search.chance import draw
from tegel.search.kernel import Opinion

M = TypeVar("M")
WIDTH = 2.0
SAMPLE = 8  # moves of which the best by score becomes a candidate
ROLLOUT = 8  # plies after a leaf
CURIOSITY = 0.5  # weight of what is little known; the best of those tried in matches

LEVELS: Mapping[int, tuple[int, float]] = {
    3: (15, 0.5), 4: (30, 1.0), 5: (75, 2.0), 6: (150, 3.0), 7: (300, 4.0), 8: (600, 6.0),
    9: (1200, 8.0),
}  # fmt: skip
"""Simulations and seconds by level (see `level`), where there is no kernel."""


def effort(level: int) -> tuple[int, float]:
    """Simulations and seconds of a level: those that are hasty elsewhere think as the least."""
    return LEVELS[max(level, min(LEVELS))]


@dataclass
class Node(Generic[M]):
    """A state met in the search."""

    state: State[M]
    visits: int = 0
    totals: list[float] = field(default_factory=list)
    scores: list[float] = field(default_factory=list)
    squares: list[float] = field(default_factory=list)  # of the scores
    children: dict[M, "Node[M]"] = field(default_factory=dict)


@dataclass
class Search(Generic[M]):
    """A search from one state; `best` is its answer so far."""

    root: Node[M]
    rng: random.Random
    spread: float = 1.0  # how far scores typically lie from their mean

    @property
    def best(self) -> M:
        """The move tried most."""
        return max(self.root.children, key=lambda move: self.root.children[move].visits)

    def simulate(self) -> None:
        """Go down the tree, add a node, value it, and tell all nodes on the way."""
        node, path = self.root, [self.root]
        while (moves := node.state.moves()) and (node is self.root or node.visits):
            node = self._drawn(node) if node.state.turn == CHANCE else self._chosen(node, moves)
            path.append(node)
        end = self._rollout(node.state)
        values = self.values(end)
        for node in path:
            node.visits += 1
            node.totals = _added(node.totals, values)
            node.scores = _added(node.scores, end.scores)
            node.squares = _added(node.squares, [score * score for score in end.scores])

    def _drawn(self, node: Node[M]) -> Node[M]:
        drawn = draw(node.state, self.rng)
        if drawn not in node.children:
            node.children[drawn] = Node(node.state.play(drawn))
        return node.children[drawn]

    def _chosen(self, node: Node[M], moves: Sequence[M]) -> Node[M]:
        """A new candidate if it is time to widen, else the most promising child."""
        children, seat = node.children, node.state.turn
        if len(children) < min(len(moves), WIDTH * sqrt(node.visits + 1)):
            move, state = self._candidate(node, moves)
            if move not in children:
                children[move] = Node(state)
                return children[move]
        known = log(node.visits + 1)

        def promise(child: Node[M]) -> float:
            if not child.visits:
                return inf
            mean = child.totals[seat] / child.visits
            return mean + CURIOSITY * sqrt(known / child.visits)

        return max(children.values(), key=promise)

    def _candidate(self, node: Node[M], moves: Sequence[M]) -> tuple[M, State[M]]:
        """The best by score of some moves not considered yet, with the state after it."""
        seat, count = node.state.turn, len(moves)
        places = self.rng.sample(range(count), min(count, SAMPLE + len(node.children)))
        fresh = [move for move in (moves[place] for place in places) if move not in node.children]
        found = [(move, node.state.play(move)) for move in fresh[:SAMPLE]]
        if not found:
            move = moves[places[0]]
            return move, node.state.play(move)
        return max(found, key=lambda pair: self.margin(pair[1], seat))

    def _rollout(self, state: State[M]) -> State[M]:
        for _ in range(ROLLOUT):
            moves = state.moves()
            if not moves:
                break
            if state.turn == CHANCE:
                state = state.play(draw(state, self.rng))
            else:
                state = state.play(moves[self.rng.randrange(len(moves))])
        return state

    @staticmethod
    def margin(state: State[M], seat: int) -> float:
        """By how much a seat is ahead of the mean of all."""
        scores = state.scores
        return scores[seat] - sum(scores) / len(scores)

    def values(self, state: State[M]) -> list[float]:
        """How well a state is for each seat: by its lead, and at the end also by the win."""
        seats = range(len(state.scores))
        leads = [self.margin(state, seat) for seat in seats]
        self.spread += (sum(map(abs, leads)) / len(leads) - self.spread) * 0.05
        values = [0.5 + 0.5 * tanh(lead / (2 * self.spread + 0.5)) for lead in leads]
        if state.moves():
            return values
        winners = state.outcome.winners if state.outcome else ()
        return [0.5 * value + 0.5 * (seat in winners) for seat, value in enumerate(values)]


def _added(totals: Sequence[float], more: Sequence[float]) -> list[float]:
    return [a + b for a, b in zip(totals, more, strict=True)] if totals else list(more)


class Thinker(Generic[M]):
    """The plain search in one game, with the face of the engine's `kernel.Thinker`. It looks a
    few plies ahead only: the chances that it tells are what the leads there make likely, the
    scores are those there."""

    def __init__(self, state: State[M], seed: int) -> None:
        self.state = state
        self.tree = Search(Node(state), random.Random(seed))

    def play(self, move: M) -> None:
        """Make a move; what is known about the position after it is kept."""
        after = self.state.play(move)
        self.tree.root = self.tree.root.children.get(move) or Node(after)
        self.state = after

    def deepen(self, simulations: int, seconds: float = inf) -> None:
        """Think until this position has been simulated so often, or the seconds are over."""
        end = time.monotonic() + seconds
        while self.tree.root.visits < simulations:
            self.tree.simulate()
            if time.monotonic() >= end:
                break

    def opinions(self) -> list[Opinion[M]]:
        """What is thought of the moves, the most tried first."""
        sides = game_of(self.state).sides(self.state)
        tried = sorted(self.tree.root.children.items(), key=lambda item: -item[1].visits)
        return [self._opinion(move, node, sides) for move, node in tried if node.visits]

    @staticmethod
    def _opinion(move: M, node: Node[M], sides: Sequence[int]) -> Opinion[M]:
        values = tuple(total / node.visits for total in node.totals)
        firsts = dict(zip(sides, values, strict=True))
        whole = sum(firsts.values()) or 1.0
        wins = tuple(firsts[side] / whole for side in sides)
        scores = tuple(total / node.visits for total in node.scores)
        spreads = tuple(
            sqrt(max(0.0, square / node.visits - score * score))
            for square, score in zip(node.squares, scores, strict=True)
        )
        return Opinion(move, node.visits, 0.0, wins, values, scores, spreads=spreads)

    def line(self, move: M, plies: int) -> list[M]:
        """A move with what probably follows, up to the next draw."""
        found, node = [move], self.tree.root.children.get(move)
        while node and node.children and node.state.turn != CHANCE and len(found) < plies:
            best, node = max(node.children.items(), key=lambda item: item[1].visits)
            found.append(best)
        return found


def grown(
    state: State[M],
    rng: random.Random,
    simulations: int,
    seconds: float = inf,
    clock: Callable[[], float] = time.monotonic,
) -> Search[M]:
    """A search after some simulations: fewer if time runs out, but at least one."""
    end = clock() + seconds
    tree = Search(Node(state), rng)
    for number in range(simulations):
        if number and clock() >= end:
            break
        tree.simulate()
    return tree


def search(
    state: State[M],
    rng: random.Random,
    simulations: int,
    seconds: float = inf,
    clock: Callable[[], float] = time.monotonic,
) -> M:
    """A good move: the one that most of the simulations went through."""
    moves = state.moves()
    return moves[0] if len(moves) == 1 else grown(state, rng, simulations, seconds, clock).best
