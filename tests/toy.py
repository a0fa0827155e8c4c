"""A small game for tests of what knows no game: with draws, attempts that may fail, and
any number of seats.

In turn each seat says `a` (1 point) or `b` (2 points), or tries `x`, which never fits and
costs a point. After each move chance draws one of ten numbers. It ends after some moves."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tegel.game import (
    CHANCE,
    BadNotation,
    Choice,
    Drawing,
    Game,
    IllegalMove,
    Offer,
    Outcome,
    Position,
    leaders,
)
from tegel.picture import Mark, Plane, tile

POINTS = {"a": 1, "b": 2, "x": -1}
DRAWS = tuple(f"+{n}" for n in range(10))


@dataclass(frozen=True)
class Rules:
    variant: str
    seats: int
    sides: int
    length: int = 6


@dataclass(frozen=True)
class State(Position):
    rules: Rules
    said: tuple[str, ...] = ()
    drawn: tuple[str, ...] = ()

    @property
    def turn(self) -> int:
        if len(self.drawn) < len(self.said):
            return CHANCE
        return len(self.said) % self.rules.seats

    @property
    def scores(self) -> tuple[int, ...]:
        sides = [0] * self.rules.sides
        for place, word in enumerate(self.said):
            sides[place % self.rules.seats % self.rules.sides] += POINTS[word]
        return tuple(sides[seat % self.rules.sides] for seat in range(self.rules.seats))

    @property
    def outcome(self) -> Outcome | None:
        if self.moves():
            return None
        return Outcome(leaders(self.scores), "done")

    def moves(self) -> Sequence[str]:
        if self.turn == CHANCE:
            return DRAWS
        return ("a", "b") if len(self.said) < self.rules.length else ()

    def play(self, move: str) -> "State":
        if move not in self.moves() and not (move == "x" and self.turn != CHANCE):
            raise IllegalMove("toy", "over")
        if self.turn == CHANCE:
            return State(self.rules, self.said, (*self.drawn, move))
        return State(self.rules, (*self.said, move), self.drawn)

    def odds(self) -> Mapping[str, float]:
        return dict.fromkeys(DRAWS, 0.1) if self.turn == CHANCE else {}


def parse(text: str) -> str:
    if text not in (*POINTS, *DRAWS):
        raise BadNotation(text, "not a word of this game")
    return text


def planes(state: State) -> list[Plane]:
    return [Plane("board", wells=tuple((x, 0) for x in range(state.rules.length)))]


def marks(state: State) -> list[Mark]:
    return [Mark("board", "word", (x, 0)) for x in range(len(state.said))]


GAME: Game[str, State] = Game(
    name="toy",
    state=State,
    variants={
        "two": Rules("two", 2, 2),
        "three": Rules("three", 3, 3),
        "teams": Rules("teams", 4, 2),
    },
    begin=State,
    parse=parse,
    restore=lambda rules, _: State(rules),
    drawing=Drawing(planes, marks, {"word": tile(((0, 0),), name="word")}),
    offer=lambda state: Offer(choices=tuple(Choice(move) for move in state.moves())),
    attempts=lambda state, move: move == "x" and state.turn != CHANCE,
    sides=lambda state: [seat % state.rules.sides for seat in range(state.rules.seats)],
)
